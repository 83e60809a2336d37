"""`magistrate dataset new` against a provider over real HTTP."""

import json
from pathlib import Path

import pytest

from magistrate.testing.server import Fault

LAMP = "The lamp burns for nine hours."
GOOD = {
    "question": "How long does the lamp burn?",
    "category": "fact_single",
    "answer": "Nine hours.",
    "quotes": [LAMP],
}
OPEN = {"question": "Who built the tower?", "category": "unanswerable", "answer": "", "quotes": []}
INVENTED = {**GOOD, "question": "How high is it?", "quotes": ["The tower is 40 metres high."]}


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
        server.faults = answering(GOOD, OPEN, INVENTED)
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

    @pytest.mark.parametrize("name", ["fence", "trailing-comma", "prose"])
    def test_a_reply_that_can_be_mended_is(self, new, server, name):
        change = {
            "fence": lambda text: f"```json\n{text}\n```",
            "trailing-comma": lambda text: text.replace("}]}", "},]}"),
            "prose": lambda text: f"Here you are:\n{text}\nAnything else?",
        }[name]
        server.faults = answering(GOOD, change=change)
        assert new().code == 0
        assert rows()[0]["citations"][0]["quote"] == LAMP

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

    def test_the_test_server_drafts_what_holds_up(self, new):
        assert new("--per-document", "2").code == 0
        assert [row["citations"][0]["quote"] for row in rows()] == [
            LAMP,
            "It is filled with oil each evening.",
            "Visitors come on Sundays.",
        ]

    def test_what_is_there_is_not_written_over(self, new, server):
        server.faults = answering(GOOD)
        Path("drafts.jsonl").write_text("mine\n")
        assert new().code == 2
        assert Path("drafts.jsonl").read_text() == "mine\n"
        assert new("--force").code == 0
