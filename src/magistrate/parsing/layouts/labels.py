"""The layouts of a label in text: in double brackets, behind a name, in a sentence, on a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts.choices import Choices
from magistrate.parsing.layouts.single import heading_pattern
from magistrate.parsing.layouts.view import BRACKETED, EMPHASIS, SingleLayout, matches, read_single_layouts
from magistrate.parsing.reply.masking import DATA, DROPPED
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.switches import cached, cached_for
from magistrate.parsing.wording.patterns import either, names, prose
from magistrate.parsing.wording.scales import hedges
from magistrate.verdict import IssueCode


def read_labels(text: str, choices: Choices, *, cut: bool) -> list[Candidate]:
    """The labels that a masked text gives."""
    return [one for _, one in read_single_layouts(LAYOUTS, text, choices, cut=cut)]


_FEW_WORDS: Final = 4


def _bracketed(text: str, choices: Choices) -> Iterator[Candidate]:
    """In double brackets, behind [RESULT], in a box."""
    for match in matches(BRACKETED, text):
        group = next(name for name in ("body", "result", "named", "box") if match[name])
        label = choices.find(match[group]) if group != "result" else choices.read(match[group])
        if label is None and group == "body":
            label = choices.find(match[group].split(":")[-1])
        if label is not None or group == "body":
            yield Candidate(label or IssueCode.UNKNOWN_LABEL, match[group], match.span(group))


@cached
def _headings() -> re.Pattern[str]:
    return heading_pattern(names("verdict", "answer", "winner"))


@cached_for(64)
def _named(label: str, lone: bool, flags: int) -> re.Pattern[str]:
    name = rf"(?:{names('verdict', 'answer', 'winner')}|final|score|label|correct)"
    noun = rf"(?:(?:{names('candidate')})\s+)?" if lone else ""
    own = either("prose", "own")
    return re.compile(
        rf"(?i:(?:^|(?<=[.!?;,。\n{DROPPED}{DATA}，：:#*_(]))[\s*_`\"'#>-]{{0,24}}+(?:"
        rf"(?:{either('prose', 'therefore')})\s*,?\s+(?:(?:{either('prose', 'is')})\s+)?)?(?:"
        rf"(?:{own})\s+){{0,2}}(?:correct\s+|right\s+)?"
        rf"{name}[*_`\"')]*(?:\s+\w{{1,12}}){{0,3}}?\s*(?:[:：=]|->|→|\b(?:{either('prose', 'is')})\b:?|は|是)"
        rf"[\s*_`\"'„“«(\[{{【$]*"
        rf"(?:(?:an?|the)\s+(?=\S{{2}}))?{noun}[*_`\"'“(\[]{{0,3}}){label}[*_`\"'”)\]]{{0,6}}"
        r"(?=[\s\x00]*(?:[.,;:!$\n()\]—–|。，；】」”“»\"'{✅✔❌✗🟢🔴👍👎-]|$|(?i:is\b|because\b|as\b|since\b)))",
        flags | re.MULTILINE,
    )


def _labelled(text: str, choices: Choices) -> Iterator[Candidate]:
    """Behind a name: "Verdict: A", "My final answer is (B)"."""
    for match in matches(_named(choices.label, choices.lone, int(choices.flags)), text):
        yield from _hit(match, text, choices)
    for heading in matches(_headings(), text):
        line = text[heading.end() :].split("\n", 1)[0]
        label = choices.read(line)
        if label is not None:
            yield Candidate(label, line, (heading.end(), heading.end() + len(line)))


@cached_for(64)
def _preferring(label: str, lone: bool, flags: int) -> re.Pattern[str]:
    noun = rf"(?:(?:the\s+)?(?:\w+\s+)?(?:{names('candidate')})\s+\(?)?"
    return re.compile(
        rf"\b(?i:(?:{names('prefer')})\s+(?:the\s+)?{noun})[*_`\"'“(\[]{{0,3}}{label}[*_`\"'”)\]]{{0,3}}"
        if lone
        else rf"\b(?i:(?:{names('prefer')})\s+(?:the\s+)?)[*_`\"'“(\[]{{0,3}}{label}[*_`\"'”)\]]{{0,3}}",
        flags,
    )


@cached_for(64)
def _better(label: str, lone: bool, flags: int) -> re.Pattern[str]:
    noun = rf"(?:(?:{names('candidate')})\s+)?" if lone else r"(?:the\s+)?"
    copula = either("prose", "is")
    return re.compile(
        rf"(?i:(?<!\w){noun})[*_`\"'“(\[]{{0,3}}{label}[*_`\"'”)\]]{{0,3}}\s+(?i:(?:{copula})\s+(?:\w+ly\s+|the\s+|slightly\s+|much\s+|my\s+|a\s+)*(?:{names('better')})\b|wins\b)",
        flags,
    )


def _sentence(text: str, choices: Choices) -> Iterator[Candidate]:
    """In a sentence: "Answer A is better", "I prefer B", "A is the answer"."""
    for pattern in (_preferring, _better):
        for match in matches(pattern(choices.label, choices.lone, int(choices.flags)), text):
            clause = text[max(text.rfind(mark, 0, match.start()) for mark in ".!?;\n。") + 1 : match.start()]
            if prose("doubt").search(clause) or prose("doubt").search(
                match.group()[: match.start("label") - match.start()]
            ):
                continue
            if pattern is _better and not _begins_clause(clause):
                continue
            lone = match["label"] if len(match["label"]) == 1 else ""
            if (
                lone.islower()
                and lone not in choices.forms.values()
                and match.string[match.start("label") - 1 : match.start("label")] != "("
            ):
                continue  # an article
            yield from _hit(match, text, choices)


@cached
def _clause_head() -> re.Pattern[str]:
    own, link = either("prose", "own"), either("prose", "therefore", "contrast", "because", "and")
    return re.compile(
        rf"(?:^|[,:])[\s*_#>-]*(?:(?:{link})\s*,?\s+)*(?:(?:that|the)\s+)?$|\b(?:{own})(?:\s*,)?(?:\s+that)?"
        rf"(?:\s+with\s+[\w ()]{{1,30}})?(?:\s+(?:that|the))?\s*$",
        re.IGNORECASE,
    )


def _begins_clause(before: str) -> bool:
    """Whether a clause begins with its subject, or with words of the judge's own: "X argues that A is" does not."""
    return _clause_head().search(before) is not None


