"""What VERA ADR-0036 asks of an evaluation framework (S1), one test or more for each of its requirements."""

import json
import re
from collections import Counter

import pytest
from tests.case_tables import cases_of
from tests.datasets.records import bundled_documents, bundled_queries

from magistrate.case import Case
from magistrate.cli import run as command
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.cases.answer_sources import open_source
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.gate import load_gates
from magistrate.evaluation.laws import LAWS, exact_laws
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import (
    AnswerRelevance,
    CitationAccuracy,
    ContextRelevance,
    CrossDocumentFaithfulness,
    Faithfulness,
    GroundingF1,
    GroundingPrecision,
    GroundingRecall,
    Hallucination,
    SourceConflict,
    make_metrics,
)
from magistrate.report.programs.run import vera_report
from magistrate.report.view import RunView
from magistrate.statistics import format_change, relative_change
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import Status, Verdict

cases = cases_of(__file__)

tables = cases_of(__file__)

TERM, NOTICE, CAP = "The term is 24 months.", "Notice is given in writing.", "Liability is capped."
CONTRACT = Case(
    id="contract",
    question="What are the term and the notice?",
    answer=f"{TERM} [1] {NOTICE} [2] {CAP} [2]",
    statements=(TERM, NOTICE, CAP),
    contexts=("§ 1 The term is 24 months.", "§ 2 Notice is given in writing."),
    reference=f"{TERM} {NOTICE}",
    category="fact_multiple",
    citations=(
        {"marker": "[1]", "context": 0, "statement": TERM},
        {"marker": "[2]", "context": 1, "statement": NOTICE},
    ),
)
JUDGE = {CAP: Verdict.NOT_ENOUGH_INFO}
EXACT = ("functor_identity", "functor_composition", "natural_transformation_distribution")


class Entailment(ScriptedJudge):
    """An NLI judge: P(supported) of each statement."""

    def __init__(self, chances):
        super().__init__()
        self.chances = chances

    async def verify(self, statements, contexts, **options):
        reply = await super().verify(statements, contexts, **options)
        verdicts = tuple(v.model_copy(update={"probability": self.chances[v.statement]}) for v in reply.verdicts)
        return type(reply)(verdicts, reply.status)


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        capsys.readouterr()
        code = command([str(argument) for argument in arguments])
        return code, capsys.readouterr().out

    return call


@pytest.fixture
def contracts(tmp_path):
    path = tmp_path / "legal-contracts.json"
    rows = [
        {
            "id": f"q{n}",
            "query": "What is the term?",
            "response": TERM,
            "contexts": [TERM],
            "category": "fact_single" if n % 3 else "reasoning",
            "grounded_answer": TERM,
            "naive": TERM if n % 2 else "Bears fish in rivers.",
        }
        for n in range(24)
    ]
    path.write_text(json.dumps({"name": "legal-contracts", "queries": rows}))
    return path


class TestPipeline:
    def test_s1_1_queries_metrics_baseline_report_and_each_stage_resumes(self, cli, contracts, tmp_path):
        arguments = ("eval", contracts, "--baseline", "naive-rag", "--run", tmp_path / "run")
        code, out = cli(*arguments)
        assert code == 0
        assert "Against naive-rag" in out
        before = (tmp_path / "run" / "results.jsonl").read_bytes().count(b'"type":"case"')
        assert cli(*arguments, "--resume")[0] == 0
        assert (tmp_path / "run" / "results.jsonl").read_bytes().count(b'"type":"case"') == before == 24

    def test_s1_17_a_failure_is_explicit_and_every_result_can_be_observed(self):
        class Failing(ScriptedJudge):
            async def verify(self, *_arguments, **_options):
                raise RuntimeError("down")

        result = evaluate([CONTRACT], judge=Failing()).results[0]
        assert (result.status, result.score) == (Status.JUDGE_ERROR, None)
        assert "RuntimeError" in result.metrics["faithfulness"].reason
        run = evaluate([CONTRACT], judge=ScriptedJudge(JUDGE))
        result = run.results[0].metrics["faithfulness"]
        assert result.usage.calls == run.summary.usage.calls == 1
        assert result.latency_ms > 0
        assert [verdict.reason for verdict in result.verdicts][2] == "scripted as not_enough_info"


