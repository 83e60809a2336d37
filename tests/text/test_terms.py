import tomllib
import unicodedata
from importlib.resources import files
from itertools import pairwise

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


@cases("fold: what folds together and what stays apart")
def test_what_folds_together_and_what_stays_apart(one, other, same):
    assert (fold(one) == fold(other)) is same


@given(st.text(), st.text(st.characters(codec="ascii")))
def test_folding_twice_changes_nothing_and_the_short_way_for_ascii_gives_the_same(text, ascii_text):
    assert fold(fold(text)) == fold(text)
    assert fold(ascii_text + "é") == fold(ascii_text) + "é"


@cases("terms: stems")
def test_forms_of_a_word_have_one_stem_and_other_words_another(forms, stems):
    assert len({stem(run) for run in text_runs(forms)}) == stems


@cases("terms: have content")
def test_terms_have_content(language, text, terms):
    assert content_terms(text_runs(text), language) == terms


@given(st.text())
def test_content_terms_are_among_all_terms_and_a_stem_is_never_empty(text):
    runs = text_runs(text)
    assert set(content_terms(runs)) <= set(ordered_terms(runs))
    assert bool(runs) == bool(content_terms(runs))
    assert all(map(stem, runs))


@cases("terms: a denial is seen where one is")
def test_a_denial_is_seen_where_one_is(language, text, denied):
    assert denies(text_runs(text), language) is denied


@cases("names: inside a sentence in every language and script")
def test_names_are_capitalised_words_inside_a_sentence(language, text, expected):
    assert read_names(text, main_script(text), language) == expected


@given(st.text())
def test_names_of_any_text_are_read_without_error(text):
    found = read_names(text, main_script(text), None)
    assert len(found) == len(set(found))


class TestTheDataOfLanguages:
    READ = ("en", "es", "de", "fr", "it", "pt", "ru", "ar", "hi", "zh", "ja", "ko")

    def test_every_language_has_the_same_keys(self):
        def shape(value):
            """The keys of a table with the types of what they hold, all the way down."""
            return {key: shape(item) for key, item in value.items()} if isinstance(value, dict) else type(value)

        data = (files("magistrate.text") / "data").iterdir()
        tables = {path.name: path.read_text(encoding="utf-8") for path in data if path.name.endswith(".toml")}
        shapes = {name: shape(tomllib.loads(text)) for name, text in tables.items()}
        assert {name for name, found in shapes.items() if found != shapes["en.toml"]} == set()

    def test_a_language_whose_texts_are_read_lacks_none_of_what_reading_takes(self):
        keys = ("stop_words", "negations", *(f"courtesies.{part}" for part in ("whole", "openings", "leads")))
        keys += tuple(f"abstention.{part}" for part in ("sources", "denials", "phrases"))
        assert [(code, key) for code in self.READ for key in keys if not entry(code, key)] == []
        assert [code for code in set(languages()) - set(self.READ) if not words(code, "hints")] == []

    def test_words_are_folded_and_each_says_its_number_once(self):
        assert all(fold(word) == word for word in all_words("stop_words") | all_words("negations"))
        for code in languages():
            values = [line.split()[0] for line in entry(code, "numbers.words").splitlines() if line]
            assert values == sorted(set(values), key=float)

    def test_strings_of_scripts_without_spaces_are_no_words_and_an_unknown_language_has_none(self):
        assert not any(words(code, "stop_words") <= all_words("stop_words") for code in EAST_ASIAN)
        assert stop_words("xx") == words("tlh", "stop_words") == words(None, "abstention.sources") == frozenset()


class TestTokens:
    @cases("tokens: in any script")
    def test_in_any_script(self, text, tokens):
        assert token_texts(text) == tokens

    @cases("tokens: where they stand")
    def test_say_where_the_text_has_them_or_a_part_of_it(self, text, part, tokens):
        assert [text[token.start : token.end] for token in token_spans(text, *part)] == tokens

    @cases("tokens: runs")
    def test_runs_of_scripts_without_spaces_and_thousands_set_apart_stay_whole(self, text, runs):
        assert token_runs(text) == runs

    @given(st.text())
    def test_hold_every_letter_and_digit_in_order_and_no_space_and_runs_cover_the_same(self, text):
        spans, outside = token_spans(text), list(text)
        assert [token.text for token in spans] == token_texts(text)
        assert all(token.start < token.end and token.text and " " not in token.text for token in spans)
        assert all(one.end <= other.start for one, other in pairwise(spans))
        for token in spans:
            outside[token.start : token.end] = " " * (token.end - token.start)
        assert not [c for c in outside if unicodedata.category(c) in {"Lu", "Ll", "Lo", "Nd"}]
        folded = fold(text)
        assert "".join(token_runs(folded)).replace(" ", "") == "".join(token_texts(folded))


ANSWER = (
    "The lighthouse on Skerry Point was built in 1874 by Helen Marsh. It is 42 metres tall and not open in winter. "
    "Her brother, the painter Tom Marsh, kept the lamp for thirty years."
)


class TestAStatementInAnAnswer:
    @cases("find: where it stands and in the sentences that hold it")
    def test_is_found_where_it_stands_or_in_the_sentences_that_hold_it(self, statement, answer, found):
        answer = answer or ANSWER
        assert answer[slice(*find_statement(statement, answer))] == found

    @cases("find: is not found")
    def test_is_not_found_where_the_answer_does_not_say_it(self, statement, answer):
        assert find_statement(statement, ANSWER if answer is None else answer) is None

    @given(st.text(), st.text())
    def test_is_at_a_place_in_any_answer_or_none(self, statement, answer):
        place = find_statement(statement, answer)
        assert place is None or 0 <= place[0] < place[1] <= len(answer)

    @given(
        st.lists(st.sampled_from(["The lamp is lit. ", "灯塔很高。", "Он ушёл. ", "It fell in 1874. ", "\n- Dogs "]))
    )
    def test_of_the_answer_is_found_in_it(self, sentences):
        answer = "".join(sentences)
        assert all(find_statement(statement.text, answer) is not None for statement in split_statements(answer))
