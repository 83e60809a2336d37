"""One line that says why a result is what it is, composed from the verdicts without a call."""

from __future__ import annotations

from collections.abc import Sequence

from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict

MOST_SHOWN = 3
LONGEST = 200

_WHY_NONE = {
    Status.VACUOUS: "no statements to judge",
    Status.NO_CONTEXT: "no context to judge against",
    Status.NO_ANSWER: "no answer to judge",
    Status.REFUSED: "the judge refused",
    Status.TRUNCATED: "the judge's reply was cut off",
    Status.CONTEXT_TRUNCATED: "the judge may not have seen the whole prompt",
    Status.UNPARSEABLE: "the judge's reply could not be read",
    Status.OUT_OF_RANGE: "the judge's verdicts are off the scale",
    Status.JUDGE_ERROR: "the call to the judge failed",
    Status.OVER_BUDGET: "the budget was spent",
    Status.MISSING_INPUT: "the case lacks an input of the metric",
    Status.NOT_RUN: "the case was not reached",
}


def compose_reason(status: Status, verdicts: Sequence[StatementVerdict] = (), issues: Sequence[Issue] = ()) -> str:
    """Compose the reason of a result.

    Args:
        status: How the evaluation ended.
        verdicts: One per statement.
        issues: The issues of the result as a whole; the first message among them is quoted where there is no verdict.

    Returns:
        "supported 3 of 4; s2 contradicted: <the judge's reason>", naming the first three statements that are not
        supported, each reason cut to 200 characters, and how many sentences of the answer have no statement; or why
        there are no verdicts. The judge's words are untrusted text.
    """
    if status not in (Status.SCORED, Status.PARTIAL):
        message = next((issue.message for issue in issues if issue.message), "")
        return _WHY_NONE[status] + (f" ({_clipped(message)})" if message else "")
    failing = [verdict for verdict in verdicts if verdict.verdict is not Verdict.SUPPORTED]
    parts = [f"supported {len(verdicts) - len(failing)} of {len(verdicts)}", *map(_line, failing[:MOST_SHOWN])]
    if len(failing) > MOST_SHOWN:
        parts.append(f"and {len(failing) - MOST_SHOWN} more")
    parts += [_clipped(issue.message) for issue in issues if issue.code is IssueCode.SENTENCE_WITHOUT_STATEMENT]
    return "; ".join(parts)


def _line(verdict: StatementVerdict) -> str:
    if verdict.verdict is None:
        return f"{verdict.id} without verdict: {', '.join(dict.fromkeys(issue.code.value for issue in verdict.issues))}"
    said = f"{verdict.id} {verdict.verdict.value.replace('_', ' ')}"
    reason = _clipped(verdict.reason or "")
    return f"{said}: {reason}" if reason else said


def _clipped(text: str) -> str:
    # Only the start is split: a judge's reason can be a megabyte long.
    line = " ".join(text[: 4 * LONGEST].split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"
