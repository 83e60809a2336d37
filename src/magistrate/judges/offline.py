"""The offline judge: lexical grounding without a key, a model or a call.

It looks whether the words, the numbers and the names of a statement stand in the contexts. That tells supported from
not enough information with moderate accuracy; it cannot see contradiction and never claims one. See `OfflineJudge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Question, Verify
from magistrate.judges._replies import ScoreReply, SingleReply, StatementsReply, VerdictsReply
from magistrate.judges.base import BaseJudge
from magistrate.judges.lexical import judge_statements, read_contexts
from magistrate.text import split_sentences
from magistrate.verdict import TERNARY, Issue, IssueCode, Scale, StatementVerdict, Status, Verdict, resolve_scale


class OfflineJudge(BaseJudge):
    """A judge that compares words: no key, no model, no call, the same answer every time.

    It says `supported` where the contexts hold most of a statement's terms in much the same order, all its numbers and
    all its names; else `not_enough_info` (`unsupported` on a binary scale). Each verdict carries P(supported), the
    sentence of the contexts that holds most of the statement, and what is missing.

    What it does not do: see contradiction ("opens at 9" against "opens at 10" is a missing number to it, "is not open"
    against "is open" is support, flagged `low-confidence`), read meaning, or grade by a rubric. It gives no verdict,
    and says why, where words cannot settle it: a statement in another language than the contexts (`language-mismatch`),
    and one about what the source lacks ("the passage does not say when").

    Measured on nine labelled English sets (benchmarks/fit_grounding.py, each set with constants fitted on the others):
    mean AUC 0.80, from 0.53 (contradictions made by small edits) and 0.61 (experts on cited claims) to 0.93. Treat it
    as a smoke test.
    """

    name = "offline"
    can_grade = False
    never_says = frozenset({Verdict.CONTRADICTED, Verdict.PARTIALLY_SUPPORTED})

    async def ask(self, question: Question[Any], /) -> Any:
        """Answer a question; a grade is refused, with the reason."""
        match question:
            case Extract():
                return sentences_of(question)
            case Verify():
                return self._verify(question)
            case ExtractAndVerify(answer=answer, contexts=contexts, scale=scale):
                statements = sentences_of(Extract(answer))
                return SingleReply(statements, self._verify(Verify(statements, contexts, scale=scale)))
            case Grade():
                return no_grade("the offline judge compares words and cannot grade by a rubric; choose a model")
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
        """Give one verdict per statement, in order.

        Args:
            statements: The statements.
            contexts: The contexts; blank ones hold nothing.
            question: Not used: words of the question prove nothing.
            scale: The verdicts to choose from. `contradicted` and `partially_supported` are never given.

        Returns:
            A verdict each, or the issue that says why there is none. Status `no_context` without a context, `refused`
            where no statement could be judged. Linear in the length of statements and contexts; no usage.

        Raises:
            TypeError: If statements or contexts are no list of texts.
        """
        return self._verify(Verify(statements, contexts, question=question, scale=resolve_scale(scale)))

    def _verify(self, asked: Verify) -> VerdictsReply:
        if not asked.statements:
            return VerdictsReply(status=Status.VACUOUS)
        read = read_contexts(asked.contexts)
        if not read.texts:
            missing = tuple(map(_no_context, range(len(asked.statements)), asked.statements))
            return VerdictsReply(missing, Status.NO_CONTEXT)
        verdicts = tuple(judge_statements(asked.statements, read, asked.scale))
        known = sum(verdict.verdict is not None for verdict in verdicts)
        status = Status.SCORED if known == len(verdicts) else Status.PARTIAL if known else Status.REFUSED
        return VerdictsReply(verdicts, status)


def sentences_of(asked: Extract) -> StatementsReply:
    """The sentences of a text; claims are never left out, of truths the first so many are taken."""
    statements = split_sentences(asked.text)
    if asked.kind == "truths":
        statements = statements[: asked.limit]
    return StatementsReply(statements, Status.SCORED if statements else Status.VACUOUS)


def no_grade(message: str) -> ScoreReply:
    """No number, from a judge that cannot grade."""
    return ScoreReply(status=Status.REFUSED, issues=(Issue(IssueCode.REFUSAL, message),))


def _no_context(index: int, statement: str) -> StatementVerdict:
    issue = Issue(IssueCode.MISSING_VERDICT, "there is no context to look the statement up in", index)
    return StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, issues=(issue,))
