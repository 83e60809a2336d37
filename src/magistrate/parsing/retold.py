"""A second answer in a few words behind the first: "So no.", "Make that a 3.", "No wait, it's B.".

Only sentences count that consist of nothing but such words and a value, so that a reason is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["calls_off", "denies", "retold"]

_HEARD: Final = 2_000
"""Characters behind an answer that are looked at."""
_MOST: Final = 40
"""Sentences of it."""
_SHORT: Final = 70
"""Characters of a sentence that may be one."""
_STOP: Final = re.compile(r"[!?]+|\.(?!\d)|\n|[。！？；;।؟]")

_SECOND: Final = (
    r"oh|ah|no|nope|wait|hold\s+on|hm+|actually|rather|or|but|well|instead|edit|update|fix|fixed|revision|revised|amended"
    r"|corrected|correct|correction|never\s?mind|(?:scratch|strike|scrap)\s+(?:that|it)|kidding|just\s+kidding|mea\s+culpa"
    r"|apologies|sorry|oops|my\s+(?:bad|mistake|apologies)|(?:on\s+)?(?:a\s+)?second\s+thoughts?|come\s+to\s+think\s+of\s+it|then\s+again"
    r"|i\s+(?:mean|meant)|make\s+(?:that|it|this)|(?:it|that|this)\s+(?:should\s+(?:be|read|have\s+been)|must\s+be|ought\s+to\s+be)"
    r"|i(?:['’]d|\s+would|['’]ll|\s+will)\s+(?:now\s+|rather\s+|instead\s+){1,2}(?:say|give|choose|pick|go\s+with)"
    r"|(?:downgrade|upgrade)d?|after\s+all|(?:they|both|all|these|those)(?:\s+are|['’]re|\s+should\s+be)"
)
"""Words of a second thought: what follows them stands in the place of what was said."""
_NAMED: Final = (
    r"(?:the|my|a)\s+(?:(?:correct|right|final|new|real|actual|revised|overall)\s+){0,2}(?:answer|verdict|score|rating|grade|label|choice|pick"
    r"|decision|judge?ment|conclusion|winner)(?:\s+(?:is|was|should\s+be|would\s+be|becomes|remains))?"
    r"|(?:final|new|correct|revised|amended|corrected)\s+(?:answer|verdict|score|rating|grade|label|choice)(?:\s+is)?"
)
_PLAIN: Final = (
    r"so|then|again|therefore|thus|hence|and|yet|final|finally|overall|ultimately|in\s+the\s+end|to\s+be\s+(?:fair|honest)"
    r"|(?:it|that|this)(?:['’]s|\s+is|\s+would\s+be)|i(?:\s+now)?\s+(?:say|give|choose|pick|go\s+with|settle\s+(?:on|for)|prefer)"
    r"|i(?:['’]d|\s+would|['’]ll|\s+will)\s+(?:say|give|choose|pick|go\s+(?:with|for)|settle\s+(?:on|for))"
    r"|let['’]?s\s+(?:say|go\s+with|make\s+it|call\s+it)|call\s+it|better|now|an?|be|it|to|at"
)
"""Words that lead up to an answer: behind another one they make a second."""
_ENDS: Final = r"(?:[\s,]+(?:after\s+all|then|instead|sorry|now|though|in\s+the\s+end|overall|really|actually))?"
_BREAK: Final = r"(?:[\s,:;.…–—=*_>\"'“”()`]+(?:-\s+)?)"
_RETOLD: Final = tuple(
    tuple(
        re.compile(
            rf"[\W_]*(?:(?:{leads}){_BREAK}){{1,5}}{lazily}(?:(?:it|that)(?:['’]s|\s+is){_BREAK})?(?:an?\s+)?"
            rf"(?P<value>[^\s,].{{0,30}}?){_ENDS}[\W_]*",
            re.IGNORECASE,
        )
        for lazily in ("", "?")
    )
    for leads in (f"{_NAMED}|{_SECOND}|{_PLAIN}", _SECOND)
)
"""For one thing asked about and for several; as many of the words as there are, then as few: a "no" may be either."""
_SECOND_ELSEWHERE: Final = (
    r"nein|ich\s+mein(?:e|te)|besser\s+gesagt|vielmehr|moment|halt|eigentlich|entschuldigung|doch|eher|richtig\s+(?:ist|wäre)"
    r"|no|perd[oó]n|mejor\s+dicho|quiero\s+decir|en\s+realidad|espera|o\s+sea|más\s+bien|digo"
    r"|non|pardon|plutôt|je\s+veux\s+dire|en\s+fait|attendez|enfin|anzi|scus[ai]|volevo\s+dire|in\s+realtà|aspetta|piuttosto"
    r"|não|aliás|desculpe|quer[o]?\s+dizer|na\s+verdade|ou\s+melhor|нет|вернее|точнее|то\s+есть|извините|на\s+самом\s+деле|ой|скорее"
    r"|不对|不對|不(?=[，,、])|应该是|應該是|更正|抱歉|其实|其實|我的意思是|等等|いや|いえ|訂正|すみません|正しくは|やはり|아니|정정|죄송합니다|사실"
    r"|عفوا|أقصد|في\s+الواقع|تصحيح|بل|माफ़?\s+कीजिए|मेरा\s+मतलब|असल\s+में|बल्कि"
)
_SO_ELSEWHERE: Final = (
    r"also|daher|deshalb|somit|entonces|por\s+(?:lo\s+)?tanto|donc|quindi|dunque|portanto|então|значит|поэтому|итак"
    r"|所以|因此|つまり|だから|したがって|따라서|그래서|لذلك|إذن|इसलिए"
)
_ELSEWHERE: Final = tuple(
    re.compile(
        rf"[\W_]*(?:(?:{leads})(?:[\s,，、،؛:：;…–—]+(?:-\s+)?|(?<=[\u3040-\u9fff]))){{1,4}}(?P<value>[^\s,，、].{{0,24}}?)(?:です|だ|である|입니다)?(?:(?![\u0900-\u0dff])[\W_])*",
        re.IGNORECASE,
    )
    for leads in (f"{_SECOND_ELSEWHERE}|{_SO_ELSEWHERE}", _SECOND_ELSEWHERE)
)
"""The like in other languages."""
_NEAR: Final = 2
_PRONOUN: Final = re.compile(r"\W*(?:it|that|this)\b", re.IGNORECASE)
_FAIRER: Final = re.compile(
    r"[\W_]*(?:an?\s+)?(?P<value>\S{1,24}?)[*_`]*\s+(?:is|would\s+be|seems|feels|looks)\s+(?:a\s+)?"
    r"(?:more\s+\w{3,12}|better|fairer|fair|apt|right|closer|appropriate)(?:\s+(?:here|now|overall|though|score|rating|grade|choice))?[\W_]*",
    re.IGNORECASE,
)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The short sentences, each with how many sentences stand before it."""
    before = 0
    for sentence in _STOP.split(text[:_HEARD], _MOST)[:_MOST]:
        if 1 < len(sentence) <= _SHORT:
            yield before, sentence
        before += not sentence.isspace() and sentence != ""


