"""A run in shards gives what one process gives: the same results, whatever the cut."""

import csv
import json
from itertools import cycle, islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.errors import ConfigurationError, DatasetError, JudgeDownError, StoreError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.plan import RunOptions, make_plan
from magistrate.evaluation.runs.run import load_run
from magistrate.evaluation.runs.store import describe
from magistrate.evaluation.shards import judge_shard, merge, read_manifest, write_manifest
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics.faithfulness import Faithfulness

ROWS = [
    {
        "id": f"c{number % 37}" if number > 40 else f"c{number}",
        "question": "?",
        "answer": f"Tram {number} is green. It runs at night." if number % 7 else "",
        "contexts": [f"Tram {number} is green."] if number % 5 else [],
        "category": "ab"[number % 2],
    }
    for number in range(60)
]


LARGE = {("jsonl", 7): (1200, 5, 795)}


def write(folder, *sizes, suffix="jsonl"):
    folder.mkdir(parents=True, exist_ok=True)
    rows = cycle(ROWS)
    for number, size in enumerate(sizes):
        part = list(islice(rows, size))
        with (folder / f"part-{number}.{suffix}").open("w", newline="") as file:
            if suffix == "jsonl":
                file.writelines(json.dumps(row) + "\n" * (1 + (at % 3 == 0)) for at, row in enumerate(part))
            elif suffix == "json":
                json.dump(part, file)
            elif suffix == "csv":
                table = csv.DictWriter(file, ROWS[0])
                table.writeheader()
                table.writerows({**row, "contexts": json.dumps(row["contexts"])} for row in part)
    return folder


def planned(source, run, **options):
    return make_plan(source, [Faithfulness()], OfflineJudge(), RunOptions(run=run, **options))


def in_shards(source, run, count, **options):
    write_manifest(planned(source, run, **options), count)
    for number in reversed(range(1, count + 1)):
        assert judge_shard(run, number, options=RunOptions(**options)).state == "complete"
    return merge(run)


def comparable(results):
    """Results without what clocks say."""
    found = []
    for result in results:
        entry = result.to_dict()
        for metric in entry["metrics"].values():
            del metric["latency_ms"]
        found.append(entry)
    return found


class TestTheSame:
    @pytest.mark.parametrize("suffix", ["jsonl", "json", "csv"])
    @pytest.mark.parametrize("count", [1, 2, 7])
    def test_shards_merge_to_what_one_process_finds(self, tmp_path, suffix, count):
        source = write(tmp_path / "data", *LARGE.get((suffix, count), (25, 5, 30)), suffix=suffix)
        whole = evaluate(source, run=tmp_path / "whole")
        merged = in_shards(source, tmp_path / "run", count)
        assert comparable(merged) == comparable(whole)
        assert merged.summary.digest == whole.summary.digest
        assert merged.header.config == load_run(tmp_path / "whole").header.config

    @pytest.mark.parametrize("options", [{"store_text": False}, {"repeat": 2}])
    def test_with_options_too(self, tmp_path, options):
        source = write(tmp_path / "data", 60)
        whole = evaluate(source, run=tmp_path / "whole", **options)
        assert comparable(in_shards(source, tmp_path / "run", 3, **options)) == comparable(whole)

    @given(cuts=st.lists(st.integers(0, 60), max_size=3), count=st.integers(1, 9), limit=st.none() | st.integers(1, 70))
    def test_wherever_files_and_shards_end(self, tmp_path_factory, cuts, count, limit):
        folder = tmp_path_factory.mktemp("cut")
        ends = sorted({*cuts, 60})
        source = write(folder / "data", *(end - start for start, end in pairwise([0, *ends])))
        manifest = write_manifest(planned(source, folder / "run", limit=limit), count)
        places = [shard.index for shard in manifest.shards]
        assert places == sorted(places)
        assert sum(shard.rows for shard in manifest.shards) == min(60, limit or 60)
        whole = [record.case for record in islice(Dataset(source), sum(shard.rows for shard in manifest.shards))]
        found = []
        for shard in manifest.shards:
            for part in shard.parts:
                records = Dataset(source).records_of(Path(manifest.files[part.file].path), len(found), part)
                found += [record.case for record in islice(records, part.rows)]
        assert found == whole

    @pytest.mark.parametrize("seed", [0, 3])
    def test_ten_cases_are_chosen_once_for_all_shards(self, tmp_path, seed):
        source = write(tmp_path / "data", 25, 5, 300)
        whole = evaluate(source, quick=True, seed=seed)
        merged = in_shards(source, tmp_path / "run", 3, quick=True, seed=seed)
        assert [result.index for result in merged] == [result.index for result in whole]
        assert merged.summary.digest == whole.summary.digest
        with pytest.raises(StoreError, match="another configuration"):
            write_manifest(planned(source, tmp_path / "run", quick=True, seed=seed + 1), 3)

    def test_the_digest_tells_other_results_apart(self, tmp_path):
        source = write(tmp_path / "data", 20)
        first = evaluate(source).summary.digest
        assert first == evaluate(source, concurrency=1).summary.digest
        assert first != evaluate(source, limit=19).summary.digest
        assert first != evaluate(source, [Faithfulness(policy="weighted", threshold=0.1)]).summary.digest


