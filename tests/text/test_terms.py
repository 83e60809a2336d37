import tomllib
import unicodedata
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import (
    content_terms,
    denies,
    find_statement,
    fold,
    main_script,
    ordered_terms,
    read_names,
    split_statements,
    stem,
    stop_words,
    text_runs,
    token_runs,
    token_spans,
    token_texts,
)
from magistrate.text._fold import EAST_ASIAN, all_words, entry, languages, words

cases = cases_of(__file__)


class TestStem:
    @cases("terms: forms of a word have one stem")
    def test_forms_of_a_word_have_one_stem(self, forms):
        assert len({stem(run) for run in text_runs(forms)}) == 1

    @pytest.mark.parametrize(
        ("one", "other"), [("harbour", "harvest"), ("ship", "shop"), ("1874", "1875"), ("маяк", "море")]
    )
    def test_other_words_have_another(self, one, other):
        assert stem(one) != stem(other)

    @given(st.text(min_size=1))
    def test_a_stem_is_never_empty(self, text):
        assert all(stem(run) for run in text_runs(text))


class TestContentTerms:
    @cases("terms: have content")
    def test_have_content(self, language, text, terms):
        assert content_terms(text_runs(text), language) == terms

    def test_leave_out_words_without_content(self):
        assert content_terms(text_runs("The lamp of the lighthouse is on."), "en") == ["lamp", stem("lighthouse")]

    def test_write_a_number_in_one_way(self):
        assert content_terms(text_runs("1,250 paintings"), "en") == content_terms(text_runs("1250 paintings"), "en")

    def test_of_an_unknown_language_leave_out_the_words_of_all(self):
        assert content_terms(text_runs("der Hafen of the city")) == content_terms(text_runs("Hafen city"))

    @given(st.text())
    def test_are_among_all_terms(self, text):
        runs = text_runs(text)
        assert set(content_terms(runs)) <= set(ordered_terms(runs))
        assert bool(runs) == bool(content_terms(runs))


class TestDenies:
    @cases("terms: sees a denial")
    def test_sees_a_denial(self, language, text):
        assert denies(text_runs(text), language)

    @cases("terms: sees none where none is")
    def test_sees_none_where_none_is(self, language, text):
        assert not denies(text_runs(text), language)


def test_stop_words_of_a_language_without_a_list_are_none():
    assert stop_words("xx") == frozenset()


def names(text, language="en"):
    return read_names(text, main_script(text), language)


class TestInScriptsWithCapitals:
    @cases("names: are capitalised words inside a sentence")
    def test_are_capitalised_words_inside_a_sentence(self, text, expected):
        assert names(text) == expected

    @cases("names: in every language and script")
    def test_in_every_language_and_script(self, language, text, expected):
        assert names(text, language) == expected


@given(st.text())
def test_any_text_is_read_without_error(text):
    found = names(text, None)
    assert len(found) == len(set(found))


READ = ("en", "es", "de", "fr", "it", "pt", "ru", "ar", "hi", "zh", "ja", "ko")
FILES = {path.name: path for path in (files("magistrate.text") / "data").iterdir() if path.name.endswith(".toml")}


def shape(value):
    """The keys of a table with the types of what they hold, all the way down."""
    return {key: shape(item) for key, item in value.items()} if isinstance(value, dict) else type(value)


def test_every_language_has_the_same_keys():
    shapes = {name: shape(tomllib.loads(path.read_text(encoding="utf-8"))) for name, path in FILES.items()}
    assert {name for name, found in shapes.items() if found != shapes["en.toml"]} == set()


def test_a_language_whose_texts_are_read_lacks_none_of_what_reading_takes():
    keys = ("stop_words", "negations", *(f"courtesies.{part}" for part in ("whole", "openings", "leads")))
    keys += tuple(f"abstention.{part}" for part in ("sources", "denials", "phrases"))
    assert [(code, key) for code in READ for key in keys if not entry(code, key)] == []
    assert [code for code in set(languages()) - set(READ) if not words(code, "hints")] == []


def test_words_are_folded_and_each_says_its_number_once():
    assert all(fold(word) == word for word in all_words("stop_words") | all_words("negations"))
    for code in languages():
        values = [line.split()[0] for line in entry(code, "numbers.words").splitlines() if line]
        assert values == sorted(set(values), key=float)


def test_strings_of_scripts_without_spaces_are_no_words():
    assert not any(words(code, "stop_words") <= all_words("stop_words") for code in EAST_ASIAN)


