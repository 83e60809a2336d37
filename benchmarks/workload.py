"""The cases of the benchmarks: 200 answers of five sentences, each with three passages of about 130 words.

Everything is made from the tables below with a fixed seed, so every run and every client gets the same texts, and the
right verdict of each sentence is known.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from magistrate.testing import Oracle
from magistrate.testing.oracle import sentences
from magistrate.verdict import Verdict

TOWNS = (
    "Arlen",
    "Brookvale",
    "Carrow",
    "Dunmere",
    "Easthaven",
    "Fenwick",
    "Garside",
    "Hollin",
    "Ivelford",
    "Kestrel",
    "Larkhill",
    "Marwood",
)
PLACES = [
    ("the public library", "readers", "books"),
    ("the swimming hall", "visitors", "lockers"),
    ("the allotment garden", "members", "plots"),
    ("the repair workshop", "volunteers", "benches"),
    ("the music school", "students", "instruments"),
    ("the recycling centre", "residents", "containers"),
    ("the bicycle station", "customers", "stands"),
    ("the history museum", "guests", "audio guides"),
]
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FACTS = [
    "{place} opens at {n} minutes past eight every {day}.",
    "The council spent {n} thousand pounds on {place} last year.",
    "At most {n} {people} may use {place} at the same time.",
    "Every {day} a guide takes {n} {people} through {place}.",
    "There are {n} numbered {things} available at {place}.",
    "A yearly ticket for {place} costs {n} pounds for adults.",
    "The nearest bus stop is {n} metres away from {place}.",
    "Registration as one of the {people} of {place} takes {n} days.",
    "Since its reconstruction {place} has {n} square metres of floor space.",
    "Altogether {n} employees, most of them part time, work at {place}.",
    "According to its management, {place} attracted {n} additional {people} this summer.",
]
FILLERS = [
    "People who come for the first time are asked to register at the information desk near the entrance.",
    "Bags, umbrellas and coats can be left in the entrance hall without any additional charge.",
    "The building is comfortably heated in winter, and a modern lift leads to the upper floor.",
    "Questions about opening hours, prices and events are answered by telephone during office hours.",
    "Children under ten years have to be accompanied by a responsible adult at all times.",
]
UNKNOWN = [
    "The architect of {place} had previously won a prize for a bridge.",
    "Most {people} of {place} come from the neighbouring villages.",
    "The walls of {place} were painted by a local school class.",
    "A documentary about {place} was produced by university students.",
]
_NUMBER = re.compile(r"\d+")
REASONS = {
    Verdict.SUPPORTED: "The passage states exactly this, with the same number.",
    Verdict.CONTRADICTED: "The passage gives a different number, which rules this out.",
    Verdict.NOT_ENOUGH_INFO: "None of the passages mentions this, neither to confirm nor deny it.",
}


@dataclass(frozen=True, slots=True)
class BenchCase:
    """A case and the right verdict of each sentence of its answer."""

    question: str
    answer: str
    contexts: tuple[str, ...]
    verdicts: tuple[Verdict, ...]


def make_cases(count: int = 200, seed: int = 20261127) -> list[BenchCase]:
    """Make the cases: one to four of the five sentences of each answer are supported."""
    rng = random.Random(seed)  # noqa: S311 - a workload, not a secret
    return [_case(rng, number) for number in range(count)]


def _case(rng: random.Random, number: int) -> BenchCase:
    town = TOWNS[number % len(TOWNS)]
    chosen = rng.sample(PLACES, 3)
    contexts, facts = [], []
    for place, people, things in chosen:
        words = {"town": town, "place": place, "people": people, "things": things}
        stated = [
            (template, {**words, "n": rng.randrange(3, 900), "day": rng.choice(DAYS)})
            for template in rng.sample(FACTS, 7)
        ]
        facts += stated
        lines = [_sentence(template, values) for template, values in stated] + rng.sample(FILLERS, 3)
        rng.shuffle(lines)
        contexts.append(" ".join(lines))
    supported = rng.randrange(1, 5)
    picked = rng.sample(facts, 5)
    unknown = rng.sample(UNKNOWN, len(UNKNOWN))
    answer = [(_sentence(template, values), Verdict.SUPPORTED) for template, values in picked[:supported]]
    for template, values in picked[supported:]:
        if rng.random() < 0.5:
            wrong = {**values, "n": int(str(values["n"])) + 7}
            answer.append((_sentence(template, wrong), Verdict.CONTRADICTED))
        else:
            answer.append((_sentence(unknown.pop(), values), Verdict.NOT_ENOUGH_INFO))
    rng.shuffle(answer)
    return BenchCase(
        f"What should I know before I visit these places in {town}?",
        " ".join(text for text, _ in answer),
        tuple(contexts),
        tuple(verdict for _, verdict in answer),
    )


def _sentence(template: str, values: Mapping[str, object]) -> str:
    text = template.format(**values)
    return text[0].upper() + text[1:]


def make_oracle(cases: Sequence[BenchCase]) -> Oracle:
    """Return an oracle that judges these cases by what the passages that it sees say, be they only a part of them.

    What is supported stands in a passage word by word; what is contradicted stands there with a number that is seven
    less; anything else stands nowhere.

    Raises:
        AssertionError: If that is not so in one of the cases.
    """

    def verdict(statement: str, passages: Sequence[str]) -> tuple[Verdict, str]:
        read = "\n".join(passages)
        changed = [
            statement[: number.start()] + str(int(number[0]) - 7) + statement[number.end() :]
            for number in _NUMBER.finditer(statement)
        ]
        found = Verdict.NOT_ENOUGH_INFO
        if statement in read:
            found = Verdict.SUPPORTED
        elif any(other in read for other in changed):
            found = Verdict.CONTRADICTED
        return found, REASONS[found]

    for case in cases:
        judged = tuple(verdict(statement, case.contexts)[0] for statement in sentences(case.answer))
        assert judged == case.verdicts, case
    return Oracle(verdict=verdict)
