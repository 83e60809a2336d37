"""How fast replies are read, against named floors measured in the same run.

    python benchmarks/parsing.py [--quick] [--only clean,own,repair,hostile,rate]

Clean replies are compared with pydantic's `TypeAdapter.validate_json` on a list of models with Literal labels, or,
for the form that our own judge asks for, on a model with its keys; broken ones with `json_repair.loads` (install
json-repair for that part). Times are CPU times, medians over rounds in which the candidates take turns, so that a
busy machine slows all of them alike. Hostile inputs are timed at n and 4n: the limit is 100 ms per MB, and four times
the text may take at most about four times as long. Where `json.loads` reads the text, its own growth is the measure:
large objects leave the cache of the processor. Short hostile inputs may take 5 ms and 3 ms per kB: text of up to 30
kB is read word by word, longer text is no answer.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter, create_model

from magistrate.parsing import parse_label, parse_object, parse_score, parse_statements, parse_verdicts

REASONS = (
    "The harbour notice gives this time for every weekday, and the fare sheet does not say otherwise.",
    "Nothing on the page supports this; the table lists a different figure for the same month.",
    "Stated in so many words in the second paragraph, and repeated in the summary at the end of it.",
)


class Row(BaseModel):
    """One verdict, as a typed client would declare it."""

    id: int
    statement: str
    reason: str
    verdict: Literal["yes", "no"]


FLOOR = TypeAdapter(list[Row])


def rows(count: int) -> tuple[list[dict[str, object]], list[str]]:
    """A clean answer on `count` statements."""
    statements = [
        f"Ferry number {n} leaves the north pier at {n % 24:02d}:40 on weekdays and at noon on Sundays."
        for n in range(count)
    ]
    return [
        {"id": n + 1, "statement": statements[n], "reason": REASONS[n % 3], "verdict": "no" if n % 3 == 1 else "yes"}
        for n in range(count)
    ], statements


def medians(candidates: dict[str, Callable[[], object]], rounds: int, budget: float) -> dict[str, float]:
    """CPU seconds of each candidate: median over rounds in which they take turns."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    repeats = {}
    for name, call in candidates.items():
        call()
        start = time.process_time()
        call()
        repeats[name] = max(1, int(budget / max(time.process_time() - start, 1e-6)))
    for _ in range(rounds):
        for name, call in candidates.items():
            start = time.process_time()
            for _ in range(repeats[name]):
                call()
            times[name].append((time.process_time() - start) / repeats[name])
    return {name: statistics.median(values) for name, values in times.items()}


def verdict(ratio: float, limit: float, *, at_least: bool = False) -> str:
    """Whether a ratio keeps its limit."""
    return "ok" if (ratio >= limit if at_least else ratio <= limit) else "MISSED"


def clean(rounds: int, budget: float) -> bool:
    """Clean replies against the floor."""
    print("\nclean replies: ratio to TypeAdapter.validate_json (CPU, medians)")
    print(
        f"{'verdicts':>9} {'kB':>7} {'floor us':>9} {'call <=3':>14} {'all read <=4.5':>14} {'fenced <=4':>14} "
        f"{'think <=4':>14}"
    )
    kept = True
    for count in (5, 50, 500, 4600):
        answer, statements = rows(count)
        text = json.dumps(answer)
        fenced = (
            f"Here are my verdicts for each statement:\n\n```json\n{text}\n```\n\nLet me know if you need anything "
            f"else."
        )
        thought = (
            "<think>\n" + "The notice has to be compared with each of the statements. " * 20 + f"\n</think>\n\n{text}"
        )
        for reply in (text, fenced, thought):
            reading = parse_verdicts(reply, statements)
            assert reading.status == "ok"
            assert [str(v.verdict) for v in reading.verdicts] == [
                "unsupported" if row["verdict"] == "no" else "supported" for row in answer
            ]
        result = medians(
            {
                "floor": lambda text=text: FLOOR.validate_json(text),
                "call": lambda text=text, s=statements: (r := parse_verdicts(text, s)) and (r.status, r.issues),
                "all": lambda text=text, s=statements: [v.verdict for v in parse_verdicts(text, s).verdicts],
                "fenced": lambda text=fenced, s=statements: (r := parse_verdicts(text, s)) and (r.status, r.issues),
                "think": lambda text=thought, s=statements: (r := parse_verdicts(text, s)) and (r.status, r.issues),
            },
            rounds,
            budget,
        )
        floor = result["floor"]
        cells = []
        for name, limit in (("call", 3.0), ("all", 4.5), ("fenced", 4.0), ("think", 4.0)):
            ratio = result[name] / floor
            kept = kept and ratio <= limit
            cells.append(f"{ratio:6.2f} {verdict(ratio, limit):>7}")
        print(
            f"{count:>9} {len(text) / 1e3:>7.1f} {floor * 1e6:>9.1f} {cells[0]:>14} {cells[1]:>14} {cells[2]:>14} "
            f"{cells[3]:>14}"
        )
    return kept


