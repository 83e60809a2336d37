"""From measured words to verdicts: what can be judged by words at all, how sure that is, and what to show for it."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from magistrate.judges.lexical._measures import CHINESE_FROM, Grounding, ReadContexts, ReadText, ground, read_text
from magistrate.judges.lexical._quoting import best_quote
from magistrate.text import (
    CITED,
    chinese_variant,
    content_terms,
    denies,
    detect_language,
    fold_token,
    is_about_the_source,
    is_dense,
    may_be,
    ordered_terms,
    read_numbers,
    split_text,
    stop_words,
    text_runs,
)
from magistrate.verdict import Evidence, Issue, IssueCode, Scale, StatementVerdict, Verdict

_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_SHOWN: Final = 6
# Words of a statement that a quote is chosen by.
_MOST_WORDS: Final = 100
# In another script, a statement whose language is not clear is a list of names: it is judged if the contexts hold most.
_NAMES_SHARE: Final = 0.5
# A context of fewer words in another language is a reference or a title, not a place that may hold the statement.
_PASSAGE: Final = 25
_LANGUAGES: Final = dict(
    name.split("=")
    for name in (
        "ar=Arabic bg=Bulgarian cs=Czech da=Danish de=German en=English es=Spanish fa=Persian fi=Finnish fr=French "
        "hi=Hindi hu=Hungarian id=Indonesian it=Italian ja=Japanese ko=Korean mr=Marathi nl=Dutch pl=Polish "
        "pt=Portuguese ro=Romanian ru=Russian sv=Swedish th=Thai tr=Turkish uk=Ukrainian ur=Urdu vi=Vietnamese "
        "zh=Chinese"
    ).split()
)


# Log-odds of "supported", fitted by benchmarks/fit_grounding.py on labelled sets, each set with the same weight and
# within it each label with the same: the probability is the one where supported and not are equally likely beforehand.
INTERCEPT: Final = -3.50
WEIGHTS: Final = (3.31, 1.60, -0.66, -0.32, 1.00, 0.15)
"""Of coverage, order, a missing number, a missing name, likeness letter by letter, shared runs of four letters
(`measures`). The last two are held below what fits best: more of them takes small edits of a true sentence for support.
"""

THRESHOLD: Final = 0.5
"""P(supported) from which on a statement is called supported."""

UNSURE: Final = (0.30, 0.65)
"""P(supported) in this band is flagged `low-confidence`.

