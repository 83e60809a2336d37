import asyncio
import json

import pytest
from tests.case_tables import cases_of

from magistrate.errors import ConfigurationError, DatasetError, StoreError
from magistrate.evaluation.drafting import Document, draft_cases, passages_of, read_documents
from magistrate.judges.llm import LLMJudge
from magistrate.judges.offline import OfflineJudge
from magistrate.testing.scripted import FakeClient

cases = cases_of(__file__)

DOCUMENT = Document(
    "rules/pool.md", "# Pool\n\nThe pool opens at 7.\n\n# Fees\n\nA ticket costs 4 crowns. Children swim free.\n"
)
GOOD = {
    "question": "What does a ticket cost?",
    "answer": "A ticket costs 4 crowns.",
    "quotes": ["A ticket costs 4 crowns."],
    "category": "fact_single",
}
NONE = {"question": "Who built it?", "answer": "", "quotes": [], "category": "unanswerable"}


def draft(*drafts, **options):
    client = FakeClient([json.dumps({"cases": list(drafts)})])
    judge = LLMJudge("gpt-4o", client=client)

    async def first():
        (drafted,) = await draft_cases([DOCUMENT], judge, **options)
        return drafted

    return asyncio.run(first())


class TestADraft:
    def test_is_a_case_that_says_it_is_a_draft(self):
        (case,) = draft(GOOD).cases
        assert (case.question, case.reference, case.category) == (GOOD["question"], GOOD["answer"], "fact_single")
        assert case.answer is None
        assert case.metadata["draft"] is True
        assert "check" in case.metadata["review"]

    def test_has_the_passages_that_its_quotes_stand_in(self):
        (case,) = draft(GOOD, contexts=1).cases
        (gold,) = case.metadata["gold_citations"]
        assert gold["quote"] in case.contexts[gold["context"]]
        assert len(case.contexts) == 1
        assert case.metadata["documents"] == ["rules/pool.md"]

    def test_of_what_cannot_be_answered_has_no_reference(self):
        (case,) = draft(NONE).cases
        assert (case.reference, case.metadata["answerable"]) == (None, False)
        assert len(case.contexts) == 2

    @cases("drafting: that does not hold up is left out with the reason")
    def test_that_does_not_hold_up_is_left_out_with_the_reason(self, change, why):
        drafted = draft({**GOOD, **change}, NONE)
        assert len(drafted.cases) == 1
        assert why in drafted.dropped[0]

    def test_takes_a_model(self):
        async def run():
            return await draft_cases([DOCUMENT], OfflineJudge())

        with pytest.raises(ConfigurationError, match="takes a model"):
            asyncio.run(run())


class TestDocuments:
    def test_are_the_text_files_below_a_folder_by_name(self, tmp_path):
        (tmp_path / "sub").mkdir()
        for name in ("b.md", "a.txt", "sub/c.rst", "image.png", "empty.md"):
            (tmp_path / name).write_text("" if name == "empty.md" else "Text.")
        assert [document.name for document in read_documents(tmp_path)] == ["a.txt", "b.md", "sub/c.rst"]

    @pytest.mark.parametrize("data", [b"\xff\xfe\x00", None])
    def test_that_cannot_be_read_are_an_error(self, tmp_path, data):
        if data is not None:
            (tmp_path / "a.md").write_bytes(data)
        with pytest.raises((DatasetError, StoreError)):
            read_documents(tmp_path)

    def test_are_cut_between_paragraphs_and_before_headings(self):
        assert passages_of(DOCUMENT.text) == [
            "# Pool\n\nThe pool opens at 7.",
            "# Fees\n\nA ticket costs 4 crowns. Children swim free.",
        ]
        assert passages_of("a\n\nb\n\nc", size=4) == ["a\n\nb", "c"]
