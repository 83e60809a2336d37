"""What a run found in one case, and how it is written down, with its texts or without."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import PydanticSerializationError, from_json

from magistrate.case import Case, Problem
from magistrate.errors import MissingExtraError
from magistrate.evaluation.files import adapter_of
from magistrate.metrics.base import MetricResult
from magistrate.parsing.wording.fold import clean
from magistrate.records import CallRecord, Usage
from magistrate.verdict import Issue, Outcome, ParseStatus, StatementVerdict, Status, Verdict

if TYPE_CHECKING:
    import pandas as pd

UNFINISHED = frozenset({Status.NOT_RUN, Status.OVER_BUDGET, Status.JUDGE_ERROR, Status.PENDING})
"""Statuses that a resumed run tries again: nothing was judged yet, or the provider failed."""
STATEMENT_COLUMNS: Final = ("metric", "id", "statement", "verdict", "reason", "probability", "quotes", "issues")


class _OnlyMetric:
    """Attributes of the only metric's result, read from the result of the case."""

    __slots__ = ()

    score: float | None
    status: Status
    outcome: Outcome
    bounds: tuple[float, float] | None
    threshold: float
    reason: str | None
    statements: tuple[str, ...]
    verdicts: tuple[StatementVerdict, ...]
    issues: tuple[Issue, ...]
    usage: Usage
    latency_ms: float

    if TYPE_CHECKING:

        def only(self, attribute: str = "result") -> MetricResult: ...

    def __getattr__(self, name: str) -> Any:
        if name not in _OnlyMetric.__annotations__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.only(name), name)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult(_OnlyMetric):
    """The results of all metrics on one case.

    Where the run has one metric, its result's attributes can be read here: `.score`, `.status`, `.outcome`, `.bounds`,
    `.threshold`, `.reason`, `.verdicts`, `.statements`, `.issues`, `.usage`, `.latency_ms`.

    Attributes:
        index: Position of the case in the dataset (0-based).
        case: The case.
        metrics: Name of the metric -> its result.
        problems: What is wrong with the dataset's row.
        line: The line of the dataset on which the row starts (1-based); None where the format has no lines.
        fingerprint: Tells whether a dataset still holds the same case at this position.
    """

    index: int
    fingerprint: str = ""  # second, so that a stored line begins with what the index of a run needs
    case: Case
    metrics: Mapping[str, MetricResult] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    line: int | None = None

    @property
    def case_id(self) -> str:
        """The case's id, under the name that tables and labels have for it."""
        return self.case.id or f"case-{self.index + 1}"

    id = case_id

    @property
    def finished(self) -> bool:
        """Whether a resumed run may leave the case as it is."""
        return not any(result.status in UNFINISHED for result in self.metrics.values())

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds that judging the case took: its metrics run at the same time, so the longest of them."""
        return max((result.latency_ms for result in self.metrics.values()), default=0.0)

    def calls_of(self, name: str) -> tuple[CallRecord, ...]:
        """The calls behind a metric's result, with the completions of those that another metric's result keeps."""
        kept = {call.key: call for result in self.metrics.values() for call in result.calls if not call.shared}
        return tuple(
            replace(kept[call.key], shared=True) if call.shared and call.key and call.key in kept else call
            for call in self.metrics[name].calls
        )

    def only(self, attribute: str = "result") -> MetricResult:
        """The result of the only metric.

        Raises:
            AttributeError: If the run has several metrics, or none.
        """
        if len(self.metrics) == 1:
            return next(iter(self.metrics.values()))
        names = ", ".join(repr(name) for name in self.metrics) or "none"
        raise AttributeError(
            f"case {self.id!r} has {len(self.metrics)} metrics ({names}): "
            f"use .metrics[name].{attribute} instead of .{attribute}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Every field, as JSON holds it."""
        value: dict[str, Any] = json.loads(encode_result(self, full=True))
        return value

    def to_pandas(self) -> pd.DataFrame:
        """One row for each metric and statement: id, statement, verdict, reason, probability, quotes, issues.

        Raises:
            MissingExtraError: If pandas is not installed.
        """
        return make_frame(statement_rows(self), STATEMENT_COLUMNS)

    def _repr_html_(self) -> str:
        from magistrate.report.documents import result_html  # noqa: PLC0415 - only in notebooks

        return result_html(self)


def statement_rows(result: CaseResult) -> Iterator[tuple[Any, ...]]:
    """What `STATEMENT_COLUMNS` name, for each metric and statement."""
    for name, one in ((name, one) for name, metric in result.metrics.items() for one in metric.verdicts):
        quotes, issues = (evidence.quote for evidence in one.evidence), (issue.code.value for issue in one.issues)
        said = one.verdict.value if one.verdict else None
        yield name, one.id, one.statement, said, one.reason, one.probability, tuple(quotes), tuple(issues)


def fingerprint(case: Case, problems: tuple[Problem, ...] = ()) -> str:
    """First 16 hex digits of SHA-256 over everything that is judged in a row."""
    text = case.model_dump_json(exclude_defaults=True, fallback=str)
    blocking = [problem.message for problem in problems if problem.blocking]
    return hashlib.sha256(json.dumps([text, blocking]).encode()).hexdigest()[:16]


