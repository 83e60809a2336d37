"""What fuzzing found: counts by kind, the smallest failing examples, and what of it is new."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement, tostring

from magistrate.records import Usage

OUTCOMES = ("right", "withheld", "wrong", "crash", "slow")
"""What may become of a reply: read rightly; not or not wholly read; silently wrong; an exception; too slow."""
_WORDS_OF: Final = {"wrong": "silently wrong", "crash": "crashed", "slow": "slow"}
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Example:
    """A reply that a target fails on, made as small as could be."""

    kind: str
    outcome: str
    about: str
    reply: str
    statements: Sequence[str]
    scale: str
    expect: Sequence[Any]
    read: Sequence[Any] | None = None
    error: str | None = None
    contexts: Sequence[str] = ()

    @property
    def size(self) -> tuple[int, int, str]:
        """By what the smallest is chosen: the passages and statements where a judge was asked, then the reply."""
        given = sum(map(len, (*self.contexts, *self.statements))) if self.contexts else 0
        return given, len(self.reply), self.reply

    def row(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {name: value for name, value in asdict(self).items() if name != "contexts" or value}

    def lines(self) -> list[str]:
        """Return it as lines for people."""
        made = [f"{self.outcome}: {self.about}"]
        if self.contexts:
            passages = [line for text in self.contexts for line in text.split("\n")]
            made += [
                *(f"    > {_plain(line)}" for line in passages[:40]),
                *(f"    ? {text}" for text in self.statements),
            ]
        if self.reply or not self.contexts:
            made += [f"    | {_plain(line)}" for line in self.reply.split("\n")[:40]]
        if self.error is not None:
            return [*made, f"    raised {_plain(self.error)}"]
        return [*made, f"    right: {_words(self.expect)}", f"    read:  {_words(self.read or ())}"]


def _words(reading: Sequence[Any]) -> str:
    return ", ".join("-" if word is None else str(word) for word in reading)


@dataclass
class FuzzReport:
    """What became of the replies.

    Args:
        target: The target's name.
        seed: The seed.
        counts: Per kind how often each of `OUTCOMES` was met.
        smallest: By kind of failure its smallest example.
        seconds: How long it took.
        unknown: Words that the target gave and that mean no verdict that is known; they count as withheld.
        usage: What the calls to a judge cost; None where a parser was fuzzed.
        raised: By kind of failure and type of exception its smallest example.
        answered: Whether a verdict, score or label was read of any reply.
    """

    target: str
    seed: int
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    smallest: dict[str, Example] = field(default_factory=dict)
    seconds: float = 0.0
    unknown: Sequence[str] = ()
    usage: Usage | None = None
    raised: dict[tuple[str, str], Example] = field(default_factory=dict, repr=False)
    answered: bool = False

    def note(self, kind: str, outcome: str) -> None:
        """Count a reply."""
        self.counts.setdefault(kind, Counter())[outcome] += 1

    def keep(self, example: Example) -> None:
        """Keep an example if it is the smallest of its kind of failure."""
        known = self.smallest.get(example.kind)
        if known is None or example.size < known.size:
            self.smallest[example.kind] = example
        if example.outcome == "crash":
            raised = (example.kind, (example.error or "").partition(":")[0])
            self.raised[raised] = min(example, self.raised.get(raised, example), key=lambda one: one.size)

    @property
    def examples(self) -> list[Example]:
        """The smallest failing example of each kind of failure."""
        return sorted(self.smallest.values(), key=lambda example: (OUTCOMES.index(example.outcome), example.size))

    def total(self, outcome: str | None = None) -> int:
        """Return how many replies there were, or how many with an outcome."""
        names = OUTCOMES if outcome is None else (outcome,)
        return sum(counts[name] for counts in self.counts.values() for name in names)

    def kinds(self) -> list[str]:
        """Return the kinds of failure that were met."""
        return sorted(
            f"{name}: {kind}" for kind, counts in self.counts.items() for name in OUTCOMES[2:] if counts[name]
        )

    def failures(self, *, max_wrong: int = 0, accepted: Sequence[str] = ()) -> list[str]:
        """Say what is not acceptable: more silently wrong readings than allowed, any crash, any reply too slow.

        A judge that was right about nothing is not acceptable either, nor a parser that read nothing at all.

        Args:
            max_wrong: Silently wrong readings that are allowed.
            accepted: Kinds of failure that are known and do not count.
        """
        known = set(accepted)
        new: Counter[str] = Counter()
        for kind, counts in self.counts.items():
            for name in OUTCOMES[2:]:
                if f"{name}: {kind}" not in known:
                    new[name] += counts[name]
        failed = [f"{new['wrong']} silently wrong, {max_wrong} allowed"] if new["wrong"] > max_wrong else []
        failed += [f"{new[name]} {_WORDS_OF[name]}" for name in ("crash", "slow") if new[name]]
        if self.usage is not None:
            return failed if self.total("right") else [*failed, "none right"]
        # To withhold is honest; but of what withholds everything nothing was found out, and often it is called wrongly.
        read = self.answered or not self.total("withheld") + self.total("crash")
        return failed if read else [*failed, "not one reply was read (it is given a reply and the list of statements)"]

    def conclusion(self, failed: Sequence[str]) -> str:
        """Say in a few words how it went.

        Args:
            failed: What is not acceptable, as `failures` says it.
        """
        if failed:
            return ", ".join(failed)
        met = [f"{self.total(name)} {word}" for name, word in _WORDS_OF.items() if self.total(name)]
        return f"{', '.join(met)}, all of it known or allowed" if met else "nothing wrong"

    def row(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "target": self.target,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            **({} if self.usage is None else {"usage": asdict(self.usage)}),
            **({"unknown_words": list(self.unknown)} if self.unknown else {}),
            "totals": {name: self.total(name) for name in OUTCOMES},
            "kinds": {kind: {name: counts[name] for name in OUTCOMES} for kind, counts in sorted(self.counts.items())},
            "examples": [example.row() for example in self.examples],
        }

    def json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(self.row(), indent=2, ensure_ascii=False)

    def junit(self, failures: Mapping[str, str] | None = None) -> str:
        """Return the report as JUnit XML: a test case a kind.

        Args:
            failures: Kinds that count as failed, with a message; None for all that failed.
        """
        shown = {example.kind: "\n".join(example.lines()) for example in self.examples}
        failed = dict.fromkeys(self.kinds(), "") if failures is None else failures
        suite = Element("testsuite", name="magistrate fuzz", tests=str(len(self.counts)), time=f"{self.seconds:.3f}")
        for kind, counts in sorted(self.counts.items()):
            case = SubElement(suite, "testcase", classname=self.target, name=_plain(kind))
            bad = next((name for name in OUTCOMES[2:] if f"{name}: {kind}" in failed), None)
            if bad is not None:
                found = SubElement(case, "failure", message=f"{counts[bad]} {bad}")
                found.text = _plain(shown.get(f"{bad}: {kind}", ""))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        return tostring(suite, encoding="unicode", xml_declaration=False).join(
            ('<?xml version="1.0" encoding="utf-8"?>\n', "\n")
        )

    def text(self, accepted: Sequence[str] = ()) -> str:
        """Return the report as lines for people.

        Args:
            accepted: Kinds of failure that are known: only the others are shown, and which of these are gone.
        """
        met = self.kinds()
        shown = {kind for kind in met if kind not in set(accepted)}
        failed = {kind.partition(": ")[2] for kind in shown}
        rows: list[tuple[str, Collection[str]]] = [(kind, [kind]) for kind in sorted(failed)]
        others = self.counts.keys() - failed
        rows += [(f"{len(others)} kinds, {'nothing new' if accepted else 'nothing wrong'}", others)] if others else []
        rows.append(("total", self.counts))
        width = max(len(name) for name, _ in rows)
        lines = [f"{'kind':{width}} " + " ".join(f"{name:>8}" for name in OUTCOMES)]
        for name, kinds in rows:
            sums = [sum(self.counts[kind][outcome] for kind in kinds) for outcome in OUTCOMES]
            lines.append(f"{name:{width}} " + " ".join(f"{n or ('.' if name in failed else 0):>8}" for n in sums))
        if self.unknown:
            words = ", ".join(_plain(repr(word)) for word in self.unknown[:_SHOWN])
            lines += ["", f"withheld: unknown word {words}: say what it means with --labels WORD=VERDICT"]
        if self.total("withheld"):
            lines += ["", "withheld is fine: not read though it could be, which costs coverage and misleads nobody"]
        wrong = [example for example in self.examples if example.kind in shown and example.outcome != "crash"]
        crashes = sorted(
            ((kind, one) for kind, one in self.raised.items() if kind[0] in shown), key=lambda o: o[1].size
        )
        by_type = {raised: one for (_, raised), one in reversed(crashes)}
        examples = [*wrong[:_SHOWN], *sorted(by_type.values(), key=lambda one: one.size)[: _SHOWN // 2]]
        for example in examples:
            lines += ["", *example.lines()]
        left = len(shown - {example.kind for example in examples})
        lines += ["", f"... and {left} further kinds; the JSON report has them all"] if left else []
        if accepted:
            gone = sorted(set(accepted) - set(met))
            lines += ["", f"known kinds met again: {len(met) - len(shown)}; gone: {', '.join(gone) or 'none'}"]
        return "\n".join(lines)


def _plain(text: str) -> str:
    """Write out what XML cannot hold or nobody sees, and what would steer a terminal: replies come from outside."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)
