"""What is said of a row without a verdict."""

from __future__ import annotations

from magistrate.verdict import IssueCode

__all__ = ["why"]


def why(code: IssueCode, value: object) -> str:
    """Say why a row has no verdict.

    Args:
        code: What is wrong with it.
        value: What stands in the place of its verdict.
    """
    shown = f"{value!r:.80}"
    return {
        IssueCode.MISSING_VERDICT: "the row of this statement gives no verdict",
        IssueCode.UNKNOWN_LABEL: f"{shown} is no word of any scale",
        IssueCode.OUT_OF_RANGE: f"{shown} is not on the scale",
        IssueCode.CONFLICTING_VERDICTS: f"{shown} says more than one thing",
        IssueCode.TRUNCATED: "the verdict was cut off",
        IssueCode.BLANK_STATEMENT: "the row names no statement",
    }.get(code, shown)
