r"""TeX commands in JSON strings: "\frac" is no form feed."""

from __future__ import annotations

from tests.case_tables import cases_of

from magistrate.parsing import parse_statements
from magistrate.parsing.decode.escaping import with_commands
from magistrate.verdict import IssueCode

cases = cases_of(__file__)


class TestCommands:
    @cases("escaping: keep their backslash")
    def test_keep_their_backslash(self, written: str, meant: str) -> None:
        assert with_commands(written) == meant

    @cases("escaping: line breaks and tabs stay")
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
