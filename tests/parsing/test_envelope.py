"""What surrounds an answer: thinking, channels, fences, turns."""

from __future__ import annotations

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
