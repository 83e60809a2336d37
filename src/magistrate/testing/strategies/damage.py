"""Damage to a reply: one character lost, put in or exchanged; the end cut off."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from magistrate.testing.strategies.reply import Reply

__all__ = ["cut", "damaged"]

_INSERTS: Final = "\"'{}[]:,.\n 10xnoyes-\\|<>`"


@st.composite
def damaged(draw: st.DrawFn, reply: Reply) -> tuple[Reply, int, str]:
    """The reply with one character deleted, inserted or swapped with the next.

    The `tokens` of the result are those of the reply before the damage: ask `Reply.touched` of that one.

    Args:
        draw: Given by Hypothesis.
        reply: The reply to damage.

    Returns:
        The damaged reply, where it was damaged (an offset in the text before), and how: "delete", "insert" or "swap".
    """
    kind = draw(st.sampled_from(["delete", "insert", "swap"]))
    at = draw(st.integers(0, max(0, len(reply.text) - 2)))
    text = reply.text
    if kind == "delete":
        text = text[:at] + text[at + 1 :]
    elif kind == "insert":
        text = text[:at] + draw(st.sampled_from(_INSERTS)) + text[at:]
    else:
        text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
    return replace(reply, text=text), at, kind


@st.composite
def cut(draw: st.DrawFn, reply: Reply) -> tuple[Reply, int]:
    """The reply cut off somewhere.

    Args:
        draw: Given by Hypothesis.
        reply: The reply to cut.

    Returns:
        What is left of it, and how many characters that are. A right reading of it has, for each statement, the verdict
        that was meant or none; where the format has no closing mark, that needs the provider's finish reason too.
    """
    size = draw(st.integers(0, len(reply.text)))
    return replace(reply, text=reply.text[:size]), size
