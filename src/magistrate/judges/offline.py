"""The offline judge: lexical grounding without a key, a model or a call.

It looks whether the words, the numbers and the names of a statement stand in the contexts. That tells supported from
not enough information with moderate accuracy; it cannot see contradiction and never claims one. See `OfflineJudge`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from magistrate.judges.base import ScoreReply, SingleReply, StatementsReply, VerdictsReply, list_of_texts
from magistrate.judges.lexical import read_contexts
from magistrate.judges.lexical_verdicts import judge_statements
from magistrate.text import split_sentences
from magistrate.verdict import TERNARY, Issue, IssueCode, Scale, StatementVerdict, Status, Verdict

__all__ = ["OfflineJudge"]


class OfflineJudge:
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

    async def extract(
        self,
        text: str,
        *,
        question: str | None = None,  # noqa: ARG002 - the protocol's; sentences are the same for every question
        kind: Literal["claims", "truths"] = "claims",
        limit: int | None = None,
    ) -> StatementsReply:
        """The sentences of a text.

        Args:
            text: An answer, or a context.
            question: Not used.
            kind: "claims" or "truths"; both are sentences here.
            limit: Most sentences wanted, from the start; None for all.

        Returns:
            The sentences in their order; status `vacuous` where the text states nothing.
        """
        statements = split_sentences(text)
        if kind == "truths" and limit is not None:
            statements = statements[: max(0, limit)]
        return StatementsReply(statements, Status.SCORED if statements else Status.VACUOUS)

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> VerdictsReply:
        """Give one verdict per statement, in order; `verify_sync` says how."""
        return self.verify_sync(statements, contexts, question=question, scale=scale)

    def verify_sync(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,  # noqa: ARG002 - the protocol's; words of the question prove nothing
        scale: Scale = TERNARY,
    ) -> VerdictsReply:
        """Give one verdict per statement, in order.

        Args:
            statements: The statements.
            contexts: The contexts; blank ones hold nothing.
            question: Not used.
            scale: The verdicts to choose from. `contradicted` and `partially_supported` are never given.

        Returns:
            A verdict each, or the issue that says why there is none. Status `no_context` without a context, `refused`
            where no statement could be judged. Linear in the length of statements and contexts; no usage.

        Raises:
            TypeError: If statements or contexts are no list of texts.
        """
        statements, contexts = list_of_texts(statements, "statements"), list_of_texts(contexts, "contexts")
        if not statements:
            return VerdictsReply(status=Status.VACUOUS)
        read = read_contexts(contexts)
        if not read.texts:
            return VerdictsReply(tuple(map(_no_context, range(len(statements)), statements)), Status.NO_CONTEXT)
        verdicts = tuple(judge_statements(statements, read, scale))
        known = sum(verdict.verdict is not None for verdict in verdicts)
        status = Status.SCORED if known == len(verdicts) else Status.PARTIAL if known else Status.REFUSED
        return VerdictsReply(verdicts, status)

    async def extract_and_verify(
        self,
        answer: str,
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> SingleReply:
        """`extract`, then `verify`."""
        statements = await self.extract(answer, question=question)
        return SingleReply(statements, self.verify_sync(statements.statements, contexts, scale=scale))

    async def grade(self, rubric: str, fields: Mapping[str, str], *, low: float, high: float) -> ScoreReply:  # noqa: ARG002
        """No number: words in common say nothing about a rubric. Status `refused`, with the reason."""
        message = "the offline judge compares words and cannot grade by a rubric; choose a model"
        return ScoreReply(status=Status.REFUSED, issues=(Issue(IssueCode.REFUSAL, message),))


def _no_context(index: int, statement: str) -> StatementVerdict:
    issue = Issue(IssueCode.MISSING_VERDICT, "there is no context to look the statement up in", index)
    return StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, issues=(issue,))
