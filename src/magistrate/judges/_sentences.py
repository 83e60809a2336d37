"""What judges without a language model have in common: statements are sentences, and grades are refused."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Question, Verify
from magistrate.judges._replies import (
    ISSUE_OF_STATUS,
    ScoreReply,
    SingleReply,
    StatementsReply,
    VerdictsReply,
    status_of,
)
from magistrate.judges.base import BaseJudge
from magistrate.text import split_sentences
from magistrate.verdict import TERNARY, Issue, IssueCode, Scale, StatementVerdict, Status, resolve_scale


class SentenceJudge(BaseJudge, ABC):
    """Judges sentences by what `_judge_all` says of them: without a call, and so without usage."""

    can_grade = False
    _no_grade: ClassVar[str]
    """Why it gives no grade."""

    async def ask(self, question: Question[Any], /) -> Any:
        """Answer a question; a grade is refused, with the reason."""
        match question:
            case Extract():
                return _sentences_of(question)
            case Verify():
                return await self._verify(question)
            case ExtractAndVerify(answer=answer, contexts=contexts, scale=scale):
                statements = _sentences_of(Extract(answer))
                return SingleReply(statements, await self._verify(Verify(statements, contexts, scale=scale)))
            case Grade():
                return ScoreReply(status=Status.REFUSED, issues=(Issue(IssueCode.REFUSAL, self._no_grade),))
            case _:
                return await super().ask(question)

    def verify_sync(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale | str = TERNARY,
    ) -> VerdictsReply:
        """Give one verdict per statement, in order (`Verify`), from code that is not async, in the caller's thread."""
        return self._judge_all(Verify(statements, contexts, question=question, scale=resolve_scale(scale)))

    async def _verify(self, asked: Verify) -> VerdictsReply:
        return self._judge_all(asked)

    @abstractmethod
    def _judge_all(self, asked: Verify) -> VerdictsReply:
        """One verdict a statement."""


def _sentences_of(asked: Extract) -> StatementsReply:
    """The sentences of a text; claims are never left out, of truths the first so many are taken."""
    statements = split_sentences(asked.text)
    if asked.kind == "truths":
        statements = statements[: asked.limit]
    return StatementsReply(statements, Status.SCORED if statements else Status.VACUOUS)


def reply_of(verdicts: Sequence[StatementVerdict], *, without_context: bool) -> VerdictsReply:
    """The verdicts as a reply; without any its status says why, where all say the same."""
    if not verdicts:
        return VerdictsReply(status=Status.VACUOUS)
    codes = {verdict.issues[0].code for verdict in verdicts if verdict.verdict is None}
    none = next((status for status, code in ISSUE_OF_STATUS.items() if codes == {code}), Status.REFUSED)
    return VerdictsReply(tuple(verdicts), status_of(verdicts, Status.NO_CONTEXT if without_context else none))