def own(rounds: int, budget: float) -> bool:
    """The form that our own judge asks for: a token, then a reason and a verdict for each statement."""
    print("\nour own form, with a token, all verdicts read: ratio to validate_json on a model with its keys (<= 5)")
    kept = True
    for count in (5, 50):
        answer, statements = rows(count)
        members: dict[str, Any] = {"token": str}
        reply: dict[str, object] = {"token": "vivid-otter"}
        for row in answer:
            key = f"s{row['id']}"
            members |= {f"{key}_why": str, key: Literal["supported", "unsupported"]}
            said = "unsupported" if row["verdict"] == "no" else "supported"
            reply |= {f"{key}_why": row["reason"], key: said}
        text, floor = json.dumps(reply), TypeAdapter(create_model("Reply", **members))

        def read(text: str = text, asked: list[str] = statements) -> list[object]:
            return [v.verdict for v in parse_verdicts(text, asked, token="vivid-otter").verdicts]  # noqa: S106

        assert read() == [reply[f"s{row['id']}"] for row in answer]
        result = medians({"floor": lambda t=text, f=floor: f.validate_json(t), "all": read}, rounds, budget)
        ratio = result["all"] / result["floor"]
        kept = kept and ratio <= 5
        print(f"{count:>9} {len(text) / 1e3:>7.1f} {result['floor'] * 1e6:>9.1f} {ratio:6.2f} {verdict(ratio, 5):>7}")
    return kept


def rate(rounds: int, budget: float) -> bool:
    """Clean replies of five verdicts a second and core, every verdict read."""
    answer, statements = rows(5)
    text = json.dumps(answer)
    seconds = medians({"all": lambda: [v.verdict for v in parse_verdicts(text, statements).verdicts]}, rounds, budget)[
        "all"
    ]
    print(
        f"\nclean replies of 5 verdicts, every verdict read: {1 / seconds:,.0f} a second and core (>= 20,000: "
        f"{verdict(1 / seconds, 20_000, at_least=True)})"
    )
    return 1 / seconds >= 20_000


def broken(answer: list[dict[str, object]]) -> str:
    """Trailing commas, single quotes, a missing bracket at the end."""
    parts = ["{" + ", ".join(f"'{key}': {value!r}" for key, value in row.items()) + ",}" for row in answer]
    return "[" + ",\n ".join(parts)


def combined(answer: list[dict[str, object]]) -> str:
    """One key in single quotes, one trailing comma, no end."""
    text = json.dumps(answer)
    return text.replace('"id"', "'id'", 1).replace("}, {", ",}, {", 1).removesuffix("]")


def unescaped(answer: list[dict[str, object]]) -> str:
    """Quotation marks inside the reasons that nobody escaped."""
    parts = []
    for row in answer:
        words = str(row["reason"]).split(" ")
        reason = " ".join([words[0], f'"{words[1]} {words[2]}"', *words[3:]])
        parts.append(
            f'{{"id": {row["id"]}, "statement": "{row["statement"]}", "reason": "{reason}", "verdict": '
            f'"{row["verdict"]}"}}'
        )
    return "[" + ",\n ".join(parts) + "]"


