"""What fuzzing found: counts by kind, the smallest failing examples, and what of it is new."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from magistrate.records import Usage

OUTCOMES = ("right", "withheld", "wrong", "crash", "slow")
"""What may become of a reply: read rightly; not or not wholly read; silently wrong; an exception; too slow."""
_WORDS_OF: Final = {"wrong": "silently wrong", "crash": "crashed", "slow": "slow"}
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Example:
    """A reply that a target fails on, made as small as could be.

    Args:
        kind: The kind of failure, as a file of known ones names it.
        outcome: "wrong", "crash" or "slow".
        about: What is special about the reply.
        reply: The reply.
        statements: What the judge was asked about.
        scale: Name of the scale.
        expect: The right reading.
        read: What the target read; None where it crashed.
        error: What it raised.
        contexts: The passages, where a judge was asked and not a parser.
    """

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

    def row(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "kind": self.kind,
            "outcome": self.outcome,
            "about": self.about,
            "reply": self.reply,
            "statements": list(self.statements),
            "scale": self.scale,
            "expect": list(self.expect),
            "read": None if self.read is None else list(self.read),
            "error": self.error,
            **({"contexts": list(self.contexts)} if self.contexts else {}),
        }

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
        examples: The smallest failing example of each kind of failure.
        seconds: How long it took.
        usage: What the calls to a judge cost; None where a parser was fuzzed.
    """

    target: str
    seed: int
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    examples: list[Example] = field(default_factory=list)
    seconds: float = 0.0
    usage: Usage | None = None

    def note(self, kind: str, outcome: str) -> None:
        """Count a reply."""
        self.counts.setdefault(kind, Counter())[outcome] += 1

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

        A judge that was right about nothing is not acceptable either.

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
        # A parser may read nothing and be honest; of a judge that answered nothing, nothing was found out.
        return [*failed, "none right"] if self.usage is not None and not self.total("right") else failed

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
        cases, bad = [], 0
        for kind, counts in sorted(self.counts.items()):
            mine = [name for name in OUTCOMES[2:] if f"{name}: {kind}" in failed]
            bad += bool(mine)
            body = "".join(
                f"<failure message={quoteattr(f'{counts[name]} {name}')}>"
                f"{escape(_plain(shown.get(f'{name}: {kind}', '')))}</failure>"
                for name in mine[:1]
            )
            cases.append(
                f"<testcase classname={quoteattr(self.target)} name={quoteattr(_plain(kind))}>{body}</testcase>"
            )
        head = f'<testsuite name="magistrate fuzz" tests="{len(cases)}" failures="{bad}" time="{self.seconds:.3f}">'
        return f'<?xml version="1.0" encoding="utf-8"?>\n{head}{"".join(cases)}</testsuite>\n'

    def text(self) -> str:
        """Return the report as lines for people."""
        width = max((len(kind) for kind in self.counts), default=4)
        lines = [f"{'kind':{width}} " + " ".join(f"{name:>8}" for name in OUTCOMES)]
        lines += [
            f"{kind:{width}} " + " ".join(f"{counts[name] or '.':>8}" for name in OUTCOMES)
            for kind, counts in sorted(self.counts.items())
        ]
        lines.append(f"{'total':{width}} " + " ".join(f"{self.total(name):>8}" for name in OUTCOMES))
        for example in self.examples[:_SHOWN]:
            lines += ["", *example.lines()]
        if len(self.examples) > _SHOWN:
            lines += ["", f"... and {len(self.examples) - _SHOWN} further kinds; --json has them all"]
        return "\n".join(lines)


def _plain(text: str) -> str:
    """Leave out what XML cannot hold, and what would steer a terminal: replies of a model come from outside."""
    return "".join(c if c in "\n\t" or (c.isprintable() and not "\ud800" <= c <= "\udfff") else "?" for c in text)
