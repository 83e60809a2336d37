import asyncio

import pytest

from magistrate.case import Case
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.laws import LAWS, LawResult, categorical, exact_laws, measured_laws
from magistrate.metrics import Faithfulness, Hallucination
from magistrate.report.programs.run import laws_dict
from magistrate.scoring import POLICIES
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import Verdict

CASES = [
    Case(id=f"c{n}", statements=("A holds.", "B holds.", "C holds."), contexts=("A holds. B holds.", "Other things."))
    for n in range(4)
]
VERDICTS = {"A holds.": Verdict.SUPPORTED, "B holds.": Verdict.CONTRADICTED, "C holds.": Verdict.NOT_ENOUGH_INFO}


def measure(judge, cases=CASES, **options):
    laws, results, _ = asyncio.run(measured_laws([(case, None) for case in cases], judge, **options))
    return {law.law: law for law in laws}, results


class TestExactLaws:
    @pytest.mark.parametrize("policy", POLICIES)
    def test_hold_under_every_policy(self, policy):
        run = evaluate(CASES, [Faithfulness(policy=policy)], ScriptedJudge(VERDICTS))
        for law in exact_laws(run.results):
            assert (law.kind, law.violations, law.tolerance) == ("exact", 0, 0.0), law.offending
            assert law.status == "PASS"

    def test_say_nothing_where_no_policy_makes_the_score(self):
        run = evaluate(CASES, [Hallucination()], ScriptedJudge(VERDICTS))
        assert {law.status for law in exact_laws(run.results)} == {"NOT RUN"}

    def test_find_a_score_that_is_not_that_of_its_verdicts(self):
        from dataclasses import replace

        run = evaluate(CASES, judge=ScriptedJudge(VERDICTS))
        wrong = [
            replace(result, metrics={n: replace(m, score=0.9) for n, m in result.metrics.items()})
            for result in run.results
        ]
        broken = {law.law: law for law in exact_laws(wrong)}
        assert broken["functor_identity"].status == "FAIL"
        assert [offence.case for offence in broken["functor_identity"].offending] == ["c0", "c1", "c2", "c3"]


class Moody(ScriptedJudge):
    """Breaks one law: `when` says for which statements and contexts it says the opposite."""

    def __init__(self, when):
        super().__init__(VERDICTS)
        self.when = when

    async def verify(self, statements, contexts, **options):
        if self.when(list(statements), list(contexts)):
            return await ScriptedJudge(
                default=Verdict.SUPPORTED if "not true" in contexts[-1] else Verdict.CONTRADICTED
            ).verify(statements, contexts, **options)
        return await super().verify(statements, contexts, **options)


class TestMeasuredLaws:
    def test_are_kept_by_a_judge_that_looks_at_nothing_else(self):
        laws, results = measure(ScriptedJudge(VERDICTS))
        assert {name: law.status for name, law in laws.items()} == dict.fromkeys(LAWS, "PASS")
        assert [result.id for result in results] == ["c0", "c1", "c2", "c3"]

    @pytest.mark.parametrize(
        ("law", "when"),
        [
            ("functor_identity", lambda _, contexts: contexts[0].endswith("\n")),
            ("natural_transformation_distribution", lambda statements, _: len(statements) < 3),
            ("functor_composition", lambda statements, _: len(statements) < 3),
            ("statement_permutation", lambda statements, _: statements[0] == "C holds."),
            ("context_permutation", lambda _, contexts: contexts[0] == "Other things."),
            ("duplication", lambda statements, _: len(statements) == 6),
            ("irrelevant_context", lambda _, contexts: "hive" in contexts[-1]),
            ("contradiction", lambda _, contexts: "not true" in contexts[-1]),
        ],
    )
    def test_that_are_broken_name_the_cases(self, law, when):
        laws, _ = measure(Moody(when))
        assert laws[law].status == "FAIL"
        assert {offence.case for offence in laws[law].offending} == {"c0", "c1", "c2", "c3"}

    def test_forgive_what_is_tolerated(self):
        laws, _ = measure(Moody(lambda statements, _: len(statements) == 6), tolerance=1.0)
        assert laws["duplication"].status == "PASS"
        assert laws["duplication"].rate > 0

    def test_count_a_missing_verdict_as_unknown(self):
        laws, _ = measure(ScriptedJudge({**VERDICTS, "A holds.": None}))
        assert laws["functor_identity"].unknown == 4
        assert laws["functor_composition"].status == "NOT RUN"

    def test_judge_nothing_again_that_is_known(self):
        judge = ScriptedJudge(VERDICTS)
        run = evaluate(CASES[:1], judge=judge)
        asked = len(judge.asked)
        asyncio.run(measured_laws([(CASES[0], run.results[0].metrics["faithfulness"])], judge))
        assert len(judge.asked) - asked == 8

    def test_say_nothing_of_cases_without_statements(self):
        laws, _ = measure(ScriptedJudge(), [Case(id="x", statements=(), contexts=("a",)), Case(id="y", answer="A.")])
        assert {law.status for law in laws.values()} == {"NOT RUN"}


def test_the_report_a_law_fails_if_it_was_broken_anywhere():
    exact = LawResult(law="duplication", kind="exact", checked=3)
    measured = LawResult(law="duplication", kind="measured", checked=3, violations=1)
    assert categorical([exact, measured])["duplication"] == "FAIL"
    assert categorical([exact])["duplication"] == "PASS"
    assert categorical([])["duplication"] == "NOT RUN"
    found = laws_dict([exact, measured])["duplication"]
    assert (found["exact"]["rate"], found["measured"]["rate"]) == (0.0, pytest.approx(1 / 3))
