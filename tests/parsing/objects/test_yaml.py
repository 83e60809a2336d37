"""Block YAML in the place of JSON: nested maps and lists, quoted scalars, block text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.parsing import parse_object

cases = cases_of(__file__)

yaml = pytest.importorskip("yaml", reason="PyYAML writes the blocks that are read here")

REVIEW: dict[str, Any] = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "reasons": {"type": "array", "items": {"type": "string"}},
        "details": {
            "type": "object",
            "properties": {"tone": {"type": "string"}, "sourced": {"type": "boolean"}, "score": {"type": "integer"}},
        },
    },
    "required": ["score"],
}
VALUE = {"score": 4, "reasons": ["too short", "no source"], "details": {"tone": "dry"}}
TEXT = "score: 4\nreasons:\n  - too short\n  - no source\ndetails:\n  tone: dry"
ANYTHING = {"type": "object", "properties": {"data": {}}, "required": ["data"]}

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(-1e6, 1e6).map(lambda number: round(number, 3))
    | st.text(st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters="$<"), max_size=30).filter(
        lambda text: re.fullmatch(r"[-+.\d]+e[-+]?\d+", text, re.IGNORECASE) is None  # a number in YAML 1.2, not in 1.1
    )
    | st.sampled_from(["yes", "off", "no", "~", "4", "1.0", "a: b", "- a", "# b", "it's", 'say "so"', "{a", "[1] b"])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=4)
        | st.dictionaries(st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True), inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)


class TestLeaves:
    @settings(derandomize=True, deadline=None)
    @given(values, st.sampled_from([2, 4]))
    def test_a_block_says_what_it_was_written_from(self, value: Any, indent: int) -> None:
        told = {"data": {"inner": value}}
        text = yaml.safe_dump(told, default_flow_style=False, width=10**6, indent=indent)
        reading = parse_object(text, ANYTHING)
        if isinstance(value, dict | list):
            assert reading.format == "yaml"
        if reading.format == "yaml":
            assert reading.value == told


class TestWhatIsNotSafe:
    def test_the_last_value_of_a_cut_reply_is_not_known_to_be_whole(self) -> None:
        for stop in range(len(TEXT) + 1):
            reading = parse_object(TEXT[:stop], REVIEW, finish_reason="length")
            assert reading.value is None

    @cases("yaml: what yaml does not allow is no block")
    def test_what_yaml_does_not_allow_is_no_block(self, text: str) -> None:
        assert parse_object(text, REVIEW).format != "yaml"

    @pytest.mark.parametrize(
        "piece", ["- ", "a:\n ", "a: [", "a: {", "a: '", '- "', "a: |\n", " - a:\n", "\n\n- a: b\n  - "]
    )
    def test_any_depth_and_length_ends(self, piece: str) -> None:
        for times in (50, 5_000):
            parse_object("score: 4\n" + piece * times, REVIEW)
        nested = "score: 4\n" + "".join(f"{' ' * depth}a:\n" for depth in range(300))
        parse_object(nested, REVIEW)


class TestWhereTheLeavesStand:
    def test_a_repair_names_its_place_in_the_reply(self) -> None:
        text = "Here it is:\n\n" + TEXT.replace("details", "Details").replace("4", '"4"')
        reading = parse_object(text, REVIEW)
        assert reading.value == VALUE
        places = {repair.code: repair.offset for repair in reading.repairs}
        assert text[places["quoted-number"] :].startswith('"4"')
        assert re.match("tone", text[places["key-spelling"] :])
