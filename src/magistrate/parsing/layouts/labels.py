"""The layouts of a label in text: in double brackets, behind a name, in a sentence, on a line of its own."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from magistrate.parsing.layouts.numerals import goes_on
from magistrate.parsing.layouts.plain_labels import CLOSES, read_arrow, read_aspects, read_stated
from magistrate.parsing.layouts.single import heading_pattern
from magistrate.parsing.layouts.view import (
    BRACKETED,
    EMPHASIS,
    HEADING,
    MOST_MATCHES,
    SingleLayout,
    cells_of_one_row,
    matches,
    read_single_layouts,
)
from magistrate.parsing.reply.masking import cover
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.rows.single import is_label_name
from magistrate.parsing.switches import cached_for
from magistrate.parsing.wording.awards import is_own_mark
from magistrate.parsing.wording.choices import Choices
from magistrate.parsing.wording.courtesy import SENTENCES, after_therefore, lead_words, leads_outright
from magistrate.parsing.wording.fold import DATA, DROPPED
from magistrate.parsing.wording.hedges import HOW_SURE, hedges, is_question
from magistrate.parsing.wording.keys import is_named, names_others
from magistrate.parsing.wording.patterns import WordPattern, prose, vocabulary
from magistrate.verdict import IssueCode

_FEW_WORDS: Final = 4
_MENU: Final = re.compile(r"^[ \t*_`#>-]*+(?P<menu>[^\n:：]{3,80})[:：](?P<rest>[^\n]+)", re.MULTILINE)
"""The choices themselves as a name: "PASS/FAIL: PASS"."""
_LEAD: Final = 200
_MAYBE: Final = re.compile(r"\b(?:could|might|may|(?<!\bi )would)\b", re.IGNORECASE)
_HEADINGS: Final = heading_pattern("verdict|answer|winner")
_OVER: Final = r"(?i:\s+(?:than|over|to)\s+{noun}{other}[*_`\"'”)\]]{0,3}(?!\s+(?:in|on|at)\s+(?!every|all|general)))?"
"""What a label is better than."""
_NEAR: Final = 300  # characters before a label that may say whose view it is
_CLAUSE_HEAD: Final = WordPattern(
    r"(?:^|[,:])[\s*_#>-]*(?:{therefore|contrast|because|and}\s*,?\s+)*(?:(?:that|the)\s+)?$|\b{own}(?:\s*,)?(?:\s+that)?"
    r"(?:\s+with\s+[\w ()]{1,30})?(?:\s+(?:that|the))?\s*$"
    r"|\b{own}\s+{verdict|answer}\s+{is}\s+(?:that\s+)?(?:the\s+)?$",
)
_UNREAL: Final = re.compile(r"[\s,;*_]*(?:at least|(?:were|had)\s+(?:it|they|its|the))\b", re.IGNORECASE)
_LONGEST_LINE: Final = 4_000
_IS_A_CALL: Final = re.compile(
    r"\W*(?:(?:i|we)\s+(?:can|will|am|shall|understand|have\s+(?:read|understood))|i['’]ll|we['’]ll|let\s+me)\b",
    re.IGNORECASE,
)
"""What follows a yes that answers who asked: "Yes, I can check that."."""
_NAMED_CANDIDATE: Final = WordPattern(r"\W*{candidate}\b")
_AND_ANOTHER: Final = WordPattern(r"[)\]}*_\"'\s]*(?:{and}|or|&|\+)\s+[(\[*_]*(?P<other>[^\s)\].,;]{1,40})")
_NAMED_LINE: Final = re.compile(r"^[\s*_#>-]*(?P<name>[^\W\d][^\n:：]{0,40})[:：](?P<value>[^\n]{1,60})$", re.MULTILINE)
"""A line of a name and what stands behind it: "Content: good"."""


def read_labels(text: str, choices: Choices, *, cut: bool, beside_data: bool) -> list[Candidate]:
    """The labels that a masked text gives; a plain one counts where there is nothing else, and no rival is named."""
    found = list(read_single_layouts(LAYOUTS, text, choices, cut=cut))
    aspects = [one for _, one in found if one.format == "aspect-label"]
    last = aspects[0] if len(aspects) == 1 and not isinstance(aspects[0].value, IssueCode) else None
    if last is not None and _is_one_of_several(last, text, choices):
        found = [pair for pair in found if pair[1] is not last]
    explicit = [
        one
        for rank, one in found
        if rank or one.id == "so" or (one is last and not re.search(r"\w", text[(one.span or (0, 0))[1] :]))
    ]
    if explicit or beside_data or not found:
        return explicit
    spans = sorted(one.span for _, one in found if one.span is not None)
    rest = cover(text, spans, DROPPED)
    if any(choices.rivals(rest, label, named=True) for label in {one.value for _, one in found}):
        return [replace(one, value=IssueCode.CONFLICTING_VERDICTS) for _, one in found]
    return [one for _, one in found]


def _is_one_of_several(label: Candidate, text: str, choices: Choices) -> bool:
    """Whether the label of a quality stands beside another label, under a name that is none known: "Facts: FAIL"."""
    lines = list(_NAMED_LINE.finditer(text))
    own = [line for line in lines if label.span is not None and line.start() <= label.span[0] < line.end()]
    others = {choices.find(line["value"]) for line in lines} - {None, label.value}
    return bool(others) and any(is_named(line["name"], "aspect") for line in own)


def _bracketed(text: str, choices: Choices) -> Iterator[Candidate]:
    """In double brackets, behind [RESULT], in a box."""
    for match in matches(BRACKETED, text):
        group = next(name for name in ("body", "result", "named", "box") if match[name])
        label = choices.find(match[group]) if group != "result" else choices.read(match[group])
        if label is None and group == "body":
            label = choices.find(match[group].split(":")[-1])
        if label is not None or group == "body":
            asked = text[match.end() : match.end() + 1] in {"?", "？"}
            own = group == "box" or is_own_mark(text, *match.span())
            value = label if own and not asked and label is not None else IssueCode.UNKNOWN_LABEL
            if _is_one_of_two(text, match.end(), label, choices):
                value = IssueCode.CONFLICTING_VERDICTS
            yield Candidate(value, match[group], match.span(group))


@cached_for(64)
def _named(label: str, lone: bool, flags: int) -> WordPattern:
    return WordPattern(
        r"(?i:(?:^|(?<![^\W_]_)(?<=[.!?;,、。\n{DROPPED}{DATA}，：:#*_(]))[\s*_`\"'#>🏆🥇🏅+-]{0,24}+(?:"
        r"{therefore}\s*,?\s+(?:{is}\s+)?)?(?:{own}\s+){0,2}(?:(?:correct|right|clear|binary|letter)\s+)?"
        r"(?:{verdict|answer|winner}|final|score|label|correct)[*_`\"')#]*(?P<gap>(?:[ \t]+[^\W\d]{1,12}){0,3}?)\s*"
        r"(?:[:：=]|->|→|(?<!\bto )\b(?!on\s+\S+\s*[:：]){is}\b:?|は|是)"
        r"[\s*_`\"'„“«(\[{【$]*(?:\\(?:text|mathrm|mathbf|textbf)\{)?"
        r"(?:(?:an?|the)\s+(?=\S{2}))?{noun}[*_`\"'“(\[]{0,3}){label}[*_`\"'”)\]}]{0,6}"
        r"(?=[\s\x00]*(?:[.,;:!$\n()\]—–|。，；】」”“»\"'{✅✔❌✗🟢🔴👍👎🏆🥇🏅-]|$|(?i:です|입니다|is\s+(?:the\s+)?(?:correct|right|better|best|stronger|superior)\b|because\b|since\b|as\b(?!\s(?:far|long|if)))))",
        flags | re.MULTILINE,
        label=label,
        noun=r"(?:{candidate}\s+)?" if lone else "",
    )


def _labelled(text: str, choices: Choices) -> Iterator[Candidate]:
    """Behind a name: "Verdict: A", "My final answer is (B)"."""
    for match in matches(_named(choices.label, choices.lone, int(choices.flags)), text):
        head = text[match.start() : match.start("label")].rpartition("\n")[2]
        lead = re.split(r"[.!?;\n]", text[max(0, match.start() - _LEAD) : match.start()])[-1]
        foreign = lead.isascii() and not leads_outright(lead, head)
        unsure = foreign or prose("negation").search(head) or _MAYBE.search(head)
        if lead_words().issuperset((match["gap"] or "").casefold().split()):
            for one in _hit(match, text, choices):
                yield replace(one, value=IssueCode.UNKNOWN_LABEL) if unsure else one
    for menu in matches(_MENU, text):
        offered = {choices.find(part) for part in re.split(r"[/|,]|\bor\b", menu["menu"])}
        label = choices.read(menu["rest"]) if len(offered) > 1 and None not in offered else None
        if label is not None:
            yield Candidate(label, menu["rest"], menu.span("rest"))
    for heading in matches(_HEADINGS, text):
        line = text[heading.end() :].split("\n", 1)[0]
        label = choices.read(line)
        if label is not None:
            yield Candidate(label, line, (heading.end(), heading.end() + len(line)))


@cached_for(64)
def _preferring(label: str, lone: bool, flags: int) -> WordPattern:
    return WordPattern(
        r"(?:\b|(?<=[{DENSE}]))(?i:{prefer}(?P<lead>\s+(?:the\s+)?{noun}|(?<=[{DENSE}])))"
        r"[*_`\"'“(\[]{0,3}{label}[*_`\"'”)\]]{0,3}" + _OVER,
        flags,
        near=("{prefer}",),
        label=label,
        other=label.replace("?P<label>", "?:"),
        noun=r"(?:(?:the\s+)?(?:\w+\s+)?{candidate}\s+\(?)?" if lone else "",
    )


@cached_for(64)
def _better(label: str, lone: bool, flags: int) -> WordPattern:
    return WordPattern(
        r"(?i:(?<![^\W{DENSE}]){noun})[*_`\"'“(\[]{0,3}{label}[*_`\"'”)\]]{0,3}(?i:\s+{is}\s+"
        r"(?:(?!hardly|barely|scarcely|only)\w+ly\s+|the\s+|slightly\s+|much\s+|my\s+|a\s+)*{better}\b"
        r"(?:\s+{candidate}\b|(?!\s+(?:\w+(?:ed|ten)|in|on|at|with|regarding|concerning)\b(?!\s+(?:total|short|the\s+whole|balance|summary))))"
        + _OVER
        + r"|\s+(?:\w+ly\s+)?{wins}\b(?:\s+(?:this\s+\w+|{candidate}|{noun}{other}))?"
        + CLOSES
        + r"|\s*(?:가|이|的)?\s*{foreign:better}(?=[\s*_`]*(?:[.。!！,，;；\n]|$)))",
        flags,
        near=("{better|wins}",),
        label=label,
        other=label.replace("?P<label>", "?:"),
        noun=r"(?:{candidate}\s*)?" if lone else r"(?:the\s+)?",
    )


def _sentence(text: str, choices: Choices) -> Iterator[Candidate]:
    """In a sentence: "Answer A is better", "I prefer B", "A is the answer"."""
    for pattern in (_preferring, _better):
        begun, seen, doubted = -1, 0, False  # of a clause: what one match saw of it the next does not look at again
        for match in matches(pattern(choices.label, choices.lone, int(choices.flags)), text):
            first = max(text.rfind(mark, 0, match.start()) for mark in ".!?;\n。") + 1
            if first != begun:
                begun, seen, doubted = first, first, False
            doubted = doubted or prose("doubt").search(text[seen : match.start()])
            seen = max(first, text.rfind(" ", first, max(first, match.start() - _NEAR)) + 1)
            if doubted or (pattern is _preferring and prose("doubt").search(match["lead"])):
                continue
            if pattern is _better and not _CLAUSE_HEAD.search(text[first : match.start()][-_NEAR:]):
                continue  # "X argues that A is"
            clause = text[first : match.start()][-_NEAR:]
            aside = clause.rpartition(",")[0] if clause.rstrip(" *_").endswith((",", ", the")) else ""
            lone = match["label"] if len(match["label"]) == 1 else ""
            if (
                lone.islower()
                and lone not in choices.forms.values()
                and match.string[match.start("label") - 1 : match.start("label")] != "("
            ):
                continue  # an article
            for one in _hit(match, text, choices):
                yield one if leads_outright(aside) else replace(one, value=IssueCode.UNKNOWN_LABEL)


def _is_one_of_two(text: str, at: int, label: str | None, choices: Choices) -> bool:
    """Whether another label is named with this one: "Answer: (A) and (C)"."""
    beside = _AND_ANOTHER.match(text, at)
    return beside is not None and choices.find(beside["other"]) not in {None, label}


def _hit(match: re.Match[str], text: str, choices: Choices) -> Iterator[Candidate]:
    label = choices.find(match["label"])
    if label is None:
        return
    hedged = any(hedges(text[at : at + 100].lstrip("*_`\"')]”»")) for at in (match.end("label"), match.end()))
    hedged = hedged or _is_one_of_two(text, match.end("label"), label, choices)
    value = IssueCode.UNKNOWN_LABEL if hedged or _UNREAL.match(text, match.end()) else label
    yield Candidate(value, match["label"], match.span("label"), until=match.end())


def _line(text: str, choices: Choices) -> Iterator[Candidate]:
    """A label alone on the first or last line, or at the head of the text: "(A) The submitted answer is ..."."""
    lines = [match for match in re.finditer(r"[^\n]+", text) if match.group().strip(EMPHASIS + DATA + " ")]
    heads = [choices.lead.match(line.group()) for line in lines[: len(choices.forms)]]
    told = {choices.find(head["label"]) for head in heads if head is not None}
    named = {choices.find(head["label"]) for head in heads if head is not None and head["next"] in {":", "："}}
    if len(lines) > 1 and (len(told) == len(choices.forms) > 1 or len(named) > 1):
        return  # what each choice means, or what is said of each
    ends = lines[:1] + lines[1:][-1:]
    headings = [line for line in lines[:MOST_MATCHES] if HEADING.fullmatch(line.group())]
    if len({choices.find(line.group()) for line in headings} - {None}) > 1:
        ends = [line for line in lines[1:][-1:] if line not in headings]  # what is said of each choice stands below it
    for line in ends:
        body = HOW_SURE.sub("", line.group()).strip(" \t\r" + DROPPED + DATA)
        start = line.start() + line.group().find(body)
        label = choices.find(body)
        above = text[: line.start()].rstrip().rpartition("\n")[2].strip(EMPHASIS)
        cut = line is not lines[0] and (body.count("**") % 2 or body[:1] == "#" or goes_on(text, line.start(), body))
        if cut or body.rstrip("*_ ")[-1:] in {":", "："}:
            continue  # "Response A:", "### Answer A", the beginning of something
        if label is not None and (choices.find(above + body) not in {None, label} or _is_headed_otherwise(above)):
            label = None  # a label with a line break in it, or below another name: "Expected"
        if len(label or "") == 1 and re.match(r"\n[a-z]", text[line.end() : line.end() + 2]):
            continue  # "I", and below it "would need more information."
        if label is not None:
            yield Candidate(label, body, (start, start + len(body)))
        elif line is lines[0]:
            yield from _head(body, start, choices)
        if label is None and line is lines[-1]:
            yield from _last_sentence(body, start, choices)


def _last_sentence(body: str, start: int, choices: Choices) -> Iterator[Candidate]:
    """A label that is the last sentence of a line: "The date is missing. FAIL", "Therefore, yes."."""
    before, said = ("", "", *filter(None, SENTENCES.split(body)))[-2:] if len(body) <= _LONGEST_LINE else ("", "")
    word = after_therefore(said.strip())
    told = re.search(r"[^\W\d_]{2}", before) is not None and not is_question(before.rstrip())
    label = choices.find(word) if told else None
    if label is not None and (len(label) > 1 or word.strip(EMPHASIS + " .") == label):
        at = start + body.rindex(word)
        yield Candidate(label, word, (at, at + len(word)))


def _is_headed_otherwise(above: str) -> bool:
    """Whether a line is the name of something else: "Expected", "Previous result"."""
    head = above.strip("|:-#* " + DROPPED)
    return 0 < len(head.split()) < _FEW_WORDS and names_others(head.casefold().split())


def _cell(text: str, choices: Choices) -> Iterator[Candidate]:
    """In the one row of a table, below the name of a label."""
    for head, cell, start in cells_of_one_row(text):
        label = choices.read(cell) if is_label_name(head) else None
        if label is not None:
            yield Candidate(label, cell, (start, start + len(cell)))


def _head(body: str, start: int, choices: Choices) -> Iterator[Candidate]:
    match = choices.lead.match(body)
    if match is None or _IS_A_CALL.match(body, match.end()):
        return
    rest = body[match.end() :].strip(" *_:")
    if match["next"] == "." and rest.isdecimal():
        return  # "No. 3"
    if match["next"] in {":", "-", "–", "—"} and (rest[:1].isdigit() or (rest and _NAMED_CANDIDATE.match(body))):
        return  # "Response A: 7/10", "A: 7"
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
    if body[match.end("label") : match.end("label") + 1] != ")":
        return False
    rest = body[match.end("label") + 1 :].strip(" *_.")
    if body[: match.start("label")].rstrip("*_ ")[-1:] == "(":  # "(A) is wrong.", "(A) and (C) apply"
        return rest[:1].islower() and rest.split()[0] not in vocabulary("because") - {"as", "per"}
    listed = rest[:1].islower() or (len(rest.split()) <= _FEW_WORDS and "." not in body)
    return bool(rest) and (listed or hedges(rest) or re.search(r",\s*but\b", rest) is not None)


LAYOUTS: Final = (
    SingleLayout("bracketed-label", _bracketed),
    SingleLayout("labelled-label", _labelled),
    SingleLayout("sentence-label", _sentence, prose=True),
    SingleLayout("line", _line),
    SingleLayout("cell-label", _cell),
    SingleLayout("aspect-label", read_aspects, rank=0),
    SingleLayout("stated-label", read_stated, rank=0),
    SingleLayout("arrow-label", read_arrow, rank=0),
)
