"""Scoring: stored verdicts and a named policy -> a score with bounds. Pure functions, no call, no clock."""

from magistrate.scoring._catalogue import POLICIES, POLICY_ALIASES, get_policy
from magistrate.scoring._policy import DEFAULT_THRESHOLD, Cell, Extra, Missing, Policy
from magistrate.scoring._score import Score, score_plain, score_verdicts, tally

__all__ = [
    "DEFAULT_THRESHOLD",
    "POLICIES",
    "POLICY_ALIASES",
    "Cell",
    "Extra",
    "Missing",
    "Policy",
    "Score",
    "get_policy",
    "score_plain",
    "score_verdicts",
    "tally",
]
