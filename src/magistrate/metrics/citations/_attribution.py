"""Which passages an answer cites for which statement, and whether they bear it out: together, alone, without each."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from magistrate.case import Case, Citation
from magistrate.judges import Judge, placed, together
from magistrate.metrics._case_metric import Account
from magistrate.metrics.base import is_blank
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.grounding.cross_document import documents_of
from magistrate.text import locate_quote, split_sentences
from magistrate.verdict import StatementVerdict, Verdict

Passages = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation of an answer, looked up."""

    marker: str | None
    statement: int | None
    contexts: tuple[int, ...]
    quote: str | None = None
    document: str | None = None
    missing: str = ""

    @property
    def alone(self) -> Passages:
        return tuple(sorted(set(self.contexts)))


@dataclass
class Attribution:
    """What was judged: (statement, passages) -> the verdict on it by these passages alone."""

    case: Case
    statements: tuple[str, ...]
    citations: tuple[Cited, ...]
    verdicts: dict[tuple[int, Passages], StatementVerdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._of: dict[int | None, list[Cited]] = defaultdict(list)
        for citation in self.citations:
            self._of[citation.statement].append(citation)

    def cited_by(self, statement: int, *, without: Cited | None = None) -> Passages:
        """The passages that a statement cites, together; without one of its citations on demand."""
        return tuple(sorted({at for one in self._of[statement] if one is not without for at in one.contexts}))

    def supported(self, statement: int, passages: Passages) -> bool | None:
        """Whether passages alone support a statement; None where that is not known. No passage supports nothing."""
        if not passages:
            return False
        entry = self.verdicts.get((statement, passages))
        return None if entry is None or entry.verdict is None else entry.verdict is Verdict.SUPPORTED

    def fully_supported(self, statement: int) -> bool | None:
        """Whether a statement's citations together support it."""
        return self.supported(statement, self.cited_by(statement))

    def bears(self, citation: Cited) -> bool | None:
        """Whether a citation is needed, or enough on its own: ALCE's citation precision (Gao et al., 2023)."""
        if citation.statement is None:
            found = {self.supported(index, citation.alone) for index in range(len(self.statements))}
            return True if True in found else None if None in found else False
        together = self.fully_supported(citation.statement)
        if not together:
            return together
        enough = self.supported(citation.statement, citation.alone)
        rest = self.supported(citation.statement, self.cited_by(citation.statement, without=citation))
        if enough or rest is False:
            return True
        return None if enough is None or rest is None else False


async def attribute(judging: Faithfulness, judge: Judge, case: Case, account: Account, *, each: bool) -> Attribution:
    """Have each statement judged by the passages that it cites, and count what it costs in the account."""
    statements = statements_with_marks(case)
    found = Attribution(case, statements, read_citations(case, statements))

    async def judge_by(pairs: Iterable[tuple[Passages, int]]) -> None:
        groups: dict[Passages, list[int]] = defaultdict(list)
        for passages, index in dict.fromkeys(pairs):
            if passages and (index, passages) not in found.verdicts:
                groups[passages].append(index)
        jobs = [
            judging.verify(
                judge,
                [without_marks(statements[index]) for index in indices],
                [case.contexts[index] for index in passages],
                case.question,
            )
            for passages, indices in groups.items()
        ]
        for (passages, indices), reply in zip(groups.items(), await together(jobs), strict=True):
            account.add(reply, aside=True)
            for index, entry in zip(indices, reply.verdicts, strict=True):
                # The statement as it stands in the answer, and evidence by the case's own contexts.
                evidence = tuple(
                    replace(one, context=None if one.context is None else passages[one.context])
                    for one in entry.evidence
                )
                told = {"statement": statements[index], "evidence": evidence}
                found.verdicts[index, passages] = placed(entry, index, **told)

    await judge_by((found.cited_by(index), index) for index in range(len(statements)))
    if each:
        await judge_by(_alone(found))
        await judge_by(_without(found))
    return found


def _alone(found: Attribution) -> Iterator[tuple[Passages, int]]:
    """Where a citation has to be looked at alone: one of several behind a supported statement, or behind none."""
    for citation in found.citations:
        if citation.statement is None:
            yield from ((citation.alone, index) for index in range(len(found.statements)))
        elif found.fully_supported(citation.statement):
            yield citation.alone, citation.statement


def _without(found: Attribution) -> Iterator[tuple[Passages, int]]:
    """Where it has to be seen whether the other citations do without this one, which is not enough on its own."""
    for citation in found.citations:
        at = citation.statement
        if at is not None and found.fully_supported(at) and found.supported(at, citation.alone) is not True:
            yield found.cited_by(at, without=citation), at


_DASH: Final = "\N{EN DASH}-"
_MARK: Final = re.compile(
    rf"\[\^?(\d{{1,4}}(?:[ ,;{_DASH}]{{1,3}}\d{{1,4}}){{0,30}})\]"
    r"|【(\d{1,4})(?:†[^】\n]{0,60})?】"
    "|(?<=[.,;:!?)\"'\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}])([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})"
)
_NUMBER: Final = re.compile(rf"(\d{{1,4}})(?:[ ]?[{_DASH}][ ]?(\d{{1,4}}))?")
_BEFORE_A_STOP: Final = re.compile(r" +([.,;:!?)])")
_SUPERSCRIPT: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MOST_OF_A_RANGE: Final = 30


def statements_with_marks(case: Case) -> tuple[str, ...]:
    """The statements of an answer with their citation marks: those of the case, else its sentences."""
    return case.statements if case.statements is not None else split_sentences(case.answer or "")


def without_marks(statement: str) -> str:
    """A statement without its citation marks: they are no part of what it says."""
    return " ".join(_BEFORE_A_STOP.sub(r"\1", _MARK.sub(" ", statement)).split())


def read_citations(case: Case, statements: Sequence[str]) -> tuple[Cited, ...]:
    """Look up the citations of an answer: those of the case, if it has any; else the marks in its statements."""
    if not case.citations:
        return tuple(
            Cited(marker, index, contexts, missing=missing)
            for index, statement in enumerate(statements)
            for marker, number in _marks(statement)
            for contexts, missing in (_passage(number - 1, case, f"number {number}"),)
        )
    documents = dict(documents_of(case))
    found: list[Cited] = []
    for citation, places in _places(case.citations, statements):
        contexts, missing = _contexts(citation, case, documents)
        document = None if citation.document is None else str(citation.document)
        found += (Cited(citation.marker, at, contexts, citation.quote, document, missing) for at in places)
    return tuple(found)


def is_gold(citation: Cited, case: Case) -> bool | None:
    """Whether a right answer cites what a citation points to; None where the case does not say what one cites.

    It may do so by `gold_citations` or `gold.citations` of its metadata.
    """
    gold = case.metadata.get("gold")
    listed = case.metadata.get("gold_citations", gold.get("citations") if isinstance(gold, Mapping) else None)
    rows = [row for row in listed if isinstance(row, Mapping)] if isinstance(listed, list | tuple) else []
    return any(_points_to(citation, row, case) for row in rows) if rows else None


def _points_to(citation: Cited, gold: Mapping[str, Any], case: Case) -> bool:
    context, document, quote = gold.get("context"), gold.get("document", gold.get("doc_id")), gold.get("quote")
    if isinstance(context, int) and not isinstance(context, bool):
        return context in citation.contexts
    named = isinstance(document, str | int)
    if not isinstance(quote, str) or (named and str(document) != citation.document):
        return named and str(document) == citation.document
    return locate_quote(quote, [case.contexts[index] for index in citation.contexts]).found


def _marks(statement: str) -> Iterator[tuple[str, int]]:
    for match in _MARK.finditer(statement):
        numbers = match[1] or match[2] or match[3].translate(_SUPERSCRIPT)
        for first, last in _NUMBER.findall(numbers):
            start, end = int(first), int(last or first)
            for number in range(start, min(end, start + _MOST_OF_A_RANGE) + 1):
                yield match[0], number


def _passage(index: int, case: Case, called: str) -> tuple[tuple[int, ...], str]:
    if 0 <= index < len(case.contexts) and not is_blank(case.contexts[index]):
        return (index,), ""
    return (), f"there is no passage {called}: the case has {len(case.contexts)}"


def _contexts(citation: Citation, case: Case, documents: Mapping[str, tuple[int, ...]]) -> tuple[tuple[int, ...], str]:
    """The passages that a citation points to, or why it points to none."""
    context = (citation.model_extra or {}).get("context")
    if isinstance(context, int) and not isinstance(context, bool):
        return _passage(context, case, f"with the index {context}")
    if isinstance(citation.document, str) and citation.document in documents:
        return documents[citation.document], ""
    if isinstance(citation.document, int):
        return _passage(citation.document, case, f"with the index {citation.document}")
    if citation.document is not None:
        return (), f"no passage is from a document {citation.document!r}"
    numbers = [number for _, number in _marks(citation.marker or "")]
    if not numbers:
        return (), "it names no passage"
    found = [_passage(number - 1, case, f"number {number}") for number in numbers]
    missing = next((why for _, why in found if why), "")
    return (() if missing else tuple(index for contexts, _ in found for index in contexts)), missing


def _places(
    citations: Sequence[Citation], statements: Sequence[str]
) -> Iterator[tuple[Citation, Sequence[int | None]]]:
    """Each citation with the statements that it stands behind."""
    texts = [" ".join(statement.split()) for statement in statements]
    worded: dict[str, int] = {}
    for index, text in [*enumerate(texts), *enumerate(map(without_marks, texts))]:
        worded.setdefault(text, index)
    marked: dict[str | None, list[int]] = defaultdict(list)
    for index, statement in enumerate(statements):
        for match in _MARK.finditer(statement):  # as often as the statement carries it
            marked[match[0]].append(index)
    unplaced: dict[str | None, dict[int, int]] = defaultdict(dict)
    for citation in citations:
        if citation.statement is None:
            alike = unplaced[citation.marker]
            alike.setdefault(id(citation), len(alike))
    for citation in citations:
        wanted = " ".join((citation.statement or "").split())
        index_of = worded.get(wanted, worded.get(without_marks(wanted)))
        where, alike = marked[citation.marker], unplaced[citation.marker]
        if citation.statement is not None and index_of is not None:
            yield citation, (index_of,)
        # As many entries as marks: each entry is one mark. Fewer: the list is a bibliography, and each stands for all.
        elif len(alike) == len(where) and id(citation) in alike:
            yield citation, (where[alike[id(citation)]],)
        else:
            yield citation, tuple(dict.fromkeys(where)) or (None,)
