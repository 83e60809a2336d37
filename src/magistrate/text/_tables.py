"""What holds in all languages of a script: scripts.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

TABLES: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8")
)
