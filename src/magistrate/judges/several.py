"""Several judges, or several repetitions of one, that answer as one: by what most of them say."""

import copy
import inspect
import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Self

from magistrate.errors import ConfigurationError
from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Question, Verify
from magistrate.judges._replies import ScoreReply, VerdictsReply, costs, placed, status_of, unjudged
from magistrate.judges.base import BaseJudge, Judge, WrappedJudge, as_judge, can_grade, name_of, never_says, together
from magistrate.records import Usage
from magistrate.statistics import Majority, majority
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict, Vote


def repetitions(judge: Judge, count: int, *, swap: bool = False) -> list[Judge]:
    """The judge, as often as it is to be asked.

    A judge with a method `repeated(number)` gives one that asks anew, also past a cache. One without is asked again as
    it is: if it always answers the same, its repetitions agree. With `swap`, every second one gets statements and
    passages the other way round.
    """
    again = getattr(judge, "repeated", None)
    judges = [judge if again is None or not number else again(number) for number in range(count)]
    return [Swapped(one) if swap and number % 2 else one for number, one in enumerate(judges)]


class Swapped(WrappedJudge):
    """Puts statements and passages the other way round, and the verdicts back: a verdict that turns hangs on order."""

    async def ask(self, question: Question[Any], /) -> Any:
        """Pass a question on, a `Verify` in the other order."""
        if not isinstance(question, Verify):
            return await super().ask(question)
        reply = await super().ask(
            replace(question, statements=question.statements[::-1], contexts=question.contexts[::-1])
        )
        last, last_context = len(question.statements) - 1, len(question.contexts) - 1

        issues = (one if one.index is None else replace(one, index=last - one.index) for one in reply.issues)
        verdicts = []
        for verdict in reversed(reply.verdicts):
            evidence = tuple(
                quote if quote.context is None else replace(quote, context=last_context - quote.context)
                for quote in verdict.evidence
            )
            verdicts.append(placed(verdict, last - verdict.index, evidence=evidence))
        return replace(reply, verdicts=tuple(verdicts), issues=tuple(issues))


class Sample(WrappedJudge):
    """One repetition: it takes the statements that the first found, so that verdicts can be compared."""

    def __init__(self, first: Judge, judge: Judge) -> None:
        super().__init__(judge)
        self._first = as_judge(first)

    async def ask(self, question: Question[Any], /) -> Any:
        """Pass a question on, to the first where it asks for statements."""
        if isinstance(question, ExtractAndVerify):
            raise ConfigurationError(_NO_SINGLE)
        return await (self._first.ask(question) if isinstance(question, Extract) else super().ask(question))


class MajorityJudge(WrappedJudge):
    """Asks several repetitions, and says of each statement what more than half of them say.

    A statement on which no verdict has that many, a tie among them, has no verdict: position never decides. A grade is
    the median of the grades, where more than half of the repetitions give one. Statements are those that the first
    repetition finds: verdicts on different statements have no majority.
    """

    def __init__(self, judges: Sequence[Judge]) -> None:
        super().__init__(judges[0])
        self._judges = tuple(map(as_judge, judges))

    async def ask(self, question: Question[Any], /) -> Any:
        """Ask all repetitions for verdicts and grades, the first for all else."""
        if isinstance(question, ExtractAndVerify):
            raise ConfigurationError(_NO_SINGLE)
        if not isinstance(question, Verify | Grade):
            return await super().ask(question)
        return combined([await judge.ask(question) for judge in self._judges], question)


def combined(
    replies: Sequence[Any], question: Verify | Grade, panel: Sequence[str] = (), *, unanimous: bool = False
) -> Any:
    """One reply out of several to the same question; `panel` names different judges, whose votes are kept then."""
    if isinstance(question, Grade):
        return replace(_median(replies), **costs(replies))
    statements = question.statements
    complete = [reply for reply in replies if len(reply.verdicts) == len(statements)]
    if not statements or not complete:
        return replace(replies[0], **costs(replies))
    verdicts = tuple(
        _voted([r.verdicts[index] if r in complete else None for r in replies], index, statement, panel, unanimous)
        for index, statement in enumerate(statements)
    )
    issues = tuple(dict.fromkeys(issue for reply in replies for issue in reply.issues))
    if not any(verdict.verdict for verdict in verdicts):
        issues += tuple(issue for verdict in verdicts for issue in verdict.issues)
    failed = {reply.status for reply in replies}
    none = failed.pop() if len(failed) == 1 else Status.UNPARSEABLE
    return VerdictsReply(verdicts, status_of(verdicts, none), issues, extra=replies[0].extra, **costs(replies))


def _median(replies: Sequence[ScoreReply]) -> ScoreReply:
    """The grade in the middle, where more than half of the replies give one."""
    values = [reply.value for reply in replies if reply.status is Status.SCORED and reply.value is not None]
    if 2 * len(values) <= len(replies):
        failed = next(reply for reply in replies if reply.value is None or reply.status is not Status.SCORED)
        return replace(failed, value=None)
    middle = float(statistics.median(values))
    nearest = min((r for r in replies if r.value in values), key=lambda reply: abs((reply.value or 0.0) - middle))
    listed = ", ".join(f"{value:g}" for value in values)
    reason = f"median of {listed}" + (f": {nearest.reason}" if nearest.reason else "")
    return replace(nearest, value=middle, reason=reason)


