"""Answers that rest on several documents: is each statement borne out, and do the documents agree about it?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from magistrate.case import Case
from magistrate.judges import Judge, VerdictsReply, never_says
from magistrate.metrics.base import MetricResult
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.per_context import documents_of, verify_against_each
from magistrate.metrics.template import CaseMetric, Finding, Ledger, Need, ranged
from magistrate.metrics.verification import is_blank
from magistrate.scoring import DEFAULT_THRESHOLD
from magistrate.verdict import Issue, IssueCode, Status, Verdict

__all__ = ["CrossDocumentFaithfulness", "SourceConflict"]

_SHOWN = 3
_MAY_CONTRADICT = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, None)


@dataclass(frozen=True, slots=True)
class _Sides:
    """What each document on its own says of one statement: document -> verdict, None where it is not known."""

    statement: str
    verdicts: dict[str, Verdict | None]

    def says(self, verdict: Verdict) -> list[str]:
        return [name for name, said in self.verdicts.items() if said is verdict]

    @property
    def may_contradict(self) -> bool:
        """Whether a document may contradict: it does, has no verdict, or a binary judge's no, which may be that."""
        return any(said in _MAY_CONTRADICT for said in self.verdicts.values())

    def listed(self, **further: Any) -> dict[str, Any]:
        return {
            "statement": self.statement,
            "documents": {name: said.value if said else None for name, said in self.verdicts.items()},
            "conflicts": [
                list(pair) for pair in product(self.says(Verdict.SUPPORTED), self.says(Verdict.CONTRADICTED))
            ],
            **further,
        }


class _CrossDocument(CaseMetric):
    """What both share: each document on its own is asked about each statement of the answer."""

    needs: tuple[Need, ...] = ("answer", "contexts")

    def __init__(self, threshold: float, *, judging: Faithfulness | None, include_reason: bool, name: str) -> None:
        self.judging = judging or Faithfulness()
        super().__init__(
            name=name,
            threshold=threshold,
            include_reason=include_reason,
            options={"judging": self.judging.describe_judging()},
        )

    def _hindrance(self, case: Case, judge: Judge, ledger: Ledger) -> Finding | None:
        """Why nothing can be measured, before a call is made."""
        documents = documents_of(case)
        if len(documents) < 2:  # noqa: PLR2004 - it takes two to disagree
            return Finding(status=Status.VACUOUS, reason="all passages are from one document")
        if Verdict.CONTRADICTED in never_says(judge):
            message = f"the judge {judge.name!r} never says contradicted, so it sees no conflict; choose a model"
            ledger.note(Issue(IssueCode.REFUSAL, message))
            return Finding(status=Status.REFUSED, reason=message)
        return None

    async def _sides(
        self, case: Case, statements: Sequence[str], judge: Judge, ledger: Ledger
    ) -> tuple[list[_Sides], Status]:
        """What each document says of each statement, and why something is missing."""
        documents = documents_of(case)
        groups = [[case.contexts[index] for index in indices] for _, indices in documents]
        replies: list[VerdictsReply] = await verify_against_each(self.judging, judge, statements, groups, case.question)
        for reply in replies:
            ledger.add(reply, aside=True)
        sides = [
            _Sides(
                statement,
                {name: reply.verdicts[index].verdict for (name, _), reply in zip(documents, replies, strict=True)},
            )
            for index, statement in enumerate(statements)
        ]
        failed = [reply.status for reply in replies if reply.status is not Status.SCORED]
        # A binary judge's no leaves the score open though every reply was read.
        return sides, failed[0] if failed else Status.PARTIAL


