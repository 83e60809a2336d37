"""The seed corpus: the replies of `magistrate.testing.corpus`, put into each target's form."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

from fuzz.inputs import RANGES, SCALES, STATEMENTS, encode
from magistrate.testing.corpus import CorpusCase, load_corpus

__all__ = ["seeds", "write_seeds"]

_OF = {
    "verdicts": ("verdicts",),
    "scores": ("score",),
    "statements": ("statements",),
    "labels": ("label",),
    "objects": ("object", "score"),
}
_MOST = 4_000
"""Longer replies slow a fuzzer down more than they teach it."""


def seeds(target: str) -> Iterator[bytes]:
    """Yield the inputs a target starts from: known replies, or choices for a target that makes its own."""
    if target == "structured":
        chance = random.Random(target)  # noqa: S311 - the same seeds in every run
        yield from (chance.randbytes(64 << chance.randrange(6)) for _ in range(200))
    for task in _OF.get(target, ()):
        for case in load_corpus(task=task):
            if len(case.raw) <= _MOST:
                yield _seed(case)


def _seed(case: CorpusCase) -> bytes:
    span = RANGES.index((case.low, case.high)) if (case.low, case.high) in RANGES else 0
    # Lists of that many statements, so that the counts fit; else the reply's own.
    asked = next((at for at, texts in enumerate(STATEMENTS) if len(texts) == len(case.statements)), len(STATEMENTS))
    scale = case.scale if case.scale in SCALES else "binary"
    return encode(case.raw, scale=scale, asked=asked, finish_reason=case.finish_reason, span=span)


def write_seeds(target: str, folder: Path) -> int:
    """Write the seeds of a target, a file each; return how many."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for data in seeds(target):
        folder.joinpath(hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
        count += 1
    return count
