"""The raw reply as text, and what a provider says of its end."""

from __future__ import annotations

from typing import Final

__all__ = ["BLOCKED", "CUT", "REFUSED", "as_text", "ending"]

CUT: Final = "length"
BLOCKED: Final = "content_filter"
REFUSED: Final = "refusal"

_ENDINGS: Final = {
    **dict.fromkeys(
        (
            "length",
            "maxtokens",
            "maxoutputtokens",
            "modellength",
            "maxlength",
            "tokenlimit",
            "modelcontextwindowexceeded",
            "incomplete",
        ),
        CUT,
    ),
    **dict.fromkeys(
        (
            "contentfilter",
            "contentfiltered",
            "safety",
            "recitation",
            "blocklist",
            "prohibitedcontent",
            "spii",
            "imagesafety",
            "guardrailintervened",
            "errortoxic",
        ),
        BLOCKED,
    ),
    **dict.fromkeys(("refusal", "refused", "refuse"), REFUSED),
}


def as_text(raw: str | bytes | bytearray | memoryview | None) -> str:
    """Return a reply as text: None is nothing, bytes are UTF-8 unless they begin otherwise, broken ones are replaced.

    Raises:
        TypeError: If it is none of these; a parsed object is no reply.
    """
    if isinstance(raw, str):
        return raw
    if raw is None:
        return ""
    if isinstance(raw, bytes | bytearray | memoryview):
        data = bytes(raw)
        encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8"
        return data.decode(encoding, errors="replace")
    raise TypeError(f"a reply is str, bytes or None, not {type(raw).__name__}")


def ending(finish_reason: str | None) -> str | None:
    """Bring a provider's finish reason to "length", "content_filter", "refusal" or None (a normal or unknown end)."""
    if finish_reason is None or finish_reason == "stop":
        return None
    return _ENDINGS.get("".join(char for char in str(finish_reason)[:60].casefold() if char.isalnum()))
