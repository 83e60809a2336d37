"""The bundled dataset: what it holds, and how it is loaded."""

from importlib.resources import files

import pytest

from magistrate.case import Case
from magistrate.datasets import DOMAINS, SYSTEMS, load_bundled
from magistrate.errors import ConfigurationError

from .records import ErrorKind, bundled_documents, bundled_queries

SYSTEMS_UNDER_TEST = ("naive", "simple", "verified")


def statements(system):
    return [statement for query in bundled_queries() for statement in query.answers[system].statements]


class TestTheDataset:
    def test_plants_every_kind_of_error(self):
        planted = {statement.error for system in SYSTEMS_UNDER_TEST for statement in statements(system)}
        assert planted == {None, *ErrorKind}

    def test_stays_well_under_a_megabyte(self):
        def size(folder):
            return sum(size(item) if item.is_dir() else len(item.read_bytes()) for item in folder.iterdir())

        assert size(files("magistrate.datasets") / "data") < 700_000


class TestLoadBundled:
    @pytest.mark.parametrize(("name", "count"), [("all", 100), ("legal", 50), ("research", 30), ("technical", 20)])
    def test_gives_the_cases_of_a_domain(self, name, count):
        cases = load_bundled(name)
        assert len(cases) == count
        assert all(isinstance(case, Case) for case in cases)
        assert {case.metadata["domain"] for case in cases} == (set(DOMAINS) if name == "all" else {name})

    def test_gives_all_systems_the_same_questions_and_contexts(self):
        def common(system):
            return [(c.id, c.question, c.contexts, c.category, c.reference) for c in load_bundled(system=system)]

        assert all(common(system) == common("reference") for system in SYSTEMS_UNDER_TEST)

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_every_gold_quote_stands_verbatim_in_its_document_and_in_its_context(self, system):
        documents = {document.id: document.text for document in bundled_documents()}
        for case in load_bundled(system=system):
            gold = case.metadata["gold"]
            evidence = [quote for statement in gold["statements"] for quote in statement["evidence"]]
            for quote in gold["citations"] + evidence:
                assert documents[quote["document"]][slice(*quote["span"])] == quote["quote"]
                assert case.contexts[quote["context"]][slice(*quote["context_span"])] == quote["quote"]

    def test_every_context_stands_in_its_document(self):
        documents = {document.id: document.text for document in bundled_documents()}
        for case in load_bundled():
            for context, place in zip(case.contexts, case.metadata["gold"]["contexts"], strict=True):
                assert documents[place["document"]][slice(*place["span"])] == context

    @pytest.mark.parametrize("system", SYSTEMS_UNDER_TEST)
    def test_a_citation_points_to_the_passage_that_its_mark_counts(self, system):
        for case in load_bundled(system=system):
            places = case.metadata["gold"]["contexts"]
            for citation in case.citations:
                place = places[int(citation.marker.strip("[]")) - 1]
                assert citation.document == place["document"]
                assert list(citation.span) == place["span"]
                assert citation.marker in citation.statement
                assert citation.statement in case.answer
                assert citation.quote is None

    def test_a_citation_of_the_reference_quotes_its_document(self):
        documents = {document.id: document.text for document in bundled_documents()}
        for case in load_bundled(system="reference"):
            for citation in case.citations:
                assert documents[citation.document][slice(*citation.span)] == citation.quote
                assert citation.quote in case.contexts[citation.context]
                assert citation.gold == "correct"

    def test_can_leave_the_statements_to_be_extracted(self):
        case = load_bundled("legal", with_statements=False)[0]
        assert case.statements is None
        assert case.metadata["gold"]["statements"]

    def test_changing_a_case_does_not_change_the_next_one_loaded(self):
        load_bundled("legal")[0].metadata["gold"]["statements"].clear()
        assert load_bundled("legal")[0].metadata["gold"]["statements"]

    def test_an_unknown_dataset_is_named_with_the_known_ones(self):
        with pytest.raises(ConfigurationError, match=r"'medical'.*'all', 'legal', 'research', 'technical'"):
            load_bundled("medical")

    def test_an_unknown_system_is_named_with_the_known_ones(self):
        with pytest.raises(ConfigurationError, match=r"'vera'.*'reference', 'naive', 'simple', 'verified'"):
            load_bundled(system="vera")
