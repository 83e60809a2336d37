"""What every metric is: a dataclass with its options as fields, the inputs it needs, and how it finds its score."""

import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Generic, Literal, Self, TypeVar, dataclass_transform, get_args, overload

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, ScoreReply, StatementsReply, StructuredReply, VerdictsReply, name_of
from magistrate.metrics.base import Metric, MetricResult, check_threshold, compose_reason, decide, is_blank, is_passing
from magistrate.records import CallRecord, Usage
from magistrate.scoring import DEFAULT_THRESHOLD, Policy
from magistrate.sync import run_sync
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict

Need = Literal["question", "answer", "contexts", "reference"]
"""A field of a case that a metric cannot do without."""

Direction = Literal["maximize", "minimize"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a metric found in a case, before a threshold makes an outcome of it. See `MetricResult` for the fields."""

    status: Status
    score: float | None = None
    bounds: tuple[float, float] | None = None
    reason: str | None = None
    statements: tuple[str, ...] = ()
    verdicts: tuple[StatementVerdict, ...] = ()
    extra: tuple[Verdict, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def scored(cls, score: float, **found: Any) -> Self:
        """Make a finding with a score."""
        return cls(status=Status.SCORED, score=score, bounds=(score, score), **found)

    @classmethod
    def between(
        cls, lower: float, upper: float, *, missing: Status | None = None, known: bool = True, **found: Any
    ) -> Self:
        """Make a finding of whose score only the range may be known; `missing` says what is missing, if anything is."""
        if missing is None:
            return cls.scored(lower, **found)
        return cls(status=Status.PARTIAL if known else missing, bounds=(min(lower, upper), max(lower, upper)), **found)

    @classmethod
    def share_of(cls, flags: Sequence[bool | None], missing: Status | None, **found: Any) -> Self:
        """Make a finding whose score is the share of the flags that are set; `missing` says why some are None."""
        low, unknown, n = flags.count(True), flags.count(None), len(flags)
        why = missing if unknown else None
        return cls.between(low / n, (low + unknown) / n, missing=why, known=unknown < n, **found)


Given = TypeVar("Given")
Kept = TypeVar("Kept")


class Option(Generic[Given, Kept]):
    """A field that takes what it is given and keeps what that stands for: `policy="strict"` is kept as the `Policy`.

    Args:
        default: What it is given by default.
        keep: Makes what is kept of (the metric, what is given); raises a ConfigurationError where that is wrong. It may
            read the metric's other fields.
    """

    def __init__(self, default: Given, keep: Callable[[Any, Given], Kept]) -> None:
        self.default = default
        self._keep = keep
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, metric: None, owner: type | None = None) -> Given: ...
    @overload
    def __get__(self, metric: object, owner: type | None = None) -> Kept: ...
    def __get__(self, metric: object | None, owner: type | None = None) -> Given | Kept:
        if metric is None:
            return self.default
        kept: dict[str, Any] = vars(metric)
        if self._name not in kept:
            kept[self._name] = self._keep(metric, kept[f"given_{self._name}"])
        return kept[self._name]  # type: ignore[no-any-return]

    def __set__(self, metric: object, given: Given) -> None:
        vars(metric)[f"given_{self._name}"] = given


class Choice(Option[Any, Any]):
    """A field that takes one of some words; the first is the default."""

    def __init__(self, *words: str) -> None:
        super().__init__(words[0], self._checked)
        self._words = words

    def _checked(self, _: Any, given: Any) -> Any:
        if given not in self._words:
            raise ConfigurationError(f"{self._name} is {' or '.join(map(repr, self._words))}, not {given!r}")
        return given


class By(Generic[Kept]):
    """What a metric has that is no option: made of the metric each time it is looked at."""

    def __init__(self, find: Callable[[Any], Kept]) -> None:
        self._find = find

    def __get__(self, metric: object | None, owner: type | None = None) -> Kept:
        return self._find(owner if metric is None else metric)


Counted = TypeVar(
    "Counted", bound="Account | MetricResult | ScoreReply | StatementsReply | StructuredReply[Any] | VerdictsReply"
)


@dataclass(slots=True)
class Account:
    """Adds up what the replies behind a result cost and report."""

    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()
    issues: tuple[Issue, ...] = ()

    def add(self, reply: Counted, *, aside: bool = False) -> Counted:
        """Count a reply and return it; one aside is about other statements than those of the result."""
        self.usage += reply.usage
        self.calls += tuple(replace(call, statements=()) for call in reply.calls) if aside else reply.calls
        for issue in reply.issues:
            self.note(replace(issue, index=None) if aside else issue)
        return reply

    def note(self, issue: Issue) -> None:
        """Note an issue, once."""
        if issue not in self.issues:
            self.issues += (issue,)

    def refused(self, judge: Judge, why: str) -> Finding:
        """What is found with a judge that cannot measure this: no score, and the reason."""
        message = f"the judge {name_of(judge)!r} {why}; choose a model"
        self.note(Issue(IssueCode.REFUSAL, message))
        return Finding(status=Status.REFUSED, reason=message)


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
@dataclass(kw_only=True, eq=False, repr=False)
class CaseMetric(Metric):
    """A metric: its fields are its options, and stand in its repr, in a run's header and in `magistrate metrics`.

    A subclass, which needs no decorator, says what it needs and how it finds its score. What is no option (`policy`,
    `formula`, `needs`, `cost`, `offline`) is an attribute of the class: a value, or `By` where an option decides.

    Args:
        name: The name in reports; None for the metric's own.
        threshold: The score needed to pass, in [0, 1] (the highest that passes, where less is better); None for the
            metric's own.
        include_reason: Whether results carry a reason; it costs no call.
        description: What it measures, in a line; None for the metric's own.

    Raises:
        ConfigurationError: If an option is out of range, or two of them do not go together.
    """

    name: Option[str | None, str] = Option(None, lambda metric, given: given or metric.default_name)
    threshold: Option[float | None, float] = Option(
        None, lambda metric, given: check_threshold(metric.default_threshold if given is None else given)
    )
    include_reason: bool = True
    description: Option[str | None, str] = Option(None, lambda metric, given: given or metric.default_description)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(kw_only=True, eq=False, repr=False)(cls)

    def __post_init__(self) -> None:
        for option in fields(self):
            getattr(self, option.name)  # what is wrong shows when the metric is made
        vars(self)["_made"] = True

    def __setattr__(self, name: str, value: Any) -> None:
        if "_made" in vars(self):
            raise FrozenInstanceError(f"cannot assign to field {name!r}: dataclasses.replace makes another metric")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        held = vars(self)
        shown = (
            f"{part.name}={_plain(getattr(self, part.name))!r}"
            for part in fields(self)
            if held.get(f"given_{part.name}", held.get(part.name)) != part.default
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    default_name = By(lambda metric: type(metric).__name__)
    """The name in reports, where none is given."""
    default_description = By(lambda metric: (type(metric).__doc__ or "").partition("\n")[0])
    """What it measures, in a line."""
    default_threshold = By(lambda _: DEFAULT_THRESHOLD)
    """The score needed to pass, where none is given."""
    direction = By(lambda _: "maximize")
    """Which way is better: "maximize" or "minimize"."""
    needs = By[tuple[Need, ...]](lambda _: ())
    """Fields of a case without which there is no score."""
    cost = By(lambda _: "")
    """Calls a case, in words."""
    offline = By(lambda _: "yes")
    """What the offline judge makes of it: "yes", "lexical", or "no" with the reason."""
    policy = By[str | Policy](lambda metric: metric.default_name.replace("_", "-"))
    """The scoring policy, or the versioned name of the metric's own formula."""
    formula = By(lambda _: "")
    """How the score comes about; "" where a policy makes it of the verdicts."""

    def describe(self) -> dict[str, Any]:
        """Return what decides this metric's scores, for a run's header."""
        options = described(self, leave_out=("name", "policy", "description", "include_reason", "cost"))
        place = f"{type(self).__module__}.{type(self).__qualname__}"
        return {"class": place, "name": self.name, "policy": _plain(self.policy), **options}

    def is_passing(self, score: float | None) -> bool:
        """Whether a score reaches the threshold (up to 1e-9); no score never does."""
        return is_passing(score, self.threshold, self.direction)

    def evaluate_sync(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case from synchronous code, also inside a running event loop (see `evaluate`)."""
        return run_sync(self.evaluate(case, judge))

    async def evaluate(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case.

        Whatever is wrong with the case's data or a reply is a status and issues of the result, never an exception.
        """
        started = time.perf_counter()
        account = Account()
        found = await self._measured(case, judge, account)
        held = {part.name: getattr(found, part.name) for part in fields(found)}
        if not self.include_reason:
            held["reason"] = None
        elif not found.reason:
            held["reason"] = compose_reason(found.status, found.verdicts, account.issues)
        return MetricResult(
            metric=self.name,
            policy=_plain(self.policy),
            formula=self.formula,
            threshold=self.threshold,
            outcome=decide(found.status, found.score, found.bounds, self.threshold, direction=self.direction),
            direction=self.direction,
            issues=account.issues,
            usage=account.usage,
            latency_ms=(time.perf_counter() - started) * 1000.0,
            judge=name_of(judge),
            calls=account.calls,
            **held,
        )

    async def _measured(self, case: Case, judge: Judge, account: Account) -> Finding:
        return missing_input(case, self.needs) or await self.find(case, judge, account)

    @abstractmethod
    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Find the score of a case that has everything the metric needs; count every reply in the account."""


def described(options: Any, *, leave_out: Sequence[str] = ()) -> dict[str, Any]:
    """The fields of a dataclass as JSON holds them: a scale or policy by its name, a function by its place."""
    return {part.name: _plain(getattr(options, part.name)) for part in fields(options) if part.name not in leave_out}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, CaseMetric):
        return described(value, leave_out=(*(part.name for part in fields(CaseMetric)), "policy"))
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
        return value
    if callable(value) and not is_dataclass(value):
        return f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"
    return value.name if hasattr(value, "name") else str(value)


NEEDS: tuple[Need, ...] = get_args(Need)


def missing_input(case: Case, needs: Sequence[Need]) -> Finding | None:
    """What a metric finds in a case that lacks an input: a status that names it, and no score. None if all is there."""
    lacking = next((need for need in needs if _lacks(case, need)), None)
    if lacking is None:
        return None
    if lacking in ("answer", "contexts"):
        return Finding(status=Status.NO_ANSWER if lacking == "answer" else Status.NO_CONTEXT)
    return Finding(status=Status.MISSING_INPUT, reason=f"the case has no {lacking}")


def _lacks(case: Case, need: Need) -> bool:
    if need == "answer" and case.statements is not None:
        return False
    held = getattr(case, need)
    return all(map(is_blank, held if need == "contexts" else [held or ""]))


def supported(verdicts: Sequence[StatementVerdict]) -> list[bool | None]:
    """Of each statement whether it is supported; None for one without verdict."""
    return [None if one.verdict is None else one.verdict is Verdict.SUPPORTED for one in verdicts]


def listed(verdicts: Sequence[StatementVerdict], *further: str) -> list[dict[str, Any]]:
    """Statements with their verdicts, as details hold them."""
    return [verdict.model_dump(mode="json", include={"statement", "verdict", *further}) for verdict in verdicts]
