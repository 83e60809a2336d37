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

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
