"""The closed vocabulary in words for people: verdicts, outcomes, statuses, usage; and their colours."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Final

from magistrate.records import Usage
from magistrate.verdict import Evidence, Issue, Outcome, Status, Verdict

if TYPE_CHECKING:
    from magistrate.evaluation.running import Progress

NO_VERDICT: Final = "no verdict"

VERDICT_STYLE: Final[Mapping[Verdict | None, str]] = {
    Verdict.CONTRADICTED: "red",
    Verdict.UNSUPPORTED: "red",
    Verdict.NOT_ENOUGH_INFO: "yellow",
    Verdict.PARTIALLY_SUPPORTED: "yellow",
    None: "yellow",
    Verdict.SUPPORTED: "green",
}
"""Verdicts, what is worst for an answer first. No verdict is not bad, but unknown."""
_SEVERITY: Final = {verdict: place for place, verdict in enumerate(VERDICT_STYLE)}
OUTCOME_STYLE: Final = {Outcome.PASS: "green", Outcome.FAIL: "red", Outcome.INCONCLUSIVE: "yellow"}
GATE_WORD: Final = {Outcome.PASS: "passed", Outcome.FAIL: "failed", Outcome.INCONCLUSIVE: "undecided"}
OUTCOME_SIGN: Final = {Outcome.PASS: "✅", Outcome.FAIL: "❌", Outcome.INCONCLUSIVE: "⚠️"}

STATUS_WHY: Final[Mapping[Status, str]] = {
    Status.SCORED: "Every statement has a verdict.",
    Status.PARTIAL: "Some statements have no verdict that is safe to use; the score lies between two bounds.",
    Status.VACUOUS: "The text holds no statements to judge.",
    Status.NO_CONTEXT: "The case has no context to judge against.",
    Status.NO_ANSWER: "The case has no answer to judge.",
    Status.REFUSED: "The judge, or its provider, refused to answer.",
    Status.TRUNCATED: "The judge's reply was cut off before it could be used. A larger reply or smaller batches help.",
    Status.CONTEXT_TRUNCATED: "The judge may not have seen the whole prompt: "
    "it is longer than the model's context, or only half of its token came back.",
    Status.UNPARSEABLE: "The judge replied, but no verdict in the reply is safe to use.",
    Status.OUT_OF_RANGE: "The judge answered off the scale it was given; such a value is not rescaled or clamped.",
    Status.JUDGE_ERROR: "The call to the judge failed. --resume tries the case again.",
    Status.OVER_BUDGET: "The budget was spent before the case was judged in full. --resume goes on with it.",
    Status.MISSING_INPUT: "The row of the dataset lacks something that the metric needs.",
    Status.NOT_RUN: "The run ended before the case was judged. --resume goes on with it.",
    Status.PENDING: "A call waits in a batch of the provider. --batch --resume goes on with it.",
}
"""Why there is (or is not) a score, one sentence a status."""


def words_of(value: Verdict | Outcome | Status | None, between: str = " ") -> str:
    """A member of the vocabulary as words: "not enough info"; None is "no verdict"."""
    return NO_VERDICT if value is None else value.value.replace("_", between)


def worst_first(verdict: Verdict | None) -> int:
    """A key for sorting: what is worst for an answer comes first."""
    return _SEVERITY[verdict]


def plural(count: int, word: str, words: str | None = None) -> str:
    """The count with its word: "1 case", "2,000 cases"."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {words or word + 's'}"


def number(value: float | None, digits: int = 3, sign: str = "") -> str:
    """A figure with so many digits; "none" where there is none. A half goes up, as it does in the HTML report."""
    return "none" if value is None else format(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP), sign)


def p_value(p: float | None) -> str:
    """A p-value, which is never 0."""
    return "<0.001" if p is not None and p < 0.001 else number(p)  # noqa: PLR2004 - as one writes it


def usage_text(usage: Usage, *, whole: bool = True) -> str:
    """Calls, tokens and cost in one line; what is unknown is said to be."""
    if not usage.calls and not usage.cached:
        return "no model was called; cost $0" if whole else "no call was answered; those given up are not counted"
    parts = [plural(usage.calls, "call")]
    if usage.cached:
        parts.append(f"{usage.cached:,} from the cache")
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        parts.append("tokens unknown")
    else:
        parts.append(f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens")
    parts.append("cost unknown" if usage.cost is None else f"cost ${usage.cost:.4f}")
    return ", ".join(parts)


def cost_text(progress: Progress) -> str:
    """The cost so far; what is unknown is said to be."""
    if not progress.usage.calls:
        return "$0"
    return "cost unknown" if progress.usage.cost is None else f"${progress.usage.cost:.4f}"


def left_text(progress: Progress) -> str:
    """The time left, or nothing where it cannot be told."""
    seconds = progress.seconds_left
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} left" if hours else f"{minutes}:{rest:02} left"


def quote_place(quote: Evidence) -> str:
    """Where a quote was found: "context 0"."""
    return f"context {quote.context}" if quote.context is not None else "found in no context"


def issue_text(issue: Issue, message: str | None = None) -> str:
    """An issue's code, with its message where it has one."""
    message = issue.message if message is None else message
    return f"{issue.code.value}: {message}" if message else issue.code.value
