"""The answer on one statement: after a name, alone on a line, at the head of the text, or in a plain sentence."""

import re
from typing import Final

from magistrate.parsing.layouts.view import EMPHASIS, MARK_PATTERN, MOST_MATCHES, View, is_fault, matches
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.rows.fields import polar, under_key
from magistrate.parsing.switches import cached, kept
from magistrate.parsing.wording.courtesy import is_courtesy, is_own_lead, is_therefore, leads_outright
from magistrate.parsing.wording.fold import DATA, DROPPED
from magistrate.parsing.wording.hedges import LONGEST_WORD, NOT_THAT, OF_ANOTHER, is_question
from magistrate.parsing.wording.languages import Sense, group, senses
from magistrate.parsing.wording.patterns import Screen, WordPattern, any_of, is_dense, prose
from magistrate.parsing.wording.reasons import speaks_of_judge
from magistrate.parsing.wording.scales import Words
from magistrate.verdict import IssueCode, Verdict

_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？](?=\d)[^.!?。！？\n]*)*[.!?。！？]?")
_MOST_SENTENCES: Final = 2_000
_LEAD: Final = 200
_SHORT: Final = 4
SHORT_REPLY: Final = 80
_FEW_WORDS: Final = 3
_PLAIN: Final = frozenset({Sense.YES, Sense.NO})
_FOLLOWS: Final = re.compile(
    r"(?:this|the|that|it|by|with|because|since|in|as|from|to|according|based|given|for|due|on|and)\b", re.IGNORECASE
)
_OWN_CLAUSE: Final = re.compile(r"[,.;:!?\n(\u2014\u2013]|\s-\s")
_SOURCED: Final = re.compile(r"(?:by|in|from|with|to|per|according)\b", re.IGNORECASE)
_ASIDES: Final = re.compile(r"[{\[][^{}\[\]]{0,400}[}\]]+|\"[^\"\n]{0,400}\"|'[^'\n]{6,400}'|“[^”\n]{0,400}”")
_CLAUSE: Final = re.compile(r"\n|[.!?;|。；]\s?")
_VAGUE: Final = re.compile(r"\b(?:it|this)\s+\S+\s+(?:\w+\s+)?$", re.IGNORECASE)
"""A subject that may be anything: "it is not clear from the text what ..."."""
Said = tuple[Verdict | IssueCode, int, int]
_CONCLUSIONS: Final = (
    *"verdict answer label judg conclu supported contradict entail refut".split(),
    *("nothing in", "not support", "not backed", "be verified"),
)
conclusions: Final = kept(lambda: (*_CONCLUSIONS, *group("item")))
"""What a reason holds that may give a verdict."""
_conclusions: Final = kept(lambda: (Screen(_CONCLUSIONS), Screen(group("verdict", "answer"))))
_NUMBER_OF_ROW: Final = re.compile(r"[*_ ]*\d{1,4}(?:[.)]|[*_ ]*\()[*_ ]*(?!\d)(?=\S|$)(?!$(?<=\d\.))")
"""A number with a sign of a list behind it, "1) ...", "1 (no)": the number of a row."""
_HEADED: Final = ("#", "**", "__", "*_", "_*")
"""A quick look for headings."""
_INFERRED: Final = re.compile(r"\b(?:it|this)\s+can\s+be\b", re.IGNORECASE)
_SOURCE: Final = re.compile(
    r"^[\s*_]*i(?:\s+would|['’]d)\s+say\s*[:,]?\s*(?=\w+\W*$)|^[\s*_#>-]*+(?:(?:so|therefore|thus|hence|overall|yes|no)\s*,\s+)?"
    r"(?P<none>nothing\s+in\s+)?the\s+(?:given\s+|provided\s+)?(?:context|text|document|source|article|passage|evidence|page)s?\s+(?:clearly\s+|directly\s+|fully\s+|explicitly\s+)?"
    r"(?=support|neither|do|contradict|entail|refut|confirm)",
    re.IGNORECASE,
)
_OBJECT: Final = WordPattern(
    r"[\s*_]*(?:(?:this|the|that|it|both|each|all)(?:\s+(?:\w+ly|whole|entire|given|above|following))?(?:\s+{ITEM}s?)?"
    r"(?:\s+\d{1,4})?)?(?:\s+(?:\w+ly|in\s+full|word\s+for\s+word))?[\s*_]*"
    r"(?:$|[.,;:!()\u2013\u2014{ECHO}-]|\b(?:because|since|as|in|by|with|on|from|that|when|where|and|through|via)\b)",
)
"""What a source supports where it supports the statement: no "supports the opposite", no "the first half of this"."""
_LONGEST_SENTENCE: Final = 160
_ELIDED: Final = re.compile(r"(?<!\w)[nl]['\u2019](?=\s|$)\s*", re.IGNORECASE)
_ITEM: Final = WordPattern(r"(?<!\w){item}(?!\w)|{dense:item}")
_SENTENCE_MARKS: Final = re.compile(r"[,.;:!?。！？|/\t\n]")
_IFS: Final = re.compile(r"\b(?:if|whether|would|could|might|may|unless|than)\b[^.!?]*$", re.IGNORECASE)
_ENDING: Final = WordPattern(
    r"(?:^|[\s(,.;:])(?:{therefore}(?:\s+\w+ly(?:\s+speaking)?,?)?|i\s+mean|it's|(?:must|should|has\s+to)\s+be"
    r"|{verdict|answer}"
    r"|(?:^|[.,;]\s*|\b(?:so|thus|hence|therefore|and)\s+)(?:(?:the|this)\s+)?(?:{item}|it|this)\s+(?:is|was))"
    r"[\s:,]+(?P<word>not\s+enough\s+info(?:rmation)?|[^\s,.;:()]+(?:\s+[^\s,.;:()]+)?)\W{0,4}$"
    r"|(?<=\w):\s+(?P<last>\w+(?:\s+\w+)?)[.!]?$",
)
_APART: Final = re.compile(r"[\s:,]")
_LAST_CLAUSE: Final = re.compile(r"[.,;:!?\n。，；：！？]\s*")
_LAST: Final = (
    r"(?:no|yes|false|true|wrong|(?:in)?correct|(?:un)?supported|contradicted|refuted|entailed|hallucinated"
    r"|enough[^a-z]+info(?:rmation)?)"
)
_LAST_WORD: Final = re.compile(rf"\b{_LAST}\W{{0,4}}$", re.IGNORECASE)
LAST_WORDS: Final = rf"(?m:{_LAST}[^a-z\n]{{0,4}}$)"
"""A verdict at the end of a line, perhaps."""


