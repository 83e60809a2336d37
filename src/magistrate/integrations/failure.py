"""What a framework's own error for a failed judge has in all of them: a message, and the status that says why."""

from __future__ import annotations

from magistrate.errors import MagistrateError
from magistrate.verdict import Status

__all__ = ["UnusableReplyError"]


class UnusableReplyError(MagistrateError):
    """The judge gave no reply that is safe to use, also after asking again.

    Each framework's module joins it with the error that the framework itself raises and expects there, so that both
    `except MagistrateError` and the framework's own handling work. It pickles with its status: evaluations that use
    several processes carry it across.

    Args:
        message: What is wrong with the reply.
        status: Why: "refused", "truncated", "unparseable", "out_of_range", "judge_error", ...
    """

    status: Status | None = None

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message, status=status)
