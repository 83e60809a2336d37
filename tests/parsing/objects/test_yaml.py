"""Block YAML in the place of JSON: nested maps and lists, quoted scalars, block text."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.parsing import parse_object
from magistrate.verdict import IssueCode, ParseStatus

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


class TestWhereItStands:
    @pytest.mark.parametrize(
        "text",
        [
            TEXT,
            f"```yaml\n{TEXT}\n```",
            f"```\n{TEXT}\n```",
            f"```yaml\n---\n{TEXT}\n```",
            f"Here is my evaluation:\n\n{TEXT}\n\nLet me know if you need more.",
            f"Here is my evaluation:\n{TEXT}",
            f"<think>score: 2\nreasons:\n  - x</think>\n{TEXT}",
            "review:\n  " + TEXT.replace("\n", "\n  "),
            TEXT.replace("  - ", "- "),
            TEXT.replace("  ", "    "),
            TEXT.replace("  ", "\t"),
            TEXT.replace("\n", "\r\n"),
            TEXT.replace("\ndetails", "\n\ndetails"),
            TEXT.replace("reasons", "# what is wrong\nreasons"),
            TEXT.replace("4", "4  # of 5"),
            TEXT.replace("too short", '"too short"').replace("dry", "'dry'"),
            "score: 4\nreasons: [too short, no source]\ndetails: {tone: dry}",
            'score: 4\nreasons: [\n  "too short",\n  "no source"\n]\ndetails:\n  tone: "dry"',
            "**Score:** 4\n**Reasons:**\n- too short\n- no source\n**Details:**\n  - **Tone:** dry",
            "- Score: 4\n- Reasons:\n  - too short\n  - no source\n- Details:\n  - Tone: dry",
            "score: 4\nreasons:\n  1. too short\n  2. no source\ndetails:\n  tone: dry",
        ],
    )
    def test_a_block_is_read(self, text: str) -> None:
        reading = parse_object(text, REVIEW)
        assert (reading.status, reading.value, reading.format) == (ParseStatus.OK, VALUE, "yaml")

    def test_a_list_of_maps_is_read(self) -> None:
        schema = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}, "ok": {}}}}
        text = "- id: 1\n  ok: true\n- id: 2\n  ok:\n    why: it is\n"
        assert parse_object(text, schema).value == [{"id": 1, "ok": True}, {"id": 2, "ok": {"why": "it is"}}]

    def test_only_the_head_of_a_block_is_the_object(self) -> None:
        text = "score: 4\ndetails:\n  score: 2"
        assert parse_object(text, REVIEW).value == {"score": 4, "details": {"score": 2}}

    def test_properties_at_two_levels_are_not_put_together(self) -> None:
        schema = {"type": "object", "properties": {"score": {}, "label": {}}, "required": ["score", "label"]}
        assert parse_object("details:\n  score: 2\nlabel: good", schema).value is None


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

    @pytest.mark.parametrize(
        ("text", "tone"),
        [
            ("|\n    dry\n    and long\n", "dry\nand long\n"),
            ("|-\n    dry\n\n      and long\n", "dry\n\n  and long"),
            (">\n    dry\n    and long\n\n    too", "dry and long\ntoo\n"),
            ("|\n    score: 2\n    reasons: none\n", "score: 2\nreasons: none\n"),
            ('"dry\\n\\u00e9 \\"so\\""', 'dry\n\u00e9 "so"'),
            ("'it''s dry'", "it's dry"),
            ('"dry\n    and long"', "dry and long"),
            ("dry\n    and long", "dry and long"),
            ("Note: it is dry", "Note: it is dry"),
            ('"dry" is the word', '"dry" is the word'),
            ("yes", "yes"),
            ("4", "4"),
            ("see #4", "see #4"),
        ],
    )
    def test_texts(self, text: str, tone: str) -> None:
        reading = parse_object(f"score: 4\ndetails:\n  tone: {text}\n", REVIEW)
        assert reading.value == {"score": 4, "details": {"tone": tone}}

    @pytest.mark.parametrize(("word", "truth"), [("yes", True), ("No", False), ("on", True), ("off", False)])
    def test_truth_values_in_words_count_where_the_schema_asks_for_one(self, word: str, truth: bool) -> None:
        assert parse_object(f"score: 4\ndetails:\n  sourced: {word}", REVIEW).value["details"]["sourced"] is truth

    @pytest.mark.parametrize("word", ["maybe", "y", "1", "0", "yes and no"])
    def test_other_words_are_no_truth_values(self, word: str) -> None:
        reading = parse_object(f"score: 4\ndetails:\n  sourced: {word}", REVIEW)
        assert reading.value is None
        assert IssueCode.UNKNOWN_LABEL in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize("number", ["4/10", "4 out of 5", "four", "4.5", "9", "0x4"])
    def test_numbers_are_not_coerced(self, number: str) -> None:
        assert parse_object(f"score: {number}\nreasons:\n  - none", REVIEW).value is None


class TestWhatIsNotSafe:
    def test_the_last_value_of_a_cut_reply_is_not_known_to_be_whole(self) -> None:
        for stop in range(len(TEXT) + 1):
            reading = parse_object(TEXT[:stop], REVIEW, finish_reason="length")
            assert reading.value is None

    def test_an_open_fence_is_a_cut(self) -> None:
        reading = parse_object("```yaml\nscore: 4\nreasons:\n  - too short\n  - no", REVIEW)
        assert reading.status is ParseStatus.TRUNCATED

    def test_an_open_quotation_mark_leaves_no_object(self) -> None:
        assert parse_object('score: 4\ndetails:\n  tone: "dry and', REVIEW).value is None

    @pytest.mark.parametrize(
        "text",
        [
            TEXT + "\nscore: 3",
            TEXT + "\n  tone: wet",
            TEXT + "\n\nCorrection: the score is 3.",
            TEXT + "\nCorrection: the score is 3.",
            TEXT + "\n\n---\n\n" + TEXT.replace("4", "3"),
            "score: 3\n---\n" + TEXT,
            "score: 3\n\n" + TEXT,
            TEXT + '\n\n{"score": 3}',
            "score: 4\nreasons: fine\nCorrection: the score is 3.",
        ],
    )
    def test_two_answers_conflict(self, text: str) -> None:
        reading = parse_object(text, REVIEW)
        assert reading.value is None

    @pytest.mark.parametrize(
        "words", ["Correction:", "Wait, that is wrong. Corrected:", "I take that back.", "Corrected:\n"]
    )
    def test_words_of_correction_let_the_later_one_count(self, words: str) -> None:
        reading = parse_object(f"{TEXT}\n\n{words}\n{TEXT.replace('4', '3')}", REVIEW)
        assert reading.value == {**VALUE, "score": 3}
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize(
        "text",
        [
            "score: &a 4\nreasons:\n  - *a",
            "score: 4\nreasons:\n  - too short\n    - no source",
            "score: 4\nreasons: none\n  - too short",
            "score: 4\n  reasons:\n    - too short",
        ],
    )
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
