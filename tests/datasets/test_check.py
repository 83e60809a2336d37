"""The check of the bundled dataset: it finds what would be wrong. Each test spoils one thing in the sound dataset."""

import pytest

from magistrate.datasets import CitationGold, ErrorKind
from magistrate.datasets.check import Bundle, bundle, check, main
from magistrate.verdict import Verdict


def problems(data):
    return [str(problem) for problem in check(data)]


def replaced(items, index, **changes):
    return (*items[:index], items[index].model_copy(update=changes), *items[index + 1 :])


class Spoiler:
    """Builds a dataset in which one query (by id) or document is changed."""

    def __init__(self):
        self.sound = bundle()

    def position(self, query_id):
        return next(i for i, query in enumerate(self.sound.queries) if query.id == query_id)

    def query(self, query_id, **changes):
        queries = replaced(self.sound.queries, self.position(query_id), **changes)
        return Bundle(self.sound.documents, queries, self.sound.conflicts)

    def answer(self, query_id, system, **changes):
        query = self.sound.queries[self.position(query_id)]
        changed = query.answers[system].model_copy(update=changes)
        return self.query(query_id, answers={**query.answers, system: changed})

    def statement(self, query_id, system, index, **changes):
        statements = self.get(query_id, system).statements
        return self.answer(query_id, system, statements=replaced(statements, index, **changes))

    def document(self, document_id, **changes):
        index = next(i for i, document in enumerate(self.sound.documents) if document.id == document_id)
        documents = replaced(self.sound.documents, index, **changes)
        return Bundle(documents, self.sound.queries, self.sound.conflicts)

    def text(self, document_id):
        return self.sound.text(document_id)

    def get(self, query_id, system):
        return self.sound.queries[self.position(query_id)].answers[system]


@pytest.fixture
def spoil():
    return Spoiler()


def found(data, text):
    return any(text in problem for problem in problems(data))


class TestComposition:
    def test_a_missing_query_is_found(self, spoil):
        sound = spoil.sound
        data = Bundle(sound.documents, sound.queries[:-1], sound.conflicts)
        assert found(data, "technical/reasoning: expected 5 queries, found 4")

    def test_a_missing_document_is_found(self, spoil):
        sound = spoil.sound
        assert found(Bundle(sound.documents[1:], sound.queries, sound.conflicts), "documents: expected")

    def test_a_repeated_id_is_found(self, spoil):
        assert found(spoil.query("legal-002", id="legal-001"), "legal-001: this query id occurs more than once")

    def test_a_gap_in_the_numbers_is_found(self, spoil):
        assert found(spoil.query("research-030", id="research-031"), "research: query ids are not numbered")

    def test_a_question_asked_twice_is_found(self, spoil):
        question = spoil.sound.queries[0].query
        assert found(spoil.query("legal-002", query=question), "legal-002: another query asks the same question")

    def test_systems_that_do_not_differ_are_found(self, spoil):
        sound = spoil.sound
        queries = tuple(
            query.model_copy(update={"answers": {**query.answers, "naive": query.answers["simple"]}})
            for query in sound.queries
        )
        assert found(Bundle(sound.documents, queries, sound.conflicts), "systems: the supported share rises")


class TestDocuments:
    def test_a_short_one_is_found(self, spoil):
        assert found(spoil.document("overview", text="# Pellwire\n\nShort.\n"), "overview: 3 words, fewer than 450")

    def test_one_without_a_title_is_found(self, spoil):
        data = spoil.document("overview", text=spoil.text("overview").removeprefix("# "))
        assert found(data, "overview: does not start with its title")

    def test_line_ends_that_shift_spans_are_found(self, spoil):
        data = spoil.document("overview", text=spoil.text("overview").replace("\n", "\r\n"))
        assert found(data, "overview: has line ends other than")

    @pytest.mark.parametrize("sentence", ["It was sold to Acmeville in May.", "Acmeville bought it in May."])
    def test_a_name_that_was_not_declared_is_found_inside_and_at_the_start_of_a_sentence(self, spoil, sentence):
        data = spoil.document("overview", text=spoil.text("overview") + sentence)
        assert found(data, "overview: 'Acmeville' looks like a name")

    def test_an_ordinary_word_used_as_a_name_is_found(self, spoil):
        data = spoil.document("overview", text=spoil.text("overview") + "It was sold to Order in May.")
        assert found(data, "overview: 'Order' looks like a name")

    def test_a_strange_name_in_an_answer_is_found(self, spoil):
        answer = spoil.get("legal-001", "naive").answer.replace("Brindlestow", "the buyer Acmeville")
        assert found(spoil.answer("legal-001", "naive", answer=answer), "legal-001: 'Acmeville' looks like a name")


