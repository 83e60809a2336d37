from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import sentence_spans

cases = cases_of(__file__)


def sentences(text):
    return [text[start:end] for start, end in sentence_spans(text)]


def parts(*expected):
    """The sentences, and the text they make with a space between them."""
    return " ".join(expected), list(expected)


class TestFullStops:
    @cases("sentences: in english")
    def test_in_english(self, text, expected):
        assert sentences(text) == expected

    @cases("sentences: in other languages")
    def test_in_other_languages(self, text, expected):
        assert sentences(text) == expected

    def test_in_a_text_without_capitals(self):
        text, expected = parts("the ferry left .", "the gulls stayed at e.g. the pier .", "fine .")
        assert sentences(text) == expected


class TestOtherStops:
    @cases("sentences: end sentences")
    def test_end_sentences(self, text, expected):
        assert sentences(text) == expected

    def test_thai_has_none_but_spaces(self):
        first, second = "ประภาคารนี้สร้างขึ้นเมื่อนานมาแล้วโดยวิศวกร", "โคมไฟมองเห็นได้จากระยะไกลมาก"
        assert sentences(f"{first} {second}") == [first, second]

    def test_a_space_around_a_number_or_before_a_connective_is_no_end_in_thai(self):
        text = "ประภาคารนี้สร้างขึ้นเมื่อปี 1874 โดยวิศวกรชื่อดังของเมืองท่า และ มีความสูงมาก"
        assert sentences(text) == [text]


class TestWhatStaysWithASentence:
    @cases("sentences: its marks of citation")
    def test_its_marks_of_citation(self, text):
        assert sentences(text)[1] == "It fell."

    def test_its_closing_marks(self):
        assert sentences('(It rose.) **It fell.** "It lay."') == ["(It rose.)", "**It fell.**", '"It lay."']


PIECES = st.sampled_from(
    [
        *" \n\t.!?。！，؟।…\"')]»”*abcXYZДя中かก1290-",
        "Dr. ",
        "e.g. ",
        "[1]",
        "...",
        "U.S. ",
        "12. Mai ",
        "No. ",
        "http://a.b/c ",
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_sentences_hold_all_but_white_space_once(text):
    place = 0
    for start, end in sentence_spans(text):
        assert place <= start < end
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip()
        place = end
    assert not text[place:].strip()


@given(st.lists(PIECES).map("".join), st.integers(0, 20), st.integers(0, 20))
def test_a_part_of_a_text_is_split_without_looking_beyond_it(text, low, size):
    low, high = min(low, len(text)), min(low + size, len(text))
    assert all(low <= start < end <= high for start, end in sentence_spans(text, low, high))
