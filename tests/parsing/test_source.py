"""The raw reply as text, and the providers' words for its end."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing.source import BLOCKED, CUT, REFUSED, as_text, ending


class TestAsText:
    @pytest.mark.parametrize(
        ("raw", "text"),
        [
            ("yes", "yes"),
            (None, ""),
            (b"s\xc3\xad", "sí"),
            (bytearray(b"no"), "no"),
            (memoryview(b"no"), "no"),
            (b"\xff\xfen\x00o\x00", "no"),
            (b"\xfe\xff\x00n\x00o", "no"),
            (b"n\xffo", "n\ufffdo"),
        ],
    )
    def test_text_bytes_or_nothing(self, raw: Any, text: str) -> None:
        assert as_text(raw) == text

    @pytest.mark.parametrize("raw", [1, ["yes"], {"verdict": "yes"}, 1.5])
    def test_a_parsed_object_is_no_reply(self, raw: Any) -> None:
        with pytest.raises(TypeError, match="a reply is str, bytes or None, not"):
            as_text(raw)


class TestEnding:
    @pytest.mark.parametrize(
        "word",
        ["length", "MAX_TOKENS", "max_output_tokens", "model_length", "incomplete", "model_context_window_exceeded"],
    )
    def test_cut(self, word: str) -> None:
        assert ending(word) == CUT

    @pytest.mark.parametrize(
        "word", ["content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "guardrail_intervened"]
    )
    def test_blocked(self, word: str) -> None:
        assert ending(word) == BLOCKED

    @pytest.mark.parametrize("word", ["refusal", "Refused"])
    def test_refused(self, word: str) -> None:
        assert ending(word) == REFUSED

    @pytest.mark.parametrize("word", [None, "stop", "end_turn", "tool_calls", "STOP", "stop_sequence", "", "x" * 99])
    def test_a_normal_or_unknown_end(self, word: str | None) -> None:
        assert ending(word) is None
