"""Fuzzing as a test: a decorator that makes one of a judge function, and what a pytest fixture hands out."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def check_judge(
    judge: Callable[..., Any] | str, *, max_wrong: int = 0, accepted: Sequence[str] | Path = (), **options: Any
) -> None:
    """Fuzz a function that reads judge replies."""
    __tracebackhide__ = True
    from magistrate.testing.fuzz import fuzz, read_known  # noqa: PLC0415 - Hypothesis loads when a judge is fuzzed

    known = read_known(accepted) if isinstance(accepted, str | Path) else accepted
    report = fuzz(judge, **options)
    failed = report.failures(max_wrong=max_wrong, accepted=known)
    if failed:
        raise AssertionError(f"{report.target}: {', '.join(failed)}\n{report.text(known)}")


def fuzz_judge(
    *, max_wrong: int = 0, accepted: Sequence[str] | Path = (), seconds: float = 10.0, **options: Any
) -> Callable[[Callable[..., Any]], Callable[[], None]]:
    """Make a test of a function that reads judge replies.

        @fuzz_judge(seconds=10)
        def test_my_judge(reply, statements):
            return my_judge(reply, statements)

    Args:
        max_wrong: Silently wrong readings that are allowed.
        accepted: Failures that are known, or the file of `--write-accept` that names them.
        seconds: How long at most.
        options: The others of `magistrate.testing.fuzz.fuzz`: count, seed, task, labels, path, raises, ...
    """

    def decorate(judge: Callable[..., Any]) -> Callable[[], None]:
        def test() -> None:
            __tracebackhide__ = True
            check_judge(judge, max_wrong=max_wrong, accepted=accepted, seconds=seconds, **options)

        # Not functools.wraps: pytest would follow __wrapped__ and take the reply for a fixture.
        test.__name__, test.__qualname__ = judge.__name__, judge.__qualname__
        test.__module__, test.__doc__ = judge.__module__, judge.__doc__
        return test

    return decorate