def _answers(said: list[Said], view: View, form: str = "text") -> list[Answer]:
    kept = [one for one in dict.fromkeys(said) if not (view.cut and one[2] >= view.last)]
    return [
        Answer([Candidate(value, view.raw[start:end], (start, end))], start, end, form)
        for value, start, end in sorted(kept, key=lambda one: one[1:])
    ]


def read_marked(view: View) -> list[Answer]:
    """Behind a name: "Verdict: supported", "My answer is no"."""
    return _answers(_marked(view.text, view.words), view) if view.count == 1 else []


def named_lead(name: str, text: str, words: Words) -> tuple[Verdict | IssueCode, int] | None:
    """What stands behind a name, read as under a key: a no behind "supported" says "not supported" and no more."""
    lead = words.lead(text)
    if lead is None:
        return None
    said = text[: lead[1]].strip(EMPHASIS + "\n")
    rest = text[text.find(said) + len(said) :].partition("\n")[0]
    if not is_fault(name):
        return under_key(lead[0], name, said, words), lead[1]
    told = polar({name: said}, words) if not rest.strip(EMPHASIS + ".!") else None
    return told or IssueCode.CONFLICTING_VERDICTS, lead[1]


def is_quality(name: str, words: Words) -> bool:
    """Whether a name is a word of the scale, or says that something is wrong: the answer is what stands behind it."""
    return words.whole(name) is not None or is_fault(name)


