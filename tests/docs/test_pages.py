"""What the docs show is what the commands print."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import magistrate

from .pages import PAGES, WIDTH, renewed


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_prints_what_the_page_shows(path, monkeypatch):
    monkeypatch.setenv("COLUMNS", WIDTH)
    monkeypatch.setenv("NO_COLOR", "1")
    page = path.read_text(encoding="utf-8")
    assert renewed(page) == page


def test_a_page_that_shows_something_else_would_be_noticed(monkeypatch):
    monkeypatch.setenv("COLUMNS", WIDTH)
    command = '$ magistrate parse reply.txt -s "The lock works."'
    page = f"```text reply.txt\n1. yes\n```\n\n```console\n{command}\nsomething else\n```\n"
    new = renewed(page)
    assert "ok: 1 of 1 statements have a verdict (numbered)" in new
    assert "something else" not in new
    assert renewed(new) == new


ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_every_path_of_the_table_is_there():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 20
    named = [path for row in rows for path in re.findall(r"`([\w./-]+)`", row)]
    assert [path for path in named if "/" in path and not (ROOT / path).exists()] == []
    first = [re.findall(r"`([\w./-]+)`", row.split("|")[2])[0] for row in rows]  # where to look begins with a path
    assert [path for path in first if not (ROOT / path).exists()] == []


def test_every_room_is_drawn():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rooms = re.findall(r"magistrate\.(\w+)", " ".join(contracts[0]["layers"]))
    assert [room for room in rooms if (ROOT / "src/magistrate" / room).is_dir() and room not in PAGE] == []


SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
TOP = {"index.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}  # made from the pages at the top of the tree


def named(entry):
    if isinstance(entry, str):
        return [entry]
    return [page for part in (entry.values() if isinstance(entry, dict) else entry) for page in named(part)]


def test_the_navigation_names_every_page_once():
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(named(SITE["nav"])) == sorted(pages | TOP)


def test_a_dead_link_fails_the_build():
    assert SITE["strict"] is True
    assert set(SITE["validation"].values()) == {"warn"}


def test_the_reference_names_public_names_alone_and_none_twice():
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    members = [name for listed in re.findall(r"members:\s*\[([^\]]+)\]", page) for name in re.findall(r"\w+", listed)]
    members.remove("REST")  # packaging/site.py puts the others there
    assert len(members) == len(set(members))
    assert set(members) <= set(magistrate.__all__)
