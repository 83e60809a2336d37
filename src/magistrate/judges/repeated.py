"""The same questions put several times: what most of the repetitions say, and one repetition on its own."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from magistrate.errors import ConfigurationError
from magistrate.judges.base import Judge, ScoreReply, StatementsReply, VerdictsReply
from magistrate.records import Usage
from magistrate.statistics import Majority, majority
from magistrate.verdict import TERNARY, Issue, IssueCode, Scale, StatementVerdict, Status, Verdict

__all__ = ["MajorityJudge", "Repetition", "repetitions"]


def repetitions(judge: Judge, count: int) -> list[Judge]:
    """The judge, as often as it is to be asked.

    A judge with a method `repeated(number)` gives one that asks anew, also past a cache. One without is asked again as
    it is: if it always answers the same, its repetitions agree.
    """
    again = getattr(judge, "repeated", None)
    return [judge if again is None or not number else again(number) for number in range(count)]


class Repetition:
    """One repetition: it takes the statements that the first found, so that verdicts can be compared.

    Args:
        first: The first repetition.
        own: This one.
    """

    def __init__(self, first: Judge, own: Judge) -> None:
        self.name = own.name
        self._first = first
        self._own = own

    def __getattr__(self, name: str) -> Any:
        if name == "extract_and_verify":
            raise _no_single()
        return getattr(self._own, name)

    async def extract(
        self,
        text: str,
        *,
        question: str | None = None,
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """The statements that the first repetition found."""
        return await self._first.extract(text, question=question, kind=kind, limit=limit)

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> VerdictsReply:
        """This repetition's verdicts."""
        return await self._own.verify(statements, contexts, question=question, scale=scale)

    async def grade(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:
        """This repetition's grade."""
        return await self._own.grade(rubric, fields, low=low, high=high)


class MajorityJudge:
    """Asks several repetitions, and says of each statement what more than half of them say.

    A statement on which no verdict has that many, a tie among them, has no verdict: position never decides. A grade is
    the median of the grades, where more than half of the repetitions give one.

    Args:
        judges: The repetitions, at least one.
    """

    def __init__(self, judges: Sequence[Judge]) -> None:
        self.name = judges[0].name
        self._judges = tuple(judges)

    def __getattr__(self, name: str) -> Any:
        if name == "extract_and_verify":
            raise _no_single()
        return getattr(self._judges[0], name)

    async def extract(
        self,
        text: str,
        *,
        question: str | None = None,
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """The statements that the first repetition finds: verdicts on different statements have no majority."""
        return await self._judges[0].extract(text, question=question, kind=kind, limit=limit)

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> VerdictsReply:
        """The verdicts that most repetitions give."""
        replies = [await judge.verify(statements, contexts, question=question, scale=scale) for judge in self._judges]
        usage, calls = _sum(replies)
        whole = [reply for reply in replies if len(reply.verdicts) == len(statements)]
        if not statements or not whole:
            return replace(replies[0], usage=usage, calls=calls)
        verdicts = tuple(
            _merged([reply.verdicts[index] if reply in whole else None for reply in replies], index, statement)
            for index, statement in enumerate(statements)
        )
        known = sum(verdict.verdict is not None for verdict in verdicts)
        status = Status.SCORED if known == len(verdicts) else Status.PARTIAL
        issues = tuple(dict.fromkeys(issue for reply in replies for issue in reply.issues))
        if not known:
            failed = {reply.status for reply in replies}
            status = failed.pop() if len(failed) == 1 and not failed & _READ else Status.UNPARSEABLE
            issues += tuple(issue for verdict in verdicts for issue in verdict.issues)
        return VerdictsReply(verdicts, status, issues, extra=replies[0].extra, usage=usage, calls=calls)

    async def grade(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:
        """The median of the grades."""
        replies = [await judge.grade(rubric, fields, low=low, high=high) for judge in self._judges]
        usage, calls = _sum(replies)
        values = [reply.value for reply in replies if reply.status is Status.SCORED and reply.value is not None]
        if 2 * len(values) <= len(replies):
            failed = next(reply for reply in replies if reply.value is None or reply.status is not Status.SCORED)
            return replace(failed, value=None, usage=usage, calls=calls)
        middle = float(statistics.median(values))
        nearest = min((r for r in replies if r.value in values), key=lambda reply: abs((reply.value or 0.0) - middle))
        said = ", ".join(f"{value:g}" for value in values)
        reason = f"median of {said}" + (f": {nearest.reason}" if nearest.reason else "")
        return replace(nearest, value=middle, reason=reason, usage=usage, calls=calls)


_READ = {Status.SCORED, Status.PARTIAL}


def _merged(said: Sequence[StatementVerdict | None], index: int, statement: str) -> StatementVerdict:
    """One statement's verdict out of those of the repetitions."""
    found: Majority[Verdict] = majority([verdict.verdict if verdict else None for verdict in said])
    votes = ", ".join(f"{verdict.value} {count}" for verdict, count in found.votes.items())
    missing = f", no verdict {found.n_missing}" if found.n_missing else ""
    message = f"{found.n} repetitions: {votes}{missing}"
    if found.label is None:
        first = next((verdict for verdict in said if verdict is not None), None)
        if found.reason == "no-votes" and first is not None:
            return first
        code = IssueCode.MISSING_VERDICT if found.reason == "no-quorum" else IssueCode.CONFLICTING_VERDICTS
        return StatementVerdict(
            index=index, id=f"s{index + 1}", statement=statement, issues=(Issue(code, message, index),)
        )
    agreeing = [verdict for verdict in said if verdict is not None and verdict.verdict is found.label]
    chances = [verdict.probability for verdict in said if verdict is not None and verdict.probability is not None]
    probability = statistics.fmean(chances) if len(chances) == len(said) else agreeing[0].probability
    issues = agreeing[0].issues
    if len(agreeing) < len(said):
        issues = (*issues, Issue(IssueCode.LOW_CONFIDENCE, message, index))
    return agreeing[0].model_copy(update={"probability": probability, "issues": issues})


def _sum(replies: Sequence[Any]) -> tuple[Usage, tuple[Any, ...]]:
    usage = sum((reply.usage for reply in replies), Usage())
    return usage, tuple(call for reply in replies for call in reply.calls)


def _no_single() -> ConfigurationError:
    return ConfigurationError(
        'repetitions need mode="batched": in one call each repetition would judge statements of its own'
    )
