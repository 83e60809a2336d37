"""Keys are kept out of messages."""

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.redact import HIDDEN, redact_text, secret_values, without_secrets


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdef1234567890",
        "Incorrect API key provided: sk-pr***********7890",
        "key AIzaSyA1234567890abcdefg is not valid",
        "Authorization: Bearer abc.def-ghi_jkl",
        "{'api_key': 'hunter2hunter2'}",
        "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "http://me:swordfish@proxy.example:8080/",
        "authorization: Basic abc.defjpwYXNzd29yZA==",
        "Authorization=Bearer tok_1234567890",
        "api_key=hunter2hunter2",
        "x-api-key: hunter2hunter2",
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_abcdefghijklmnopqrstuv7890",
        "hf_abcdefghijklmnopqr7890",
    ],
)
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


def test_a_known_key_is_hidden_whatever_it_looks_like():
    assert redact_text("sent correct-horse-battery", ["correct-horse-battery"]) == f"sent {HIDDEN}"


def test_short_or_missing_secrets_change_nothing():
    assert redact_text("a plain message", ["a", "", None]) == "a plain message"


def test_plain_messages_stay_as_they_are():
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
