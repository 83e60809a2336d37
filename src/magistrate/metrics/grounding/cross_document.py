"""Answers that rest on several documents: is each statement borne out, and do the documents agree about it?"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from magistrate.case import Case
from magistrate.judges import Judge, never_says
from magistrate.metrics._case_metric import Account, Finding
from magistrate.metrics.base import is_blank
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.verdict import Status, Verdict

_SHOWN = 3
_MAY_CONTRADICT = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, None)
"""It does, has no verdict, or is a binary judge's no, which may be that."""
_Sides: TypeAlias = Mapping[str, Verdict | None]
"""What each document on its own says of one statement: document -> verdict, None where it is not known."""


def _says(side: _Sides, *verdicts: Verdict | None) -> list[str]:
    """The documents that say one of these."""
    return [name for name, found in side.items() if found in verdicts]


def _listed(statement: str, side: _Sides, **further: Any) -> dict[str, Any]:
    opposites = product(_says(side, Verdict.SUPPORTED), _says(side, Verdict.CONTRADICTED))
    return {
        "statement": statement,
        "documents": {name: found and found.value for name, found in side.items()},
        "conflicts": [list(pair) for pair in opposites],
        **further,
    }


class _CrossDocument(JudgedMetric):
    """What both share: each document on its own is asked about each statement of the answer."""

    offline = "no: it never says contradicted"

    def _hindrance(self, case: Case, judge: Judge, account: Account) -> Finding | None:
        """Why nothing can be measured, before a call is made."""
        if len(documents_of(case)) < 2:  # noqa: PLR2004 - it takes two to disagree
            return Finding(status=Status.VACUOUS, reason="all passages are from one document")
        if Verdict.CONTRADICTED in never_says(judge):
            return account.refused(judge, "never says contradicted, so it sees no conflict")
        return None

    async def _sides(
        self, case: Case, statements: Sequence[str], judge: Judge, account: Account
    ) -> tuple[Sequence[_Sides], Status]:
        """What each document says of each statement, and why something is missing."""
        documents = documents_of(case)
        groups = [[case.contexts[index] for index in indices] for _, indices in documents]
        replies = await self.judging.verify_each(judge, statements, groups, case.question, account)
        sides = [
            {name: reply.verdicts[index].verdict for (name, _), reply in zip(documents, replies, strict=True)}
            for index in range(len(statements))
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
    """

    default_name = "source_conflict"
    default_threshold = 0.0
    direction = "minimize"
    cost = "extract + 1 a document"
    formula = "statements with opposite verdicts of two documents / statements"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Ask each document about each statement, and look for opposite verdicts."""
        if hindrance := self._hindrance(case, judge, account):
            return hindrance
        reply = account.add(await self.judging.statements_of(case, judge))
        statements = [text for text in reply.statements if not is_blank(text)]
        if reply.status is not Status.SCORED or not statements:
            return Finding(status=Status.VACUOUS if reply.status is Status.SCORED else reply.status)
        sides, why = await self._sides(case, statements, judge, account)
        flags = [_conflict(side) for side in sides]
        judged = list(zip(statements, sides, strict=True))
        conflicting = [one for one, flag in zip(judged, flags, strict=True) if flag]
        reason = f"the documents disagree about {len(conflicting)} of {len(flags)} statements"
        for statement, side in conflicting[:_SHOWN]:
            pro, contra = (", ".join(_says(side, one)) for one in (Verdict.SUPPORTED, Verdict.CONTRADICTED))
            reason += f"; {statement!r}: {pro} supports it, {contra} contradicts it"
        return Finding.share_of(flags, why, reason=reason, details={"statements": [_listed(*one) for one in judged]})


class CrossDocumentFaithfulness(_CrossDocument):
    """The share of the answer's statements that the documents support together, and that none of them contradicts.

    statements supported by all passages together, or by a document on its own, and contradicted by no document on its
    own / statements, in [0, 1], more is better. Source: VERA ADR-0036 asks for multi-document faithfulness and gives no
    formula. It is faithfulness, less what faithfulness lets pass: a statement that one source supports and another
    denies. A statement that only several documents together bear out counts.

    Default threshold 0.7. Empty input, judges that cannot see a contradiction and missing verdicts: as for
    `SourceConflict`.

    Cost per case: the calls of faithfulness (shared with it) and one for each document (shared with source conflict).
    """

    default_name = "cross_document_faithfulness"
    cost = "extract + verify + 1 a document"
    formula = "statements supported and contradicted by no document / statements"

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Judge as faithfulness does, then ask each document on its own."""
        if hindrance := self._hindrance(case, judge, account):
            return hindrance
        judged = account.add(await self.judging.evaluate(case, judge))
        worded = [verdict for verdict in judged.verdicts if not is_blank(verdict.statement)]
        if not worded:
            return Finding(status=judged.status, statements=judged.statements, verdicts=judged.verdicts)
        statements = [verdict.statement for verdict in worded]
        sides, why = await self._sides(case, statements, judge, account)
        flags = [_borne_out(verdict.verdict, side) for verdict, side in zip(worded, sides, strict=True)]
        listed = [_listed(text, side, counts=flag) for text, side, flag in zip(statements, sides, flags, strict=True)]
        flags += [None] * (len(judged.verdicts) - len(worded))
        return Finding.share_of(
            flags,
            judged.status if judged.status is not Status.SCORED else why,
            reason=f"supported and contradicted by no document: {flags.count(True)} of {len(flags)} statements",
            statements=judged.statements,
            verdicts=judged.verdicts,
            details={"statements": listed},
        )


def documents_of(case: Case) -> list[tuple[str, tuple[int, ...]]]:
    """The documents that a case's passages come from, each with the indices of its passages that are not blank.

    Which document a passage is from stands in the metadata, if anywhere: `documents` or `context_ids`, a list of names
    as long as the contexts, or `gold.contexts`, a list of objects with `document`. Where nothing says it, each passage
    is a document of its own, named by its number from 1.
    """
    gold = case.metadata.get("gold")
    passages = gold.get("contexts") if isinstance(gold, Mapping) else None
    candidates: list[Any] = [case.metadata.get("documents"), case.metadata.get("context_ids")]
    if isinstance(passages, Sequence) and all(isinstance(item, Mapping) for item in passages):
        candidates.append([item.get("document") for item in passages])
    count = len(case.contexts)
    long_enough = (one for one in candidates if isinstance(one, list | tuple) and len(one) == count)
    names = next((one for one in long_enough if all(isinstance(name, str | int) for name in one)), range(1, count + 1))
    found: dict[str, list[int]] = {}
    for index, text in enumerate(case.contexts):
        if not is_blank(text):
            found.setdefault(str(names[index]), []).append(index)
    return [(name, tuple(indices)) for name, indices in found.items()]


def _conflict(side: _Sides) -> bool | None:
    """Whether documents disagree about a statement; None where only what is missing could say so."""
    if _says(side, Verdict.SUPPORTED) and _says(side, Verdict.CONTRADICTED):
        return True
    pro, contra = {*_says(side, Verdict.SUPPORTED, None)}, {*_says(side, *_MAY_CONTRADICT)}
    return None if pro and contra and len(pro | contra) > 1 else False


def _borne_out(together: Verdict | None, side: _Sides) -> bool | None:
    """Whether a statement counts; None where only what is missing could say so."""
    if _says(side, Verdict.CONTRADICTED):
        return False
    if together is Verdict.SUPPORTED or _says(side, Verdict.SUPPORTED):
        return None if _says(side, *_MAY_CONTRADICT) else True
    return None if together is None or _says(side, None) else False
