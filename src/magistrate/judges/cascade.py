"""A cascade: cheap judges first, the dear one for what they are not sure of."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from magistrate.errors import ConfigurationError
from magistrate.judges._questions import Extract, ExtractAndVerify, Question, Verify
from magistrate.judges._replies import VerdictsReply, costs, placed, status_of, withheld
from magistrate.judges.base import Judge, can_grade, name_of
from magistrate.judges.several import SeveralJudges
from magistrate.trust import Answer, CascadeFit, pairs_needed, stands
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Vote

PAIRS = 200


class CascadeJudge(SeveralJudges):
    """Asks one judge after the other; a verdict stands if its judge is sure enough, the last one's always does.

    How sure is found out beforehand: all judges judge `pairs` cases, and `settle` takes what `fit_cascade` makes of
    them. Until then the last judge answers everything. With labels in `against` the guarantee is one against people's
    labels: then the last judge must be sure enough too, and what nobody is sure of has no verdict.

    Statements are those that the first judge finds; grades and objects are the last judge's.

    Args:
        judges: From the cheapest to the dearest, two or more.
        risk: Share of the cases in which a verdict may differ from the last judge's (or people's), in (0, 1).
        pairs: Cases that all judges judge first.
        against: "last" judge; else people, by their "labels" in the run's folder or by a file of labels.

    Raises:
        ConfigurationError: If so few pairs can certify nothing, or an argument is out of range.
    """

    def __init__(
        self,
        judges: Sequence[Judge],
        *,
        risk: float = 0.05,
        pairs: int = PAIRS,
        against: str = "last",
    ) -> None:
        super().__init__(f"cascade:{','.join(map(name_of, judges))}", judges)
        if not 0.0 < risk < 1.0:
            raise ConfigurationError(f"{self.name}: risk is a share such as 0.05, not {risk!r}")
        if pairs < (needed := pairs_needed(risk)):
            raise ConfigurationError(f"{pairs} pairs can certify nothing at a risk of {risk:g}: {needed} are needed")
        self.risk, self.pairs, self.against = risk, pairs, against
        self.fit: CascadeFit | None = None
        self.everybody = False
        self._kept: dict[Question[Any], Any] = {}

    @property
    def by_people(self) -> bool:
        """Whether the guarantee is one against people's labels."""
        return self.against != "last"

    @property
    def can_grade(self) -> bool:
        """Whether the last one can."""
        return can_grade(self.members[-1])

    def describe(self) -> dict[str, Any]:
        """What identifies it, beside its judges; not what was found out, which follows from it and the cases."""
        return {**super().describe(), "risk": self.risk, "pairs": self.pairs, "against": self.against}

    def _with(self, members: Sequence[Any]) -> Self:
        other = super()._with(members)
        other._kept = {}  # noqa: SLF001 - one of us
        return other

    def estimating(self, *, cached: bool = True) -> Self:
        """What it costs at most: every judge judges everything."""
        other = super().estimating(cached=cached)
        other.everybody = True
        return other

    def settle(self, fit: CascadeFit) -> None:
        """Take how sure a judge must be; what was answered for the pairs is not asked again."""
        self.fit, self.everybody = fit, False

    async def ask(self, question: Question[Any], /) -> Any:
        """Answer a question."""
        if isinstance(question, ExtractAndVerify):
            raise ConfigurationError(f'{self.name} needs statements to begin with: mode="batched"')
        if isinstance(question, Verify):
            return await self._verify(question)
        if not self.everybody and question in self._kept:
            return self._kept.pop(question)
        reply = await self.members[0 if isinstance(question, Extract) else -1].ask(question)
        if self.everybody:
            self._kept[question] = reply
        return reply

    async def _verify(self, asked: Verify) -> VerdictsReply:
        threshold = self.fit.threshold if self.fit is not None else None
        last = len(self.members) - 1
        kept: Sequence[VerdictsReply] = () if self.everybody else self._kept.pop(asked, ())
        replies: list[VerdictsReply] = []
        issues: list[Issue] = []
        votes: list[list[Vote]] = [[] for _ in asked.statements]
        settled: dict[int, StatementVerdict] = {}
        for number, judge in enumerate(self.members):
            if threshold is None and number < last and not self.everybody:
                continue
            left = [at for at in range(len(asked.statements)) if at not in settled or self.everybody or kept]
            if not left:
                break
            those = replace(asked, statements=[asked.statements[at] for at in left])
            reply = kept[number] if kept else await judge.ask(those)
            replies.append(reply)
            issues += reply.issues if len(settled) < len(asked.statements) else ()
            for at, verdict in zip(left, reply.verdicts, strict=False):
                votes[at].append(Vote(judge.name, verdict.verdict, verdict.sureness))
                if at in settled:
                    continue
                sure = stands(Answer(verdict.verdict, verdict.sureness), threshold)
                if sure or number == last:
                    settled[at] = verdict
                if number == last and self.by_people and not sure:
                    why = "no judge is sure enough of it: it is left to people"
                    settled[at] = withheld(verdict, IssueCode.LOW_CONFIDENCE, why)
        if self.everybody:
            self._kept[asked] = replies
        if len(settled) < len(asked.statements):  # the last judge gave no list of verdicts at all
            return replies[-1]
        verdicts = tuple(placed(settled[at], at, votes=tuple(votes[at])) for at in range(len(asked.statements)))
        return VerdictsReply(
            verdicts,
            status_of(verdicts, replies[-1].status if replies else Status.VACUOUS),
            tuple(dict.fromkeys(issues)),
            **costs(kept or replies),
        )
