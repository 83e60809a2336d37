"""How well an NLI model tells supported claims from others, and what the judge around it costs.

    python benchmarks/nli.py --model FOLDER --data FOLDER [--limit 100] [--windows 1 3 all]

The model's folder is one that `NLIJudge` takes; the data's holds labelled sets: JSON Lines with the fields contexts
(texts), claim (a text), label ("supported" or something else). Two floors run on the same claims: the share of the
claim's words that the contexts hold, and the offline judge. Then the time of `verify_sync` against that of the bare
model on the very same pairs, in the same process.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from labelled import Row, auc, balanced_accuracy, read_sets
from numpy.typing import NDArray
from tokenizers import Encoding

from magistrate.judges.nli import NLIJudge
from magistrate.judges.nli._model import EntailmentModel
from magistrate.judges.offline import OfflineJudge
from magistrate.verdict import Verdict

_WORD = re.compile(r"\w+")


def word_overlap(claim: str, contexts: Sequence[str]) -> float:
    """The plainest floor: one findall a text."""
    words = set(_WORD.findall(claim.lower()))
    held = {word for context in contexts for word in _WORD.findall(context.lower())}
    return len(words & held) / max(1, len(words))


def sample(rows: list[Row], limit: int) -> list[Row]:
    """The same rows on every run, as many supported ones as there are among all, nearly."""
    return random.Random(11).sample(rows, min(limit, len(rows)))  # noqa: S311 - the same rows every time


def accuracy(judges: dict[str, NLIJudge], sets: dict[str, list[Row]]) -> None:
    """Print AUC (and balanced accuracy of the verdicts) per set, on the claims that every judge gives a probability."""
    offline = OfflineJudge()
    print(f"{'set':18}{'claims':>7}{'words':>8}{'offline':>8}" + "".join(f"{name:>20}" for name in judges), flush=True)
    for name, rows in sets.items():
        replies = {
            key: [judge.verify_sync([row.claim], row.contexts)[0] for row in rows] for key, judge in judges.items()
        }
        lexical = [offline.verify_sync([row.claim], row.contexts)[0] for row in rows]
        shared = [
            index
            for index in range(len(rows))
            if all(reply[index].probability is not None for reply in (*replies.values(), lexical))
        ]
        labels = [rows[index].supported for index in shared]
        line = f"{name:18}{len(shared):7}"
        line += f"{auc([word_overlap(rows[i].claim, rows[i].contexts) for i in shared], labels):8.3f}"
        line += f"{auc([lexical[i].probability or 0.0 for i in shared], labels):8.3f}"
        for reply in replies.values():
            area = auc([reply[i].probability or 0.0 for i in shared], labels)
            right = balanced_accuracy([reply[i].verdict is Verdict.SUPPORTED for i in shared], labels)
            line += f"{area:13.3f} ({right:.2f})"
        print(line, flush=True)


class _Timed(EntailmentModel):
    """A model that adds up the CPU time of its own runs."""

    spent = 0

    def outputs(self, pairs: Sequence[Encoding]) -> NDArray[np.float64]:
        started = time.thread_time_ns()
        try:
            return super().outputs(pairs)
        finally:
            _Timed.spent += time.thread_time_ns() - started


def overhead(judge: NLIJudge, rows: list[Row]) -> None:
    """Print the CPU time of the judge, and of the model inside it on the same pairs."""
    judge._model.__class__ = _Timed  # noqa: SLF001 - to see what the model alone takes
    _Timed.spent = 0
    started = time.thread_time_ns()
    for row in rows:
        judge.verify_sync([row.claim], row.contexts)
    total = time.thread_time_ns() - started
    if not _Timed.spent:
        print("\nno claim reached the model: it knows too few of the words")
        return
    each = total / len(rows) / 1e6
    print(f"\n{len(rows)} claims: {each:.1f} ms of CPU a claim, {total / _Timed.spent:.3f} x the bare model")


def main() -> None:
    """Print the accuracy on every set, then the time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="folder of the model")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("--limit", type=int, default=100, help="claims per set")
    parser.add_argument("--sets", nargs="*", help="names of the sets; all where left out")
    parser.add_argument("--windows", nargs="*", default=["1", "3", "all"], help="sentences of a window")
    parser.add_argument("--unchecked", action="store_true", help="take the labels' word for it")
    arguments = parser.parse_args()
    sets = {
        name: sample(rows, arguments.limit)
        for name, rows in read_sets(arguments.data).items()
        if not arguments.sets or name in arguments.sets
    }
    judges = {
        f"window {size}": NLIJudge(
            arguments.model,
            window_sentences=None if size == "all" else int(size),
            check_labels=not arguments.unchecked,
        )
        for size in arguments.windows
    }
    accuracy(judges, sets)
    overhead(next(iter(judges.values())), [row for rows in sets.values() for row in rows[:5]])


if __name__ == "__main__":
    main()
