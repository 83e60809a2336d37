"""What takes a part of an answer back, or says that it is another's: hedges, conditions, quotations; where it ends."""

import re
from itertools import islice
from typing import Final

from magistrate.parsing.switches import kept
from magistrate.parsing.wording.fold import DECORATION
from magistrate.parsing.wording.languages import group, signs_of_senses
from magistrate.parsing.wording.patterns import WordPattern, is_dense, vocabulary

LONGEST_WORD: Final = 80
"""Characters of a text in which a word stands, and what belongs to it."""
NOT_THAT: Final = re.compile(r"\b(?:but|just|though)\s+(?:just\s+)?not\b", re.IGNORECASE)
"""What takes an answer back though it names something: "supported by common sense, but not by the context"."""
UNSURE: Final = re.compile(r"[\s*_]*[(\[]\s*(?:[?？]+|50\s*[/:-]\s*50)\s*[)\]]")
"""A doubt in signs: "(?)", "(50/50)"."""
_QUESTION: Final = re.compile(r"[?？؟][\s*_`\"'“”»)\]]*$")
denials: Final = kept(lambda: vocabulary("negation") - (vocabulary("function") - {"no"}))
"""The words that deny."""
FAULT: Final = WordPattern(
    r"\W*(?:\w+\s+){1,4}?(?:{is}|has|contains)\s+(?:\w+\s+){0,3}?(?:{fault}|{long:no|lack|contradicted})(?!\w)",
    near=("{fault}", "{long:no|lack|contradicted}"),
)
"""A clause that finds something wrong: "there is an error", "it contains no contradictions"."""
OF_ANOTHER: Final = WordPattern(
    r"[\s,;:(\])*_\"\u201d\u2014\u2013-]*(?:{quoting}\s+{theirs}\b(?![ ]{candidate}\b)"
    r"|(?:says|claims|states)\s+{theirs}\W*$|{theirs}\s+(?:says|claims|states)\W*$"
    r"|(?:says|claims)\s+(?:the|a|an|my|our)\s+(?!{given}\b)[\w ]{1,30}\W*$)",
    theirs=r"(?:(?:\w+\s+){0,3}?(?!{given}\b)(?:{candidate}|author|student|annotator|rater|user|question)s?|(?-i:[A-Z]))",
    given=r"(?:te[xk]s?t\w*|testo|{judged|quote})",
)
"""A clause that gives a verdict as that of what was judged: "according to the candidate", "says the answer"."""
_OF_PART: Final = WordPattern(
    r"[\s*_(\])]*for\s+(?:effort\b|enthusiasm\b"
    r"|(?:the\s+(?!{said}?{judged_thing}\b)[\w' -]{1,40}|(?:turn|part|section)\s+\d+)[.)*_]*\s*(?:\n|$))",
    said=r"(?:(?:\w+ed|given|final|whole|overall|above|student's|model's)\s+)",
    judged_thing="{candidate|item|judged}|user|instruction|task|prompt|question|query|request|purpose",
)
"""What limits an answer to a part of what was judged: "for the introduction", "for effort"."""
_DICTATED: Final = WordPattern(
    r"(?m)(?:(?:^|[(\n,])[\s*_]*(?:as\s+)?|\b{mine}[^.!?\n]{0,30}?\s(?:is|was|were|are)\s+)"
    r"{given}\s+(?:for\s+)?(?:by|in|from)\s+{theirs}\b"
    r"|\b{theirs}\s+(?:\w+\s+)?{asks}\s+(?:me\b|(?:for\s+)?(?:this|that|the)\s+{mine}\b|for\W*$)"
    r"|\A\W*(?:placeholder|dummy|default)\b|\bas\s+{theirs}\s+(?:itself\s+)?{asks}\W*$|\babove\s+(?:is|was)\s+(?:a\s+)?part\s+of\b"
    r"|\bin\s+{theirs}['\u2019]s\s+(?:own\s+)?words\b",
    mine=r"(?:score|rating|grade|mark|verdict|label|winner|choice|lines?|tag|json|above)",
    given=r"(?:requested|demanded|told|instructed|supplied|suggested|dictated|copied|quoted|pasted|wanted|ordered)",
    theirs=r"(?:the|this|its|that)\s+(?:\w+\s+){0,2}?(?:{candidate|quote}|author|note)s?(?:\s+of\s+(?-i:[A-Z]))?",
    asks=r"(?:told|asked|asks|demand(?:s|ed)|want(?:s|ed)|instruct(?:s|ed)|request(?:s|ed)|order(?:s|ed)|tells)",
    near=(
        *"told asked asks demand want instruct request order tells suppl suggest dictated copied quoted pasted".split(),
        *("placeholder", "dummy", "default", "part of", "words"),
    ),
)
"""What says that an answer is what that which was judged asked for: "(as requested by the submission)"."""
_SAYS: Final = (
    "claims reports says states ends contains includes shows reads asks requests quotes demands promises wants tells "
    "writes prints consists claimed said stated ended contained included asked told wrote demanded wanted read"
).split()
_TAKEN: Final = "found taken quoted copied seen".split()
_REPORTING: Final = WordPattern(
    r"(?<!my )(?<!our )\b{candidate}s?\s+(?:\w\s+)?(?:\w+ly\s+)?{says}\b"
    r"|\b{taken}\s+(?:in|from)\s+(?:\w+\s+){0,2}?{candidate}\b",
    says="|".join(_SAYS),
    taken="|".join(_TAKEN),
    near=(*_SAYS, *_TAKEN),
)
"""What was judged, and that it says something: "the candidate claims", "response A contains"."""
_BREAKS: Final = WordPattern(
    r"[.,;:!?()\[\]{}\"“”«»<>\u2014\u2013\n。，、；：！？،؛؟।۔（）「」『』【】…|/\\\u2022*=\u2192\x00\ue000\ue001\ue002]"
    r"|(?<=\s)-(?=\s)|(?<=[\u4e00-\u9fff])[ \u3000]|\s(?={because}\b)"
)


