"""How integrations fail: a missing framework, and a judge without a reply that is safe to use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from magistrate.errors import MagistrateError, MissingExtraError
from magistrate.judges import StructuredReply
from magistrate.verdict import Status

_LONGEST = 300
_WHY = {
    Status.REFUSED: "refused",
    Status.TRUNCATED: "its reply was cut off",
    Status.OUT_OF_RANGE: "its reply has values that are not on offer",
    Status.JUDGE_ERROR: "the call failed",
}


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import a framework inside of this."""
    try:
        yield
    except ImportError as error:
        raise MissingExtraError.needed(f"magistrate.integrations.{extra.replace('-', '_')}: {error}", extra) from None


def explain(reply: StructuredReply[Any], what: str = "an object") -> str:
    """Say in one line why a reply has no value."""
    why = _WHY.get(reply.status, "its reply could not be read")
    details = [*reply.errors[:2], *(issue.message for issue in reply.issues if issue.message)]
    detail = " ".join(details[0][: 4 * _LONGEST].split())[:_LONGEST] if details else ""
    asked = f"was asked {len(reply.calls)} times" if len(reply.calls) > 1 else "was asked"
    return f"{reply.status.value}: the judge {asked} for {what}, and {why}{': ' + detail if detail else ''}"


class UnusableReplyError(MagistrateError):
    """No reply is safe to use, also after asking again; each framework's module joins its own error to it."""

    status: Status | None = None

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message, status=status)

    @classmethod
    def value_of(cls, reply: StructuredReply[Any], what: str = "an object") -> Any:
        """Take the value of a reply."""
        if reply.value is None:
            raise cls(explain(reply, what), reply.status)
        return reply.value

    @classmethod
    def json_of(cls, reply: StructuredReply[Any], what: str = "an object") -> str:
        """Take the value of a reply as `value_of` does, as JSON."""
        value = cls.value_of(reply, what)
        return json.dumps(value if isinstance(value, dict) else value.model_dump(mode="json"), ensure_ascii=False)

    @classmethod
    def text_of(cls, reply: StructuredReply[Any]) -> str:
        """Take the text of a reply."""
        if reply.status is not Status.SCORED or not reply.text:
            raise cls(explain(reply, "a text"), reply.status)
        return reply.text
