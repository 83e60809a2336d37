import itertools

import pytest

from magistrate.errors import ConfigurationError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.comparison import stability
from magistrate.evaluation.runs.derived import reparsed
from magistrate.judges.llm import LLMJudge
from magistrate.metrics import Faithfulness, make_metrics
from magistrate.report.programs.run import write_json_report
from magistrate.report.view import RunView
from magistrate.testing.scripted import ScriptedJudge
from magistrate.testing.server import FaultServer
from magistrate.verdict import Status, Verdict

CASES = [{"id": f"c{n}", "statements": [f"Fact {n}."], "contexts": ["text"]} for n in range(6)]


class Wavering(ScriptedJudge):
    """A judge that changes its mind about some statements from one repetition to the next."""

    def __init__(self, wavering=(), number=0):
        minds = itertools.cycle([Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.SUPPORTED])
        mind = next(itertools.islice(minds, number, None))
        super().__init__({f"Fact {n}.": mind for n in wavering}, name="wavering")
        self.wavering = wavering

    def repeated(self, number):
        return Wavering(self.wavering, number)


class TestARunJudgedSeveralTimes:
    def test_takes_the_majority_and_keeps_every_repetition(self):
        run = evaluate(CASES, judge=Wavering([0, 1]), repeat=3)
        said = run.results[0].metrics["faithfulness"].details["repeats"]
        assert run.results[0].score == 1.0
        assert (said["scores"], said["outcomes"]) == ([1.0, 0.0, 1.0], ["pass", "fail", "pass"])
        assert said["flip_rate"] == said["verdict_flip_rate"] == pytest.approx(2 / 3)

    def test_gives_no_verdict_on_a_tie(self):
        result = evaluate(CASES, judge=Wavering([0]), repeat=2).results[0]
        assert (result.score, result.status) == (None, Status.UNPARSEABLE)
        assert "repetitions" in result.metrics["faithfulness"].reason

    def test_measures_flips_and_noise(self):
        found = stability(evaluate(CASES, judge=Wavering([0, 1]), repeat=3))["faithfulness"]
        assert found.repeats == 3
        assert found.outcomes.flipped == ("c0", "c1")
        assert found.outcomes.flip_rate == found.verdict_flip_rate == pytest.approx(2 / 9)
        assert found.noise.means == (1.0, pytest.approx(4 / 6), 1.0)
        assert found.half_width > 0

    def test_may_have_every_second_time_in_the_other_order(self):
        options = {"judge": ScriptedJudge(), "repeat": 2}
        run = evaluate([{**CASES[0], "statements": ["One.", "Two."]}], swap=True, **options)
        assert [v.statement for v in run.results[0].metrics["faithfulness"].verdicts] == ["One.", "Two."]
        assert run.header.config["swap"]
        assert "swap" not in evaluate(CASES, **options).header.config
        with pytest.raises(ConfigurationError, match="repeat"):
            evaluate(CASES, judge=ScriptedJudge(), swap=True)

    def test_survives_being_stored_and_reread(self, tmp_path):
        run = evaluate(CASES, judge=Wavering([0]), repeat=3, run=tmp_path / "run")
        assert stability(reparsed(run))["faithfulness"].noise == stability(run)["faithfulness"].noise

    def test_says_so_in_the_report(self, tmp_path):
        import json

        path = write_json_report(RunView(evaluate(CASES, judge=Wavering([2]), repeat=3)), tmp_path / "r.json")
        found = json.loads(path.read_text())["stability"]["faithfulness"]
        assert found["unstable_cases"] == {"c2": pytest.approx(2 / 3)}

    @pytest.mark.parametrize("repeat", [0, -1, 1.5, True])
    def test_takes_a_whole_number(self, repeat):
        with pytest.raises(ConfigurationError):
            evaluate(CASES, repeat=repeat)

    def test_takes_no_single_call(self):
        with pytest.raises(ConfigurationError, match="batched"):
            evaluate([{"answer": "a", "contexts": ["b"]}], [Faithfulness(mode="single")], ScriptedJudge(), repeat=2)


def test_calls_of_repetitions_are_made_once_each_and_counted(tmp_path):
    row = {"id": "a", "question": "q?", "answer": "The pier is long.", "contexts": ["The pier is long."]}
    with FaultServer() as server:
        judge = LLMJudge("gpt-4o", api_base=server.openai_url, params={"api_key": "k"}, cache=tmp_path / "cache")
        run = evaluate([row], make_metrics(["faithfulness", "hallucination_rate"]), judge, repeat=3)
        # One extraction, and the verdicts three times, however many metrics there are.
        assert server.stats.calls == 1 + 3
        assert run.summary.usage.calls == 4
        again = evaluate([row], make_metrics(["faithfulness"]), judge, repeat=3)
        assert server.stats.calls == 4
        assert again.summary.usage.cached == 4
