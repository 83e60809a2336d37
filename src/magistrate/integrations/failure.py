"""What a framework's own error for a failed judge has in all of them: a message, and the status that says why."""

from __future__ import annotations

import json
from typing import Any

from magistrate.errors import MagistrateError
from magistrate.integrations.backend import explain
from magistrate.judges.base import StructuredReply
from magistrate.verdict import Status


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

    @classmethod
    def value_of(cls, reply: StructuredReply[Any], what: str = "reply") -> Any:
        """Take the value of a reply.

        Args:
            reply: The reply.
            what: What was asked for, such as the name of the model's class.

        Raises:
            UnusableReplyError: Of this class, if it has none.
        """
        if reply.value is None:
            raise cls(explain(reply, what), reply.status)
        return reply.value

    @classmethod
    def json_of(cls, reply: StructuredReply[Any], what: str = "reply") -> str:
        """Take the value of a reply as `value_of` does, as JSON."""
        value = cls.value_of(reply, what)
        return json.dumps(value if isinstance(value, dict) else value.model_dump(mode="json"), ensure_ascii=False)

    @classmethod
    def text_of(cls, reply: StructuredReply[Any]) -> str:
        """Take the text of a reply.

        Raises:
            UnusableReplyError: Of this class, if it is empty, a refusal, or was cut off.
        """
        if reply.status is not Status.SCORED or not reply.text:
            raise cls(explain(reply, "text"), reply.status)
        return reply.text
