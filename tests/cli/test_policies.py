"""`magistrate policies`, and how options are read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import typer

from magistrate.cli.arguments import model_arguments
from magistrate.scoring import POLICIES


class TestPolicies:
    def test_every_policy_is_listed_with_its_aliases(self, magistrate: Callable[..., Any]):
        said = magistrate("policies")
        assert said.code == 0
        assert [line.split()[0] for line in said.out.splitlines() if not line.startswith(" ")] == list(POLICIES)
        assert "deepeval-4 (also: deepeval)" in said.out

    def test_one_policy_is_shown_in_full_by_name_or_alias(self, magistrate: Callable[..., Any]):
        for name in ("ragas", "ragas-0.4"):
            said = magistrate("policies", name)
            assert said.out.startswith("ragas-0.4")
            assert "missing: ignore" in said.out
            assert "source: " in said.out

    def test_json_for_programs(self, magistrate: Callable[..., Any]):
        rows = json.loads(magistrate("policies", "--json").out)
        assert [row["policy"] for row in rows] == list(POLICIES)
        assert next(row for row in rows if row["policy"] == "deepeval-4")["aliases"] == ["deepeval"]


class TestModelArguments:
    @pytest.mark.parametrize(
        ("pair", "value"),
        [
            ("k=7", 7),
            ("k=0.5", 0.5),
            ("k=true", True),
            ("k=null", None),
            ('k={"a": [1]}', {"a": [1]}),
            ('k="7"', "7"),
            ("k=2026-01-01", "2026-01-01"),
            ("k=a=b", "a=b"),
            ("k=", ""),
            ("k=NaN", "NaN"),
            ("k={oops", "{oops"),
        ],
    )
    def test_a_value_is_json_if_it_is_json_else_a_text(self, pair: str, value: Any):
        assert model_arguments([pair]) == {"k": value}

    @pytest.mark.parametrize("pairs", [["k"], ["=v"], [" =v"], ["k=1", "k=2"]])
    def test_what_is_no_pair_is_refused(self, pairs: list[str]):
        with pytest.raises(typer.BadParameter):
            model_arguments(pairs)
