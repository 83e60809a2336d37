"""Log events: structured, without secrets, without the texts of cases."""

import json
import logging
import subprocess
import sys

import pytest

from magistrate.log import configure, current_case, get_logger


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
    log._SHOW_TEXT = False


def emitted(capsys, event="something", *, show_text=False, **fields):
    configure("debug", json=True, show_text=show_text)
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

    @pytest.mark.slow
    def test_structlog_is_not_loaded_for_events_that_nobody_hears(self):
        code = (
            "import sys; from magistrate.log import get_logger; get_logger().debug('x', a=1);"
            "sys.exit('structlog' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestTexts:
    @pytest.mark.parametrize(
        "name", ["answer", "contexts", "prompt", "raw", "reason", "statement", "messages", "quote"]
    )
    def test_the_texts_of_cases_are_not_shown(self, capsys, name):
        event = emitted(capsys, **{name: "the salary of Ann"})
        assert event[name] == "[17 characters]"

    def test_unless_they_are_asked_for(self, capsys):
        assert emitted(capsys, show_text=True, answer="the salary")["answer"] == "the salary"

    def test_nested_texts_are_not_shown_either(self, capsys):
        assert emitted(capsys, case_data={"answer": "the salary"})["case_data"] == {"answer": "[10 characters]"}


class TestSecrets:
    @pytest.mark.parametrize(
        "name", ["api_key", "openai_api_key", "Authorization", "secret", "password", "auth_token", "token"]
    )
    def test_a_field_named_like_a_secret_is_not_shown(self, capsys, name):
        event = emitted(capsys, **{name: "v", "headers": {name: "v"}})
        assert event[name] == "[redacted]"
        assert event["headers"] == {name: "[redacted]"}

    def test_counts_and_cache_keys_are_no_secrets(self, capsys):
        event = emitted(capsys, prompt_tokens=5, max_tokens=7, cache_key="ab12", api_key=None)
        assert (event["prompt_tokens"], event["max_tokens"], event["cache_key"]) == (5, 7, "ab12")

    def test_tracebacks_are_redacted(self, capsys):
        configure("debug", json=True)
        try:
            raise RuntimeError("refused Bearer abcdef123456")  # noqa: TRY301
        except RuntimeError:
            get_logger().error("failed", exc_info=True)
        event = json.loads(capsys.readouterr().err)
        assert "RuntimeError" in event["exception"]
        assert "abcdef123456" not in event["exception"]
