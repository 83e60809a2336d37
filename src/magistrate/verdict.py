"""The vocabulary: verdicts, scales, issues and statuses: closed lists, so a new word is added here, never ad hoc."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from magistrate.errors import ConfigurationError


def _frozen(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


copyreg.pickle(MappingProxyType, lambda proxy: (_frozen, (dict(proxy),)))

Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Verdict(StrEnum):
    """What a judge said of one statement, given the contexts."""

    SUPPORTED = "supported"
    PARTIALLY_SUPPORTED = "partially_supported"
    CONTRADICTED = "contradicted"
    NOT_ENOUGH_INFO = "not_enough_info"
    UNSUPPORTED = "unsupported"
    """A binary judge's no: contradicted or not mentioned, the cause is unknown."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The verdicts a judge may choose from.

    Args:
        name: How the scale is called in prompts, reports and cache keys.
        verdicts: The verdicts it offers, best first.
        words: Further words a judge uses for them ("grounded" -> supported), matched as whole tokens, in any case.
            They come before the built-in words of the scale.
    """

    name: str
    verdicts: tuple[Verdict, ...]
    words: Mapping[str, Verdict] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if not self.name or not self.verdicts:
            raise ValueError("a scale needs a name and at least one verdict")
        if len(set(self.verdicts)) != len(self.verdicts):
            raise ValueError(f"scale {self.name!r} lists a verdict twice")
        words = {" ".join(word.casefold().split()): Verdict(verdict) for word, verdict in self.words.items()}
        strangers = sorted({v.value for v in words.values()} - {v.value for v in self.verdicts})
        if strangers:
            raise ValueError(f"scale {self.name!r} has words for verdicts it does not offer: {', '.join(strangers)}")
        if "" in words:
            raise ValueError(f"scale {self.name!r} has a blank word")
        object.__setattr__(self, "words", MappingProxyType(words))

    def __hash__(self) -> int:
        return hash(self.name)


BINARY = Scale("binary", (Verdict.SUPPORTED, Verdict.UNSUPPORTED))
TERNARY = Scale("ternary", (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO))
GRADED = Scale(
    "graded",
    (Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO),
)
_SCALES = {scale.name: scale for scale in (BINARY, TERNARY, GRADED)}


def resolve_scale(scale: str | Scale) -> Scale:
    """Return the scale of that name, or the scale itself.

    Raises:
        ConfigurationError: If the name is not "binary", "ternary" or "graded".
    """
    if isinstance(scale, Scale):
        return scale
    if scale in _SCALES:
        return _SCALES[scale]
    raise ConfigurationError(f"unknown scale {scale!r}: use {', '.join(map(repr, _SCALES))} or a Scale")


class IssueCode(StrEnum):
    """Why a verdict, a reading or a result needs a second look."""

    REPAIRED_JSON = "repaired-json"
    TRUNCATED = "truncated"
    COUNT_MISMATCH = "count-mismatch"
    MISSING_VERDICT = "missing-verdict"
    DUPLICATE_VERDICT = "duplicate-verdict"
    CONFLICTING_VERDICTS = "conflicting-verdicts"
    UNKNOWN_STATEMENT = "unknown-statement"
    SENTENCE_WITHOUT_STATEMENT = "sentence-without-statement"
    """A sentence of the answer that no statement was taken from: what it says was not judged."""
    UNKNOWN_LABEL = "unknown-label"
    OUT_OF_RANGE = "out-of-range"
    REFUSAL = "refusal"
    EMPTY_REPLY = "empty-reply"
    BLANK_STATEMENT = "blank-statement"
    EVIDENCE_NOT_FOUND = "evidence-not-found"
    REASON_CONTRADICTS = "reason-contradicts"
    TOKEN_MISSING = "token-missing"  # noqa: S105 - an issue code, not a password
    LOW_CONFIDENCE = "low-confidence"
    UNCERTAIN_END = "uncertain-end"
    LANGUAGE_MISMATCH = "language-mismatch"
    CONTEXT_TRUNCATED = "context-truncated"
    CONTEXT_SPLIT = "context-split"
    """The contexts did not fit the model at once, and were judged in parts."""
    TEXT_AFTER_ANSWER = "text-after-answer"
    """What stands behind the answer may bear on it, and is not accounted for."""
    SPLIT_PANEL = "split-panel"
    """The judges of a panel do not agree; each one's verdict is in `votes`."""
    JUDGE_ERROR = "judge-error"
    """The call for this statement failed; the message says how."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing to know about a reading: a code for programs, a message for people, the statement it is about.

    Args:
        code: Which kind of issue.
        message: One sentence; may quote the judge, so treat it as untrusted text.
        index: The statement it is about (0-based), None for the reply as a whole.
    """

    code: IssueCode
    message: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """One change made to a reply so that it could be read.

    Args:
        code: What was done, hyphenated ("trailing-comma", "single-quotes").
        offset: Where in the reply, in characters from its start.
    """

    code: str
    offset: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote that a judge gave for its verdict, and where it stands in the contexts.

    Args:
        quote: The judge's words.
        context: Index of the context it was found in (0-based); None where it was found in none.
        start: First character of the match in that context.
        end: One past its last character.
        similarity: 1.0 for a verbatim quote (case, white space and punctuation marks aside), less for a near match.
    """

    quote: str
    context: int | None = None
    start: int | None = None
    end: int | None = None
    similarity: float | None = None

    @property
    def found(self) -> bool:
        """Whether the quote stands in one of the contexts."""
        return self.context is not None


@dataclass(frozen=True, slots=True)
class Vote:
    """What one of several judges said of a statement, or one judge before its verdict was calibrated.

    Args:
        judge: Its name.
        verdict: Its verdict; None where it gave none.
        confidence: How sure it was of it, in [0, 1]; None where nothing tells.
    """

    judge: str
    verdict: Verdict | None
    confidence: Share | None = None


class StatementVerdict(BaseModel):
    """The verdict on one statement, or the reason why there is none.

    Attributes:
        index: Position of the statement, 0-based.
        id: Its id in the prompt ("s1" for the first).
        statement: Its text.
        verdict: The verdict; None where the reply gives none that is safe to use, and then `issues` says why.
        reason: The judge's reason, verbatim; None where it gave none. Never invented.
        evidence: The judge's quotes, each with the place where it was found.
        probability: P(supported) in [0, 1] where the judge gives one.
        confidence: How sure the judge was of its verdict, in [0, 1]: the probability of the verdict's token, or the
            share of repetitions or judges that agree; None where nothing tells.
        votes: What each judge of a panel or cascade said, or what was said before a calibration; empty for one judge.
        issues: What is to be known about this statement.
        format: The format the verdict was read from ("json", "table", ...); None where there is none.
        span: First and one-past-last character of the row it was read from, in the raw reply.
        repairs: The repairs that touched that row.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    index: int = Field(ge=0)
    id: str
    statement: str
    verdict: Verdict | None = None
    reason: str | None = None
    evidence: tuple[Evidence, ...] = ()
    probability: Share | None = None
    confidence: Share | None = None
    votes: tuple[Vote, ...] = ()
    issues: tuple[Issue, ...] = ()
    format: str | None = None
    span: tuple[int, int] | None = None
    repairs: tuple[Repair, ...] = ()

    @property
    def sureness(self) -> float | None:
        """How sure the judge was: `confidence`, else by `probability`; None where nothing tells."""
        if self.verdict is None or self.confidence is not None or self.probability is None:
            return self.confidence
        return self.probability if self.verdict is Verdict.SUPPORTED else 1.0 - self.probability

    @model_validator(mode="after")
    def _verdict_or_named_reason(self) -> StatementVerdict:
        if self.verdict is None and not self.issues:
            raise ValueError(f"statement {self.id} has neither a verdict nor an issue that says why")
        return self


