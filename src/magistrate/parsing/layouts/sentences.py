"""Verdicts on several statements in groups and in plain sentences: "Supported: 1-3", "All but the last are"."""

import re
from collections.abc import Iterator
from typing import Final

from magistrate.parsing.layouts.single import predicate
from magistrate.parsing.layouts.view import COVERED, EMPHASIS, View, matches, may_name
from magistrate.parsing.rows.candidate import Answer, Candidate, Span
from magistrate.parsing.switches import cached
from magistrate.parsing.wording.courtesy import is_courtesy, leads_outright
from magistrate.parsing.wording.fold import DROPPED, ECHO
from magistrate.parsing.wording.languages import Sense, group, ranks
from magistrate.parsing.wording.patterns import WordPattern, any_of, prose
from magistrate.verdict import IssueCode, Verdict

_SENTENCE: Final = re.compile(
    r"[^.!?。！？\n;]+(?:[.!?](?=\d|[\"'\u201d](?:\s+[^\W\d_A-Z]|[,;]))[^.!?\n;]*)*[.!?。！？;]?"
)
_LONGEST: Final = 1_000
"""Characters of a sentence: a longer one is none of these."""
_BARE: Final = re.compile(r"\d\s")
_STOPS: Final = frozenset(".!。！;")
_NUMBER_FIRST: Final = re.compile(r"\W*\d")
_MOST: Final = 400
_MOST_PER_STATEMENT: Final = 4
_REASON: Final = re.compile(
    r"(?:by|in|from|as|because|since|given|per|according|based|(?:to|with)\s+the)\b", re.IGNORECASE
)
_LINKS: Final = r"(?:\s*(?:,|&|nor\b|(?<!\w){and|to}(?!\w)|[-\u2013]))+"
_NUMBERS: Final = rf"#?\d{{1,3}}(?:{_LINKS}\s*(?:{{ITEMS}}\s*)?#?\d{{1,3}}){{0,30}}(?![\w%])"
_NAMED: Final = (
    r"(?:(?:{ARTICLE}\s+)?"
    rf"(?:(?P<ordinals>{{ordinal}}(?:{_LINKS}\s*(?:the\s+)?{{ordinal}}){{0,9}})(?:\s+(?:one|{{ITEMS}})\b)?"
    r"|(?P<rest>{rest}|other|remaining)(?:\s+(?:{NUMBER_WORD}|\d{1,3}))?(?:\s+(?:ones?|{ITEMS})\b)?"
    r"|(?P<called>(?:[ld]['\u2019])?{ITEMS}(?:\s+number)?\s*)?(?:(?P<numbers>"
    rf"{_NUMBERS})(?(called)|{{behind}})|(?(called)[\"'\u201c]?(?P<echo>{{ECHO}}+)[.!?]?[\"'\u201d]?|(?!)))))"
)
"""The statements that a clause is about: by number, by rank, as a repetition, or as the rest."""
_IS: Final = r"(?=\s+{is}\s)"
_OTHERS: Final = WordPattern(r"\W*{rest}\b")
_BEGINS: Final = (
    r"(?:(?P<clause>^|[,;:，、；])|\s)[\s*_•-]*(?:(?P<link>{therefore|and|contrast})\s*,?\s+){0,2}"
    r"(?(clause)|(?(link)|(?!)))"
)
"""Where a clause begins, with the words that join it to the one before."""
_DENIED: Final = WordPattern(r"{negation}\b\s*(?:[,.;:(]|$|\b{because}\b)")
_QUANTIFIED: Final = WordPattern(
    r"^[\s*_•-]*(?:yes\s*,\s+)?(?:{therefore}\s*,?\s+)?(?:(?P<word>\w{2,20})\s+(?:to|for)\s+)?"
    r"(?:(?P<every>{every})|(?P<none>{none}))\b(?!\s[-\u2013\u2014]\s)\s*"
    r"(?:(?:of\s+)?(?:the|these|those|them)\s+)?(?:(?P<count>\d{1,4}|{NUMBER_WORD})\b\s*)?(?P<item>{ITEMS}\b\s*)?"
    r"(?:{is}\s+)?(?P<rest>(?!\s*[:：]).*)$",
    re.IGNORECASE | re.DOTALL,
    near=("{every}", "{none} "),
)
_HIGHEST: Final = 500
_NUMBER: Final = re.compile(r"\d{1,4}")
_ENTRY: Final = re.compile(rf"(?:(?P<number>\d{{1,4}})[.):\]]*[ \t*_]*[\"'\u201c]?)?(?P<echo>{ECHO}+)")
_ROW: Final = re.compile(rf"^[ \t*_#>-]*(?:\d{{1,4}}[.):]|[\"'\u201c]?{ECHO})", re.MULTILINE)
_ANY: Final = re.compile(rf"\d|{ECHO}")
_HEAD: Final = WordPattern(
    r"(?:^|(?<=[.;]\s))[ \t*_•#>\[{DROPPED}-]*+(?P<word>[^:：\n\d\[\]{ECHO}]{1,80}?)[*_ \t]*+(?:\(\d{1,4}\)[*_ \t]*+)?"
    r"(?:[:：][ \t*_]*+|(?<![.!?,;])(?P<line>\n)(?=\s*(?:[-*•]|\d{1,4}[.)]|{ECHO}))"
    r"|\][*_]*[:：]?[ \t]*(?=[\"'\u201c]?{ECHO})|[-–—][ \t]+(?=[\"'\u201c]?{ECHO}))",
    re.MULTILINE,
)
"""The name of a group, up to its list: behind a colon, under a heading, or in brackets before a statement."""
_LIST: Final = WordPattern(
    r"(?:[\s,;&–—*•.()\[\]#\"'\u201c\u201d{DROPPED}-]|\d{1,4}+|{ECHO}++[.!?]?"
    r"|\b(?:{and}|{to}|{ITEMS})\b(?=[^\w\n]{0,6}[\d{ECHO}]))++|\W*none\W*",
)
"""What the list of a group is made of: a word in it stands before a number, for "no" and "ja" are verdicts, too."""
_NUMBERS_FIRST: Final = WordPattern(
    r"(?m)^[ \t*_•#>{DROPPED}-]*{ITEMS}[ \t]*(?P<list>\d{1,4}"
    r"(?:(?:[ \t]*+(?:[,&–-]|\b{and}\b|\b{to}\b))++[ \t]*+\d{1,4}+){0,200})[*_]*[ \t]*[:：–—=]"
    r"[ \t*_]*(?P<word>[^:：\n]{1,60})$",
)
_ABOUT: Final = WordPattern(
    r"\s*{ITEMS}\s*$|^\s*(?:the\s+)?(?:following\s+)?(?:{ITEMS}\s+)?(?:(?:that\s+)?{is}\s+|judged\s+)?"
)
"""What stands around the verdict in the name of a group: "The following statements are ... "."""
_BETWEEN_NUMBERS: Final = WordPattern(r"[,;&、\n]|\bnor\b|(?<![^\W\d_]){and}(?![^\W\d_])")
_RANGE: Final = WordPattern(r"\d\s*(?:[–-]|{to})\s*#?\d")
_WHY: Final = re.compile(r"(?<=\d)[ \t]*\([^()\d]{1,200}\)\s*$")
"""The reason behind the one statement of a group."""
_ITEM_NAME: Final = WordPattern(r"\b{ITEMS}\b")


