"""Configurations and runs, compared."""

import pytest

from magistrate.errors import ConfigurationError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import comparable, compare_with, keyed
from magistrate.evaluation.runs.store import config_hash, describe, differences
from magistrate.metrics import Faithfulness
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import TERNARY, Verdict


class Part:
    def __init__(self, name, scale=TERNARY, api_key=None, cache="", depth=1):
        self.name, self.scale, self.api_key, self.cache, self.depth = name, scale, api_key, cache, depth
        self.calls_so_far = 0


class TestDescribe:
    def test_it_is_what_the_part_was_made_with(self):
        """What changes in use, a secret, and where things are kept do not count."""
        part = Part("n", api_key="sk-1", cache="/a", depth=3)
        part.calls_so_far = 9
        assert describe(part) == {"class": f"{__name__}.Part", "name": "n", "scale": "ternary", "depth": 3}

    def test_a_part_may_describe_itself(self):
        class Own:
            def describe(self):
                return {"model": "m", "api_key": "sk-1"}

        assert describe(Own()) == {"model": "m"}


class TestHashAndDifferences:
    def test_equal_configurations_have_equal_hashes_whatever_their_order(self):
        assert config_hash({"a": 1, "b": 2}) == config_hash({"b": 2, "a": 1})
        assert config_hash({"a": 1}) != config_hash({"a": 2})

    def test_differences_name_the_path_and_both_values(self):
        old = {"judge": {"name": "a", "n": 1}, "metrics": [{"policy": "strict"}]}
        new = {"judge": {"name": "b", "n": 1}, "metrics": [{"policy": "ragas-0.4"}], "x": 1}
        assert differences(old, new) == [
            "judge.name: 'a' -> 'b'",
            "metrics.0.policy: 'strict' -> 'ragas-0.4'",
            "x: None -> 1",
        ]
        assert differences(old, old) == []


CASES = [{"id": f"c{n}", "statements": [f"Fact {n}."], "contexts": ["text"]} for n in range(6)]


def run(wrong=(), cases=CASES, **options):
    judge = ScriptedJudge({f"Fact {n}.": Verdict.CONTRADICTED for n in wrong}, name=options.pop("judge", "scripted"))
    return evaluate(cases, metrics=[Faithfulness(**options)], judge=judge)


class TestWhatIsComparable:
    def test_repeated_ids_are_told_apart(self):
        twice = run(cases=[CASES[0], CASES[0]])
        assert [key for key, _ in keyed(twice.results)] == ["c0", "c0 (row 2)"]

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
