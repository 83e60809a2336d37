import json

import pytest
from tests.case_tables import cases_of

from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.cases.answer_sources import open_source, with_answers_of
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.comparison import baseline_name, open_baseline
from magistrate.evaluation.runs.run import Run
from magistrate.verdict import Status

tables = cases_of(__file__)

ROW = {
    "id": "tide",
    "question": "When is high tide?",
    "contexts": ["High tide is at noon."],
    "answer": "At noon.",
    "reference": "At noon.",
    "statements": ["High tide is at noon."],
}


def answers(row, system):
    (record,) = with_answers_of(Dataset([row]), system)
    return record


class TestAnswersInTheDataset:
    @tables("systems: are found in their many places")
    def test_are_found_in_their_many_places(self, columns):
        record = answers({**ROW, **columns}, "naive-rag")
        assert record.case.answer == "At dusk."
        assert record.case.metadata["system"] == "naive-rag"
        assert not record.blocked

    def test_statements_and_citations_of_the_other_answer_are_not_taken_over(self):
        record = answers({**ROW, "citations": [{"marker": "[1]"}], "answers": {"b": "At dusk."}}, "b")
        assert (record.case.statements, record.case.citations) == (None, ())
        assert (record.case.reference, record.case.contexts) == ("At noon.", ("High tide is at noon.",))

    def test_may_bring_contexts_and_citations_of_their_own(self):
        row = {
            **ROW,
            "metadata": {"documents": ["a"]},
            "answers": {"b": {"answer": "x", "contexts": ["Another."], "latency_ms": 7}},
        }
        case = answers(row, "b").case
        assert (case.contexts, case.metadata["latency_ms"]) == (("Another.",), 7.0)
        assert "documents" not in case.metadata

    @pytest.mark.parametrize(
        "columns", [{}, {"answers": {"b": 3}}, {"answers": {"b": {"text": "x"}}}, {"answers": "b"}]
    )
    def test_that_are_not_there_block_the_row(self, columns):
        other = {**ROW, "id": "other", "answers": {"b": "At noon."}}
        run = evaluate(with_answers_of(Dataset([{**ROW, **columns}, other]), "b"))
        assert [result.status for result in run.results] == [Status.MISSING_INPUT, Status.SCORED]

    def test_a_problem_says_where_it_stands(self, tmp_path):
        path = tmp_path / "cases.jsonl"
        path.write_text(json.dumps({**ROW, "naive": "At dusk."}) + "\n" + json.dumps({**ROW, "id": "x"}))
        *_, last = with_answers_of(Dataset(path), "naive")
        assert str(last.problems[-1]).startswith("cases.jsonl:2: answer: the row has no answer of 'naive'")

    @tables("systems: a system that no row has is refused before anything is judged")
    def test_a_system_that_no_row_has_is_refused_before_anything_is_judged(self, tmp_path, columns, there):
        path = tmp_path / "cases.jsonl"
        path.write_text(json.dumps({**ROW, **columns}))
        dataset = with_answers_of(Dataset(path), "d")
        with pytest.raises(
            ConfigurationError, match=r"no row of cases\.jsonl has an answer of the system 'd'"
        ) as caught:
            dataset.check_mapping()
        assert there in str(caught.value)
        with pytest.raises(ConfigurationError, match="the system 'd'"):
            evaluate(with_answers_of(Dataset([{**ROW, **columns}]), "d"))

    def test_another_system_is_another_configuration(self):
        plain = evaluate([ROW])
        other = evaluate(with_answers_of(Dataset([{**ROW, "b": "At dusk."}]), "b"))
        assert plain.header.config_hash != other.header.config_hash


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "own_system_for_test.py").write_text(
        "import asyncio\n"
        "def plain(question):\n    return 'High tide is at noon.'\n"
        "def pair(question, case):\n    return case.id, ['tide']\n"
        "async def later(question):\n    await asyncio.sleep(0)\n"
        "    return {'answer': question, 'citations': ['[1]']}\n"
        "def broken(question):\n    raise RuntimeError('secret-key')\n"
        "def leaves(question):\n    raise SystemExit(7)\n"
        "def none():\n    return ''\n"
        "def three(question, case, more):\n    return ''\n"
        "number = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    return "own_system_for_test"


class TestAnswersOfAFunction:
    def test_are_made_while_the_run_goes_on_and_timed(self, module):
        rows = [{**ROW, "id": f"r{n}"} for n in range(30)]
        run = evaluate(with_answers_of(Dataset(rows), f"{module}:plain"))
        assert [result.id for result in run.results] == [row["id"] for row in rows]
        assert {result.score for result in run.results} == {1.0}
        assert all(result.case.metadata["latency_ms"] >= 0 for result in run.results)

    def test_may_bring_contexts_and_citations_and_come_from_a_coroutine(self, module):
        pair, later = (answers(ROW, f"{module}:{name}").case for name in ("pair", "later"))
        assert (pair.answer, pair.contexts) == ("tide", ("tide",))
        assert (later.answer, later.citations[0].marker) == (ROW["question"], "[1]")

    @pytest.mark.parametrize(("name", "kind"), [("broken", "RuntimeError"), ("leaves", "SystemExit")])
    def test_that_fails_costs_one_row_and_shows_no_secret(self, module, name, kind):
        record = answers(ROW, f"{module}:{name}")
        assert record.blocked
        assert f"{name} failed: {kind}" in str(record.problems[-1])
        assert "secret-key" not in str(record.problems)

    @pytest.mark.parametrize("name", ["missing", "number", "none", "three"])
    def test_that_is_none_is_refused(self, module, name):
        with pytest.raises(ConfigurationError):
            with_answers_of(Dataset([ROW]), f"{module}:{name}")


@pytest.mark.parametrize(("name", "system"), [("bundled:law", None), ("bundled:legal", "other")])
def test_bundled_others_are_refused(name, system):
    with pytest.raises(ConfigurationError):
        open_source(name, system=system)


class TestBaselines:
    def test_a_run_is_taken_as_it_is(self, tmp_path):
        run = evaluate([ROW])
        for path in (run.save(tmp_path / "first"), run.save(tmp_path / "report.json")):
            assert isinstance(open_baseline(str(path), Dataset([ROW])), Run)

    def test_a_dataset_is_judged_like_the_run(self, tmp_path):
        path = tmp_path / "naive.jsonl"
        path.write_text(json.dumps(ROW))
        opened = open_baseline(str(path), Dataset([ROW]))
        assert isinstance(opened, Dataset)
        assert baseline_name(str(path)) == "naive"

    @pytest.mark.parametrize("path", ["runs/gone", "gone.jsonl"])
    def test_a_path_that_is_not_there_is_an_error(self, path):
        with pytest.raises(DatasetError, match="no such run or dataset"):
            open_baseline(path, Dataset([ROW]))