@cached
def _ordinal_words() -> str:
    return any_of((*ranks("ordinals"), *group("last")))


_SUBJECTS: Final = WordPattern(
    r"{begins}(?:(?P<only>{only})\s+|(?P<none>{none})\s+"
    r"|(?:as\s+)?for\s+|(?:regarding|concerning)\s+|(?:the\s+)?{verdict}\s+(?:for|on|of)\s+"
    r"|i\s+(?:would\s+)?(?:rate|judge|consider|find|deem|mark|label)\s+)?{named}(?:\s*\([^()]{0,200}\))?\s*(?:,\s*)?"
    r"(?P<is>(?:(?:it\s+|n['\u2019]|the\s+{verdict|answer}\s+)?{is}|as|to\s+be)\s+"
    r"(?:(?:therefore|also|thus|hence|both|all|clearly)\s+)*)?",
    begins=_BEGINS,
    named=_NAMED,
    ordinal=_ordinal_words,
    behind=_IS,
)
"""A statement as the subject of a clause: "statements 1 and 3 are", "only the first is", "for claim 2 there is"."""
_OBJECTS: Final = WordPattern(
    r"{begins}(?P<source>{things}(?:\w+ly\s+)?)?(?P<word>[^\d.,;:()\n{ECHO}]{1,60}?)\s+"
    r"(?P<for>(?:[-\u2013\u2014]|for|to|about|on|regarding|to\s+(?:judge|verify|assess|evaluate|confirm|support))\s+)?"
    r"{named}(?=\s*(?:[.,;!]|$|{and|contrast}\s))",
    begins=_BEGINS,
    things=r"(?:{ARTICLE}\s+)?(?:{judged|quote}|text|article|it)s?\s+",
    named=_NAMED,
    ordinal=_ordinal_words,
    behind=_IS,
)
"""A statement behind its verdict: "The context supports statements 1 and 3", "yes for statement 2"."""


