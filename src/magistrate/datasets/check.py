"""Check that the bundled dataset is what it says it is. `python -m magistrate.datasets.check` prints what is wrong.

Everything that a program can decide is decided here; `data/README.md` says how the rest was judged.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from magistrate.datasets.bundled import bundled_conflicts, bundled_documents, bundled_queries
from magistrate.datasets.names import strange_names
from magistrate.datasets.schema import (
    DOMAINS,
    SYSTEMS,
    BundledAnswer,
    BundledConflict,
    BundledDocument,
    BundledPassage,
    BundledQuery,
    BundledQuote,
    BundledStatement,
    CitationGold,
    ErrorKind,
    strict_share,
)
from magistrate.verdict import Verdict

COMPOSITION = {
    ("legal", "fact_single"): 20,
    ("legal", "fact_multiple"): 15,
    ("legal", "reasoning"): 10,
    ("legal", "unanswerable"): 5,
    ("research", "summary"): 15,
    ("research", "contradiction"): 10,
    ("research", "cross_document"): 5,
    ("technical", "fact_single"): 15,
    ("technical", "reasoning"): 5,
}
"""How many queries there are of each category in each domain."""

DOCUMENTS = {"legal": 5, "research": 10, "technical": 8}
MIN_DOCUMENT_WORDS = 450
PASSAGE_WORDS = range(80, 201)
MIN_GAP = 0.1

_MARK = re.compile(r"\[(\d+)\]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_BARE_PRONOUN = re.compile(r"(?:It|Its|They|Their|She|Her|He|His|This|That|These|Those)\b")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Args:
        where: The document, query or conflict, and for an answer its system.
        what: What is wrong with it.
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Bundle:
    """The whole dataset."""

    documents: tuple[BundledDocument, ...]
    queries: tuple[BundledQuery, ...]
    conflicts: tuple[BundledConflict, ...]

    def text(self, document: str) -> str:
        """Return the text of a document, "" for an unknown one."""
        return next((d.text for d in self.documents if d.id == document), "")


def bundle() -> Bundle:
    """Return the dataset as it is shipped."""
    return Bundle(bundled_documents(), bundled_queries(), bundled_conflicts())


def check(data: Bundle) -> tuple[Problem, ...]:
    """Return everything that is wrong with the dataset; nothing for a sound one."""
    problems: list[Problem] = []
    for rule in (_composition, _ids, _documents, _conflicts, _systems_differ):
        problems += rule(data)
    for query in data.queries:
        for query_rule in (_contexts, _gold_quotes, _answerability, _reference):
            problems += (Problem(query.id, what) for what in query_rule(data, query))
        for system in SYSTEMS:
            answer = query.answers.get(system)
            if answer is None:
                problems.append(Problem(query.id, f"no answer of system {system!r}"))
                continue
            for answer_rule in _ANSWER_RULES:
                problems += (Problem(f"{query.id} {system}", what) for what in answer_rule(query, answer))
    return tuple(problems)


def main() -> int:
    """Print the problems of the shipped dataset; return 1 if there are any, else 0."""
    problems = check(bundle())
    for problem in problems:
        sys.stdout.write(f"{problem}\n")
    sys.stdout.write(f"{len(problems)} problems\n")
    return 1 if problems else 0


def _composition(data: Bundle) -> Iterator[Problem]:
    documents = Counter(document.domain for document in data.documents)
    if documents != DOCUMENTS:
        yield Problem("documents", f"expected {DOCUMENTS}, found {dict(documents)}")
    queries = Counter((query.domain, query.category) for query in data.queries)
    for key in sorted(queries | COMPOSITION):
        if queries[key] != COMPOSITION.get(key, 0):
            yield Problem("/".join(key), f"expected {COMPOSITION.get(key, 0)} queries, found {queries[key]}")


def _ids(data: Bundle) -> Iterator[Problem]:
    for kind, ids in (
        ("document", [document.id for document in data.documents]),
        ("query", [query.id for query in data.queries]),
        ("conflict", [conflict.id for conflict in data.conflicts]),
    ):
        for repeated in (item for item, count in Counter(ids).items() if count > 1):
            yield Problem(repeated, f"this {kind} id occurs more than once")
    for domain in DOMAINS:
        found = [query.id for query in data.queries if query.domain == domain]
        if found != [f"{domain}-{number:03d}" for number in range(1, len(found) + 1)]:
            yield Problem(domain, "query ids are not numbered from 001 without a gap")
    questions = Counter(query.query for query in data.queries)
    for query in data.queries:
        if questions[query.query] > 1:
            yield Problem(query.id, "another query asks the same question")


def _documents(data: Bundle) -> Iterator[Problem]:
    for document in data.documents:
        words = len(document.text.split())
        if words < MIN_DOCUMENT_WORDS:
            yield Problem(document.id, f"{words} words, fewer than {MIN_DOCUMENT_WORDS}")
        if not document.text.startswith("# "):
            yield Problem(document.id, "does not start with its title")
        if "\r" in document.text:
            yield Problem(document.id, "has line ends other than \\n, so spans do not fit")
    for where, what in strange_names(data.documents, data.queries):
        yield Problem(where, what)


def _conflicts(data: Bundle) -> Iterator[Problem]:
    for conflict in data.conflicts:
        left, right = conflict.sides
        if left.document == right.document:
            yield Problem(conflict.id, "both sides are in one document")
        for side in conflict.sides:
            yield from (Problem(conflict.id, what) for what in _verbatim(data, side))
        about = [query for query in data.queries if query.conflict == conflict.id]
        if len(about) != 1:
            yield Problem(conflict.id, f"{len(about)} queries are about it, expected 1")
        for query in about:
            for side in conflict.sides:
                if not any(passage.holds(side) for passage in query.contexts):
                    yield Problem(query.id, f"its passages do not hold the side of {side.document} in {conflict.id}")
    known = {conflict.id for conflict in data.conflicts}
    for query in data.queries:
        if (query.category == "contradiction") != (query.conflict in known):
            yield Problem(query.id, "a query of category contradiction, and no other, names a known conflict")


def _systems_differ(data: Bundle) -> Iterator[Problem]:
    shares = []
    for system in ("naive", "simple", "verified"):
        statements = [
            statement
            for query in data.queries
            if system in query.answers
            for statement in query.answers[system].statements
        ]
        shares.append(strict_share(statements) if statements else 0.0)
    naive, simple, verified = shares
    if not naive + MIN_GAP <= simple <= verified - MIN_GAP or verified == 1.0:
        yield Problem(
            "systems",
            f"the supported share rises by {MIN_GAP} or more from naive to simple to verified and stays below 1: "
            f"found {naive:.3f}, {simple:.3f}, {verified:.3f}",
        )


def _contexts(data: Bundle, query: BundledQuery) -> Iterator[str]:
    needed = [query.citations[i] for i in _needed(query) if i < len(query.citations)]
    if query.grounded_answer is not None and not needed:
        yield "no passage is relevant"
    if len(set(_places(query.contexts))) < len(query.contexts):
        yield "a passage occurs twice"
    for number, passage in enumerate(query.contexts, 1):
        start, end = passage.span
        text = data.text(passage.document)
        words = len(text[start:end].split())
        if not 0 <= start < end <= len(text):
            yield f"passage {number} lies outside document {passage.document!r}"
        elif not _is_section(text, start, end):
            yield f"passage {number} is not a whole section of {passage.document!r}"
        elif words not in PASSAGE_WORDS:
            yield f"passage {number} has {words} words"
        if passage.relevant != any(map(passage.holds, needed)):
            yield f"passage {number} is marked relevant={passage.relevant}"


def _places(contexts: Iterable[BundledPassage]) -> Iterator[tuple[str, tuple[int, int]]]:
    return ((passage.document, passage.span) for passage in contexts)


def _needed(query: BundledQuery) -> set[int]:
    """Return the quotes that the reference answer rests on."""
    reference = query.answers.get("reference")
    return {index for statement in reference.statements for index in statement.evidence} if reference else set()


def _is_section(text: str, start: int, end: int) -> bool:
    begins = start == 0 or text.startswith("## ", start)
    ends = end == len(text.rstrip()) or text.startswith("\n\n## ", end)
    return begins and ends and "\n## " not in text[start + 1 : end]


def _verbatim(data: Bundle, quote: BundledQuote) -> Iterator[str]:
    text = data.text(quote.document)
    start, end = quote.span
    if not 0 <= start < end or text[start:end] != quote.quote:
        found = text.find(quote.quote)
        place = f"it is at {found}-{found + len(quote.quote)}" if found >= 0 else "it is nowhere in it"
        yield f"quote {quote.quote!r} is not at {start}-{end} of {quote.document!r}: {place}"


def _gold_quotes(data: Bundle, query: BundledQuery) -> Iterator[str]:
    used = {i for answer in query.answers.values() for s in answer.statements for i in s.evidence}
    for index, quote in enumerate(query.citations):
        yield from _verbatim(data, quote)
        if not any(passage.holds(quote) for passage in query.contexts):
            yield f"quote {index} stands in none of the passages"
        if index not in used:
            yield f"quote {index} settles no statement"


def _answerability(data: Bundle, query: BundledQuery) -> Iterator[str]:
    unanswerable = query.category == "unanswerable"
    if unanswerable != (query.grounded_answer is None):
        yield "grounded_answer is None for unanswerable queries, and for no other"
    if unanswerable != bool(query.absent_terms):
        yield "unanswerable queries, and no others, list absent terms"
    if not unanswerable:
        return
    for document in {passage.document for passage in query.contexts}:
        for term in query.absent_terms:
            if re.search(rf"\b{re.escape(term)}\b", data.text(document), re.IGNORECASE):
                yield f"the absent term {term!r} occurs in {document!r}"


def _reference(data: Bundle, query: BundledQuery) -> Iterator[str]:
    del data
    reference = query.answers.get("reference")
    if reference is None:
        return
    if query.grounded_answer is not None and query.grounded_answer != reference.answer:
        yield "the grounded answer is not the reference's answer"
    if query.expected_score != reference.expected_score:
        yield "expected_score is not that of the reference's answer"
    if any(statement.verdict is not Verdict.SUPPORTED for statement in reference.statements):
        yield "a statement of the reference is not supported"
    if any(citation.gold is not CitationGold.CORRECT for citation in reference.citations):
        yield "a citation of the reference is wrong"
    abstains = [statement.abstention for statement in reference.statements]
    if abstains[:1] != [query.grounded_answer is None] or any(abstains[1:]):
        yield "the reference abstains in its first sentence if there is no answer, and nowhere else"


def _joined(query: BundledQuery, answer: BundledAnswer) -> Iterator[str]:
    del query
    texts = [statement.text for statement in answer.statements]
    if answer.answer != " ".join(texts):
        yield "the answer is not its statements joined by one space"
    if _SENTENCE_END.split(answer.answer) != texts:
        yield "splitting the answer into sentences does not give its statements"
    for text in texts:
        if not re.fullmatch(r"[A-Z].*\.", text):
            yield f"statement does not begin with a capital and end with a full stop: {text!r}"
        if _BARE_PRONOUN.match(text):
            yield f"statement begins with a pronoun, so it cannot be judged alone: {text!r}"
    if len(set(texts)) < len(texts):
        yield "a statement occurs twice"


def _score(query: BundledQuery, answer: BundledAnswer) -> Iterator[str]:
    del query
    if not answer.statements:
        yield "no statements"
    elif answer.expected_score != strict_share(answer.statements):
        yield f"expected_score {answer.expected_score} is not {strict_share(answer.statements)}"


def _statements(query: BundledQuery, answer: BundledAnswer) -> Iterator[str]:
    for number, statement in enumerate(answer.statements, 1):
        for what in _statement(query, statement):
            yield f"statement {number} {what}"


def _statement(query: BundledQuery, statement: BundledStatement) -> Iterator[str]:
    verdict, error = statement.verdict, statement.error
    if verdict is Verdict.UNSUPPORTED:
        yield "has a binary verdict; gold verdicts say why"
    if (verdict is Verdict.SUPPORTED) != (error is None):
        yield "has an error kind exactly if it is not supported: it does not hold"
    if any(not 0 <= index < len(query.citations) for index in statement.evidence):
        yield "points to a quote that is not there"
    if verdict is Verdict.NOT_ENOUGH_INFO and statement.evidence:
        yield "is not_enough_info, but has evidence"
    silent = statement.abstention and verdict is Verdict.SUPPORTED
    if verdict is not Verdict.NOT_ENOUGH_INFO and not statement.evidence and not silent:
        yield f"is {verdict.value}, but has no gold citation"
    yield from _kind(query, statement)


def _kind(query: BundledQuery, statement: BundledStatement) -> Iterator[str]:
    unanswerable = query.grounded_answer is None
    if statement.abstention:
        expected = Verdict.SUPPORTED if unanswerable else Verdict.CONTRADICTED
        if statement.verdict is not expected:
            yield f"abstains and must be {expected.value}"
        if _MARK.search(statement.text):
            yield "abstains and cites"
    if (statement.error is ErrorKind.WRONG_ABSTENTION) != (statement.abstention and not unanswerable):
        yield "wrong_abstention is an abstention where there is an answer, and nothing else"
    if statement.error is ErrorKind.ANSWERED_UNANSWERABLE and not unanswerable:
        yield "answers the unanswerable, but there is an answer"
    if statement.error is ErrorKind.IGNORED_CONFLICT and query.conflict is None:
        yield "ignores a conflict, but there is none"


def _citations(query: BundledQuery, answer: BundledAnswer) -> Iterator[str]:
    marks = [
        (f"[{number}]", index, int(number) - 1)
        for index, statement in enumerate(answer.statements)
        for number in _MARK.findall(statement.text)
    ]
    listed = [(citation.marker, citation.statement, citation.context) for citation in answer.citations]
    if marks != listed:
        yield "the citations are not the marks in the text"
        return
    for citation in answer.citations:
        if citation.context not in range(len(query.contexts)):
            yield f"{citation.marker} points to no passage"
            continue
        expected = _citation_gold(query, answer.statements[citation.statement], query.contexts[citation.context])
        if citation.gold is not expected:
            place = f"{citation.marker} of statement {citation.statement + 1}"
            yield f"{place} is {expected.value}, not {citation.gold.value}"


def _citation_gold(query: BundledQuery, statement: BundledStatement, passage: BundledPassage) -> CitationGold:
    if statement.verdict is not Verdict.SUPPORTED:
        return CitationGold.UNSUPPORTED_STATEMENT
    quotes: Sequence[BundledQuote] = [query.citations[i] for i in statement.evidence if i < len(query.citations)]
    return CitationGold.CORRECT if any(map(passage.holds, quotes)) else CitationGold.WRONG_PASSAGE


_ANSWER_RULES: tuple[Callable[[BundledQuery, BundledAnswer], Iterator[str]], ...] = (
    _joined,
    _score,
    _statements,
    _citations,
)


if __name__ == "__main__":
    sys.exit(main())
