"""What ADR 0003, the citation scoring framework, asks for (S4), one test or more for each of its requirements."""

import pytest
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.cli import run as command
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import compare_with
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import CitationScore, make_metrics, score_citations
from magistrate.metrics.citations.scores import redundancy
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import Outcome, Status, Verdict

cases = cases_of(__file__)

MILL = "The mill grinds rye and wheat."
RIVER = "The river turns the wheel of the mill."
CASE = Case(
    question="What does the mill grind, and what turns its wheel?",
    answer="The mill grinds rye [1]. The river turns its wheel [2].",
    contexts=(MILL, RIVER, "Swans nest upstream."),
)


def test_s4_1_faithfulness_is_the_overlap_of_claims_with_the_cited_text_and_cannot_tell_a_denial():
    scores = score_citations(["The mill grinds rye.", "The mill grinds oats."], "mill", [MILL])
    assert scores.faithfulness == pytest.approx((1 + 2 / 3) / 2)
    claims = (["The mill grinds rye."], ["The mill does not grind rye."])
    told, denied = (score_citations(claim, "mill", [MILL, "Dogs are not allowed."]) for claim in claims)
    assert denied.faithfulness == told.faithfulness


def test_s4_2_coverage_is_the_share_of_query_terms_in_all_cited_passages():
    assert score_citations(["mill"], "mill river castle", [MILL, RIVER]).coverage == pytest.approx(2 / 3)
    assert score_citations(["mill"], "mill river castle", [MILL]).coverage == pytest.approx(1 / 3)


def test_s4_3_redundancy_is_pairwise_similarity_and_less_is_better():
    assert redundancy([MILL, MILL]) == pytest.approx(1.0)
    assert redundancy([MILL, "Swans nest upstream."]) == 0.0
    assert 0.0 < redundancy([MILL, RIVER]) < 1.0
    assert CitationScore(part="redundancy").direction == "minimize"


@pytest.mark.parametrize("cited", [[], [MILL]])
def test_s4_3_fewer_than_two_citations_are_not_redundant(cited):
    assert score_citations(["mill"], "mill", cited).redundancy == 0.0
    case = Case(
        answer="The mill grinds rye" + "".join(f" [{n + 1}]" for n in range(len(cited))), contexts=(MILL, RIVER)
    )
    result = CitationScore(part="redundancy").evaluate_sync(case, OfflineJudge())
    score = 0.0 if cited else None
    assert (result.status, result.score, result.outcome) == (Status.VACUOUS, score, Outcome.INCONCLUSIVE)


def test_s4_4_overall_is_weighted_and_all_three_are_reported():
    result = CitationScore().evaluate_sync(CASE, OfflineJudge())
    parts = result.details
    expected = 0.4 * parts["faithfulness"] + 0.4 * parts["coverage"] + 0.2 * (1 - parts["redundancy"])
    assert result.score == pytest.approx(expected)
    assert parts["weights"] == pytest.approx([0.4, 0.4, 0.2])
    only = CitationScore(weights=(1, 0, 0)).evaluate_sync(CASE, OfflineJudge())
    assert only.score == only.details["faithfulness"]


def test_s4_5_no_api_is_needed_and_scoring_is_opt_in():
    assert evaluate([CASE], make_metrics(["citation_overall"])).results[0].metrics["citation_overall"].usage.calls == 0
    assert list(evaluate([CASE]).results[0].metrics) == ["faithfulness"]


def test_s4_6_ci_fails_below_a_threshold(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.jsonl").write_text(CASE.model_dump_json() + "\n")
    for threshold, code in ((0.99, 1), (0.7, 0)):
        (tmp_path / "gate.toml").write_text(f"[metrics.citation_overall]\nthreshold = {threshold}\n")
        assert command(["eval", "cases.jsonl", "--model", "offline", "--gate", "gate.toml"]) == code
    capsys.readouterr()


def test_s4_6_retrieval_strategies_are_compared():
    other = CASE.model_copy(update={"contexts": ("Swans nest upstream.", "Cows graze.", MILL)})
    good, bad = (
        evaluate([case.model_copy(update={"id": f"c{n}"}) for n in range(3)], make_metrics(["citation_overall"]))
        for case in (CASE, other)
    )
    found = compare_with(good, bad, "other retrieval").comparisons["citation_overall"]
    assert found.change > 0
    assert len(found.wins) == 3


def test_s4_7_a_judge_is_the_mode_of_high_accuracy():
    judge = ScriptedJudge({"The mill grinds rye.": Verdict.CONTRADICTED})
    result = CitationScore(part="faithfulness", method="judge").evaluate_sync(CASE, judge)
    assert (result.score, result.details["method"]) == (0.5, "judge")


@cases("citation_adr3: s4 open what the record leaves open is no score")
def test_s4_open_what_the_record_leaves_open_is_no_score(change, status):
    result = CitationScore().evaluate_sync(CASE.model_copy(update=change), OfflineJudge())
    assert (result.status, result.score, result.outcome) == (status, None, Outcome.INCONCLUSIVE)