class TestPassages:
    def test_one_that_is_no_whole_section_is_found(self, spoil):
        query = spoil.sound.queries[0]
        start, end = query.contexts[0].span
        contexts = replaced(query.contexts, 0, span=(start, end - 10))
        assert found(spoil.query(query.id, contexts=contexts), "passage 1 is not a whole section")

    def test_one_outside_its_document_is_found(self, spoil):
        query = spoil.sound.queries[0]
        contexts = replaced(query.contexts, 1, span=(0, 10**6))
        assert found(spoil.query(query.id, contexts=contexts), "passage 2 lies outside")

    def test_one_of_two_sections_is_found(self, spoil):
        query = spoil.sound.queries[0]
        text = spoil.text("services-agreement")
        contexts = replaced(query.contexts, 1, span=(0, len(text.rstrip())))
        assert found(spoil.query(query.id, contexts=contexts), "passage 2 is not a whole section")

    def test_one_given_twice_is_found(self, spoil):
        query = spoil.sound.queries[0]
        contexts = (*query.contexts, query.contexts[0])
        assert found(spoil.query(query.id, contexts=contexts), "a passage occurs twice")

    def test_a_wrong_mark_of_relevance_is_found(self, spoil):
        query = spoil.sound.queries[0]
        contexts = replaced(query.contexts, 1, relevant=True)
        assert found(spoil.query(query.id, contexts=contexts), "passage 2 is marked relevant=True")


class TestGoldQuotes:
    def test_one_that_moved_is_found_with_its_new_place(self, spoil):
        query = spoil.sound.queries[0]
        quote = query.citations[0]
        start, end = quote.span
        citations = replaced(query.citations, 0, span=(start + 1, end + 1))
        assert found(spoil.query(query.id, citations=citations), f"it is at {start}-{end}")

    def test_one_that_is_not_verbatim_is_found(self, spoil):
        query = spoil.sound.queries[0]
        citations = replaced(query.citations, 0, quote=query.citations[0].quote.replace("35", "36"))
        assert found(spoil.query(query.id, citations=citations), "it is nowhere in it")

    def test_one_outside_the_passages_is_found(self, spoil):
        query = spoil.sound.queries[0]
        contexts = query.contexts[1:]
        assert found(spoil.query(query.id, contexts=contexts), "quote 0 stands in none of the passages")

    def test_one_that_settles_nothing_is_found(self, spoil):
        query = spoil.sound.queries[0]
        citations = (*query.citations, query.citations[0])
        assert found(spoil.query(query.id, citations=citations), "quote 2 settles no statement")


