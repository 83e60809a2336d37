"""Fuzzing as a test: a decorator that makes one of a judge function, and what a pytest fixture hands out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["check_judge", "fuzz_judge"]


def check_judge(
    judge: Callable[..., Any] | str, *, max_wrong: int = 0, accepted: Sequence[str] = (), **options: Any
) -> None:
    """Fuzz a function that reads judge replies.

    Args:
        judge: A function of (reply, statements), "module:function", or the name of a framework's parser.
        max_wrong: Silently wrong readings that are allowed.
        accepted: Kinds of failure that are known.
        options: Those of `magistrate.testing.fuzz.fuzz`.

    Raises:
        AssertionError: If more is silently wrong than allowed, or anything crashes; with the smallest examples.
    """
    __tracebackhide__ = True
    from magistrate.testing.fuzz import fuzz  # noqa: PLC0415 - Hypothesis loads when a judge is fuzzed

    report = fuzz(judge, **options)
    failed = report.failures(max_wrong=max_wrong, accepted=accepted)
    if failed:
        raise AssertionError(f"{report.target}: {', '.join(failed)}\n{report.text()}")


def fuzz_judge(
    *,
    seconds: float = 10.0,
    count: int | None = None,
    seed: int = 0,
    max_wrong: int = 0,
    accepted: Sequence[str] = (),
    task: str = "verdicts",
    labels: Mapping[str, str] | None = None,
    path: str | None = None,
    raises: Sequence[str] = (),
) -> Callable[[Callable[..., Any]], Callable[[], None]]:
    """Make a test of a function that reads judge replies.

        @fuzz_judge(seconds=10)
        def test_my_judge(reply, statements):
            return my_judge(reply, statements)

    Args:
        seconds: How long at most.
        count: How many replies at most.
        seed: Seed of the generated replies.
        max_wrong: Silently wrong readings that are allowed.
        accepted: Kinds of failure that are known.
        task: "verdicts", "score" or "label".
        labels: What the function's words mean: {"yes": "supported"}.
        path: Where in its answer the verdicts stand.
        raises: Names of the exceptions by which it says that it cannot read a reply.
    """

    def decorate(judge: Callable[..., Any]) -> Callable[[], None]:
        def test() -> None:
            __tracebackhide__ = True
            check_judge(
                judge,
                seconds=seconds,
                count=count,
                seed=seed,
                max_wrong=max_wrong,
                accepted=accepted,
                task=task,
                labels=labels,
                path=path,
                raises=raises,
            )

        # Not functools.wraps: pytest would follow __wrapped__ and take the reply for a fixture.
        test.__name__, test.__qualname__ = judge.__name__, judge.__qualname__
        test.__module__, test.__doc__ = judge.__module__, judge.__doc__
        return test

    return decorate
