"""The map of the house names what there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_every_path_of_the_table_is_there():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 20
    named = [path for row in rows for path in re.findall(r"`([\w./-]+)`", row)]
    assert [path for path in named if "/" in path and not (ROOT / path).exists()] == []
    assert all((ROOT / re.findall(r"`([\w./-]+)`", row.split("|")[2])[0]).exists() for row in rows)


def test_every_room_is_drawn():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rooms = re.findall(r"magistrate\.(\w+)", " ".join(contracts[0]["layers"]))
    assert [room for room in rooms if (ROOT / "src/magistrate" / room).is_dir() and room not in PAGE] == []