def digest_line(result: CaseResult) -> bytes:
    """What the results digest covers of a case, whose order counts: the same however the results were made.

    That is its id and place and, for each metric, status, score, outcome, verdicts and issue codes; nothing of clocks,
    cost, tokens, caches or folders.
    """
    found: list[Any] = []
    for name, metric in sorted(result.metrics.items()):
        verdicts = [[one.id, one.verdict, [issue.code for issue in one.issues]] for one in metric.verdicts]
        settled = [verdicts, list(metric.extra), [issue.code for issue in metric.issues]]
        found.append([name, metric.status, metric.score, metric.outcome, settled])
    line = json.dumps([result.id, result.index, found], ensure_ascii=True, separators=(",", ":"))
    return line.encode() + b"\n"


def encode_result(result: CaseResult, *, full: bool = False) -> bytes:
    """Write a result as one line of JSON, without what is default unless `full`.

    Half surrogate pairs, which a model may emit and no encoding can write, become U+FFFD: one character for one, so
    that spans into the text stay right.
    """
    try:
        return adapter_of(CaseResult).dump_json(result, exclude_defaults=not full, fallback=str)
    except (PydanticSerializationError, UnicodeError):
        tree = adapter_of(CaseResult).dump_python(result, exclude_defaults=not full)
        return json.dumps(writable(tree), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def writable(value: Any) -> Any:
    """The value as plain JSON: half surrogate pairs become U+FFFD, what is no finite number null, all else text."""
    match value:
        case str():
            return clean(str(value))
        case float() if not math.isfinite(value):
            return None
        case None | bool() | int() | float():
            return value
        case Mapping():
            return {writable(str(key)): writable(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [writable(item) for item in value]
        case _:
            return writable(str(value))


def decode_result(line: bytes) -> CaseResult:
    """Read a result back."""
    if b"NaN" in line or b"Infinity" in line:  # pydantic takes them for numbers
        from_json(line, allow_inf_nan=False)
    return adapter_of(CaseResult).validate_json(line)


def without_reply(call: CallRecord) -> CallRecord:
    """The call without the texts of its completion."""
    if call.completion is None:
        return call
    return replace(call, completion=replace(call.completion, text=None, reasoning=None, refusal=None))


def make_frame(rows: Iterable[Any], columns: Sequence[str]) -> pd.DataFrame:
    """Make a data frame."""
    try:
        import pandas as pd  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError.needed("to_pandas() needs pandas", "pandas") from None
    return pd.DataFrame(list(rows), columns=list(columns))


_OTHER = ("claims", "sentences", "given", "batched", "single", "binary", "ternary", "graded", "maximize", "minimize")
_KNOWN = frozenset([*Verdict, *Status, *Outcome, *ParseStatus, *_OTHER])
"""Words of ours that the details of a result hold."""
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")


def without_text(result: CaseResult) -> CaseResult:
    """The result with its ids, verdicts and numbers alone: no text of the case, of a reply, or of a message about them.

    The category stays, as figures are grouped by it, and so do the places of quotes. Scores can be made again from it
    by another policy; replies cannot be read again.
    """
    bare = tuple(replace(one, message="", source="", field=None, expected=None, hint=None) for one in result.problems)
    metrics = {
        name: replace(
            metric,
            reason=None,
            statements=("",) * len(metric.statements),
            verdicts=tuple(map(_verdict, metric.verdicts)),
            issues=_issues(metric.issues),
            calls=tuple(map(_call, metric.calls)),
            earlier=tuple(map(_call, metric.earlier)),
            details=_numbers(metric.details),
        )
        for name, metric in result.metrics.items()
    }
    return replace(result, case=bare_case(result.case), metrics=metrics, problems=bare)


def _verdict(verdict: StatementVerdict) -> StatementVerdict:
    evidence = tuple(replace(quote, quote="") for quote in verdict.evidence)
    kept = {"statement": "", "reason": None, "evidence": evidence, "issues": _issues(verdict.issues)}
    return verdict.model_copy(update=kept)


def _issues(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    return tuple(dict.fromkeys(Issue(issue.code, "", issue.index) for issue in issues))


def _call(call: CallRecord) -> CallRecord:
    error = None if call.error is None else call.error.partition(":")[0]
    return replace(without_reply(call), error=error, token=None)


def _numbers(value: Any) -> Any:
    """What is no text in the details of a result: numbers, and words of ours."""
    match value:
        case bool() | int() | float() | None:
            return value
        case str():
            return value if value in _KNOWN else ""
        case Mapping():
            named = ((str(key), f"text-{at}", item) for at, (key, item) in enumerate(value.items(), 1))
            return {key if _NAME.fullmatch(key) else other: _numbers(item) for key, other, item in named}
        case list() | tuple() | set() | frozenset():
            return [_numbers(item) for item in value]
        case _ if hasattr(type(value), "__dataclass_fields__"):
            return {part.name: _numbers(getattr(value, part.name)) for part in fields(value)}
        case _:
            return None


def bare_case(case: Case) -> Case:
    """A case without its texts: its id, and what figures are grouped by and held against."""
    return Case(id=case.id, category=case.category, expected_score=case.expected_score)
