"""A metric of the user's own criteria, graded by a judge on a declared range."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, can_grade
from magistrate.metrics.rubrics import Rubric, grade, share
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.metrics.verification import is_blank
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Issue, IssueCode, Status

__all__ = ["RubricMetric", "load_rubric_metric"]

_FIELDS: tuple[str, ...] = get_args(Need)
_KEYS = ("name", "criteria", "low", "high", "fields", "threshold", "direction", "description")
_MOST_BYTES = 100_000


class RubricMetric(CaseMetric):
    """How a judge grades a case by criteria of yours, as a share of the declared range.

    score = (grade - low) / (high - low), in [0, 1]; more is better unless `direction` says otherwise. A grade off the
    range is no grade (`out_of_range`): it is neither clamped nor rescaled.

    Default threshold 0.7 (with `direction="minimize"` at most 0.3). Empty input: `missing_input`, `no_answer` or
    `no_context` where the case lacks one of the fields. A judge that cannot grade (offline, NLI): `refused`, no score.

    Cost per case: one call.

    Args:
        name: The name in reports.
        criteria: What to grade by; say what the lowest and the highest grade mean.
        low: Lowest grade.
        high: Highest grade.
        fields: What of a case the judge is shown: "question", "answer", "contexts", "reference".
        threshold: The score needed to pass, in [0, 1], as a share of the range; None for the default.
        direction: "maximize", or "minimize" where a lower grade is better.
        description: What it measures, in a line.
        include_reason: Whether results carry the judge's reason.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    cost = "1"
    policy = "rubric"
    formula = "(grade - low) / (high - low)"

    def __init__(
        self,
        name: str,
        criteria: str,
        *,
        low: float = 1,
        high: float = 5,
        fields: Sequence[str] = ("question", "answer"),
        threshold: float | None = None,
        direction: Literal["maximize", "minimize"] = "maximize",
        description: str = "",
        include_reason: bool = True,
    ) -> None:
        if not isinstance(name, str) or is_blank(name):
            raise ConfigurationError("a rubric metric needs a name")
        if not isinstance(criteria, str) or is_blank(criteria):
            raise ConfigurationError(f"rubric metric {name!r}: criteria is a text that says what to grade by")
        for end in (low, high):
            if not isinstance(end, int | float) or isinstance(end, bool) or not abs(end) <= 1e6:  # noqa: PLR2004
                raise ConfigurationError(f"rubric metric {name!r}: low and high are numbers, not {end!r}")
        if not low < high:
            raise ConfigurationError(f"rubric metric {name!r}: low is less than high, not {low} and {high}")
        if isinstance(fields, str) or not fields or any(field not in _FIELDS for field in fields):
            raise ConfigurationError(f"rubric metric {name!r}: fields are some of {', '.join(_FIELDS)}, not {fields!r}")
        if direction not in ("maximize", "minimize"):
            raise ConfigurationError(
                f"rubric metric {name!r}: direction is 'maximize' or 'minimize', not {direction!r}"
            )
        self.rubric = Rubric(name, criteria.strip(), float(low), float(high))
        self.fields = tuple(dict.fromkeys(fields))
        self.direction = direction
        self.description = description or " ".join(criteria.split())[:100]
        self.needs: tuple[Need, ...] = tuple(field for field in get_args(Need) if field in self.fields)
        if threshold is None:
            threshold = DEFAULT_THRESHOLD if direction == "maximize" else 1.0 - DEFAULT_THRESHOLD
        super().__init__(
            name=name,
            threshold=threshold,
            include_reason=include_reason,
            options={
                "criteria": self.rubric.text,
                "low": self.rubric.low,
                "high": self.rubric.high,
                "fields": list(self.fields),
                "direction": direction,
            },
        )

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Have the case graded."""
        if not can_grade(judge):
            message = f"the judge {judge.name!r} cannot grade by a rubric; choose a model"
            ledger.note(Issue(IssueCode.REFUSAL, message))
            return Finding(status=Status.REFUSED, reason=message)
        shown = {field: _text(case, field) for field in self.fields}
        if any(is_blank(text) for text in shown.values()):
            return Finding(status=Status.NO_ANSWER)
        reply = await grade(judge, self.rubric, shown)
        ledger.add(reply)
        details = {"grade": reply.value, "low": self.rubric.low, "high": self.rubric.high}
        if reply.value is None:
            return Finding(status=reply.status, details=details)
        value = share(self.rubric, reply.value)
        status, score, bounds = ranged(value, value)
        said = f"graded {reply.value:g} on {self.rubric.low:g} to {self.rubric.high:g}"
        reason = f"{said}: {reply.reason}" if reply.reason else said
        return Finding(status=status, score=score, bounds=bounds, reason=reason, details=details)


def load_rubric_metric(path: str | Path) -> RubricMetric:
    """Load a rubric metric from a TOML file with the arguments of `RubricMetric`: name, criteria, low, high, ...

    Raises:
        ConfigurationError: If the file cannot be read, or says something else.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ConfigurationError(f"{path}: a rubric of more than {_MOST_BYTES:,} bytes")
        given: Mapping[str, Any] = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path}: no TOML: {error}") from None
    unknown = [key for key in given if key not in _KEYS]
    if unknown:
        raise ConfigurationError(f"{path}: unknown key {unknown[0]!r}; a rubric has {', '.join(_KEYS)}")
    if "criteria" not in given:
        raise ConfigurationError(f"{path}: criteria is missing: what to grade by")
    arguments = {"name": path.stem.replace("-", "_"), **given}
    try:
        return RubricMetric(**arguments)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error.message}") from None


def _text(case: Case, field: str) -> str:
    if field == "contexts":
        return "\n\n".join(text for text in case.contexts if not is_blank(text))
    return str(getattr(case, field) or "")