On the sets it was fitted to, 31 % of the claims fall into the band, and the verdict there is right 57 times in 100;
outside it 77 times.
"""


def measures(grounding: Grounding) -> tuple[float, float, float, float, float, float]:
    """What the log-odds are linear in: coverage, order, a number missing, a name missing, likeness, shared runs.

    Order counts only where no number and no name is missing: "opened in 1987" and "opened in 1978" agree in all but
    what matters, and measured they are supported no more often than a statement that shares half its words.
    """
    number, name = bool(grounding.missing_numbers), bool(grounding.missing_names)
    order = 0.0 if number or name else grounding.order
    return grounding.coverage, order, float(number), float(name), grounding.alike, grounding.grams


def probability(grounding: Grounding) -> float:
    """P(supported) in (0, 1) for a measured statement, where supported and not are equally likely beforehand."""
    odds = INTERCEPT + sum(weight * value for weight, value in zip(WEIGHTS, measures(grounding), strict=True))
    return 1.0 / (1.0 + math.exp(-odds))


def judge_statements(statements: Sequence[str], contexts: ReadContexts, scale: Scale) -> Iterator[StatementVerdict]:
    fields: dict[str, Any]
    for index, (statement, read) in enumerate(zip(statements, _read(statements, contexts), strict=True)):
        why = _unfit(statement, read, contexts)
        fields = {"issues": [why]} if why is not None else _judged(read, contexts, scale)
        issues = tuple(Issue(code, message, index) for code, message in fields.pop("issues"))
        yield StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, issues=issues, **fields)


def measure(statements: Sequence[str], contexts: ReadContexts) -> list[Grounding | None]:
    """The measures behind the verdicts, for calibration; None for a statement that words cannot judge."""
    return [
        ground(read.text, read.language, contexts) if _unfit(statement, read, contexts) is None else None
        for statement, read in zip(statements, _read(statements, contexts), strict=True)
    ]


class _Statement(NamedTuple):
    """A statement, read: its sentences, all of it, and its language, from the others where it is too short to tell."""

    sentences: list[str]
    text: ReadText
    language: str | None


def _read(statements: Sequence[str], contexts: ReadContexts) -> list[_Statement]:
    pieces = (split_text(CITED.sub(" ", statement)) for statement in statements)
    cleaned = [[one.text for one in found if one.kind not in ("marker", "courtesy")] for found in pieces]
    texts = [read_text(" ".join(sentences)) for sentences in cleaned]
    unclear = {text.script for text in texts if text.language is None}
    together = [run for text in texts for run in text.runs] if unclear else []
    shared = {script: detect_language(script, together) for script in unclear - {"han"}}
    if (
        sum(len(run) for text in texts if text.script == "han" for run in text.runs) >= CHINESE_FROM
        and "kana" not in shared
    ):
        shared["han"] = "zh"
    read = []
    for sentences, text in zip(cleaned, texts, strict=True):
        # A statement too short to tell its language is in that of the others, or of the contexts, if it may be.
        others = (shared.get(text.script), *(c.language for c in contexts.texts.values() if c.script == text.script))
        language = text.language or next((o for o in others if o and may_be(o, text.script, text.runs)), None)
        read.append(_Statement(sentences, text, language))
    return read


def _unfit(statement: str, read: _Statement, contexts: ReadContexts) -> tuple[IssueCode, str] | None:
    """Why words cannot tell whether a statement is supported; None where they can."""
    sentences, text, language = read
    if not text.runs:
        if any(map(str.isalnum, statement)):
            return IssueCode.MISSING_VERDICT, "a courtesy, a mark of citation or a numbering states nothing to judge"
        return IssueCode.BLANK_STATEMENT, "the statement holds no words"
    runs_of = [text.runs] if len(sentences) == 1 else map(text_runs, sentences)
    if any(is_about_the_source(runs, language) for runs in runs_of):
        message = "it says what the source lacks or what its speaker does not know, which words in common cannot show"
        return IssueCode.MISSING_VERDICT, message
    if any(_comparable(text, language, context) for context in contexts.texts.values()):
        return None
    terms = frozenset(content_terms(text.runs))
    if language is None and len(terms & contexts.held) >= _NAMES_SHARE * len(terms):
        return None
    return IssueCode.LANGUAGE_MISMATCH, _mismatch(text, language, contexts)


def _comparable(text: ReadText, language: str | None, context: ReadText) -> bool:
    """Whether a statement and a context are in one language, as far as one can tell."""
    if text.script is None or context.script is None:
        return True
    if text.script != context.script:
        han_language = language if text.script == "han" else context.language
        return {text.script, context.script} == {"han", "kana"} and han_language is None
    if text.script == "han":
        variants = {chinese_variant(text.text), chinese_variant(context.text)} - {None}
        return len(variants) < 2  # noqa: PLR2004 - both and different
    if language is None and context.language is not None:
        return may_be(context.language, text.script, text.runs)
    return context.language is None or language == context.language


def _mismatch(text: ReadText, language: str | None, contexts: ReadContexts) -> str:
    others = dict.fromkeys(_called(context, context.language) for context in contexts.texts.values())
    return f"the statement is in {_called(text, language)}, the contexts are in {', '.join(others)}"


def _called(text: ReadText, language: str | None) -> str:
    if text.script == "han":
        variant = chinese_variant(text.text)
        return {"hant": "traditional Chinese", "hans": "simplified Chinese"}.get(variant or "", "Chinese")
    return _LANGUAGES.get(language or "", f"an unknown language in {text.script} script")


def _judged(read: _Statement, contexts: ReadContexts, scale: Scale) -> dict[str, Any]:
    _, text, language = read
    grounding = ground(text, language, contexts)
    chance = probability(grounding)
    supported = chance >= THRESHOLD
    if not supported and _elsewhere(read, contexts):
        message = f"{_mismatch(text, language, contexts)}: one in another language may hold it"
        return {"issues": [(IssueCode.LANGUAGE_MISMATCH, message)]}
    wanted = [Verdict.SUPPORTED] if supported else [Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED]
    verdict = next((one for one in wanted if one in scale.verdicts), None)  # never `contradicted`
    if verdict is None:
        message = f"the scale {scale.name!r} offers no {' or '.join(wanted)} to say it with"
        return {"issues": [(IssueCode.MISSING_VERDICT, message)], "probability": chance}
    best, quote = grounding.best, None
    if best is not None:
        quote = best_quote(_content(text, language), contexts.texts[best].text, best)
    return {
        "verdict": verdict,
        "probability": chance,
        "reason": _reason(text, grounding),
        "evidence": () if quote is None else (quote,),
        "issues": [(IssueCode.LOW_CONFIDENCE, why) for why in _doubts(chance, read, quote)],
    }


def _elsewhere(read: _Statement, contexts: ReadContexts) -> bool:
    return any(
        len(context.runs) >= _PASSAGE and not _comparable(read.text, read.language, context)
        for context in contexts.texts.values()
    )


def _content(text: ReadText, language: str | None) -> list[str]:
    """The words of a statement that carry content, and the pairs of characters of those written without spaces."""
    stop = stop_words(language)
    words = [run for run in text.runs if run not in stop and not is_dense(run)]
    pairs = [pair for run in text.runs if is_dense(run) for pair in ordered_terms([run])]
    return list(dict.fromkeys([*words, *pairs]))[:_MOST_WORDS]


def _doubts(chance: float, read: _Statement, quote: Evidence | None) -> Iterator[str]:
    if UNSURE[0] <= chance <= UNSURE[1]:
        yield f"P(supported) is {chance:.2f}: the words in common do not settle it"
    if chance < THRESHOLD or quote is None:
        return
    _, text, language = read
    quoted = text_runs(quote.quote)
    if denies(text.runs, language) != denies(quoted, language):
        yield "only one of the statement and the quoted sentence denies something: they may contradict each other"
    numbers = read_numbers(text.runs)
    if numbers and len(read.sentences) == 1:
        there = frozenset().union(*read_numbers(quoted, offered=True))
        if any(number.isdisjoint(there) for number in numbers):
            yield "a number of the statement stands elsewhere in the contexts than the rest of it"


def _reason(text: ReadText, grounding: Grounding) -> str:
    parts = [f"{grounding.held} of the statement's {grounding.terms} terms stand in the contexts"]
    names = [_as_written(text.text, name) for name in grounding.missing_names[: _MOST_SHOWN + 1]]
    for what, missing in (("numbers", grounding.missing_numbers), ("names", names), ("words", grounding.missing_words)):
        if missing:
            more = ", ..." if len(missing) > _MOST_SHOWN else ""
            parts.append(f"{what} not there: {', '.join(missing[:_MOST_SHOWN])}{more}")
    return "; ".join(parts)


def _as_written(text: str, name: str) -> str:
    return next((m.group() for m in _WORD.finditer(text) if fold_token(m.group()) == name), name)
