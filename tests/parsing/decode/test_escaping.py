r"""TeX commands in JSON strings: "\frac" is no form feed."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_statements
from magistrate.parsing.decode.escaping import with_commands
from magistrate.verdict import IssueCode


class TestCommands:
    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("The ratio is \frac{1}{2}.", r"The ratio is \frac{1}{2}."),
            ("\binom{n}{k} and \beta", r"\binom{n}{k} and \beta"),
            ("\theta \times \text{m} is \tau", r"\theta \times \text{m} is \tau"),
            ("\rho of \right)", r"\rho of \right)"),
            ("\nabla f \neq 0", r"\nabla f \neq 0"),
        ],
    )
    def test_keep_their_backslash(self, written: str, meant: str) -> None:
        assert with_commands(written) == meant

    @pytest.mark.parametrize(
        "text",
        [
            "One\nothing",
            "A\nu is a letter",
            "To\to",
            "a\tb",
            "rows:\r\nright",
            "costs $5\nand $6\nu",
            "line\neqs",
            "plain",
            "",
        ],
    )
    def test_line_breaks_and_tabs_stay(self, text: str) -> None:
        assert with_commands(text) is text


class TestClaims:
    def test_are_told_with_the_place_of_what_was_mended(self) -> None:
        reply = r'{"claims": ["Wax melts.", "The ratio is \frac{1}{2}."]}'
        reading = parse_statements(reply)
        assert reading.statements == ["Wax melts.", r"The ratio is \frac{1}{2}."]
        assert [(repair.code, reply[repair.offset :][:5]) for repair in reading.repairs] == [("tex-command", '"The ')]
        assert [note.code for note in reading.issues] == [IssueCode.REPAIRED_JSON]

    def test_with_escaped_backslashes_are_as_they_stand(self) -> None:
        reading = parse_statements(r'{"claims": ["The ratio is \\frac{1}{2}.", "Wax melts.\nSlowly."]}')
        assert reading.statements == [r"The ratio is \frac{1}{2}.", "Wax melts.\nSlowly."]
        assert reading.repairs == ()
