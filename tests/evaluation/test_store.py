"""The store: append-only, private, and readable after a crash at any byte."""

import json
import re
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from tests.case_tables import cases_of
from tests.making import make_result

from magistrate.errors import StoreError
from magistrate.evaluation.files import RESULTS, SCHEMA
from magistrate.evaluation.runs.run import load_run
from magistrate.evaluation.runs.store import RunHeader, RunWriter, default_folder, read_index
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.verdict import Status

cases = cases_of(__file__)


def header(**config):
    return RunHeader(config={"judge": {"name": "j"}, **config}, magistrate="0.1.0", created="2026-01-01T00:00:00+00:00")


def mark_of(index):
    return f"{index + 1:016x}"


def result(index, status=Status.SCORED, *, raw=None):
    calls = (CallRecord("verify", PromptRef("verify", "1", "0"), "m", Completion(raw)),) if raw is not None else ()
    score = 1.0 if status is Status.SCORED else None
    made = make_result(index, score, status, metric={"calls": calls}, answer="a")
    return replace(made, fingerprint=mark_of(index))


def write(folder, *results, resume=False, end=True, **config):
    with closing(RunWriter(folder, header(**config), resume=resume)) as writer:
        for item in results:
            writer.append(item)
        if end:
            writer.end("complete")
    return folder / RESULTS


class TestWriting:
    def test_results_come_back_in_the_order_of_the_dataset(self, tmp_path):
        path = write(tmp_path / "run", result(2), result(0), result(1))
        run = load_run(path)
        assert [item.index for item in run] == [0, 1, 2]
        assert run.results[1] == result(1)
        assert [item.index for item in run.results[1:]] == [1, 2]
        assert run.state == "complete"

    def test_the_last_line_of_a_case_counts(self, tmp_path):
        path = write(tmp_path / "run", result(0, Status.JUDGE_ERROR), result(0))
        assert [item.status for item in load_run(path)] == [Status.SCORED]

    def test_another_process_cannot_write_to_the_same_run(self, tmp_path):
        with closing(RunWriter(tmp_path, header())), pytest.raises(StoreError, match="in use by another process"):
            RunWriter(tmp_path, header(), resume=True)
        RunWriter(tmp_path, header(), resume=True).close()
        (tmp_path / "file").write_text("")
        with pytest.raises(StoreError, match="cannot be written"):
            RunWriter(tmp_path / "file" / "run", header())


class TestResume:
    @cases("store: what was never judged is tried again")
    def test_what_was_never_judged_is_tried_again(self, tmp_path, status, again):
        assert read_index(write(tmp_path, result(0, Status(status)))).is_finished(0, mark_of(0)) is not again

    def test_another_configuration_is_refused_and_named(self, tmp_path):
        write(tmp_path, result(0), judge={"name": "gpt-4o"})
        for resume in (True, False):
            with pytest.raises(StoreError, match=r"judge\.name: 'gpt-4o' -> 'offline'"):
                RunWriter(tmp_path, header(judge={"name": "offline"}), resume=resume)
        assert len(load_run(tmp_path)) == 1

    def test_rows_beyond_the_end_of_a_shorter_dataset_are_dropped(self, tmp_path):
        write(tmp_path, result(0), result(1), result(2))
        with closing(RunWriter(tmp_path, header(), resume=True)) as writer:
            writer.end("complete", rows=2)
            assert [item.index for item in load_run(tmp_path)] == [0, 1]
            assert not writer.index.is_finished(2, mark_of(2))

    def test_a_run_that_was_killed_says_it_is_running(self, tmp_path):
        write(tmp_path, result(0), end=False)
        assert load_run(tmp_path).state == "running"


