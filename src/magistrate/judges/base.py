"""The one seam of judges: a question goes in by `ask`, a reply comes out.

    reply = await judge.ask(Verify(statements, contexts))
    reply = await judge.verify(statements, contexts)  # the same, by name

A judge of one's own derives from `BaseJudge` and has `ask`, or the methods of the questions it can answer: `extract`,
`verify` and `grade` serve every metric.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    overload,
    runtime_checkable,
)

from pydantic import BaseModel

from magistrate.errors import ConfigurationError
from magistrate.records import CallRecord, Message, Usage
from magistrate.sync import run_sync
from magistrate.verdict import TERNARY, Issue, Scale, StatementVerdict, Status, Verdict, resolve_scale

if TYPE_CHECKING:
    from magistrate.judges.rows import Rows

M = TypeVar("M", bound=BaseModel)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
P = ParamSpec("P")


# -- replies ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StatementsReply(Sequence[str]):
    """The statements a judge found in a text. Iterates as the statements themselves.

    Args:
        statements: The statements, in the order of the text, blank ones left out.
        status: `scored` where they can be used, `vacuous` where the text holds none; anything else says why there are
            none.
        issues: What is to be known about the reading.
        usage: What it cost.
        calls: The calls that were made, with their raw completions.
    """

    statements: tuple[str, ...] = ()
    status: Status = Status.SCORED
    issues: tuple[Issue, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self.statements[index]

    def __len__(self) -> int:
        return len(self.statements)


@dataclass(frozen=True, slots=True)
class VerdictsReply(Sequence[StatementVerdict]):
    """One entry per statement, in order. Iterates as the `StatementVerdict`s themselves.

    Args:
        verdicts: As many as statements were asked about; one without a verdict says why in its issues.
        status: `scored` where every statement has a verdict, `partial` where some have, else why none has
            (`vacuous` where no statement was asked about).
        issues: What is to be known about the replies as a whole.
        extra: Verdicts that the replies gave beyond the statements asked about, in their order. No score of ours counts
            them; some compatibility policies do, because their framework did.
        usage: What it cost.
        calls: The calls that were made, with their raw completions.
    """

    verdicts: tuple[StatementVerdict, ...] = ()
    status: Status = Status.SCORED
    issues: tuple[Issue, ...] = ()
    extra: tuple[Verdict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()

    @overload
    def __getitem__(self, index: int) -> StatementVerdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[StatementVerdict]: ...
    def __getitem__(self, index: int | slice) -> StatementVerdict | Sequence[StatementVerdict]:
        return self.verdicts[index]

    def __len__(self) -> int:
        return len(self.verdicts)


@dataclass(frozen=True, slots=True)
class SingleReply:
    """Statements and their verdicts from one call.

    The usage and the call record are on `verdicts`; `statements` carries none, so that sums count the call once.

    Args:
        statements: The statements the judge took from the answer.
        verdicts: One per statement. A statement that cannot be found in the answer has none.
    """

    statements: StatementsReply
    verdicts: VerdictsReply


@dataclass(frozen=True, slots=True)
class ScoreReply:
    """A number a judge gave on a declared range.

    Args:
        value: The number as the judge gave it; None where there is none that is safe to use.
        status: `scored`, or why there is no number.
        reason: The judge's reason; None where it gave none.
        issues: What is to be known about the reading.
        usage: What it cost.
        calls: The calls that were made, with their raw completions.
    """

    value: float | None = None
    status: Status = Status.SCORED
    reason: str | None = None
    issues: tuple[Issue, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class StructuredReply(Generic[M]):
    """An object of the caller's model, or of a JSON schema: then it is plain data; or plain text.

    Args:
        value: The object; None where the reply holds none that is safe to use, or text was asked for.
        text: The raw reply of the last call; None where there was none.
        status: `scored` where there is an object, else why there is none.
        issues: What is to be known about the reading.
        errors: Where the last reply does not fit the model, one line each.
        usage: What it cost.
        calls: The calls that were made.
        missing: Items (0-based) that no entry was found for, where the reply was to hold a list about items.
    """

    value: M | None = None
    text: str | None = None
    status: Status = Status.SCORED
    issues: tuple[Issue, ...] = ()
    errors: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()
    missing: tuple[int, ...] = ()


# -- questions -------------------------------------------------------------------------------------------------------


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


_METHODS = frozenset(kind.method for kind in (Extract, Verify, ExtractAndVerify, Grade, Structured))


# -- judges ----------------------------------------------------------------------------------------------------------


@runtime_checkable
class Judge(Protocol):
    """Anything that judges. Metrics get one injected and never build one.

    A failure about the data or the provider is a reply with a status, never an exception. What ends a run is raised:
    `JudgeAuthError`, `JudgeNotFoundError`, `ConfigurationError`, `BudgetExceededError`.

    A judge that cannot do everything says so in two further attributes, so that a metric can tell what it would have to
    make up: `can_grade = False` where it has no number to give for a `Grade`, and `never_says`, the verdicts it never
    gives though the scale offers them.

    Attributes:
        name: What reports call it: a model name, or "offline".
    """

    name: str

    async def ask(self, question: Question[R], /) -> R:
        """Answer a question."""
        ...


def _synchronous(
    method: Callable[Concatenate[Any, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[Any, P], R]:
    """A method that awaits another of the same object, from code that is not async."""
    name = method.__name__

    def run(judge: Any, /, *args: P.args, **options: P.kwargs) -> R:
        reply: R = run_sync(getattr(judge, name)(*args, **options))
        return reply

    run.__name__ = f"{name}_sync"
    run.__doc__ = f"Do what `{name}` does, from code that is not async; also inside a running event loop."
    return run


class BaseJudge:
    """What judges derive from: either `ask` is overridden, or the methods of the questions that the judge can answer.

    Each method stands for a question, and says what it does; what is not overridden goes to the other: `verify` asks a
    `Verify`, and `ask` answers a `Verify` by calling `verify`. So it is in judges derived from one of ours, too: their
    `verify` answers every `Verify`, and may call that of the judge they derive from.
    """

    name: str = "judge"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "ask" in cls.__dict__:
            cls._answer = cls.ask  # type: ignore[method-assign]
        elif cls.ask is not BaseJudge.ask and (named := _METHODS.intersection(cls.__dict__)):
            cls.ask = _by_method_if(named, cls.ask)  # type: ignore[method-assign]

    async def ask(self, question: Question[R], /) -> R:
        """Answer a question.

        Raises:
            ConfigurationError: If the judge cannot answer such a question.
        """
        return await _ask_by_method(self, question)

    async def _answer(self, question: Question[R], /) -> R:
        return await _ask_by_method(self, question)

    async def extract(
        self,
        text: str,
        *,
        question: str | None = None,
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """Take the statements out of a text (`Extract`)."""
        return await self._answer(Extract(text, question=question, kind=kind, limit=limit))

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale | str = TERNARY,
    ) -> VerdictsReply:
        """Give one verdict per statement, in order, against the contexts (`Verify`)."""
        return await self._answer(Verify(statements, contexts, question=question, scale=resolve_scale(scale)))

    async def extract_and_verify(
        self, answer: str, contexts: Sequence[str], *, question: str | None = None, scale: Scale | str = TERNARY
    ) -> SingleReply:
        """Take the statements out of an answer and judge them, in one call (`ExtractAndVerify`)."""
        return await self._answer(ExtractAndVerify(answer, contexts, question=question, scale=resolve_scale(scale)))

    async def grade(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:
        """Give one number in [low, high] for the fields, by the rubric (`Grade`)."""
        return await self._answer(Grade(rubric, fields, low=low, high=high))

    @overload
    async def structured(
        self, prompt: str | Sequence[Message], model: type[M], *, rows: Rows | None = None, max_tokens: int = 2048
    ) -> StructuredReply[M]: ...
    @overload
    async def structured(
        self,
        prompt: str | Sequence[Message],
        model: Mapping[str, Any],
        *,
        rows: Rows | None = None,
        max_tokens: int = 2048,
    ) -> StructuredReply[Any]: ...
    async def structured(
        self,
        prompt: str | Sequence[Message],
        model: type[BaseModel] | Mapping[str, Any],
        *,
        rows: Rows | None = None,
        max_tokens: int = 2048,
    ) -> StructuredReply[Any]:
        """Answer a prompt of one's own with an object of one's own (`Structured`)."""
        return await self._answer(Structured(prompt, model, rows=rows, max_tokens=max_tokens))

    async def text(self, prompt: str | Sequence[Message], *, max_tokens: int = 1024) -> StructuredReply[Any]:
        """Answer a prompt of one's own with plain text; it is in `.text`, with a status where it is not whole."""
        return await self._answer(Structured(prompt, max_tokens=max_tokens))

    extract_sync = _synchronous(extract)
    verify_sync = _synchronous(verify)
    extract_and_verify_sync = _synchronous(extract_and_verify)
    grade_sync = _synchronous(grade)
    structured_sync = _synchronous(structured)
    text_sync = _synchronous(text)


