"""The vocabulary in words, untrusted text inert on a terminal, and the progress bar."""

import io
import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from tests.case_tables import cases_of

from magistrate.evaluation.running import Progress
from magistrate.records import Usage
from magistrate.report.phrasing import STATUS_WHY, number, worst_first
from magistrate.report.terminal.run import progress_bar
from magistrate.report.text import CommandGuard, clip, inert_lines, printable, workflow_command
from magistrate.verdict import Status, Verdict

cases = cases_of(__file__)


class TestPrintable:
    @given(text=st.text())
    def test_nothing_that_steers_a_terminal_is_left(self, text):
        safe = printable(text)
        safe.encode("utf-8")
        assert not [c for c in safe if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
        assert not set(safe) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff")

    @cases("text: what becomes of it")
    def test_what_becomes_of_it(self, text, safe):
        assert printable(text) == safe


@given(text=st.text(st.characters(codec=None)))
def test_inert_nothing_but_xml_characters_is_left(text):
    safe = inert_lines(text)
    safe.encode("utf-8")
    assert not [c for c in safe if c < " " and c not in "\t\n"]
    assert not set(safe) & set("\ufffe\uffff\u202e\u2028\x7f\x85")


@given(text=st.text(), longest=st.integers(1, 40))
def test_clip_it_is_at_most_as_long_as_asked(text, longest):
    assert len(clip(text, longest)) <= longest


class TestWords:
    def test_every_status_is_explained_in_a_sentence(self):
        assert set(STATUS_WHY) == set(Status)
        assert all(text.endswith(".") for text in STATUS_WHY.values())

    def test_a_missing_verdict_is_not_taken_for_a_bad_one(self):
        assert worst_first(None) > worst_first(Verdict.NOT_ENOUGH_INFO)


@cases("text: a half goes up as in a browser")
def test_number_a_half_goes_up_as_in_a_browser(value, sign, text):
    assert number(value, sign=sign) == text


def test_progress_bar_it_shows_cases_rate_cost_and_time_left():
    file = io.StringIO()
    progress = Progress(total=20, done=5, usage=Usage(calls=5, cost=0.25), started=time.monotonic() - 10)
    with progress_bar(Console(file=file, force_terminal=True, width=120)) as update:
        update(progress)
    text = file.getvalue()
    for part in ("5/20", "0.5/s", "$0.2500", "left"):
        assert part in text


NASTY = st.lists(
    st.sampled_from(["::", ":", "##[", "#", "[", "error", "]", " ", "\t", "\n", "\r", "\r\n", "x", "\u2003"])
)


def commands(output):
    found = []
    for line in re.split(r"\r\n|\r|\n", output):
        begun = line.lstrip()
        if begun.startswith("::") and "::" in begun[2:]:
            found.append(begun)
        elif "##[" in line and "]" in line[line.index("##[") :]:
            found.append(line)
    return found


def guarded(*pieces):
    out = io.StringIO(newline="")
    guard = CommandGuard(out)
    for piece in pieces:
        assert guard.write(piece) == len(piece)
    return out.getvalue()


class TestGuard:
    @given(pieces=st.lists(NASTY.map("".join)))
    def test_no_command_gets_through_however_it_is_cut_into_pieces(self, pieces):
        safe = guarded(*pieces)
        assert commands(safe) == []
        assert not [line for line in re.split(r"\r\n|\r|\n", safe) if line.lstrip().startswith("::")]
        assert "##[" not in safe

    @given(pieces=st.lists(st.text()))
    def test_how_it_is_cut_makes_no_difference(self, pieces):
        assert guarded(*pieces) == guarded("".join(pieces))

    @pytest.mark.parametrize(
        "text", ["std::vector<int> x;\n", "a ::b\n", "## [x]\n", "# heading [1]\n", ": :\n", "  plain\r\n", ""]
    )
    def test_what_is_no_command_is_left_alone(self, text):
        assert guarded(text) == text

    @cases("text: a space breaks a command")
    def test_a_space_breaks_a_command(self, text, safe):
        assert guarded(text) == safe

    def test_it_passes_for_the_stream(self):
        out = io.TextIOWrapper(io.BytesIO(), "latin-1", "replace")
        guard = CommandGuard(out)
        assert (guard.encoding, guard.errors, guard.isatty(), guard.writable()) == ("latin-1", "replace", False, True)
        assert not hasattr(guard, "buffer")
        print("a line", file=guard, flush=True)
        assert out.buffer.getvalue() == b"a line\n"
        with pytest.raises(TypeError, match="takes a text, not bytes"):
            guard.write(b"")


class TestCommands:
    def test_it_is_one_line_with_its_properties(self):
        line = workflow_command("warning", "two\nlines", file="a,b:c.jsonl", line=3, title="50 %")
        assert line == "::warning file=a%2Cb%3Ac.jsonl,line=3,title=50 %25::two%0Alines"

    @given(message=st.text(), title=st.text())
    def test_text_never_ends_its_command_or_begins_another(self, message, title):
        line = workflow_command("error", message, title=title)
        assert not re.search(r"[\r\n]", line)
        head, _, data = line[2:].partition("::")
        assert head == f"error title={_coded(title)}"
        assert re.sub("%0A|%0D|%25", _decoded, data) == message


def _coded(text):
    for char in "%\r\n:,":
        text = text.replace(char, f"%{ord(char):02X}")
    return text


def _decoded(match):
    return chr(int(match[0][1:], 16))