def read_sentences(view: View) -> list[Answer]:
    """Sentences that name a statement by its number or rank and say what it is."""
    if view.count < 2 or not _may_tell(view.text):  # noqa: PLR2004
        return []
    rows: list[Candidate] = []
    for sentence, _ in zip(_SENTENCE.finditer(view.text), range(_MOST), strict=False):
        cut = _is_cut(sentence, view)
        for value, match in _clauses(sentence.group(), view, rows, cut=cut):
            span = (sentence.start() + match.start(), sentence.end())
            numbers = _numbers(match, sentence, view, rows)
            known = {row.id for row in rows if isinstance(row.value, Verdict)}
            if rows and value is IssueCode.OUT_OF_RANGE and known.issuperset(numbers):
                rows[-1].span = span  # "Only the first is supported. The others are not mentioned.", on a scale of two
                continue
            rows += [Candidate(value, sentence.group(), span, number) for number in numbers]
            other = _opposite(value, view) if match.groupdict().get("only") and isinstance(value, Verdict) else None
            if numbers and isinstance(other, Verdict):
                rows += [Candidate(other, "", span, at) for at in range(1, view.count + 1) if at not in numbers]
    if not rows:
        return []
    spans = [row.span for row in rows if row.span is not None]
    return [Answer(rows, spans[0][0], max(end for _, end in spans), "sentences", orderly=False)]


def _may_tell(text: str) -> bool:
    return _BARE.search(text) is not None or may_name().search(text)


def _is_cut(sentence: re.Match[str], view: View) -> bool:
    return view.cut and sentence.end() >= view.last and sentence.group().rstrip()[-1:] not in _STOPS


