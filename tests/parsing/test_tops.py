"""A number that is out of another top than the declared one is no score on the range; it is never rescaled."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_score
from magistrate.parsing.numerals import Scale
from magistrate.parsing.tops import names_another_top, off_the_scale
from magistrate.verdict import ParseStatus

OUT_OF = [
    "Score: {n} (clear and brief)/{top}",
    "Score: {n} (clear) out of {top}",
    "**Score: {n}** /{top}",
    "Score: **{n}**/{top}",
    "Score: {n} – clear – out of {top}",
    "Score: {n}, out of {top}",
    "Score: {n} [clear]/{top}",
    "Score: {n} *out of* {top}",
    "Score: {n} (of {top})",
    "Score: {n} out of a maximum of {top}",
    "Rating: {n} (max {top})",
    "Rating: {n} (maximum {top})",
    "Rating: {n} ({top} being the best)",
    "I'd say {n} out of the {top} possible points",
    "评分：{n}（满分{top}分）",
]
"""The top stands behind the number."""
SCALES = [
    "I give it a {n} on a scale of {top}",
    "Score: {n} (on a {low}-{top} scale)",
    "Score: {n} (scale {low}-{top})",
    "On a scale of {low} to {top}, I give it a {n}.",
    "I rate it {n} on a {top}-point scale.",
    "Scale: {low}-{top}\nScore: {n}",
    "Score: {n}\nMax: {top}",
    "Score: {n}\nOut of: {top}",
]
"""The scale is named beside it."""
DATA = [
    '{{"score": {n}, "max_score": {top}}}',
    '{{"score": {n}, "out_of": {top}}}',
    '{{"score": "{n}", "max": "{top}"}}',
    '{{"score": {n}, "scale": "{low}-{top}"}}',
    '{{"score": {n}, "range": [{low}, {top}]}}',
    '{{"rating": {{"value": {n}, "best": {top}}}}}',
    '{{"overall": {{"score": {n}}}, "max": {top}}}',
    '<score max="{top}">{n}</score>',
    "score: {n}\nmax_score: {top}",
]
"""A field or an attribute names it."""


class TestAnotherTop:
    @pytest.mark.parametrize("form", [*OUT_OF, *SCALES, *DATA])
    def test_is_no_score(self, form: str) -> None:
        found = parse_score(form.format(n=4.5, low=1, top=10), 1, 5)
        assert found.value is None
        assert found.status in {ParseStatus.OUT_OF_RANGE, ParseStatus.UNPARSEABLE}

    def test_is_reported_as_out_of_range(self) -> None:
        assert parse_score("Score: 3 (vague)/10", 1, 5).status is ParseStatus.OUT_OF_RANGE
        assert parse_score('{"score": 3, "max": 10}', 1, 5).status is ParseStatus.OUT_OF_RANGE


class TestTheDeclaredTop:
    @pytest.mark.parametrize("form", [*OUT_OF, *SCALES, *DATA])
    def test_leaves_the_score(self, form: str) -> None:
        assert parse_score(form.format(n=4.5, low=1, top=5), 1, 5).value == 4.5

    @pytest.mark.parametrize(
        "reply",
        [
            "Score: 4. It names 3 out of 10 stations.",
            "Score: 4 (the best of 10 timetables)",
            "Score: 4 (9 out of 10 stations are named)",
            "Score: 4, as 9 out of 10 trains are listed.",
            '{"score": 4, "max_tokens": 10}',
            '{"score": 4, "scale": "likert"}',
            '{"score": 4, "min": 1, "max": 5}',
            '{"score": 4, "max": null, "best": true}',
            "The gauge goes up to 10 bars.\nScore: 4",
        ],
    )
    def test_other_numbers_are_no_tops(self, reply: str) -> None:
        assert parse_score(reply, 1, 5).value == 4

    def test_a_huge_top_is_another_one(self) -> None:
        assert parse_score('{"score": 4, "max": 1' + "0" * 400 + "}", 1, 5).value == 4  # no number that anybody means
        assert parse_score('{"score": 4, "max": 100000}', 1, 5).value is None


class TestTheNumberItself:
    @pytest.mark.parametrize("number", ["80%", "80％", "80٪"])
    def test_a_share_of_a_hundred_is_out_of_no_other_top(self, number: str) -> None:
        assert not names_another_top(f"{number} / 10", 0, 3, Scale(1, 5))
        assert names_another_top(f"{number[:2]} / 10", 0, 2, Scale(1, 5))

    @pytest.mark.parametrize(
        ("top", "another"), [("5", False), ("5.0", False), ("5,0", False), ("5.5", True), ("5,5", True)]
    )
    def test_a_top_may_have_decimals(self, top: str, another: bool) -> None:
        assert names_another_top(f"4 out of {top}", 0, 1, Scale(1, 5)) is another


class TestKeysBesideTheScore:
    @pytest.mark.parametrize(
        "beside", [{"max": 10}, {"best": "10"}, {"range": [1, 10]}, {"scale": "1-10"}, {"max": -10}]
    )
    def test_that_name_another_top(self, beside: dict[str, object]) -> None:
        assert off_the_scale(beside, Scale(1, 5))

    @pytest.mark.parametrize(
        "beside",
        [
            {},
            {"max": 5},
            {"max": "5"},
            {"max": 5, "best": 10},
            {"range": []},
            {"max": True},
            {"max": None},
            {"max": 10**300},
            {"max": -(10**300)},
            {"scale": "ten"},
            {"scale": f"{'a good deal of ' * 3}10"},
            {"tokens": 10},
            {f"{'_' * 30}max": 10},
        ],
    )
    def test_that_name_none(self, beside: dict[str, object]) -> None:
        assert not off_the_scale(beside, Scale(1, 5))
