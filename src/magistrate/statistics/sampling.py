"""Sums over resamples: draw n of n cases with replacement, many times, fast without any array library.

A resample that draws every case on its own costs a random number, an index and an addition for each. Here the sorted
cases are cut into blocks. How many draws fall into each block is multinomial, drawn with one binomial number a block
(the conditional method; Devroye, Non-Uniform Random Variate Generation, 1986, XI.1.2). A block of equal cases then
needs no further draw, and within a block of at most 256 different cases one random byte picks one. The distribution of
the sums is exactly that of drawing case by case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

__all__ = ["Resampler", "draw_binomial", "draw_counts"]

Row = TypeVar("Row", bound=tuple[float, ...])

_BYTE = 256
_WORTH_A_BLOCK = 64
"""Equal cases from this many on get a block of their own: a binomial number costs about as much as 50 draws."""
_BY_REJECTION = 10.0


@dataclass(frozen=True, slots=True)
class _Block:
    """Cases that are drawn together: equal ones (no tables), or up to 256 different ones.

    Attributes:
        size: How many cases.
        constant: The columns of the one case; empty where the cases differ.
        tables: A column each: what a byte stands for. A case appears in it 256 // size times.
        rejected: The bytes that stand for nothing, so that all cases are equally likely.
    """

    size: int
    constant: tuple[float, ...] = ()
    tables: tuple[list[float], ...] = ()
    rejected: bytes = b""


class Resampler:
    """Draws sums over resamples of rows.

    Args:
        rows: A row of numbers, all of one length -> how many cases have it, at least 1. Their order never matters.

    Attributes:
        n: How many cases there are, and how many are drawn.
        draws: How many draws of single cases one resample needs: n, less those in blocks of equal cases.
    """

    def __init__(self, rows: Mapping[Row, int]) -> None:
        self.n = sum(rows.values())
        self._blocks = tuple(_blocks(rows))
        self._width = max(map(len, rows), default=0)
        self.draws = sum(block.size for block in self._blocks if block.tables)

    def sums(self, rng: Random) -> list[float]:
        """The sum of every column over one resample."""
        totals = [0.0] * self._width
        counts = draw_counts([block.size for block in self._blocks], rng)
        for block, count in zip(self._blocks, counts, strict=True):
            if not count:
                continue
            if block.constant:
                for column, value in enumerate(block.constant):
                    totals[column] += count * value
            else:
                drawn = _bytes(rng, count, block)
                for column, table in enumerate(block.tables):
                    totals[column] += sum(map(table.__getitem__, drawn))
        return totals


def _blocks(rows: Mapping[Row, int]) -> Iterator[_Block]:
    mixed: list[Row] = []
    for row, count in sorted(rows.items()):
        if count >= _WORTH_A_BLOCK:
            yield _Block(count, constant=row)
        else:
            mixed.extend([row] * count)
    for start in range(0, len(mixed), _BYTE):
        part = mixed[start : start + _BYTE]
        copies = _BYTE // len(part)
        yield _Block(
            len(part),
            tables=tuple(list(column) * copies for column in zip(*part, strict=True)),
            rejected=bytes(range(copies * len(part), _BYTE)),
        )


def _bytes(rng: Random, count: int, block: _Block) -> bytes:
    """As many random bytes as asked for, each standing for a case of the block."""
    if not block.rejected:
        return rng.randbytes(count)
    kept = b""
    while len(kept) < count:
        missing = count - len(kept)
        more = missing * _BYTE // (_BYTE - len(block.rejected)) + 8
        kept += rng.randbytes(more).translate(None, block.rejected)
    return kept[:count]


def draw_counts(sizes: Sequence[int], rng: Random) -> list[int]:
    """How often each group is hit when as many cases are drawn, with replacement, as there are in all groups.

    Args:
        sizes: Cases in each group, all positive.
        rng: The source of random numbers.
    """
    left = cases = sum(sizes)
    counts = []
    for size in sizes[:-1]:
        count = draw_binomial(left, size / cases, rng)
        counts.append(count)
        left -= count
        cases -= size
    return [*counts, left] if sizes else []


def draw_binomial(n: int, p: float, rng: Random) -> int:
    """How many of n independent trials succeed, each with probability p in [0, 1].

    Few expected successes: the waiting times between them, which are geometric (Devroye 1986, X.4.3). Else rejection
    from a transformed uniform (algorithm BTRS of Hörmann, The generation of binomial random variates, Journal of
    Statistical Computation and Simulation 46, 1993).
    """
    if n == 0 or p <= 0.0:
        return 0
    if p >= 1.0:
        return n
    if p > 0.5:  # noqa: PLR2004 - count the failures instead, so that p is small
        return n - draw_binomial(n, 1.0 - p, rng)
    if n * p < _BY_REJECTION:
        return _by_waiting(n, p, rng)
    return _by_rejection(n, p, rng)


def _by_waiting(n: int, p: float, rng: Random) -> int:
    scale = 1.0 / math.log1p(-p)
    successes, trials = 0, 0
    while True:
        # 1 - random() is in (0, 1], so its logarithm is finite; the wait itself may be longer than any whole number.
        wait = math.log(1.0 - rng.random()) * scale
        if not wait < n - trials:
            return successes
        trials += math.floor(wait) + 1
        successes += 1


def _by_rejection(n: int, p: float, rng: Random) -> int:
    spread = math.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = n * p + 0.5
    squeeze = 0.92 - 4.2 / b
    alpha = (2.83 + 5.1 / b) * spread
    log_odds = math.log(p / (1.0 - p))
    mode = math.floor((n + 1) * p)
    log_mode = math.lgamma(mode + 1) + math.lgamma(n - mode + 1)
    random = rng.random
    while True:
        u = random() - 0.5
        us = 0.5 - abs(u)
        v = random()
        if us == 0.0:
            continue
        k = math.floor((2.0 * a / us + b) * u + c)
        if us >= 0.07 and v <= squeeze:  # noqa: PLR2004 - constants of the algorithm
            return k
        if not 0 <= k <= n or v == 0.0:
            continue
        v *= alpha / (a / (us * us) + b)
        if math.log(v) <= log_mode - math.lgamma(k + 1) - math.lgamma(n - k + 1) + (k - mode) * log_odds:
            return k