def _clauses(
    body: str, view: View, earlier: list[Candidate], *, cut: bool
) -> Iterator[tuple[Verdict | IssueCode, re.Match[str]]]:
    """What the clauses of a sentence say, each with its statements."""
    if len(body) > _LONGEST or not _may_tell(body):
        return
    of_all = _QUANTIFIED.match(body)
    if of_all is not None and _NUMBER_FIRST.match(of_all["rest"]) is None and _OTHERS.match(body) is None:
        return
    found: list[tuple[Verdict | IssueCode, re.Match[str]]] = []
    seen = 0
    before = earlier[-1].value if earlier else None
    heads = sorted((*_OBJECTS.finditer(body), *_SUBJECTS.finditer(body)), key=lambda one: one.start())
    for match in heads:
        if match.start() < seen:
            continue
        if prose("doubt").search(body[seen : match.start()]):
            break
        end = next((one.start() for one in heads if one.start() >= match.end()), len(body))
        said = _said(match, body[:end], view, found[-1][0] if found else before)
        lead = body[seen : match.start()].strip(" *_,;\n")
        if said is not None and lead and view.words.whole(lead) is said[0]:
            lead = ""  # "Yes, statement 1 is supported"
        if said is not None and not (lead if "word" in match.groupdict() else not found and not leads_outright(lead)):
            seen = match.end() + said[1]
            found.append((said[0], match))
    for at, (value, match) in enumerate(found, 1):
        end = found[at][1].start() if at < len(found) else len(body)
        if cut and at == len(found):
            yield IssueCode.TRUNCATED, match
            return
        turned = match.groupdict().get("none") is not None  # "Neither 1 nor 2 is supported"
        given = view.words.verdicts[Sense.YES] if turned else value
        yield IssueCode.CONFLICTING_VERDICTS if view.words.bears(body[match.end() : end], given) else value, match


def _said(
    match: re.Match[str], body: str, view: View, before: Verdict | IssueCode | None
) -> tuple[Verdict | IssueCode, int] | None:
    """What a clause says, and where in it that ends."""
    groups = match.groupdict()
    if "word" in groups:
        value = view.words.whole(groups["word"]) if groups["source"] or groups["for"] else None
        return (value, 0) if isinstance(value, Verdict) else None
    said = predicate(body[match.end() :], view.words) if groups["is"] or not groups["ordinals"] else None
    if said is None and isinstance(before, Verdict) and _DENIED.match(body, match.end()):
        said = (_opposite(before, view) if before is view.words.verdicts[Sense.YES] else IssueCode.MISSING_VERDICT, 3)
    if said is not None and groups["none"]:  # "Neither statement 1 nor statement 2 is supported"
        plain = said[0] is view.words.verdicts[Sense.YES] and not re.match(r"\w+ly\b", body[match.end() :])
        return (view.words.verdicts[Sense.LACK] if plain else IssueCode.CONFLICTING_VERDICTS, said[1])
    return None if said is None or " nor " in match.group() else said


def _opposite(value: Verdict, view: View) -> Verdict | IssueCode:
    yes, lack = view.words.verdicts[Sense.YES], view.words.verdicts[Sense.LACK]
    return lack if value is yes else yes if value is lack else IssueCode.MISSING_VERDICT


def _numbers(match: re.Match[str], sentence: re.Match[str], view: View, rows: list[Candidate]) -> list[int]:
    """The statements that a clause is about, by number."""
    if match["rest"]:
        given = {row.id for row in rows if not (row.raw == "" and isinstance(row.id, int))}
        return [at for at in range(1, view.count + 1) if at not in given] if given else []
    if match["ordinals"]:
        found = re.findall(_ordinal_words(), match["ordinals"], re.IGNORECASE)
        return [ranks("ordinals").get(word.casefold(), view.count) for word in found]
    if match["echo"]:
        index = view.echo_of(view.raw[sentence.start() + match.start("echo") : sentence.start() + match.end("echo")])
        return [] if index is None else [index + 1]
    return numbers_of(match["numbers"]) or []


def read_all_sentences(view: View) -> list[Answer]:
    """Sentences that say what every statement is, and nothing else but courtesies."""
    if sum(map(view.text.count, ".!?\n。")) > _MOST_PER_STATEMENT * view.count:
        return []
    for answer in read_sentences(view):
        named = [row.id for row in answer.rows if isinstance(row.value, Verdict)]
        rest, spans = view.text, {row.span for row in answer.rows if row.span is not None}
        for start, end in sorted(spans, reverse=True):
            rest = rest[:start] + rest[end:]
        if sorted(map(str, named)) == sorted(map(str, range(1, view.count + 1))) and is_courtesy(rest):
            return [answer]
    return []


