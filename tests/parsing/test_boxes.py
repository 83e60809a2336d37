"""Forms with several options and a mark."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.boxes import marked_option
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import IssueCode, Verdict

BINARY = vocabulary_of("binary")
BREAD = ["The bakery sells rye bread.", "It opens at five."]


class TestMarkedOption:
    @pytest.mark.parametrize(
        ("form", "reading"),
        [
            ("[x] supported [ ] not supported", Verdict.SUPPORTED),
            ("[ ] supported [X] not supported", Verdict.UNSUPPORTED),
            ("( ) yes (x) no", Verdict.UNSUPPORTED),
            ("yes [ ] no [x]", Verdict.UNSUPPORTED),
            ("Supported: [✓] Unsupported: [ ]", Verdict.SUPPORTED),
            ("☑ yes ☐ no", Verdict.SUPPORTED),
            ("☐ yes\n☑ no", Verdict.UNSUPPORTED),
        ],
    )
    def test_the_one_that_is_marked_is_read(self, form: str, reading: Verdict) -> None:
        assert marked_option(form, BINARY) is reading

    @pytest.mark.parametrize("form", ["[ ] yes", "[ ] yes [ ] no", "[x] yes [x] no", "yes [x] no [ ] yes"])
    def test_no_mark_or_two_or_one_that_fits_both_is_a_conflict(self, form: str) -> None:
        assert marked_option(form, BINARY) is IssueCode.CONFLICTING_VERDICTS
        assert parse_verdicts(form, BREAD[:1]).found == [None]

    @pytest.mark.parametrize("text", ["supported", "[x] supported", "see [ ] and [ ]", "as (x) says, (x) is old"])
    def test_other_text_is_no_form(self, text: str) -> None:
        assert marked_option(text, BINARY) is None

    def test_each_item_of_a_list_has_its_own_form(self) -> None:
        reply = "1. [x] supported [ ] not supported\n2. [ ] supported [x] not supported"
        assert parse_verdicts(reply, BREAD).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
