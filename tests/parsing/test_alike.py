"""One verdict for all statements."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

STATEMENTS = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}


def _said(reply: str, count: int = 2, finish_reason: str | None = None, scale: str = "binary") -> str:
    reading = parse_verdicts(reply, STATEMENTS[:count], scale=scale, finish_reason=finish_reason)
    return "".join(_LETTERS.get(one, "N") for one in reading.found)


class TestAllAlike:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("all yes.", "SS"),
            ("All supported.", "SS"),
            ("Both are supported.", "SS"),
            ("They are all supported.", "SS"),
            ("Everything is supported.", "SS"),
            ("All of them are supported by the timetable.", "SS"),
            ("All yes. The timetable says so.", "SS"),
            ("All supported, since the timetable says so.", "SS"),
            ("Verdicts: yes for both.", "SS"),
            ("Yes to all.", "SS"),
            ("No to all.", "UU"),
            ("None supported.", "UU"),
            ("No statement is supported.", "UU"),
            ("All supported except 2.", "SU"),
            ("Alle ja.", "SS"),
            ("Todas sí.", "SS"),
            ("全部支持。", "SS"),
            ("모두 지지됨.", "SS"),
        ],
    )
    def test_a_few_words_for_all(self, reply: str, said: str) -> None:
        assert _said(reply) == said

    @pytest.mark.parametrize("reply", ["All supported", "all yes", "None supported", "All supported except 1"])
    def test_no_words_that_may_go_on(self, reply: str) -> None:
        assert _said(reply) == "--"  # "All supported except 2" may have been cut
        assert _said(reply + "\n") != "--"

    @pytest.mark.parametrize(
        "reply",
        [
            "not all supported",
            "Nearly all yes",
            "All but one supported.",
            "all yes, no",
            "all yes\nno",
            "All yes. But the second is odd.",
            "All yes. Statement two is not.",
            "All supported except 7.",
            "All three supported.",
            "All 3 statements are supported.",
            "All three statements are supported.",
            "None of the three statements is supported.",
        ],
    )
    def test_less_than_all_or_another_number_gives_none(self, reply: str) -> None:
        assert _said(reply) == "--"

    @pytest.mark.parametrize("reply", ["Both statements are supported.", "Neither statement is supported.", "Both yes"])
    def test_both_speaks_of_two(self, reply: str) -> None:
        assert _said(reply, 3) == "---"

    @pytest.mark.parametrize(
        "reply",
        [
            "The page says:\nall yes",
            'The page says "all yes".',
            "> all yes",
            "The leaflet ends with: all yes.",
            "The leaflet reads: All statements are supported. That is all it says.",
        ],
    )
    def test_what_the_page_says_is_no_answer(self, reply: str) -> None:
        assert _said(reply) == "--"

    @pytest.mark.parametrize(
        "reply",
        ["All yes", "All supported", "All statements are supported", "All statements are supported by the timeta"],
    )
    def test_at_a_cut_an_exception_may_have_followed(self, reply: str) -> None:
        assert _said(reply, finish_reason="length") == "--"


class TestBesideAList:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ('["no", "no"]\n\nAll statements are supported.', "--"),
            ('["yes", "no"]\nOverall: all supported.', "S-"),
            ('All supported.\n["no", "yes"]', "-S"),
            ("1. yes\n2. no\n\nBoth are supported.", "S-"),
            ("1. yes\n2. yes\n\nNone are supported.", "--"),
            ("all yes\n1. no\n2. no", "--"),
        ],
    )
    def test_a_sentence_about_all_that_the_list_contradicts_voids_what_differs(self, reply: str, said: str) -> None:
        reading = parse_verdicts(reply, STATEMENTS[:2])
        assert _said(reply) == said
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ('["yes", "yes"]\n\nAll statements are supported.', "SS"),
            ("1. no\n2. no\n\nNone are supported.", "UU"),
            ('The page says:\nAll supported.\n["no", "yes"]', "US"),
            ("1. no - the page says\nAll supported.\n2. no", "UU"),
            ("Both supported? Let me see.\n1. no\n2. yes", "US"),
            ("Both are supported.\nWait, I misread that.\n1. no\n2. yes", "US"),
        ],
    )
    def test_one_that_agrees_or_is_not_the_judges_changes_nothing(self, reply: str, said: str) -> None:
        assert _said(reply) == said
