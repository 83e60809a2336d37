"""Readings in full: each reply of a table is read today as it was when its reading was approved.

The table, readings.jsonl, holds the right reading of each reply beside what the parser tells of it, and is written by
`python -m fuzz.approved --update`.
"""

from __future__ import annotations

import pytest

from fuzz.approved import Entry, entries

ENTRIES = list(entries())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
class TestReadings:
    def test_a_reading_is_the_approved_one_in_every_part(self, entry: Entry) -> None:
        assert entry.read() == entry.told

    def test_an_approved_reading_says_what_was_meant(self, entry: Entry) -> None:
        assert entry.is_right(entry.told)