def _voted(
    said: Sequence[StatementVerdict | None], index: int, statement: str, panel: Sequence[str], unanimous: bool
) -> StatementVerdict:
    found: Majority[Verdict] = majority([verdict.verdict if verdict else None for verdict in said])
    label = None if unanimous and found.votes.get(found.label or Verdict.SUPPORTED) != found.n else found.label
    votes = tuple(
        Vote(name, verdict.verdict if verdict else None, verdict.sureness if verdict else None)
        for name, verdict in zip(panel, said, strict=False)
    )
    message = ", ".join(f"{vote.judge}: {vote.verdict.value if vote.verdict else 'no verdict'}" for vote in votes)
    if not votes:
        counted = ", ".join(f"{verdict.value} {count}" for verdict, count in found.votes.items())
        message = f"{found.n} repetitions: {counted}" + (f", no verdict {found.n_missing}" if found.n_missing else "")
    first = next((verdict for verdict in said if verdict is not None), None)
    if label is None:
        if found.reason == "no-votes" and first is not None:
            return first.model_copy(update={"votes": votes})
        code = IssueCode.SPLIT_PANEL if panel else IssueCode.CONFLICTING_VERDICTS
        code = IssueCode.MISSING_VERDICT if found.reason == "no-quorum" else code
        return unjudged(index, statement, code, message, votes=votes)
    agreeing = [verdict for verdict in said if verdict is not None and verdict.verdict is label]
    chances = [verdict.probability for verdict in said if verdict is not None and verdict.probability is not None]
    probability = statistics.fmean(chances) if len(chances) == len(said) else None
    if probability is None and not panel:
        probability = agreeing[0].probability
    tokens = [verdict.confidence for verdict in agreeing if verdict.confidence is not None]
    by_token = not panel and len(tokens) == len(said)
    share = len(agreeing) / len(said) if len(said) > 1 else None
    issues = agreeing[0].issues
    if len(agreeing) < len(said):
        issues = (*issues, Issue(IssueCode.SPLIT_PANEL if panel else IssueCode.LOW_CONFIDENCE, message, index))
    return agreeing[0].model_copy(
        update={
            "probability": probability,
            "confidence": statistics.fmean(tokens) if by_token else share,
            "votes": votes,
            "issues": issues,
        }
    )


_NO_SINGLE = 'repetitions need mode="batched": in one call each repetition would judge statements of its own'


RULES: Final = ("majority", "unanimous")


class SeveralJudges(BaseJudge):
    """What judges made of others have in common: the others are closed, described, repeated and estimated with them."""

    def __init__(self, name: str, judges: Sequence[Judge]) -> None:
        self.name = name
        self.members = tuple(map(as_judge, judges))
        names = [member.name for member in self.members]
        if len(names) < 2 or len(set(names)) < len(names):  # noqa: PLR2004 - two at least
            raise ConfigurationError(f"{name}: two judges or more are needed, each named once")

    @property
    def caches(self) -> bool:
        """Whether one of the judges keeps raw completions."""
        return any(getattr(member, "caches", False) for member in self.members)

    @property
    def budget(self) -> Any:
        """What the judges may spend together; None where nothing is said."""
        return next((found for member in self.members if (found := getattr(member, "budget", None))), None)

    @property
    def usage(self) -> Usage:
        """What all questions would cost, where the judges only estimate."""
        return sum((getattr(member, "usage", Usage()) for member in self.members), Usage())

    @property
    def never_says(self) -> frozenset[Verdict]:
        """The verdicts that none of the judges ever gives."""
        return frozenset.intersection(*map(never_says, self.members))

    def describe(self) -> dict[str, Any]:
        """What identifies it, beside its judges."""
        return {"name": self.name}

    def repeated(self, number: int) -> Self:
        """The same with every judge for another repetition."""
        return self._with([m.repeated(number) if hasattr(m, "repeated") else m for m in self.members])

    def estimating(self, *, cached: bool = True) -> Self:
        """The same with judges that make no call and add up what theirs would cost."""
        return self._with([m.estimating(cached=cached) if hasattr(m, "estimating") else m for m in self.members])

    def _with(self, members: Sequence[Any]) -> Self:
        other = copy.copy(self)
        other.members = tuple(members)
        return other

    async def close(self) -> None:
        """Close the judges that can be closed."""
        for member in self.members:
            closing = getattr(member, "close", None)
            made = closing() if callable(closing) else None
            if inspect.isawaitable(made):
                await made


class PanelJudge(SeveralJudges):
    """Judges that vote on each statement; every vote is kept, and one that is split has the issue `split-panel`.

    Statements are those that the first judge finds. A grade is the median of the grades.

    Args:
        judges: Two or more.
        rule: "majority": the verdict of more than half, none without such; "unanimous": the verdict of all, or none.

    Raises:
        ConfigurationError: If there is no such rule, or the judges are fewer.
    """

    def __init__(self, judges: Sequence[Judge], *, rule: str = "majority") -> None:
        super().__init__(f"panel:{'+'.join(map(name_of, judges))}", judges)
        if rule not in RULES:
            raise ConfigurationError(f"a panel's rule is {' or '.join(RULES)}, not {rule!r}")
        self.rule = rule

    @property
    def can_grade(self) -> bool:
        """Whether all of them can."""
        return all(map(can_grade, self.members))

    def describe(self) -> dict[str, Any]:
        """What identifies it, beside its judges."""
        return {**super().describe(), "rule": self.rule}

    async def ask(self, question: Question[Any], /) -> Any:
        """Ask all for verdicts and grades, the first for statements."""
        match question:
            case Extract():
                return await self.members[0].ask(question)
            case Verify() | Grade():
                replies = await together([member.ask(question) for member in self.members])
            case _:
                raise ConfigurationError(f'{self.name} gives verdicts and grades alone: mode="batched"')
        names = [member.name for member in self.members]
        return combined(replies, question, names, unanimous=self.rule == "unanimous")
