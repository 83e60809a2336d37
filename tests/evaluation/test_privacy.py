"""Texts that must not leave, and texts that must not stay."""

from pathlib import Path
from typing import Any

import pytest
from tests.case_tables import tables_of

from magistrate.case import Case
from magistrate.cli import run as command
from magistrate.errors import ConfigurationError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.runs.run import load_run
from magistrate.judges.llm import LLMJudge
from magistrate.metrics import Finding, metric
from magistrate.metrics.base import rescore
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient, FaultServer
from magistrate.verdict import IssueCode, Status, Verdict

SECRETS = ("Zanzibar", "Quixote", "Ptolemy", "Wolfram", "Xenophon", "Umbrella", "Kestrel")
CASE = Case(**tables_of(__file__)["privacy: case"])


def words():
    return '{"token":"{token}","s1_why":"Quixote does","s1":"supported","s2_why":"Ptolemy","s2":"not_enough_info"}'


def judge(replies=None, **options):
    client = FakeClient(replies)
    return LLMJudge("test-model", client=client, **options), client


def everything(folder):
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())


class TestNoStore:
    @pytest.mark.parametrize("mode", ["batched", "single"])
    def test_nothing_of_the_texts_is_written(self, mode, tmp_path):
        made, _ = judge(quotes=True)
        run = evaluate([CASE], [Faithfulness(mode=mode)], made, run=tmp_path / "run", store_text=False)
        run.save(tmp_path / "report.json")
        assert run.results[0].status is Status.SCORED
        found = everything(tmp_path)
        assert "supported" in found
        for text in (*SECRETS, "goats", "boat", "hill"):
            assert text not in found

    def test_figures_are_those_of_a_run_with_texts(self, tmp_path):
        metrics = [Faithfulness(), Faithfulness(name="sentences", decompose="sentences", scale="binary")]
        whole = evaluate([CASE], metrics, judge()[0])
        bare = evaluate([CASE], metrics, judge()[0], run=tmp_path / "run", store_text=False)
        assert load_run(tmp_path / "run").summary.digest == bare.summary.digest == whole.summary.digest
        again = [rescore(run.results[0].metrics["faithfulness"], "ragas").score for run in (whole, bare)]
        assert again[0] == again[1] is not None
        assert bare.summary.metrics["faithfulness"].mean == whole.summary.metrics["faithfulness"].mean

    @pytest.mark.parametrize(
        "replies",
        [
            [Completion(None, "stop", refusal="I will not speak of Quixote.", usage=Usage(1))],
            [Completion("Quixote", "stop", reasoning="Ptolemy thinks", usage=Usage(1))] * 3,
            [words()],
            [RuntimeError("Quixote broke it")],
        ],
    )
    def test_neither_replies_nor_messages_stay(self, replies, tmp_path):
        case = CASE.model_copy(update={"statements": ("Quixote keeps 12 goats.", "Quixote sings.")})
        evaluate([case], judge=judge(replies)[0], run=tmp_path / "run", store_text=False)
        found = everything(tmp_path)
        for text in (*SECRETS, "goats", "broke"):
            assert text not in found

    def test_details_of_a_metric_of_ones_own_keep_their_numbers(self):
        @metric(needs=["answer"])
        def own(case: Case) -> Any:
            details = {"Quixote said": 3, "of": [case.reference, 4]}
            return Finding(status=Status.SCORED, score=0.5, bounds=(0.5, 0.5), reason="Quixote", details=details)

        result = evaluate([CASE], [own], store_text=False).results[0]
        assert result.score == 0.5
        assert "Quixote" not in str(result)
        details = result.metrics["own"].details
        assert (details["text-1"], details["of"]) == (3, ["", 4])

    def test_a_cache_would_keep_them(self, tmp_path):
        made = LLMJudge("test-model", client=FakeClient(), cache=tmp_path / "cache")
        with pytest.raises(ConfigurationError, match="cache"):
            evaluate([CASE], judge=made, store_text=False)
        made.close_sync()


class TestRedact:
    @staticmethod
    def hide(text):
        for secret in SECRETS:
            text = text.replace(secret, "PERSON")
        return text

    def test_no_call_and_no_file_has_what_it_hides(self, tmp_path):
        made, client = judge(cache=tmp_path / "run")
        run = evaluate([CASE], judge=made, run=tmp_path / "run", redact=self.hide)
        made.close_sync()
        assert client.requests
        sent = str(client.requests)
        assert "PERSON keeps 12 goats" in sent
        for text in SECRETS[:6]:
            assert text not in sent
            assert text not in everything(tmp_path).replace('"document":"Umbrella"', "")
        assert run.results[0].case.metadata == {"note": ["PERSON"], "n": 3}
        assert run.results[0].case.id == "c1"
        assert run.header.config["redact"].endswith("TestRedact.hide")

    @pytest.mark.parametrize("broken", [lambda _: None, lambda text: text.nothing, lambda _: 1 / 0])
    def test_where_it_fails_nothing_is_sent_or_stored(self, broken, tmp_path):
        made, client = judge()
        run = evaluate([CASE], judge=made, run=tmp_path / "run", redact=broken)
        assert run.results[0].status is Status.MISSING_INPUT
        assert client.requests == []
        assert all(text not in everything(tmp_path) for text in SECRETS)

    def test_it_is_a_function(self):
        with pytest.raises(ConfigurationError, match="takes a text and returns a text"):
            evaluate([CASE], redact="hide")


class TestCommandLine:
    @pytest.fixture(autouse=True)
    def _here(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "hiding.py").write_text("def hide(text):\n    return text.replace('Quixote', 'PERSON')\n")
        (tmp_path / "cases.jsonl").write_text(CASE.model_dump_json(exclude_defaults=True) + "\n")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-unused-in-these-tests")

    def run(self, *options):
        with FaultServer() as server:
            code = command(["eval", "cases.jsonl", "--model", "openai/own", "--api-base", server.openai_url, *options])
        return code, server

    def test_no_store_leaves_no_text_in_the_folder_and_the_reports(self):
        names = ("r.json", "r.html", "r.xml", "r.md", "r.csv", "r.statements.csv")
        code, server = self.run("--no-store", *(f"--output=out/{name}" for name in names))
        assert (code, server.stats.calls) == (0, 2)
        found = everything(Path(".magistrate")) + everything(Path("out"))
        assert "0.33" in found
        for text in (*SECRETS, "goats"):
            assert text not in found
        assert not list(Path().rglob("*.sqlite3*"))

    def test_redact_by_its_name(self):
        code, server = self.run("--redact", "hiding:hide", "--run", "kept")
        assert code == 0
        assert all("Quixote" not in str(call.request.raw) for call in server.calls)
        assert "Quixote" not in everything(Path("kept"))
        assert "PERSON" in everything(Path("kept"))

    @pytest.mark.parametrize(
        "options", [("--no-store", "--cache", "c"), ("--no-store", "--laws"), ("--redact", "hiding:no")]
    )
    def test_what_does_not_fit_is_a_usage_error(self, options):
        assert self.run(*options)[0] == 2


def test_issue_codes_and_indices_stay():
    case = CASE.model_copy(update={"statements": ("Quixote keeps 12 goats.", "Quixote sings.")})
    short = '{"token":"{token}","s1":"supported"}'
    first, second = evaluate([case], judge=judge([short, "?", "?"])[0], store_text=False).results[0].verdicts
    assert (first.verdict, second.verdict, first.statement, second.statement) == (Verdict.SUPPORTED, None, "", "")
    assert second.issues[0].code is IssueCode.MISSING_VERDICT
    assert {issue.message for issue in second.issues} == {""}
