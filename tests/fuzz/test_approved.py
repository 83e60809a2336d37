"""The table of approved readings: what may be written into it, and what may not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.approved import Entry, entries, update
from magistrate.testing.corpus import load_corpus

ASKED = {"statements": ["The lock is open.", "The weir is dry."]}


def entry(reply: str, right: list[str | None], **more: object) -> Entry:
    return Entry("lock", "verdicts", reply, ASKED, right, **more)


class TestRight:
    def test_each_verdict_is_the_one_that_was_meant(self) -> None:
        told = entry("1. yes\n2. no", []).read()
        assert entry("", ["supported", "unsupported"]).is_right(told)
        assert not entry("", ["supported", "supported"]).is_right(told)

    def test_none_is_right_where_nothing_may_be_read(self) -> None:
        told = entry("1. yes\n2. perhaps", []).read()
        assert not entry("", ["supported", "unsupported"]).is_right(told)
        assert entry("", ["supported", "unsupported"], open=True).is_right(told)
        assert not entry("", ["unsupported", None], open=True).is_right(told)

    def test_a_score_may_be_off_by_the_last_bit(self) -> None:
        asked = {"low": 0, "high": 1}
        assert Entry("half", "score", "0.3", asked, 0.1 + 0.2).is_right({"value": 0.3})
        assert not Entry("half", "score", "0.3", asked, None).is_right({"value": 0.3})


class TestTable:
    @pytest.fixture
    def table(self, tmp_path: Path) -> Path:
        return tmp_path / "readings.jsonl"

    def write(self, table: Path, **line: object) -> None:
        table.write_text(
            json.dumps({"id": "lock", "task": "verdicts", "asked": ASKED, **line}) + "\n", encoding="utf-8"
        )

    def test_it_holds_the_corpus_and_replies_of_its_own(self, table: Path) -> None:
        self.write(table, reply="1. yes\n2. no", right=["supported", "unsupported"])
        names = [one.id for one in entries(table)]
        assert names == [*(case.id for case in load_corpus()), "lock"]

    def test_what_is_told_today_is_written_down(self, table: Path) -> None:
        self.write(table, reply="1. yes\n2. no", right=["supported", "unsupported"])
        update(table)
        assert list(entries(table))[-1].told["format"] == "numbered"

    def test_a_wrong_reading_never_is(self, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.write(table, reply="1. yes\n2. no", right=["supported", "supported"])
        assert update(table) > 0
        assert list(entries(table))[-1].told == {}
        assert "lock is read wrongly" in capsys.readouterr().out
