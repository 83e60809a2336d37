"""The vocabulary in words, untrusted text inert on a terminal, and the progress bar."""

import io
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from magistrate.evaluation.execution.stop import Progress
from magistrate.records import Usage
from magistrate.report.labels import STATUS_WHY, number, worst_first
from magistrate.report.terminal.progress import ProgressBar
from magistrate.report.text import clip, inert_lines, printable
from magistrate.verdict import Status, Verdict


class TestPrintable:
    @given(text=st.text())
    def test_nothing_that_steers_a_terminal_is_left(self, text):
        safe = printable(text)
        safe.encode("utf-8")
        assert not [c for c in safe if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
        assert not set(safe) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff")

    @pytest.mark.parametrize(
        ("text", "safe"),
        [
            ("plain text, ünïcode 窓口", "plain text, ünïcode 窓口"),
            ("two\nlines\r\n\tand tabs", "two lines and tabs"),
            ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
            ("\x1b]8;;http://evil\x07link\x1b]8;;\x07", "␛]8;;http://evil␇link␛]8;;␇"),
            ("\x9b31m", "\ufffd31m"),
            ("back\x08\x08space\x7f", "back␈␈space␡"),
            ("user\u202etxt.exe", "usertxt.exe"),
            ("user\u061ctxt", "usertxt"),
            ("a\U000e0041\U000e007fb", "ab"),
            ("half \ud83d", "half \ufffd"),
            ("[bold]markup[/bold] :smile:", "[bold]markup[/bold] :smile:"),
            ("family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"),
        ],
    )
    def test_what_becomes_of_it(self, text, safe):
        assert printable(text) == safe


class TestInert:
    @given(text=st.text(st.characters(codec=None)))
    def test_nothing_but_xml_characters_is_left(self, text):
        safe = inert_lines(text)
        safe.encode("utf-8")
        assert not [c for c in safe if c < " " and c not in "\t\n"]
        assert not set(safe) & set("\ufffe\uffff\u202e\u2028\x7f\x85")

    def test_lines_and_tabs_stay(self):
        assert inert_lines("a\r\nb\rc\u2028d\te\n") == "a\nb\nc\nd\te\n"


class TestClip:
    @given(text=st.text(), longest=st.integers(1, 40))
    def test_it_is_at_most_as_long_as_asked(self, text, longest):
        assert len(clip(text, longest)) <= longest

    def test_a_cut_text_shows_that_it_is_cut(self):
        assert clip("abcdef", 4) == "abc…"
        assert clip("abcd", 4) == "abcd"
        assert clip("x" * 1000 + "\n", 10) == "xxxxxxxxx…"


class TestWords:
    def test_every_status_is_explained_in_a_sentence(self):
        assert set(STATUS_WHY) == set(Status)
        assert all(text.endswith(".") for text in STATUS_WHY.values())

    def test_a_missing_verdict_is_not_taken_for_a_bad_one(self):
        assert worst_first(None) > worst_first(Verdict.NOT_ENOUGH_INFO)


class TestNumber:
    @pytest.mark.parametrize(
        ("value", "sign", "text"),
        [
            (0.0625, "", "0.063"),
            (0.3125, "+", "+0.313"),
            (-0.0625, "+", "-0.063"),
            (1, "", "1.000"),
            (None, "", "none"),
        ],
    )
    def test_a_half_goes_up_as_in_a_browser(self, value, sign, text):
        assert number(value, sign=sign) == text


class TestProgressBar:
    def test_it_shows_cases_rate_cost_and_time_left(self):
        file = io.StringIO()
        progress = Progress(total=20, done=5, usage=Usage(calls=5, cost=0.25), started=time.monotonic() - 10)
        with ProgressBar(Console(file=file, force_terminal=True, width=120)) as bar:
            bar.update(progress)
            bar._bar.refresh()
        text = file.getvalue()
        for part in ("5/20", "0.5/s", "$0.2500", "left"):
            assert part in text
