"""`magistrate eval --estimate`: what a run is likely to take, against what it then takes."""

import re
from pathlib import Path

import pytest
from tests.case_tables import cases_of

from magistrate.evaluation.runs.run import load_run
from magistrate.records import Usage

tables = cases_of(__file__)

BOUND = 0.2
"""Tokens and cost of an estimate are within this part of the real ones, where every reply is good at once."""
PASSAGES = (
    "The kiln is fired on the first Monday of the month. Glazes are mixed in the shed. Visitors wear goggles.",
    "Clay comes from a pit two kilometres away. It rests for nine weeks. The pit floods in spring.",
)
ANSWERS = (
    "The kiln is fired on the first Monday of the month. Clay rests for nine weeks. Glazes are mixed in the shed.",
    "Clay comes from a pit two kilometres away. The pit is 40 metres deep.",
    "Visitors wear goggles.",
)
FIGURE = re.compile(r"^  (calls|prompt tokens|completion tokens|cost) +\$?([\d,.]+|unknown)", re.MULTILINE)


def cases(count):
    return [
        {
            "question": f"What is done in step {n}?",
            "answer": ANSWERS[n % 3],
            "contexts": [*PASSAGES, f"Step {n} is last."],
        }
        for n in range(count)
    ]


def figures(text):
    return {name: value.replace(",", "") for name, value in FIGURE.findall(text)}


def spent(folder):
    results = load_run(folder).results
    return sum((metric.usage for result in results for metric in result.metrics.values()), Usage())


def close(estimated, real):
    assert real is not None
    return abs(float(estimated) - real) <= BOUND * real


class TestEstimate:
    @pytest.mark.slow
    @tables("estimate: is close to what the run then takes")
    @pytest.mark.parametrize("model", ["openai/gpt-4o", "openai/own-model"])
    def test_is_close_to_what_the_run_then_takes(self, magistrate, dataset, server, options, model):
        command = ("eval", dataset(cases(6)), "--model", model, "--api-base", server.openai_url, "--prices", "2,8")
        estimated = magistrate(*command, *options, "--estimate")
        assert (estimated.code, server.stats.calls) == (0, 0)
        assert magistrate(*command, *options, "--run", "run").code == 0
        real, found = spent("run"), figures(estimated.out)
        assert int(found["calls"]) == real.calls == server.stats.calls
        assert close(found["prompt tokens"], real.prompt_tokens)
        assert close(found["cost"], real.cost)

    def test_an_unknown_price_stays_unknown_and_nothing_is_written(self, magistrate, dataset, server):
        path = dataset(cases(2))
        before = set(Path().rglob("*"))
        said = magistrate("eval", path, "--model", "openai/own", "--api-base", server.openai_url, "--estimate")
        assert figures(said.out)["cost"] == "unknown"
        assert set(Path().rglob("*")) == before

    def test_what_is_in_the_cache_or_finished_costs_nothing(self, magistrate, dataset, server):
        base = ("--model", "openai/own", "--api-base", server.openai_url, "--prices", "1,1")
        few, more = dataset(cases(3)), dataset(cases(5), "more.jsonl")
        magistrate("eval", few, *base, "--cache", "kept")
        cached = magistrate("eval", few, *base, "--cache", "kept", "--estimate").out
        assert figures(cached)["calls"] == "0"
        assert "6 from the cache" in cached
        assert figures(magistrate("eval", more, *base, "--cache", "kept", "--estimate").out)["calls"] == "4"
        resumed = magistrate("eval", few, *base, "--cache", "kept", "--resume", "--estimate").out
        assert "3 more are finished" in resumed
        assert figures(resumed)["calls"] == "0"

    def test_it_needs_no_key_and_a_run_says_how_to_give_one(self, magistrate, dataset, monkeypatch):
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        assert magistrate("eval", dataset(cases(2)), "--model", "gpt-4o", "--estimate").code == 0
        refused = magistrate("eval", dataset(cases(2)), "--model", "gpt-4o")
        assert refused.code == 2
        assert "OPENAI_API_KEY" in refused.err
        assert "--model-arg api_key=" in refused.err

    def test_the_offline_judge_makes_no_call(self, magistrate, dataset):
        found = figures(magistrate("eval", dataset(cases(4)), "--estimate").out)
        assert (found["calls"], found["cost"]) == ("0", "0.0000")

    def test_baselines_are_counted(self, magistrate, server):
        base = ("--model", "openai/own", "--api-base", server.openai_url, "--limit", "3")
        alone = magistrate("eval", "bundled:legal", *base, "--system", "naive-rag", "--estimate").out
        both = magistrate("eval", "bundled:legal", *base, "--estimate").out
        assert "naive-rag" in both
        assert int(FIGURE.findall(both)[-4][1].replace(",", "")) > int(figures(alone)["calls"])
