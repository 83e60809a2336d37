"""The bundled dataset is what it says it is: everything that a program can decide of it is decided here.

`data/README.md` says how the rest was judged.
"""

import re

import pytest
from jsonschema import Draft202012Validator
from tests.case_tables import each_of

from magistrate.datasets import DOMAINS, SYSTEMS
from magistrate.verdict import Verdict

from .records import ERRORS, FILES, SCHEMAS, bundled_conflicts, bundled_documents, bundled_queries, rows

TEXTS = {document.id: document.text for document in bundled_documents()}
QUERIES = bundled_queries()
ANSWERS = [(query, getattr(query.answers, system)) for query in QUERIES for system in SYSTEMS]
STATEMENTS = [(query, statement) for query, answer in ANSWERS for statement in answer.statements]
MARK = re.compile(r"\[(\d+)\]")
PRONOUN = re.compile(r"(?:It|Its|They|Their|She|Her|He|His|This|That|These|Those)\b")


def share(system):
    verdicts = [one.verdict for query in QUERIES for one in getattr(query.answers, system).statements]
    return verdicts.count("supported") / len(verdicts)


def moved(quote):
    """Where a quote stands now that is not where it should be."""
    text, (start, end) = TEXTS[quote.document], quote.span
    if text[start:end] == quote.quote:
        return None
    return f"{quote.quote!r} of {quote.document} is not at {start}-{end} but at {text.find(quote.quote)}"


class TestTheWhole:
    @pytest.mark.parametrize(("name", "kind"), FILES.items())
    def test_rows_have_the_fields_and_values_of_their_kind(self, name, kind):
        validator = Draft202012Validator({**SCHEMAS, "$ref": f"#/$defs/{kind}"})
        for row in rows(name):
            validator.validate(row)

    def test_ids_are_unique_and_numbered_without_a_gap(self):
        assert len(TEXTS) == len(bundled_documents())
        for domain in DOMAINS:
            found = [query.id for query in QUERIES if query.domain == domain]
            assert found == [f"{domain}-{number:03d}" for number in range(1, len(found) + 1)]
        assert len({query.query for query in QUERIES}) == len(QUERIES)

    def test_documents_have_a_title_a_page_of_text_and_plain_line_ends(self):
        for text in TEXTS.values():
            assert text.startswith("# ")
            assert len(text.split()) >= 450
            assert "\r" not in text

    def test_the_share_of_supported_statements_tells_the_systems_apart(self):
        naive, simple, verified = map(share, ("naive", "simple", "verified"))
        assert naive + 0.1 <= simple <= verified - 0.1
        assert verified < share("reference") == 1.0

    def test_every_conflict_has_two_sides_and_one_query_whose_passages_hold_them(self):
        for conflict in bundled_conflicts():
            [query] = [query for query in QUERIES if query.conflict == conflict.id]
            assert query.category == "contradiction"
            assert len({side.document for side in conflict.sides}) == 2
            for side in conflict.sides:
                assert moved(side) is None
                assert any(passage.holds(side) for passage in query.contexts)
        assert sum(query.category == "contradiction" for query in QUERIES) == len(bundled_conflicts())


@each_of(QUERIES)
def test_passages_are_whole_sections_and_relevant_where_the_reference_rests_on_them(query):
    needed = [query.citations[at] for one in query.answers.reference.statements for at in one.evidence or ()]
    assert needed or query.grounded_answer is None
    assert len({(passage.document, *passage.span) for passage in query.contexts}) == len(query.contexts)
    for passage in query.contexts:
        text, (start, end) = TEXTS[passage.document], passage.span
        assert start == 0 or text.startswith("## ", start)
        assert end == len(text.rstrip()) or text.startswith("\n\n## ", end)
        assert "\n## " not in text[start + 1 : end]
        assert 80 <= len(text[start:end].split()) <= 200
        assert passage.relevant == any(map(passage.holds, needed))


@each_of(QUERIES)
def test_quotes_stand_in_passages_and_settle_something(query):
    used = {at for answer in vars(query.answers).values() for one in answer.statements for at in one.evidence or ()}
    assert used == set(range(len(query.citations)))
    for quote in query.citations:
        assert moved(quote) is None
        assert any(passage.holds(quote) for passage in query.contexts)


