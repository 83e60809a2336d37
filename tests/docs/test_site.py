"""The site of the docs: its navigation and its reference name what there is (`make docs` builds it)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

import magistrate

ROOT = Path(__file__).parents[2]
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
TOP = {"index.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}  # made from the pages at the top of the tree


def named(entry: Any) -> list[str]:
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
