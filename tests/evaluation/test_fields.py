"""From a raw row to a case, and a dataset checked."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.case import ALIASES, Case
from magistrate.errors import ConfigurationError
from magistrate.evaluation.cases.building import build_case
from magistrate.evaluation.cases.columns import field_of, resolve_mapping
from magistrate.evaluation.cases.dataset import QUICK, Dataset, DatasetCheck, Record, check_dataset, quick_sample

cases = cases_of(__file__)


def build(row, **options):
    mapping = resolve_mapping(options.pop("mapping", None))
    return build_case(row, 1, mapping, **options)


def errors(problems):
    return [str(problem) for problem in problems if problem.severity == "error"]


class TestAliases:
    @pytest.mark.parametrize(("field", "name"), [(f, n) for f, names in ALIASES.items() for n in names])
    def test_every_alias_is_its_field(self, field, name):
        assert field_of(name) == field

    @cases("fields: case spaces and camel case do not matter")
    def test_case_spaces_and_camel_case_do_not_matter(self, name, field):
        assert field_of(name) == field

    def test_other_names_are_no_fields(self):
        assert {*map(field_of, ["claim", "answers", "ground", "", "con text"])} == {None}

    def test_the_first_alias_with_a_value_wins_and_the_other_is_reported(self):
        case, problems = build({"response": "r", "answer": "a", "contexts": ["c"]})
        assert case.answer == "a"
        assert case.metadata == {"response": "r"}
        assert [str(p) for p in problems] == [": answer: is read from 'answer'; 'response' goes to metadata"[2:]]

    def test_unknown_columns_go_to_metadata(self):
        case, problems = build({"answer": "a", "contexts": ["c"], "claim": "x", "metadata": {"k": 1}, "model": "m"})
        assert case.metadata == {"k": 1, "claim": "x", "model": "m"}
        assert problems == []


class TestMapping:
    def test_a_mapped_column_wins_over_the_field_of_that_name(self):
        case, _ = build({"answer": "a", "claim": "x", "contexts": ["c"]}, mapping={"answer": "claim"})
        assert case.answer == "x"
        assert case.metadata == {"answer": "a"}

    @pytest.mark.parametrize(("column", "expected"), [("out.text", "deep"), ("out.parts.1", "two"), ("a.b", "flat")])
    def test_dotted_paths_reach_into_objects_and_lists(self, column, expected):
        row = {"out": {"text": "deep", "parts": ["one", "two"]}, "a.b": "flat", "contexts": ["c"]}
        case, problems = build(row, mapping={"answer": column})
        assert case.answer == expected
        assert errors(problems) == []

    @cases("fields: what is no mapping is refused")
    def test_what_is_no_mapping_is_refused(self, pairs, message):
        with pytest.raises(ConfigurationError, match=message):
            resolve_mapping(pairs)

    @cases("fields: contexts in several columns")
    def test_contexts_in_several_columns_are_joined_in_their_order(self, mapping, cells, contexts, lost):
        case, problems = build({"answer": "a", **cells}, mapping=mapping, cells=True)
        assert case.contexts == tuple(contexts)
        assert [name for name in cells if any(f"--map contexts={name}" in text for text in errors(problems))] == lost
        assert not any(problem.blocking for problem in problems)

    def test_what_was_split_is_not_kept_as_metadata(self):
        case, problems = build({"answer": "a", "p": "one;two"}, mapping=["contexts=p.split(;)"])
        assert (case.contexts, case.metadata, problems) == (("one", "two"), {}, [])

    @cases("fields: passages joined in one text")
    def test_what_may_be_several_passages_is_read_as_one_with_a_warning_that_says_how_to_split_it(self, text, option):
        case, problems = build({"answer": "a", "contexts": text}, cells=text.startswith('["'))
        assert case.contexts == (("one ||| two", "three") if text.startswith('["') else (text,))
        assert [(one.severity, option in str(one)) for one in problems] == ([("warning", True)] if option else [])


class TestValues:
    def test_a_number_is_read_as_text_and_said_to_be(self):
        case, problems = build({"answer": 42, "contexts": [1.5]})
        assert (case.answer, case.contexts) == ("42", ("1.5",))
        assert [p.severity for p in problems] == ["warning", "warning"]

    def test_documents_are_read_for_their_text(self):
        case, problems = build({"answer": "a", "documents": [{"text": "t"}, {"page_content": "p"}, {"content": "c"}]})
        assert case.contexts == ("t", "p", "c")
        assert problems == []

    @cases("fields: a wrong value blocks only what is judged")
    def test_a_wrong_value_blocks_only_what_is_judged(self, row, field, blocking):
        case, problems = build(row)
        [problem] = [p for p in problems if p.severity == "error"]
        assert (problem.field, problem.blocking) == (field, blocking)
        assert case.id == "case-1"

    @pytest.mark.parametrize("value", ["['a is b', 'c is d']", '["a is b", "c is d"]', "a is b\nc is d"])
    def test_a_text_that_is_a_list_of_statements_is_read_as_one(self, value):
        assert build({"answer": "a", "contexts": ["c"], "statements": value})[0].statements == ("a is b", "c is d")

    def test_no_hint_names_what_may_be_no_text_of_the_answer(self):
        _, problems = build(
            {"answer": {"role": "assistant", "content": "At dusk."}, "contexts": {"d1": "c", "d2": "d"}}
        )
        assert "COLUMN.content" in errors(problems)[0]
        assert "COLUMN" not in errors(problems)[1]

    def test_half_a_surrogate_pair_is_replaced_and_said_to_be(self):
        case, problems = build({"answer": "cut \ud83d", "contexts": ["c"], "tags": ["\udc00"]})
        assert case.answer == "cut \ufffd"
        assert case.metadata == {"tags": ["\ufffd"]}
        assert [p.severity for p in problems] == ["warning", "warning"]

    def test_a_missing_field_says_which_names_are_known_and_how_to_map(self):
        _, problems = build({"anwser": "a", "contexts": ["c"]})
        [message] = errors(problems)
        assert "expected a text under one of answer, response, actual_output, output" in message
        assert "--map answer=anwser" in message

    @pytest.mark.parametrize(("column", "field"), [("claim", "answer"), ("Passages", "contexts"), ("ctxs", "contexts")])
    def test_a_column_that_may_be_meant_is_offered_but_not_read(self, column, field):
        case, problems = build({"answer": "a", "contexts": ["c"]} | {column: "x"})
        assert problems == []
        row = {name: value for name, value in {"answer": "a", "contexts": ["c"], column: "x"}.items() if name != field}
        case, problems = build(row)
        assert f"--map {field}={column}" in errors(problems)[0]
        assert not getattr(case, field)

    def test_a_number_that_is_not_finite_is_a_missing_value_and_said_to_be(self):
        row = {"category": float("nan"), "expected_score": float("inf"), "metadata": {"m": -float("inf")}}
        case, problems = build({"answer": "a", "contexts": ["c"], **row})
        assert (case.category, case.expected_score, case.metadata) == (None, None, {"m": None})
        assert [problem.field for problem in problems if "finite" in problem.message] == [*row]

    def test_deep_metadata_is_cut_off_and_said_to_be(self):
        deep = "x"
        for _ in range(500):
            deep = [deep]
        _, problems = build({"answer": "a", "contexts": ["c"], "deep": deep})
        assert "nested deeper than 64 levels" in str(problems[0])


class TestCells:
    """Cells of a table are texts; lists stand in them as JSON."""

    @cases("fields: contexts are json or one text")
    def test_contexts_are_json_or_one_text(self, cell, contexts):
        case, problems = build({"answer": "a", "contexts": cell}, cells=True)
        if contexts is None:
            assert "begins like a JSON list but is none" in errors(problems)[0]
        else:
            assert case.contexts == tuple(contexts)

    @pytest.mark.parametrize("cell", ["['a' 'b']", '["a", "b"', "['a',\n 'b']", '["a" "b"]', r"['\d', ]"])
    def test_a_list_that_is_none_is_never_guessed_at(self, cell):
        """numpy prints a list without commas: Python would join its texts to one."""
        case, problems = build({"answer": "a", "contexts": cell}, cells=True)
        assert case.contexts == ()
        assert any(p.blocking for p in problems)

    def test_an_empty_cell_is_a_missing_value_but_an_empty_answer_is_an_answer(self):
        case, _ = build({"answer": "", "question": "", "category": " ", "contexts": "c"}, cells=True)
        assert (case.answer, case.question, case.category) == ("", None, None)

    def test_a_score_is_read_from_its_text(self):
        case, problems = build({"answer": "a", "contexts": "c", "expected_score": " 0.75 "}, cells=True)
        assert case.expected_score == 0.75
        assert problems == []
        _, [problem] = build({"answer": "a", "contexts": "c", "expected_score": "0,8"}, cells=True)
        assert "'0,8'" in problem.message

    def test_citations_and_metadata_are_json(self):
        row = {"answer": "a", "contexts": "c", "citations": '[{"marker": "[1]", "doc": "d"}]', "metadata": '{"k": [1]}'}
        case, problems = build(row, cells=True)
        assert case.citations[0].document == "d"
        assert case.metadata == {"k": [1]}
        assert problems == []


GOOD = {"id": "a", "answer": "x", "contexts": ["c"], "category": "k"}


def problems(*rows):
    result = DatasetCheck()
    found = [f"{p.severity} {p}" for p in check_dataset(Dataset(list(rows)), result)]
    return found, result


class TestCheckDataset:
    def test_an_id_given_twice_is_an_error_that_names_the_first(self):
        found, result = problems(GOOD, {**GOOD, "id": "b"}, GOOD)
        assert found == ["error cases: row 3: id: the id 'a' is given to row 1 too; expected each id once"]
        assert not result.ok

    def test_among_many_rows_each_id_that_is_given_twice_is_found_with_its_first_row(self):
        found, _ = problems(*({**GOOD, "id": f"c{row % 1000}"} for row in range(1, 1501)))
        assert [text.partition(";")[0] for text in found] == [
            f"error cases: row {row}: id: the id 'c{row % 1000}' is given to row {row - 1000} too"
            for row in range(1001, 1501)
        ]

    def test_blank_and_empty_inputs_are_warnings(self):
        found, result = problems(
            {**GOOD, "answer": " "}, {**GOOD, "id": "b", "contexts": []}, {**GOOD, "id": "c", "contexts": ["", "x"]}
        )
        assert [line.split(": ", 2)[2] for line in found] == [
            "answer: is blank; expected a text to judge",
            "contexts: is empty: nothing to judge against",
            "contexts[0]: is blank",
        ]
        assert (result.errors, result.warnings, result.ok) == (0, 3, True)

    def test_no_cases_is_an_error(self):
        found, result = problems()
        assert (found, result.ok) == (["error cases: holds no cases"], False)

    def test_rows_without_an_answer_or_statements_or_without_a_context_are_unusable(self):
        rows = [{"answer": " ", "contexts": ["c"]}, {"answer": None, "contexts": ["c"]}, {"answer": "x"}]
        stated = {"answer": None, "statements": ["x"], "contexts": ["c"]}
        _, result = problems(GOOD, stated, *rows, {"answer": "x", "contexts": ["", " "]})
        assert (result.rows, result.unusable) == (6, 4)


def records(categories):
    return [Record(index, Case(id=str(index), category=category or None)) for index, category in enumerate(categories)]


class TestQuickSample:
    @given(categories=st.lists(st.sampled_from(["a", "b", "c", "", "d"]), max_size=60), seed=st.integers(0, 3))
    def test_it_is_ten_cases_in_order_with_some_of_every_category(self, categories, seed):
        sample = quick_sample(iter(records(categories)), seed=seed)
        assert len(sample) == min(QUICK, len(categories))
        assert [r.index for r in sample] == sorted({r.index for r in sample})
        assert {r.case.category or "" for r in sample} == set(categories)
        assert sample == quick_sample(records(categories), seed=seed)

    def test_shares_follow_the_dataset_and_more_categories_than_places_show_the_largest(self):
        sample = quick_sample(records(["a"] * 70 + ["b"] * 20 + ["c"] * 10))
        assert Counter(r.case.category for r in sample) == {"a": 7, "b": 2, "c": 1}
        shown = {r.case.category for r in quick_sample(records([f"k{n}" for n in range(30)] + ["k0"] * 5))}
        assert (len(shown), "k0" in shown) == (10, True)
