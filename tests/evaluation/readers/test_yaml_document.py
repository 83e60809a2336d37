"""YAML."""

import io

from tests.case_tables import cases_of

from magistrate.evaluation.readers.yaml_document import read_yaml

cases = cases_of(__file__)


def rows(text):
    return list(read_yaml(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def data(text):
    return [row.data for row in rows(text)]


class TestForms:
    def test_a_mapping_with_a_list_of_cases(self):
        assert data("name: n\ncases:\n  - answer: a\nversion: 1\n") == [{"answer": "a"}]

    def test_one_case_a_document(self):
        assert data("answer: a\n---\nanswer: b\n...\n") == [{"answer": "a"}, {"answer": "b"}]

    def test_an_empty_stream_has_no_rows(self):
        assert rows("") == []
        assert rows("# only a comment\n") == []


@cases("yaml_document: a value is a number only if it prints as it is written")
def test_scalars_a_value_is_a_number_only_if_it_prints_as_it_is_written(text, value):
    assert data(f"- a: {text}\n") == [{"a": value}]


class TestSafety:
    @cases("yaml_document: no tag builds anything")
    def test_no_tag_builds_anything(self, item):
        found = rows(f"- {item}\n- {{answer: b}}\n")
        assert not isinstance(found[0].data, dict) or found[0].data == {}
        assert found[1].data == {"answer": "b"}

    def test_aliases_are_read_and_anchors_reach_across_cases(self):
        assert data("- {a: &x [c, d]}\n- {a: *x}\n") == [{"a": ["c", "d"]}, {"a": ["c", "d"]}]

    def test_merged_mappings_give_way_to_what_is_written_beside_them(self):
        assert data("- &base {a: 1, b: 2}\n- {<<: *base, b: 3}\n")[1] == {"a": 1, "b": 3}

    def test_a_million_laughs_are_refused_at_once(self):
        lines = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
        lines += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
        found = rows("\n".join(lines))
        assert any("aliases expand to more than" in str(row.problems) for row in found)

    def test_deep_nesting_costs_its_case(self):
        found = rows("- " + "[" * 300 + "]" * 300 + "\n- {answer: b}\n")
        assert "nested deeper than" in found[0].problems[0].message
        assert found[1].data == {"answer": "b"}

    @cases("yaml_document: what means nothing is refused")
    def test_what_means_nothing_is_refused(self, text, message):
        assert message in rows(text)[0].problems[0].message


class TestErrors:
    def test_what_stands_before_a_syntax_error_is_kept(self):
        found = rows("- answer: a\n- answer: [b\n- c: d: e\n")
        assert found[0].data == {"answer": "a"}
        assert "not valid YAML" in found[-1].problems[0].message
        assert found[-1].line in (2, 3)

    def test_invalid_bytes_end_the_reading(self):
        found = rows(b"- answer: a\n- answer: \xff\n")
        assert "not valid UTF-8: byte 0xff" in found[-1].problems[0].message
