import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import NEAR, locate_quote, locate_quotes, sentence_spans, token_texts
from magistrate.verdict import Evidence

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


CONTEXTS = (
    (
        "The lighthouse on Skerry Point was built in 1874 by Helen Marsh. It is 42 metres tall, and isn’t open in "
        "winter — except for   school classes."
    ),
    "斯凯里角的灯塔由工程师海伦·马什于1874年建造，高４２米。",
    "Der Leuchtturm kostet 1.250 € im Jahr; die Gemeinde zahlt die Hälfte.",
)


def found(quote, contexts=CONTEXTS):
    """The text a quote was found at, None where it was not."""
    evidence = locate_quote(quote, contexts)
    assert evidence.quote == quote
    if not evidence.found:
        assert (evidence.start, evidence.end, evidence.similarity) == (None, None, None)
        return None
    return contexts[evidence.context][evidence.start : evidence.end]


class TestAVerbatimQuote:
    @cases("quotes: is found whatever its case white space and marks")
    def test_is_found_whatever_its_case_white_space_and_marks(self, quote, text):
        assert found(quote) == text
        assert locate_quote(quote, CONTEXTS).similarity == 1.0

    def test_is_found_in_the_first_context_that_holds_it(self):
        assert locate_quote("tall", ["short", "tall", "tall"]) == Evidence("tall", 1, 0, 4, 1.0)

    def test_comes_before_a_near_match_in_an_earlier_context(self):
        contexts = ["the old lamp was lit every single night", "The old lamp was lit every night."]
        assert locate_quote("The old lamp was lit every night", contexts).context == 1

    @pytest.mark.parametrize("quote", ["ight", "Point was buil", "187", "250 €", "etres tall"])
    def test_is_not_found_inside_longer_words_and_numbers(self, quote):
        assert found(quote) is None


class TestAQuoteWithSomethingLeftOut:
    @cases("quotes: is found where its parts stand in order")
    def test_is_found_where_its_parts_stand_in_order(self, quote):
        assert found(quote) == CONTEXTS[0][: CONTEXTS[0].index(", and")]

    def test_spans_as_little_as_it_can(self):
        context = "the lamp is lit. Later the lamp is old and is lit at night."
        assert found("the lamp ... lit at night", [context]) == "the lamp is old and is lit at night"

    def test_in_chinese(self):
        assert found("斯凯里角的灯塔……于1874年建造") == "斯凯里角的灯塔由工程师海伦·马什于1874年建造"

    @cases("quotes: is not found out of order or across contexts or in crumbs")
    def test_is_not_found_out_of_order_or_across_contexts_or_in_crumbs(self, quote):
        assert found(quote) is None


class TestANearQuote:
    @cases("quotes: is found with a similarity below one")
    def test_is_found_with_a_similarity_below_one(self, quote):
        assert found(quote) is not None
        assert NEAR <= locate_quote(quote, CONTEXTS).similarity < 1.0

    @cases("quotes: is not found if a number a name or a denial differs")
    def test_is_not_found_if_a_number_a_name_or_a_denial_differs(self, quote):
        assert found(quote) is None

    @pytest.mark.parametrize("quote", ["The keeper painted the tower red", "in summer", "灯塔是红色的"])
    def test_is_not_found_if_it_differs_much_or_is_short(self, quote):
        assert found(quote) is None


class TestNothingToFind:
    @pytest.mark.parametrize("quote", ["", " \n", "...", "“”", "—"])
    def test_a_quote_without_words_is_not_found(self, quote):
        assert found(quote, ["... “” — x"]) is None

    def test_in_no_contexts_nothing_is_found(self):
        assert not locate_quote("tall", []).found
        assert not locate_quote("tall", ["", " "]).found


def test_several_quotes_are_found_as_each_alone():
    quotes = ["42 metres tall", "no such words here", "kostet 1.250 €"]
    assert locate_quotes(quotes, CONTEXTS) == tuple(locate_quote(quote, CONTEXTS) for quote in quotes)


WORDS = st.sampled_from(
    ["lamp", "is", "not", "lit", "42", "1,250", "Marsh", "灯塔", "高", "वह", "...", "…", "’s", " ", "\n", ",", "“"]
)
TEXTS = st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.lists(WORDS).map("".join))


@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_any_quote_is_found_at_a_place_in_a_context_or_flagged(quote, contexts):
    evidence = locate_quote(quote, contexts)
    if evidence.found:
        assert 0 <= evidence.start < evidence.end <= len(contexts[evidence.context])
        assert NEAR <= evidence.similarity <= 1.0


@given(TEXTS, st.data())
def test_whole_words_of_a_context_are_found_in_it(context, data):
    words = context.split(" ")
    low = data.draw(st.integers(0, len(words)))
    high = data.draw(st.integers(low, len(words)))
    quote = " ".join(words[low:high])
    assert locate_quote(quote, [context]).found == bool(token_texts(quote))


@pytest.mark.parametrize("unit", ["a ", "... ", "不", "lamp ... ", "1,", ".", "lit not "])
def test_a_long_monotonous_context_is_read_to_its_end(unit):
    # Anything but a linear search would not come back from this.
    context = unit * (60_000 // len(unit)) + " the lamp is lit"
    whole, other, last = locate_quotes([context, unit * 50 + " 1999", "lamp is lit"], [context])
    assert whole.found
    assert not other.found
    assert last.end == len(context)
