"""What texts are compared by, in any script: tokens, terms, numbers, names, sentences, quotes.

    runs = text_runs("Die Gebühr beträgt 1.250 €.")
    content_terms(runs, "de"), read_numbers(runs)

    for statement in split_statements(answer):
        answer[statement.start : statement.end] == statement.text

The parts: `fold` (one form for what is written in many), `token_spans` and `token_runs` (tokens, with or without their
places), `content_terms` (stems, pairs of characters), `read_numbers` (numbers by value), `read_names`, `main_script`
and `detect_language`; `split_text` (every piece of an answer with its kind), `split_statements` (those that state
something), `find_statement` (a judge's statement in the answer), `locate_quotes` (a judge's quotes in the contexts).
All are pure, total and linear in the length of the text. The words of a language stand in data/<language>.toml.
"""

from magistrate.text._blocks import Block, blocks
from magistrate.text._fold import fold, fold_token
from magistrate.text._language import chinese_variant, detect_language, main_script, may_be
from magistrate.text._names import read_names
from magistrate.text._numbers import Number, plain_digits, read_numbers
from magistrate.text._phrases import is_about_the_source
from magistrate.text._quotes import NEAR, locate_quote, locate_quotes
from magistrate.text._sentences import sentence_spans
from magistrate.text._statements import (
    Segment,
    SegmentKind,
    find_statement,
    sentences_outside,
    split_sentences,
    split_statements,
    split_text,
)
from magistrate.text._stems import stem
from magistrate.text._terms import content_terms, denial_words, denies, ordered_terms, stop_words, text_runs
from magistrate.text._tokens import Token, dense_characters, is_dense, token_runs, token_spans, token_texts

__all__ = [
    "NEAR",
    "Block",
    "Number",
    "Segment",
    "SegmentKind",
    "Token",
    "blocks",
    "chinese_variant",
    "content_terms",
    "denial_words",
    "denies",
    "dense_characters",
    "detect_language",
    "find_statement",
    "fold",
    "fold_token",
    "is_about_the_source",
    "is_dense",
    "locate_quote",
    "locate_quotes",
    "main_script",
    "may_be",
    "ordered_terms",
    "plain_digits",
    "read_names",
    "read_numbers",
    "sentence_spans",
    "sentences_outside",
    "split_sentences",
    "split_statements",
    "split_text",
    "stem",
    "stop_words",
    "text_runs",
    "token_runs",
    "token_spans",
    "token_texts",
]