_HINTS = {
    "extract_and_verify": ': mode="single" needs a judge that has it; others take mode="batched"',
    "structured": ": this takes a model, such as gpt-4o",
}


async def _ask_by_method(judge: Any, question: Question[R]) -> R:
    """Call the method that stands for a question."""
    method: Callable[..., Awaitable[R]] | None = getattr(judge, question.method, None)
    if not callable(method) or getattr(method, "__func__", None) is getattr(BaseJudge, question.method):
        hint = _HINTS.get(question.method, "")
        raise ConfigurationError(f"the judge {name_of(judge)!r} has no method {question.method!r}{hint}")
    parts: Any = fields(question)  # type: ignore[arg-type]  # every question is a dataclass
    first = [getattr(question, part.name) for part in parts if not part.kw_only]
    return await method(*first, **{part.name: getattr(question, part.name) for part in parts if part.kw_only})


def _by_method_if(named: frozenset[str], otherwise: Callable[..., Awaitable[Any]]) -> Any:
    async def ask(judge: Any, question: Question[Any], /) -> Any:
        return await (_ask_by_method if question.method in named else otherwise)(judge, question)

    return ask


class WrappedJudge(BaseJudge):
    """Passes every question on to another judge; whatever else that judge can do, it can do too.

    A wrapper that does more overrides `ask`.

    Args:
        judge: The judge. One that does not derive from `BaseJudge` needs `ask`, or the methods that it is asked by.
    """

    def __init__(self, judge: Any) -> None:
        self._judge = judge
        self.name = name_of(judge)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._judge, name)

    async def ask(self, question: Question[R], /) -> R:
        """Pass a question on."""
        if hasattr(self._judge, "ask"):
            return await self._judge.ask(question)  # type: ignore[no-any-return]
        return await _ask_by_method(self._judge, question)