class SourceConflict(_CrossDocument):
    """The share of the answer's statements about which the documents disagree.

    statements that one document on its own supports and another on its own contradicts / statements, in [0, 1], less
    is better. Source: VERA ADR-0036 asks for contradiction detection between sources and gives no formula; this one
    looks at what the answer says, so that a conflict which does not touch the answer does not count. The details list
    each pair of documents with opposite verdicts.

    Which document a passage is from: see `documents_of`; where the case does not say, each passage is one of its own.

    Default threshold 0: any conflict fails. Empty input: `no_answer`, `no_context`; `vacuous` for an answer without
    statements, and where all passages are from one document. A judge that never says `contradicted` (offline) cannot
    see a conflict: `refused`, no score. A binary judge's "no" may be a contradiction, so it counts as missing. Missing
    verdicts: `partial`, no score, bounds.

    Cost per case: one call to extract the statements (shared with faithfulness), one for each document.

    Args:
        threshold: The highest share that passes; None for 0.
        judging: How statements are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.
    """

    description = "Which share of the answer's statements one document supports and another contradicts."
    cost = "extract + 1 a document"
    policy = "source-conflict"
    formula = "statements with opposite verdicts of two documents / statements"
    direction = "minimize"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "source_conflict",
    ) -> None:
        threshold = 0.0 if threshold is None else threshold
        super().__init__(threshold, judging=judging, include_reason=include_reason, name=name)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Ask each document about each statement, and look for opposite verdicts."""
        if hindrance := self._hindrance(case, judge, ledger):
            return hindrance
        reply = await self.judging.statements_of(case, judge)
        ledger.add(reply)
        statements = [text for text in reply.statements if not is_blank(text)]
        if reply.status is not Status.SCORED or not statements:
            return Finding(status=Status.VACUOUS if reply.status is Status.SCORED else reply.status)
        sides, why = await self._sides(case, statements, judge, ledger)
        flags = [_conflict(side) for side in sides]
        unknown = flags.count(None)
        status, score, bounds = ranged(
            flags.count(True) / len(flags),
            (flags.count(True) + unknown) / len(flags),
            missing=why if unknown else None,
            known=unknown < len(flags),
        )
        conflicting = [side for side, flag in zip(sides, flags, strict=True) if flag]
        reason = f"the documents disagree about {len(conflicting)} of {len(flags)} statements"
        for side in conflicting[:_SHOWN]:
            pro, contra = ", ".join(side.says(Verdict.SUPPORTED)), ", ".join(side.says(Verdict.CONTRADICTED))
            reason += f"; {side.statement!r}: {pro} supports it, {contra} contradicts it"
        return Finding(
            status=status,
            score=score,
            bounds=bounds,
            reason=reason,
            details={"statements": [side.listed() for side in sides]},
        )


class CrossDocumentFaithfulness(_CrossDocument):
    """The share of the answer's statements that the documents support together, and that none of them contradicts.

    statements supported by all passages together, or by a document on its own, and contradicted by no document on its
    own / statements, in [0, 1], more is better. Source: VERA ADR-0036 asks for multi-document faithfulness and gives no
    formula. It is faithfulness, less what faithfulness lets pass: a statement that one source supports and another
    denies. A statement that only several documents together bear out counts.

    Default threshold 0.7. Empty input, judges that cannot see a contradiction and missing verdicts: as for
    `SourceConflict`.

    Cost per case: the calls of faithfulness (shared with it) and one for each document (shared with source conflict).

    Args:
        threshold: The score needed to pass; None for 0.7.
        judging: How statements are found and judged; None for `Faithfulness()`.
        include_reason: Whether results carry a reason.
        name: The name in reports.
    """

    description = "Which share of the statements the documents support, none of them contradicting."
    cost = "extract + verify + 1 a document"
    policy = "cross-document-faithfulness"
    formula = "statements supported and contradicted by no document / statements"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        judging: Faithfulness | None = None,
        include_reason: bool = True,
        name: str = "cross_document_faithfulness",
    ) -> None:
        threshold = DEFAULT_THRESHOLD if threshold is None else threshold
        super().__init__(threshold, judging=judging, include_reason=include_reason, name=name)

    async def find(self, case: Case, judge: Judge, ledger: Ledger) -> Finding:
        """Judge as faithfulness does, then ask each document on its own."""
        if hindrance := self._hindrance(case, judge, ledger):
            return hindrance
        judged: MetricResult = await self.judging.evaluate(case, judge)
        ledger.add(judged)
        asked = [verdict for verdict in judged.verdicts if not is_blank(verdict.statement)]
        if not asked:
            return Finding(status=judged.status, statements=judged.statements, verdicts=judged.verdicts)
        sides, why = await self._sides(case, [verdict.statement for verdict in asked], judge, ledger)
        flags = [_borne_out(verdict.verdict, side) for verdict, side in zip(asked, sides, strict=True)]
        flags += [None] * (len(judged.verdicts) - len(asked))
        unknown = flags.count(None)
        missing = judged.status if judged.status is not Status.SCORED else why
        status, score, bounds = ranged(
            flags.count(True) / len(flags),
            (flags.count(True) + unknown) / len(flags),
            missing=missing if unknown else None,
            known=unknown < len(flags),
        )
        listed = [side.listed(counts=flag) for side, flag in zip(sides, flags, strict=False)]
        return Finding(
            status=status,
            score=score,
            bounds=bounds,
            reason=f"supported and contradicted by no document: {flags.count(True)} of {len(flags)} statements",
            statements=judged.statements,
            verdicts=judged.verdicts,
            details={"statements": listed},
        )


def _conflict(side: _Sides) -> bool | None:
    """Whether documents disagree about a statement; None where only what is missing could say so."""
    if side.says(Verdict.SUPPORTED) and side.says(Verdict.CONTRADICTED):
        return True
    pro = {name for name, said in side.verdicts.items() if said in (Verdict.SUPPORTED, None)}
    contra = {name for name, said in side.verdicts.items() if said in _MAY_CONTRADICT}
    possible = bool(pro) and bool(contra) and len(pro | contra) > 1
    return None if possible else False


def _borne_out(together: Verdict | None, side: _Sides) -> bool | None:
    """Whether a statement counts; None where only what is missing could say so."""
    if side.says(Verdict.CONTRADICTED):
        return False
    supported = together is Verdict.SUPPORTED or bool(side.says(Verdict.SUPPORTED))
    if supported:
        return None if side.may_contradict else True
    if together is None or None in side.verdicts.values():
        return None
    return False
