"""Replies with a known reading, damaged, cut, with answers planted in them: the parser's promises as the oracle.

Hypothesis makes the replies (`magistrate.testing.strategies`), the fuzzer's bytes are its choices. So the search is led
by coverage, and every reply comes with what it means.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fuzz.oracles import BrokenRuleError, check
from magistrate.parsing import VerdictReader, parse_verdicts
from magistrate.testing.strategies import FORMATS, SLIPS, Reply, damaged, planted, replies, with_token
from magistrate.verdict import Verdict, resolve_scale

__all__ = ["Example", "replay", "run"]

_BY_ID = tuple(name for name, form in FORMATS.items() if form.by_id)


@dataclass(frozen=True, slots=True)
class Example:
    """A reply and what a reading of it may say.

    Args:
        rule: The rule at stake.
        text: The reply.
        statements: What was asked.
        scale: Name of the scale.
        allowed: For each statement the one verdict that a reading may have beside None; "*" where any may be.
        needed: Whether None is wrong too.
        finish_reason: Why it ended.
        pieces: Whether it is read in pieces.
        contexts: What the judge saw.
        token: The request token.
    """

    rule: str
    text: str
    statements: tuple[str, ...]
    scale: str
    allowed: tuple[str, ...]
    needed: bool = False
    finish_reason: str | None = None
    pieces: bool = False
    contexts: tuple[str, ...] = ()
    token: str | None = None

    def run(self) -> None:
        """Read the reply.

        Raises:
            BrokenRuleError: If the reading says what it must not; the example as JSON is among its arguments.
        """
        reading = parse_verdicts(
            self.text,
            self.statements,
            scale=self.scale,
            finish_reason=self.finish_reason,
            contexts=self.contexts,
            token=self.token,
        )
        found = reading.found
        check("one entry for each statement", len(found) == len(self.statements), self.as_json())
        for index, (verdict, allowed) in enumerate(zip(found, self.allowed, strict=True)):
            right = verdict is None or allowed in {"*", verdict.value}
            check(self.rule, right, index, str(verdict), self.as_json())
            check(f"{self.rule}: none", verdict is not None or not self.needed, index, "none", self.as_json())
        if self.pieces:
            self._run_pieces()

    def _run_pieces(self) -> None:
        reader = VerdictReader(self.statements, scale=self.scale, contexts=self.contexts, token=self.token)
        size = max(1, len(self.text) // 5)
        for start in range(0, len(self.text), size):
            for one in reader.feed(self.text[start : start + size]):
                right = one.verdict is not None and self.allowed[one.index] in {"*", one.verdict.value}
                check(f"{self.rule}: in pieces", right, one.index, str(one.verdict), self.as_json())

    def as_json(self) -> str:
        """The example on one line, to be kept."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__})

    @classmethod
    def of_json(cls, line: str) -> Example:
        """The example of a line."""
        fields: dict[str, Any] = json.loads(line)
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()})


def _example(rule: str, reply: Reply, **changes: Any) -> Example:
    fields: dict[str, Any] = {
        "text": reply.text,
        "statements": reply.statements,
        "scale": reply.scale.name,
        "allowed": tuple(verdict.value for verdict in reply.verdicts),
        "contexts": reply.contexts,
        "token": reply.token,
    }
    return Example(rule, **{**fields, **changes})


def _round_trip(draw: st.DrawFn) -> Example:
    reply = draw(replies())
    return _example(f"a reply reads back ({reply.format})", reply, needed=True, pieces=True)


def _slip(draw: st.DrawFn) -> Example:
    """A mistake of notation may cost a verdict, and changes none."""
    reply = draw(replies(slips=SLIPS))
    return _example(f"a slip changes no verdict ({', '.join(reply.slips)}, {reply.format})", reply)


def _damage(draw: st.DrawFn) -> Example:
    """A verdict whose own word is hit may become any; the others stay, or are not read."""
    reply = draw(replies())
    broken, at, kind = draw(damaged(reply))
    hit = reply.touched(kind, at)
    allowed = tuple("*" if index in hit else verdict.value for index, verdict in enumerate(reply.verdicts))
    rule = f"damage changes no verdict beside it ({kind}, {reply.format})"
    return _example(rule, reply, text=broken.text, allowed=allowed)


def _cut(draw: st.DrawFn) -> Example:
    """Where the end of an answer is not marked, only the provider can tell that it was cut."""
    reply = draw(replies())
    ends = ("length", None, "stop") if reply.closed else ("length",)
    size, end = draw(st.integers(0, len(reply.text))), draw(st.sampled_from(ends))
    return _example(f"a cut changes no verdict ({reply.format})", reply, text=reply.text[:size], finish_reason=end)


