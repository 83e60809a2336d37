"""Faithfulness with a judge that is really there: the offline one."""

import pytest

from magistrate.case import Case
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.verdict import Status, Verdict

CASE = Case(
    id="sauna",
    question="When is the sauna open?",
    answer="The sauna is open from 14:00 to 22:00. Towels cost 4 EUR. The owner is a former rower.",
    contexts=("The sauna is open from 14:00 to 22:00 every day. Towels can be borrowed for 4 EUR.",),
)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"decompose": "sentences"},
        {"mode": "single"},
        {"batch_size": 1},
        {"two_sided": True},
        {"truths_extraction_limit": 5},
        {"scale": "binary"},
    ],
    ids=str,
)
async def test_every_way_of_judging_agrees(options):
    result = await Faithfulness(**options).evaluate(CASE, OfflineJudge())
    assert result.status is Status.SCORED
    assert result.statements == (
        "The sauna is open from 14:00 to 22:00.",
        "Towels cost 4 EUR.",
        "The owner is a former rower.",
    )
    assert (result.verdicts[0].verdict, result.score) == (Verdict.SUPPORTED, 2 / 3)
    assert result.verdicts[2].verdict in (Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED)
    assert (result.judge, result.usage.calls) == ("offline", 0)