def _marked(text: str, words: Words) -> list[Said]:
    found: list[Said] = []
    for match in matches(MARK_PATTERN, text):
        lead = named_lead(match["name"], text[match.end() : match.end() + _LEAD], words)
        clause = _CLAUSE.split(text[max(0, match.end() - _LEAD) : match.end()])[-1].rstrip(EMPHASIS + " \t")
        lead_in = clause.strip("#>-*_:： \t")
        if clause[-1:] in {":", "："} and lead_in != match["name"] and not is_own_lead(lead_in + ":"):
            continue
        of_all = match["name"].lower().endswith("s") and text[match.end() : match.end() + 1].isdigit()
        if lead is not None and not of_all and not _NUMBER_OF_ROW.match(text, match.end()):
            found.append((lead[0], match.end(), match.end() + lead[1]))
    for heading in _HEADINGS.finditer(text) if any(map(text.__contains__, _HEADED)) else ():
        lead = words.lead(text[heading.end() : heading.end() + _LEAD])
        if lead is not None and not _NUMBER_OF_ROW.match(text, heading.end()):
            found.append((lead[0], heading.end(), heading.end() + lead[1]))
    return found


def heading_pattern(names: str) -> WordPattern:
    """A heading that is the name of an answer, up to the line below it."""
    return WordPattern(
        rf"^[ \t]*(?:#{{1,6}}[ \t]*|[*_]{{2}})(?:{{own}}\s+){{0,2}}{{{names}}}"
        r"[ \t]*[*_]*[:：]?[*_]*[ \t]*\n[\s*_`\"'(\[]*",
        re.IGNORECASE | re.MULTILINE,
    )


_HEADINGS: Final = heading_pattern("verdict|answer")


def read_single_line(view: View) -> list[Answer]:
    """A word alone on a line, or at the head of the text before a mark."""
    found: list[Said] = []
    if view.count != 1:
        return []
    text, words = view.text, view.words
    lines = [match for match in re.finditer(r"[^\n]+", text) if match.group().strip(EMPHASIS + DATA + " ")]
    for line in lines[:MOST_MATCHES] + lines[MOST_MATCHES:][-1:]:  # a word alone on a line between them counts too
        body = line.group().strip(" \t\r$" + DROPPED + DATA)
        if not body or "[ ]" in body or body.count("**") % 2:
            continue  # "$", a box that is left, the beginning of something
        at = line.start() + line.group().find(body)
        field = MARK_PATTERN.match(body)
        if field is not None and is_quality(field["name"], words) and words.lead(body[field.end() :]) is not None:
            continue  # "Supported: no"
        plain = body.strip("*_`\"' ")
        if len(lines) == 1 and plain.rstrip(".!").isalpha() and is_courtesy(plain):
            continue  # "OK" to who asked
        if line is lines[0] and not _answers_a_call(text, body, words):
            lead = words.lead(text[at : at + _LEAD], numbers=plain in {"0", "1"})
            said = predicate(body, words) if lead is None else None
            lead = said if said and body[: said[1]].strip(EMPHASIS) in words.signs else lead
            if lead is not None:
                found.append((lead[0], at, at + lead[1]))
                continue
        told = len(body) > LONGEST_WORD or body[0] in ":：.,;)"  # the end of something
        whole = None if told else words.whole(body)
        if whole is not None and (not any(char.isdigit() for char in body) or plain in {"0", "1"}):
            found.append((whole, at, at + len(body)))
    return _answers(found, view)


def _answers_a_call(text: str, body: str, words: Words) -> bool:
    """Whether a short text speaks of who judges, to who asked: "Yes, I can help with that!", "No, I can't do that."."""
    rest = re.split(r"[,，、!！]", body, maxsplit=1)[-1] if re.search(r"[,，、!！]", body[:8]) else ""
    few = len(rest.split()) <= _FEW_WORDS and not (body[0].isalpha() and any(words.mentions(rest)))
    return bool(rest) and len(text) <= SHORT_REPLY and (speaks_of_judge(rest) or few)


