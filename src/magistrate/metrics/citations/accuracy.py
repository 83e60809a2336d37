"""Citations: do the passages that an answer cites stand behind what it says?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from magistrate.case import Case
from magistrate.judges import ISSUE_OF_STATUS, Judge
from magistrate.metrics._case_metric import Account, Finding, scored, share_of
from magistrate.metrics.citations._attribution import (
    Attribution,
    Cited,
    GoldPassage,
    attribute,
    gold_passages,
    read_citations,
    statements_with_marks,
)
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.metrics.verification import is_blank
from magistrate.text import locate_quote, says_what_is_missing
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status

_SHOWN = 3


@dataclass(kw_only=True, eq=False, repr=False)
class _Citations(JudgedMetric):
    """What the three metrics share: they look up citations, and have cited statements judged by the cited passages.

    Of `judging`, the scale and the batch size count: statements are those of the case, else its sentences.
    """

    cost = "1 a set of cited passages"
    each = True

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Look up the citations, and have the statements judged."""
        statements = statements_with_marks(case)
        citations = read_citations(case, statements)
        if not citations:
            return self._without_citations(statements)
        found = await attribute(self.judging, judge, statements, citations, case=case, account=account, each=self.each)
        return self._count(case, found, citations, account)

    def _without_citations(self, statements: Sequence[str]) -> Finding:
        del statements
        return Finding(status=Status.VACUOUS, reason="the answer cites nothing")

    @abstractmethod
    def _count(self, case: Case, found: Attribution, citations: Sequence[Cited], account: Account) -> Finding:
        """The score, from which citation carries which statement."""


@dataclass(kw_only=True, eq=False, repr=False)
class CitationAccuracy(_Citations):
    """The share of the citations that are right.

    correct citations / citations, in [0, 1], more is better. Source: VERA ADR-0036, citation accuracy ("citations with
    correct source attribution"); its target 0.95 is in the gate file `vera`.

    A citation is correct if it points to a passage of the case and

    - where the case says what a right answer cites (`gold_citations` in its metadata): that passage is one of those,
      and the citation's quote stands in it verbatim, or else it supports the statement;
    - where it does not: the passage supports the statement, and the quote, if there is one, stands in it verbatim.

    A passage supports a statement if it does so alone, or if all that the statement cites support it together and would
    not without this one. A quote that stands in another passage is `misattributed`, one that stands nowhere
    `fabricated`; both are reported as issues, also where the citation is correct by its passage.

    Statements are those of the case, else its sentences, as marks stand behind sentences.

    Default threshold 0.7. Empty input: `no_answer`, `no_context`; `vacuous` for an answer that cites nothing; no score.
    If a judgement is missing: `partial`, no score, bounds.

    Cost per case: one call for each different set of passages that statements cite (where gold is given, only for those
    without a verbatim quote); for supported statements with several citations, up to two more for each passage.
    """

    default_name = "citation_accuracy"
    default_description = "Which share of the citations is right: the source, the quote, the support."
    formula = "correct citations / citations"

    def _count(self, case: Case, found: Attribution, citations: Sequence[Cited], account: Account) -> Finding:
        gold = gold_passages(case)
        rows = [self._row(citation, case, gold, found, account) for citation in citations]
        return _finding(found, [row["correct"] for row in rows], rows, "correct", "citations")

    @staticmethod
    def _row(
        citation: Cited, case: Case, gold: Sequence[GoldPassage], found: Attribution, account: Account
    ) -> dict[str, Any]:
        row = _row(citation, found)
        quote = _quote(citation, case)
        row["quote"] = quote
        if quote in ("misattributed", "fabricated"):
            account.note(Issue(IssueCode.EVIDENCE_NOT_FOUND, f"citation {citation.marker}: the quote is {quote}"))
        bears = found.bears(citation)
        if not citation.contexts:
            return {**row, "correct": False, "why": citation.missing}
        if gold:
            attributed = any(_matches(citation, passage, case) for passage in gold)
            row["attributed"] = attributed
            if not attributed:
                return {**row, "correct": False, "why": "a right answer does not cite this passage"}
            if quote == "verbatim":
                return {**row, "correct": True}
        elif quote not in (None, "verbatim"):
            return {**row, "correct": False, "why": f"the quote is {quote}"}
        return {**row, "correct": bears, **({} if bears else {"why": _why_not(bears)})}


@dataclass(kw_only=True, eq=False, repr=False)
class CitationPrecision(_Citations):
    """The share of the citations that are needed, or enough, for the statement they stand behind.

    A citation counts if the statement's citations support it together, and this one does so alone or the others would
    not without it: counted citations / citations, in [0, 1], more is better. Source: Gao et al., "Enabling large
    language models to generate text with citations" (ALCE), 2023, citation precision.

    Default threshold 0.7. Empty input: `no_answer`, `no_context`; `vacuous` for an answer that cites nothing; no score.
    If a judgement is missing: `partial`, no score, bounds.

    Cost per case: as `CitationAccuracy` without gold, and none where that is measured too.
    """

    default_name = "citation_precision"
    default_description = "Which share of the citations is needed, or enough, for its statement (ALCE)."
    formula = "citations that are needed or enough / citations"

    def _count(self, case: Case, found: Attribution, citations: Sequence[Cited], account: Account) -> Finding:
        del case, account
        rows = []
        for citation in citations:
            bears = found.bears(citation) if citation.contexts else False
            why = {} if bears else {"why": citation.missing or _why_not(bears)}
            rows.append({**_row(citation, found), "counts": bears, **why})
        return _finding(found, [row["counts"] for row in rows], rows, "needed or enough", "citations")


