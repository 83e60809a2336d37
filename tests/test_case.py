"""A case takes the names that datasets use."""

import pytest
from pydantic import ValidationError

from magistrate.case import ALIASES, Case, Citation


class TestAliases:
    @pytest.mark.parametrize(("field", "alias"), [(f, a) for f in ("question", "answer") for a in ALIASES[f]])
    def test_every_alias_reaches_its_field(self, field, alias):
        assert getattr(Case(**{alias: "text"}), field) == "text"

    @pytest.mark.parametrize("alias", ALIASES["contexts"])
    def test_every_alias_of_contexts_takes_a_list_or_one_text(self, alias):
        assert Case(**{alias: ["a", "b"]}).contexts == ("a", "b")
        assert Case(**{alias: "a"}).contexts == ("a",)

    def test_documents_may_be_objects_with_a_text(self):
        assert Case(documents=[{"text": "a"}, {"page_content": "b", "metadata": {}}, "c"]).contexts == ("a", "b", "c")

    def test_a_document_without_a_text_is_an_error_that_names_it(self):
        with pytest.raises(ValidationError, match=r"documents\.1|contexts\.1"):
            Case(documents=["a", {"title": "b"}])


class TestCase:
    def test_refuses_an_unknown_field(self):
        with pytest.raises(ValidationError, match="anwser"):
            Case(anwser="typo")

    @pytest.mark.parametrize("score", [-0.1, 1.5, float("nan"), True, False])
    def test_refuses_an_expected_score_outside_zero_to_one(self, score):
        with pytest.raises(ValidationError):
            Case(expected_score=score)

    def test_takes_a_number_as_id(self):
        assert Case(id=7).id == "7"

    def test_cannot_be_changed(self):
        case = Case(answer="a")
        with pytest.raises(ValidationError):
            case.answer = "b"


class TestCitation:
    def test_takes_the_names_that_datasets_use(self):
        citation = Citation(
            doc_id="contract-1", text="thirty days", claim="Payment is due in thirty days.", span=(3, 14)
        )
        assert (citation.document, citation.quote, citation.statement) == (
            "contract-1",
            "thirty days",
            "Payment is due in thirty days.",
        )
