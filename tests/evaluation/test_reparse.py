"""Stored completions, read again without a call."""

import json
from dataclasses import replace

import pytest

from magistrate.case import Case
from magistrate.evaluation.runs.derived import NOT_READ, changes, read_again, reparsed
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.metrics.base import MetricResult
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.verdict import Outcome, Status, Verdict

STATEMENTS = ("The lift is out of order.", "The stairs are in wing B.")
CONTEXT = "The lift has been out of order since May. The stairs are in wing C."


def reply(*rows):
    return json.dumps({"verdicts": list(rows)})


def verify(text, *, statements=(0, 1), purpose="verify"):
    completion = Completion(text, finish_reason="stop")
    prompt = PromptRef("verify", "1", "h")
    return CallRecord(purpose, prompt, "m", completion, "unparseable", statements=statements, scale="ternary")


def stored(*calls, statements=STATEMENTS, **details):
    """A result as an older reader left it, that understood nothing."""
    metric = MetricResult(
        metric="faithfulness",
        policy="strict",
        status=Status.UNPARSEABLE,
        threshold=0.7,
        outcome=Outcome.INCONCLUSIVE,
        reason="the judge's reply could not be read",
        statements=statements,
        calls=calls,
        details={"scale": "ternary", "mode": "batched", "truths": None, **details},
    )
    case = Case(id="c", answer=" ".join(STATEMENTS), contexts=[CONTEXT])
    return CaseResult(index=0, case=case, metrics={"faithfulness": metric})


def formula(result):
    return replace(result, metrics={"faithfulness": replace(result.only(), formula="1 - supported / statements")})


def own_policy(result):
    return replace(result, metrics={"faithfulness": replace(result.only(), policy="my own policy")})


def again(result):
    return read_again(result, result.only())


GOOD = reply(
    {"id": "s1", "reason": "since May", "verdict": "supported", "quotes": ["out of order since May"]},
    {"id": "s2", "reason": "wing C", "verdict": "contradicted"},
)


class TestReadAgain:
    def test_verdicts_status_score_and_reason_follow_from_the_new_reading(self):
        new = again(stored(verify(GOOD)))
        assert [verdict.verdict for verdict in new.verdicts] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
        assert (new.status, new.score, new.outcome) == (Status.SCORED, 0.5, Outcome.FAIL)
        assert new.reason == "supported 1 of 2; s2 contradicted: wing C"
        assert new.calls[0].status == "ok"

    def test_batches_and_calls_for_what_was_missing_come_together(self):
        first = verify(reply({"id": "s1", "verdict": "supported"}), statements=(0,))
        second = verify(reply({"id": "s1", "verdict": "not_enough_info"}), statements=(1,))
        new = again(stored(first, second))
        assert [verdict.verdict for verdict in new.verdicts] == [Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO]
        assert [call.statements for call in new.calls] == [(0,), (1,)]

    def test_other_calls_stay_where_they_are(self):
        extract = replace(verify("[]", statements=()), purpose="extract", status="ok")
        new = again(stored(extract, verify(GOOD)))
        assert [call.purpose for call in new.calls] == ["extract", "verify"]
        assert new.calls[0] == extract

    def test_one_call_for_all_is_read_as_such(self):
        rows = [
            {"statement": STATEMENTS[0], "reason": "r", "verdict": "supported"},
            {"statement": STATEMENTS[1], "reason": "r", "verdict": "contradicted"},
        ]
        new = again(stored(verify(reply(*rows), statements=(), purpose="single"), statements=(), mode="single"))
        assert new.statements == STATEMENTS
        assert new.score == 0.5

    def test_quotes_from_truths_have_no_place_in_the_contexts(self):
        new = again(stored(verify(GOOD), truths=[["The lift has been out of order since May."]], two_sided=True))
        [quote] = new.verdicts[0].evidence
        assert (quote.context, quote.start, quote.end) == (0, None, None)

    @pytest.mark.parametrize(
        ("result", "why"),
        [
            (stored(verify(None)), "no raw completion"),
            (stored(verify(GOOD), scale="my own"), "scale"),
            (stored(verify(GOOD), statements=()), "no statements"),
            (stored(verify(GOOD), repeats={"n": 3}), "majority of repetitions"),
            (formula(stored(verify(GOOD))), "formula"),
            (own_policy(stored(verify(GOOD))), "policy"),
        ],
        ids=["no raw completion", "own scale", "no statements", "repetitions", "formula", "own policy"],
    )
    def test_what_cannot_be_read_again_stays_as_it_is_and_says_why(self, result, why):
        new = again(result)
        assert why in new.details[NOT_READ]
        assert replace(new, details=result.only().details) == result.only()

    def test_what_could_not_be_read_before_and_can_now_says_so_no_longer(self):
        new = again(stored(verify(GOOD), **{NOT_READ: "an older version could not"}))
        assert (new.status, NOT_READ in new.details) == (Status.SCORED, False)

    def test_a_result_without_a_call_is_untouched(self):
        assert again(stored()) == stored().only()

    def test_a_reason_that_was_not_wanted_is_not_made(self):
        result = stored(verify(GOOD))
        quiet = replace(result, metrics={"faithfulness": replace(result.only(), reason=None)})
        assert again(quiet).reason is None


class TestRuns:
    HEADER = RunHeader(config={"metrics": [{"name": "faithfulness"}]}, magistrate="0.1.0", created="2026-01-01")

    def test_changes_name_case_statement_and_both_verdicts(self):
        old = Run([stored(verify(GOOD))], self.HEADER)
        new = reparsed(old)
        assert [str(change) for change in changes(old, new)] == [
            "c s1: no verdict -> supported",
            "c s2: no verdict -> contradicted",
        ]
        assert new.results[0].score == 0.5
        assert [result.score for result in new.results[:1]] == [0.5]
        assert list(changes(new, reparsed(new))) == []