def repair(rounds: int, budget: float) -> bool:
    """Broken replies against json_repair."""
    try:
        import json_repair  # noqa: PLC0415 - for this comparison only
    except ImportError:
        print("\nbroken replies: json-repair is not installed, not compared")
        return True
    print("\nbroken replies: how many times faster than json_repair.loads (CPU, medians)")
    print(f"{'verdicts':>9} {'kind':>12} {'kB':>7} {'ours us':>9} {'MB/s':>6} {'times':>8}")
    kept = True
    for count in (5, 50, 500):
        answer, statements = rows(count)
        for kind, text, limit in (
            ("broken", broken(answer), 30.0),
            ("combined", combined(answer), 10.0),
            ("unescaped", unescaped(answer), 15.0),
        ):
            reading = parse_verdicts(text, statements)
            assert [v.verdict for v in reading.verdicts] == [
                v.verdict for v in parse_verdicts(json.dumps(answer), statements).verdicts
            ], (kind, count, reading)
            result = medians(
                {
                    "ours": lambda text=text, s=statements: parse_verdicts(text, s).status,
                    "theirs": lambda text=text: json_repair.loads(text),
                },
                rounds,
                budget,
            )
            ratio = result["theirs"] / result["ours"]
            kept = kept and ratio >= limit
            print(
                f"{count:>9} {kind:>12} {len(text) / 1e3:>7.1f} {result['ours'] * 1e6:>9.1f} "
                f"{len(text) / result['ours'] / 1e6:>6.1f} {ratio:>8.1f} {verdict(ratio, limit, at_least=True)} (>= "
                f"{limit:g})"
            )
    return kept