class TestCrash:
    def test_whatever_byte_the_process_dies_at_whole_lines_survive(self, tmp_path):
        whole = write(tmp_path / "whole", result(0), result(1), result(2), end=False).read_bytes()
        ends = [place + 1 for place, byte in enumerate(whole) if byte == 10]
        near_ends = {end + step for end in ends for step in (-1, 0, 1)}
        for length in sorted(near_ends | set(range(ends[0], len(whole), 41))):
            if not ends[0] <= length <= len(whole):
                continue
            folder = tmp_path / str(length)
            folder.mkdir()
            (folder / RESULTS).write_bytes(whole[:length])
            kept = sum(end <= length for end in ends) - 1
            assert len(load_run(folder)) == kept
            write(folder, result(7), resume=True)
            assert [item.index for item in load_run(folder)] == [*range(kept), 7]

    @cases("store: damage is named")
    def test_damage_is_named(self, tmp_path, old, new, message):
        path = write(tmp_path, result(0))
        path.write_text(re.sub(old, new.replace("[", "[" * 100_000), path.read_text("utf-8"), count=1), "utf-8")
        with pytest.raises(StoreError, match=message):
            list(load_run(tmp_path).results)

    @pytest.mark.slow
    @cases("store: a line that cannot be a case is damaged")
    def test_a_line_that_cannot_be_a_case_is_damaged(self, tmp_path, line):
        path = write(tmp_path, result(0), end=False)
        path.write_bytes(path.read_bytes() + line.replace("[", "[" * 100_000).encode() + b"\n")
        with pytest.raises(StoreError, match=r":3: the line is damaged; delete it"):
            read_index(path)

    @pytest.mark.slow
    def test_a_full_disk_loses_no_finished_case(self, tmp_path):
        """A limit on the size of files stands in for the disk."""
        script = (
            "import resource\n"
            "from magistrate.errors import StoreError\n"
            "from magistrate.evaluation.api import evaluate\n"
            "from magistrate.metrics.faithfulness import Faithfulness\n"
            "class Judge:\n"
            "    name = 'none'\n"
            "    async def verify(self, *a, **k): ...\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))\n"
            "cases = [{'answer': '', 'contexts': ['x' * 300]} for _ in range(50)]\n"
            "try:\n"
            f"    evaluate(cases, [Faithfulness()], Judge(), run={str(tmp_path)!r}, concurrency=1)\n"
            "except StoreError as error:\n"
            "    assert 'cannot be written' in str(error), error\n"
            "else:\n"
            "    raise SystemExit('the disk was not full')\n"
        )
        subprocess.run([sys.executable, "-c", script], check=True)
        run = load_run(tmp_path)
        assert 3 <= len(run) < 50
        assert [item.index for item in run] == list(range(len(run)))
        assert (tmp_path / RESULTS).read_bytes().endswith(b"\n")


class TestSchema:
    def put(self, folder, **changes):
        path = write(folder, result(0))
        first, rest = path.read_text().split("\n", 1)
        path.write_text(json.dumps({**json.loads(first), **changes}) + "\n" + rest)
        return path

    @cases("store: a newer run and what is none are refused")
    def test_a_newer_run_and_what_is_none_are_refused(self, tmp_path, changes, message):
        with pytest.raises(StoreError, match=message):
            read_index(self.put(tmp_path, **changes))

    def test_runs_are_written_with_schema_2_and_schema_1_is_read(self, tmp_path):
        assert SCHEMA == 2
        assert read_index(self.put(tmp_path, schema=1)).header.schema == 1

    def test_a_field_that_is_not_known_yet_is_passed_over(self, tmp_path):
        assert len(load_run(self.put(tmp_path, mood="sunny"))) == 1

    @pytest.mark.parametrize("content", ["", "not json\n", "[]\n", '{"type": "run"}\n', "\x00\x00"])
    def test_another_file_is_no_run(self, tmp_path, content):
        (tmp_path / RESULTS).write_text(content)
        with pytest.raises(StoreError):
            load_run(tmp_path)


class TestDefaultFolder:
    def test_it_names_dataset_and_configuration(self):
        folder = default_folder("hand book.jsonl.gz", {"a": 1})
        assert folder.parts[:2] == (".magistrate", "runs")
        assert folder.name.startswith("hand-book-")
        assert folder != default_folder("hand book.jsonl.gz", {"a": 2})

    @pytest.mark.parametrize("name", ["../../etc/passwd", "..", "", "a/b", "\x1b[31m", "x" * 500])
    def test_a_hostile_name_stays_inside(self, name):
        folder = default_folder(name, {})
        assert folder.parent == Path(".magistrate/runs")
        assert ".." not in folder.parts
        assert len(folder.name) < 100
        assert folder.name.isprintable()
