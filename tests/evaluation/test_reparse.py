"""Stored completions, read again without a call."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.case_tables import cases_of, tables_of
from tests.making import make_call, make_result, make_run

from magistrate.case import Case
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.runs.derived import NOT_READ, changes, derive, not_read, read_again, rebuilt, reparsed
from magistrate.evaluation.runs.run import Run
from magistrate.judges.llm import LLMJudge
from magistrate.metrics import METRICS, make_metrics, metric
from magistrate.testing.server import Fault
from magistrate.verdict import Outcome, Status, Verdict

cases = cases_of(__file__)

STATEMENTS = ("The lift is out of order.", "The stairs are in wing B.")
CONTEXT = "The lift has been out of order since May. The stairs are in wing C."


def reply(*rows):
    return json.dumps({"verdicts": list(rows)})


def verify(text, **fields):
    return make_call(text, status="unparseable", **fields)


def stored(*calls, statements=STATEMENTS, **details):
    """A result as an older reader left it, that understood nothing."""
    details = {"scale": "ternary", "mode": "batched", "truths": None, **details}
    metric = {"statements": statements, "calls": calls, "details": details}
    case = {"id": "c", "answer": " ".join(STATEMENTS), "contexts": [CONTEXT]}
    return make_result(0, None, Status.UNPARSEABLE, reason="could not be read", metric=metric, **case)


def but(result, **changed):
    return replace(result, metrics={"faithfulness": replace(result.only(), **changed)})


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

    @cases("reparse: what cannot be read again")
    def test_what_cannot_be_read_again_stays_as_it_is_and_says_why(self, read, details, changed, why):
        result = but(stored(verify(GOOD if read else None), **details), **changed)
        new = again(result)
        assert why in new.details[NOT_READ]
        assert replace(new, details=result.only().details) == result.only()

    def test_what_could_not_be_read_before_and_can_now_says_so_no_longer(self):
        new = again(stored(verify(GOOD), **{NOT_READ: "an older version could not"}))
        assert (new.status, NOT_READ in new.details) == (Status.SCORED, False)

    def test_a_reason_that_was_not_wanted_is_not_made(self):
        assert again(but(stored(verify(GOOD)), reason=None)).reason is None


def test_runs_changes_name_case_statement_and_both_verdicts():
    old = make_run([stored(verify(GOOD))])
    new = reparsed(old)
    assert [str(change) for change in changes(old, new)] == [
        "c s1: no verdict -> supported",
        "c s2: no verdict -> contradicted",
    ]
    assert new.results[0].score == 0.5
    assert [result.score for result in new.results[:1]] == [0.5]
    assert list(changes(new, reparsed(new))) == []


CASE = Case(**tables_of(__file__)["reparse: pier"])
NAMES = [name for name in METRICS if name not in {"faithfulness", "groundedness"}]
WITHOUT_CALLS = {"citation_overall", "lexical_faithfulness", "citation_coverage", "citation_redundancy"}
FORMULAS = ["hallucination_rate", "grounding_precision", "citation_accuracy", "answer_relevance"]


@pytest.fixture
def judged(server):
    def run(names, **options):
        judge = LLMJudge("gpt-4o", api_base=server.openai_url, params={"api_key": "none"}, **options)
        metrics = make_metrics(names) if isinstance(names, list) else [names]
        return evaluate([CASE], metrics=metrics, judge=judge)

    return run


def spoiled(run):
    """The run as an older reader left it, that understood nothing."""
    lost = {"status": Status.UNPARSEABLE, "score": None, "bounds": None, "verdicts": (), "issues": (), "reason": "?"}
    return derive(run, lambda _, one: replace(one, **lost))


class TestReparsedRuns:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_metric_comes_out_of_its_stored_replies_as_it_did(self, judged, server, name):
        before = judged([name])
        calls = server.stats.calls
        [stored], [new] = before.results, reparsed(spoiled(before)).results
        old, again = stored.metrics[name], new.metrics[name]
        if name in WITHOUT_CALLS:
            assert (old.calls, again.status) == ((), Status.UNPARSEABLE)
            return
        assert NOT_READ not in again.details
        assert (again.status, again.score, again.bounds) == (old.status, old.score, old.bounds)
        assert (again.outcome, again.reason, again.verdicts) == (old.outcome, old.reason, old.verdicts)
        assert (again.usage, again.latency_ms) == (old.usage, old.latency_ms)
        assert server.stats.calls == calls

    def test_metrics_that_shared_their_calls_are_each_made_again(self, judged):
        before = judged(["faithfulness", *FORMULAS])
        after = reparsed(spoiled(before))
        for name, old in before.results[0].metrics.items():
            assert after.results[0].metrics[name].score == old.score
        assert after.summary.usage == before.summary.usage

    def test_a_reply_that_was_asked_again_counts_with_its_second(self, judged, server):
        server.faults = lambda call: Fault(text=lambda _: "no idea") if call.number == 2 else None
        before = judged(["hallucination_rate"])
        assert len(before.results[0].only().calls) > 2
        again = reparsed(spoiled(before)).results[0]
        assert (again.status, again.score) == (before.results[0].status, before.results[0].score)

    def test_what_a_reply_lacks_now_stays_unknown(self, judged):
        before = judged(["hallucination_rate"])
        stored = before.results[0].only()
        calls = [c if c.purpose != "verify" else _changed(c) for c in stored.calls]
        result = replace(before.results[0], metrics={"hallucination_rate": replace(stored, calls=tuple(calls))})
        [again] = reparsed(Run([result], before.header)).results
        assert again.status is Status.PARTIAL
        assert again.score is None
        assert [one.verdict is None for one in again.verdicts] == [True, False, False]

    def test_a_question_that_was_not_asked_then_is_not_answered_by_another_reply(self, judged):
        before = judged(["hallucination_rate"])
        result = replace(before.results[0], case=CASE.model_copy(update={"contexts": ("The pier is short.",)}))
        changed = reparsed(Run([result], before.header))
        assert changed.results[0].score == before.results[0].score
        assert "something else" in changed.results[0].only().details[NOT_READ]
        assert sum(not_read(changed).values()) == 1

    def test_a_metric_of_ones_own_stays_and_says_so(self, judged):
        @metric(name="mine")
        async def mine(case: Case, judge: Any) -> Any:
            return (await judge.grade("Is it friendly?", {"answer": case.answer or ""}, low=0, high=1)).value

        after = reparsed(judged(mine))
        assert after.results[0].score is not None
        assert "not known here" in after.results[0].only().details[NOT_READ]

    def test_a_run_without_a_model_says_that_nothing_was_read(self):
        run = evaluate([CASE], metrics=make_metrics(["hallucination_rate"]), judge="offline")
        assert not_read(reparsed(run)) == {"not made from a model's replies": 1}


def _changed(call):
    reply = json.loads(call.completion.text or "")
    return replace(call, completion=replace(call.completion, text=json.dumps({**reply, "s1": "blorb"})))


@cases("reparse: metrics of 0.1.0")
def test_a_metric_of_0_1_0_is_made_again_from_its_description_and_no_other_is(described):
    metric = rebuilt(described)
    assert (metric.name, metric.threshold) == (described["name"], described["threshold"])
    assert rebuilt({**described, "policy": "another"}) is None
    assert rebuilt({**described, "class": "my.own.Metric"}) is None
