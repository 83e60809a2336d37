"""VerdictReader: verdicts as they arrive."""

import codecs
from collections.abc import Sequence
from functools import partial
from typing import Final

from magistrate.parsing._api import parse_verdicts
from magistrate.parsing.readings import VerdictReading
from magistrate.verdict import Scale, StatementVerdict

_ENDS: Final = "}]>\n|;\uff5d\u3002"
"""What may end a row. Nothing is looked at before one of these has arrived."""
_WORK: Final = 12
_FREE_WORK: Final = 400_000
"""How many characters may be read again and again: so many times the length of the reply, and so many more. Up to some
sixty verdicts each row is read as soon as it is there; in longer replies, several at a time."""


class VerdictReader:
    """Reads a reply that arrives in pieces, for displays of progress.

    What `feed` returns is what a reply cut off at that point is known to say: complete rows, nothing at the cut. It
    does not know what follows. A later row may contradict an earlier one, and a correction may take back all of them,
    so the result is what `close` returns.

    Args:
        statements: The statements asked about, in order.
        scale: "binary", "ternary", "graded" or a `Scale`.
        contexts: What the judge saw beside the statements.
        token: The request token that the answer must carry.
        ids: The ids of the statements in the prompt.

    Raises:
        ValueError: If the scale is unknown, or ids and statements differ in number.
        TypeError: If `statements` is one text.
    """

    def __init__(
        self,
        statements: Sequence[str],
        *,
        scale: str | Scale = "binary",
        contexts: Sequence[str] | None = None,
        token: str | None = None,
        ids: Sequence[str] | None = None,
    ) -> None:
        self._read = partial(
            parse_verdicts, statements=statements, scale=scale, contexts=contexts, token=token, ids=ids
        )
        self._read("")  # a wrong argument shows now, not in the middle of a reply
        self._count = len(statements)
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._pieces: list[str] = []
        self._length = 0
        self._work = 0
        self._due = False
        self._given: set[int] = set()

    @property
    def text(self) -> str:
        """The reply so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def feed(self, chunk: str | bytes) -> list[StatementVerdict]:
        """Take the next piece; return the verdicts that are complete since, each statement's once.

        Args:
            chunk: The piece. Bytes are UTF-8; a character may be split between two pieces.
        """
        piece = chunk if isinstance(chunk, str) else self._decode(chunk)
        if not piece:
            return []
        self._pieces.append(piece)
        self._length += len(piece)
        self._due = self._due or any(mark in piece for mark in _ENDS)
        if not self._due or len(self._given) == self._count:
            return []
        if self._work + self._length > _WORK * self._length + _FREE_WORK:
            return []
        self._due = False
        self._work += self._length
        reading = self._read(self.text, finish_reason="length")
        if len(reading.missing) == self._count:
            return []
        fresh = [one for one in reading.verdicts if one.verdict is not None and one.index not in self._given]
        self._given.update(one.index for one in fresh)
        return fresh

    def close(self, finish_reason: str | None = None, refusal: str | None = None) -> VerdictReading:
        """Read the whole reply.

        Args:
            finish_reason: Why the provider says the reply ended.
            refusal: The provider's own refusal text.
        """
        return self._read(self.text, finish_reason=finish_reason, refusal=refusal)
