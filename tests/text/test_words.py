"""The words of the languages are data: one file a language, all alike, so that one that lacks something is seen."""

import tomllib
from importlib.resources import files

from magistrate.text._fold import fold
from magistrate.text._words import EAST_ASIAN, all_words, entry, languages, words

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
