"""What a scoring policy is: a set of conventions, written down as data; and the policies that are known."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from magistrate.errors import ConfigurationError, meant
from magistrate.verdict import Status, Verdict

DEFAULT_THRESHOLD = 0.7
"""The threshold under a policy whose framework has none of its own."""


class Missing(StrEnum):
    """What a policy does with statements that have no verdict, where others have one."""

    INCONCLUSIVE = "inconclusive"
    """No score; the bounds say what is still possible."""
    ERROR = "error"
    """The framework raises there, so no score."""
    ZERO = "zero"
    """They count as not supported."""
    IGNORE = "ignore"
    """They are left out of the denominator, as if they had never been said."""


class Extra(StrEnum):
    """What a policy does with verdicts beyond the statements asked about."""

    DROP = "drop"
    """Nothing: they are reported, never counted."""
    COUNT = "count"
    """They count like any other, in the numerator and in the denominator."""
    TRUNCATE = "truncate"
    """They fill the places of missing verdicts; what is more than the statements is cut off."""
    SUBTRACT = "subtract"
    """Each one that is not "supported" takes one statement off the score, down to the lowest."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a policy gives where there are no verdicts to count.

    Args:
        value: The score, in [0, 1]; None where there is none.
        native: What the framework itself gives there, where that is no score: "NaN", "error", "-1", "graderFail".
        fails: Whether the framework's own flag is false there, whatever the threshold.
    """

    value: float | None = None
    native: str = ""
    fails: bool = False

    def __str__(self) -> str:
        number = "none" if self.value is None else f"{self.value:g}"
        return f"{number} ({self.native})" if self.native else number


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One convention of turning the verdicts on the statements of an answer into a score.

    Plain data, so that a policy can be printed, compared and stored by name. The name of a policy that copies a
    framework carries the version it was read from: another version is another policy.

    Args:
        name: The versioned name, as reports print it.
        summary: One line on what the policy is for.
        source: Where its numbers come from.
        formula: The score in words or symbols.
        credit: What each verdict is worth. `supported` is worth the most.
        scale: The lowest and highest raw score; scores are rescaled from here to [0, 1].
        entailment: A verdict that carries P(supported) is worth `supported` if that is at least this, else
            `unsupported`; None to look at the verdict alone.
        missing: What happens to statements without verdict.
        extra: What happens to verdicts beyond the statements.
        no_statements: The answer holds nothing to judge.
        no_verdicts: There were statements, but the reply gave no usable verdict on any of them.
        truncated: The reply was cut off before anything could be read.
        refusal: The judge refused.
        no_context: There was no context to judge against.
        no_answer: The answer is missing or blank.
        judge_error: The call failed.
        threshold: The framework's own threshold in [0, 1]; None where it has none.
        slack: How far below the threshold the framework's own flag still says "pass"; None where it has no flag.

    Raises:
        ValueError: If a credit lies outside the scale, `supported` is not worth the most, a verdict has no credit, a
            score or threshold lies outside [0, 1], or missing verdicts are ignored where extra ones subtract.
    """

    name: str
    summary: str
    source: str
    formula: str
    credit: Mapping[Verdict, float]
    scale: tuple[float, float] = (0.0, 1.0)
    entailment: float | None = None
    missing: Missing = Missing.INCONCLUSIVE
    extra: Extra = Extra.DROP
    no_statements: Cell = field(default_factory=Cell)
    no_verdicts: Cell = field(default_factory=Cell)
    truncated: Cell = field(default_factory=Cell)
    refusal: Cell = field(default_factory=Cell)
    no_context: Cell = field(default_factory=Cell)
    no_answer: Cell = field(default_factory=Cell)
    judge_error: Cell = field(default_factory=Cell)
    threshold: float | None = None
    slack: float | None = None

    def __post_init__(self) -> None:
        credit = {Verdict(verdict): float(worth) for verdict, worth in self.credit.items()}
        lacking = [verdict.value for verdict in Verdict if verdict not in credit]
        if lacking:
            raise ValueError(f"policy {self.name!r} has no credit for {', '.join(lacking)}")
        low, high = self.scale
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"policy {self.name!r} needs a scale of two finite numbers, the lower first: {self.scale}")
        if not all(low <= worth <= credit[Verdict.SUPPORTED] <= high for worth in credit.values()):
            raise ValueError(
                f"policy {self.name!r}: credits lie on the scale {self.scale}, and supported is the highest"
            )
        cells = [getattr(self, name).value for name in CELL_NAMES]
        for number in (*cells, self.threshold, self.entailment):
            if number is not None and not 0.0 <= number <= 1.0:
                raise ValueError(f"policy {self.name!r}: scores and thresholds lie in [0, 1], not {number}")
        if self.extra is Extra.SUBTRACT and self.missing is Missing.IGNORE:
            raise ValueError(
                f"policy {self.name!r}: extra verdicts subtract from all statements, so none can be ignored"
            )
        object.__setattr__(self, "credit", MappingProxyType(credit))

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def default_threshold(self) -> float:
        """The framework's own threshold, or 0.7 where it has none."""
        return DEFAULT_THRESHOLD if self.threshold is None else self.threshold

    def cell(self, status: Status, *, statements: int) -> Cell | None:
        """What the policy gives for a result of this status and this number of statements; None where it counts.

        A reading that failed before there were any statements is no reading of verdicts: it is a failed call.
        """
        if status in COUNTED and statements:
            return None
        name = (CELL_OF_STATUS if statements else CELL_WITHOUT_STATEMENTS).get(status)
        cell: Cell = Cell() if name is None else getattr(self, name)
        return cell

    def row(self) -> dict[str, str]:
        """The policy as one row of a table: column name -> text."""
        return {
            "policy": self.name,
            **{verdict.value: f"{self.credit[verdict]:g}" for verdict in Verdict},
            "missing": self.missing.value,
            "extra": self.extra.value,
            **{name: str(getattr(self, name)) for name in CELL_NAMES},
            "threshold": "" if self.threshold is None else f"{self.threshold:g}",
            "formula": self.formula,
            "source": self.source,
        }


