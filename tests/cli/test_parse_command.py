"""`magistrate parse`."""

import contextlib
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.cli import run

cases = cases_of(__file__)

ASKED = ["-s", "The bridge was closed in May.", "-s", "A ferry ran instead.", "-s", "Bicycles paid two crowns."]
GOOD = '{"verdicts": [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "yes"}, {"id": 3, "verdict": "no"}]}'


class Stdin:
    """A standard input that holds what it was given."""

    def __init__(self, data, *, terminal=False):
        self.buffer = io.BytesIO(data)
        self._terminal = terminal

    def isatty(self):
        return self._terminal


@pytest.fixture
def reply(tmp_path):
    def write(data):
        path = tmp_path / "reply.txt"
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write


@cases("parse_command: 2 for a usage error")
def test_exit_codes_2_for_a_usage_error(magistrate, reply, arguments, message):
    said = magistrate("parse", reply(GOOD), *arguments)
    assert said.code == 2
    assert message in said.err
    assert not said.out


class TestInput:
    def test_the_reply_comes_from_standard_input(self, magistrate, monkeypatch):
        for arguments in ([], ["-"]):
            monkeypatch.setattr("sys.stdin", Stdin(GOOD.encode()))
            said = magistrate("parse", *arguments, *ASKED)
            assert said.code == 0
            assert not said.err

    @cases("parse_command: statements come from a file")
    def test_statements_come_from_a_file(self, magistrate, reply, tmp_path, name, content):
        (tmp_path / name).write_text("\ufeff" + content)
        said = magistrate("parse", reply(GOOD), "--statements", name, "--json")
        found = [verdict["statement"] for verdict in json.loads(said.out)["verdicts"]]
        assert found == ["one thing", "two things", "three things"]

    def test_a_file_that_is_no_text_is_a_usage_error(self, magistrate, reply, tmp_path):
        (tmp_path / "s.txt").write_bytes(b"\xff\xfe\xff")
        assert magistrate("parse", reply(GOOD), "-s", "s.txt").code == 2


class TestOutput:
    def test_styles_where_colour_is_asked_for_and_none_with_no_color(self, magistrate, reply, monkeypatch):
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in magistrate("parse", reply(GOOD), *ASKED).out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[3" not in magistrate("parse", reply(GOOD), *ASKED).out

    @given(data=st.one_of(st.binary(max_size=300), st.text(max_size=200).map(lambda text: text.encode("utf-16"))))
    def test_any_bytes_are_read_without_a_crash_and_the_json_round_trips(self, data, tmp_path_factory):
        path = tmp_path_factory.mktemp("any") / "reply"
        path.write_bytes(data)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = run(["parse", str(path), *ASKED, "--json"])
        assert code in (0, 1)
        found = json.loads(out.getvalue())
        assert len(found["verdicts"]) == 3
        assert (code == 0) == all(verdict["verdict"] for verdict in found["verdicts"])
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            assert run(["parse", str(path), *ASKED]) == code
        assert "\x1b" not in shown.getvalue()
