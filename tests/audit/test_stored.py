"""From a row to stored replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.audit._stored import Fields, Place, stored_replies
from magistrate.errors import ConfigurationError

PLACE = Place("replies.jsonl", 3, 3)


def stored(row, **paths):
    return list(stored_replies(row, Fields.of({"reply": "reply", **paths}), PLACE))


class TestFields:
    def test_the_reply_is_needed_and_other_names_are_known(self):
        with pytest.raises(ConfigurationError, match="--reply FIELD"):
            Fields.of({"score": "s"})
        with pytest.raises(ConfigurationError, match="no field 'scores'; fields: reply, statements"):
            Fields.of({"reply": "r", "scores": "s"})


class TestPlace:
    def test_it_reads_as_people_cite_a_file(self):
        assert str(Place("a.jsonl", 3, 7)) == "a.jsonl:7"
        assert str(Place("a.parquet", 3, None, ("qa", 0), "q7")) == "a.parquet: row 3 [qa][0] q7"


class TestReplies:
    def test_a_text_and_nothing(self):
        assert stored({"reply": "1. yes"})[0].reply == "1. yes"
        assert stored({"reply": None})[0].reply is None

    def test_an_object_is_written_out_and_said_to_have_been_decoded(self):
        found = stored({"reply": {"score": 3}})[0]
        assert (found.reply, found.decoded) == ('{"score": 3}', True)
        assert stored({"reply": 3})[0].reply == "3"

    def test_the_parts_of_a_message_are_joined(self):
        parts = [
            {"type": "reasoning", "reasoning": "hm"},
            {"type": "text", "text": "1. yes"},
            {"type": "text", "text": "2. no"},
        ]
        assert stored({"reply": parts})[0].reply == "1. yes\n2. no"

    def test_one_for_each_element(self):
        row = {"calls": [{"text": "a", "score": 1}, {"text": "b", "score": 0}], "name": "r1"}
        found = list(
            stored_replies(row, Fields.of({"reply": "calls[*].text", "score": "calls[*].score", "id": "name"}), PLACE)
        )
        assert [(one.reply, one.score, one.place.part, one.place.id) for one in found] == [
            ("a", 1, (0,), "r1"), ("b", 0, (1,), "r1"),
        ]  # fmt: skip


class TestStatements:
    @pytest.mark.parametrize(
        "value",
        [
            ["one", "two"],
            '["one", "two"]',
            "one\n\n two ",
            [{"statement": "one"}, {"text": "two", "id": 2}],
            [["one", "two"]],
        ],
    )
    def test_a_list_however_it_was_kept(self, value):
        assert stored({"reply": "", "s": value}, statements="s")[0].statements == ("one", "two")

    @pytest.mark.parametrize("value", [None, 3, {"a": 1}, [None], [{"no": "text"}], [True]])
    def test_anything_else_is_a_problem_of_the_row(self, value):
        assert stored({"reply": "", "s": value}, statements="s")[0].problems

    @pytest.mark.parametrize(
        ("value", "found"), [([1, 0], (1, 0)), (0, (0,)), (True, (True,)), ("yes", ("yes",)), (None, None)]
    )
    def test_verdicts_are_a_list_or_one(self, value, found):
        assert stored({"reply": "", "v": value}, verdicts="v")[0].verdicts == found

    def test_a_field_that_is_not_there_is_a_problem_and_an_optional_one_is_none(self):
        [problem] = stored({"reply": ""}, score="s")[0].problems
        assert "no field 's'; it has 'reply'" in problem
        [problem] = stored({"reply": "", "faithfulness": 1}, score="faithfullness")[0].problems
        assert "Did you mean 'faithfulness'?" in problem
        assert stored({"reply": ""}, finish_reason="f", contexts="c")[0].problems == ()
        assert stored({}, score="s")[0].problems == ("the row has no field 'reply'",)


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
    assert found[0].problems or "reply" in row
