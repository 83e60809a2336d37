"""How well the offline judge tells supported claims from others, and how fast it is.

    python benchmarks/grounding.py --data FOLDER

FOLDER holds labelled sets: JSON Lines with the fields contexts (texts), claim (a text), label ("supported" or something
else; rows without one are left out). Two floors run on the same rows: the share of the claim's words that the contexts
hold (what most lexical checks are), and the formula this judge began from: (overlap + ROUGE-L precision + bigram) / 3 -
0.5 x missing numbers - 0.3 x missing names.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from labelled import Row, auc, balanced_accuracy, read_sets
from rapidfuzz.distance import LCSseq

from magistrate.judges.offline import OfflineJudge
from magistrate.verdict import Verdict

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def word_overlap(claim: str, contexts: Sequence[str]) -> float:
    """The plainest floor: one findall a text."""
    words = set(_WORD.findall(claim.lower()))
    held = {word for context in contexts for word in _WORD.findall(context.lower())}
    return len(words & held) / max(1, len(words))


def formula(claim: str, contexts: Sequence[str]) -> float:
    """The formula the judge began from, over windows of three sentences and whole contexts."""
    words = _WORD.findall(claim.lower())
    wanted, pairs = set(words), set(pairwise(words))
    windows = []
    for context in contexts:
        sentences = [s for s in _SENTENCE.split(context) if s.strip()]
        windows += [" ".join(sentences[i : i + 3]) for i in range(len(sentences))] + [context]
    read = [_WORD.findall(window.lower()) for window in windows]
    best = max(read, key=lambda w: len(wanted & set(w)), default=[])
    held = {word for window in read for word in window}
    numbers = {word for word in words if any(map(str.isdigit, word))}
    names = {name.lower() for name in _NAME.findall(claim)}
    overlap = len(wanted & set(best)) / max(1, len(wanted))
    order = LCSseq.similarity(words, best) / max(1, len(words))
    bigram = len(pairs & set(pairwise(best))) / max(1, len(pairs))
    missing_numbers = len(numbers - held) / max(1, len(numbers))
    missing_names = len(names - held) / max(1, len(names))
    return (overlap + order + bigram) / 3 - 0.5 * missing_numbers - 0.3 * missing_names


def accuracy(sets: dict[str, list[Row]]) -> None:
    """Print, per set, how well supported claims are told from others, and how many were judged at all.

    "sure" is the share of the verdicts without `low-confidence`, and "right" the balanced accuracy of those.
    """
    judge = OfflineJudge()
    columns = ("AUC", "words", "formula", "bal.acc", "judged", "sure", "right")
    print(f"{'set':18}{'claims':>7}{'supp.':>7}" + "".join(f"{column:>9}" for column in columns) + "  no verdict")
    table = []
    for name, rows in sets.items():
        replies = [judge.verify_sync([row.claim], row.contexts)[0] for row in rows]
        known = [(row, reply) for row, reply in zip(rows, replies, strict=True) if reply.verdict is not None]
        labels = [row.supported for row, _ in known]
        called = [reply.verdict is Verdict.SUPPORTED for _, reply in known]
        sure = [index for index, (_, reply) in enumerate(known) if not reply.issues]
        figures = (
            auc([reply.probability or 0.0 for _, reply in known], labels),
            auc([word_overlap(row.claim, row.contexts) for row, _ in known], labels),
            auc([formula(row.claim, row.contexts) for row, _ in known], labels),
            balanced_accuracy(called, labels),
            len(known) / len(rows),
            len(sure) / max(1, len(known)),
            balanced_accuracy([called[index] for index in sure], [labels[index] for index in sure]),
        )
        table.append(figures)
        why = Counter(reply.issues[0].code for reply in replies if reply.verdict is None)
        print(
            f"{name:18}{len(rows):7}{sum(row.supported for row in rows) / len(rows):7.2f}"
            + "".join(f"{figure:9.3f}" for figure in figures)
            + "  "
            + ", ".join(f"{code} {count}" for code, count in why.most_common())
        )
    means = [statistics.fmean(column) for column in zip(*table, strict=True)]
    print(f"{'mean':18}{'':14}" + "".join(f"{mean:9.4f}" for mean in means))


def speed(sets: dict[str, list[Row]], rounds: int) -> None:
    """Five sentences of 20 words against ten contexts of 200 words, cut from the data."""
    words = " ".join(context for rows in sets.values() for row in rows for context in row.contexts).split(" ")
    size = 2000
    cases = []
    for start in range(0, min(len(words) - size, 40 * size), size):
        contexts = [" ".join(words[at : at + 200]) for at in range(start, start + size, 200)]
        claims = [" ".join(words[at + 40 : at + 60]) for at in range(start, start + size, 400)]
        cases.append((claims, contexts))
    if not cases:
        print("\ntoo few words in the data to measure speed")
        return
    judge = OfflineJudge()
    floor = _milliseconds(cases, rounds, lambda c, ctx: [word_overlap(claim, ctx) for claim in c])
    once = _milliseconds(cases, rounds, lambda c, ctx: [_WORD.findall(text.lower()) for text in (*c, *ctx)])
    ours = _milliseconds(cases, rounds, judge.verify_sync)
    print("\n5 sentences against 10 contexts of 200 words, CPU ms a case: least / median")
    for label, (least, median) in (
        ("findall of words, once a text", once),
        ("word overlap, a sentence at a time", floor),
        ("OfflineJudge.verify_sync", ours),
    ):
        print(f"{label:38}{least:8.2f}{median:8.2f}   {least / once[0]:5.1f} x the findall")


def _milliseconds(
    cases: Sequence[tuple[list[str], list[str]]], rounds: int, work: Callable[[list[str], list[str]], object]
) -> tuple[float, float]:
    """The mean over the cases of each case's least time, and the median of all."""
    times = [[] for _ in cases]
    for _ in range(rounds):
        for own, (claims, contexts) in zip(times, cases, strict=True):
            started = time.process_time_ns()
            work(claims, contexts)
            own.append((time.process_time_ns() - started) / 1e6)
    return statistics.fmean(map(min, times)), statistics.median(t for own in times for t in own)


def main() -> None:
    """Print the accuracy on every set, then the speed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of the speed measurement")
    arguments = parser.parse_args()
    sets = read_sets(arguments.data)
    accuracy(sets)
    speed(sets, arguments.rounds)


if __name__ == "__main__":
    main()
