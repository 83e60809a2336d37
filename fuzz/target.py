"""Fuzz one target in this process: `python -m fuzz.target NAME FINDINGS [libFuzzer arguments]`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["magistrate"]):
    from fuzz.findings import Recorder
    from fuzz.inputs import HEADER
    from fuzz.oracles import ORACLES

__all__ = ["main"]


def _oracle(name: str) -> tuple[Callable[[bytes], None], int, bool]:
    """What a target runs, the length of the header of its inputs, and whether they can be shrunk byte by byte."""
    if name in ORACLES:
        return ORACLES[name], HEADER, True
    if name == "growth":
        from fuzz.growth import growth  # noqa: PLC0415 - only this target measures time

        return growth, 2, True
    with atheris.instrument_imports(include=["magistrate"]):
        from fuzz.structured import run  # noqa: PLC0415 - only this target loads Hypothesis
    return run, 0, False


def main(argv: Sequence[str]) -> None:
    """Fuzz until the time is up; findings are written, and do not end the run."""
    name, folder = argv[0], Path(argv[1])
    run, keep, shrinks = _oracle(name)
    atheris.Setup([sys.argv[0], *argv[2:]], Recorder(run, folder, keep=keep, shrinks=shrinks))
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