_EXCEPTION: Final = WordPattern(
    r"(?:^|[\s,(]+){except}\s+(?:for\s+)?{named}(?:\s*\([^()\d]{0,200}\))?"
    r"(?:\W*$|,\s+for\s+which\s[^.]{0,200}\W*$|\W{0,3}\s(?:which|that)\s+{is}\s+(?P<other>.*)|(?P<before>\s+{is}\s+))",
    named=_NAMED,
    ordinal=_ordinal_words,
    behind="",
)
"""Those that are left out, behind what all others are, or before: "all but the last are"."""


def read_quantified(view: View) -> list[Answer]:
    """On all at once: "Both are supported", "None is supported", "All are supported except statement 3"."""
    if view.count < 2:  # noqa: PLR2004
        return []
    for sentence, _ in zip(_SENTENCE.finditer(view.text), range(_MOST), strict=False):
        match = _QUANTIFIED.match(sentence.group())
        lone = match is not None and match["none"] and not match["item"] and view.words.whole(match["none"])
        if match is not None and not lone and not _is_cut(sentence, view):
            rows = _of_all(match, sentence, view)  # "no yes" is two answers
            return [Answer(rows, sentence.start(), sentence.end(), "sentences", orderly=False)] if rows else []
    return []


def _of_all(match: re.Match[str], sentence: re.Match[str], view: View) -> list[Candidate]:
    """What a sentence on all statements says of each; nothing where it does not say so plainly."""
    told = match["count"] or {"both": "2", "either": "2", "neither": "2"}.get(
        (match["every"] or match["none"]).casefold()
    )
    if told and (int(told) if told.isdigit() else ranks("numbers").get(told.casefold())) != view.count:
        return []  # "Both are supported", of three
    rest, yes, denial = match["rest"], view.words.verdicts[Sense.YES], view.words.verdicts[Sense.LACK]
    exception, excepted = _EXCEPTION.search(rest), list[int]()
    if exception is not None:
        excepted = _numbers(exception, sentence, view, [])
        rest = rest[: exception.start()] + "." if exception["before"] is None else rest[exception.end() :]
        if not excepted or (exception["before"] is not None and exception.start()):
            return []
    if match["word"]:
        word = view.words.whole(match["word"])
        said = (word, 0) if word is not None and match["every"] and not excepted else None
    else:
        said = predicate(rest, view.words)
    if said is None or not isinstance(said[0], Verdict):
        return []
    behind = re.sub(r"\b(?:provided|given)\W*$", "", rest[said[1] :]).strip(" .,!;:*_")
    if behind and (prose("except", "hedge").search(behind) or not _REASON.match(behind)):
        return []
    value: Verdict | IssueCode = said[0]
    other: Verdict | IssueCode = denial if value is yes else IssueCode.MISSING_VERDICT
    if match["none"]:
        if value is not yes or re.match(r"\w+ly\b", rest):  # "none is fully supported"
            return []
        value, other = denial, yes
    if exception is not None and exception["other"]:
        told_of = predicate(exception["other"], view.words)
        other = IssueCode.UNKNOWN_LABEL if told_of is None else told_of[0]
        other = denial if other is IssueCode.OUT_OF_RANGE else other  # "which is not mentioned", on a scale of two
    span = (sentence.start(), sentence.end())
    return [Candidate(other if at in excepted else value, rest, span, at) for at in range(1, view.count + 1)]


def numbers_of(text: str) -> list[int] | None:
    """The numbers of a list, "1-3, 5 and 7"; None where two stand together and nothing says how."""
    found: list[int] = []
    for part in _BETWEEN_NUMBERS.split(text):
        ends = [int(one) for one in _NUMBER.findall(part)]
        if len(ends) > 2 or (len(ends) > 1 and not _RANGE.search(part)):  # noqa: PLR2004 - from, to
            return None
        if ends and not ends[0] <= ends[-1] < ends[0] + _HIGHEST:
            return None
        found += range(ends[0], ends[-1] + 1) if ends else ()
    return found


