"""Log events: structured, without secrets, without the texts of cases."""

import json
import logging
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.log import configure, current_case, get_logger
from magistrate.redact import HIDDEN, redact_text, secret_values, without_secrets

cases = cases_of(__file__)


@pytest.fixture(autouse=True)
def _put_back():
    root = logging.getLogger("magistrate")
    before = (root.level, root.propagate, list(root.handlers))
    yield
    root.setLevel(before[0])
    root.propagate = before[1]
    root.handlers[:] = before[2]
    from magistrate import log

    log._bound.cache_clear()


def emitted(capsys, event="something", **fields):
    configure("debug", json=True)
    get_logger("magistrate.test").info(event, **fields)
    return json.loads(capsys.readouterr().err)


class TestEvents:
    def test_an_event_is_one_json_object_with_its_fields(self, capsys):
        event = emitted(capsys, "verdicts.mismatch", expected=5, actual=4, model="gpt-4o")
        assert event.pop("timestamp").endswith("Z")
        assert event == {"event": "verdicts.mismatch", "level": "info", "expected": 5, "actual": 4, "model": "gpt-4o"}

    def test_lines_for_people_have_no_line_breaks_and_no_control_characters(self, capsys):
        configure("info")
        get_logger().warning("odd", value="a\nb\x1b[31m")
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "\x1b" not in err
        assert "event=odd" in err

    def test_the_case_that_is_judged_is_named(self, capsys):
        token = current_case.set("c7")
        try:
            assert emitted(capsys)["case"] == "c7"
        finally:
            current_case.reset(token)

    def test_events_below_the_level_are_not_written(self, capsys):
        configure("warning")
        get_logger().info("quiet")
        assert capsys.readouterr().err == ""

    def test_an_unknown_level_is_refused(self):
        with pytest.raises(ValueError, match="use debug, info, warning, error"):
            configure("loud")

    def test_as_a_library_events_go_to_the_standard_loggers(self, caplog):
        with caplog.at_level(logging.INFO, logger="magistrate"):
            get_logger("magistrate.run").info("started", cases=3)
        assert "event=started" in caplog.text
        assert caplog.records[0].name == "magistrate.run"


@cases("log: what is shown of a field")
def test_texts_and_what_is_named_like_a_secret_are_not_shown(capsys, given, shown):
    event = emitted(capsys, **given)
    assert {name: event[name] for name in given} == shown


def test_secrets_tracebacks_are_redacted(capsys):
    configure("debug", json=True)
    try:
        raise RuntimeError("refused Bearer abcdef123456")  # noqa: TRY301
    except RuntimeError:
        get_logger().warning("failed", exc_info=True)
    event = json.loads(capsys.readouterr().err)
    assert "RuntimeError" in event["exception"]
    assert "abcdef123456" not in event["exception"]


@cases("log: what looks like a key is hidden")
def test_what_looks_like_a_key_is_hidden(text):
    cleaned = redact_text(f"call failed: {text}")
    assert HIDDEN in cleaned
    assert cleaned.startswith("call failed: ")
    for secret in ("7890", "AIzaSy", "abc.def", "hunter2", "eyJhbG", "swordfish", "AKIA"):
        assert secret not in cleaned


def test_the_keys_of_the_process_are_hidden_whatever_they_look_like(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "plain-looking-value")
    assert "plain-looking" not in redact_text("the server said: plain-looking-value is wrong")


@given(text=st.text(max_size=300))
def test_any_text_grows_little_and_a_long_one_is_cut(text):
    assert len(redact_text(text)) <= 10 * len(text) + 20
    assert "more characters" in redact_text("Bearer " * 20_000)


def test_a_known_key_is_hidden_whatever_it_looks_like_and_plain_messages_stay_as_they_are():
    assert redact_text("sent correct-horse-battery", ["correct-horse-battery"]) == f"sent {HIDDEN}"
    assert redact_text("a plain message", ["a", "", None]) == "a plain message"
    text = "model gpt-4o at http://127.0.0.1:8000/v1 said: maximum context length is 8192 tokens (task-oriented)"
    assert redact_text(text) == text


class TestParametersOfACall:
    PARAMS: ClassVar = {
        "api_key": "key-in-params",
        "extra_headers": {"x-team": "team-value", "authorization": "Bearer bearer-value"},
        "extra_body": {"nested": [{"client_secret": "nested-value"}]},
        "api_base": "http://me:swordfish@127.0.0.1/v1",
        "seed": 7,
    }

    def test_every_key_is_found(self):
        found = set(secret_values(self.PARAMS))
        assert {"key-in-params", "team-value", "bearer-value", "nested-value", "swordfish", "me:swordfish"} <= found

    def test_shown_they_hold_none(self):
        assert without_secrets(self.PARAMS) == {
            "extra_headers": ["authorization", "x-team"],
            "extra_body": {"nested": [{}]},
            "api_base": "http://127.0.0.1/v1",
            "seed": 7,
        }

    def test_a_schema_whose_property_is_named_like_a_key_hides_no_word(self):
        sent = {
            "response_format": {"schema": {"properties": {"token": {"type": "string"}, "secret": {"type": "number"}}}}
        }
        said = "token: a string is expected, no number"
        assert redact_text(said, secret_values(sent)) == said
