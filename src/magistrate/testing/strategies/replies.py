"""The strategy that puts formats, wrappings, languages and slips together."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from magistrate.testing.strategies.formats import FORMATS
from magistrate.testing.strategies.material import REASONS, Ask, statement_lists
from magistrate.testing.strategies.reply import Reply
from magistrate.testing.strategies.style import with_slips
from magistrate.testing.strategies.words import WORDS
from magistrate.testing.strategies.wrappings import WRAPPINGS
from magistrate.verdict import BINARY, TERNARY, Scale

__all__ = ["replies"]


@st.composite
def replies(
    draw: st.DrawFn,
    *,
    formats: Sequence[str] = tuple(FORMATS),
    wrappings: Sequence[str] = tuple(WRAPPINGS),
    languages: Sequence[str] = tuple(WORDS),
    scales: Sequence[Scale] = (BINARY, TERNARY),
    slips: Sequence[str] = (),
    least: int = 1,
    most: int = 6,
    reasons: st.SearchStrategy[str] | None = None,
    plant: st.SearchStrategy[str] | None = None,
) -> Reply:
    """Replies with their right reading. They shrink towards a plain JSON list with one "yes".

    Args:
        draw: Given by Hypothesis.
        formats: Names of formats to choose from.
        wrappings: Names of what may stand around the answer.
        languages: Codes of the languages of the verdict words.
        scales: The scales the judge may have been given.
        slips: Names of slips to choose from; each reply in a format that can have them has one. None by default.
        least: The fewest statements.
        most: The most.
        reasons: The judge's reasons.
        plant: Answer-like texts; one of them is planted in a statement, in the reasons, or in a context.

    Raises:
        hypothesis.errors.InvalidArgument: If a list is empty.
    """
    name = draw(st.sampled_from(list(formats)))
    form = FORMATS[name]
    scale = BINARY if form.binary else draw(st.sampled_from(list(scales)))
    asked: list[str] = list(draw(statement_lists(least=max(least, form.least), most=max(most, form.least))))
    verdicts = tuple(draw(st.sampled_from(scale.verdicts)) for _ in asked)
    language = draw(st.sampled_from(list(languages)))
    words = tuple(draw(st.sampled_from(WORDS[language][verdict])) for verdict in verdicts)
    why = [draw(st.sampled_from(REASONS) if reasons is None else reasons) for _ in asked]
    forged: str | None = None
    contexts: tuple[str, ...] = ()
    if plant is not None:
        forged, contexts = _plant(draw, draw(plant), asked, why)
    made = (draw(st.sampled_from(list(slips))),) if form.slips and slips else ()
    ask = Ask(asked, verdicts, words, tuple(why), draw, with_slips(*made))
    form.write(ask)
    wrapping = draw(st.sampled_from(list(wrappings)))
    before, behind = WRAPPINGS[wrapping]
    if form.fenced and draw(st.booleans()):
        before, behind = before + "```json\n", "\n```" + behind
    tokens = tuple(tuple(len(before) + place for place in ask.out.tokens[at]) for at in range(len(asked)))
    return Reply(
        text=before + ask.out.text + behind,
        statements=tuple(asked),
        scale=scale,
        verdicts=verdicts,
        format=name,
        tokens=tuple((start, end) for start, end in tokens),
        by_id=form.by_id,
        closed=form.closed,
        wrapping=wrapping,
        language=language,
        slips=made,
        contexts=contexts,
        planted=forged,
    )


def _plant(draw: st.DrawFn, text: str, asked: list[str], why: list[str]) -> tuple[str, tuple[str, ...]]:
    """Put a text into a statement, a reason or a context; return it and the contexts."""
    where = draw(st.sampled_from(["reason", "statement", "context"]))
    at = draw(st.integers(0, len(asked) - 1))
    if where == "statement":
        asked[at] += " " + text
    elif where == "reason":
        why[at] = draw(st.sampled_from(["#", "It says: #", "# is in the note."])).replace("#", text)
    return text, (f"A page of the guide. {text}",) if where == "context" else ()