@cached
def _short_words() -> str:
    """Plain words for yes and no, as a sentence begins with them: "No, the summary is not ..."."""
    return "|".join(
        re.escape(word)
        for word, sense in senses().items()
        if len(word) <= _SHORT and word.isalpha() and sense in _PLAIN
    )


_SUBJECT: Final = WordPattern(
    r"(?:^(?:[\s*_]*{short_words},(?=\s))?|(?<=[,;:])\s*(?={therefore}\b)|(?<=,)\s*(?=(?:the"
    r"|this) (?:{item}|summary)\b))[\s*_#>\"\u201d-]*+(?:(?:{therefore}|conclusion|in short|"
    r"for (?:this|these) reasons?|based on (?:this|the above|that))\s*[,:]?\s+)?"
    r"(?:i (?:would |can |therefore |have to |must )?(?:say|conclude|judge|find|find it|think|believe)\s+(?:that\s+)?)?"
    r"(?:(?:(?:the|this|that|{ARTICLE})\s+(?:final\s+|whole\s+|given\s+|above\s+|provided\s+|generated\s+)?)?"
    r"(?:{item|verdict|answer}|summary|response|text)(?:\s+#?1)?|it|this"
    r"|there(?=(?:\s+\w+|['’]s)\s+(?:not\s+enough|insufficient)\b))"
    r"(?:(?:(?:\s+\w+ed)?\s+{is}|(?<=\bit)['’]s|(?<=\bthere)['’]s)\s+"
    r"(?:(?:{therefore}|considered|deemed|judged)\s+)?|(?:\s+\w+ed)?\s+(?=can(?:not|['’]t)?\s))",
    near=("{is}", "'s", "’s"),
    short_words=_short_words,
)


def read_single_sentence(view: View) -> list[Answer]:
    """In a sentence: "Therefore, the summary is consistent", "The context contradicts this"."""
    if view.count != 1:
        return []
    said = said_in_sentences(view.text.replace("**", "  "), view.words)
    for sentence in _SENTENCE.finditer(view.text) if not said and len(view.text) <= _LONGEST_SENTENCE else ():
        value = reduced(sentence.group(), view.words)
        said += [(value, sentence.start(), sentence.end())] if value is not None else []
    return _answers(said, view)


def said_in_sentences(text: str, words: Words) -> list[Said]:
    """The verdicts that plain sentences of a text give on the one thing it is about."""
    found: list[Said] = []
    for sentence, _ in zip(_SENTENCE.finditer(text), range(_MOST_SENTENCES), strict=False):
        body = sentence.group()
        for match in (*_SUBJECT.finditer(body), *_SOURCE.finditer(body)):
            lead = body[: match.start()].strip(" *_,;:")
            links = is_therefore(match.group())
            if (prose("doubt").search(lead) and not links) or (
                match.re is not _SOURCE and not leads_outright(lead, match.group())
            ):
                continue
            begin = sentence.start() + match.end()
            if _INFERRED.search(body, match.start()):
                continue  # "it can be inferred that ..."
            vague = match.re is not _SOURCE and _VAGUE.search(match.group()) is not None
            rest = text[begin : sentence.end()]
            said = words.lead(rest[:_LEAD]) if vague else predicate(rest, words)
            if said is not None and match.re is _SOURCE and match["none"]:  # "Nothing in the text supports it"
                turned = said[0] is words.verdicts[Sense.YES] and isinstance(words.verdicts[Sense.LACK], Verdict)
                said = (words.verdicts[Sense.LACK], said[1]) if turned else None
            if said is not None and match.re is _SOURCE and said[0] is words.verdicts[Sense.YES]:
                told = rest[said[1] :]
                if _OBJECT.match(told) is None or prose("contrast", "hedge").search(told):
                    said = (IssueCode.CONFLICTING_VERDICTS, said[1])  # "supports the opposite", "this, but only ..."
            if said is not None:
                found.append((said[0], begin, begin + said[1]))
    return found


