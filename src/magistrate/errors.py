"""Every error of this package: what is wrong with a case's data is none; all pickle, and none holds a key or header."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Self


class MagistrateError(Exception):
    """Root of every error of this package.

    Args:
        message: What happened, where, and how to mend it.
        **details: Values for the attributes that the class declares.

    Raises:
        TypeError: If a detail is not an attribute that the class declares.
    """

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        for name, value in details.items():
            if not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} has no attribute {name!r}")
            setattr(self, name, value)
        self._details = details

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by message and details: multi-process runners carry errors across processes."""
        return partial(type(self), self.message, **self._details), ()


class ConfigurationError(MagistrateError, ValueError):
    """A wrong argument, option or file; found before anything was spent."""


class UnknownModelError(ConfigurationError):
    """No provider is known for a model name.

    Attributes:
        suggestions: The nearest known names, best first.
    """

    suggestions: tuple[str, ...] = ()


class MissingExtraError(ConfigurationError, ImportError):
    """An optional dependency is not installed.

    Attributes:
        extra: The extra to install, as in `pip install "magistrate-core[extra]"`.
    """

    extra: str | None = None

    @classmethod
    def needed(cls, why: str, extra: str) -> Self:
        """Say why an extra is needed, and the command: by the core's name, which a checkout and every wheel install.

        It is the pip of the environment that runs this, by its path where that is not the one a shell would take.
        """
        import shutil  # noqa: PLC0415 - only a fault needs these
        import sys  # noqa: PLC0415
        from pathlib import Path  # noqa: PLC0415

        own = Path(sys.executable).with_name("pip")
        pip = own if own.exists() and shutil.which("pip") != str(own) else "pip"
        return cls(f'{why}: {pip} install "magistrate-core[{extra}]"', extra=extra)


class DatasetError(MagistrateError):
    """A dataset file cannot be read at all.

    Attributes:
        path: The file.
        line: The line (1-based), where known.
    """

    path: str | None = None
    line: int | None = None


class PromptError(MagistrateError):
    """A prompt file is missing or malformed."""


class StoreError(MagistrateError):
    """A run folder or cache cannot be used: not writable, another configuration, a newer schema."""


class JudgeError(MagistrateError):
    """A call to a judge failed.

    Attributes:
        model: The requested model.
        provider_status: The provider's HTTP status; None where there was no answer.
        retryable: Whether the same call may succeed later.
        retry_after: Seconds the provider asked to wait; None where it did not.
        attempts: How many calls were made.
        billable: Whether the provider may charge for the call all the same: it was sent, and no usable answer came.
    """

    model: str | None = None
    provider_status: int | None = None
    retryable: bool = False
    retry_after: float | None = None
    attempts: int = 1
    billable: bool = False

    def after(self, attempts: int) -> Self:
        """Return the same error as the outcome of so many attempts."""
        message = self.message if attempts == 1 else f"{self.message} (tried {attempts} times)"
        return type(self)(message, **{**self._details, "attempts": attempts})

    def but(self, **details: Any) -> Self:
        """Return the same error with other details."""
        return type(self)(self.message, **{**self._details, **details})


class JudgeAuthError(JudgeError):
    """401 or 403: the key is missing, wrong, or not allowed to use this model."""


class JudgeNotFoundError(JudgeError):
    """404: the provider knows no such model or path."""


class JudgeRateLimitError(JudgeError):
    """429, still after the retries.

    Attributes:
        others_pass: Whether the provider let a call through in the two minutes (`RetryPolicy.patience`) before.
    """

    others_pass: bool = False


class JudgeTimeoutError(JudgeError):
    """No answer in time, still after the retries."""


class JudgeConnectionError(JudgeError):
    """The provider could not be reached.

    Attributes:
        absent: Whether nothing listens there, or no such host is known: not a connection that broke.
    """

    absent: bool = False


class JudgeServerError(JudgeError):
    """The provider failed (5xx), or its answer is no completion, still after the retries."""


class JudgeRequestError(JudgeError):
    """400: the provider refused the request itself."""


class JudgeContextError(JudgeError):
    """The prompt is longer than the model's context window.

    Attributes:
        limit: The window in tokens, where the provider says it.
    """

    limit: int | None = None


class JudgePolicyError(JudgeError):
    """The provider's content policy refused the request."""


class JudgeDownError(JudgeError):
    """The provider is down: call after call failed and none got through, or it says that no further call will.

    It ends a run. What was finished is stored, and `--resume` goes on from there.
    """

    def after(self, attempts: int) -> Self:
        """Return the error as it is: it is about the provider, not about the attempts at one call."""
        del attempts
        return self


class BudgetExceededError(MagistrateError):
    """The next call would exceed the budget of money or calls."""


class PendingError(MagistrateError):
    """The answer to a call waits in a provider's batch: neither an answer nor a failure. The run goes on without it."""


class RunInterrupted(MagistrateError):  # noqa: N818 - an interruption is not a fault of the program
    """Ctrl-C or SIGTERM ended a run. Everything finished so far is stored; `--resume` goes on from there."""


ENDS_THE_RUN = (
    JudgeAuthError,
    JudgeNotFoundError,
    JudgeDownError,
    ConfigurationError,
    BudgetExceededError,
    PendingError,
    RunInterrupted,
)
"""What every further call would meet as well, and the answer that is still to come."""


def meant(word: str, known: Iterable[object], most: int = 1) -> str:
    """Ask "Did you mean ...?" within a message where a word is nearly one of those known; else say nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a fault needs it

    names = list(map(str, known))
    longer = [name for name in names if word and name.startswith(word)]
    near = [repr(name[:80]) for name in get_close_matches(word, names, n=most) or longer[:most]]
    return f" Did you mean {' or '.join(near)}?" if near else ""
