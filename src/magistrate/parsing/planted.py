"""Whether a text that the judge was given could itself be taken for an answer."""

from __future__ import annotations

from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.vocabulary import Vocabulary

__all__ = ["reads_as_answer"]


def reads_as_answer(text: str, words: Vocabulary) -> bool:
    """Whether a statement or context holds anything that a reader of replies might take for verdicts."""
    from magistrate.parsing.answers import gather  # noqa: PLC0415 - the readers themselves decide
    from magistrate.parsing.statement_index import Statements  # noqa: PLC0415

    envelope = open_envelope(text)
    if envelope.overrun or envelope.documents:
        return True
    lowered = text.casefold()
    if "verdict" in lowered:
        return True
    return any(bool(gather(envelope, words, Statements([""] * count), end=None).answers) for count in (1, 2, 3))
