"""What a judge grades by, on a declared range: rubrics of the package, which are prompt files, and the user's own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from magistrate.case import Case
from magistrate.errors import ConfigurationError, PromptError
from magistrate.judges import Grade, Judge, ScoreReply, can_grade
from magistrate.metrics._case_metric import NEEDS, Account, By, CaseMetric, Choice, Direction, Finding, Option
from magistrate.metrics.base import is_blank
from magistrate.metrics.faithfulness import ask
from magistrate.prompts import prompt_for
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.user_code import read_toml
from magistrate.verdict import Status

_KEYS = ("name", "criteria", "low", "high", "fields", "threshold", "direction", "description")


class Rubric(NamedTuple):
    """What is graded, and on which range."""

    name: str
    text: str
    low: float
    high: float


def load_rubric(name: str, judge: object = None) -> Rubric:
    """Load the rubric `prompts/rubric-<name>.md`, or what stands for it in the prompts of a judge."""
    prompt = prompt_for(judge, f"rubric-{name}")
    low, high = prompt.wordings.get("low"), prompt.wordings.get("high")
    if not isinstance(low, int | float) or not isinstance(high, int | float) or not low < high:
        raise PromptError(f"prompt {prompt.name}: the front matter needs numbers low and high, low being less")
    return Rubric(f"{name}-{prompt.version}", prompt.user, float(low), float(high))


async def grade(judge: Judge, rubric: Rubric, fields: dict[str, str]) -> ScoreReply:
    """Have fields graded by a rubric. A failed call is a reply with a status, and a grade off the range is none."""
    reply = await ask(judge, Grade(rubric.text, fields, low=rubric.low, high=rubric.high), ScoreReply)
    if reply.status is not Status.SCORED:
        return replace(reply, value=None)
    if reply.value is None:
        return replace(reply, status=Status.UNPARSEABLE)
    if rubric.low <= reply.value <= rubric.high:
        return reply
    return replace(reply, value=None, status=Status.OUT_OF_RANGE)  # a judge of our own refuses such a grade itself


def graded(reply: ScoreReply, rubric: Rubric, on: str) -> Finding:
    """What a grade on a rubric's range finds: its share of the range, or why there is none."""
    if reply.value is None:
        return Finding(status=reply.status)
    reason = f"graded {reply.value:g} {on}" + (f": {reply.reason}" if reply.reason else "")
    return Finding.scored((reply.value - rubric.low) / (rubric.high - rubric.low), reason=reason)


class GradedMetric(CaseMetric):
    """A metric that a judge grades by a rubric of the package, and words alone measure where it cannot grade."""

    method: Option[Literal["auto", "judge", "lexical"], str] = Choice("auto", "judge", "lexical")

    rubric = By(lambda m: m.default_name.replace("_", "-"))
    cost = "1, lexically none"
    offline = "lexical"

    def describe(self) -> dict[str, Any]:
        """Return what decides the scores: the version of the rubric too."""
        rubric = {} if self.method == "lexical" else {"rubric": load_rubric(self.rubric).name}
        return {**super().describe(), **rubric}

    def method_for(self, judge: Judge) -> Literal["judge", "lexical"]:
        """How a case is measured with a judge."""
        return "judge" if self.method == "judge" or (self.method == "auto" and can_grade(judge)) else "lexical"


def _text(what: str) -> Any:
    def keep(_: Any, given: Any) -> str:
        if not isinstance(given, str) or is_blank(given):
            raise ConfigurationError(f"a rubric metric needs {what}")
        return given.strip()

    return keep


def _end(metric: Any, given: float) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool) or not abs(given) <= 1e6:  # noqa: PLR2004
        raise ConfigurationError(f"rubric metric {metric.name!r}: low and high are numbers, not {given!r}")
    return float(given)


def _fields(metric: Any, given: Sequence[str]) -> tuple[str, ...]:
    if isinstance(given, str) or not given or any(field not in NEEDS for field in given):
        raise ConfigurationError(f"rubric metric {metric.name!r}: fields are some of {', '.join(NEEDS)}, not {given!r}")
    return tuple(dict.fromkeys(given))


class RubricMetric(CaseMetric):
    """How a judge grades a case by criteria of yours, as a share of the declared range.

    score = (grade - low) / (high - low), in [0, 1]; more is better unless `direction` says otherwise. A grade off the
    range is no grade (`out_of_range`): it is neither clamped nor rescaled.

    Default threshold 0.7 (with `direction="minimize"` at most 0.3). Empty input: `missing_input`, `no_answer` or
    `no_context` where the case lacks one of the fields. A judge that cannot grade (offline, NLI): `refused`, no score.

    Cost per case: one call.

    Args:
        name: The name in reports; needed.
        criteria: What to grade by; say what the lowest and the highest grade mean. Needed.
        low: Lowest grade.
        high: Highest grade.
        fields: What of a case the judge is shown: "question", "answer", "contexts", "reference".
        threshold: The score needed to pass, in [0, 1], as a share of the range; None for the default.
        direction: "maximize", or "minimize" where a lower grade is better.

    Raises:
        ConfigurationError: If an option is out of range.
    """

    name: Option[str | None, str] = Option(None, _text("a name"))
    criteria: Option[str, str] = Option("", _text("criteria, a text that says what to grade by"))
    low: Option[float, float] = Option(1, _end)
    high: Option[float, float] = Option(5, _end)
    fields: Option[Sequence[str], tuple[str, ...]] = Option(("question", "answer"), _fields)
    direction: Option[Direction, str] = Choice("maximize", "minimize")

    cost = "1"
    offline = "no: it cannot grade"
    policy = "rubric"
    formula = "(grade - low) / (high - low)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.low < self.high:
            ends = f"{self.low:g} and {self.high:g}"
            raise ConfigurationError(f"rubric metric {self.name!r}: low is less than high, not {ends}")

    default_description = By(lambda m: " ".join(m.criteria.split())[:100])
    default_threshold = By(lambda m: DEFAULT_THRESHOLD if m.direction == "maximize" else 1.0 - DEFAULT_THRESHOLD)
    needs = By(lambda m: tuple(field for field in NEEDS if field in m.fields))

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Have the case graded."""
        if not can_grade(judge):
            return account.refused(judge, "cannot grade by a rubric")
        shown = {field: str(getattr(case, field) or "") for field in self.fields}
        if "contexts" in shown:
            shown["contexts"] = "\n\n".join(text for text in case.contexts if not is_blank(text))
        if any(is_blank(text) for text in shown.values()):
            return Finding(status=Status.NO_ANSWER)
        rubric = Rubric(self.name, self.criteria, self.low, self.high)
        reply = account.add(await grade(judge, rubric, shown))
        details = {"grade": reply.value, "low": self.low, "high": self.high}
        return replace(graded(reply, rubric, f"on {self.low:g} to {self.high:g}"), details=details)


def load_rubric_metric(path: str | Path) -> RubricMetric:
    """Load a rubric metric from a TOML file with the arguments of `RubricMetric`: name, criteria, low, high, ...

    Raises:
        ConfigurationError: If the file cannot be read, or says something else.
    """
    path = Path(path)
    given = read_toml(path, "a rubric")
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
