"""What the docs show is what the commands print."""

from __future__ import annotations

from pathlib import Path

import pytest

from .pages import PAGES, WIDTH, renewed


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_prints_what_the_page_shows(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", WIDTH)
    monkeypatch.setenv("NO_COLOR", "1")
    page = path.read_text(encoding="utf-8")
    assert renewed(page) == page


def test_a_page_that_shows_something_else_would_be_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", WIDTH)
    command = '$ magistrate parse reply.txt -s "The lock works."'
    page = f"```text reply.txt\n1. yes\n```\n\n```console\n{command}\nsomething else\n```\n"
    new = renewed(page)
    assert "ok: 1 of 1 statements have a verdict (numbered)" in new
    assert "something else" not in new
    assert renewed(new) == new
