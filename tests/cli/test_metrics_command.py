"""`magistrate metrics`."""

import json

import pytest

from magistrate.metrics import GROUPS, METRICS


def test_lists_every_metric_with_what_it_needs(magistrate):
    done = magistrate("metrics")
    assert done.code == 0
    for name in METRICS:
        assert f"\n{name}\n" in "\n" + done.out
    assert (
        "needs: question, answer; passes: at least 0.7; calls a case: 1, lexically none; offline: lexical" in done.out
    )


def test_shows_a_group(magistrate):
    done = magistrate("metrics", "rag_triad", "--json")
    assert [row["name"] for row in json.loads(done.out)] == sorted(GROUPS["rag_triad"], key=list(METRICS).index)


@pytest.mark.parametrize("name", ["faithfullness", "rubric:none.toml"])
def test_an_unknown_one_is_a_usage_error(magistrate, name):
    assert magistrate("metrics", name).code == 2


def test_no_two_metrics_are_described_alike(magistrate):
    rows = json.loads(magistrate("metrics", "--json").out)
    said = [row["description"] for row in rows]
    assert len(set(said)) == len(said)
    assert all(text.endswith(".") for text in said)
