"""Tables in memory as datasets."""

from io import StringIO

import pandas as pd
import pyarrow as pa
import pytest

from magistrate import evaluate
from magistrate.errors import ConfigurationError
from magistrate.evaluation.cases.dataset import Dataset

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
def test_a_row_is_a_case_and_a_row_of_the_results(kind):
    dataset = Dataset(frames()[kind])
    run = evaluate(dataset)
    assert dataset.size_hint() == len(list(dataset)) == len(ROWS)
    assert list(run.results[0].case.contexts) == ROWS[0]["contexts"]
    table = run.to_pandas()
    assert list(table["status"]) == ["scored", "no_answer"]
    assert list(table["question"]) == ["When?", "Where?"]
    assert pd.isna(table["score"][1])


def test_what_has_no_value_is_none_and_arrays_are_lists():
    columns = {"a": [1.5, float("nan")], "b": pd.Series([pd.NA, "x"], dtype="string"), "c": [pd.NaT] * 2}
    contexts = [pd.Series(["a", "b"]).to_numpy(), pd.Series(["c"]).to_numpy()]
    first, second = (record.case for record in Dataset(pd.DataFrame({**columns, "contexts": contexts})))
    assert (first.contexts, first.metadata) == (("a", "b"), {"a": 1.5, "b": None, "c": None})
    assert second.metadata == {"a": None, "b": "x", "c": None}


def test_a_list_that_a_csv_made_a_text_is_a_list():
    frame = pd.read_csv(StringIO(pd.DataFrame([{**ROWS[0], "contexts": ["At noon.", "At one."]}]).to_csv()))
    assert next(iter(Dataset(frame))).case.contexts == ("At noon.", "At one.")


def test_a_row_of_a_frame_is_no_table():
    with pytest.raises(ConfigurationError, match=r"iloc\[\[0\]\]"):
        evaluate(pd.DataFrame(ROWS).iloc[0])


def test_columns_of_one_name_and_a_dataset_with_splits_are_errors():
    class Split:
        features, column_names = None, None

    with pytest.raises(ConfigurationError, match="same name"):
        list(Dataset(pd.DataFrame([[1, 2]], columns=["a", "a"])))
    with pytest.raises(ConfigurationError, match=r"splits \('train', 'test'\): give one of them"):
        Dataset({"train": Split(), "test": Split()})
