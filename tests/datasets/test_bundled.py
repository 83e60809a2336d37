"""The bundled dataset: what it holds, and how it is loaded."""

from importlib.resources import files

import pytest
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.datasets import DOMAINS, SYSTEMS, load_bundled
from magistrate.errors import ConfigurationError

from .records import bundled_documents

cases = cases_of(__file__)


def test_it_stays_well_under_a_megabyte():
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

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_gives_the_same_questions_and_contexts_and_each_gold_quote_where_it_stands(self, system):
        documents = {document.id: document.text for document in bundled_documents()}
        for case, same in zip(load_bundled(system=system), load_bundled(system="reference"), strict=True):
            fields = ("id", "question", "contexts", "category", "reference")
            assert [getattr(case, name) for name in fields] == [getattr(same, name) for name in fields]
            gold = case.metadata["gold"]
            for context, place in zip(case.contexts, gold["contexts"], strict=True):
                assert documents[place["document"]][slice(*place["span"])] == context
            evidence = [quote for statement in gold["statements"] for quote in statement["evidence"]]
            for quote in gold["citations"] + evidence:
                assert documents[quote["document"]][slice(*quote["span"])] == quote["quote"]
                assert case.contexts[quote["context"]][slice(*quote["context_span"])] == quote["quote"]
            for citation in case.citations:
                assert citation.marker in citation.statement
                assert citation.statement in case.answer
                place = gold["contexts"][int(citation.marker.strip("[]")) - 1]
                assert citation.document == place["document"]
                if system == "reference":  # the others name the passage alone
                    assert documents[citation.document][slice(*citation.span)] == citation.quote
                    assert citation.quote in case.contexts[citation.context]
                    assert citation.gold == "correct"
                else:
                    assert (list(citation.span), citation.quote) == (place["span"], None)

    def test_can_leave_the_statements_to_be_extracted(self):
        case = load_bundled("legal", with_statements=False)[0]
        assert case.statements is None
        assert case.metadata["gold"]["statements"]

    def test_changing_a_case_does_not_change_the_next_one_loaded(self):
        load_bundled("legal")[0].metadata["gold"]["statements"].clear()
        assert load_bundled("legal")[0].metadata["gold"]["statements"]

    @cases("bundled: what is unknown is named with what there is")
    def test_what_is_unknown_is_named_with_what_there_is(self, wrong, known):
        with pytest.raises(ConfigurationError, match=known):
            load_bundled(**wrong)
