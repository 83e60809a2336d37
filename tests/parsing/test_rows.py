"""Ids as judges write them, and numbered texts."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.parsing.rows import read_id, split_numbered


class TestReadId:
    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            (3, 3),
            (3.0, 3),
            ("3", 3),
            ("s3", 3),
            ("S3", 3),
            ("#3", 3),
            ("Statement 3", 3),
            ("statement_3", 3),
            ("claim-3", 3),
            ("3.", 3),
            ("(3)", 3),
            ("No. 3", 3),
            ("３", 3),
            ("陈述3", 3),
            ("第3条", 3),
            ("utter nonsense", "utter nonsense"),
            ("3a", "3a"),
            ("1-3", "1-3"),
            (" x ", "x"),
            (3.5, "3.5"),
            (-1, -1),
            (1e12, "1000000000000.0"),
        ],
    )
    def test_a_number_where_it_is_one_else_the_text(self, written: Any, meant: Any) -> None:
        found = read_id(written)
        assert found == meant
        assert type(found) is type(meant)

    @pytest.mark.parametrize("nothing", [None, True, False, "", "  ", [], {}, ["1"]])
    def test_what_is_no_id(self, nothing: Any) -> None:
        assert read_id(nothing) is None

    def test_a_long_text_is_no_number(self) -> None:
        text = "1" + " " * 200
        assert read_id(text) == "1"
        assert read_id("statement " * 20 + "1") == ("statement " * 20 + "1")


class TestSplitNumbered:
    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("2: no", (2, "no")),
            ("Statement 2. It rains", (2, "It rains")),
            ("(12) yes", None),
            ("[3] - yes", (3, "yes")),
            ("4 → no", (4, "no")),
            ("5、是", (5, "是")),
        ],
    )
    def test_number_and_rest(self, text: str, parts: tuple[int, str] | None) -> None:
        found = split_numbered(text)
        assert found == parts or parts is None

    @pytest.mark.parametrize("text", ["no", "2", "2.5 kg", "2:", "twelve: no", "12345: no", ""])
    def test_no_number_no_parts(self, text: str) -> None:
        assert split_numbered(text) is None
