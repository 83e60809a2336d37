"""`magistrate dataset validate`, and `magistrate dataset new` against a provider over real HTTP."""

import json
from pathlib import Path

import pytest

from magistrate.testing.server import Fault


class TestValidate:
    def test_many_alike_are_summed_up_unless_all_are_asked_for(self, magistrate, dataset):
        path = dataset([{"answer": "a"}] * 50)
        said = magistrate("dataset", "validate", path)
        assert said.out.count("contexts: missing") == 2 + 1
        assert "error: 48 more like 'contexts: missing' (--all shows them)" in said.out
        assert magistrate("dataset", "validate", path, "--all").out.count("contexts: missing") == 50

    @pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"PAR1", b"\x1f\x8b\x08", b"\x00\x00"])
    def test_what_is_no_dataset_is_one_line_and_code_2(self, magistrate, tmp_path, content):
        path = tmp_path / "cases.csv"
        path.write_bytes(content)
        said = magistrate("dataset", "validate", path)
        assert said.code == 2


LAMP = "The lamp burns for nine hours."
DRAFT = {
    "question": "How long does the lamp burn?",
    "category": "fact_single",
    "answer": "Nine hours.",
    "quotes": [LAMP],
}
OPEN = {"question": "Who built the tower?", "category": "unanswerable", "answer": "", "quotes": []}
INVENTED = {**DRAFT, "question": "How high is it?", "quotes": ["The tower is 40 metres high."]}


@pytest.fixture
def new(magistrate, server, tmp_path):
    folder = tmp_path / "manual"
    folder.mkdir()
    (folder / "lamp.md").write_text(f"# The lamp\n\n{LAMP} It is filled with oil each evening.\n")
    (folder / "rules.txt").write_text("Visitors come on Sundays.\n")

    def run(*arguments):
        return magistrate(
            "dataset", "new", folder, "--model", "openai/gpt-4o", "--api-base", server.openai_url, *arguments
        )

    return run


def answering(*cases, change=str):
    return lambda _: Fault(text=lambda _right: change(json.dumps({"cases": list(cases)})))


def rows(name="drafts.jsonl"):
    return [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]


class TestDatasetNew:
    @pytest.mark.slow
    def test_writes_what_holds_up_as_drafts_and_names_what_does_not(self, new, server, magistrate):
        server.faults = answering(DRAFT, OPEN, INVENTED)
        done = new()
        assert done.code == 0
        assert "3 drafts from 2 documents" in done.out
        assert "does not stand in the document" in done.err
        assert [(row["category"], row["metadata"]["draft"]) for row in rows()] == [
            ("fact_single", True),
            ("unanswerable", True),
            ("unanswerable", True),
        ]
        assert rows()[0]["contexts"][0].startswith("# The lamp")
        reviewed = [{**row, "answer": "Nine hours."} for row in rows()]
        Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in reviewed))
        assert magistrate("dataset", "validate", "cases.jsonl").code == 0
        assert magistrate("eval", "cases.jsonl", "--metric", "faithfulness", "--metric", "abstention").code == 0

    def test_nothing_drafted_is_said_for_each_document_and_is_no_success(self, new, server):
        server.faults = answering()
        done = new()
        assert done.code == 1
        assert done.err.count("drafted no question") == 2

    @pytest.mark.parametrize(
        "fault", [Fault(status=400), Fault(refusal="I will not."), Fault(text=lambda _: "no json")]
    )
    def test_a_provider_that_fails_leaves_no_drafts_and_the_reason(self, new, server, fault):
        server.faults = lambda _: fault
        done = new()
        assert done.code == 1
        assert done.err.count("could not be used") == 2

    def test_what_is_there_is_not_written_over(self, new, server):
        server.faults = answering(DRAFT)
        Path("drafts.jsonl").write_text("mine\n")
        assert new().code == 2
        assert Path("drafts.jsonl").read_text() == "mine\n"
        assert new("--force").code == 0