@each_of(QUERIES)
def test_what_a_query_lacks_is_nowhere_in_its_documents(query):
    unanswerable = query.category == "unanswerable"
    assert unanswerable == (query.grounded_answer is None) == bool(query.absent_terms)
    for term in query.absent_terms or ():
        for document in {passage.document for passage in query.contexts}:
            assert not re.search(rf"\b{re.escape(term)}\b", TEXTS[document], re.IGNORECASE)


@each_of(QUERIES)
def test_the_reference_is_right_and_abstains_where_there_is_no_answer(query):
    reference = query.answers.reference
    assert query.grounded_answer in (None, reference.answer)
    assert query.expected_score == reference.expected_score
    assert {citation.gold for citation in reference.citations} <= {"correct"}
    abstains = [bool(statement.abstention) for statement in reference.statements]
    assert abstains == [query.grounded_answer is None] + [False] * (len(abstains) - 1)


class TestEachAnswer:
    def test_is_its_statements_each_a_sentence_that_can_be_judged_alone_and_has_their_score(self):
        for _, answer in ANSWERS:
            texts = [statement.text for statement in answer.statements]
            assert answer.answer == " ".join(texts)
            assert re.split(r"(?<=[.!?])\s+", answer.answer) == texts
            assert len(set(texts)) == len(texts)
            assert all(re.fullmatch(r"[A-Z].*\.", text) and not PRONOUN.match(text) for text in texts)
            verdicts = [statement.verdict for statement in answer.statements]
            assert answer.expected_score == verdicts.count("supported") / len(verdicts)

    def test_its_citations_are_the_marks_in_its_text_and_rightly_judged(self):
        assert [what for query, answer in ANSWERS for what in wrong_citations(query, answer)] == []

    def test_its_statements_have_the_verdict_error_and_evidence_that_fit(self):
        assert [f"{query.id}: {what}" for query, one in STATEMENTS for what in unfit(query, one)] == []
        assert {statement.error for _, statement in STATEMENTS} == {None, *ERRORS}  # every kind is planted


def wrong_citations(query, answer):
    marks = [
        (f"[{number}]", at, int(number) - 1)
        for at, statement in enumerate(answer.statements)
        for number in MARK.findall(statement.text)
    ]
    if marks != [(one.marker, one.statement, one.context) for one in answer.citations]:
        yield f"{query.id}: the citations are not the marks in the text"
        return
    for citation in answer.citations:
        statement, passage = answer.statements[citation.statement], query.contexts[citation.context]
        expected = "unsupported_statement"
        if statement.verdict == Verdict.SUPPORTED:
            held = any(passage.holds(query.citations[at]) for at in statement.evidence or ())
            expected = "correct" if held else "wrong_passage"
        if citation.gold != expected:
            yield f"{query.id}: {citation.marker} of {statement.text!r} is {expected}"


def unfit(query, statement):
    verdict, error, unanswerable = statement.verdict, statement.error, query.grounded_answer is None
    supported, abstains = verdict == Verdict.SUPPORTED, bool(statement.abstention)
    if supported != (error is None):
        yield "an error kind exactly if it is not supported: it does not hold"
    if (verdict == Verdict.NOT_ENOUGH_INFO or (abstains and supported)) == bool(statement.evidence):
        yield f"{verdict}, and its gold quotes do not fit that: {statement.text!r}"
    if abstains and verdict != (Verdict.SUPPORTED if unanswerable else Verdict.CONTRADICTED):
        yield "abstains, with the wrong verdict"
    if abstains and MARK.search(statement.text):
        yield "abstains and cites"
    if (error == "wrong_abstention") != (abstains and not unanswerable):
        yield "wrong_abstention is an abstention where there is an answer, and nothing else"
    if error == "answered_unanswerable" and not unanswerable:
        yield "answers the unanswerable, but there is an answer"
    if error == "ignored_conflict" and query.conflict is None:
        yield "ignores a conflict, but there is none"