@dataclass(kw_only=True, eq=False, repr=False)
class CitationRecall(_Citations):
    """The share of the statements that their citations support.

    statements supported by all the passages they cite together / statements, in [0, 1], more is better; a statement
    that cites nothing is not supported. Source: Gao et al., "Enabling large language models to generate text with
    citations" (ALCE), 2023, citation recall. A statement that says what the sources lack needs no citation, and is left
    out.

    Default threshold 0.7. Empty input: `no_answer`, `no_context`; `vacuous` for an answer that states nothing but what
    the sources lack; no score. If a judgement is missing: `partial`, no score, bounds.

    Cost per case: one call for each different set of passages that statements cite; none where citation accuracy or
    precision is measured too.
    """

    default_name = "citation_recall"
    default_description = "Which share of the statements their citations support (ALCE)."
    formula = "statements supported by what they cite / statements"
    each = False

    def _without_citations(self, statements: Sequence[str]) -> Finding:
        counted = [text for text in statements if not is_blank(text) and not says_what_is_missing(text)]
        if not counted:
            return Finding(status=Status.VACUOUS, reason="the answer states nothing that could be cited")
        return scored(0.0, reason=f"supported 0 of {len(counted)} statements")

    def _count(self, case: Case, found: Attribution, citations: Sequence[Cited], account: Account) -> Finding:
        del case, citations, account
        counted = [
            index
            for index, statement in enumerate(found.statements)
            if found.cited_by(index) or not (is_blank(statement) or says_what_is_missing(statement))
        ]
        flags = [found.fully_supported(index) for index in counted]
        rows = [
            {"statement": index, "contexts": list(found.cited_by(index)), "supported": flag}
            for index, flag in zip(counted, flags, strict=True)
        ]
        return _finding(found, flags, rows, "supported", "statements")


def _quote(citation: Cited, case: Case) -> str | None:
    """What becomes of a citation's quote: verbatim, near, misattributed or fabricated; None where it quotes nothing."""
    if citation.quote is None or is_blank(citation.quote):
        return None
    there = locate_quote(citation.quote, [case.contexts[index] for index in citation.contexts])
    if there.found:
        return "verbatim" if there.similarity == 1.0 else "near"
    return "misattributed" if locate_quote(citation.quote, case.contexts).found else "fabricated"


def _matches(citation: Cited, gold: GoldPassage, case: Case) -> bool:
    """Whether a citation points to a passage that a right answer cites."""
    if gold.context is not None:
        return gold.context in citation.contexts
    if gold.document is not None and gold.document != citation.document:
        return False
    if gold.quote is None:
        return gold.document is not None
    return locate_quote(gold.quote, [case.contexts[index] for index in citation.contexts]).found


def _row(citation: Cited, found: Attribution) -> dict[str, Any]:
    index, together = citation.statement, None
    if index is not None:
        together = found.verdicts.get((index, found.cited_by(index)))
    return {
        "marker": citation.marker,
        "statement": citation.statement,
        "document": citation.document,
        "contexts": list(citation.contexts),
        "verdict": together.verdict.value if together is not None and together.verdict is not None else None,
    }


def _why_not(bears: bool | None) -> str:
    return "it is not known whether the passage supports it" if bears is None else "the passage does not support it"


def _finding(
    found: Attribution, flags: Sequence[bool | None], rows: Sequence[dict[str, Any]], done: str, what: str
) -> Finding:
    """The share of the flags that are set, with the statements that were judged by all that they cite."""
    cited = [(index, found.cited_by(index)) for index in range(len(found.statements))]
    judged = [found.verdicts[pair] for pair in cited if pair in found.verdicts]
    verdicts = tuple(
        verdict.model_copy(update={"index": place, "id": f"s{verdict.index + 1}"})
        for place, verdict in enumerate(judged)
    )
    reason = f"{done} {flags.count(True)} of {len(flags)} {what}"
    wrong = [row for row, flag in zip(rows, flags, strict=True) if not flag and row.get("why")]
    if wrong:
        reason += "; " + "; ".join(f"{row.get('marker') or 'one'}: {row['why']}" for row in wrong[:_SHOWN])
    return share_of(
        flags,
        _why_nothing(verdicts),
        reason=reason,
        statements=tuple(verdict.statement for verdict in verdicts),
        verdicts=verdicts,
        details={what: list(rows)},
    )


def _why_nothing(verdicts: Sequence[StatementVerdict]) -> Status:
    codes = {issue.code for verdict in verdicts for issue in verdict.issues}
    unread = Status.REFUSED if IssueCode.LANGUAGE_MISMATCH in codes else Status.UNPARSEABLE
    return next((status for status, code in ISSUE_OF_STATUS.items() if code in codes), unread)
