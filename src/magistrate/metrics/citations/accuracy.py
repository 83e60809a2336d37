"""Citations: do the passages that an answer cites stand behind what it says?"""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from magistrate.case import Case
from magistrate.judges import ISSUE_OF_STATUS, Judge, placed
from magistrate.metrics._case_metric import Account, Finding
from magistrate.metrics.base import is_blank
from magistrate.metrics.citations._attribution import Attribution, Cited, attribute, is_gold
from magistrate.metrics.faithfulness import JudgedMetric
from magistrate.text import locate_quote, says_what_is_missing
from magistrate.verdict import Issue, IssueCode, Status

_SHOWN = 3


class _Citations(JudgedMetric):
    """What the three metrics share: they look up citations, and have cited statements judged by the cited passages.

    Of `judging`, the scale and the batch size count: statements are those of the case, else its sentences.
    """

    cost = "1 a set of cited passages"
    each = True
    counted = ("correct", "correct", "citations")
    """The flag of a row that counts, in words, and what the rows are."""

    @abstractmethod
    def _rows(self, found: Attribution) -> Iterator[dict[str, Any]]:
        """What is counted, each with its flag."""

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Look up the citations, have the statements judged, and count."""
        found = await attribute(self.judging, judge, case, account, each=self.each)
        if self.each and not found.citations:
            return Finding(status=Status.VACUOUS, reason="the answer cites nothing")
        rows, (flag, done, what) = list(self._rows(found)), self.counted
        if not rows:
            return Finding(status=Status.VACUOUS, reason="the answer states nothing that could be cited")
        for row in rows:
            if row.get("quote") in ("misattributed", "fabricated"):
                message = f"citation {row['marker']}: the quote is {row['quote']}"
                account.note(Issue(IssueCode.EVIDENCE_NOT_FOUND, message))
        cited = ((index, found.cited_by(index)) for index in range(len(found.statements)))
        judged = [found.verdicts[pair] for pair in cited if pair in found.verdicts]
        verdicts = tuple(placed(verdict, at, id=f"s{verdict.index + 1}") for at, verdict in enumerate(judged))
        flags = [row[flag] for row in rows]
        wrong = [f"{row['marker'] or 'one'}: {row['why']}" for row in rows if not row[flag] and row.get("why")]
        codes = {issue.code for verdict in verdicts for issue in verdict.issues}
        unread = Status.REFUSED if IssueCode.LANGUAGE_MISMATCH in codes else Status.UNPARSEABLE
        return Finding.share_of(
            flags,
            next((status for status, code in ISSUE_OF_STATUS.items() if code in codes), unread),
            reason="; ".join([f"{done} {flags.count(True)} of {len(flags)} {what}", *wrong[:_SHOWN]]),
            statements=tuple(verdict.statement for verdict in verdicts),
            verdicts=verdicts,
            details={what: rows},
        )


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
    formula = "correct citations / citations"

    def _rows(self, found: Attribution) -> Iterator[dict[str, Any]]:
        for citation in found.citations:
            quote = _quote(citation, found.case)
            attributed = is_gold(citation, found.case) if citation.contexts else None
            known = {} if attributed is None else {"attributed": attributed}
            correct = _correct(citation, quote, attributed, found)
            yield {**_row(citation, found), "quote": quote, **known, **correct}


def _correct(citation: Cited, quote: str | None, attributed: bool | None, found: Attribution) -> dict[str, Any]:
    """Whether a citation is correct, and why not; `attributed` says whether a right answer cites it, where known."""
    if not citation.contexts:
        return {"correct": False, "why": citation.missing}
    if attributed is False:
        return {"correct": False, "why": "a right answer does not cite this passage"}
    if attributed and quote == "verbatim":
        return {"correct": True}
    if attributed is None and quote not in (None, "verbatim"):
        return {"correct": False, "why": f"the quote is {quote}"}
    bears = found.bears(citation)
    return {"correct": bears, **_why_not(bears)}


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
    formula = "citations that are needed or enough / citations"
    counted = ("counts", "needed or enough", "citations")

    def _rows(self, found: Attribution) -> Iterator[dict[str, Any]]:
        for citation in found.citations:
            bears = found.bears(citation) if citation.contexts else False
            yield {**_row(citation, found), "counts": bears, **_why_not(bears, citation.missing)}


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
    formula = "statements supported by what they cite / statements"
    each = False
    counted = ("supported", "supported", "statements")

    def _rows(self, found: Attribution) -> Iterator[dict[str, Any]]:
        for at, statement in enumerate(found.statements):
            cited = found.cited_by(at)
            if cited or not (is_blank(statement) or says_what_is_missing(statement)):
                yield {"statement": at, "contexts": list(cited), "supported": found.fully_supported(at)}


def _quote(citation: Cited, case: Case) -> str | None:
    """What becomes of a citation's quote: verbatim, near, misattributed or fabricated; None where it quotes nothing."""
    if citation.quote is None or is_blank(citation.quote):
        return None
    there = locate_quote(citation.quote, [case.contexts[index] for index in citation.contexts])
    if there.found:
        return "verbatim" if there.similarity == 1.0 else "near"
    return "misattributed" if locate_quote(citation.quote, case.contexts).found else "fabricated"


def _row(citation: Cited, found: Attribution) -> dict[str, Any]:
    together = None
    if citation.statement is not None:
        together = found.verdicts.get((citation.statement, found.cited_by(citation.statement)))
    return {
        "marker": citation.marker,
        "statement": citation.statement,
        "document": citation.document,
        "contexts": list(citation.contexts),
        "verdict": together and together.verdict and together.verdict.value,
    }


def _why_not(bears: bool | None, missing: str = "") -> dict[str, str]:
    unknown = "it is not known whether the passage supports it"
    return {} if bears else {"why": missing or (unknown if bears is None else "the passage does not support it")}