CELL_NAMES = ("no_statements", "no_verdicts", "truncated", "refusal", "no_context", "no_answer", "judge_error")

COUNTED = frozenset({Status.SCORED, Status.PARTIAL, Status.UNPARSEABLE, Status.OUT_OF_RANGE})
"""Statuses under which a policy counts verdicts. Under the last two no statement has one, but frameworks that read by
position count the verdicts that could not be told to any statement."""

CELL_OF_STATUS: Mapping[Status, str] = {
    Status.VACUOUS: "no_statements",
    Status.TRUNCATED: "truncated",
    Status.REFUSED: "refusal",
    Status.NO_CONTEXT: "no_context",
    Status.NO_ANSWER: "no_answer",
    Status.JUDGE_ERROR: "judge_error",
    Status.CONTEXT_TRUNCATED: "judge_error",
}
"""The cell of each status that a framework knows. `over_budget`, `missing_input` and `not_run` have none: the case was
never put to a judge, so there is nothing to score under any policy."""

CELL_WITHOUT_STATEMENTS: Mapping[Status, str] = {
    **CELL_OF_STATUS,
    Status.SCORED: "no_statements",
    Status.PARTIAL: "no_statements",
    Status.TRUNCATED: "judge_error",
    Status.UNPARSEABLE: "judge_error",
    Status.OUT_OF_RANGE: "judge_error",
}
"""The same where there are no statements: the text could not even be split."""


_ADAPTER = TypeAdapter(Policy)


def _policy(name: str, written: dict[str, Any]) -> Policy:
    unless = written.pop("cells", {})
    for cell in CELL_NAMES:
        given = written.get(cell, unless)
        written[cell] = given if isinstance(given, dict) else {"native" if isinstance(given, str) else "value": given}
    written["credit"] = {**dict.fromkeys(Verdict, 0.0), Verdict.SUPPORTED: 1.0, **written.get("credit", {})}
    return _ADAPTER.validate_python({"name": name, **written})


_WRITTEN = tomllib.loads(Path(__file__).with_name("policies.toml").read_text(encoding="utf-8"))
POLICIES: Mapping[str, Policy] = MappingProxyType({name: _policy(name, written) for name, written in _WRITTEN.items()})
"""Every policy by its versioned name, the default first."""

POLICY_ALIASES: Mapping[str, str] = {
    "ragas": "ragas-0.4",
    "deepeval": "deepeval-4",
    "trulens": "trulens-2.16",
    "promptfoo": "promptfoo-2468",
    "ragaliq": "ragaliq-adr6",
}
"""Short names. They name the newest version that is known here, promptfoo and RagaliQ their design records."""


def get_policy(policy: str | Policy) -> Policy:
    """Return the policy of that name or alias, in any case, or the policy itself.

    Raises:
        ConfigurationError: If no policy has that name; the message names the nearest ones.
    """
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str):
        raise ConfigurationError(f"a policy is a name or a Policy, not {type(policy).__name__}")
    name = policy.strip().casefold()
    found = POLICIES.get(POLICY_ALIASES.get(name, name))
    if found is not None:
        return found
    known = [*POLICIES, *POLICY_ALIASES]
    hint = meant(name[:100], known, 3) or f" Use one of {', '.join(known)}"
    raise ConfigurationError(f"unknown scoring policy {policy[:100]!r}.{hint}")