def retold(text: str, *, several: bool = False) -> Iterator[str]:
    """What short sentences behind an answer give in its place, as it is worded.

    Args:
        text: What stands behind the answer.
        several: Whether several things were asked about: a summary of them is then no second answer.
    """
    patterns = (*_RETOLD[several], _ELSEWHERE[several], *(() if several else (_FAIRER,)))
    for at, sentence in _sentences(text):
        if at >= _NEAR and _PRONOUN.match(sentence):
            continue  # farther on "This is correct." speaks of what was said last
        for match in (pattern.fullmatch(sentence) for pattern in patterns):
            if match is not None:
                yield match["value"]


_ANSWERS: Final = r"(?:\s+(?:answers?|verdicts?|scores?|labels?|ratings?|list))?"
_THESE: Final = (
    rf"(?:(?:that|this|it|these|those){_ANSWERS}|they|them"
    rf"|(?:the|my|all|everything)(?:\s+of)?(?:\s+(?:the|that|this|these))?(?:\s+above)?{_ANSWERS})"
)
_CALLED_OFF: Final = re.compile(
    rf"[\W_]*(?:(?:but|no|oh|sorry|wait|please|actually|so|well|oops|hold\s+on)[\s,.:;–—-]+){{0,3}}"
    rf"(?:(?:ignore|disregard|forget|cancel|undo|scrap|scratch|strike|discard|delete|reverse|flip|swap|invert){_BREAK}{_THESE}"
    rf"|undo|(?:just\s+)?kidding|never\s?mind"
    rf"|{_THESE}(?:['’]s|['’]re|\s+(?:is|was|are|were))\s+(?:all\s+)?(?:backwards?|reversed|swapped|inverted"
    rf"|mixed\s+up|(?:just\s+|only\s+)?(?:an?\s+)?(?:placeholders?|samples?|examples?|templates?|dumm(?:y|ies)|dummy\s+values)|the\s+other\s+way\s+(?:a?round)"
    rf"|the\s+wrong\s+way\s+(?:a?round)|for\s+(?:the|a|an)\s+(?:previous|other|different|another|next|last)\s+\w+)"
    rf"|i\s+(?:got|had|have|put|gave|wrote|mixed|swapped|confused|reversed)\s+(?:{_THESE}|the\s+two|both|them|\d{{1,3}}\s+and\s+\d{{1,3}})"
    rf"(?:\s+(?:backwards?|reversed|swapped|inverted|mixed\s+up|wrong|up|the\s+(?:other|wrong)\s+way\s+(?:a?round)))"
    rf"|i\s+(?:swapped|mixed\s+up|confused|reversed|inverted)\s+(?:{_THESE}|the\s+two|both|\d{{1,3}}\s+and\s+\d{{1,3}})"
    rf"|(?:the\s+)?other\s+(?:one|way\s+(?:a?round))|read\s+{_THESE}\s+(?:in\s+reverse|backwards?)"
    rf"|swap\s+(?:the\s+two|\d{{1,3}}\s+and\s+\d{{1,3}})|\d{{1,3}}\s+and\s+\d{{1,3}}\s+(?:are|should\s+be|need\s+to\s+be)\s+(?:swapped|reversed)"
    rf"|reversed?|swapped|(?:sample|example|dummy)(?:\s+(?:output|values?|answers?|verdicts?|only)){{1,2}}|placeholders?)"
    r"(?:[\s,]+(?:sorry|please|though|actually|entirely|completely|only|order))?[\W_]*",
    re.IGNORECASE,
)


_WRONG: Final = re.compile(
    rf"[\W_]*(?:(?:but|no|oh|sorry|wait|actually|so|well|oops|hold\s+on)[\s,.:;–—-]+){{0,3}}(?:not|{_THESE}(?:['’]s|['’]re|\s+(?:is|was|are|were))"
    r"\s+(?:all\s+)?(?:wrong|incorrect|not\s+(?:right|correct|true)|false|untrue))(?:[\s,]+(?:sorry|though|actually))?[\W_]*",
    re.IGNORECASE,
)


def calls_off(text: str) -> bool:
    """Whether a short sentence behind an answer calls it off, without another: "Please ignore that."."""
    return any(_CALLED_OFF.fullmatch(sentence) is not None for _, sentence in _sentences(text))


def denies(text: str) -> bool:
    """Whether a short sentence behind an answer calls it, or what was judged, wrong: behind a yes it denies either."""
    return any(_WRONG.fullmatch(sentence) is not None for _, sentence in _sentences(text))
