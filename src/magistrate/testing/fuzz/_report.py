"""What fuzzing found: counts by kind, the smallest failing examples, and what of it is new."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement, tostring

from magistrate.errors import ConfigurationError
from magistrate.records import Usage

OUTCOMES = ("right", "withheld", "wrong", "crash", "slow")
"""What may become of a reply: read rightly; not or not wholly read; silently wrong; an exception; too slow."""
_WORDS_OF: Final = {"wrong": "silently wrong", "crash": "crashed", "slow": "slow"}
_OPTIONAL: Final = ("contexts", "case", "asked", "why")
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
    case: str = ""
    asked: str = ""
    why: str = ""

    @property
    def key(self) -> str:
        """What it is known by: its kind; a reply of the corpus by its own name too."""
        return f"{self.kind}: {self.case}" if self.case else self.kind

    @property
    def size(self) -> tuple[int, int, str]:
        """By what the smallest is chosen: the passages and statements where a judge was asked, then the reply."""
        given = sum(map(len, (*self.contexts, *self.statements))) if self.contexts else 0
        return given, len(self.reply), self.reply

    def row(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {name: value for name, value in asdict(self).items() if value or name not in _OPTIONAL}

    def lines(self) -> list[str]:
        """Return it as lines for people."""
        made = [f"{self.outcome}: {self.about}{f': {self.case}' if self.case else ''}"]
        if self.contexts:
            passages = [line for text in self.contexts for line in text.split("\n")]
            made += [
                *(f"    > {_plain(line)}" for line in passages[:40]),
                *(f"    ? {text}" for text in self.statements),
            ]
        if self.reply or not self.contexts:
            made += [f"    | {_plain(line)}" for line in self.reply.split("\n")[:40]]
        if self.error is not None:
            return [*made, f"    error: {_plain(self.error)}"]
        told = [f"    {name} {text}" for name, text in (("asked:", self.asked), ("why:  ", self.why)) if text]
        return [*made, f"    right: {_words(self.expect)}", f"    read:  {_words(self.read or ())}", *told]


def _words(reading: Sequence[Any]) -> str:
    return ", ".join("-" if word is None else str(word) for word in reading)


def read_known(file: str | Path) -> tuple[str, ...]:
    """Read the failures that `magistrate fuzz --write-accept` wrote down.

    Raises:
        ConfigurationError: If the file is not of that form, or cannot be read.
    """
    try:
        kinds = json.loads(Path(file).read_text(encoding="utf-8"))["kinds"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        kinds = error
    if not isinstance(kinds, list):
        raise ConfigurationError(f"{file} is no file of magistrate fuzz --write-accept: {repr(kinds)[:80]}")
    return tuple(map(str, kinds))


@dataclass
class FuzzReport:
    """What became of the replies.

    Args:
        target: The target's name.
        seed: The seed.
        counts: Per kind how often each of `OUTCOMES` was met.
        smallest: By kind of failure its smallest example, and every reply of the corpus that failed.
        seconds: How long it took.
        unknown: Words that the target gave and that mean no verdict that is known; they count as withheld.
        usage: What the calls to a judge cost; None where a parser was fuzzed.
        answered: Whether a verdict, score or label was read of any reply.
    """

    target: str
    seed: int
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    smallest: dict[str, Example] = field(default_factory=dict)
    seconds: float = 0.0
    unknown: Sequence[str] = ()
    usage: Usage | None = None
    answered: bool = False

    def note(self, kind: str, outcome: str) -> None:
        """Count a reply."""
        self.counts.setdefault(kind, Counter())[outcome] += 1

    def keep(self, example: Example) -> None:
        """Keep an example if it is the smallest of its kind of failure."""
        known = self.smallest.get(example.key)
        if known is None or example.size < known.size:
            self.smallest[example.key] = example

    @property
    def examples(self) -> list[Example]:
        """The smallest failing example of each kind of failure, and every reply of the corpus that failed."""
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

    def known(self) -> list[str]:
        """Return what is accepted from now on: the kinds of failure that were met, of the corpus the replies."""
        return sorted(example.key for examples in self.new().values() for example in examples)

    def new(self, accepted: Sequence[str] = ()) -> dict[str, list[Example]]:
        """Return by kind of failure the examples that are not known, the smallest first.

        Args:
            accepted: Kinds of failure, or replies of the corpus, that are known.
        """
        known, met, found = set(accepted), set(self.kinds()), dict[str, list[Example]]()
        for example in self.examples:
            if example.kind in met and known.isdisjoint((example.kind, example.key)):
                found.setdefault(example.kind, []).append(example)
        return found

    def failures(self, *, max_wrong: int = 0, accepted: Sequence[str] = ()) -> list[str]:
        """Say what is not acceptable: more silently wrong readings than allowed, any crash, any reply too slow.

        A judge that was right about nothing is not acceptable either, nor a parser that read nothing at all.

        Args:
            max_wrong: Silently wrong readings that are allowed.
            accepted: Kinds of failure, or replies of the corpus, that are known and do not count.
        """
        new: Counter[str] = Counter()
        for failure, examples in self.new(accepted).items():
            name, _, kind = failure.partition(": ")
            new[name] += len(examples) if examples[0].case else self.counts[kind][name]
        failed = [f"{new['wrong']} silently wrong, {max_wrong} allowed"] if new["wrong"] > max_wrong else []
        failed += [f"{new[name]} {_WORDS_OF[name]}" for name in ("crash", "slow") if new[name]]
        if self.usage is not None:
            return failed if self.total("right") else [*failed, "none right"]
        # To withhold is honest; but of what withholds everything nothing was found out, and often it is called wrongly.
        read = self.answered or not self.total("withheld") + self.total("crash")
        why = "its words are unknown, see --labels" if self.unknown else "see what it is called with, and returns"
        return failed if read else [*failed, f"not one reply was read ({why})"]

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
        shown = {kind: "\n".join(examples[0].lines()) for kind, examples in self.new().items()}
        failed = shown if failures is None else {kind: text or shown.get(kind, "") for kind, text in failures.items()}
        suite = Element("testsuite", name="magistrate fuzz", tests=str(len(self.counts)), time=f"{self.seconds:.3f}")
        for kind, counts in sorted(self.counts.items()):
            case = SubElement(suite, "testcase", classname=self.target, name=_plain(kind))
            bad = next((name for name in OUTCOMES[2:] if f"{name}: {kind}" in failed), None)
            if bad is not None:
                found = SubElement(case, "failure", message=f"{counts[bad]} {bad}")
                found.text = _plain(failed[f"{bad}: {kind}"])
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        return tostring(suite, encoding="unicode", xml_declaration=False).join(
            ('<?xml version="1.0" encoding="utf-8"?>\n', "\n")
        )

    def text(self, accepted: Sequence[str] = ()) -> str:
        """Return the report as lines for people.

        Args:
            accepted: Failures that are known: only the others are shown, and which of these are gone.
        """
        shown = self.new(accepted)
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
        for examples in islice(shown.values(), _SHOWN):
            lines += ["", *examples[0].lines()]
        left = len(shown) - _SHOWN
        lines += ["", f"... and {left} further kinds; --json FILE has them all"] if left > 0 else []
        if accepted:
            gone = sorted(set(accepted).difference(self.kinds(), self.known()))
            lines += ["", f"known failures met: {len(set(accepted)) - len(gone)}; gone: {', '.join(gone) or 'none'}"]
            lines += ["what is gone is accepted where it comes back: --write-accept drops it"] if gone else []
        return "\n".join(lines)


def _plain(text: str) -> str:
    """Write out what XML cannot hold or nobody sees, and what would steer a terminal: replies come from outside."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)
