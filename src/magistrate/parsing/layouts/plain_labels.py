"""Labels in plain words: "Severity: high", "The response is not correct", "I would classify this as neutral"."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from magistrate.parsing.layouts.view import matches
from magistrate.parsing.rows.candidate import Candidate
from magistrate.parsing.wording.choices import Choices
from magistrate.parsing.wording.fold import DATA, DROPPED
from magistrate.parsing.wording.hedges import hedges, is_question
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.scales import LONE_DENIALS
from magistrate.verdict import IssueCode

_FEW_WORDS: Final = 3
_MARKS: Final = r"[*_`\"'“”(\[]{0,3}"
_HEAD: Final = rf"(?:^|(?<=[.!?\n。！？{DROPPED}{DATA}]))[\s*_`\"'#>🏆🥇🏅-]{{0,24}}+"
_AS: Final = "classify|label|categori[sz]e|consider|judge|deem|call|assess|grade|rate|mark|give|score|find"
CLOSES: Final = (
    r"[*_`\"'”)\]]{0,6}(?:\s+(?:to|in|by|with)\s+(?:the|this)\s+(?:(?:{WHICH}|reference)\s+)?"
    r"(?:{candidate|judged|item|quote}|question|query|article|text)s?|\s+between\s+[^.!?\n]{1,40}(?=[.!\n]|$))?"
    r"(?=\s*(?:[.!;:(。！；：，\n]|$|[—–]|,\s+(?:(?!{quoting}\b){because}(?!\w|\s+(?:far|long|if|though|well)\b)"
    r"|and|which|so|with)\b)|\s+-\s|\s+(?!{quoting}\b){because}(?!\w|\s+(?:far|long|if|though|well)\b))"
)
"""What may stand behind a label in a sentence: its end, a reason, or a name of what it was held against."""


_ASPECT: Final = WordPattern(
    r"(?m){head}(?=[^:：=→–—\n-]{0,250}+\s*[:：=→–—-])(?:(?:{ours}[ \t_-]*){0,4}?{verdict|answer|winner|overall|better}"
    r"|(?:{theirs}[ \t_-]*){0,4}?{aspect}(?:\s+(?:of|for)\s+(?:the|this)\s+{theirs}"
    r"|\s+between\s+(?:the\s+)?\w+\s+and\s+(?:the\s+)?\w+)?(?:\s+{is})?)[*_`\"')\]]*+"
    r"\s*+(?:[:：=]|->|→|(?<=[\s*])[–—-](?=[\s*]))",
    near=":：=→–—-",
    head=_HEAD,
    ours=r"(?:{aspect|overall}|{own|therefore}|test|nli)",
    theirs=r"(?:{ours}|{candidate|judged|item}|user|prompt)",
)
_OVERALL: Final = WordPattern(r"\W*{overall}\b")
_LAST: Final = 300
_LAST_ARROW: Final = re.compile(
    r"(?:→|->|=>)[\s*_`\"']*(?P<said>[^\n→(]{2,60}?)[\s*_`\"'.]*(?:\([^()\n]{1,200}\)\W*)?\Z"
)
_ARTICLE: Final = rf"(?P<article>(?:an?|ein|eine|un|une|una)\s+(?=\S{{2}}))?{_MARKS}"
_ADVERBS: Final = r"\s+(?:(?:clearly|definitely|simply|indeed|also|factually|considered|deemed|judged|{therefore})\s+)*"
_LINK: Final = WordPattern(_ADVERBS + _ARTICLE)
_DENYING_LINK: Final = WordPattern(rf"(?:\s+(?:{'|'.join(sorted(LONE_DENIALS))})|n['’]t)" + _ADVERBS + _ARTICLE)
"""What stands between "is" and a label."""
_BARE: Final = re.compile(_ARTICLE, re.IGNORECASE)
_CLOSING: Final = WordPattern("(?m)" + CLOSES)


def read_aspects(text: str, choices: Choices) -> Iterator[Candidate]:
    """On a line, behind a name that is made of known words: "Overall sentiment: mixed"; another word there is none."""
    found = []
    for match in matches(_ASPECT, text):
        line = text[match.end() :].split("\n", 1)[0]
        label = choices.read(line)
        if label is not None or 0 < len(line.split(maxsplit=_FEW_WORDS)) <= _FEW_WORDS:
            span = (match.end(), match.end() + len(line))
            overall = _OVERALL.match(match.group()) is not None
            found.append(Candidate(label or IssueCode.UNKNOWN_LABEL, line, span, id="overall" if overall else None))
    whole = [one for one in found if one.id is not None]
    if len(whole) == 1:  # the others are its parts
        found = [replace(one, value=whole[0].value) for one in found]
    yield from found if any(one.value in choices.forms.values() for one in found) else ()


def read_arrow(text: str, choices: Choices) -> Iterator[Candidate]:
    """Behind an arrow, as the last words: "... is an advertisement → off-topic"."""
    match = _LAST_ARROW.search(text, max(0, len(text) - _LAST))
    label = choices.find(match["said"]) if match is not None else None
    if match is not None and label is not None:
        yield Candidate(label, match["said"], match.span("said"), until=len(text))


_STATED: Final = WordPattern(
    r"(?m)(?:{head}|,\s+(?=(?:and\s+)?{therefore}\b))(?:(?:and\s+)?(?P<so>{therefore})\s*,?\s+)?"
    r"(?P<opinion>{opinion})?(?:{subject}|(?P<it>it|this|that))(?(opinion)\s+(?:(?:as|to\s+be)\s+)?"
    r"|(?:(?P<no>\s+(?:no|non|não|не))?(?P<is>\s+{is}|['’]s)(?=\s|n['’]t)"
    r"|(?(it)(?!)|\s+(?:{graded}|(?:would\s+)?(?:gets?|earns?|deserves?|receives?|merits?)\s+(?=an?\s)))))",
    near=("{is|award}", "'s", "should", "i ", "i'"),
    head=_HEAD,
    subject=r"(?:(?:this|that|{own})\s+){1,3}{some}{candidate|judged|item|verdict|answer|aspect}s?(?:\s+of\s+(?:the|this)\s+{some}{candidate|judged|item|verdict|answer|aspect}"
    r"|\s+between\s+(?:the\s+)?premise\s+and\s+(?:the\s+)?hypothesis)?",
    graded=r"should\s+(?:be\s+{as_}e?d\s+(?:as\s+)?)?",
    opinion=r"(?:i\s+(?:{therefore}\s+)?(?:(?:would|will|must|have\s+to)\s+)?(?:{therefore}\s+)?{as_}|i['’](?:d|ll)\s+{as_}|{award})"
    r"\s+",
    some=r"(?:(?:{candidate|judged}|{WHICH}|overall|final)(?:['’]s)?\s+){0,3}?",
    as_=_AS,
)
"""A sentence up to its label: what was judged and "is", or what the judge would call it."""


def _stated_labels(
    text: str, choices: Choices
) -> Iterator[tuple[re.Match[str], re.Match[str], re.Match[str], bool, int]]:
    """Each sentence up to its label, what links it, the label, whether it is denied, and where the sentence closes."""
    for match in matches(_STATED, text):
        links = [(_LINK, False), (_DENYING_LINK, True)] if match["is"] else [(_BARE, False)]
        for link, denied in links:
            step = link.match(text, match.end())
            said = choices.words.match(text, step.end()) if step is not None else None
            end = _CLOSING.match(text, said.end()) if said is not None else None
            if step is not None and said is not None and end is not None:
                yield match, step, said, denied, end.end()
                break


def read_stated(text: str, choices: Choices) -> Iterator[Candidate]:
    """In a sentence on what was judged, or on what the judge would call it; a denied label is its opposite."""
    for match, step, said, denied, end in _stated_labels(text, choices):
        label = choices.find(said["label"])
        loose = match["it"] and not (
            match["opinion"] or match["so"] or step["article"] or not re.search(r"\w", text[: match.start("it")])
        )
        rest = re.split(r"(?<=[.!?\n。？])", text[said.end() :], maxsplit=1)[0]
        if label is None or loose or is_question(rest) or (len(label) == 1 and said["label"] != label):
            continue
        if denied or match["no"]:
            label = choices.opposite(label)
        if hedges(rest.lstrip("*_`\"')]”»")):
            label = None
        so = "so" if match["so"] and label is not None else None
        yield Candidate(label or IssueCode.UNKNOWN_LABEL, said["label"], said.span("label"), id=so, until=end)
