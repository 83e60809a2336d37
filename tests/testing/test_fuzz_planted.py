"""Bugs planted in copies of a small parser: `fuzz` finds them, and shows each with a short reply.

The parser reads little and is right about it. A bug is a change of its source as people make them.
"""

import statistics
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from magistrate.testing.corpus import load_corpus
from magistrate.testing.fuzz import fuzz

PLANTED = tomllib.loads((Path(__file__).parent / "data" / "planted_bugs.toml").read_text(encoding="utf-8"))
BUGS = PLANTED["bugs"]
CORPUS = len(load_corpus("verdicts"))


def parser(bug=None):
    source = PLANTED["parser"]
    if bug is not None:
        assert source.count(BUGS[bug]["old"]) == 1, bug
        source = source.replace(BUGS[bug]["old"], BUGS[bug]["new"])
    space: dict[str, Any] = {}
    exec(source, space)  # noqa: S102 - our own text
    made: Callable[..., Any] = space["parse"]
    return made


def look(bug):
    """Look as far as it takes to find something; the corpus comes first."""
    report = fuzz(parser(bug), seconds=60, count=CORPUS, seed=11)
    return report if report.examples else fuzz(parser(bug), seconds=20, seed=11, most_kinds=1)


@pytest.mark.slow
class TestPlantedBugs:
    def test_the_parser_without_them_is_right_and_reads_something(self):
        report = fuzz(parser(), seconds=60, count=900, seed=11)
        assert report.failures() == [], report.text()
        assert report.total("right") > 30

    def test_at_least_28_of_30_are_found_and_shown_with_a_short_reply(self):
        found = {bug: look(bug).examples for bug in BUGS}
        missed = [bug for bug, examples in found.items() if not examples]
        assert len(BUGS) >= 30
        assert len(missed) <= 2, missed
        assert statistics.median(min(len(e.reply) for e in examples) for examples in found.values() if examples) <= 200
