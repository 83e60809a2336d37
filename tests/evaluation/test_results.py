"""One case's results: delegation where there is one metric, and a form that survives storage."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.case import Case, Citation
from magistrate.evaluation.problems import Problem
from magistrate.evaluation.runs.results import CaseResult, decode_result, encode_result, fingerprint
from magistrate.metrics.base import MetricResult
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.verdict import Evidence, Issue, IssueCode, Outcome, Repair, StatementVerdict, Status, Verdict


def metric(name="f", **fields):
    defaults = {"policy": "strict", "status": Status.SCORED, "score": 0.5, "threshold": 0.7, "outcome": Outcome.FAIL}
    return MetricResult(metric=name, **{**defaults, **fields})


FULL = CaseResult(
    index=3,
    fingerprint="ab" * 8,
    case=Case(
        id="c",
        question="q",
        answer="a",
        contexts=["x"],
        citations=[Citation(marker="[1]", span=(0, 1))],
        metadata={"k": [1, {}]},
    ),
    problems=(Problem(message="m", line=2, field="f", severity="warning"),),
    metrics={
        "f": metric(
            bounds=(0.25, 0.75),
            verdicts=(
                StatementVerdict(
                    index=0,
                    id="s1",
                    statement="s",
                    verdict=Verdict.SUPPORTED,
                    reason="r",
                    evidence=(Evidence("x", 0, 0, 1, 1.0),),
                    probability=0.9,
                    span=(0, 5),
                    repairs=(Repair("fence", 3),),
                ),
                StatementVerdict(index=1, id="s2", statement="t", issues=(Issue(IssueCode.MISSING_VERDICT, "m", 1),)),
            ),
            extra=(Verdict.CONTRADICTED,),
            usage=Usage(calls=1, cost=None),
            calls=(
                CallRecord(
                    "verify", PromptRef("verify", "1", "h"), "m", Completion("raw", cached=True), statements=(0, 1)
                ),
            ),
            details={"truths": [["t"]], "n": 1.5},
        )
    },
)
TEXTS = st.text(max_size=20) | st.just("half \ud83d pair") | st.just("\x00\x1b[31m\u2028")


class TestDelegation:
    @pytest.mark.parametrize(
        "name",
        "score status outcome bounds threshold reason statements verdicts issues usage latency_ms".split(),
    )
    def test_one_metrics_attributes_can_be_read_from_the_case(self, name):
        assert getattr(FULL, name) == getattr(FULL.metrics["f"], name)

    @pytest.mark.parametrize("metrics", [{}, {"a": metric("a"), "b": metric("b")}])
    def test_otherwise_the_error_says_how_to_read_them(self, metrics):
        result = CaseResult(index=0, case=Case(id="c"), metrics=metrics)
        with pytest.raises(AttributeError, match=r"use \.metrics\[name\]\.score instead of \.score"):
            _ = result.score

    def test_a_case_without_id_has_one(self):
        assert CaseResult(index=4, case=Case()).id == "case-5"


class TestStorage:
    @pytest.mark.parametrize("full", [False, True])
    def test_everything_comes_back(self, full):
        assert decode_result(encode_result(FULL, full=full)) == FULL

    @settings(deadline=None)
    @given(texts=st.lists(TEXTS, min_size=6, max_size=6), number=st.floats())
    def test_no_text_and_no_number_stops_a_result_from_being_stored(self, texts, number):
        verdict = StatementVerdict(index=0, id="s1", statement=texts[0], verdict=Verdict.SUPPORTED, reason=texts[1])
        result = CaseResult(
            index=0,
            case=Case.model_construct(
                id=texts[2], answer=texts[3], contexts=(), citations=(), metadata={texts[4]: number}
            ),
            metrics={"f": metric(verdicts=(verdict,), reason=texts[5], details={"number": number, "other": object})},
        )
        line = encode_result(result)
        assert b"\n" not in line
        back = decode_result(line)
        clean = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
        assert back.verdicts[0].statement == clean[0]
        assert back.reason == clean[5]
        assert len(back.verdicts[0].reason or "") == len(
            texts[1].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )

    def test_to_dict_holds_nulls_and_defaults(self):
        value = FULL.to_dict()
        assert value["metrics"]["f"]["usage"]["cost"] is None
        assert value["metrics"]["f"]["direction"] == "maximize"
        json.dumps(value, allow_nan=False)

    def test_a_line_of_another_kind_is_no_result(self):
        with pytest.raises(ValueError, match="validation error"):
            decode_result(b'{"index": 1}')


class TestFinished:
    def test_a_case_is_finished_when_all_its_metrics_are(self):
        both = {"a": metric("a"), "b": metric("b", status=Status.JUDGE_ERROR, score=None)}
        assert not CaseResult(index=0, case=Case(), metrics=both).finished
        assert FULL.finished


class TestFingerprint:
    def test_it_changes_with_whatever_is_judged(self):
        base = Case(id="c", answer="a", contexts=["x"])
        others = [
            base.model_copy(update=change)
            for change in (
                {"answer": "b"},
                {"contexts": ("x", "y")},
                {"question": "q"},
                {"id": "d"},
                {"metadata": {"k": 1}},
            )
        ]
        marks = {fingerprint(case) for case in (base, *others)}
        assert len(marks) == 6
        assert fingerprint(base) == fingerprint(Case(id="c", answer="a", contexts=["x"]))

    def test_a_row_that_becomes_readable_is_another_row(self):
        assert fingerprint(Case(id="c"), (Problem(message="m", blocking=True),)) != fingerprint(Case(id="c"))