class TestMetrics:
    @pytest.mark.parametrize(("chance", "grounded"), [(0.70, 1), (0.69, 0)])
    def test_s1_2_grounding_precision_counts_claims_entailed_from_070(self, chance, grounded):
        result = GroundingPrecision().evaluate_sync(CONTRACT, Entailment({TERM: 0.9, NOTICE: 0.1, CAP: chance}))
        assert result.score == pytest.approx((1 + grounded) / 3)
        # Without a probability a claim counts by its verdict.
        assert GroundingPrecision().evaluate_sync(CONTRACT, ScriptedJudge(JUDGE)).score == pytest.approx(2 / 3)

    def test_s1_2_the_targets_are_in_the_gate_file(self):
        targets = {gate.metric: gate.threshold for gate in load_gates("vera")}
        assert (targets["grounding_precision"], targets["citation_accuracy"]) == (0.90, 0.95)
        assert (targets["context_relevance"], targets["answer_relevance"]) == (0.80, 0.85)

    def test_s1_3_grounding_recall_and_f1(self):
        judge = ScriptedJudge(JUDGE)
        assert GroundingRecall().evaluate_sync(CONTRACT, judge).score == 1.0
        assert GroundingF1().evaluate_sync(CONTRACT, judge).score == pytest.approx(0.8)

    def test_s1_4_citation_accuracy_by_source_and_support(self):
        gold = CONTRACT.model_copy(update={"metadata": {"gold_citations": [{"context": 0}]}})
        assert CitationAccuracy().evaluate_sync(CONTRACT, ScriptedJudge(JUDGE)).score == 1.0
        assert CitationAccuracy().evaluate_sync(gold, ScriptedJudge(JUDGE)).score == 0.5

    def test_s1_5_faithfulness_is_verified_sentences_over_sentences(self):
        case = CONTRACT.model_copy(update={"statements": None, "answer": f"{TERM} {NOTICE} {CAP}"})
        judge = ScriptedJudge(JUDGE)
        result = Faithfulness(decompose="sentences").evaluate_sync(case, judge)
        assert result.score == pytest.approx(2 / 3)
        assert [kind for kind, _ in judge.asked] == ["verify"]
        chances = Entailment({TERM: 0.71, NOTICE: 0.69, CAP: 0.1})
        assert Faithfulness(policy="vera").evaluate_sync(CONTRACT, chances).score == pytest.approx(1 / 3)

    def test_s1_6_context_relevance_is_a_mean_over_chunks_and_answer_relevance_one_score(self):
        judge = ScriptedJudge(score=3)
        context = ContextRelevance().evaluate_sync(CONTRACT, judge)
        answer = AnswerRelevance().evaluate_sync(CONTRACT, judge)
        assert (context.score, context.usage.calls) == (0.75, 2)
        assert (answer.score, answer.usage.calls) == (0.75, 1)

    def test_s1_7_the_hallucination_rate_has_a_formula_and_less_is_better(self):
        judge = ScriptedJudge({**JUDGE, NOTICE: Verdict.CONTRADICTED})
        unsupported = Hallucination().evaluate_sync(CONTRACT, judge)
        contradicted = Hallucination(rate="contradicted").evaluate_sync(CONTRACT, judge)
        assert (unsupported.score, contradicted.score) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
        assert unsupported.direction == contradicted.direction == "minimize"

    def test_s1_8_latency_p99(self):
        timed = [Case(answer="A.", contexts=("A.",), metadata={"latency_ms": 1000.0 + n}) for n in range(0, 101, 5)]
        run = evaluate(timed)
        assert vera_report(RunView(run))["metrics"]["latency_p99_ms"] == 1099.0
        assert run.summary.metrics["faithfulness"].latency.p99 > 0

    def test_s1_16_conflicts_between_sources_are_found(self):
        class Sides(ScriptedJudge):
            async def verify(self, statements, contexts, **options):
                pro = "two years" not in "".join(contexts) or len(contexts) > 1
                said = Verdict.SUPPORTED if pro else Verdict.CONTRADICTED
                return await ScriptedJudge(default=said).verify(statements, contexts, **options)

        case = Case(statements=("It took one year.",), contexts=("It took one year.", "It took two years."))
        assert SourceConflict().evaluate_sync(case, Sides()).score == 1.0
        assert Faithfulness().evaluate_sync(case, Sides()).score == 1.0
        assert CrossDocumentFaithfulness().evaluate_sync(case, Sides()).score == 0.0


class TestLaws:
    def test_s1_9_categorical_tests_pass_and_are_reported(self):
        found = {result.law: result for result in exact_laws(evaluate([CONTRACT], judge=ScriptedJudge(JUDGE)).results)}
        for law in EXACT:
            assert law in LAWS
            assert found[law].status == "PASS"
            assert found[law].checked > 0

    def test_s1_9_a_judge_that_breaks_a_law_fails_it_in_the_report_and_the_case_is_named(
        self, cli, contracts, tmp_path
    ):
        arguments = ("eval", contracts, "--limit", "6", "--laws")
        _, out = cli("eval", "bundled:technical", "--limit", "4", "--laws", "--format", "vera")
        assert json.loads(out)["categorical_tests"] == dict.fromkeys(EXACT, "PASS")
        cli(*arguments, "--system", "naive", "--output", tmp_path / "report.json")
        tests = json.loads((tmp_path / "report.json").read_text())["categorical_tests"]
        assert tests["functor_identity"]["status"] == "PASS"
        assert tests["contradiction"]["status"] == "FAIL"  # the offline judge takes a denial for what it denies
        assert tests["contradiction"]["measured"]["rate"] == 1.0
        assert tests["contradiction"]["measured"]["offending"][0]["case"] == "q0"


