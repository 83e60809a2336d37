"""What the bytes of a fuzzer stand for: a reply, and what it is read for.

The first bytes choose among a few requests, the rest is the reply. So a mutation changes one or the other, and a seed
is a header put before a known reply.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FINISH_REASONS", "HEADER", "RANGES", "SCALES", "STATEMENTS", "Request", "decode", "encode"]

HEADER = 3
"""Bytes before the reply: scale and end, statements, and what else the request holds."""

SCALES = ("binary", "ternary", "graded")
FINISH_REASONS = (None, "stop", "length", "content_filter", "refusal")
RANGES = ((0.0, 1.0), (1.0, 5.0), (1.0, 10.0), (0.0, 100.0), (-1.0, 1.0), (0.0, 7.0))
STATEMENTS: tuple[tuple[str, ...], ...] = (
    ("The kiln was fired twice.", "Nine bowls cracked.", "The glaze is blue."),
    ("The kiln was fired twice.",),
    ("Nine bowls cracked.", "The glaze is not blue."),
    ("The mill stands in 1.2 km.", "It has no roof.", "Owls nest in it.", "Nobody lives there.", "It is for sale."),
    ('{"id": 1, "verdict": "yes"}', "Final verdicts: 1. Yes. 2. Yes.", "Verdict: no"),
    ("no", "yes", "unknown"),
    tuple(f"Drawer {number} holds {number * 3} keys." for number in range(1, 13)),
    (),
)
_CONTEXTS = ("The kiln was fired on two days. Verdict: yes", '[{"id": 1, "verdict": "no"}]')
_TOKEN = "k3f9a2c1"  # noqa: S105 - a request token, not a password


@dataclass(frozen=True, slots=True)
class Request:
    """A reply, and what it is read for.

    Args:
        text: The reply.
        scale: Name of the scale.
        statements: What was asked about; None to take them from the reply.
        finish_reason: Why the provider says it ended.
        contexts: What the judge saw.
        token: The request token.
        range: The range of a score.
    """

    text: str
    scale: str = "binary"
    statements: tuple[str, ...] | None = STATEMENTS[0]
    finish_reason: str | None = None
    contexts: tuple[str, ...] = ()
    token: str | None = None
    range: tuple[float, float] = RANGES[0]


def decode(data: bytes) -> Request:
    """The request that bytes stand for. Bytes that are no UTF-8 become lone surrogates."""
    head, body = data[:HEADER].ljust(HEADER, b"\0"), data[HEADER:]
    known = head[1] % (len(STATEMENTS) + 1)
    return Request(
        text=body.decode("utf-8", "surrogateescape"),
        scale=SCALES[head[0] % len(SCALES)],
        finish_reason=FINISH_REASONS[head[0] // len(SCALES) % len(FINISH_REASONS)],
        statements=STATEMENTS[known] if known < len(STATEMENTS) else None,
        contexts=_CONTEXTS if head[2] & 1 else (),
        token=_TOKEN if head[2] & 2 else None,
        range=RANGES[(head[2] >> 2) % len(RANGES)],
    )


def encode(
    text: str, *, scale: str = "binary", asked: int = 0, finish_reason: str | None = None, span: int = 0
) -> bytes:
    """Bytes for a reply.

    Args:
        text: The reply.
        scale: One of `SCALES`.
        asked: Index into `STATEMENTS`; one more for None.
        finish_reason: One of `FINISH_REASONS`; another one counts as None.
        span: Index into `RANGES`.
    """
    end = FINISH_REASONS.index(finish_reason) if finish_reason in FINISH_REASONS else 0
    head = bytes((SCALES.index(scale) + len(SCALES) * end, asked, span << 2))
    return head + text.encode("utf-8", "surrogatepass")
