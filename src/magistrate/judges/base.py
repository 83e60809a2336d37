"""The one seam of judges: a question goes in by `ask`, or by the method of its name, and a reply comes out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import fields
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    overload,
    runtime_checkable,
)

from pydantic import BaseModel

from magistrate.errors import BudgetExceededError, ConfigurationError, PendingError
from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Question, Structured, Verify
from magistrate.judges._replies import ScoreReply, SingleReply, StatementsReply, StructuredReply, VerdictsReply
from magistrate.records import Message
from magistrate.sync import run_sync
from magistrate.verdict import TERNARY, Scale, Verdict, resolve_scale

if TYPE_CHECKING:
    from magistrate.judges.llm.itemized_schema import Rows

M = TypeVar("M", bound=BaseModel)
R = TypeVar("R")
P = ParamSpec("P")

_METHODS = frozenset(kind.method for kind in (Extract, Verify, ExtractAndVerify, Grade, Structured))


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


async def together(jobs: Sequence[Coroutine[Any, Any, R]]) -> list[R]:
    """Run coroutines at the same time and return what they do; the first error ends the others.

    When the budget is spent, those under way are let finish: they are paid for, and a cache keeps what they bring. So
    are they where an answer waits in a batch: what the others ask belongs in the same one.
    """
    if len(jobs) == 1:
        return [await jobs[0]]
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        return await asyncio.gather(*tasks)
    except BaseException as error:
        if not isinstance(error, BudgetExceededError | PendingError):
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
