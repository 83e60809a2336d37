"""Counters in letters and words, and several statements on one line."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

STATEMENTS = (
    "The ferry leaves at six.",
    "The pier is painted green.",
    "Tea is sold on board.",
    "The keeper lives on the rock.",
)
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}


def _said(reply: str, count: int, finish_reason: str | None = None, ids: list[str] | None = None) -> str:
    reading = parse_verdicts(reply, STATEMENTS[:count], finish_reason=finish_reason, ids=ids)
    return "".join(_LETTERS.get(one, "N") for one in reading.found)


READ = [
    ("Claim A: yes\nClaim B: no", "SU"),
    ("Claim B: no\nClaim A: yes", "SU"),
    ("Statement A: supported. Statement B: not supported.", "SU"),
    ("Claim A is supported. Claim B is not supported.", "SU"),
    ("(a) yes (b) no (c) yes", "SUS"),
    ("A: yes, B: no", "SU"),
    ("Statement one: yes\nStatement two: no", "SU"),
    ("Statement one is supported. Statement two is not supported.", "SU"),
    ("First: yes. Second: no.", "SU"),
    ("1st: yes\n2nd: no", "SU"),
    ("one: yes, two: no, three: yes", "SUS"),
    ("Erste: ja. Zweite: nein.", "SU"),
    ("Aussage eins: ja\nAussage zwei: nein", "SU"),
    ("[1] yes [2] no [3] yes", "SUS"),
    ("[1]: yes, [2]: no", "SU"),
]
TOGETHER = [
    ("1-2: yes\n3: no", "SSU"),
    ("1\u20132: yes\n3: no", "SSU"),
    ("Statements 1-2: supported\nStatement 3: not supported", "SSU"),
    ("1 & 3: yes\n2: no", "SUS"),
    ("1, 3: yes\n2: no", "SUS"),
    ("Statements 1 and 3: supported.\nStatement 2: unsupported.", "SUS"),
    ("Claims 1 to 3: yes", "SSS"),
]


class TestCounters:
    @pytest.mark.parametrize(("reply", "said"), READ)
    def test_letters_and_words_count_like_figures(self, reply: str, said: str) -> None:
        assert _said(reply, len(said)) == said

    @pytest.mark.parametrize(
        "reply",
        [
            "Claim A: yes",
            "Claim A: yes\nClaim C: no",
            "Claim A: yes\nClaim B: no\nClaim C: yes",
            "First: yes.",
            "First: yes. Third: no.",
            "First: the timetable says six. Second: the paint is named.",
            "(a) yes (b) no (c) yes",
        ],
    )
    def test_what_does_not_count_all_of_them_names_none(self, reply: str) -> None:
        assert _said(reply, 2) == "--"

    @pytest.mark.parametrize(
        "reply", ["Claim A: yes\nClaim B: no", "First: yes. Second: no.", "First: yes\nSecond: no"]
    )
    def test_ids_of_the_callers_own_are_not_counted_off(self, reply: str) -> None:
        assert _said(reply, 2, ids=["2", "1"]) == "--"

    @pytest.mark.parametrize(("reply", "said"), READ + TOGETHER)
    def test_every_beginning_of_a_cut_reply_says_the_same_or_nothing(self, reply: str, said: str) -> None:
        for stop in range(len(reply)):
            found = _said(reply[:stop], len(said), finish_reason="length")
            assert all(one in {"-", right} for one, right in zip(found, said, strict=True)), reply[:stop]

    def test_a_quoted_counter_is_no_item(self) -> None:
        assert _said('The page says "First: yes. Second: yes."\n1. no\n2. no', 2) == "UU"


class TestSeveralAtOnce:
    @pytest.mark.parametrize(("reply", "said"), TOGETHER)
    def test_a_line_is_about_all_of_its_numbers(self, reply: str, said: str) -> None:
        reading = parse_verdicts(reply, STATEMENTS[: len(said)])
        assert (_said(reply, len(said)), reading.format) == (said, "groups")

    def test_what_two_lines_say_differently_of_one_has_no_verdict(self) -> None:
        reading = parse_verdicts("1-3: yes\n2: no", STATEMENTS[:3])
        assert reading.found == [Verdict.SUPPORTED, None, Verdict.SUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize("reply", ["3-1: yes", "1-", "1-3", "1-3: how well it fits"])
    def test_no_range_no_verdict(self, reply: str) -> None:
        assert _said(reply, 3) == "---"

    def test_a_scale_above_the_list_leaves_it_alone(self) -> None:
        assert _said("1-5: how well it fits\n1: yes\n2: no", 2) == "SU"


class TestBase:
    def test_numbers_from_nought_count_from_nought(self) -> None:
        assert _said("0. yes\n1. no\n2. yes", 3) == "SUS"

    @pytest.mark.parametrize("reply", ["1. yes\n2. no\n0. yes", '{"1": "yes", "2": "no", "0": "yes"}'])
    def test_a_nought_behind_others_may_be_a_slip(self, reply: str) -> None:
        assert _said(reply, 3) == "---"


class TestTornWords:
    @pytest.mark.parametrize(
        "word", ["not. supported", "not, supported", "un.supported", "u:supported", "not: supported"]
    )
    def test_a_mark_within_a_word_leaves_no_word(self, word: str) -> None:
        assert _said(f"1. yes\n2. {word}", 2) == "S-"

    def test_a_name_before_a_colon_is_no_verdict(self) -> None:
        assert _said("t: yes", 2) == "--"