@cached
def _around() -> re.Pattern[str]:
    """What stands around a verdict in a sentence that is nothing else: its subject, "is", where it comes from."""
    parts = {*group("item", "is", "source", "function", "therefore")} - {*group("negation", "none")}
    plain, dense = (any_of(one for one in parts if is_dense(one) is kind) for kind in (False, True))
    return re.compile(rf"(?<!\w)(?:{plain})(?!\w)|{dense}", re.IGNORECASE)


def reduced(sentence: str, words: Words) -> Verdict | None:
    """The verdict of a sentence in any language that says nothing else: "Die Aussage wird durch den Text belegt"."""
    bare = sentence.strip(" \t\n*_`\"'.。!।۔")
    if len(bare) > _LONGEST_SENTENCE or is_question(sentence) or _SENTENCE_MARKS.search(bare):
        return None
    if _ITEM.search(bare) is None:
        return None  # it speaks of nothing
    rest = _ELIDED.sub("", " ".join(_around().sub(" ", bare).split()))
    said = words.whole(rest.replace(" ", "") if is_dense(rest[:1]) else rest)
    return said if isinstance(said, Verdict) else None


def predicate(text: str, words: Words) -> tuple[Verdict | IssueCode, int] | None:
    """A word of the table after "is": before a mark, or before what a reason begins with."""
    lead = words.lead(text[:_LEAD])
    parts = list(re.finditer(r"[^\s,.;:]+", text[:120])) if lead is None else []
    for size in range(min(6, len(parts)), 0, -1):
        end = parts[size - 1].end()
        whole = words.whole(text[:end])
        if whole is not None:
            lead = (whole, end) if _FOLLOWS.match(text[end:].lstrip(" *_`")) else None
            break
    if lead is not None and lead[0] is words.verdicts[Sense.YES]:
        clause = _OWN_CLAUSE.split(text[lead[1] :].lstrip(" *_`"), maxsplit=1)[0]
        nobody = _SOURCED.match(clause) and prose("negation", "hedge").search(clause)
        if nobody or OF_ANOTHER.match(clause) or NOT_THAT.search(_CLAUSE.split(text[lead[1] : _LEAD], maxsplit=1)[0]):
            return IssueCode.CONFLICTING_VERDICTS, lead[1]
    return lead


def names_verdict(reason: str) -> bool:
    """A quick look whether a reason that is not plain English may name a verdict."""
    return not reason.isascii() and _conclusions()[1].search(reason)


def ends_in(reason: str, words: Words) -> Verdict | None:
    """The verdict that the last words of a reason give: "... So no.", "... it is false."."""
    tail = reason[-90:]
    if _LAST_WORD.search(tail[-24:]) is None:
        return None
    match = _ENDING.search(tail) if _APART.search(tail.strip()) else None
    if match is None or _IFS.search(tail[: match.start() + 1]):
        return None
    said = words.whole(match["word"] or match["last"])
    return said if isinstance(said, Verdict) else None


def concludes(reason: str, words: Words) -> Verdict | None:
    """The verdict that a reason gives in so many words, "so the verdict is no"; None where it gives none."""
    last = ends_in(reason, words) or ends_in(_LAST_CLAUSE.split(reason[:LONGEST_WORD], maxsplit=1)[0], words)
    if last is not None:
        return last
    told = _LAST_WORD.search(reason, max(0, len(reason) - 24)) or _conclusions()[0].search(reason)
    if told or names_verdict(reason):
        whole = _ASIDES.sub(" ", reason[-2_000:])
        marked = [
            value
            for value, start, end in _marked(whole, words)
            if isinstance(value, Verdict) and not whole[start:end].strip().isdecimal()
        ]
        said = marked or [value for value, _, _ in said_in_sentences(whole, words) if isinstance(value, Verdict)]
        if said:
            return said[-1]
    clause = _LAST_CLAUSE.split(reason[-2_000:].rstrip(" .!\n。！"))[-1]
    return reduced(clause, words)
