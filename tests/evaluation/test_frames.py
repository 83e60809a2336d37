"""Tables in memory as datasets."""

import pandas as pd
import pyarrow as pa
import pytest

from magistrate import evaluate
from magistrate.errors import ConfigurationError
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.readers.parquet import table_objects

ROWS = [
    {"question": "When?", "answer": "The tram runs at noon.", "contexts": ["The tram runs at noon."]},
    {"question": "Where?", "answer": None, "contexts": ["From the harbour."]},
]


def frames():
    found = {"pandas": pd.DataFrame(ROWS), "arrow": pa.Table.from_pylist(ROWS)}
    for name, make in (("polars", _polars), ("datasets", _datasets)):
        try:
            found[name] = make()
        except ImportError:
            continue
    return found


def _polars():
    import polars as pl

    return pl.DataFrame(ROWS)


def _datasets():
    import datasets

    return datasets.Dataset.from_list(ROWS)


@pytest.mark.parametrize("kind", sorted(frames()))
class TestTables:
    def test_its_length_is_known(self, kind):
        assert Dataset(frames()[kind]).size_hint() == len(ROWS)

    def test_a_row_is_a_case(self, kind):
        run = evaluate(frames()[kind])
        assert [result.status.value for result in run.results] == ["scored", "no_answer"]
        assert list(run.results[0].case.contexts) == ROWS[0]["contexts"]

    def test_the_results_come_back_as_a_table_with_a_status_for_each_row(self, kind):
        table = evaluate(frames()[kind]).to_pandas()
        assert list(table["status"]) == ["scored", "no_answer"]
        assert list(table["question"]) == ["When?", "Where?"]
        assert pd.isna(table["score"][1])

    def test_rows_can_be_read_again(self, kind):
        rows = table_objects(frames()[kind])
        assert rows is not None
        assert list(rows) == list(rows) == ROWS


class TestCells:
    def test_what_has_no_value_is_none(self):
        frame = pd.DataFrame(
            {"a": [1.5, float("nan")], "b": pd.Series([pd.NA, "x"], dtype="string"), "c": [pd.NaT] * 2}
        )
        rows = table_objects(frame)
        assert rows is not None
        assert list(rows) == [{"a": 1.5, "b": None, "c": None}, {"a": None, "b": "x", "c": None}]

    def test_arrays_are_lists(self):
        frame = pd.DataFrame({"contexts": [pd.Series(["a", "b"]).to_numpy()]})
        rows = table_objects(frame)
        assert rows is not None
        assert list(rows) == [{"contexts": ["a", "b"]}]

    def test_columns_of_one_name_are_an_error(self):
        frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
        rows = table_objects(frame)
        assert rows is not None
        with pytest.raises(ConfigurationError, match="same name"):
            list(rows)


class TestOthers:
    @pytest.mark.parametrize("source", [[], {}, {"a": 1}, ROWS, "path.jsonl"])
    def test_what_is_no_table_is_left_alone(self, source):
        assert table_objects(source) is None

    def test_a_dataset_with_splits_asks_for_one(self):
        class Split:
            features, column_names = None, None

        with pytest.raises(ConfigurationError, match=r"splits \('train', 'test'\): give one of them"):
            table_objects({"train": Split(), "test": Split()})