class TestStatements:
    def test_an_answer_that_is_not_its_statements_is_found(self, spoil):
        answer = spoil.get("legal-001", "naive").answer + " More."
        data = spoil.answer("legal-001", "naive", answer=answer)
        assert found(data, "legal-001 naive: the answer is not its statements joined")

    def test_two_sentences_in_one_statement_are_found(self, spoil):
        text = "One thing [1]. Another thing [1]."
        data = spoil.answer(
            "legal-002",
            "simple",
            answer=text,
            statements=replaced(spoil.get("legal-002", "simple").statements, 0, text=text),
        )
        assert found(data, "splitting the answer into sentences does not give its statements")

    def test_a_statement_that_begins_with_a_pronoun_is_found(self, spoil):
        data = spoil.statement("legal-001", "naive", 0, text="It must be paid within 45 days [1].")
        assert found(data, "begins with a pronoun")

    def test_a_statement_without_a_full_stop_is_found(self, spoil):
        data = spoil.statement("legal-001", "naive", 0, text="Within 45 days [1]")
        assert found(data, "does not begin with a capital and end with a full stop")

    def test_a_repeated_statement_is_found(self, spoil):
        text = spoil.get("legal-001", "naive").statements[1].text
        assert found(spoil.statement("legal-001", "naive", 0, text=text), "a statement occurs twice")

    def test_a_planted_error_on_a_supported_statement_is_found(self, spoil):
        data = spoil.statement("legal-001", "naive", 0, verdict=Verdict.SUPPORTED)
        assert found(data, "legal-001 naive: statement 1 has an error kind exactly if it is not supported")

    def test_an_unsupported_statement_without_an_error_is_found(self, spoil):
        data = spoil.statement("legal-001", "naive", 0, error=None)
        assert found(data, "legal-001 naive: statement 1 has an error kind exactly if it is not supported")

    @pytest.mark.parametrize("index", [0, 1])
    def test_a_supported_or_contradicted_statement_without_a_gold_citation_is_found(self, spoil, index):
        data = spoil.statement("legal-001", "naive", index, evidence=())
        verdict = ("contradicted", "supported")[index]
        assert found(data, f"legal-001 naive: statement {index + 1} is {verdict}, but has no gold citation")

    def test_evidence_for_what_no_passage_mentions_is_found(self, spoil):
        data = spoil.statement("legal-003", "naive", 1, evidence=(0,))
        assert found(data, "is not_enough_info, but has evidence")

    def test_evidence_that_is_not_there_is_found(self, spoil):
        assert found(spoil.statement("legal-001", "naive", 0, evidence=(9,)), "points to a quote that is not there")

    def test_a_binary_verdict_is_found(self, spoil):
        assert found(spoil.statement("legal-001", "naive", 0, verdict=Verdict.UNSUPPORTED), "has a binary verdict")

    def test_a_wrong_expected_score_is_found(self, spoil):
        data = spoil.answer("legal-001", "naive", expected_score=0.75)
        assert found(data, "legal-001 naive: expected_score 0.75 is not 0.5")

    def test_an_answer_without_statements_is_found(self, spoil):
        assert found(spoil.answer("legal-001", "naive", statements=()), "legal-001 naive: no statements")

    def test_a_missing_answer_is_found(self, spoil):
        answers = dict(spoil.sound.queries[0].answers)
        del answers["simple"]
        assert found(spoil.query("legal-001", answers=answers), "legal-001: no answer of system 'simple'")


class TestCitations:
    def test_a_mark_without_a_citation_is_found(self, spoil):
        citations = spoil.get("legal-001", "naive").citations[1:]
        data = spoil.answer("legal-001", "naive", citations=citations)
        assert found(data, "legal-001 naive: the citations are not the marks in the text")

    def test_a_wrong_gold_of_a_citation_is_found(self, spoil):
        citations = replaced(spoil.get("legal-001", "naive").citations, 0, gold=CitationGold.CORRECT)
        data = spoil.answer("legal-001", "naive", citations=citations)
        assert found(data, "[1] of statement 1 is unsupported_statement, not correct")

    def test_a_mark_that_points_to_no_passage_is_found(self, spoil):
        old = spoil.get("legal-002", "simple")
        data = spoil.answer(
            "legal-002",
            "simple",
            statements=replaced(old.statements, 0, text=old.statements[0].text.replace("[1]", "[7]")),
            citations=replaced(old.citations, 0, marker="[7]", context=6),
        )
        assert found(data, "[7] points to no passage")


