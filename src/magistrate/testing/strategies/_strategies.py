"""The strategies: replies in all formats, wrappings and languages, with slips, damage, planted answers, cut off."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from magistrate.testing.strategies._reply import FORMATS, MATERIAL, PLANTED, WORDS, WRAPPINGS, Ask, Reply, with_slips
from magistrate.verdict import BINARY, TERNARY, Scale


@st.composite
def statement_lists(draw: st.DrawFn, least: int = 1, most: int = 6) -> tuple[str, ...]:
    """Distinct statements with numbers, quotation marks and negations, in several languages.

    Args:
        draw: Given by Hypothesis.
        least: The fewest.
        most: The most.
    """
    count = draw(st.integers(least, most))
    made = []
    for number in range(count):
        subject, fact = draw(st.sampled_from(MATERIAL["subjects"])), draw(st.sampled_from(MATERIAL["facts"]))
        fact = fact.replace("#", str(draw(st.integers(2, 19))))
        made.append(f"{subject} {fact}, item {chr(65 + number)}{number + 1}.")
    return tuple(made)


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
    statements: list[str] = list(draw(statement_lists(least=max(least, form.least), most=max(most, form.least))))
    verdicts = tuple(draw(st.sampled_from(scale.verdicts)) for _ in statements)
    language = draw(st.sampled_from(list(languages)))
    words = tuple(draw(st.sampled_from(WORDS[language][verdict])) for verdict in verdicts)
    why = [draw(st.sampled_from(MATERIAL["reasons"]) if reasons is None else reasons) for _ in statements]
    forged: str | None = None
    contexts: tuple[str, ...] = ()
    if plant is not None:
        forged, contexts = _plant(draw, draw(plant), statements, why)
    made = (draw(st.sampled_from(list(slips))),) if form.slips and slips else ()
    ask = Ask(statements, verdicts, words, tuple(why), draw, with_slips(*made))
    form.write(ask)
    wrapping = draw(st.sampled_from(list(wrappings)))
    before, behind = WRAPPINGS[wrapping]
    if form.fenced and draw(st.booleans()):
        before, behind = before + "```json\n", "\n```" + behind
    spans = (ask.tokens[at] for at in range(len(statements)))
    return Reply(
        text=before + ask.text + behind,
        statements=tuple(statements),
        scale=scale,
        verdicts=verdicts,
        format=name,
        tokens=tuple((len(before) + start, len(before) + end) for start, end in spans),
        by_id=form.by_id,
        closed=form.closed,
        wrapping=wrapping,
        language=language,
        slips=made,
        contexts=contexts,
        planted=forged,
    )


def _plant(draw: st.DrawFn, text: str, statements: list[str], why: list[str]) -> tuple[str, tuple[str, ...]]:
    """Put a text into a statement, a reason or a context; return it and the contexts."""
    where = draw(st.sampled_from(["reason", "statement", "context"]))
    at = draw(st.integers(0, len(statements) - 1))
    if where == "statement":
        statements[at] += " " + text
    elif where == "reason":
        why[at] = draw(st.sampled_from(["#", "It says: #", "# is in the note."])).replace("#", text)
    return text, (f"A page of the guide. {text}",) if where == "context" else ()


_INSERTS: Final = "\"'{}[]:,.\n 10xnoyes-\\|<>`"


@st.composite
def damaged(draw: st.DrawFn, reply: Reply) -> tuple[Reply, int, str]:
    """The reply with one character deleted, inserted or swapped with the next.

    The `tokens` of the result are those of the reply before the damage: ask `Reply.touched` of that one.

    Args:
        draw: Given by Hypothesis.
        reply: The reply to damage.

    Returns:
        The damaged reply, where it was damaged (an offset in the text before), and how: "delete", "insert" or "swap".
    """
    kind = draw(st.sampled_from(["delete", "insert", "swap"]))
    at = draw(st.integers(0, max(0, len(reply.text) - 2)))
    text = reply.text
    if kind == "delete":
        text = text[:at] + text[at + 1 :]
    elif kind == "insert":
        text = text[:at] + draw(st.sampled_from(_INSERTS)) + text[at:]
    else:
        text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
    return replace(reply, text=text), at, kind


@st.composite
def cut(draw: st.DrawFn, reply: Reply) -> tuple[Reply, int]:
    """The reply cut off somewhere.

    Args:
        draw: Given by Hypothesis.
        reply: The reply to cut.

    Returns:
        What is left of it, and how many characters that are. A right reading of it has, for each statement, the verdict
        that was meant or none; where the format has no closing mark, that needs the provider's finish reason too.
    """
    size = draw(st.integers(0, len(reply.text)))
    return replace(reply, text=reply.text[:size]), size


def planted() -> st.SearchStrategy[str]:
    """Texts that look like an answer, all of them "yes"."""
    return st.sampled_from(PLANTED)


@st.composite
def with_token(draw: st.DrawFn, reply: Reply, *, tokens: Sequence[str] = ("k7q2m9xd", "a81f03bc")) -> Reply:
    """A JSON reply that carries a request token, beside a planted answer that the judge repeats from a context.

    Args:
        draw: Given by Hypothesis.
        reply: What the judge means; only its statements, scale and verdicts are used.
        tokens: Tokens to choose from.

    Returns:
        A reply whose `token` is to be given to the parser. A right reading never follows the planted answer.
    """
    token = draw(st.sampled_from(list(tokens)))
    forged = draw(planted())
    rows = ", ".join(f'{{"id": {at + 1}, "verdict": "{verdict.value}"}}' for at, verdict in enumerate(reply.verdicts))
    answer = f'{{"token": "{token}", "verdicts": [{rows}]}}'
    between = draw(st.sampled_from(["\n\n", "\n", " "]))
    first = draw(st.booleans())
    text = forged + between + answer if first else answer + between + forged
    at = len(forged + between) if first else 0
    spans = []
    for verdict in reply.verdicts:
        start = text.index(f'"verdict": "{verdict.value}"', at) + len('"verdict": ')
        at = start + len(verdict.value) + 2
        spans.append((start, at))
    return replace(
        reply,
        text=text,
        tokens=tuple(spans),
        token=token,
        planted=forged,
        contexts=(f"A page of the guide. {forged}",),
        format="json list",
        wrapping="none",
        slips=(),
    )
