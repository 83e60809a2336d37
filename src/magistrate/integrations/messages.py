"""The messages of a chat as other frameworks write them: a role, and a text or parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from magistrate.records import Message

_ROLES = {"assistant": "assistant", "ai": "assistant", "model": "assistant", "system": "system", "developer": "system"}


def messages_of(given: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    """Messages with `role` and `content`; a role that is not known is the user's."""
    return tuple(
        Message(_ROLES.get(str(getattr(each["role"], "value", each["role"])), "user"), *parts_of(each.get("content")))
        for each in given
    )


def parts_of(content: Any) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text of a message with a mark for each of its images, and the images."""
    if isinstance(content, str) or content is None:
        return content or "", ()
    texts: list[str] = []
    images: list[tuple[str, str]] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif part.get("type") == "image_url":
            address = part["image_url"]
            mark = f"[[image {len(images) + 1} of this message]]"
            images.append((mark, address["url"] if isinstance(address, Mapping) else str(address)))
            texts.append(mark)
        else:
            texts.append(str(part.get("text", "")))
    return "\n".join(texts), tuple(images)
