"""What is measured of a part: the replies that need it."""

from __future__ import annotations

from fuzz.ablate import parts, worth
from fuzz.stored import Stored

TWO = {"statements": ["The mill grinds rye.", "It was built in 1804."]}
LIST = Stored("list", "parse_verdicts", "1. yes\n2. no", TWO, ["supported", "unsupported"])
TABLE = Stored(
    "table", "parse_verdicts", "| # | Verdict |\n|---|---|\n| 1 | yes |\n| 2 | no |", TWO, ["supported", "unsupported"]
)


def test_every_layout_rule_and_group_of_words_has_a_name() -> None:
    named = parts()
    assert {"layout:table", "layout:items", "rule:lead-in", "words:yes", "words:negation"} <= set(named)
    assert len(named) == len(set(named))


def test_a_reply_needs_the_layout_it_stands_in() -> None:
    found = worth("layout:table", [LIST, TABLE])
    assert (found.lost, found.wrong) == (("table",), ())
    assert found.is_needed


def test_what_is_switched_off_is_on_again() -> None:
    worth("layout:table", [TABLE])
    assert TABLE.allows(TABLE.read()[0])


def test_a_part_that_no_reply_needs_is_named_so() -> None:
    found = worth("layout:table", [LIST])
    assert not found.is_needed
    assert "no reply needs it" in str(found)
