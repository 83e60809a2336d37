"""Findings: kept by kind, shrunk, written where a run leaves them and where tests find them."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from fuzz.oracles import BrokenRuleError

__all__ = ["KEPT", "Recorder", "kind_of", "shrink"]

KEPT = Path(__file__).parent / "findings"
"""Inputs that once broke a rule, a folder a target. Tests run them."""
_MOST_OF_A_KIND = 5
_SHRINKING = 20.0
"""Seconds to shrink one finding."""


def kind_of(error: BaseException) -> str:
    """What a finding is: the broken rule, or the exception and the line of the package that raised it."""
    if isinstance(error, BrokenRuleError):
        return str(error.args[0])
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/magistrate/" in frame.filename] or frames
    where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
    return f"{type(error).__name__} at {where}"


def shrink(data: bytes, fails: Callable[[bytes], bool], *, keep: int = 0, seconds: float = _SHRINKING) -> bytes:
    """A shorter input that fails as well, by leaving out ever smaller parts.

    Args:
        data: An input that fails.
        fails: Whether an input fails in the same way.
        keep: How many bytes at the start stay.
        seconds: How long to try.
    """
    until = time.monotonic() + seconds
    size = max(1, (len(data) - keep) // 2)
    while size:
        at = keep
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            if time.monotonic() > until:
                return data
            if len(shorter) < len(data) and fails(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data


class Recorder:
    """Runs an oracle on inputs, and keeps a few of each kind that break it, so that a run goes on after a finding.

    Args:
        run: The oracle.
        folder: Where findings are written.
        keep: How many bytes at the start of an input are a header, and stay when it is shrunk.
        shrinks: Whether inputs can be shrunk byte by byte.
    """

    def __init__(self, run: Callable[[bytes], None], folder: Path, *, keep: int = 0, shrinks: bool = True) -> None:
        self.run = run
        self.folder = folder
        self.keep = keep
        self.shrinks = shrinks
        self.seen: Counter[str] = Counter()

    def __call__(self, data: bytes) -> None:
        """Run the oracle on an input."""
        try:
            self.run(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
            self._record(data, error)

    def _kind(self, data: bytes) -> str | None:
        try:
            self.run(data)
        except Exception as error:  # noqa: BLE001 - likewise
            return kind_of(error)
        return None

    def _record(self, data: bytes, error: Exception) -> None:
        kind = kind_of(error)
        self.seen[kind] += 1
        if self.seen[kind] > _MOST_OF_A_KIND:
            return
        if self.shrinks:
            data = shrink(data, lambda shorter: self._kind(shorter) == kind, keep=self.keep)
        name = hashlib.sha256(data).hexdigest()[:16]
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.joinpath(f"{name}.bin").write_bytes(data)
        told = "".join(traceback.format_exception(error, limit=-6))
        self.folder.joinpath(f"{name}.txt").write_text(f"{kind}\n\n{told}", encoding="utf-8", errors="backslashreplace")