HOSTILE: dict[str, Callable[[int], str]] = {
    "open brackets": lambda n: "[" * n,
    "open keys": lambda n: '{"a":' * (n // 5),
    "unbalanced quotes": lambda n: '[{"a": "b"c"d ' * (n // 14),
    "backslashes": lambda n: '["' + "\\" * n,
    "whitespace": lambda n: " \n\t " * (n // 4),
    "digits": lambda n: "[" + "7" * n,
    "quotes": lambda n: '"' * n,
    "alternating brackets": lambda n: "{[" * (n // 2),
    "fences": lambda n: "```json\n" * (n // 8),
    "verdict labels": lambda n: "verdict: " * (n // 9),
    "verdict lines": lambda n: "verdict: yes\n" * (n // 13),
    "prose": lambda n: "The notice says nothing about this and yet it holds. " * (n // 53),
    "nested thinking": lambda n: "<think>" * (n // 7),
    "closing tags": lambda n: "</think>" * (n // 8),
    "inner quotes": lambda n: '[{"reason": "' + 'he said "no", then ' * (n // 19) + '", "verdict": "yes"}]',
    "false starts": lambda n: "see [a] and {b} or [1, {" * (n // 24),
    "quoted starts": lambda n: '{"' * (n // 2),
    "truncated string": lambda n: '[{"statement":"' + "lorem ipsum " * (n // 12),
    "numbered lines": lambda n: "1. yes\n" * (n // 7),
    "table lines": lambda n: "| 1 | yes |\n" * (n // 12),
    "open tags": lambda n: "<a>" * (n // 3),
    "tag soup": lambda n: "<verdict>yes</b>" * (n // 16),
    "entities": lambda n: "{&quot;a&quot;:" * (n // 15),
    "single rows": lambda n: '{"verdict": "yes"}\n' * (n // 19),
    "commas": lambda n: "[" + "," * n,
    "colons": lambda n: '{"a"' + ":" * n,
    "comments": lambda n: "[" + "/*" * (n // 2),
    "apostrophes": lambda n: "['" + "it's " * (n // 5),
    "key flood": lambda n: "{" + ", ".join(f'"k{k}": 1' for k in range(n // 12)) + "}",
    "labels and dots": lambda n: "Final verdict for each statement in order: " + "Yes. " * (n // 5),
    "ratings": lambda n: "Rating: [[5]] " * (n // 14),
    "many words": lambda n: "a " * (n // 2),
    "bullets": lambda n: "- x\n" * (n // 4),
    "verdict sentences": lambda n: "Verdict: yes. " * (n // 14),
    "clauses": lambda n: "but statement 2 is " * (n // 19),
    "boxes": lambda n: "\\boxed{a} " * (n // 10),
    "rows in tags": lambda n: "<tr><td>" * (n // 8),
    "questions": lambda n: "yes?" * (n // 4),
    "small words": lambda n: "the " * (n // 4),
    "single marks": lambda n: "'" * n,
    "full-width colons": lambda n: "\uff1a\u3002" * (n // 2),
    "bold": lambda n: "**" * (n // 2),
    "lone surrogates": lambda n: "\ud83c" * n,
    "zero width": lambda n: "\u200b" * n,
    "signs after a list": lambda n: "1. yes\n2. no\n\n" + "*" * n,
    "blank lines after a list": lambda n: "1. yes\n2. no\n\n" + "_\n" * (n // 2),
    "quotes after an answer": lambda n: "Yes, " + "> a\n" * (n // 4) + " yes",
    "fences after a score": lambda n: "Score: 4\n" + "```\n" * (n // 4),
    "prose after a list": lambda n: "1. yes\n2. no\n\n" + "The notice is old. " * (n // 19) + "\nCorrection: 2 is yes.",
    "rows without a list": lambda n: '{"id": 1, "verdict": "yes"},\n' * (n // 29),
    "rows of one line": lambda n: '{"id": 1, "verdict": "yes"},' * (n // 28),
    "NUL": lambda n: "\x00" * n,
    "hostile thinking": lambda n: "<think>no</think>" * (n // 17),
    "better and better": lambda n: "A is better than " * (n // 17),
    "short sentences": lambda n: "It is so.\n" * (n // 10),
    "names of aspects": lambda n: ("Sentiment\n" * 20 + ":\n") * (n // 202),
    "prose after JSON": lambda n: '{"verdict": "yes"}\n\n' + "So it is old, it says. " * (n // 23),
}

READERS: dict[str, Callable[[str], object]] = {
    "verdicts": lambda text: list(
        parse_verdicts(text, ["The boat leaves at six.", "The boat is blue.", "Tea is served."]).verdicts
    ),
    "score": lambda text: parse_score(text, 0, 10),
    "label": lambda text: parse_label(text, ["A", "B", "tie"]),
    "statements": parse_statements,
    "object": lambda text: parse_object(text, Row),
}


SHORT = (62, 2_000, 24_000)


def hostile(size: int) -> bool:
    """Hostile inputs: at most 100 ms per MB, linear from n to 4n, short ones cheap, no exception."""
    print(
        f"\nhostile inputs of {size / 1e3:.0f} kB and {4 * size / 1e3:.0f} kB: worst ms per MB (<= 100), growth "
        f"(4n / n), and the worst ms at {', '.join(f'{n / 1e3:g}' for n in SHORT)} kB"
    )
    kept = True
    for name, make in HOSTILE.items():
        texts = (make(size), make(4 * size))
        floor = _growth(json.loads, texts)[0] if _is_json(texts[0]) else 4.0
        cells = [f"decoder x{floor:4.1f}"] if floor != 4.0 else []
        for reader, read in READERS.items():
            growth, times = _growth(read, texts)
            speed = max(took / len(text) * 1e9 for took, text in zip(times, texts, strict=True))
            short = max((_best(read, make(n)), n) for n in SHORT)
            allowed = 5e-3 + short[1] * 3e-6
            good = speed <= 100 and (growth <= 1.75 * max(floor, 4.0) or times[1] < 0.02) and short[0] <= allowed
            kept = kept and good
            cells.append(f"{reader} {speed:5.1f} x{growth:4.1f} {short[0] * 1e3:5.1f} ms{'' if good else ' MISSED'}")
        print(f"{name:>22}  " + "  ".join(cells))
    return kept


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _growth(read: Callable[[str], object], texts: tuple[str, str]) -> tuple[float, tuple[float, float]]:
    """How many times as long the second text takes, and what each takes."""
    first, second = (_best(read, text) for text in texts)
    return second / max(first, 1e-4), (first, second)


def _best(read: Callable[[str], object], text: str) -> float:
    return min(_timed(read, text) for _ in range(3))


def _timed(read: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    read(text)
    return time.process_time() - start


def main() -> None:
    """Run what was asked for; exit 1 where a limit is missed."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="fewer rounds, smaller hostile inputs")
    arguments.add_argument("--only", default="clean,own,rate,repair,hostile")
    chosen = arguments.parse_args()
    rounds, budget, size = (5, 0.02, 50_000) if chosen.quick else (15, 0.06, 250_000)
    parts = {
        "clean": lambda: clean(rounds, budget),
        "own": lambda: own(rounds, budget),
        "rate": lambda: rate(rounds, budget),
        "repair": lambda: repair(rounds, budget),
        "hostile": lambda: hostile(size),
    }
    results = [parts[name]() for name in chosen.only.split(",")]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
