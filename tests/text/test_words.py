"""The words of the languages are data: one file a language, all alike, so that one that lacks something is seen."""

import tomllib
from importlib.resources import files

import pytest

from magistrate.text.fold import fold
from magistrate.text.words import EAST_ASIAN, all_words, entry, languages, words

READ = ("en", "es", "de", "fr", "it", "pt", "ru", "ar", "hi", "zh", "ja", "ko")
FILES = {path.name: path for path in (files("magistrate.text") / "data").iterdir() if path.name.endswith(".toml")}


def shape(value):
    """The keys of a table with the types of what they hold, all the way down."""
    return {key: shape(item) for key, item in value.items()} if isinstance(value, dict) else type(value)


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_language_has_the_same_keys(name):
    found = tomllib.loads(FILES[name].read_text(encoding="utf-8"))
    assert shape(found) == shape(tomllib.loads(FILES["en.toml"].read_text(encoding="utf-8")))


@pytest.mark.parametrize("code", READ)
@pytest.mark.parametrize(
    "key", ["stop_words", "negations", "courtesies.whole", "courtesies.openings", "courtesies.leads",
            "abstention.sources", "abstention.denials", "abstention.phrases"]
)  # fmt: skip
def test_a_language_whose_texts_are_read_lacks_none_of_what_reading_takes(code, key):
    assert entry(code, key)


@pytest.mark.parametrize("code", sorted(set(languages()) - set(READ)))
def test_a_language_that_is_only_told_apart_has_words_that_tell_it(code):
    assert words(code, "hints")


def test_words_are_folded_and_each_says_its_number_once():
    assert all(fold(word) == word for word in all_words("stop_words") | all_words("negations"))
    for code in languages():
        values = [line.split()[0] for line in entry(code, "numbers.words").splitlines() if line]
        assert values == sorted(set(values), key=float)


def test_strings_of_scripts_without_spaces_are_no_words():
    assert not any(words(code, "stop_words") <= all_words("stop_words") for code in EAST_ASIAN)


def test_an_unknown_language_has_no_words():
    assert words("tlh", "stop_words") == words(None, "abstention.sources") == frozenset()