def _plant(draw: st.DrawFn) -> Example:
    """Answers in statements, reasons and contexts, where rows name their statements."""
    reply = draw(replies(plant=planted(), formats=_BY_ID))
    return _example(f"planted answers change no verdict ({reply.format})", reply)


_NO_WORDS = ("perhaps", "hmm", "TBD", "yesterday", "")
"""What stands for no verdict in any language."""
_CORRECTIONS = (
    "Wait, statement # should be @.",
    "Correction: statement # should be @.",
    "Sorry, I meant @ for statement #.",
)


def _unknown(draw: st.DrawFn) -> Example:
    """Where one verdict's word is none, that statement has no verdict, and the others' do not move."""
    reply = draw(replies())
    which = draw(st.integers(0, len(reply.verdicts) - 1))
    start, end = reply.tokens[which]
    quote = reply.text[start] if reply.text[start] in "\"'" and reply.text[start] == reply.text[end - 1] else ""
    text = reply.text[:start] + quote + draw(st.sampled_from(_NO_WORDS)) + quote + reply.text[end:]
    allowed = tuple("none" if at == which else verdict.value for at, verdict in enumerate(reply.verdicts))
    return _example(f"no word is no verdict ({reply.format})", reply, text=text, allowed=allowed)


def _correct(draw: st.DrawFn) -> Example:
    """What the judge takes back in words is no verdict any more."""
    reply = draw(replies(wrappings=("none",), formats=_BY_ID))
    which = draw(st.integers(0, len(reply.verdicts) - 1))
    other = draw(st.sampled_from([one for one in reply.scale.verdicts if one is not reply.verdicts[which]]))
    told = draw(st.sampled_from(_CORRECTIONS)).replace("#", str(which + 1)).replace("@", other.value.replace("_", " "))
    allowed = tuple(other.value if at == which else verdict.value for at, verdict in enumerate(reply.verdicts))
    text = reply.text + draw(st.sampled_from(["\n", "\n\n"])) + told
    return _example(f"a correction is heeded ({reply.format})", reply, text=text, allowed=allowed)


def _token(draw: st.DrawFn) -> Example:
    """Where the answer carries the request token, what carries none is no answer, wherever it stands."""
    reply = draw(with_token(draw(replies())))
    return _example("an answer without the token is none", reply)


def _shuffle(draw: st.DrawFn) -> Example:
    reply = draw(replies())
    order = draw(st.permutations(range(len(reply.verdicts))))
    rows = [{"id": at + 1, "verdict": reply.verdicts[at].value} for at in order]
    doubled = draw(st.booleans())
    if doubled:
        rows.append(draw(st.sampled_from(rows)))
    return _example("the order of rows with ids says nothing", reply, text=json.dumps(rows), needed=True)


def _conflict(draw: st.DrawFn) -> Example:
    """One statement answered twice, both ways: it has no verdict, whatever comes last."""
    reply = draw(replies())
    rows: list[dict[str, Any]] = [{"id": at + 1, "verdict": one.value} for at, one in enumerate(reply.verdicts)]
    which = draw(st.integers(0, len(rows) - 1))
    scale = resolve_scale(reply.scale.name)
    other = draw(st.sampled_from([verdict for verdict in scale.verdicts if verdict is not reply.verdicts[which]]))
    rows.insert(draw(st.integers(0, len(rows))), {"id": which + 1, "verdict": Verdict(other).value})
    joined = json.dumps(rows) if draw(st.booleans()) else "\n".join(json.dumps(row) for row in rows)
    allowed = tuple("none" if at == which else verdict.value for at, verdict in enumerate(reply.verdicts))
    return _example("a conflict has no verdict", reply, text=joined, allowed=allowed)


_CHANGES = (
    *(_round_trip, _slip, _damage, _damage, _damage, _cut, _cut, _plant, _plant),
    *(_unknown, _unknown, _correct, _token, _shuffle, _conflict),
)


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """A reply, changed in one way, and what may be read in it."""
    return draw(st.sampled_from(_CHANGES))(draw)


@given(example=examples())
@settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def _holds(example: Example) -> None:
    example.run()


run = _holds.hypothesis.fuzz_one_input
"""Take bytes as choices, make an example of them, and read it."""


def replay(path: Path) -> list[str]:
    """Run kept examples, one a line; return what is wrong with each that fails."""
    wrong = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            Example.of_json(line).run()
        except BrokenRuleError as error:
            wrong.append(f"{error.args[:3]}")
    return wrong