def _hit(match: re.Match[str], text: str, choices: Choices) -> Iterator[Candidate]:
    label = choices.find(match["label"])
    if label is None:
        return
    rest = text[match.end("label") : match.end("label") + 100].lstrip("*_`\"')]”»")
    value = IssueCode.UNKNOWN_LABEL if hedges(rest) else label
    yield Candidate(value, match["label"], match.span("label"))


def _line(text: str, choices: Choices) -> Iterator[Candidate]:
    """A label alone on the first or last line, or at the head of the text: "(A) The submitted answer is ..."."""
    lines = [match for match in re.finditer(r"[^\n]+", text) if match.group().strip(EMPHASIS + DATA + " ")]
    for line in lines[:1] + lines[1:][-1:]:
        body = line.group().strip(" \t\r" + DROPPED + DATA)
        start = line.start() + line.group().find(body)
        label = choices.find(body)
        above = text[: line.start()].rstrip().rpartition("\n")[2].strip(EMPHASIS)
        if label is not None and choices.find(above + body) not in {None, label}:
            label = None  # a label with a line break in it
        if label is not None:
            yield Candidate(label, body, (start, start + len(body)))
        elif line is lines[0]:
            yield from _head(body, start, choices)


def _head(body: str, start: int, choices: Choices) -> Iterator[Candidate]:
    match = choices._lead().match(body)  # noqa: SLF001
    if match is None:
        return
    exact = (
        len(match["label"]) > 1
        or match["label"] in choices.forms.values()
        or "(" in match.group()
        or "[" in match.group()
    )
    label = choices.read(body) if exact and not _is_option(body, match) else None
    if label is not None:
        yield Candidate(label, match["label"], (start + match.start("label"), start + match.end("label")))
    elif exact and choices.find(match["label"]) is not None:
        yield Candidate(IssueCode.UNKNOWN_LABEL, match["label"], (start, start + match.end("label")))


def _is_option(body: str, match: re.Match[str]) -> bool:
    """Whether "B) ..." lists what may be chosen or speaks of it: "A) The first reply", "B) is worse."."""
    if (
        body[match.end("label") : match.end("label") + 1] != ")"
        or body[: match.start("label")].rstrip("*_ ")[-1:] == "("
    ):
        return False
    rest = body[match.end("label") + 1 :].strip(" *_.")
    listed = rest[:1].islower() or (len(rest.split()) <= _FEW_WORDS and "." not in body)
    return bool(rest) and (listed or hedges(rest) or re.search(r",\s*but\b", rest) is not None)


LAYOUTS: Final = (
    SingleLayout("bracketed-label", _bracketed),
    SingleLayout("labelled-label", _labelled),
    SingleLayout("sentence-label", _sentence),
    SingleLayout("line", _line),
)
