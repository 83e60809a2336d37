"""What surrounds an answer: thinking, channels, fences, turns."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.decode.documents import decode_at
from magistrate.parsing.envelope import as_envelope, is_blank, open_envelope, open_whole
from magistrate.verdict import ParseStatus, Verdict

ASKED = ["The lift works.", "The lift is glass."]
ANSWER = '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]'
MEANT = [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
OTHER = '[{"id": 1, "verdict": "no"}, {"id": 2, "verdict": "yes"}]'


def found(text: str, asked: list[str] | None = None) -> list[Verdict | None]:
    return list(parse_verdicts(text, asked or ASKED).found)


class TestThinking:
    @pytest.mark.parametrize(
        "text",
        [
            f"<think>{OTHER}</think>{ANSWER}",
            f"<thinking>\n{OTHER}\n</thinking>\n{ANSWER}",
            f"{OTHER}</think>{ANSWER}",
            f"<think>a<think>{OTHER}</think>b</think>{ANSWER}",
            f"<think></think>{ANSWER}",
            f"<think>one</think><think>{OTHER}</think>{ANSWER}",
            f"<reasoning>{OTHER}</reasoning>{ANSWER}",
            f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}",
            f"analysisPerhaps {OTHER}assistantfinal{ANSWER}",
        ],
    )
    def test_is_no_answer(self, text: str) -> None:
        assert found(text) == MEANT

    @pytest.mark.parametrize(
        "text", [f"<think>{OTHER}", f"<think>{OTHER} and so on", "<think>", f"<|channel|>analysis<|message|>{OTHER}"]
    )
    def test_that_never_ends_leaves_none(self, text: str) -> None:
        reading = parse_verdicts(text, ASKED)
        assert list(reading.found) == [None, None]
        assert reading.status is ParseStatus.TRUNCATED

    def test_and_nothing_behind_it_is_empty(self) -> None:
        assert parse_verdicts(f"<think>{OTHER}</think>\n", ASKED).status is ParseStatus.EMPTY


class TestTurns:
    @pytest.mark.parametrize(
        "text",
        [
            f"{ANSWER}<|im_end|>\n<|im_start|>user\n{OTHER}",
            f"<|im_start|>assistant\n{ANSWER}<|im_end|>",
            f"{ANSWER}</s>{OTHER}",
            f"<|begin_of_text|>{ANSWER}<|eot_id|>",
        ],
    )
    def test_what_follows_the_end_of_the_turn_is_no_answer(self, text: str) -> None:
        assert found(text) == MEANT


class TestFences:
    @pytest.mark.parametrize(
        "text",
        [
            f"```json\n{ANSWER}\n```",
            f"```\n{ANSWER}\n```",
            f"~~~json\n{ANSWER}\n~~~",
            f"````json\n{ANSWER}\n````",
            f"Here:\n```JSON\n{ANSWER}\n```\nDone.",
            f"```json\n{ANSWER}",
            f"`{ANSWER}`",
        ],
    )
    def test_are_seen_through(self, text: str) -> None:
        assert found(text) == MEANT


class TestBounds:
    def test_marks_without_end_are_no_answer(self) -> None:
        assert found("<think></think>" * 20_000 + ANSWER) in ([None, None], MEANT)
        assert found("<|im_start|>" * 20_000) == [None, None]

    def test_documents_without_end_are_no_answer(self) -> None:
        assert found('{"x": 1} ' * 20_000) == [None, None]


class TestPieces:
    def test_a_reply_that_is_one_document_is_told(self) -> None:
        assert open_whole(ANSWER + " trailing") is None
        document = open_whole(f"[{ANSWER[1:-1]},]")
        assert document is not None
        assert document.notes
        assert open_envelope(f" {ANSWER}").is_one_document
        assert not open_envelope(f"{ANSWER}\n{OTHER}").is_one_document

    @pytest.mark.parametrize(
        ("text", "blank"), [("", True), (" \n\t", True), ("\ufeff", True), ("a", False), (".", False)]
    )
    def test_blank(self, text: str, blank: bool) -> None:
        assert is_blank(text) is blank


Tell = Callable[..., tuple[str, ...]]


class TestThinkingBlocks:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("<think>a</think>b", ("prose 'b' 16-17", "thinking")),
            ("<think>a", ("thinking", "unfinished")),
            ("<think>a</think>b</think>c", ("prose 'c' 25-26", "thinking")),
            ("<think>a</think>b</think>", ("prose 'b' 16-17", "thinking")),
            ("<THINK>[1]</THINK>[2]", ("prose '[2]' 18-21", "thinking")),
            ("<thinking>[1]</thinking> [2, 3] x", ("prose ' [2, 3] x' 24-33", "thinking")),
            ("◁think▷a◁/think▷b", ("prose 'b' 16-17", "thinking")),
            ("1. a </think> b\n2. c", ("prose '1. a </think> b\\n2. c' 0-20",)),
            (
                (
                    "x<think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think>b"
                ),
                ("prose 'x' 0-1", "thinking", "overrun"),
            ),
            (
                (
                    "x<think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>"
                    "a</think><think>a</think><think>a</think><think>a</think><think>a</think><think>a</think"
                    "><think>a</think><think>a</think><think>a</think><think>a</think>b"
                ),
                ("prose 'x' 0-1", "prose 'b' 7985-7986", "thinking"),
            ),
        ],
    )
    def test_they_hold_no_answer(self, reply: str, told: tuple[str, ...], tell_envelope: Tell) -> None:
        assert tell_envelope(reply) == told


class TestChannels:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b",
                ("prose 'b' 83-84", "thinking"),
            ),
            ("a<|channel|>analysis<|message|>b", ("prose 'a' 0-1", "thinking", "unfinished")),
            ("analysisThe text.assistantfinalb", ("prose 'b' 31-32", "thinking")),
            ("analysisThe text says", ("thinking", "unfinished")),
            ("assistantanalysisThe text", ("thinking", "unfinished")),
        ],
    )
    def test_only_the_final_one_is_the_answer(self, reply: str, told: tuple[str, ...], tell_envelope: Tell) -> None:
        assert tell_envelope(reply) == told


class TestTurnsToldInFull:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("a<|im_end|>b", ("prose 'a' 0-1",)),
            ("<|im_start|>assistant\na<|im_end|>\n<|im_start|>user\nb", ("prose '\\na' 21-23",)),
            ("a\n<|im_start|>system\nb", ("prose 'a\\n' 0-2",)),
            ("<|im_start|>user\na", ("prose '\\na' 16-18",)),
            ("a\nUser: b", ("prose 'a' 0-1",)),
            ("a<|start|>tool<|message|>b", ("prose 'a' 0-1",)),
            ("\n<|im_end|>a", ("prose 'a' 11-12",)),
        ],
    )
    def test_what_a_later_turn_says_is_no_answer(self, reply: str, told: tuple[str, ...], tell_envelope: Tell) -> None:
        assert tell_envelope(reply) == told


class TestBrackets:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("[1]", ("0-3 [1]",)),
            ("a\n[1, 2]\nb", ("2-8 [1, 2]", "prose 'a\\n' 0-2", "prose '\\nb' 8-10")),
            ("so: [1, 2]", ("4-10 [1, 2]", "prose 'so: ' 0-4")),
            ('so: ["x y z"] it', ("4-13 ['x y z']", "prose 'so: ' 0-4", "prose ' it' 13-16")),
            ("so [[5]]", ("prose 'so [[5]]' 0-8",)),
            ("{} [1]", ("0-2 {}", "prose ' [1]' 2-6")),
            ("{x} [1, 2]", ("prose '{x} [1, 2]' 0-10",)),
            ("> [1, 2]\n", ("prose '> [1, 2]\\n' 0-9",)),
            ("\ufeff[1]", ("1-4 [1]",)),
            ('{"a": 1}</think>{"b": 2}', ("16-24 {'b': 2}", "thinking")),
            ("{&quot;a&quot;: 1}", ("0-18 {'a': 1}",)),
            ('{\\"a\\": 1} and {\\"b\\": 2}', ("0-10 {'a': 1}", "prose ' and {\\\\\"b\\\\\": 2}' 10-25")),
            (
                'data: {"a": 1}\ndata: {"b": 2}',
                ("6-14 {'a': 1}", "21-29 {'b': 2}", "prose 'data: ' 0-6", "prose '\\ndata: ' 14-21"),
            ),
            ("V(a=1)", ("1-6 {'a': 1}", "prose 'V' 0-1")),
        ],
    )
    def test_data_is_told_from_what_belongs_to_a_sentence(
        self, reply: str, told: tuple[str, ...], tell_envelope: Tell
    ) -> None:
        assert tell_envelope(reply) == told


class TestBoundsOfWork:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"a": 1}' * 543,
                ("0-8 {'a': 1}", "8-16 {'a': 1}", "16-24 {'a': 1}", "24-32 {'a': 1}", "543 containers"),
            ),
            (
                '{"a": 1}' * 544,
                ("0-8 {'a': 1}", "8-16 {'a': 1}", "16-24 {'a': 1}", "24-32 {'a': 1}", "544 containers", "overrun"),
            ),
            ("{a: 1}" * 170, ("0-6 {'a': 1}", "6-12 {'a': 1}", "12-18 {'a': 1}", "18-24 {'a': 1}", "170 containers")),
            (
                "{a: 1}" * 171,
                ("0-6 {'a': 1}", "6-12 {'a': 1}", "12-18 {'a': 1}", "18-24 {'a': 1}", "171 containers", "overrun"),
            ),
            (
                "see [1] " * 600,
                (
                    (
                        "prose 'see [1] see [1] see [1] see [1] see [1] see [1] see [ ... see [1] see [1] see "
                        "[1] see [1] ' 0-4800"
                    ),
                ),
            ),
            ("see [1] " * 601, ("overrun",)),
            ("{x " * 400, ("prose '" + "{x " * 18 + "... x {x {x {x {x {x {x {x {x {x {x ' 0-1200",)),
            ("[{" * 60, ("118-120 [{", "prose '" + "[{" * 59 + "' 0-118")),
        ],
    )
    def test_more_fragments_than_any_answer_has_overrun(
        self, reply: str, told: tuple[str, ...], tell_envelope: Tell
    ) -> None:
        assert tell_envelope(reply) == told

    def test_a_longer_reply_may_hold_more_containers(self) -> None:
        row = json.dumps({"id": 1, "reason": "The lamp oil is kept in the shed behind the lighthouse, says the log."})
        assert len(row) < 100
        assert not open_envelope((row + "\n") * 1_500).overrun
        assert open_envelope((row + "\n") * 2_001).overrun

    def test_containers_that_are_never_closed_overrun_soon(self) -> None:
        assert not open_envelope("see [1, {" * 90).overrun
        assert open_envelope("see [1, {" * 110).overrun

    def test_brackets_up_to_the_end_hold_nothing(self) -> None:
        envelope = open_envelope("{" * 62)
        assert (envelope.documents, envelope.overrun) == ([], False)


class TestDamagedChannelMarks:
    FINAL = "<|end|><|start|>assistant<|channel|>final<|message|>1. yes\n2. no"

    @pytest.mark.parametrize("mark", ["<|channel|>analysis<|mes sage|>", "<|chan nel|>analysis<|message|>"])
    def test_what_stands_before_the_final_channel_is_no_answer(self, mark: str) -> None:
        reply = f'{mark}Perhaps {{"id": 1, "verdict": "no"}}.{self.FINAL}'
        statements = ["The ferry leaves at six.", "Tea is sold on board."]
        assert [*parse_verdicts(reply, statements).found] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


class TestWalk:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("<think>a <think>b</think> c</think>d", ("prose 'd' 35-36", "thinking")),
            ("<think>a <think>b</think>\nc", ("thinking", "unfinished")),
            ("<think>a <think>b</think>\nc d", ("prose '\\nc d' 25-29", "thinking")),
            ("<think>a</think>b</think>c", ("prose 'c' 25-26", "thinking")),
            ("<think>a</think>b</think>", ("prose 'b' 16-17", "thinking")),
            ("a</think>b</think>c", ("prose 'c' 18-19", "thinking")),
            ("<think>a", ("thinking", "unfinished")),
            ("a<think>b", ("prose 'a' 0-1", "thinking", "unfinished")),
            (
                "a<think>b</think>c<think>d</think>e",
                ("prose 'a' 0-1", "prose 'c' 17-18", "prose 'e' 34-35", "thinking"),
            ),
            ("</think>a", ("prose 'a' 8-9", "thinking")),
            ("| x </think> y |\nz", ("prose '| x </think> y |\\nz' 0-18",)),
            ("- a </think> b", ("prose '- a </think> b' 0-14",)),
            ("- a </think>\nb", ("prose '\\nb' 12-14", "thinking")),
            ("1. a</think>  ", ("prose '  ' 12-14", "thinking")),
            ("x\n2) a</think> b", ("prose 'x\\n2) a</think> b' 0-16",)),
            ("x </think> y", ("prose ' y' 10-12", "thinking")),
            ("a\nUser: b <think>c</think>d", ("prose 'a' 0-1",)),
            ("<think>c</think>a\nUser: b", ("prose 'a' 16-17", "thinking")),
            ("<think>c</think>\nUser: b", ("prose '\\nUser: b' 16-24", "thinking")),
            ("\nUser: a\n<think>b</think>c", ("prose '\\nUser: a\\n' 0-9", "prose 'c' 25-26", "thinking")),
            ("a <think>b</think>\nUser: c\n<think>d</think>e", ("prose 'a ' 0-2", "thinking")),
            ("a<|im_end|>b", ("prose 'a' 0-1",)),
            ("<|im_end|>b", ("prose 'b' 10-11",)),
            ("<|im_end|>\n<|im_end|>b<|end|>c", ("prose 'b' 21-22",)),
            ("<|im_start|>assistant\na", ("prose '\\na' 21-23",)),
            ("a<|im_start|>user\nb", ("prose 'a' 0-1",)),
            ("a<|im_start|>human\nb", ("prose 'a' 0-1",)),
            ("a<|im_start|>system\nb", ("prose 'a' 0-1",)),
            ("a<|im_start|>tool\nb", ("prose 'a' 0-1",)),
            ("a<|im_start|>assistant\nb", ("prose 'a' 0-1", "prose '\\nb' 22-24")),
            ("<|im_start|>user\nb", ("prose '\\nb' 16-18",)),
            ("<think>a</think><think>b</think>\n<|user|>c", ("prose '\\n<|user|>c' 32-42", "thinking")),
            ('{"a": 1}<|user|>c', ("0-8 {'a': 1}",)),
            ("<|user|>c", ("prose '<|user|>c' 0-9",)),
            (
                "a<think>1</think><think>2</think><think>3</think> <|user|>c",
                ("prose 'a' 0-1", "prose ' ' 49-50", "thinking"),
            ),
            (
                "a<think>1</think><think>2</think><think>3</think><think>4</think> <|user|>c",
                ("prose 'a' 0-1", "prose ' ' 65-66", "thinking"),
            ),
            ("<|channel|>analysis<|message|>a<|channel|>final<|message|>b", ("prose 'b' 58-59", "thinking")),
            ("a<|channel|>final<|message|>b", ("prose 'b' 28-29", "thinking")),
            ("<|channel|>analysis<|message|>a", ("thinking", "unfinished")),
            ("a<|channel|>commentary<|message|>b", ("prose 'a' 0-1", "thinking", "unfinished")),
            ("<|channel|>analysis<|message|>a<|channel|>commentary<|message|>b", ("thinking", "unfinished")),
            ("x<|start_response|>y", ("prose 'x' 0-1", "prose 'y' 19-20")),
            ("analysisWe say assistantfinala", ("prose 'a' 29-30", "thinking")),
            ("analysisWe say", ("thinking", "unfinished")),
            ("assistantanalysisWe say", ("thinking", "unfinished")),
            ("assistantanalysis We say", ("prose 'assistantanalysis We say' 0-24",)),
            ("analysis we", ("prose 'analysis we' 0-11",)),
            ("analysisWe assistantfinal", ("thinking",)),
            ("analysiswe assistantfinalb", ("prose 'b' 25-26", "thinking")),
            (
                "analysis                                        We",
                ("prose 'analysis                                        We' 0-50",),
            ),
            ("  assistantanalysisWe", ("thinking", "unfinished")),
            ("xanalysisWe", ("prose 'xanalysisWe' 0-11",)),
            ("analysis of it", ("prose 'analysis of it' 0-14",)),
            ('a {"b": 1} c {"d": 2}', ("2-10 {'b': 1}", "13-21 {'d': 2}", "prose 'a ' 0-2", "prose ' c ' 10-13")),
            ('{"b": 1', ("0-7 {'b': <cut>",)),
            ('{"b": 1 <think>c</think>', ("0-8 {'b': 1", "thinking")),
            ('<think>{"b": "x</think>{"c": 1}', ("23-31 {'c': 1}", "thinking")),
            ('{"a": [<think>]} x', ("0-16 {'a': ['<think>']}", "prose ' x' 16-18")),
            ('\\frac{"a": 1} b', ("prose '\\\\frac{\"a\": 1} b' 0-15",)),
            ("[[1]] x", ("prose '[[1]] x' 0-7",)),
            ("[1] x", ("prose '[1] x' 0-5",)),
            ('x [["a b"]] y', ("prose 'x [[\"a b\"]] y' 0-13",)),
            ('["a b"] y', ("0-7 ['a b']", "prose ' y' 7-9")),
            ('x\n["a b"]\ny', ("2-9 ['a b']", "prose 'x\\n' 0-2", "prose '\\ny' 9-11")),
            ('x ["a", "b"] y', ('prose \'x ["a", "b"] y\' 0-14',)),
            ('x: ["a", "b"] y', ("3-13 ['a', 'b']", "prose 'x: ' 0-3", "prose ' y' 13-15")),
            ("[1, 2] y", ("prose '[1, 2] y' 0-8",)),
            ("x\n[1, 2]\ny", ("2-8 [1, 2]", "prose 'x\\n' 0-2", "prose '\\ny' 8-10")),
            ('{\\"a\\": 1}', ("0-10 {'a': 1}",)),
            (
                'x {\\"a\\": 1} y {\\"b\\": 2}',
                ("2-12 {'a': 1}", "prose 'x ' 0-2", "prose ' y {\\\\\"b\\\\\": 2}' 12-25"),
            ),
            ('"{\\"a\\": 1}"', ("1-11 {'a': 1}", "prose '\"' 0-1", "prose '\"' 11-12")),
            ("{'a': True, 'b': None}", ("0-22 {'a': True, 'b': None}",)),
            ("A(b=1)", ("1-6 {'b': 1}", "prose 'A' 0-1")),
            ('{"a": 1}\ufeff', ("0-8 {'a': 1}", "prose '\\ufeff' 8-9")),
            ('\ufeff\u200b{"a": 1}', ("2-10 {'a': 1}",)),
            ("\u2060a\x00", ("prose 'a\\x00' 1-3",)),
        ],
    )
    def test_each_part_is_told_from_the_others(self, reply: str, told: tuple[str, ...], tell_envelope: Tell) -> None:
        assert tell_envelope(reply) == told

    def test_thinking_within_thinking_ends_with_the_outer_one(self) -> None:
        assert found("<think>a <think>b</think>\n1. no\n2. no\n</think>") == [None, None]
        assert found("<think>a <think>b</think> c</think>\n1. yes\n2. no") == MEANT

    @pytest.mark.parametrize("rest", ["", " T", " yes", "\n**no", ' "supported'])
    def test_a_word_behind_an_inner_thought_may_begin_the_rest_of_the_outer_one(self, rest: str) -> None:
        assert found(f"<think>Hm. <think>Is it so?</think>{rest}", ["The weir leaks."]) == [None]

    @pytest.mark.parametrize("rest", ["\nVerdict: yes", '\n{"verdict": "yes"}', "\nThe statement is supported."])
    def test_an_answer_of_more_than_a_word_is_one(self, rest: str) -> None:
        assert found(f"<think>Hm. <think>Is it so?</think>{rest}", ["The weir leaks."]) == [Verdict.SUPPORTED]

    def test_the_visible_text_leaves_out_the_rest(self) -> None:
        assert open_envelope('<think>x</think>a {"b": 1} c').visible == 'a \n{"b": 1}\n c'
        assert open_envelope("").visible == ""

    @pytest.mark.parametrize("text", ["", "```json\n```", "<think>x</think>\n", "~~~\n~~~"])
    def test_fences_alone_say_nothing(self, text: str) -> None:
        assert open_envelope(text).says_nothing
        assert not open_envelope(text + "\nx").says_nothing
        assert not open_envelope(text + '\n{"a": 1}').says_nothing

    def test_one_document_and_nothing_else(self) -> None:
        assert open_envelope(' {"a": 1}\n').is_one_document
        for text in ('<think></think>{"a": 1}', 'x {"a": 1}', '{"a": 1} x', '{"a": 1}{"b": 2}', "x"):
            assert not open_envelope(text).is_one_document

    def test_what_leads_up_to_a_place_begins_after_what_is_left_out(self) -> None:
        envelope = open_envelope('ab {"c": 1} de <think>f</think> gh {"i": 2}')
        assert [envelope.lead_from(at) for at in (0, 2, 3, 12, 14, 31, 35)] == [0, 0, 0, 11, 11, 31, 31]
        assert envelope.lead_from(7) == 7

    def test_a_broken_container_may_be_all_there_is(self) -> None:
        whole = open_whole('{"a": 1,}')
        assert whole is not None
        assert (whole.start, whole.end, whole.cut) == (0, 9, False)
        cut = open_whole('{"a": 1')
        assert cut is not None
        assert (cut.end, cut.cut) == (7, True)
        for text in (
            '{"a": 1,} x',
            "{}",
            "[]",
            "{,}",
            "x",
            '{\\"a\\": 1}',
            '<think>{"a": 1,}',
            '{"a": "<think>",}',
        ):
            assert open_whole(text) is None

    def test_lists_of_words_are_looked_at_more_closely(self) -> None:
        for text, plain in (
            ('{"a": 1}', True),
            ('[{"a": 1}]', True),
            ('[["a"]]', True),
            ('["a"]', False),
            ("[]", False),
        ):
            document = decode_at(text, 0, len(text)).document
            assert document is not None
            assert (as_envelope(document) is not None) is plain

    @pytest.mark.parametrize("mark", ["<|im_end|>", "</s>", "<|end|>"])
    def test_a_thousand_marks_are_followed(self, mark: str) -> None:
        assert not open_envelope(mark * 1_000 + "x").overrun
        assert open_envelope(mark * 1_001 + "x").overrun

    def test_those_within_thinking_count_too(self) -> None:
        assert not open_envelope("<think>" * 500 + "</think>" * 500 + "x").overrun
        assert open_envelope("<think>" * 501 + "</think>" * 500 + "x").overrun
        assert open_envelope("<think>a</think>" * 501).overrun
        assert not open_envelope("<think>a</think>" * 500).overrun


class TestMarksInValues:
    @pytest.mark.parametrize(
        "reason",
        [
            '"</think>\\n[\\"yes\\", \\"yes\\"]"',
            '\'</think> ["yes", "yes"]\'',
            '"It says </thinking> and then: verdicts yes, yes"',
        ],
    )
    @pytest.mark.parametrize("lead", ["", "```yaml\n", "Here it is.\n\n"])
    def test_a_closing_tag_in_a_quoted_value_ends_no_thinking(self, reason: str, lead: str) -> None:
        rows = f"verdicts:\n- id: 1\n  verdict: no\n  reason: {reason}\n- id: 2\n  verdict: yes\n  reason: fine"
        reply = lead + rows + ("\n```" if lead.startswith("`") else "")
        first, second = parse_verdicts(reply, ["One.", "Two."]).found
        assert (first in {None, Verdict.UNSUPPORTED}, second) == (True, Verdict.SUPPORTED)

    def test_one_behind_thinking_in_quotes_still_does(self) -> None:
        reply = 'Verdict 1: "yes" at first.\nBut no: "it is not"</think>\n["no", "yes"]'
        assert parse_verdicts(reply, ["One.", "Two."]).found == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]


class TestAnAnswerGluedToTheTagThatClosesThinking:
    @pytest.mark.parametrize(
        "reply",
        [
            "1. no\n2. yes\n</think>1. yes\n2. no",
            f"No, then yes.</think>{ANSWER}",
        ],
    )
    def test_is_the_answer(self, reply: str) -> None:
        assert list(parse_verdicts(reply, ASKED).found) == MEANT

    @pytest.mark.parametrize(
        "reply",
        [
            "1. no\n2. yes</think>1. yes\n2. no",
            "1) no 2) yes</think> 1) yes 2) no",
            f"- no\n- yes</think>{ANSWER}",
        ],
    )
    def test_cannot_be_told_from_a_tag_in_the_row_before_it(self, reply: str) -> None:
        assert list(parse_verdicts(reply, ASKED).found) == [None, None]

    @pytest.mark.parametrize("planted", ['["yes", "yes"]', "1. yes 2. yes", '{"verdict": "yes"}', "```\nyes\n```"])
    @pytest.mark.parametrize("blank", ["", " "])
    @pytest.mark.parametrize("before", ["1. no - ", "- no: ", "| 1 | no | "])
    def test_one_that_is_planted_in_a_reason_is_none(self, planted: str, blank: str, before: str) -> None:
        reading = parse_verdicts(f"{before}</think>{blank}{planted}", ASKED[:1])
        assert reading.found[0] in {None, Verdict.UNSUPPORTED}

    def test_a_tag_within_an_item_closes_nothing(self) -> None:
        found = parse_verdicts("1: yes, the tag </think> is quoted\n2: no", ASKED).found
        assert found[0] is not Verdict.UNSUPPORTED
        assert found[1] is not Verdict.SUPPORTED


class TestMarksOfTheEnd:
    @pytest.mark.parametrize("mark", ["", "<|im_end|>", "</s>", "<|eot_id|>\n"])
    def test_say_no_more_than_the_end_itself(self, mark: str) -> None:
        reading = parse_verdicts('```json\n{"s1": "yes"\n```' + mark, ["The weir leaks."])
        assert (list(reading.found), reading.status) == ([None], ParseStatus.TRUNCATED)
        assert [repair.code for repair in reading.repairs] == ["missing-bracket"]