@pytest.fixture
def cut(tmp_path):
    """A run in two shards of a dataset."""
    write_manifest(planned(write(tmp_path / "data", 20), tmp_path / "run"), 2)
    return tmp_path / "run"


class TestWorking:
    def test_a_shard_that_is_done_is_not_judged_again(self, cut):
        assert judge_shard(cut, 1).seconds > 0
        assert judge_shard(cut, 1).seconds == 0

    def test_a_provider_that_is_down_leaves_no_shard_done(self, cut):
        class Down(OfflineJudge):
            def describe(self):
                return describe(OfflineJudge())

            async def verify(self, *_, **__):
                raise JudgeDownError("no answer")

        assert judge_shard(cut, 1, judge=lambda _: Down()).state == "judge_down"
        with pytest.raises(StoreError, match="2 of 2 shards are not done"):
            merge(cut)
        assert judge_shard(cut, 1).state == "complete"

    def test_it_ends_early_where_it_is_asked_to_and_goes_on_later(self, tmp_path):
        source = write(tmp_path / "data", 60)
        write_manifest(planned(source, tmp_path / "run"), 1)
        judge_shard(tmp_path / "run", 1, options=RunOptions(concurrency=1), stopped=lambda: True)
        assert judge_shard(tmp_path / "run", 1).state == "complete"
        assert merge(tmp_path / "run").summary.digest == evaluate(source).summary.digest

    def test_another_judge_is_refused(self, cut):
        with pytest.raises(StoreError, match="another configuration"):
            judge_shard(cut, 1, [Faithfulness(policy="weighted")])


class TestManifest:
    def test_whoever_comes_later_reads_the_first_ones_and_cuts_alike(self, cut):
        first = read_manifest(cut)
        plan = planned(cut.parent / "data", cut)
        assert write_manifest(plan, 2) == first
        with pytest.raises(StoreError, match="into 2 shards, not into 3"):
            write_manifest(plan, 3)

    @pytest.mark.parametrize("change", [{"limit": 5}, "part-0.jsonl", "part-1.jsonl"])
    def test_what_was_cut_of_other_rows_is_not_gone_on_with(self, cut, change):
        """Another limit, a file that changed, a file more."""
        data, options = cut.parent / "data", change if isinstance(change, dict) else {}
        if not options:
            (data / change).write_text("{}\n")
        with pytest.raises(StoreError, match="another configuration"):
            write_manifest(planned(data, cut, **options), 2)

    def test_a_changed_file_is_an_error(self, cut):
        (cut.parent / "data" / "part-0.jsonl").write_text("{}\n")
        with pytest.raises(DatasetError, match="was changed since"):
            judge_shard(cut, 1)

    def test_what_is_no_file_cannot_be_cut_and_has_no_manifest(self, tmp_path):
        with pytest.raises(ConfigurationError, match="only files"):
            write_manifest(planned([{"answer": "a"}], tmp_path / "run"), 2)
        with pytest.raises(StoreError, match="holds no shards"):
            read_manifest(tmp_path)
