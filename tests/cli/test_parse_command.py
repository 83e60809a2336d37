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


class TestExitCodes:
    def test_without_statements_a_hint_says_how_to_give_them(self, magistrate, reply):
        said = magistrate("parse", reply(GOOD))
        assert said.code == 1
        assert "no statements to find verdicts for: give them with -s" in said.err
        assert "-s (--statements)" not in magistrate("parse", reply(GOOD), *ASKED).err

    @pytest.mark.parametrize(
        "text", ["1. yes\n2. no", "", "I am sorry, I cannot judge these statements.", "1. yes\n2. perhaps\n3. no"]
    )
    def test_1_where_something_has_no_verdict(self, magistrate, reply, text):
        assert magistrate("parse", reply(text), *ASKED).code == 1

    @cases("parse_command: 2 for a usage error")
    def test_2_for_a_usage_error(self, magistrate, reply, arguments, message):
        said = magistrate("parse", reply(GOOD), *arguments)
        assert said.code == 2
        assert message in said.err
        assert not said.out

    def test_2_for_a_reply_that_is_not_there(self, magistrate, tmp_path):
        assert "'nowhere' cannot be read" in magistrate("parse", "nowhere").err
        assert "is a folder" in magistrate("parse", tmp_path).err
        assert magistrate("parse", tmp_path).code == 2


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

    @pytest.mark.parametrize(
        ("name", "content"),
        [("s.json", b'{"a": 1}'), ("s.json", b"[1]"), ("s.json", b"["), ("s.txt", b"\xff\xfe\xff"), ("s.txt", b" \n")],
    )
    def test_a_file_that_holds_no_statements_is_a_usage_error(self, magistrate, reply, tmp_path, name, content):
        (tmp_path / name).write_bytes(content)
        assert magistrate("parse", reply(GOOD), "-s", name).code == 2


class TestScales:
    def test_a_scale_of_ones_own_with_its_words(self, magistrate, reply):
        text = '[{"id": 1, "verdict": "grounded"}, {"id": 2, "verdict": "half"}, {"id": 3, "verdict": "no"}]'
        options = ["--scale", "supported,partially_supported,unsupported", "--word", "half=partially_supported"]
        said = magistrate("parse", reply(text), *ASKED, *options, "--word", "grounded = supported", "--json")
        found = json.loads(said.out)
        assert [v["verdict"] for v in found["verdicts"]] == ["supported", "partially_supported", "unsupported"]
        assert found["request"]["scale"]["words"] == {"half": "partially_supported", "grounded": "supported"}


class TestTasks:
    def test_a_range_is_for_a_score(self, magistrate, reply):
        said = magistrate("parse", reply("Rating: [[7]]"), "--range", 1, 10, "--json")
        assert (said.code, json.loads(said.out)["score"]) == (0, 7.0)

    def test_choices_are_for_a_label(self, magistrate, reply):
        for options in (["--choices", "a,b,tie"], ["--choices", "a", "--choices", "b", "--choices", "tie"]):
            said = magistrate("parse", reply("[[tie]]"), *options, "--json")
            assert (said.code, json.loads(said.out)["label"]) == (0, "tie")

    def test_a_schema_is_for_an_object(self, magistrate, reply, tmp_path):
        (tmp_path / "schema.json").write_text('{"type": "object", "properties": {"n": {"type": "integer"}}}')
        said = magistrate("parse", reply("Here: {'n': 3,}"), "--schema", "schema.json", "--json")
        assert (said.code, json.loads(said.out)["value"]) == (0, {"n": 3})
        (tmp_path / "list.json").write_text("[]")
        assert magistrate("parse", reply("{}"), "--schema", "list.json").code == 2

    def test_statements_are_a_task_of_their_own(self, magistrate, reply):
        said = magistrate("parse", reply("1. The bridge is old.\n2. It is steel."), "--task", "statements", "--json")
        assert [s["statement"] for s in json.loads(said.out)["statements"]] == ["The bridge is old.", "It is steel."]


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
