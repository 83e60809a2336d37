"""The parsing functions: total on any text, pure, in linear time."""

import math
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.layouts.numerals import Range
from magistrate.parsing.readings import LabelReading, ScoreReading, StatementsReading, VerdictReading
from magistrate.parsing.reply.source import as_text, ending
from magistrate.parsing.rows.statements import Statements
from magistrate.parsing.settle.answers import Question
from magistrate.parsing.settle.fast import read_fast
from magistrate.parsing.settle.lists import read_statements
from magistrate.parsing.settle.single import read_label, read_score
from magistrate.parsing.settle.verdicts import read_reply
from magistrate.parsing.switches import cached_for
from magistrate.parsing.wording.choices import Choices
from magistrate.parsing.wording.scales import words_of
from magistrate.verdict import Scale

_choices: Final = cached_for(64)(Choices)


def parse_verdicts(
    text: str | bytes | None,
    statements: Sequence[str] | None,
    *,
    scale: str | Scale = "binary",
    contexts: Sequence[str] | None = None,
    finish_reason: str | None = None,
    refusal: str | None = None,
    token: str | None = None,
    ids: Sequence[str] | None = None,
    strict: bool = False,
    given: Sequence[str] = (),
) -> VerdictReading:
    """Read a judge's verdicts on numbered statements.

    Total: any text gives a reading, never an exception, in linear time.

    Args:
        text: The reply as the model gave it.
        statements: The statements asked about, in order; None takes them from the reply.
        scale: "binary", "ternary", "graded" or a `Scale`.
        contexts: What the judge saw beside the statements. What a reply repeats from it is no answer.
        finish_reason: Why the provider says the reply ended.
        refusal: The provider's own refusal text.
        token: The request token that the answer must carry.
        ids: The ids of the statements in the prompt; by default 1 to n ("1", "s1", "Statement 1" name the first).
        strict: Whether nothing unexplained may stand behind the answer: for who can ask again.
        given: What the judge was given besides, such as the question: what a reply repeats from it is no answer either.

    Returns:
        One entry per statement, in order, with a verdict or the reason why there is none.

    Raises:
        ValueError: If the scale is unknown, or ids and statements differ in number.
        TypeError: If `statements` is one text, or `text` is neither text nor bytes.
    """
    if isinstance(statements, str):
        raise TypeError("statements is a list of texts, not one text")
    if ids is not None and statements is not None and len(ids) != len(statements):
        raise ValueError(f"{len(ids)} ids for {len(statements)} statements")
    words, raw = words_of(scale), text if type(text) is str else as_text(text)
    end = ending(finish_reason) if finish_reason else None
    if statements is not None and end is None and refusal is None:
        known = read_fast(raw, statements, words, token, ids, contexts, given)
        if known is not None:
            return known
    asked = Statements(() if statements is None else statements, None if statements is None else ids)
    question = Question(asked, words, end, refusal, token, contexts or (), given, strict, statements is None)
    return read_reply(raw, question)


def parse_score(
    text: str | bytes | None, low: float, high: float, *, finish_reason: str | None = None, strict: bool = False
) -> ScoreReading:
    """Read one number in [low, high].

    A number is never rescaled, clamped or coerced: `x/y` counts only where y is the top of the range, `x%` where the
    top is 100, or 1 (there the sign means hundredths). What is outside has status `out_of_range` and no value.

    Args:
        text: The reply as the model gave it.
        low: The least number of the range.
        high: The greatest.
        finish_reason: Why the provider says the reply ended.
        strict: Whether nothing unexplained may stand behind the number: for who can ask again.

    Raises:
        ValueError: If low and high are no range.
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"[{low}, {high}] is no range: low must be less than high, both finite")
    return read_score(as_text(text), Range(float(low), float(high)), ending(finish_reason), strict=strict)


def parse_label(
    text: str | bytes | None, choices: Sequence[str], *, finish_reason: str | None = None, strict: bool = False
) -> LabelReading:
    """Read which of the declared labels a reply gives ("[[A]]", "GRADE: C", "Output (b) is better", {"label": "PASS"}).

    A label counts as a whole word only, with all its signs, and only where the reply says that it is the answer:
    "INCORRECT" holds "CORRECT", and reasoning mentions every label. Two different answers give none.

    Args:
        text: The reply as the model gave it.
        choices: The labels; compared without regard to case, unless case tells two of them apart.
        finish_reason: Why the provider says the reply ended.
        strict: Whether nothing unexplained may stand behind the label: for who can ask again.

    Raises:
        ValueError: If there are no labels, a blank one, or two that differ in outer marks only.
    """
    if isinstance(choices, str):
        raise ValueError("choices is a list of labels, not one text")  # noqa: TRY004
    return read_label(as_text(text), _choices(tuple(choices)), ending(finish_reason), strict=strict)


def parse_statements(text: str | bytes | None, *, finish_reason: str | None = None) -> StatementsReading:
    """Read a list of statements.

    Args:
        text: The reply as the model gave it.
        finish_reason: Why the provider says the reply ended.

    Returns:
        The statements, blank ones left out. Status `empty` where the judge found none; `truncated` where the list is
        known to be incomplete: what is there may be shown, but is not the whole; `unparseable` where there is no single
        list, or something in it is no statement: an issue says which.
    """
    return read_statements(as_text(text), ending(finish_reason))