class TestReference:
    def test_a_grounded_answer_that_differs_is_found(self, spoil):
        assert found(spoil.query("legal-001", grounded_answer="Thirty days."), "the grounded answer is not")

    def test_an_expected_score_that_differs_is_found(self, spoil):
        assert found(spoil.query("legal-001", expected_score=0.5), "expected_score is not that of the reference")

    def test_an_unsupported_statement_is_found(self, spoil):
        data = spoil.statement("legal-001", "reference", 0, verdict=Verdict.CONTRADICTED, error=ErrorKind.WRONG_NUMBER)
        assert found(data, "a statement of the reference is not supported")

    def test_a_wrong_citation_is_found(self, spoil):
        citations = replaced(spoil.get("legal-001", "reference").citations, 0, gold=CitationGold.WRONG_PASSAGE)
        data = spoil.answer("legal-001", "reference", citations=citations)
        assert found(data, "a citation of the reference is wrong")


class TestUnanswerable:
    def test_a_grounded_answer_is_found(self, spoil):
        assert found(spoil.query("legal-010", grounded_answer="Estwick."), "grounded_answer is None for unanswerable")

    def test_missing_absent_terms_are_found(self, spoil):
        assert found(spoil.query("legal-010", absent_terms=()), "list absent terms")

    def test_an_absent_term_that_occurs_in_a_document_is_found(self, spoil):
        data = spoil.query("legal-010", absent_terms=("insolvent",))
        assert found(data, "the absent term 'insolvent' occurs in 'services-agreement'")

    def test_a_reference_that_does_not_abstain_is_found(self, spoil):
        data = spoil.statement("legal-010", "reference", 0, abstention=False)
        assert found(data, "the reference abstains in its first sentence")

    def test_an_abstention_that_counts_as_wrong_is_found(self, spoil):
        data = spoil.statement(
            "legal-010", "verified", 0, verdict=Verdict.CONTRADICTED, error=ErrorKind.WRONG_ABSTENTION
        )
        assert found(data, "abstains and must be supported")
        assert found(data, "wrong_abstention is an abstention where there is an answer")

    def test_an_abstention_that_counts_as_right_although_there_is_an_answer_is_found(self, spoil):
        data = spoil.statement("legal-044", "verified", 0, verdict=Verdict.SUPPORTED, error=None)
        assert found(data, "abstains and must be contradicted")

    def test_an_abstention_with_a_citation_is_found(self, spoil):
        data = spoil.statement("legal-010", "verified", 0, text="The excerpts do not name the court [1].")
        assert found(data, "abstains and cites")

    def test_answering_the_unanswerable_where_there_is_an_answer_is_found(self, spoil):
        data = spoil.statement("legal-001", "naive", 0, error=ErrorKind.ANSWERED_UNANSWERABLE)
        assert found(data, "answers the unanswerable, but there is an answer")


class TestConflicts:
    def test_ignoring_a_conflict_where_there_is_none_is_found(self, spoil):
        data = spoil.statement("legal-001", "naive", 0, error=ErrorKind.IGNORED_CONFLICT)
        assert found(data, "ignores a conflict, but there is none")

    def test_a_contradiction_query_without_a_conflict_is_found(self, spoil):
        data = spoil.query("research-016", conflict=None)
        assert found(data, "research-016: a query of category contradiction")
        assert found(data, "K1: 0 queries are about it")

    def test_a_side_that_is_not_verbatim_is_found(self, spoil):
        sound = spoil.sound
        left, right = sound.conflicts[0].sides
        sides = (left.model_copy(update={"quote": "Something else."}), right)
        conflicts = replaced(sound.conflicts, 0, sides=sides)
        assert found(Bundle(sound.documents, sound.queries, conflicts), "K1: quote 'Something else.'")

    def test_two_sides_in_one_document_are_found(self, spoil):
        sound = spoil.sound
        left, _ = sound.conflicts[0].sides
        conflicts = replaced(sound.conflicts, 0, sides=(left, left))
        assert found(Bundle(sound.documents, sound.queries, conflicts), "K1: both sides are in one document")

    def test_passages_that_lack_a_side_are_found(self, spoil):
        query = spoil.sound.queries[spoil.position("research-016")]
        data = spoil.query(query.id, contexts=query.contexts[:1])
        assert found(data, "research-016: its passages do not hold the side of vantreel-noise in K1")


def test_the_command_says_that_nothing_is_wrong(capsys):
    assert main() == 0
    assert capsys.readouterr().out == "0 problems\n"
