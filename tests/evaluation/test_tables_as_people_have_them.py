"""Tables as spreadsheets, pandas and retrievers write them."""

import pytest

from magistrate.evaluation.cases.dataset import Dataset

HEAD = "question,answer,contexts\n"


def only(tmp_path, text):
    path = tmp_path / "cases.csv"
    path.write_text(text, encoding="utf-8")
    [record] = Dataset(path)
    return record


class TestCells:
    @pytest.mark.parametrize("cell", ["nan", "None", "N/A", "<NA>", " null "])
    def test_a_word_for_no_value_is_none_and_is_said(self, tmp_path, cell):
        record = only(tmp_path, f"{HEAD}Q,{cell},c\n")
        assert record.case.answer is None
        assert any(p.severity == "warning" and p.field == "answer" for p in record.problems)
        assert not record.blocked

    def test_a_word_that_begins_so_is_an_answer(self, tmp_path):
        assert only(tmp_path, f"{HEAD}Q,None of them.,c\n").case.answer == "None of them."

    @pytest.mark.parametrize(
        ("cell", "contexts"),
        [
            ("array(['a b', 'c'], dtype=object)", ("a b", "c")),
            ("[Document(page_content='a', metadata={'x': 1}), Document(metadata={}, page_content='b')]", ("a", "b")),
            ('[["a", "b"], ["c"]]', ("a", "b", "c")),
        ],
    )
    def test_printed_and_nested_lists_are_read_and_said(self, tmp_path, cell, contexts):
        record = only(tmp_path, HEAD + 'Q,A,"' + cell.replace('"', '""') + '"\n')
        assert record.case.contexts == contexts
        assert [p.severity for p in record.problems] == ["warning"]

    @pytest.mark.parametrize(
        "cell",
        ["array(['a' 'b'])", "array([open('x')])", "[Document(page_content=name)]", "array(['a'", "[Document(x)]"],
    )
    def test_what_is_no_list_of_texts_is_not_guessed(self, tmp_path, cell):
        record = only(tmp_path, HEAD + 'Q,A,"' + cell.replace('"', '""') + '"\n')
        assert record.case.contexts in ((), (cell,))

    @pytest.mark.parametrize("cell", ["[Scored(node=Node(text='a'), score=1)]", "{'a', 'b'}", "('a' 'b')"])
    def test_what_looks_like_a_list_is_one_text_and_is_said(self, tmp_path, cell):
        record = only(tmp_path, f'{HEAD}Q,A,"{cell}"\n')
        assert record.case.contexts == (cell,)
        assert [p.severity for p in record.problems] == ["warning"]

    def test_a_printed_tuple_is_its_texts(self, tmp_path):
        assert only(tmp_path, f"{HEAD}Q,A,\"('a', 'b')\"\n").case.contexts == ("a", "b")


class TestSeparators:
    @pytest.mark.parametrize("first", ["sep=;", "SEP=;", '"sep=;"'])
    def test_a_line_that_says_what_separates_cells(self, tmp_path, first):
        record = only(tmp_path, f"{first}\nquestion;answer;contexts\nQ;A, b;c\n")
        assert (record.case.answer, record.line) == ("A, b", 3)


class TestColumns:
    def test_what_no_row_has_a_column_for(self, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text("user_query,bot_reply,context\nQ,A,c\n")
        assert Dataset(path).missing_columns() == (["question", "answer"], ["user_query", "bot_reply", "context"])
        assert Dataset(path, mapping=["answer=bot_reply"]).missing_columns()[0] == ["question"]

    def test_a_column_in_any_row_is_one(self, tmp_path):
        path = tmp_path / "a.jsonl"
        path.write_text('{"question": "Q", "contexts": []}\n{"answer": null}\n')
        assert Dataset(path).missing_columns()[0] == []

    def test_of_a_pipe_nothing_is_known(self):
        assert Dataset("-").missing_columns() == ([], [])
