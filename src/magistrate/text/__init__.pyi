# The names and their homes: what `__init__.py` loads on first use.

from magistrate.text._blocks import Block as Block, blocks as blocks
from magistrate.text._fold import fold as fold, fold_token as fold_token
from magistrate.text._language import chinese_variant as chinese_variant, detect_language as detect_language
from magistrate.text._language import main_script as main_script, may_be as may_be
from magistrate.text._names import read_names as read_names
from magistrate.text._numbers import Number as Number, plain_digits as plain_digits, read_numbers as read_numbers
from magistrate.text._phrases import is_about_the_source as is_about_the_source
from magistrate.text._phrases import says_what_is_missing as says_what_is_missing
from magistrate.text._quotes import NEAR as NEAR, locate_quote as locate_quote, locate_quotes as locate_quotes
from magistrate.text._sentences import CITED as CITED, sentence_spans as sentence_spans
from magistrate.text._statements import Segment as Segment, SegmentKind as SegmentKind
from magistrate.text._statements import find_statement as find_statement, sentences_outside as sentences_outside
from magistrate.text._statements import split_sentences as split_sentences, split_statements as split_statements
from magistrate.text._statements import split_text as split_text
from magistrate.text._terms import stem as stem
from magistrate.text._terms import content_terms as content_terms, denial_words as denial_words, denies as denies
from magistrate.text._terms import ordered_terms as ordered_terms, stop_words as stop_words, text_runs as text_runs
from magistrate.text._tokens import Token as Token, dense_characters as dense_characters, is_dense as is_dense
from magistrate.text._tokens import token_runs as token_runs, token_spans as token_spans, token_texts as token_texts

__all__: list[str]
