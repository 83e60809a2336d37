"""Terms: what texts are compared by, in any script.

    runs = text_runs("Die Gebühr beträgt 1.250 €.")
    content_terms(runs, "de"), read_numbers(runs)

The parts: `fold` (one form for what is written in many), `token_spans` and `token_runs` (tokens, with or without their
places), `content_terms` (stems, pairs of characters), `read_numbers` (numbers by value), `read_names`, `main_script`
and `detect_language`. All are pure, total and linear in the length of the text.
"""

from __future__ import annotations

from magistrate.terms.content import content_terms, denial_words, denies, ordered_terms, stop_words
from magistrate.terms.fold import fold, fold_token
from magistrate.terms.language import detect_language, main_script, may_be
from magistrate.terms.names import read_names
from magistrate.terms.numbers import Number, plain_digits, read_numbers
from magistrate.terms.stems import stem
from magistrate.terms.tokens import Token, dense_characters, is_dense, token_runs, token_spans, token_texts
from magistrate.terms.variants import chinese_variant

__all__ = [
    "Number",
    "Token",
    "chinese_variant",
    "content_terms",
    "denial_words",
    "denies",
    "dense_characters",
    "detect_language",
    "fold",
    "fold_token",
    "is_dense",
    "main_script",
    "may_be",
    "ordered_terms",
    "plain_digits",
    "read_names",
    "read_numbers",
    "stem",
    "stop_words",
    "text_runs",
    "token_runs",
    "token_spans",
    "token_texts",
]


def text_runs(text: str) -> list[str]:
    """The runs of a text as it is: `fold`, `plain_digits` and `token_runs` in one.

    Args:
        text: Any text, not folded.
    """
    return token_runs(plain_digits(fold(text)))
