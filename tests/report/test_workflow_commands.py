"""Workflow commands of GitHub Actions, as its runner reads them.

`commands` follows the runner's own ActionCommand.TryParseV2 and TryParse: lines are trimmed at their start; `::` there
begins a command; `##[` begins one anywhere.
"""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.report.workflow_commands import CommandGuard, in_actions, workflow_command

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

    @pytest.mark.parametrize(
        ("text", "safe"),
        [
            ("::error::x", ": :error::x"),
            ("  ::stop-commands::t\n", "  : :stop-commands::t\n"),
            ("reason: ##[add-mask]x", "reason: ## [add-mask]x"),
            ("a\n::debug::b", "a\n: :debug::b"),
        ],
    )
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


class TestInActions:
    @pytest.mark.parametrize(("value", "yes"), [("true", True), ("false", False), ("", False), (None, False)])
    def test_only_where_github_says_so(self, value, yes):
        assert in_actions({} if value is None else {"GITHUB_ACTIONS": value}) is yes
