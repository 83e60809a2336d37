"""Replies with a known reading, and what a reading of them may say."""

from __future__ import annotations

import random

import pytest

from fuzz.findings import KEPT
from fuzz.oracles import BrokenRuleError
from fuzz.seeds import seeds
from fuzz.structured import Example, replay, run

ASKED = ("The gate is open.", "The gate is green.")


def example(text: str, *allowed: str, **fields) -> Example:
    return Example("the rule", text, ASKED, "binary", allowed, **fields)


class TestExample:
    def test_a_right_reading_and_one_that_is_missing_are_fine(self):
        example("1. yes\n2. no", "supported", "unsupported", needed=True, pieces=True).run()
        example("1. yes", "supported", "unsupported").run()
        example("1. yes\n2. no", "*", "unsupported").run()

    @pytest.mark.parametrize(
        ("found", "rule"),
        [
            (example("1. yes\n2. yes", "supported", "unsupported"), "the rule"),
            (example("1. yes", "supported", "unsupported", needed=True), "the rule: none"),
            (example("1. yes\n2. yes\n2. no", "supported", "unsupported", pieces=True), "the rule: in pieces"),
        ],
    )
    def test_a_wrong_one_breaks_the_rule(self, found, rule):
        with pytest.raises(BrokenRuleError) as caught:
            found.run()
        assert caught.value.args[0] == rule
        assert Example.of_json(caught.value.args[-1]) == found

    def test_kept_examples_are_run_and_those_that_fail_told(self, tmp_path):
        path = tmp_path / "kept.jsonl"
        good, bad = example("1. yes", "supported", "*"), example("1. yes", "unsupported", "*")
        path.write_text(f"{good.as_json()}\n{bad.as_json()}\n")
        assert len(replay(path)) == 1


@pytest.mark.slow
class TestRun:
    def test_any_bytes_are_an_example_or_none(self):
        chance = random.Random(3)  # noqa: S311 - the same choices in every run
        made = [run(chance.randbytes(300)) for _ in range(40)]
        assert sum(one is not None for one in made) > 20

    def test_most_seeds_are_one(self):
        made = [run(data) for data in list(seeds("structured"))[:60]]
        assert sum(one is not None for one in made) > 40


def test_examples_that_once_broke_a_rule_break_none():
    kept = KEPT / "structured.jsonl"
    assert replay(kept) == []
