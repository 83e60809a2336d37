"""The error that a framework's module raises for a failed judge."""

from __future__ import annotations

import pickle

from magistrate.errors import MagistrateError
from magistrate.integrations.failure import UnusableReplyError
from magistrate.verdict import Status


class FrameworkError(RuntimeError):
    """An error as a framework defines it, with a way of pickling that knows nothing of ours."""

    def __init__(self, message: str, body: str | None = None) -> None:
        super().__init__(message)
        self.body = body

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (str(self), self.body)


class JoinedError(UnusableReplyError, FrameworkError):
    """As a framework's module joins them."""


class TestUnusableReplyError:
    def test_it_is_caught_as_ours_and_as_the_frameworks(self) -> None:
        error = JoinedError("refused: no", Status.REFUSED)
        assert isinstance(error, MagistrateError)
        assert isinstance(error, FrameworkError)
        assert (str(error), error.message, error.body) == ("refused: no", "refused: no", None)

    def test_it_pickles_with_its_status(self) -> None:
        error = pickle.loads(pickle.dumps(JoinedError("refused: no", Status.REFUSED)))
        assert isinstance(error, JoinedError)
        assert (str(error), error.status, error.body) == ("refused: no", Status.REFUSED, None)
