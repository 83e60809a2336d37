"""What a judge can be asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel

from magistrate.errors import ConfigurationError
from magistrate.judges._replies import ScoreReply, SingleReply, StatementsReply, StructuredReply, VerdictsReply
from magistrate.records import Message
from magistrate.verdict import TERNARY, Scale, resolve_scale

if TYPE_CHECKING:
    from magistrate.judges.llm.itemized_schema import Rows

R_co = TypeVar("R_co", covariant=True)


class Question(Generic[R_co]):
    """What a judge can be asked; its parameter is the reply. Equal questions are equal, and can be keys."""

    __slots__ = ()
    method: ClassVar[str]
    """The method of a judge that asks it."""


@dataclass(frozen=True, slots=True)
class Extract(Question[StatementsReply]):
    """Take the statements out of a text: the claims of an answer, or the truths that a context states.

    Args:
        text: The text.
        question: What the text answers; helps to name what its pronouns mean.
        kind: "claims" or "truths".
        limit: Most statements wanted, 1 or more; None for all.

    Raises:
        ConfigurationError: If the limit is below 1.
    """

    text: str
    question: str | None = field(default=None, kw_only=True)
    kind: Literal["claims", "truths"] = field(default="claims", kw_only=True)
    limit: int | None = field(default=None, kw_only=True)
    method: ClassVar[str] = "extract"

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise ConfigurationError(f"limit is {self.limit}, and must be 1 or more")


@dataclass(frozen=True, slots=True)
class Verify(Question[VerdictsReply]):
    """Give one verdict per statement, in order, against the contexts.

    Args:
        statements: The statements. Blank ones get no verdict and no call.
        contexts: The passages. Without one that is not blank, the status is `no_context`.
        question: What the statements answer, where they cannot be understood alone.
        scale: The verdicts on offer, or the name of a scale.

    Raises:
        TypeError: If statements or contexts are no list of texts.
        ValueError: If no scale has that name.
    """

    statements: Sequence[str]
    contexts: Sequence[str]
    question: str | None = field(default=None, kw_only=True)
    scale: Scale = field(default=TERNARY, kw_only=True)
    method: ClassVar[str] = "verify"

    def __post_init__(self) -> None:
        object.__setattr__(self, "statements", list_of_texts(self.statements, "statements"))
        object.__setattr__(self, "contexts", list_of_texts(self.contexts, "contexts"))
        object.__setattr__(self, "scale", resolve_scale(self.scale))


@dataclass(frozen=True, slots=True)
class ExtractAndVerify(Question[SingleReply]):
    """Take the statements out of an answer and judge them, in one call. Each must be found in the answer.

    Args:
        answer: The answer.
        contexts: The passages.
        question: What the answer answers.
        scale: The verdicts on offer, or the name of a scale.

    Raises:
        TypeError: If the contexts are no list of texts.
        ValueError: If no scale has that name.
    """

    answer: str
    contexts: Sequence[str]
    question: str | None = field(default=None, kw_only=True)
    scale: Scale = field(default=TERNARY, kw_only=True)
    method: ClassVar[str] = "extract_and_verify"

    def __post_init__(self) -> None:
        object.__setattr__(self, "contexts", list_of_texts(self.contexts, "contexts"))
        object.__setattr__(self, "scale", resolve_scale(self.scale))


@dataclass(frozen=True, slots=True)
class Grade(Question[ScoreReply]):
    """Give one number in [low, high] for some fields, by a rubric.

    Args:
        rubric: What is graded and how; trusted.
        fields: Texts by name; untrusted. If all are blank, the status is `missing_input`.
        low: Lowest score.
        high: Highest score, above `low`.

    Raises:
        ConfigurationError: If `low` is not below `high`.
    """

    rubric: str
    fields: Mapping[str, str] = field(hash=False)
    low: float = field(kw_only=True)
    high: float = field(kw_only=True)
    method: ClassVar[str] = "grade"

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ConfigurationError(f"low is {self.low} and high is {self.high}: low must be less")


@dataclass(frozen=True, slots=True)
class Structured(Question[StructuredReply[Any]]):
    """Answer a prompt of the caller's own with an object of the caller's own, or with plain text.

    It takes the same way as a verdict: schema, one call, our reading of the raw reply, two more attempts at most.

    Args:
        prompt: The whole prompt, or a conversation that ends with it; sent as it is.
        model: What the reply should be: a Pydantic model, a JSON schema, or None for plain text.
        rows: A list in it that must hold one entry for each of some items. Then a note that numbers them follows the
            prompt, entries are matched to items, and only missing ones are asked for again.
        max_tokens: Most tokens of the reply; it grows with the number of items.
    """

    prompt: str | Sequence[Message]
    model: type[BaseModel] | Mapping[str, Any] | None = field(default=None, hash=False)
    rows: Rows | None = field(default=None, hash=False, kw_only=True)
    max_tokens: int = field(default=2048, kw_only=True)
    method: ClassVar[str] = "structured"


def list_of_texts(texts: Iterable[str], name: str) -> tuple[str, ...]:
    """Refuse one text where a list of texts is meant: read letter by letter, it would be judged letter by letter."""
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"{name} is a list of texts, not {_kind(texts)}")
    found = tuple(texts)
    for index, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{index}] is a text, not {_kind(text)}")
    return found


def _kind(value: object) -> str:
    return "one text" if isinstance(value, str) else "None" if value is None else type(value).__name__
