"""Verdicts in plain sentences on several statements: "The first is supported", "All but statement 3 are supported"."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.layouts.groups import numbers_of
from magistrate.parsing.layouts.single import predicate
from magistrate.parsing.layouts.view import View, item_names
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.languages import Sense, group, ranks
from magistrate.parsing.wording.patterns import Guarded, any_of, either, prose
from magistrate.verdict import IssueCode, Verdict

_SENTENCE: Final = re.compile(r"[^.!?。！？\n;]+(?:[.!?](?=\d)[^.!?\n;]*)*[.!?。！？;]?")
_MOST: Final = 400
_REASON: Final = re.compile(
    r"(?:by|in|from|as|because|since|given|per|according|based|(?:to|with)\s+the)\b", re.IGNORECASE
)


@cached
def _subjects() -> re.Pattern[str]:
    ordinal = any_of(tuple(ranks("ordinals")))
    join = either("prose", "and")
    number = rf"#?\d{{1,3}}(?:\s*(?:,|{join}|&)+\s*(?:(?:{item_names()})\s*)?#?\d{{1,3}}){{0,30}}"
    return re.compile(
        rf"(?:^|(?<=[,;]))[\s*_•-]*(?:(?:{either('prose', 'therefore', 'and', 'contrast')})\s*,?\s+)?"
        rf"(?:(?:the\s+)?(?P<ordinal>{ordinal})(?:\s+(?:one|{item_names()}))?"
        rf"|(?:the\s+)?(?:{item_names()})s?(?:\s+number)?\s*(?P<numbers>{number}))(?:\s*\([^()]{{0,200}}\))?\s*"
        rf"(?:,\s*)?(?:{either('prose', 'is')})\s+(?:(?:therefore|also|thus|hence|both|all|clearly)\s+)*",
        re.IGNORECASE,
    )


@cached
def _denied() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{either('prose', 'negation')})\b\s*(?:[,.;:(]|$|\b(?:{either('prose', 'because')})\b)", re.IGNORECASE
    )


def read_sentences(view: View) -> list[Answer]:
    """Sentences that name a statement by its number or rank and say what it is."""
    if view.count < 2:  # noqa: PLR2004
        return []
    rows: list[Candidate] = []
    for sentence, _ in zip(_SENTENCE.finditer(view.text), range(_MOST), strict=False):
        body, seen = sentence.group(), 0
        for match in _subjects().finditer(body):
            if prose("doubt").search(body[seen : match.start()]):
                break
            seen = match.start()
            said = predicate(body[match.end() :], view.words)
            if said is None and rows and _denied().match(body, match.end()):  # "1 is supported; 2 is not"
                yes = rows[-1].value is view.words.verdicts[Sense.YES]
                said = (view.words.verdicts[Sense.LACK] if yes else IssueCode.MISSING_VERDICT, 3)
            if said is None:
                continue
            clash = view.words.bears(body[match.end() :], said[0])
            value = IssueCode.CONFLICTING_VERDICTS if clash else said[0]
            begin = sentence.start() + match.start()
            span = (begin, sentence.end())
            if match["ordinal"]:
                rows.append(Candidate(value, body, span, ranks("ordinals")[match["ordinal"].lower()]))
            else:
                rows += [Candidate(value, body, span, number) for number in numbers_of(match["numbers"]) or ()]
    if not rows:
        return []
    spans = [row.span for row in rows if row.span is not None]
    return [Answer(rows, spans[0][0], max(end for _, end in spans), "sentences", orderly=False)]


@cached
def _quantified() -> Guarded:
    return Guarded([f"{word} " for word in group("prose", "every", "none")], _quantified_pattern)


def _quantified_pattern() -> re.Pattern[str]:
    count = rf"(?:(?:of\s+)?(?:the|these|those)\s+)?(?:(?P<count>\d{{1,4}}|{any_of(tuple(ranks('numbers')))})\s+)?"
    return re.compile(
        rf"^[\s*_•-]*(?:(?:{either('prose', 'therefore')})\s*,?\s+)?(?:(?P<every>{either('prose', 'every')})|"
        rf"(?P<none>{either('prose', 'none')}))\s+"
        rf"{count}(?P<item>(?:{item_names()})(?:s|es|n|en)?\s+)?"
        rf"(?:(?:{either('prose', 'is')}|can be)\s+)?(?P<rest>.*)$",
        re.IGNORECASE | re.DOTALL,
    )


@cached
def _exception() -> re.Pattern[str]:
    return re.compile(
        rf"[\s,(]+(?:{either('prose', 'except')})\s+(?:for\s+)?(?:(?:{item_names()})s?\s*)?"
        rf"(?P<numbers>#?\d{{1,3}}(?:\s*(?:,|[–-]|{either('prose', 'and', 'to')})+\s*#?\d{{1,3}})*)"
        rf"(?:\s*\([^()\d]{{0,200}}\))?(?:\W*$|\W{{0,3}}\s"
        rf"(?:which|that)\s+(?:{either('prose', 'is')})\s+(?P<other>.*))",
        re.IGNORECASE,
    )


def read_quantified(view: View) -> list[Answer]:
    """On all at once: "Both are supported", "None is supported", "All are supported except statement 3"."""
    if view.count < 2:  # noqa: PLR2004
        return []
    for sentence, _ in zip(_SENTENCE.finditer(view.text), range(_MOST), strict=False):
        match = _quantified().match(sentence.group())
        if match is None:
            continue
        rest = match["rest"]
        if match["none"] and not match["item"] and isinstance(view.words.whole(match["none"]), Verdict):
            continue  # "no yes" is two answers
        told = match["count"] or {"both": "2", "either": "2", "neither": "2", "each": ""}.get(
            match.group().split()[0].casefold(), ""
        )
        if told and (int(told) if told.isdigit() else ranks("numbers").get(told.casefold())) != view.count:
            return []  # "Both are supported", of three
        exception = _exception().search(rest)
        excepted = numbers_of(exception["numbers"]) if exception else []
        said = predicate(rest[: exception.start()] + "." if exception else rest, view.words)
        if said is None or not isinstance(said[0], Verdict) or excepted is None:
            return []
        behind = rest[said[1] :].strip(" .,!;:*_") if exception is None else ""
        if behind and (prose("except", "hedge").search(behind) or not _REASON.match(behind)):
            return []
        denial = view.words.verdicts[Sense.LACK]
        yes = said[0] is view.words.verdicts[Sense.YES]
        value: Verdict | IssueCode = said[0]
        if match["none"]:
            if not yes or excepted or re.match(r"\w+ly\b", rest):  # "none is fully supported"
                return []
            value = denial
        other: Verdict | IssueCode = denial if yes else IssueCode.MISSING_VERDICT
        if exception and exception["other"]:
            told_of = predicate(exception["other"], view.words)
            other = IssueCode.UNKNOWN_LABEL if told_of is None else told_of[0]
        span = (sentence.start(), sentence.end())
        rows = [Candidate(other if at in excepted else value, rest, span, at) for at in range(1, view.count + 1)]
        return [Answer(rows, *span, "sentences", orderly=False)]
    return []
