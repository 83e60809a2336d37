import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import split_sentences, split_statements, split_text

cases = cases_of(__file__)

ANSWER = """Certainly! Here are the facts:

## Opening hours

1. **Summer**: The lighthouse opens at 9 [1]. It closes at 18.
2. In winter it opens
   at 11.
- [x] Dogs are allowed
* Children under six enter free. They need an adult.

| Ticket | Price |
|--------|------:|
| Adult  | 12 €  |
| Child  | 0 €   |

```sh
curl https://ferry.example/times
```

> The keeper said that the lamp had been lit every single night
> since 1874. It was true.

***

Let me know if you have any other questions!
"""


def kinds(text):
    return [(segment.kind, segment.text) for segment in split_text(text)]


class TestAnAnswerInMarkdown:
    def test_gives_its_statements(self):
        assert split_sentences(ANSWER) == (
            "**Summer**: The lighthouse opens at 9 [1].",
            "It closes at 18.",
            "In winter it opens\n   at 11.",
            "Dogs are allowed",
            "Children under six enter free.",
            "They need an adult.",
            "| Adult  | 12 €  |",
            "| Child  | 0 €   |",
            "```sh\ncurl https://ferry.example/times\n```",
            "The keeper said that the lamp had been lit every single night\n> since 1874.",
            "It was true.",
        )

    def test_leaves_out_by_name_what_states_nothing(self):
        left_out = [(kind, text) for kind, text in kinds(ANSWER) if kind in ("heading", "courtesy")]
        assert left_out == [
            ("courtesy", "Certainly!"),
            ("courtesy", "Here are the facts:"),
            ("heading", "## Opening hours"),
            ("heading", "| Ticket | Price |"),
            ("courtesy", "Let me know if you have any other questions!"),
        ]

    def test_says_where_each_piece_stands(self):
        assert all(ANSWER[s.start : s.end] == s.text for s in split_text(ANSWER))


class TestLines:
    @cases("statements: each layout is taken apart")
    def test_each_layout_is_taken_apart(self, text, statements):
        assert list(split_sentences(text)) == statements

    def test_wrapped_by_a_program_are_one(self):
        text = "The lighthouse on Skerry Point was built by an engineer from\nOslo, whose name was Marsh, and\nopened."
        assert split_sentences(text) == (text,)


class TestHeadings:
    @pytest.mark.parametrize(
        "text", ["# Opening hours", "**Opening hours:**", "__Opening hours__", "Opening hours\n===="]
    )
    def test_state_nothing(self, text):
        assert split_sentences(text) == ()

    @pytest.mark.parametrize("text", ["# The tower opens at 9.", "**The tower opens at 9.**"])
    def test_that_end_as_a_sentence_are_one(self, text):
        assert split_sentences(text) == (text,)


class TestLists:
    @pytest.mark.parametrize(
        "text", ["12. Mai 1874 war ein Sonntag.", "1. Mai 1874 war ein Freitag.", "2024. was a good year."]
    )
    def test_a_number_that_does_not_count_stays(self, text):
        assert split_sentences(text)[0].startswith(text.split(" ")[0])


class TestCourtesies:
    @cases("statements: state nothing")
    def test_state_nothing(self, text):
        assert kinds(text) == [("courtesy", text)]

    @cases("statements: what states something is none")
    def test_what_states_something_is_none(self, text):
        assert split_sentences(text) == (text,)


class TestNothingToState:
    @pytest.mark.parametrize("text", ["", " \n\t", "...", "***", "— — —", "🙂"])
    def test_gives_no_statement(self, text):
        assert split_statements(text) == ()


LAYOUT = st.sampled_from(
    [
        *" \n.!?。*#>|`~:-=_[]()“”abXДя中ก12",
        "\n\n",
        "```",
        "\n- ",
        "\n1. ",
        "\n2. ",
        "| a |\n|---|\n",
        "\n> ",
        "here are:",
        "---\n",
        "Title",
    ]
)


@given(st.one_of(st.text(), st.lists(LAYOUT).map("".join)))
def test_the_pieces_hold_all_but_white_space_once(text):
    place = 0
    for segment in split_text(text):
        assert segment.start >= place
        assert text[segment.start : segment.end] == segment.text == segment.text.strip() != ""
        assert not text[place : segment.start].strip()
        place = segment.end
    assert not text[place:].strip()


@given(st.one_of(st.text(), st.lists(LAYOUT).map("".join)))
def test_every_letter_is_in_a_statement_or_in_what_is_left_out_by_name(text):
    kept = "".join(segment.text for segment in split_text(text) if segment.kind in ("sentence", "row", "code"))
    left_out = "".join(s.text for s in split_text(text) if s.kind in ("heading", "courtesy", "marker"))
    letters = sorted(c for c in text if unicodedata.category(c)[0] == "L")
    assert sorted(c for c in kept + left_out if unicodedata.category(c)[0] == "L") == letters
    assert [segment.text for segment in split_statements(text)] == list(split_sentences(text))
