"""What each layout, acceptance rule and group of words is worth: `python -m fuzz.ablate [--only NAME] [FOLDER ...]`.

Each is switched off in turn, and the stored replies are read again: the curated ones, the package's corpus, and those
of further folders (`*.yaml` as in `tests/parsing/replies`, `parse_*.jsonl[.gz]` as in `tests/parsing/frozen`), until
three need the part (`--all` counts every one). A reply needs a part if it is read rightly with it and not without it.
Where none of them needs it, the frozen replies are read until one does. Words are taken over all languages together;
only replies that hold one of a group are read without it. Exit code 1 where no reply needs a layout, a rule or a group
of words.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from fuzz.stored import FUNCTIONS, Stored, changes, corpus, curated, frozen
from magistrate.parsing.layouts.labels import LAYOUTS as LABELS
from magistrate.parsing.layouts.scores import LAYOUTS as SCORES
from magistrate.parsing.layouts.verdicts import LAYOUTS as VERDICTS
from magistrate.parsing.settle.acceptance import RULES
from magistrate.parsing.switches import switched_off
from magistrate.parsing.wording.fold import fold

__all__ = ["Worth", "parts", "worth"]

_ENOUGH = 3
_DATA = resources.files("magistrate.parsing.wording") / "data"


@dataclass(frozen=True, slots=True)
class Worth:
    """What a part is worth.

    Args:
        part: "layout:NAME", "rule:NAME" or "words:GROUP".
        lost: Names of the replies that are left without their value, or get another status, where it is switched off.
        wrong: Names of those that are then read wrongly.
        frozen: Whether the replies are frozen ones.
    """

    part: str
    lost: tuple[str, ...]
    wrong: tuple[str, ...]
    frozen: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether some reply needs it."""
        return bool(self.lost or self.wrong)

    def __str__(self) -> str:
        if not self.is_needed:
            return f"{self.part:36} no reply needs it"
        counts = f"{len(self.lost):4} lost {len(self.wrong):4} wrong"
        return (
            f"{self.part:36} {counts}{' (frozen)' if self.frozen else ''}: {', '.join((*self.wrong, *self.lost)[:3])}"
        )


def parts() -> list[str]:
    """The names of all that can be switched off."""
    layouts = {f"layout:{layout.name}" for layout in (*VERDICTS, *SCORES, *LABELS)}
    rules = {f"rule:{name}" for name, _ in RULES}
    named, words = set(), set()
    for path in _files(resources.files("magistrate.parsing")):
        text = path.read_text(encoding="utf-8") if path.name.endswith((".py", ".toml")) else ""
        if path.name.endswith(".py"):
            named |= set(re.findall(r'is_on\("((?:rule|layout|words):[\w.-]+)"\)', text))
        elif path.name == "en.toml":
            words |= {f"words:{key}" for key in re.findall(r"^(\w+) = ", text, re.MULTILINE)} - {"words:name"}
        elif path.name == "keys.toml":
            for section, body in re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL):
                words |= {f"words:{section}.{key}" for key in re.findall(r"^(\w+) = ", body, re.MULTILINE)}
    return [*sorted(layouts), *sorted(rules | named), *sorted(words)]


def _files(folder: Any) -> Iterator[Any]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry)
        else:
            yield entry


@cache
def _chosen(folders: tuple[Path, ...]) -> list[Stored]:
    """The replies that are read for every part: those that are read rightly with all parts."""
    listed = [*curated(), *corpus()]
    for folder in folders:
        listed += curated(folder)
        listed += [one for name in FUNCTIONS for one in frozen(name, folder) if any(folder.glob(f"{name}.jsonl*"))]
    return [one for one in listed if _is_right(one)]


def _is_right(stored: Stored) -> bool:
    value, status, _ = stored.read()
    return stored.allows(value) and (not stored.statuses or status in stored.statuses)


def worth(part: str, replies: Iterable[Stored], enough: int | None = None) -> Worth:
    """Read replies without a part.

    Args:
        part: Its name.
        replies: Replies that are read rightly with all parts.
        enough: After how many that need it the rest is left out; None reads all.
    """
    lost: list[str] = []
    wrong: list[str] = []
    words = _words(part)
    with switched_off(part):
        for stored in replies:
            if words is not None and not _holds(stored, words):
                continue
            value, status, _ = stored.read()
            if not stored.allows(value):
                (lost if stored.leaves_open(value) else wrong).append(stored.name)
            elif stored.statuses and status not in stored.statuses:
                lost.append(stored.name)
            if enough is not None and len(lost) + len(wrong) >= enough:
                break
    return Worth(part, tuple(lost), tuple(wrong))


def _words(part: str) -> frozenset[str] | None:
    """The words of a group as `_holds` looks for them; None for a layout, a rule, or a group that has a mere sign."""
    kind, _, name = part.partition(":")
    if kind != "words":
        return None
    section, _, key = name.rpartition(".")
    if section:
        found = tomllib.loads(_DATA.joinpath("keys.toml").read_text(encoding="utf-8"))[section][key].split()
    else:
        files = (tomllib.loads(file.read_text(encoding="utf-8")) for file in _files(_DATA) if file.name != "keys.toml")
        tables = (table for file in files for table in file.values() if isinstance(table, dict))
        found = [word for table in tables for word in table.get(key, "").split(",")]
    words = frozenset(_letters(word) for word in found if word.strip())
    return None if "" in words else words


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))


def _holds(stored: Stored, words: frozenset[str]) -> bool:
    """Whether a call holds one of these words, whatever stands between its letters."""
    said = json.dumps([str(stored.reply), dict(stored.arguments)], ensure_ascii=False)
    letters = _letters(said)
    return any(word in letters for word in words)


def _judge(part: str, folders: tuple[Path, ...], enough: int | None) -> Worth:
    found = worth(part, _chosen(folders), enough)
    if found.is_needed:
        return found
    listed = changes()
    every = (one for name in FUNCTIONS for one in frozen(name) if one.key() not in listed)
    return replace(worth(part, every, _ENOUGH), frozen=True)


def main() -> int:
    """Print what each part is worth."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.ablate", description=str(__doc__).partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, help="further folders of replies")
    parser.add_argument("--only", default="", help="only parts whose name begins so: rule, layout:table")
    parser.add_argument("--all", action="store_true", help="count every reply that needs a part, not three")
    parser.add_argument("--jobs", type=int, default=None, help="processes; the number of processors by default")
    options = parser.parse_args()
    named = [part for part in parts() if part.startswith(options.only)]
    found: list[Worth] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        count = len(named)
        enough = [None if options.all else _ENOUGH] * count
        for one in pool.map(_judge, named, [tuple(options.folders)] * count, enough):
            print(one, flush=True)
            found.append(one)
    idle = [one.part for one in found if not one.is_needed]
    print(f"{len(found)} parts, {len(idle)} that no reply needs")
    return int(bool(idle))


if __name__ == "__main__":
    sys.exit(main())