class ParseStatus(StrEnum):
    """How the reading of one reply ended."""

    OK = "ok"
    PARTIAL = "partial"
    REFUSAL = "refusal"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    UNPARSEABLE = "unparseable"
    OUT_OF_RANGE = "out_of_range"


class Status(StrEnum):
    """How the evaluation of one metric on one case ended. Only `scored` and `partial` can pass."""

    SCORED = "scored"
    PARTIAL = "partial"
    VACUOUS = "vacuous"
    NO_CONTEXT = "no_context"
    NO_ANSWER = "no_answer"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    CONTEXT_TRUNCATED = "context_truncated"
    UNPARSEABLE = "unparseable"
    OUT_OF_RANGE = "out_of_range"
    JUDGE_ERROR = "judge_error"
    OVER_BUDGET = "over_budget"
    MISSING_INPUT = "missing_input"
    NOT_RUN = "not_run"
    PENDING = "pending"
    """A call waits in a provider's batch."""


STATUS_OF: dict[str, Status] = {
    ParseStatus.REFUSAL: Status.REFUSED,
    ParseStatus.EMPTY: Status.UNPARSEABLE,
    ParseStatus.TRUNCATED: Status.TRUNCATED,
    ParseStatus.UNPARSEABLE: Status.UNPARSEABLE,
    ParseStatus.OUT_OF_RANGE: Status.OUT_OF_RANGE,
}
"""What a reading without what was asked for makes of a result."""


class Outcome(StrEnum):
    """What a threshold makes of a result."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
