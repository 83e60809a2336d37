"""The raw reply as text, and what a provider says of its end."""

from typing import Final

CUT: Final = "length"
BLOCKED: Final = "content_filter"
REFUSED: Final = "refusal"
_CLEAN: Final = frozenset(
    "stop endturn stopsequence eos eostoken endoftext endofturn end complete completed finished finish done success "
    "normal ok toolcalls toolcall tooluse functioncall functioncalls stoptoken stopstring natural".split()
)
"""The ends of a reply that are known to be clean; any other is none."""
_BLOCKS: Final = frozenset(
    "contentfilter contentfiltered safety recitation blocklist prohibitedcontent spii imagesafety guardrailintervened "
    "errortoxic".split()
)
_REFUSALS: Final = frozenset({"refusal", "refused", "refuse"})
_PREFIXES: Final = ("finishreason", "stopreason")
_LONGEST: Final = 60


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
    """Bring a provider's finish reason to "length", "content_filter", "refusal" or None, which is a clean end."""
    if finish_reason is None or finish_reason == "stop":
        return None
    name = "".join(char for char in str(finish_reason)[:_LONGEST].casefold() if char.isalnum())
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    if name in _CLEAN or not name:
        return None
    return BLOCKED if name in _BLOCKS else REFUSED if name in _REFUSALS else CUT
