"""Promise 9: unknown words are unknown: no part of a word counts, and no value is true by being something."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.case_tables import tables_of

from magistrate.parsing import parse_label, parse_score, parse_verdicts
from magistrate.testing.strategies import WORDS
from magistrate.verdict import BINARY, GRADED, TERNARY, IssueCode, ParseStatus, Scale

MANY = settings()  # of the profile: see CONTRIBUTING.md

ASKED = ["The attic is dry.", "The cellar is damp."]
ALL_WORDS = sorted({word for lists in WORDS.values() for words in lists.values() for word in words})
LETTERED = [word for word in ALL_WORDS if word.isascii()]
WRITTEN = st.sampled_from(tables_of(__file__)["properties_words: written"])

LOOKALIKES = tables_of(__file__)["properties_words: lookalikes"]


def fill(template: str, word: str) -> str:
    return (
        template.replace("{{", "{")
        .replace("}}", "}")
        .replace("{json}", json.dumps(word, ensure_ascii=False))
        .replace("{plain}", word)
    )


def is_unread(text: str, scale: Scale) -> None:
    reading = parse_verdicts(text, ASKED, scale=scale)
    assert tuple(reading.found) == (None, None)
    assert reading.status is not ParseStatus.OK


class TestPartsOfWords:
    @MANY
    @given(
        st.sampled_from(LETTERED),
        st.sampled_from(["xq", "qz", "vk"]),
        st.booleans(),
        WRITTEN,
        st.sampled_from([BINARY, TERNARY, GRADED]),
    )
    def test_a_word_with_letters_before_or_behind_is_another_word(
        self, word: str, letters: str, before: bool, template: str, scale: Scale
    ) -> None:
        is_unread(fill(template, letters + word if before else word + letters), scale)

    @pytest.mark.parametrize("word", [one for one in LOOKALIKES if one != "n"])
    @pytest.mark.parametrize("scale", [TERNARY, GRADED], ids=["ternary", "graded"])
    def test_words_that_begin_or_end_like_one_are_none(self, word: str, scale: Scale) -> None:
        is_unread(json.dumps([{"id": 1, "verdict": word}, {"id": 2, "verdict": word}]), scale)
        is_unread(json.dumps([word, word]), scale)

    @MANY
    @given(st.text(alphabet=st.sampled_from("bcdghjkmpqvwxz"), min_size=2, max_size=9), WRITTEN)
    def test_a_word_of_no_language_is_unknown(self, word: str, template: str) -> None:
        is_unread(fill(template, word), BINARY)


class TestValues:
    @pytest.mark.parametrize(
        "value", [2, -1, 0.5, 10, 1e300, [], {}, [3], ["maybe"], {"x": 1}, "", " ", "2", "0.99", "null", "None"]
    )
    def test_no_value_is_true_by_being_something(self, value: Any) -> None:
        is_unread(json.dumps([{"id": 1, "verdict": value}, {"id": 2, "verdict": value}]), BINARY)

    @pytest.mark.parametrize("value", [0, 1, 2, "0", "1", 0.0])
    def test_numbers_mean_nothing_on_a_scale_of_three(self, value: Any) -> None:
        is_unread(json.dumps([{"id": 1, "verdict": value}, {"id": 2, "verdict": value}]), TERNARY)

    def test_nan_and_infinity_are_no_numbers_of_a_scale(self) -> None:
        for word in ("NaN", "Infinity", "-Infinity", "1e999"):
            is_unread(f'[{{"id": 1, "verdict": {word}}}, {{"id": 2, "verdict": {word}}}]', BINARY)
            assert parse_score(f'{{"score": {word}}}', 0, 1).value is None

    @MANY
    @given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: not 1 <= value <= 5))
    def test_a_score_off_its_range_is_not_moved_onto_it(self, value: float) -> None:
        reading = parse_score(json.dumps({"score": value}), 1, 5)
        assert reading.value is None
        assert reading.status is ParseStatus.OUT_OF_RANGE


class TestOffScale:
    @MANY
    @given(st.sampled_from([w for lists in WORDS.values() for w in lists[TERNARY.verdicts[2]]]), WRITTEN)
    def test_a_word_that_the_scale_does_not_offer_is_no_verdict(self, word: str, template: str) -> None:
        is_unread(fill(template, word), BINARY)

    def test_it_is_named(self) -> None:
        reading = parse_verdicts('[{"id": 1, "verdict": "idk"}, {"id": 2, "verdict": "perhaps"}]', ASKED)
        codes = [{issue.code for issue in row.issues} for row in reading.verdicts]
        assert IssueCode.OUT_OF_RANGE in codes[0]
        assert IssueCode.UNKNOWN_LABEL in codes[1]


class TestLabels:
    @MANY
    @given(st.sampled_from(["PASS", "FAIL"]), st.sampled_from(["xq", "ED", "URE", "1"]))
    def test_a_label_within_a_longer_word_is_none(self, label: str, letters: str) -> None:
        assert parse_label(f"Result: {label}{letters}", ["PASS", "FAIL"]).label is None

    def test_a_choice_that_holds_another_is_itself(self) -> None:
        choices = ["CORRECT", "INCORRECT"]
        assert parse_label("GRADE: INCORRECT", choices).label == "INCORRECT"
        assert parse_label("GRADE: CORRECT", choices).label == "CORRECT"
