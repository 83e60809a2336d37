"""What a target is asked to read, with the right reading: cases of the corpus, and generated replies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from magistrate.testing.corpus import CorpusCase, load_corpus
from magistrate.testing.strategies import SLIPS, cut, damaged, planted, replies

ANY: Final = "any"
"""In a right reading: nobody could tell, so any reading will do."""


@dataclass(frozen=True, slots=True)
class Question:
    """A reply and its right reading.

    Args:
        task: "verdicts", "score" or "label".
        kind: What is special about it.
        reply: The reply.
        expect: What to read: a verdict per statement, or one score or label. None where nothing is safe to use, `ANY`
            where any reading will do.
        statements: The statements asked about.
        scale: Name of the scale.
        finish_reason: Why the provider stopped.
        contexts: What the judge saw.
        choices: The labels on offer.
        low: The lowest score.
        high: The highest score.
    """

    task: str
    kind: str
    reply: str
    expect: tuple[Any, ...]
    statements: tuple[str, ...] = ()
    scale: str = "binary"
    finish_reason: str | None = None
    contexts: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def corpus_questions(task: str) -> Iterator[Question]:
    """Give the cases of the corpus that set a task."""
    for case in load_corpus(task):
        if task != "verdicts" or case.statements:
            yield Question(
                task=task,
                kind=case.kind,
                reply=case.raw,
                expect=_expected(case),
                statements=case.statements,
                scale=case.scale or "binary",
                finish_reason=case.finish_reason,
                choices=case.choices,
                low=case.low,
                high=case.high,
            )


def _expected(case: CorpusCase) -> tuple[Any, ...]:
    if case.task == "verdicts":
        return case.expect.verdicts or (None,) * len(case.statements)
    return (case.expect.value if case.task == "score" else case.expect.label,)


@st.composite
def generated(draw: st.DrawFn, *, ends: bool = False) -> Question:
    """Replies in every format, wrapping and language; with slips, damage, planted answers, cut off."""
    variant = draw(st.sampled_from(["as meant", "as meant", "with a slip", "damaged", "cut off", "planted"]))
    reply = draw(
        replies(
            slips=tuple(SLIPS) if variant == "with a slip" else (),
            plant=planted() if variant == "planted" else None,
        )
    )
    expect: tuple[Any, ...] = tuple(verdict.value for verdict in reply.verdicts)
    finish: str | None = "stop"
    if variant == "damaged":
        broken, at, kind = draw(damaged(reply))
        touched = reply.touched(kind, at)
        expect = tuple(ANY if index in touched else word for index, word in enumerate(expect))
        reply = broken
    elif variant == "cut off" and (reply.closed or ends):
        reply, _ = draw(cut(reply))
        finish = "length"
    slip = f" ({', '.join(reply.slips)})" if reply.slips else ""
    kind = f"{reply.format}, {variant}{slip}"
    return Question(
        task="verdicts",
        kind=kind,
        reply=reply.text,
        expect=expect,
        statements=reply.statements,
        scale=reply.scale.name,
        finish_reason=finish,
        contexts=reply.contexts,
    )
