"""Writes the project of the distribution `magistrate`: a wheel without files that depends on `magistrate-core`.

`magistrate-core` is this tree: all the code, with what parsing, auditing, scoring and reporting need. `magistrate` adds
what calls models, and forwards the extras, so that `pip install "magistrate[ragas]"` is what users type.

    python packaging/full.py FOLDER
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(folder: Path) -> None:
    """Write pyproject.toml and what it names into a folder."""
    core = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = re.search(
        r'^__version__ = "([^"]+)"$', (ROOT / "src/magistrate/__init__.py").read_text("utf-8"), re.MULTILINE
    )
    if found is None:
        raise SystemExit("src/magistrate/__init__.py has no __version__")
    version = found[1]
    extras = [name for name in core["optional-dependencies"] if name != "models"]
    project = {name: core[name] for name in ("description", "license", "requires-python", "keywords", "classifiers")}
    project |= {"name": "magistrate", "version": version, "readme": "README.md", "license-files": ["LICENSE"]}
    project["dependencies"] = [f"magistrate-core[models]=={version}"]
    lines = ["[build-system]", 'requires = ["hatchling>=1.27"]', 'build-backend = "hatchling.build"', "", "[project]"]
    lines += [f"{name} = {json.dumps(value)}" for name, value in project.items()]
    lines += ["", "[project.optional-dependencies]"]
    lines += [f'{name} = ["magistrate-core[{name}]=={version}"]' for name in extras]
    # The command, too: `uv tool install magistrate` and pipx take it from the distribution that is named alone.
    lines += ["", "[project.scripts]", *(f'{name} = "{target}"' for name, target in core["scripts"].items())]
    lines += ["", "[project.urls]", *(f'{name} = "{url}"' for name, url in core.get("urls", {}).items())]
    lines += ["", "[tool.hatch.build.targets.wheel]", "bypass-selection = true", ""]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text("\n".join(lines), "utf-8")
    for name in ("README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
