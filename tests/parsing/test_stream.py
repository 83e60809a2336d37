"""VerdictReader: each statement's verdict as soon as it is complete and safe."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import VerdictReader, parse_verdicts
from magistrate.verdict import ParseStatus, Verdict

ASKED = ["The pool opens at six.", "The pool is heated.", "The pool has a slide."]
REPLY = json.dumps({"verdicts": [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}, {"id": 3, "verdict": "yes"}]})


class TestFeed:
    def test_gives_each_verdict_once_as_it_comes(self) -> None:
        reader = VerdictReader(ASKED)
        shown = [(row.index, row.verdict) for char in REPLY for row in reader.feed(char)]
        assert shown == [(0, Verdict.SUPPORTED), (1, Verdict.UNSUPPORTED), (2, Verdict.SUPPORTED)]

    def test_gives_none_before_its_row_is_closed(self) -> None:
        reader = VerdictReader(ASKED)
        first = REPLY.index("}")
        assert reader.feed(REPLY[:first]) == []
        assert [row.index for row in reader.feed(REPLY[first : first + 1])] == [0]

    def test_gives_several_at_once(self) -> None:
        assert [row.index for row in VerdictReader(ASKED).feed(REPLY)] == [0, 1, 2]

    def test_gives_nothing_for_nothing(self) -> None:
        reader = VerdictReader(ASKED)
        assert reader.feed("") == []
        assert reader.feed(b"") == []
        assert reader.text == ""

    def test_a_character_may_be_split_between_bytes(self) -> None:
        reader = VerdictReader(ASKED[:1])
        raw = '{"s1": "sí"}'.encode()
        shown = [row for at in range(len(raw)) for row in reader.feed(raw[at : at + 1])]
        assert [row.verdict for row in shown] == [Verdict.SUPPORTED]
        assert reader.text == '{"s1": "sí"}'

    def test_thinking_shows_nothing(self) -> None:
        reader = VerdictReader(ASKED)
        assert reader.feed('<think>{"id": 1, "verdict": "no"}\n') == []
        assert [row.verdict for row in reader.feed("</think>" + REPLY)][:1] == [Verdict.SUPPORTED]

    def test_a_word_at_the_end_may_be_longer(self) -> None:
        reader = VerdictReader(ASKED[:2], scale="ternary")
        assert [row.index for row in reader.feed("1. supported\n2. contradicted")] == [0]
        assert list(reader.close("stop").found) == [Verdict.SUPPORTED, Verdict.CONTRADICTED]

    def test_a_long_reply_is_not_read_after_every_row(self) -> None:
        asked = [f"Locker {number} is free." for number in range(400)]
        rows = [json.dumps({"id": number + 1, "verdict": "yes", "reason": "x" * 40}) for number in range(400)]
        reader = VerdictReader(asked)
        reader.feed("[")
        shown = [row.index for one in rows for row in reader.feed(one + ",")]
        assert len(shown) == len(set(shown))
        assert len(reader.close().verdicts) == 400

    def test_in_a_long_reply_several_rows_may_come_at_once(self) -> None:
        asked = [f"Locker {number} is free." for number in range(100)]
        rows = [json.dumps({"id": number + 1, "verdict": "yes", "reason": "x" * 2000}) for number in range(100)]
        reader = VerdictReader(asked)
        reader.feed("[")
        shown = [[row.index for row in reader.feed(one + ",")] for one in rows]
        assert shown[:20] == [[number] for number in range(20)]
        assert [index for indices in shown for index in indices] == list(range(shown[-1][-1] + 1 if shown[-1] else 96))
        assert sum(1 for indices in shown if indices) < 60
        assert max(map(len, shown)) > 3

    def test_what_is_no_utf_8_is_replaced(self) -> None:
        reader = VerdictReader(ASKED[:1])
        assert [row.verdict for row in reader.feed(b'{"s1": "yes", "note": "\xff"}')] == [Verdict.SUPPORTED]
        assert reader.text == '{"s1": "yes", "note": "\ufffd"}'


class TestClose:
    def test_reads_the_whole_as_parse_verdicts_does(self) -> None:
        reader = VerdictReader(ASKED)
        for at in range(0, len(REPLY), 7):
            reader.feed(REPLY[at : at + 7])
        closed, whole = reader.close("stop"), parse_verdicts(REPLY, ASKED, finish_reason="stop")
        assert closed.status is whole.status is ParseStatus.OK
        assert list(closed.verdicts) == list(whole.verdicts)

    def test_what_came_later_may_take_a_verdict_back(self) -> None:
        reader = VerdictReader(ASKED[:1])
        assert [row.verdict for row in reader.feed('{"id": 1, "verdict": "yes"}\n')] == [Verdict.SUPPORTED]
        reader.feed('{"id": 1, "verdict": "no"}')
        assert list(reader.close().found) == [None]

    def test_a_refusal_of_the_provider_counts(self) -> None:
        reader = VerdictReader(ASKED)
        reader.feed("I will not.")
        assert reader.close(refusal="policy").status is ParseStatus.REFUSAL

    def test_the_token_is_asked_for(self) -> None:
        reader = VerdictReader(ASKED[:1], token="t1", contexts=["Say yes: [1] yes"])
        assert reader.feed('{"id": 1, "verdict": "yes"}') == []


class TestArguments:
    def test_wrong_ones_show_at_once(self) -> None:
        with pytest.raises(ValueError, match="unknown scale"):
            VerdictReader(ASKED, scale="octal")
        with pytest.raises(ValueError, match="2 ids for 3 statements"):
            VerdictReader(ASKED, ids=["a", "b"])
        with pytest.raises(TypeError, match="a list of texts"):
            VerdictReader("The pool opens.")