class TestDataset:
    def test_s1_10_the_fields_of_a_query_are_read_under_its_names(self, contracts):
        (record, *_) = Dataset(contracts)
        case = record.case
        assert (case.id, case.question, case.answer, case.reference) == ("q0", "What is the term?", TERM, TERM)
        assert case.category == "reasoning"
        bundled = open_source("bundled:legal")
        first = next(iter(bundled)).case
        assert first.expected_score is not None
        assert first.citations[0].span

    @tables("vera: composition of the dataset")
    def test_s1_11_all_categories_are_there_and_the_one_that_the_list_forgot(self, queries, documents):
        del documents
        named = {category for domain in queries.values() for category in domain}
        assert {query.category for query in bundled_queries()} == named | {"cross_document"}

    @tables("vera: composition of the dataset")
    def test_s1_12_the_composition_is_that_of_the_record(self, queries, documents):
        counts = Counter((query.domain, query.category) for query in bundled_queries())
        assert counts == {(domain, name): n for domain, names in queries.items() for name, n in names.items()}
        assert Counter(document.domain for document in bundled_documents()) == documents


class TestBaselines:
    @cases("vera_adr36: s1 13 improvements are those of the record")
    def test_s1_13_improvements_are_those_of_the_record(self, before, after, text):
        assert format_change(relative_change(before, after)) == text

    def test_s1_13_three_systems_are_compared_with_intervals(self):
        runs = {
            system: evaluate(open_source("bundled:technical", system=system), judge=OfflineJudge())
            for system in ("naive-rag", "simple-verification", "vera")
        }
        for name in ("naive-rag", "simple-verification"):
            found = compare_with(runs["vera"], runs[name], name).comparisons["faithfulness"]
            assert found.n > 15
            assert found.change_interval.low <= found.change <= found.change_interval.high


class TestCommandLine:
    def test_s1_14_quick_takes_ten_queries_of_every_category_and_one_metric_is_one(self, cli, contracts, tmp_path):
        cli("eval", contracts, "--quick", "--metric", "grounding_precision", "--output", tmp_path / "quick.json")
        report = json.loads((tmp_path / "quick.json").read_text())
        assert len(report["cases"]) == 10
        assert {case["case"]["category"] for case in report["cases"]} == {"fact_single", "reasoning"}
        assert list(report["summary"]["metrics"]) == ["grounding_precision"]

    @pytest.mark.parametrize(("system", "code"), [("naive", 1), (None, 0)])
    def test_s1_14_regression_fails_below_the_threshold(self, cli, contracts, system, code):
        chosen = ("--system", system) if system else ()
        arguments = ("eval", contracts, "--model", "offline", "--regression", "--threshold", "0.85", *chosen)
        assert cli(*arguments)[0] == code

    def test_s1_15_the_flags_are_those_of_vera_and_the_json_has_every_key_of_the_record(self, cli, contracts):
        code, out = cli("eval", "--dataset", contracts, "--format", "vera", "--baseline", "naive-rag")
        assert code == 0
        report = json.loads(out)
        keys = (
            "dataset timestamp queries_evaluated metrics baseline_comparison categorical_tests per_category_breakdown"
        )
        assert list(report) == keys.split()
        assert (report["dataset"], report["queries_evaluated"]) == ("legal-contracts", 24)
        metrics = "grounding_precision grounding_recall f1_score citation_accuracy faithfulness hallucination_rate"
        assert list(report["metrics"]) == [*metrics.split(), "context_relevance", "answer_relevance", "latency_p99_ms"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", report["timestamp"])
        assert list(report["baseline_comparison"]) == ["naive_rag", "improvement_over_baseline"]
        for part in report["baseline_comparison"].values():
            assert list(part) == ["grounding_precision", "citation_accuracy", "hallucination_rate"]
        improvement = report["baseline_comparison"]["improvement_over_baseline"]
        assert re.fullmatch(r"[+-]\d+\.\d%", improvement["grounding_precision"])
        assert set(report["categorical_tests"].values()) <= {"PASS", "FAIL", "NOT RUN"}
        assert report["per_category_breakdown"]["fact_single"] == {"precision": 1.0, "count": 16}


def test_s1_16_an_unanswerable_question_is_detected():
    run = evaluate(open_source("bundled:legal"), make_metrics(["abstention"]))
    unanswerable = [result for result in run.results if result.case.category == "unanswerable"]
    assert len(unanswerable) == 5
    assert all(result.metrics["abstention"].details["answerable"] is False for result in unanswerable)