def read_groups(view: View) -> list[Answer]:
    """The statements that a reply lists under each verdict, by number or word for word."""
    if _ANY.search(view.text) is None:
        return []
    rows: list[Candidate] = []
    spans: list[Span] = []
    for word, reading, span, listed in _groups(view):
        found = _entries(view, listed)
        if found is None:
            return []
        spans.append(span)
        group = [Candidate(reading, word, span, number, echo_index=echo) for number, echo in found]
        if view.cut and span[1] >= view.last:  # its last number may go on, or the word behind its numbers
            for row in group[-1:] if listed[1] == span[1] else group:
                row.value = IssueCode.TRUNCATED
        rows += group
    if not rows or (len(rows) < 2 and len(spans) < 2):  # noqa: PLR2004 - one number is no list
        return []
    counted = len(rows) == len(spans) and all(row.echo_index is None for row in rows)
    if counted and {row.id for row in rows} != set(range(1, view.count + 1)) and not view.cut:
        return []  # "Supported: 2, unsupported: 1" of three: how many there are of each
    return [Answer(rows, spans[0][0], max(end for _, end in spans), "groups", orderly=False)]


def _groups(view: View) -> Iterator[tuple[str, Verdict, Span, Span]]:
    """Each group: its name, the verdict of that name, where the group stands, and where its list does."""
    text = view.text
    heads = [
        (one, said)
        for one in matches(_HEAD, text)
        if (said := _verdict(one["word"], view)) is not None and (not one["line"] or _is_heading(one, text))
    ]
    if heads and _ROW.search(text, 0, heads[0][0].start()):
        heads = []  # rows that stand above their verdicts
    for at, (head, reading) in enumerate(heads):
        end = heads[at + 1][0].start() if at + 1 < len(heads) else view.last
        ends = (end, *(text.find(sign, head.end(), end) for sign in ("\n\n", "\n", ". ")))
        for stop in ends:
            body = text[head.end() : stop] if stop >= 0 else ""
            body = _WHY.sub("", body) if len(_NUMBER.findall(body)) == 1 else body
            if body.strip() and _LIST.fullmatch(body) and not view.is_taken(head.start(), stop):
                yield head["word"], reading, (head.start(), stop), (head.end(), stop)
                break
    lists = [(one, _verdict(one["word"], view)) for one in matches(_NUMBERS_FIRST, text)]
    several = any(len(_NUMBER.findall(one["list"])) > 1 for one, _ in lists)
    for one, said in lists if several and all(said for _, said in lists) else ():
        if said is not None:
            yield one["word"], said, one.span(), one.span("list")


def _is_heading(head: re.Match[str], text: str) -> bool:
    """Whether the name of a group without a colon is a heading: no word on a line between two statements."""
    before = text[text.rfind("\n", 0, head.start("word")) + 1 : head.start("word")].strip(" \t" + DROPPED)
    return before[:1] == "#" or (not before.strip("*_") and _ITEM_NAME.search(head["word"]) is not None)


def _verdict(name: str, view: View) -> Verdict | None:
    bare = name.strip(EMPHASIS + COVERED + " .")
    said = view.words.whole(bare)
    if not isinstance(said, Verdict) and (" " in bare or not bare.isascii()):
        said = view.words.whole(_ABOUT.sub("", bare))
    return said if isinstance(said, Verdict) else None


def _entries(view: View, span: Span) -> list[tuple[int | None, int | None]] | None:
    """The numbers of a list, or the statements that it repeats, each with the number before it; None if unclear."""
    text = view.text[span[0] : span[1]]
    if ECHO not in text:
        numbers = numbers_of(text)
        return None if numbers is None else [(one, None) for one in numbers]
    found: list[tuple[int | None, int | None]] = []
    for match in _ENTRY.finditer(text):
        start = span[0] + match.start("echo")
        echo = view.echo_of(view.raw[start : span[0] + match.end("echo")])
        number = int(match["number"]) if match["number"] else None
        if echo is None and number is None:
            return None
        found.append((number, echo))
    return found if sum(map(len, _NUMBER.findall(_ENTRY.sub("", text)))) == 0 else None
