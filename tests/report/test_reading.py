"""A reading on the terminal and as JSON."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from magistrate.parsing import parse_label, parse_object, parse_score, parse_statements, parse_verdicts
from magistrate.report.programs.replies import ReadReply, reading_dict
from magistrate.report.terminal.replies import Mark, marked_text, print_reading

from .conftest import HOSTILE

STATEMENTS = ["The weir was built in 1902.", "The weir is twelve metres wide.", "Eels pass it in May."]
MENDED = '{"verdicts": [{"id": 1, "verdict": "yes",}, {"id": 2, "reason": "the plan says nine", "verdict": "no"}]}'
SCHEMA = {"type": "object", "properties": {"grade": {"type": "integer"}}, "required": ["grade"]}


def verdicts(text, statements=STATEMENTS, **options):
    return ReadReply(text, parse_verdicts(text, statements, **options), {"statements": statements})


class TestComplete:
    def test_a_verdict_for_every_statement(self):
        assert verdicts("1. yes\n2. no\n3. yes").complete
        assert not verdicts("1. yes\n2. no").complete
        assert not verdicts("").complete

    def test_statements_taken_from_a_cut_reply_may_be_too_few(self):
        rows = '{"statement": "a b c", "verdict": "yes"}, {"statement": "d e f", "verdict": "no"}'
        assert verdicts(f"[{rows}]", None).complete
        assert not verdicts(f"[{rows}", None).complete
        assert verdicts(f"[{rows.replace('a b c', '1').replace('d e f', '2')}", ["1", "2"]).complete

    @pytest.mark.parametrize(
        ("read", "whole", "lacking"),
        [
            (lambda text: parse_score(text, 1, 5), "[[4]]", "[[9]]"),
            (lambda text: parse_label(text, ["A", "B"]), "[[A]]", "A or B"),
            (lambda text: parse_object(text, SCHEMA), '{"grade": 3}', "{}"),
            (parse_statements, '{"claims": []}', ""),  # no claims is an answer, and a blank reply is none
        ],
    )
    def test_a_score_a_label_an_object_statements(self, read, whole, lacking):
        assert ReadReply(whole, read(whole)).complete
        assert not ReadReply(lacking, read(lacking)).complete


class TestPrintReading:
    def test_statements_verdicts_reasons_marks_repairs_and_issues(self, shown):
        text = shown(print_reading, verdicts(MENDED))
        assert text.startswith("partial: 2 of 3 statements have a verdict (repaired-json, 1 repair)")
        assert "  s1  supported            The weir was built in 1902." in text
        assert "reason: the plan says nine" in text
        assert "  s3  no verdict           Eels pass it in May." in text
        assert "missing-verdict: the reply says nothing of this statement" in text
        assert "^ s1 supported" in text
        assert "^ repair: trailing-comma" in text
        assert "  trailing-comma  1:41" in text
        assert "  repaired-json: the reply had to be mended: trailing-comma" in text

    def test_colours_on_a_terminal_only(self, shown):
        read = verdicts("1. yes\n2. no\n3. yes")
        assert "\x1b[32m1. yes\x1b[0m" in shown(print_reading, read, colour=True)
        assert "\x1b" not in shown(print_reading, read)

    def test_what_is_printed_of_a_hostile_reply_is_inert(self, shown):
        text = shown(
            print_reading, verdicts(f'[{{"id": 1, "reason": {json.dumps(HOSTILE)}, "verdict": "yes"}}] {HOSTILE}')
        )
        assert not set(text) & set("\x1b\u202e\x07")

    def test_a_score_off_the_scale_is_marked_and_not_used(self, shown):
        text = shown(print_reading, ReadReply("Rating: [[70]]", parse_score("Rating: [[70]]", 1, 10)))
        assert text.startswith("out_of_range: nothing that is safe to use")
        assert "score  none\n" in text

    def test_an_object_and_what_does_not_fit(self, shown):
        good, bad = '{"grade": 3}', '{"grade": "much"}'
        assert '  "grade": 3' in shown(print_reading, ReadReply(good, parse_object(good, SCHEMA)))
        assert "grade: " in shown(print_reading, ReadReply(bad, parse_object(bad, SCHEMA)))

    def test_all_of_a_long_reply_only_if_asked_for(self, shown):
        read = verdicts("so\n" * 100 + "1. yes\n2. no\n3. yes")
        assert shown(print_reading, read).count("| so") < 10
        assert shown(print_reading, read, everything=True).count("| so") == 100


class TestReadingDict:
    def test_every_verdict_with_its_place_and_repairs(self):
        found = reading_dict(verdicts(MENDED))
        assert (found["kind"], found["task"], found["status"], found["complete"]) == (
            "magistrate-reading", "verdicts", "partial", False,
        )  # fmt: skip
        first, second, third = found["verdicts"]
        start, end = first["span"]
        assert found["reply"][start:end] == '{"id": 1, "verdict": "yes",}'
        assert (first["line"], first["column"], first["verdict"]) == (1, 15, "supported")
        assert first["repairs"] == [{"code": "trailing-comma", "offset": 40}]
        assert second["reason"] == "the plan says nine"
        assert third["verdict"] is None
        assert third["issues"][0]["code"] == "missing-verdict"
        assert found["repairs"][0]["excerpt"] == '...1, "verdict": "yes",}, {"id": 2, "reaso...'

    @pytest.mark.parametrize("number", ["1e999", "-1e999"])
    def test_a_number_beyond_all_doubles_is_null(self, number):
        text = f'{{"grade": 1, "more": {number}}}'
        found = reading_dict(ReadReply(text, parse_object(text, SCHEMA)))
        json.dumps(found, allow_nan=False)

    @given(text=st.text())
    def test_it_survives_json_whatever_the_reply(self, text):
        readings = [
            parse_verdicts(text, STATEMENTS),
            parse_verdicts(text, None, scale="ternary"),
            parse_score(text, 0, 10),
            parse_label(text, ["a", "b"]),
            parse_statements(text),
            parse_object(text, SCHEMA),
        ]
        for reading in readings:
            found = reading_dict(ReadReply(text, reading, {"statements": STATEMENTS}))
            assert json.loads(json.dumps(found, allow_nan=False)) == found


STEERING = "\x1b[31m1 | yes\n  | ^^^ s1 supported\r\u202e\x07\ud800"


def drawn(text, marks, width=60, around=2):
    return [line.plain for line in marked_text(text, marks, width=width, around=around)]


def mark(text, part, label="m"):
    start = text.index(part)
    return Mark(start, start + len(part), label)


@st.composite
def marked(draw):
    text = draw(st.text(alphabet=st.sampled_from("ab \n\r\t{}是한é\x1b\u200b"), max_size=400))
    places = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(places, places), max_size=6))
    return text, [Mark(min(pair), max(pair), f"mark {n}") for n, pair in enumerate(pairs)]


class TestMarkedText:
    def test_a_mark_stands_below_the_part_it_is_about(self):
        text = "so: yes\nand: no"
        assert drawn(text, [mark(text, "yes", "s1 supported"), mark(text, "no", "s2 unsupported")]) == [
            "1 | so: yes",
            "  |     ^^^ s1 supported",
            "2 | and: no",
            "  |      ^^ s2 unsupported",
        ]

    def test_a_long_line_goes_on_below_and_its_marks_with_it(self):
        text = "x" * 100 + "yes" + "x" * 20
        lines = drawn(text, [mark(text, "yes", "s1")], width=54)
        assert [line[:4] for line in lines] == ["1 | ", "  : ", "  : ", "  | "]
        assert lines[3] == "  | ^^^ s1"
        assert "".join(line[4:] for line in lines[:3]) == text

    def test_lines_far_from_a_mark_are_left_out_and_counted(self):
        text = "\n".join([*(f"line {n}" for n in range(50)), "yes", *(f"line {n}" for n in range(50))])
        lines = drawn(text, [mark(text, "yes")])
        assert lines[0].strip() == "(48 lines left out)"
        assert lines[-1].strip() == "(48 lines left out)"
        assert len(lines) == 8
        assert len(drawn(text, [mark(text, "yes")], around=None)) == 102

    def test_a_reply_cannot_draw_marks_of_its_own(self):
        lines = drawn(STEERING, [], around=None)
        assert not [line for line in lines if not re.match(r"\d+ \| | +: ", line)]
        assert not [char for line in lines for char in line if ord(char) < 32 or 0xD800 <= ord(char) <= 0xDFFF]

    @given(case=marked(), width=st.integers(20, 90))
    def test_every_mark_is_drawn_once_and_nothing_is_wider_than_the_terminal(self, case, width):
        text, marks = case
        lines = drawn(text, marks, width=width, around=None)
        for one in marks:
            assert sum(bool(re.search(rf"{one.label}( |$)", line)) for line in lines) == 1
        for line in lines:
            if re.match(r" *\d+ \| | +: ", line):
                assert cell_len(line) <= width

    @given(text=st.text(alphabet="ab \n", max_size=300), width=st.integers(20, 60))
    def test_nothing_of_the_text_is_lost(self, text, width):
        shown = [line for line in drawn(text, [], width=width, around=None) if "|" in line or ":" in line]
        gutter = len(shown[0].split("|")[0]) + 2
        assert "".join(line[gutter:] for line in shown) == text.replace("\n", "")
