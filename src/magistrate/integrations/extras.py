"""A missing framework is one line that says what to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from magistrate.errors import MissingExtraError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import a framework inside of this.

    Args:
        extra: The extra that installs it, with the versions that fit.

    Raises:
        MissingExtraError: If the import fails, be it that the framework is missing or that it does not fit what is
            installed beside it.
    """
    try:
        yield
    except ImportError as error:
        message = f'magistrate.integrations.{extra.replace("-", "_")}: {error}: pip install "magistrate[{extra}]"'
        raise MissingExtraError(message, extra=extra) from None
