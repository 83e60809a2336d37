import pytest

from magistrate.errors import ConfigurationError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import comparable, compare_with, keyed
from magistrate.metrics import Faithfulness
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import Verdict

CASES = [{"id": f"c{n}", "statements": [f"Fact {n}."], "contexts": ["text"]} for n in range(6)]


def run(wrong=(), cases=CASES, **options):
    judge = ScriptedJudge({f"Fact {n}.": Verdict.CONTRADICTED for n in wrong}, name=options.pop("judge", "scripted"))
    return evaluate(cases, metrics=[Faithfulness(**options)], judge=judge)


class TestComparing:
    def test_is_by_case_id(self):
        found = compare_with(run([4]), run([0, 1, 2], cases=CASES[::-1]), "before").comparisons["faithfulness"]
        assert (found.mean_a, found.change) == (pytest.approx(0.5), pytest.approx(1 / 3))
        assert [pair.id for pair in found.flips.lost] == ["c4"]
        assert [pair.id for pair in found.flips.gained] == ["c0", "c1", "c2"]

    def test_repeated_ids_are_told_apart(self):
        twice = run(cases=[CASES[0], CASES[0]])
        assert [key for key, _ in keyed(twice.results)] == ["c0", "c0 (row 2)"]


class TestWhatIsComparable:
    def test_is_what_was_judged_alike(self):
        comparable(run(), run([1]))
        comparable(run(threshold=0.5), run(threshold=0.9))

    @pytest.mark.parametrize("different", [{"policy": "deepeval-4"}, {"scale": "binary"}, {"judge": "another"}])
    def test_what_was_judged_differently_is_refused_and_named(self, different):
        first, second = run(), run(**different)
        with pytest.raises(ConfigurationError, match=next(iter(different))):
            comparable(first, second)
        comparable(first, second, allow=True)
        assert any(note.startswith("Judged otherwise") for note in compare_with(second, first, "x").notes)

    def test_the_same_model_at_another_address_is_compared_and_the_address_noted(self):
        runs = run(), run([1])
        for port, one in enumerate(runs):
            one.header.config["judge"].update(model="gpt-4o", api_base=f"http://localhost:{port}")
        comparable(*runs)
        assert compare_with(runs[1], runs[0], "x").notes == (
            "Judged otherwise: judge.api_base: 'http://localhost:0' -> 'http://localhost:1'",
        )
        runs[1].header.config["judge"]["model"] = "gpt-4o-mini"
        with pytest.raises(ConfigurationError, match="gpt-4o-mini"):
            comparable(*runs)

    def test_nothing_in_common_is_refused(self):
        with pytest.raises(ConfigurationError, match="no case id in common"):
            comparable(run(), run(cases=[{**CASES[0], "id": "other"}]))
        with pytest.raises(ConfigurationError, match="nothing to compare"):
            comparable(run(), run(name="other"))
