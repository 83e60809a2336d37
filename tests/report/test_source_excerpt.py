"""A reply with marks under it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from magistrate.report.terminal.source_excerpt import Lines, Mark, excerpt, marked_text

HOSTILE = "\x1b[31m1 | yes\n  | ^^^ s1 supported\r\u202e\x07\ud800"


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


class TestLines:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_places_count_from_one_whatever_ends_a_line(self, end):
        text = f"ab{end}cd"
        assert Lines(text).place(0) == (1, 1)
        assert Lines(text).place(text.index("d")) == (2, 2)

    @given(text=st.text(alphabet="a\r\n", max_size=30))
    def test_every_character_has_one_place(self, text):
        lines = Lines(text)
        places = [lines.place(offset) for offset in range(len(text) + 1)]
        assert places == sorted(set(places))
        for offset, (line, column) in enumerate(places):
            assert lines.starts[line - 1] + column - 1 == offset


class TestMarkedText:
    def test_a_mark_stands_below_the_part_it_is_about(self):
        text = "so: yes\nand: no"
        assert drawn(text, [mark(text, "yes", "s1 supported"), mark(text, "no", "s2 unsupported")]) == [
            "1 | so: yes",
            "  |     ^^^ s1 supported",
            "2 | and: no",
            "  |      ^^ s2 unsupported",
        ]

    def test_a_mark_over_several_lines_names_its_end(self):
        text = '{\n  "id": 1\n}'
        assert drawn(text, [Mark(0, len(text), "s1")])[1] == "  | ^ s1 (to 3:1)"

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
        lines = drawn(HOSTILE, [], around=None)
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


class TestExcerpt:
    @given(text=st.text(max_size=80), data=st.data())
    def test_it_is_one_inert_line(self, text, data):
        shown = excerpt(text, data.draw(st.integers(0, len(text))))
        assert not [char for char in shown if ord(char) < 32]
        shown.encode()
