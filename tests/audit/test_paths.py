"""Paths into rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.audit._paths import MISSING, choices, look_up, read_path
from magistrate.errors import ConfigurationError

ROW = {
    "reply": "yes",
    "a.b": "a column of this name",
    "a": {"b": "a key", "c.d": 3},
    "calls": [{"text": "one", "score": 1}, {"text": "two", "score": 0}, {"text": "three"}],
    "by_name": {"x": {"text": "ex"}, "y": {"text": "why"}},
    "nested": '{"deep": ["first", "second"]}',
    "null": None,
}


class TestReadPath:
    @pytest.mark.parametrize("text", ["", ".", "a..b", "a[", "a[x]", "a[0", 'a["b]', "[*", "a]b"])
    def test_what_is_no_path(self, text):
        with pytest.raises(ConfigurationError, match="is no path to a field"):
            read_path(text)

    @given(text=st.text(max_size=30))
    def test_any_text_is_a_path_or_says_that_it_is_none(self, text):
        try:
            path = read_path(text)
        except ConfigurationError:
            return
        assert path.text == text
        assert path.steps


class TestLookUp:
    @pytest.mark.parametrize(
        ("path", "value"),
        [
            ("reply", "yes"),
            ("a.b", "a column of this name"),
            ('a["c.d"]', 3),
            ("calls[1].text", "two"),
            ("calls[-1].text", "three"),
            ("calls.0.text", "one"),
            ("calls[*].text", ["one", "two", "three"]),
            ("calls[*].score", [1, 0]),
            ("nested.deep[1]", "second"),
            ("null", None),
            ("null.x", MISSING),
            ("calls[7].text", MISSING),
            ("nowhere", MISSING),
            ("reply.x", MISSING),
        ],
    )
    def test_the_value_at_a_path(self, path, value):
        assert look_up(ROW, read_path(path)) == value


class TestStars:
    def test_one_choice_for_each_element(self):
        assert list(choices(ROW, read_path("calls[*].text"))) == [(0,), (1,), (2,)]
        assert list(choices(ROW, read_path("by_name[*].text"))) == [("x",), ("y",)]
        assert list(choices(ROW, read_path("reply"))) == [()]
        assert list(choices(ROW, read_path("nowhere[*].x"))) == []

    def test_other_paths_follow_the_choice_as_far_as_they_are_the_same(self):
        reply = read_path("calls[*].text")
        assert look_up(ROW, read_path("calls[*].score"), reply, (1,)) == 0
        assert look_up(ROW, read_path("calls[*].score"), reply, (2,)) is MISSING
        assert look_up(ROW, read_path("by_name[*].text"), reply, (1,)) == ["ex", "why"]
        assert look_up(ROW, read_path("reply"), reply, (1,)) == "yes"
