"""One case's results: delegation where there is one metric, and a form that survives storage; sums over cases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.making import make_call, make_result

from magistrate.case import Case, Citation, Problem
from magistrate.evaluation.aggregate import summarize
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
            calls=(make_call(Completion("raw", cached=True)),),
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
        assert (back.verdicts[0].statement, back.reason) == (clean[0], clean[5])
        assert len(back.verdicts[0].reason or "") == len(clean[1])


def test_fingerprint_it_changes_with_whatever_is_judged():
    base = Case(id="c", answer="a", contexts=["x"])
    changed = {"answer": "b", "contexts": ("x", "y"), "question": "q", "id": "d", "metadata": {"k": 1}}
    others = [base.model_copy(update={name: value}) for name, value in changed.items()]
    marks = {fingerprint(case) for case in (base, *others)} | {
        fingerprint(base, (Problem(message="m", blocking=True),))
    }
    assert len(marks) == 7
    assert fingerprint(base) == fingerprint(Case(id="c", answer="a", contexts=["x"]))


def result(index, status, score=None, *, bounds=None, problems=(), category=None, verdicts=(), **fields):
    shared = {"bounds": bounds, "problems": problems, "category": category, "verdicts": verdicts}
    return make_result(index, score, status, metric={"metric": "f", **fields}, **shared)


MIXED = [
    result(0, Status.SCORED, 1.0, category="a"),
    result(1, Status.SCORED, 0.5, category="a"),
    result(2, Status.PARTIAL, None, bounds=(0.25, 0.75), category="b"),
    result(3, Status.REFUSED, category="b"),
    result(4, Status.PARTIAL, None, bounds=(0.8, 1.0)),
    result(5, Status.VACUOUS),
]


class TestFigures:
    def test_the_mean_carries_its_coverage_outcomes_and_what_missing_scores_could_make_of_it(self):
        figures = summarize(MIXED).metrics["f"]
        assert (figures.n, figures.n_scored, figures.mean) == (6, 2, 0.75)
        assert figures.coverage == pytest.approx(1 / 3)
        assert figures.not_scored == {Status.PARTIAL: 2, Status.REFUSED: 1, Status.VACUOUS: 1}
        assert figures.outcomes == {Outcome.PASS: 2, Outcome.FAIL: 1, Outcome.INCONCLUSIVE: 3}
        assert figures.bounds == pytest.approx(((1 + 0.5 + 0.25 + 0 + 0.8 + 0) / 6, (1 + 0.5 + 0.75 + 1 + 1 + 1) / 6))

    def test_categories_have_figures_of_their_own(self):
        categories = summarize(MIXED).metrics["f"].categories
        found = {name: (c.n, c.n_scored, c.mean) for name, c in categories.items()}
        assert found == {"a": (2, 2, 0.75), "b": (2, 0, None)}

    def test_a_policys_score_counts_whatever_the_status(self):
        """Compat policies give numbers to empty and partial results: the mean is theirs, the statuses still show."""
        figures = summarize([result(0, Status.VACUOUS, 1.0), result(1, Status.SCORED, 0.0)]).metrics["f"]
        assert (figures.mean, figures.n_scored) == (0.5, 2)
        assert figures.statuses == {Status.VACUOUS: 1, Status.SCORED: 1}
        assert figures.not_scored == {}

    def test_statements_are_counted_by_verdict_and_without_one(self):
        issue = Issue(IssueCode.MISSING_VERDICT)
        verdicts = tuple(
            StatementVerdict(index=i, id=f"s{i}", statement="s", verdict=v, issues=() if v else (issue,))
            for i, v in enumerate([Verdict.SUPPORTED, Verdict.SUPPORTED, Verdict.CONTRADICTED, None])
        )
        figures = summarize([result(0, Status.PARTIAL, verdicts=verdicts)]).metrics["f"]
        assert figures.verdicts == {Verdict.SUPPORTED: 2, Verdict.CONTRADICTED: 1, None: 1}

    def test_answers_that_were_not_judged_in_full_are_counted(self):
        left = (Issue(IssueCode.SENTENCE_WITHOUT_STATEMENT, "1 of 2 sentences"),) * 2
        figures = summarize([result(0, Status.SCORED, 1.0, issues=left), result(1, Status.SCORED, 1.0)]).metrics["f"]
        assert figures.n_left_out == 1


class TestWorst:
    def test_the_lowest_scores_come_first_and_ties_in_the_order_of_the_dataset(self):
        scores = [0.9, 0.2, 0.5, 0.2, 0.6, 0.65]
        worst = summarize(result(i, Status.SCORED, s) for i, s in enumerate(scores)).worst["f"]
        assert [(w.position, w.score) for w in worst] == [(1, 0.2), (3, 0.2), (2, 0.5), (4, 0.6), (5, 0.65)]

    def test_a_case_without_score_ranks_by_the_lowest_it_may_have(self):
        worst = summarize(MIXED).worst["f"]
        assert [w.position for w in worst] == [2, 1]

    def test_a_case_that_was_never_judged_is_unknown_and_not_bad(self):
        refused = result(0, Status.REFUSED, bounds=(0.0, 1.0))
        assert summarize([refused, result(1, Status.SCORED, 0.1)]).worst["f"][0].position == 1
        assert summarize([refused]).worst["f"] == ()

    def test_where_less_is_better_the_highest_come_first(self):
        results = [result(i, Status.SCORED, s, direction="minimize") for i, s in enumerate([0.75, 0.95, 0.1])]
        assert [w.position for w in summarize(results).worst["f"]] == [1, 0]


class TestUsage:
    def call(self, latency, *, cached=False, model="gpt"):
        completion = Completion("x", model=f"{model}-2026", usage=Usage(latency_ms=latency), cached=cached)
        return CallRecord("verify", PromptRef("verify", "3", "h"), model, completion)

    def test_usage_and_models_and_prompts_are_summed(self):
        usage = Usage(calls=2, prompt_tokens=10, completion_tokens=1, cost=0.5)
        failed = CallRecord("verify", PromptRef("verify", "3", "h"), "gpt", attempts=2)
        summary = summarize(
            [
                result(0, Status.SCORED, 1.0, usage=usage, calls=(self.call(100), self.call(300))),
                result(1, Status.SCORED, 1.0, usage=usage, calls=(self.call(0, cached=True), failed)),
            ]
        )
        assert (summary.usage.calls, summary.usage.cost) == (4, 1.0)
        assert summary.models == {("gpt", "gpt-2026"): 2, ("gpt", None): 2}
        assert summary.call_notes == {"repeated after a fault": 1}
        assert summary.prompts == {("verify", "3"): 4}

    def test_a_cached_completion_says_nothing_about_latency(self):
        calls = (self.call(100), self.call(300), self.call(0, cached=True))
        latency = summarize([result(0, Status.SCORED, 1.0, calls=calls)]).call_latency
        assert (latency.n, latency.p50) == (2, 200.0)

    def test_rows_with_problems_are_counted_by_kind(self):
        warning = Problem(message="m", severity="warning")
        summary = summarize(
            [
                result(0, Status.MISSING_INPUT, problems=(Problem(message="m", blocking=True),)),
                result(1, Status.SCORED, 1.0, problems=(Problem(message="m"), Problem(message="n"))),
                result(2, Status.SCORED, 1.0, problems=(warning,)),
            ]
        )
        assert (summary.n_blocked, summary.n_problems) == (1, 2)
        assert [(problem.message, count) for problem, count in summary.problems] == [("m", 2), ("n", 1)]