def as_judge(judge: Any) -> BaseJudge:
    """The judge with all methods of `BaseJudge`, be it an object that has `ask` alone, or only some of the others."""
    return judge if isinstance(judge, BaseJudge) else WrappedJudge(judge)


def name_of(judge: object) -> str:
    """What reports call a judge: its name, else that of its class."""
    return str(getattr(judge, "name", None) or type(judge).__name__)


def can_grade(judge: object) -> bool:
    """Whether a judge can give a number by a rubric: yes, unless it says otherwise."""
    return bool(getattr(judge, "can_grade", True))


def never_says(judge: object) -> frozenset[Verdict]:
    """The verdicts that a judge never gives though a scale offers them: none, unless it says otherwise."""
    return frozenset(getattr(judge, "never_says", ()))


def list_of_texts(texts: Iterable[str], name: str) -> tuple[str, ...]:
    """Refuse one text where a list of texts is meant: read letter by letter, it would be judged letter by letter.

    Raises:
        TypeError: If it is one text, or holds something else than texts.
    """
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"{name} is a list of texts, not {_kind(texts)}")
    found = tuple(texts)
    for index, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{index}] is a text, not {_kind(text)}")
    return found


def _kind(value: object) -> str:
    return "one text" if isinstance(value, str) else "None" if value is None else type(value).__name__
