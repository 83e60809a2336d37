"""How long the lexical citation scores take: ADR 0003 allows about 5 ms a query.

    python benchmarks/citation_scores.py

A query cites ten passages of 200 words and states five sentences; words are as frequent as in a language (Zipf). Every
query has texts of its own, so that nothing is remembered from the one before. CPU time is measured. The floor is what
it takes to find the words of the same texts and nothing more.
"""

from __future__ import annotations

import random
import statistics
import time

from magistrate.metrics import score_citations
from magistrate.text import text_runs

QUERIES = 40
PASSAGES, WORDS, CLAIMS = 10, 200, 5
MOST_MS = 5.0


def main() -> int:
    """Print medians and the ratio to the floor; 1 if a query takes more than it may."""
    rng = random.Random(7)  # noqa: S311 - words, not secrets
    syllables = ["ka", "lo", "mer", "ti", "sun", "dra", "pel", "vi", "nor", "ash", "gem", "bru"]
    vocabulary = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(3000)]

    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]

    def text(words: int) -> str:
        return " ".join(rng.choices(vocabulary, weights, k=words)).capitalize() + "."

    ours, floor = [], []
    for _ in range(QUERIES):
        cited, claims, question = [text(WORDS) for _ in range(PASSAGES)], [text(12) for _ in range(CLAIMS)], text(10)
        started = time.process_time()
        for part in (*cited, *claims, question):
            text_runs(part)
        floor.append((time.process_time() - started) * 1000)
        started = time.process_time()
        score_citations(claims, question, cited)
        ours.append((time.process_time() - started) * 1000)
    median, least = statistics.median(ours), statistics.median(floor)
    print(f"score_citations: {median:.2f} ms a query of CPU (median of {QUERIES}), best {min(ours):.2f} ms")
    print(f"floor (finding the words): {least:.2f} ms; ratio {median / least:.2f}")
    print(f"allowed: {MOST_MS} ms")
    return int(median > MOST_MS)


if __name__ == "__main__":
    raise SystemExit(main())
