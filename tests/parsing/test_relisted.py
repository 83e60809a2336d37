"""Replies that list the statements in an order of their own: their numbers say nothing."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, Verdict

KILN = ["The kiln burns oak.", "The glaze is made of ash.", "The potter sells cups."]
TURNED = [KILN[2], KILN[0], KILN[1]]
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U"}
BY_NUMBER = {"2": "no", "3": "yes", "1": "yes"}
ROWS = [{"id": int(number), "verdict": word} for number, word in BY_NUMBER.items()]


def _said(reply: str) -> str:
    return "".join(_LETTERS[one] for one in parse_verdicts(reply, KILN).found)


def _lines(texts: list[str], base: int = 1) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, base))


class TestAnotherOrder:
    @pytest.mark.parametrize(
        "reply",
        [
            json.dumps({"claims": dict(zip("123", TURNED, strict=True)), "verdicts": BY_NUMBER}),
            json.dumps({"claims": TURNED, "verdicts": BY_NUMBER}),
            json.dumps({"claims": TURNED, "verdicts": ROWS}),
            f"{json.dumps(TURNED)}\n\n{json.dumps(ROWS)}",
            f"I read:\n{_lines(TURNED)}\n\n{json.dumps(ROWS)}",
            f"Claims:\n{_lines(TURNED)}\n\nVerdicts:\n1. yes\n2. no\n3. yes",
            f"{_lines(TURNED)}\n\n1. yes\n2. no\n3. yes",
        ],
    )
    def test_leaves_no_row_that_goes_by_number_a_verdict(self, reply: str) -> None:
        reading = parse_verdicts(reply, KILN)
        assert _said(reply) == "---"
        assert IssueCode.CONFLICTING_VERDICTS in {note.code for note in reading.issues}

    @pytest.mark.parametrize(
        "reply",
        [
            json.dumps({"claims": TURNED, "verdicts": ["yes", "no", "yes"]}),
            "\n".join(
                f"{number}. {text}\n   Verdict: {word}"
                for number, (text, word) in enumerate(zip(TURNED, ("yes", "no", "yes"), strict=True), 1)
            ),
        ],
    )
    def test_takes_nothing_from_a_verdict_beside_its_statement(self, reply: str) -> None:
        assert _said(reply) == "USS"


class TestTheSameOrder:
    @pytest.mark.parametrize("base", [0, 1])
    def test_changes_nothing_whatever_it_counts_from(self, base: int) -> None:
        verdicts = "\n".join(f"{number}. {word}" for number, word in enumerate(("yes", "no", "no"), base))
        assert _said(f"{_lines(KILN, base)}\n\n{verdicts}") == "SUU"

    def test_a_list_of_some_of_them_is_none_of_all(self) -> None:
        assert _said(json.dumps({"verdicts": ["yes", "no", "no"], "unsupported": [KILN[2], KILN[1]]})) == "SUU"
        assert _said(f"1. yes\n2. no\n3. no\n\nUnsupported:\n- {KILN[2]}\n- {KILN[1]}") == "SUU"
