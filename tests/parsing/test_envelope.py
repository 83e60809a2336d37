"""What surrounds an answer: thinking, channels, fences, turns."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.envelope import is_blank, open_envelope, open_whole
from magistrate.verdict import ParseStatus, Verdict

ASKED = ["The lift works.", "The lift is glass."]
ANSWER = '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]'
MEANT = [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
OTHER = '[{"id": 1, "verdict": "no"}, {"id": 2, "verdict": "yes"}]'


def found(text: str) -> list[Verdict | None]:
    return list(parse_verdicts(text, ASKED).found)


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
