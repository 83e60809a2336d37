"""From rows to stored replies: paths, records."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.audit._recorded import Recorded, UnusableError, number
from magistrate.audit._stored import Fields, Place, stored_replies
from magistrate.errors import ConfigurationError
from magistrate.verdict import BINARY, TERNARY, Verdict

cases = cases_of(__file__)

PLACE = Place("replies.jsonl", 3, 3)


def stored(row, **paths):
    return list(stored_replies(row, Fields.of({"reply": "reply", **paths}), PLACE))


def test_fields_the_reply_is_needed_and_other_names_are_known():
    with pytest.raises(ConfigurationError, match="--reply FIELD"):
        Fields.of({"score": "s"})
    with pytest.raises(ConfigurationError, match="no field 'scores'; fields: reply, statements"):
        Fields.of({"reply": "r", "scores": "s"})


class TestReplies:
    def test_an_object_is_written_out(self):
        assert stored({"reply": {"score": 3}})[0].reply == '{"score": 3}'
        assert stored({"reply": 3})[0].reply == "3"
        assert "expected a text" in stored({"reply": b"yes"})[0].problem

    def test_the_parts_of_a_message_are_joined(self):
        parts = [
            {"type": "reasoning", "reasoning": "hm"},
            {"type": "text", "text": "1. yes"},
            {"type": "text", "text": "2. no"},
        ]
        assert stored({"reply": parts})[0].reply == "1. yes\n2. no"
        assert stored({"reply": [[{"text": "1. yes", "type": "ChatGeneration"}]]})[0].reply == "1. yes"


class TestStatements:
    @cases("stored: a list however it was kept")
    def test_a_list_however_it_was_kept(self, value):
        assert stored({"reply": "", "s": value}, statements="s")[0].statements == ("one", "two")

    @cases("stored: anything else is a problem of the row")
    def test_anything_else_is_a_problem_of_the_row(self, value):
        assert stored({"reply": "", "s": value}, statements="s")[0].problem

    @cases("stored: verdicts are a list or one")
    def test_verdicts_are_a_list_or_one(self, value, found):
        assert stored({"reply": "", "v": value}, verdicts="v")[0].verdicts == (found and tuple(found))

    def test_a_field_that_is_not_there_is_a_problem_and_an_optional_one_is_none(self):
        problem = stored({"reply": ""}, score="s")[0].problem
        assert "no field 's'; it has 'reply'" in problem
        problem = stored({"reply": "", "faithfulness": 1}, score="faithfullness")[0].problem
        assert "Did you mean 'faithfulness'?" in problem
        assert stored({"reply": ""}, finish_reason="f", contexts="c")[0].problem is None
        assert stored({}, score="s")[0].problem == "the row has no field 'reply'"


@given(
    row=st.dictionaries(
        st.sampled_from(["reply", "s", "score", "ids", "c"]),
        st.recursive(
            st.none() | st.text(max_size=20) | st.integers() | st.booleans(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
            max_leaves=5,
        ),
    )
)
def test_any_row_gives_one_reply_or_says_why_not(row):
    found = stored(row, statements="s", score="score", ids="ids", contexts="c")
    assert len(found) == 1
    assert found[0].problem or "reply" in row


ROW = {
    "reply": "yes",
    "a.b": "a column of this name",
    "a": {"b": "a key", "c.d": 3},
    "calls": [{"text": "one", "score": 1}, {"text": "two", "score": 0}, {"text": "three"}],
    "by_name": {"x": {"text": "ex"}, "y": {"text": "why"}},
    "nested": '{"deep": ["first", "second"]}',
    "broken": '{"deep": ["first"',
    "null": None,
}


class TestPaths:
    @pytest.mark.parametrize("text", ["", ".", "a..b", "a[", "a[x]", "a[0", 'a["b]', "[*", "a]b", 'a["\\q"]'])
    def test_what_is_no_path(self, text):
        with pytest.raises(ConfigurationError, match="is no path to a field"):
            Fields.of({"reply": text})

    @cases("stored: the value at a path")
    def test_the_value_at_a_path(self, path, value):
        [found] = stored(ROW, score=path)
        assert (found.score, found.problem) == (value, None)

    @pytest.mark.parametrize("path", ["null.x", "calls[7].text", "nowhere", "reply.x", "broken.x"])
    def test_where_a_path_leads_nowhere_the_row_says_so(self, path):
        assert "no field" in stored(ROW, score=path)[0].problem

    def test_other_paths_follow_a_star_as_far_as_they_are_the_same(self):
        found = stored(ROW, reply="calls[*].text", score="calls[*].score", label="by_name[*].text", id="reply")
        assert [(one.reply, one.score, one.place.part) for one in found[:2]] == [("one", 1, (0,)), ("two", 0, (1,))]
        assert (found[0].label, found[0].place.id) == (["ex", "why"], "yes")
        assert found[2].problem
        assert [one.place.part for one in stored(ROW, reply="by_name[*].text")] == [("x",), ("y",)]
        assert stored(ROW, reply="nowhere[*].x") == []


_NO_NUMBERS = ["", "yes", "%", "many%", "1_0", "1,000", "1,2,3", "nan", "inf"]


class TestNumber:
    @cases("stored: numbers also as texts")
    def test_numbers_also_as_texts(self, value, found):
        assert number(value) == found

    @pytest.mark.parametrize("value", [None, True, math.nan, [1], 10**400, "5" + 5_000 * "%", *_NO_NUMBERS])
    def test_everything_else_is_none(self, value):
        assert number(value) is None


class TestAbsent:
    @pytest.mark.parametrize("value", [None, math.nan, "", " ", "NaN", "null", "None"])
    def test_what_always_means_that_nothing_was_recorded(self, value):
        assert Recorded().absent(value)

    def test_what_the_caller_says_means_it(self):
        recorded = Recorded(missing=("-1", "N/A"))
        assert all(map(recorded.absent, [-1, -1.0, "-1", "n/a"]))
        assert not any(map(Recorded().absent, [-1, 0, False, "no"]))


class TestWhatWasRecorded:
    def test_a_score_is_a_number_or_nothing(self):
        assert Recorded().score("0.5") == 0.5
        assert Recorded().score(None) is None
        assert Recorded({"good": "1"}).score("Good") == 1.0

    def test_a_label_is_taken_as_it_is_or_in_another_case_or_as_what_it_stands_for(self):
        assert Recorded().label("A", ["A", "a"]) == "A"
        assert Recorded().label("pass", ["PASS", "FAIL"]) == "PASS"
        recorded = Recorded({"1": "PASS", "0": "FAIL"})
        found = [recorded.label(value, ["PASS", "FAIL"]) for value in (1, "0", 1.0, None)]
        assert found == ["PASS", "FAIL", "PASS", None]

    @pytest.mark.parametrize("value", ["yes", "supported", 1, "1", True, "Entailment"])
    def test_a_verdict_is_a_word_that_a_judge_would_be_read_by(self, value):
        assert Recorded().verdict(value, BINARY) is Verdict.SUPPORTED

    def test_none_and_unknown_verdicts(self):
        assert Recorded().verdict(None, TERNARY) is None
        with pytest.raises(UnusableError, match="no word of the scale ternary"):
            Recorded().verdict("perhaps", TERNARY)
        assert Recorded({"perhaps": "not_enough_info"}).verdict("perhaps", TERNARY) is Verdict.NOT_ENOUGH_INFO
