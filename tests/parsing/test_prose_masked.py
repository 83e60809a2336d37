"""What the masked text of a reply looks like: one sign for each thing that is not the judge's wording."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.prose import (
    DROPPED,
    ECHO,
    JSON,
    LINES_PER_STATEMENT,
    LONGEST_PROSE,
    MOST_LINES,
    PROSE_PER_STATEMENT,
    QUOTED,
    Prose,
    mask,
)

KILN = ("The kiln is brick.", "It was lit in June.")


def _masked(text: str, statements: Sequence[str] = KILN) -> str:
    return mask(open_envelope(text), statements).text


class TestQuotations:
    @pytest.mark.parametrize(
        ("text", "masked"),
        [
            ('The log says "the kiln was cold all year" here.', f"The log says {QUOTED} here."),
            ('Verdict: "not supported by the whole log"', f"Verdict: {QUOTED}"),
            ('It says "cold: no" twice.', f"It says {QUOTED} twice."),
            ('It says "cold：no" twice.', f"It says {QUOTED} twice."),
            ('Well, "the kiln was cold all year".', f"Well, {QUOTED}."),
            ('Well. "The kiln was cold all year". Yes', f"Well. {QUOTED}. Yes"),
            ('"The kiln was cold all year", it says', f"{QUOTED}, it says"),
        ],
    )
    def test_what_is_quoted_is_covered(self, text: str, masked: str) -> None:
        assert _masked(text) == masked

    @pytest.mark.parametrize(
        "text",
        [
            'It is "cold".',
            'Verdict: "not supported by it"',
            'Verdict = **"not supported"**',
            'Verdict：_"not supported"',
            'He wrote "[[A]]" there.',
            'He wrote "Verdict: [[A]]." there.',
            '"The kiln was cold all year."',
            '**"The kiln was cold all year."**',
            'Well.\n"The kiln was cold all year." \nYes',
            'Well! "The kiln was cold all year"。\nYes',
        ],
    )
    def test_a_word_a_value_a_mark_and_a_whole_sentence_are_not(self, text: str) -> None:
        assert _masked(text) == text


class TestRepeatedStatements:
    @pytest.mark.parametrize(
        ("statement", "text", "masked"),
        [
            ("Tea4five", "So Tea4five it is", f"So {ECHO} it is"),
            ("Tea4fiv", "So Tea4fiv it is", "So Tea4fiv it is"),
            ("Tea4fiv", "1. Tea4fiv: no", f"1. {ECHO}: no"),
            ("pi", "- pi - no", f"- {ECHO} - no"),
            ("p", "1. p: no", "1. p: no"),
            ("42", "1. 42: no", "1. 42: no"),
            ("茶很热啊", "茶很热啊 是", f"{ECHO} 是"),
            ("茶很热", "茶很热 是", "茶很热 是"),
            ("茶很热", "1. 茶很热: 是", f"1. {ECHO}: 是"),
            ("The kiln is brick!", "The kiln is brick? No.", f"{ECHO}? No."),
        ],
    )
    def test_are_known_anywhere_where_they_are_long_enough(self, statement: str, text: str, masked: str) -> None:
        assert _masked(text, [statement]) == masked

    def test_the_longer_one_counts_where_one_is_part_of_another(self) -> None:
        found = mask(open_envelope("The kiln is brick and red: no"), ["The kiln is brick", "The kiln is brick and red"])
        assert (found.text, found.echoes) == (f"{ECHO}: no", {0: 1})

    def test_each_place_knows_its_statement(self) -> None:
        found = mask(open_envelope(f"{KILN[1]} No. {KILN[0]} Yes. {KILN[1]}"), KILN)
        assert [index for _, index in sorted(found.echoes.items())] == [1, 0, 1]
        assert [found.echo_at(at) for at in range(len(found.text)) if found.text[at] == ECHO] == [1, 0, 1]
        assert found.echo_at(1) is None

    @pytest.mark.parametrize("dots", ["...", "…", ", ...", " …"])
    def test_dots_stand_for_the_rest_of_one(self, dots: str) -> None:
        found = mask(
            open_envelope(f'"and so on..." no, "The kiln in the yard{dots}" yes'), ["The kiln in the yard is brick."]
        )
        assert found.text == f'{QUOTED} no, "{ECHO}" yes'


class TestSections:
    @pytest.mark.parametrize(
        ("text", "masked"),
        [
            ("Examples:\nyes\nno", "\n"),
            ("Examples:\nyes\n\nno", "\n\n\nno"),
            ("Note: it is\nDraft: no\nFinal: yes", "Note: it is\n\nFinal: yes"),
            ("Draft: no\nNote: old\nFinal: yes", "\nFinal: yes"),
            ("Draft: no\nFinal: yes\nDraft: no", "\nFinal: yes\nDraft: no"),
            ("## Draft\nno\n## Note\nold\n## Answer\nyes", "\n## Note\nold\n## Answer\nyes"),
        ],
    )
    def test_examples_and_drafts_before_an_answer_are_dropped(self, text: str, masked: str) -> None:
        assert _masked(text) == masked

    @pytest.mark.parametrize(
        "text",
        [
            "My draft of all this here: no\nFinal: yes",
            "Draft: no\nMy final word on all of this: yes",
            "Draft: no\nNote: yes",
            "Final: yes\nDraft: no",
        ],
    )
    def test_a_sentence_is_no_heading_and_a_draft_alone_no_draft(self, text: str) -> None:
        assert _masked(text) == text


class TestMarks:
    @pytest.mark.parametrize(
        ("text", "masked"),
        [
            ("ye\u200bs \u202ano", "yes no"),
            ("yes<br>no", "yes\nno"),
            ("yes\\nno", "yes\nno"),
            ("yes\\nno\nso", "yes\\nno\nso"),
            ("> no\nyes", "\n\nyes"),
            (f"a{' ' * 50}b", f"a{' ' * 9}b"),
            ('no: {"a": 1}  yes', f"no: {JSON}  yes"),
        ],
    )
    def test_what_nobody_sees_or_says_is_one_sign_or_none(self, text: str, masked: str) -> None:
        assert _masked(text) == masked

    def test_further_parts_may_be_left_out(self) -> None:
        assert mask(open_envelope("no so yes"), KILN, skip=[(0, 2), (3, 5)]).text == f"{JSON} {JSON} yes"

    def test_lines_end_where_their_words_do(self) -> None:
        lines = Prose("no\r\n\nyes").lines()
        assert [(line.text, line.start, line.end) for line in lines] == [("no", 0, 2), ("", 4, 4), ("yes", 5, 8)]


class TestPlaces:
    REPLY = 'no {"a": 1} yes'

    def test_lead_from_the_masked_text_to_the_reply(self) -> None:
        found = mask(open_envelope(self.REPLY), KILN)
        assert found.text == f"no {JSON} yes"
        assert [found.place(at) for at in range(9)] == [0, 1, 2, 3, 11, 12, 13, 14, 15]
        assert found.span(5, 8) == (12, 15)
        assert found.span(5, 5) == (12, 12)

    def test_and_back(self) -> None:
        found = mask(open_envelope(self.REPLY), KILN)
        assert [found.inside(at) for at in (0, 2, 3, 4, 10, 11, 12, 15)] == [0, 2, 3, 4, 4, 4, 5, 8]

    def test_are_the_same_where_nothing_is_masked(self) -> None:
        found = Prose("yes")
        assert (found.place(2), found.inside(2)) == (2, 2)


class TestBounds:
    """More text than any answer has is not read."""

    @pytest.mark.parametrize("statements", [KILN[:1], KILN])
    def test_in_characters(self, statements: Sequence[str]) -> None:
        most = LONGEST_PROSE + PROSE_PER_STATEMENT * len(statements)
        assert not mask(open_envelope("a " * (most // 2)), statements).overlong
        assert mask(open_envelope("a " * (most // 2) + "a"), statements).overlong

    @pytest.mark.parametrize("statements", [KILN[:1], KILN])
    def test_in_lines(self, statements: Sequence[str]) -> None:
        most = MOST_LINES + LINES_PER_STATEMENT * len(statements)
        assert not mask(open_envelope("a\n" * most + "a"), statements).overlong
        assert mask(open_envelope("a\n" * (most + 1) + "a"), statements).overlong

    def test_nothing_but_blanks_is_no_text(self) -> None:
        assert mask(open_envelope(" \n\t "), KILN).text == ""
        assert DROPPED not in mask(open_envelope("> no"), KILN).text