def _behind_word(keys: str) -> WordPattern:
    source = rf"[\s,;:(\[*_`，；：（、،؛—–-]*(?:with\s+(?:\w+\s+)?)?(?:{{{keys}}}(?!\w)|{{dense:{keys}}})"
    return WordPattern(source, near=(f"{{{keys}}}",))


_CONDITION: Final = _behind_word("condition")
_HEDGE: Final = _behind_word("condition|hedge")
_CONTRAST: Final = _behind_word("condition|hedge|contrast|except")


def hedges(rest: str, *, contrast: bool = True) -> bool:
    """Whether what stands behind a word, in its own sentence, takes a part of it back: ", but only in part"."""
    return _begins_with(rest, _CONTRAST if contrast else _HEDGE)


def is_conditional(rest: str) -> bool:
    """Whether what stands behind an answer makes it hold under a condition only: ", assuming that ..."."""
    return _begins_with(rest, _CONDITION)


def _begins_with(rest: str, pattern: WordPattern) -> bool:
    match = pattern.match(rest[:LONGEST_WORD])
    if UNSURE.match(rest):
        return True
    return match is not None and "\n" not in match.group().rstrip("\n") and not re.match(r"\s*[:：]\s", rest)


def denies_contradiction(clause: str) -> bool:
    """Whether a clause of a script without blanks holds a word for a contradiction and one that denies."""
    groups = (group("contradicted"), group("negation"))
    return is_dense(clause) and all(any(is_dense(one) and one in clause for one in words) for words in groups)


def is_of_part_or_another(text: str) -> bool:
    """Whether a sentence goes on so that its answer is about a part only, or somebody else's."""
    return OF_ANOTHER.match(text) is not None or _OF_PART.match(text) is not None


def is_dictated(text: str) -> bool:
    """Whether what stands behind an answer says that it is not the judge's own, but asked for by what was judged."""
    return _DICTATED.search(text) is not None


def reports(text: str) -> bool:
    """Whether a clause says what that which was judged says."""
    return _REPORTING.search(text) is not None


def is_question(text: str) -> bool:
    """Whether a text ends with a question mark."""
    return _QUESTION.search(text) is not None


# -- where a word may end -------------------------------------------------------------------------------------------

HOW_SURE: Final = re.compile(
    r"[ \t]*\((?:(?:(?:confidence|probability|p)\s*[:=]?\s*)?(?:0?\.[5-9]\d{0,4}|1\.0{1,4}|(?:[5-9]\d|100)\s?%)"
    r"(?:\s+(?:confidence|confident|sure|certain))?|(?P<about>(?:confidence|certainty)\s*[:=]\s*)?"
    r"(?:very\s+)?(?:high|medium|moderate)(?(about)|\s+(?:confidence|certainty)))\)(?=[.\s]*$)",
    re.IGNORECASE,
)
"""How sure the judge is of an answer before it, in brackets: "(0.98)", "(high confidence)"; no doubt of it."""
_MOST_STOPS: Final = 6


def stops(text: str) -> list[int]:
    """Where the word at the head of a text may end, the longest first: before marks and linking words."""
    head = text[:LONGEST_WORD]
    signs, least = signs_of_senses().intersection(head), len(head) - len(head.lstrip(DECORATION))
    breaks = (match.start() for match in _BREAKS.finditer(head))
    found = [*islice((at for at in breaks if at > least or not signs.isdisjoint(head[:at])), _MOST_STOPS)]
    if len(text) <= LONGEST_WORD:
        found.append(len(text))
    return found[::-1]


def ends(text: str, start: int) -> list[int]:
    """Where the word may end that begins at a place."""
    return [start + stop for stop in stops(text[start : start + LONGEST_WORD])]
