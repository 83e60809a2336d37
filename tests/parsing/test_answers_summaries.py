"""A sentence about all statements beside the list of them: whose it is, and what it does to the list."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED
KILNS = ["The kiln is hot.", "The kiln is open.", "The kiln is new."]
LIST = "1. yes\n2. no\n3. yes"


def found(reply: str) -> list[Verdict | None]:
    return list(parse_verdicts(reply, KILNS).found)


class TestTheJudgesOwn:
    @pytest.mark.parametrize(
        "reply",
        [
            f"All are supported.\n\n{LIST}",
            '{"verdicts": ["yes", "no", "yes"]}\n\nAll are supported.',
            'All are supported.\n{"verdicts": ["yes", "no", "yes"]}',
        ],
    )
    def test_disputes_what_differs_from_it(self, reply: str) -> None:
        assert found(reply) == [YES, None, YES]

    def test_none_of_them_disputes_each_yes(self) -> None:
        assert found('{"verdicts": ["yes", "no", "yes"]}\n\nNone of them is supported.') == [None, NO, None]

    def test_that_is_withdrawn_does_not(self) -> None:
        assert found(f"All are supported.\n\nCorrection: that is wrong.\n\n{LIST}") == [YES, NO, YES]


class TestSomebodyElses:
    @pytest.mark.parametrize(
        "lead",
        [
            '"All are supported", says the author.\n\n',
            'The author says: "All are supported."\n\n',
            "Draft: all are supported.\n\nFinal:\n",
            "<think>All are supported.</think>\n",
            "> All are supported.\n\n",
            "For example: All are supported.\n\n",
        ],
    )
    def test_disputes_nothing(self, lead: str) -> None:
        assert found(lead + LIST) == [YES, NO, YES]
