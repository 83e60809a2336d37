"""What each layout, acceptance rule and group of words is worth: `python -m fuzz.ablate [--only NAME] [FOLDER ...]`.

Each is switched off in turn, and the stored replies are read again: the curated ones, the package's corpus, and those
of further folders (`*.yaml` as in `tests/parsing/replies`, `parse_*.jsonl[.gz]` as in `tests/parsing/frozen`). A reply
needs a part if it is read rightly with it and not without it. Where none of them needs it, the frozen replies are read
until one does. Words are taken over all languages together. Exit code 1 where no
reply needs a layout, a rule or a group of words.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

from fuzz.stored import FUNCTIONS, Stored, changes, corpus, curated, frozen
from magistrate.parsing.layouts.labels import LAYOUTS as LABELS
from magistrate.parsing.layouts.scores import LAYOUTS as SCORES
from magistrate.parsing.layouts.verdicts import LAYOUTS as VERDICTS
from magistrate.parsing.settle.acceptance import RULES
from magistrate.parsing.switches import switched_off

__all__ = ["Worth", "parts", "worth"]

_ENOUGH = 3
_SOME = 2000
"""How many replies of the frozen ones are looked for where no other needs a part."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a part is worth.

    Args:
        part: "layout:NAME", "rule:NAME" or "words:GROUP".
        lost: Names of the replies that are left without their value where it is switched off.
        wrong: Names of those that are then read wrongly.
        frozen: Whether the replies are frozen ones.
    """

    part: str
    lost: tuple[str, ...]
    wrong: tuple[str, ...]
    frozen: bool

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
    return [one for one in listed if one.allows(one.read()[0])]


def worth(part: str, replies: Sequence[Stored], enough: int | None = None) -> Worth:
    """Read replies without a part.

    Args:
        part: Its name.
        replies: Replies that are read rightly with all parts.
        enough: After how many that need it the rest is left out; None reads all.
    """
    lost: list[str] = []
    wrong: list[str] = []
    with switched_off(part):
        for stored in replies:
            value, _, _ = stored.read()
            if not stored.allows(value):
                (lost if stored.leaves_open(value) else wrong).append(stored.name)
            if enough is not None and len(lost) + len(wrong) >= enough:
                break
    return Worth(part, tuple(lost), tuple(wrong), enough is not None)


def _judge(part: str, folders: tuple[Path, ...]) -> Worth:
    found = worth(part, _chosen(folders))
    if found.is_needed:
        return found
    listed = changes()
    every = (one for name in FUNCTIONS for one in frozen(name) if one.key() not in listed)
    for some in iter(lambda: list(islice(every, _SOME)), []):
        found = worth(part, some, _ENOUGH)
        needing = {one.name for one in some if one.name in {*found.lost, *found.wrong} and one.allows(one.read()[0])}
        lost, wrong = (tuple(name for name in names if name in needing) for names in (found.lost, found.wrong))
        if needing:
            return Worth(part, lost, wrong, frozen=True)
    return found


def main() -> int:
    """Print what each part is worth, the least first."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.ablate", description=str(__doc__).partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, help="further folders of replies")
    parser.add_argument("--only", default="", help="only parts whose name begins so: rule, layout:table")
    parser.add_argument("--jobs", type=int, default=None, help="processes; the number of processors by default")
    options = parser.parse_args()
    named = [part for part in parts() if part.startswith(options.only)]
    with ProcessPoolExecutor(options.jobs) as pool:
        found = list(pool.map(_judge, named, [tuple(options.folders)] * len(named)))
    for one in sorted(found, key=lambda one: (one.is_needed, not one.frozen, len(one.lost) + len(one.wrong))):
        print(one)
    idle = [one.part for one in found if not one.is_needed]
    print(f"{len(found)} parts, {len(idle)} that no reply needs")
    return int(bool(idle))


if __name__ == "__main__":
    sys.exit(main())
