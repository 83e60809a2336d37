import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import NEAR, locate_quote, locate_quotes, sentence_spans, token_texts
from magistrate.verdict import Evidence

cases = cases_of(__file__)


@cases("sentences: in many languages")
def test_where_sentences_end(text, expected):
    assert [text[start:end] for start, end in sentence_spans(text)] == expected


PARTS = ("Dr. ", "e.g. ", "[1]", "...", "U.S. ", "12. Mai ", "No. ", "http://a.b/c ")
PIECES = st.sampled_from([*" \n\t.!?。！，؟।…\"')]»”*abcXYZДя中かก1290-", *PARTS])


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


class TestQuotes:
    @cases("quotes: are found verbatim and with something left out")
    def test_are_found_verbatim_and_with_something_left_out(self, quote, contexts, text):
        contexts = contexts or CONTEXTS
        found = locate_quote(quote, contexts)
        assert (found.quote, found.similarity) == (quote, 1.0)
        assert contexts[found.context][found.start : found.end] == text

    def test_are_found_in_the_first_context_that_holds_them_before_a_near_match(self):
        assert locate_quote("tall", ["short", "tall", "tall"]) == Evidence("tall", 1, 0, 4, 1.0)
        contexts = ["the old lamp was lit every single night", "The old lamp was lit every night."]
        assert locate_quote("The old lamp was lit every night", contexts).context == 1

    @cases("quotes: near ones have a similarity below one")
    def test_near_ones_have_a_similarity_below_one(self, quote):
        found = locate_quote(quote, CONTEXTS)
        assert found.found
        assert NEAR <= found.similarity < 1.0

    @cases("quotes: are not found")
    def test_are_not_found(self, quote, contexts):
        found = locate_quote(quote, CONTEXTS if contexts is None else contexts)
        assert not found.found
        assert (found.quote, found.start, found.end, found.similarity) == (quote, None, None, None)

    def test_several_are_found_as_each_alone(self):
        quotes = ["42 metres tall", "no such words here", "kostet 1.250 €"]
        assert locate_quotes(quotes, CONTEXTS) == tuple(locate_quote(quote, CONTEXTS) for quote in quotes)


WORDS = ["lamp", "is", "not", "lit", "42", "1,250", "Marsh", "灯塔", "高", "वह", "...", "…", "’s", " ", "\n", ",", "“"]
WORDS = st.lists(st.sampled_from(WORDS))
TEXTS = st.one_of(st.text(), WORDS.map(" ".join), WORDS.map("".join))


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