def test_an_unknown_language_has_no_words():
    assert words("tlh", "stop_words") == words(None, "abstention.sources") == frozenset()


class TestTokenTexts:
    @cases("tokens: in any script")
    def test_in_any_script(self, text, tokens):
        assert token_texts(text) == tokens

    def test_no_mark_is_torn_from_its_letter(self):
        for text in ("हिन्दी", "বাংলা", "தமிழ்", "مُدَرِّس", "क़लम", "naïve", "e\u0301te\u0301"):
            assert len(token_spans(text)) == 1, text


class TestTokenSpans:
    def test_say_where_the_text_has_them(self):
        text = "Die Gebühr: １２,５０ € — «sofort»!"
        assert [text[t.start : t.end] for t in token_spans(text)] == ["Die", "Gebühr", "１２,５０", "€", "sofort"]

    def test_can_be_asked_for_a_part(self):
        assert [token.text for token in token_spans("a b c d", 1, 3)] == ["b", "c"]

    @given(st.text())
    def test_are_the_token_texts_with_places(self, text):
        spans = token_spans(text)
        assert [token.text for token in spans] == token_texts(text)
        assert all(token.start < token.end for token in spans)
        assert all(one.end <= other.start for one, other in pairwise(spans))

    @given(st.text())
    def test_hold_every_letter_and_digit(self, text):
        outside = list(text)
        for token in token_spans(text):
            outside[token.start : token.end] = " " * (token.end - token.start)
        assert not [c for c in outside if unicodedata.category(c) in {"Lu", "Ll", "Lo", "Nd"}]

    @given(st.text())
    def test_no_token_holds_a_space(self, text):
        assert all(token and " " not in token for token in token_texts(text) if token_texts(text))


class TestTokenRuns:
    def test_keep_runs_of_scripts_without_spaces_whole(self):
        assert token_runs("灯塔 built 등대ที่นี่") == ["灯塔", "built", "등대ที่นี่"]

    def test_keep_thousands_set_apart_by_spaces_together(self):
        assert token_runs("1 234 567 visitors") == ["1 234 567", "visitors"]
        assert token_runs("in 1874 300 men") == ["in", "1874", "300", "men"]

    @given(st.text())
    def test_cover_what_tokens_cover(self, text):
        folded = fold(text)
        letters = "".join(token_runs(folded)).replace(" ", "")
        assert letters == "".join(token_texts(folded))


ANSWER = (
    "The lighthouse on Skerry Point was built in 1874 by Helen Marsh. It is 42 metres tall and not open in winter. "
    "Her brother, the painter Tom Marsh, kept the lamp for thirty years."
)


def found(statement, answer=ANSWER):
    place = find_statement(statement, answer)
    return None if place is None else answer[place[0] : place[1]]


class TestWordByWord:
    @cases("find: is found where it stands")
    def test_is_found_where_it_stands(self, statement):
        assert found(statement) == "It is 42 metres tall"

    def test_in_a_script_without_spaces(self):
        assert found("灯塔 高42米", "斯凯里角的灯塔高４２米，很漂亮。") == "灯塔高４２米"

    def test_is_not_found_inside_longer_words(self):
        assert found("rank", "The franking machine broke.") is None


class TestRephrased:
    @cases("find: is found in the sentences that hold it")
    def test_is_found_in_the_sentences_that_hold_it(self, statement, sentence):
        assert sentence in found(statement)

    @cases("find: in any language")
    def test_in_any_language(self, answer, statement):
        assert find_statement(statement, answer) == (0, len(answer))


class TestWhatTheAnswerDoesNotSay:
    @cases("find: is not found")
    def test_is_not_found(self, statement):
        assert found(statement) is None

    def test_in_an_empty_answer_nothing_is_found(self):
        assert find_statement("The lighthouse is tall.", "") is None


@given(st.text(), st.text())
def test_any_texts_give_a_place_in_the_answer_or_none(statement, answer):
    place = find_statement(statement, answer)
    assert place is None or 0 <= place[0] < place[1] <= len(answer)


@given(
    st.lists(st.sampled_from(["The lamp is lit. ", "灯塔很高。", "Он ушёл. ", "It fell in 1874. ", "\n- Dogs "])).map(
        "".join
    )
)
def test_every_statement_of_an_answer_is_found_in_it(answer):
    assert all(find_statement(statement.text, answer) is not None for statement in split_statements(answer))
