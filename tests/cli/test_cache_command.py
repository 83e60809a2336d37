"""`magistrate cache`: what is in it, and emptying it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from magistrate.judges.llm import LLMJudge
from magistrate.testing import FakeClient


async def filled(folder: Path) -> None:
    async with LLMJudge("some-model", client=FakeClient(), cache=folder) as judge:
        await judge.verify(["The mill has two wheels."], ["The mill has two wheels."])
        await judge.verify(["The mill is red."], ["The mill has two wheels."])


class TestCache:
    async def test_stats_and_clear(self, magistrate, tmp_path: Path) -> None:
        await filled(tmp_path / "c")
        found = json.loads(magistrate("cache", "stats", tmp_path / "c", "--json").out)
        assert (found["completions"], found["models"]) == (2, {"some-model": 2})
        assert "2 completions" in magistrate("cache", "stats", tmp_path / "c").out
        assert "2 completions deleted" in magistrate("cache", "clear", tmp_path / "c").out
        assert json.loads(magistrate("cache", "stats", tmp_path / "c", "--json").out)["completions"] == 0

    def test_a_folder_that_is_none_is_a_usage_error(self, magistrate, tmp_path: Path) -> None:
        said = magistrate("cache", "stats", tmp_path / "missing")
        assert said.code == 2
        assert "is no folder with a cache" in said.err
        assert not (tmp_path / "missing").exists()

    @pytest.mark.parametrize("command", ["stats", "clear"])
    def test_a_folder_without_a_cache_gets_none(self, magistrate, tmp_path: Path, command: str) -> None:
        (tmp_path / "notes.txt").write_text("mine")
        said = magistrate("cache", command, tmp_path)
        assert said.code == 2
        assert "is no folder with a cache" in said.err
        assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
