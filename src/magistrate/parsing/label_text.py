"""A label in plain text: in double brackets, after a name, alone on a line, or in a sentence that prefers it."""

from __future__ import annotations

import re
from typing import Final

from magistrate.parsing.choices import DECORATION, NOUNS, Choices, Hit
from magistrate.parsing.label_options import counts_itself, listed_option
from magistrate.parsing.prose import DROPPED, Prose
from magistrate.parsing.talk import NOT_THE_JUDGES, asked, doubted, talked_of
from magistrate.parsing.voices import Voice, voice_of

__all__ = ["find_label", "other_names", "said_under"]

_NAMES: Final = (
    r"(?:verdict|answer|label|grade|choice|vote|pick|letter|sentiment|stance|polarity|emotion|decision|judge?ment|winner|result|conclusion|rating|preference|selection"
    r"|category|classification|final|ruling|score|outcome"
    r"|urteil|antwort|ergebnis|veredicto|respuesta|ganador|réponse|gagnant|verdetto|risposta|vincitore|veredito"
    r"|resposta|вердикт|ответ|победитель|判定|结论|結論|答案|选择|判断|回答|판정|답|선택|الحكم|الإجابة|निर्णय|उत्तर"
    r"|evaluation|assessment|bewertung|evaluación|évaluation|valutazione|avaliação|оценка|评价|評価|평가|التقييم"
    r"|मूल्यांकन)"
)
_SAYS: Final = (
    r"\s*(?:[:：=]|->|=>|→|[—–]|(?<=\s)-(?=\s)|\b(?:is|was|would be|goes to|ist|es|est|è|é)\b)\s*"
    r"(?:(?:that|the|to|therefore|thus"
    r"|hence|clearly|:)\s+){0,2}[*_`]{0,3}\s*"
)
_BETTER: Final = (
    r"(?:(?:clearly|definitely|slightly|much|far|significantly|arguably|overall|generally|therefore|also|thus"
    r"|ultimately|certainly|the|a|an|more|considered|deemed|still|marginally|somewhat|indeed|judged|rated"
    r"|chosen(?:\s+as)?|to\s+be|preferred\s+as|my|relatively|substantially|considerably|likely|probably|objectively"
    r"|the\s+clear|most|would\s+be)\s+){0,4}"
    r"(?:better|best|superior|preferred|preferable|winner|winning|stronger|favou?red|chosen|choice|more\s+(?:helpful"
    r"|accurate|appropriate|suitable|relevant|correct|precise|effective)|right\s+(?:choice|one)|correct\s+(?:choice"
    r"|one|answer))"
)
_CONCLUDES: Final = re.compile(
    r"\b(?:therefore|thus|hence|overall|in (?:conclusion|summary|short|sum)|to (?:conclude|sum up|summarize)|so,?"
    r"|consequently|accordingly|as a result|final(?:ly)?|ultimately|my (?:choice|decision|verdict|answer)|given "
    r"(?:this|these|that|the)|based on|for (?:this|these) reasons?|considering|in the end|all in all|on balance)\b",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:not|neither|nor|no|hardly|never|cannot|can't|isn't|rather than|if|whether|would|could|might|may|than"
    r"|unless|although|while|which|whichever|either|both)\b[^.;\n]{0,30}$",
    re.IGNORECASE,
)
_PARTLY: Final = re.compile(
    r"^[^.;\n]{0,12}\b(?:at|in terms of|in that|when it comes|regarding|with regard|in some|for (?:those|users"
    r"|people)|if|when|because of its|as far as)\b",
    re.IGNORECASE,
)


def find_label(prose: Prose, choices: Choices, *, cut: bool, beside_data: bool) -> list[Hit]:
    """Find the labels that a text gives as its answer, by the most explicit way that it uses.

    Args:
        prose: The masked text.
        choices: The declared labels.
        cut: Whether the text was cut off.
        beside_data: Whether data with a label stands beside it: then only what is as explicit is heard.
    """
    text = prose.text
    if prose.overlong or not text.strip(" \t\r\n" + DROPPED):
        return []
    ways = [_bracketed, _labelled] if beside_data else [_bracketed, _labelled, _alone, _concluding, _preferring]
    for way in ways:
        hits = [hit for hit in way(text, choices) if _own(text, hit) and not (cut and _at_end(text, hit))]
        if hits and way in {_bracketed, _labelled, _alone}:
            hits += _denied_by_reasons(text, choices, hits)
        if hits:
            hits += _leading(text, choices, hits)
            return [Hit(hit.label, prose.span(*hit.span), hit.format) for hit in hits]
    return []


def _leading(text: str, choices: Choices, hits: list[Hit]) -> list[Hit]:
    """The word with which the text begins, where it says something else than what was found further down."""
    if choices.lone:
        return []
    start = len(text) - len(text.lstrip(DECORATION + DROPPED))
    label = choices.leads(text[start : start + 200])
    return [] if label is None or label == hits[0].label else [Hit(label, (start, start + len(label)), "label")]


def _denied_by_reasons(text: str, choices: Choices, hits: list[Hit]) -> list[Hit]:
    """The sentence right before a label, or those behind one that opens the reply, where they prefer another label.

    "Response A is stronger. [[B]]" gives no label.
    """
    given = {hit.label for hit in hits}
    preferred = [hit for hit in _preferring(text, choices) if _own(text, hit)] if len(given) == 1 else []
    start = hits[0].span[0]
    before = [hit for hit in preferred if hit.span[1] <= start]
    if before and not _LEADS_TO.fullmatch(text, before[-1].span[1], start):
        return []
    against = before[-1:] or preferred
    return against[-1:] if given.isdisjoint(hit.label for hit in against) else []


_LEADS_TO: Final = re.compile(
    r"(?:(?!\b(?:but|however|yet|although|though|while|whereas|in|at|for|on)\b)[^.!?\n]){0,160}[.!?\n][^.!?]{0,40}",
    re.IGNORECASE,
)
"""Between a sentence that prefers a label outright and the label it leads to: its own end, a heading."""


def _own(text: str, hit: Hit) -> bool:
    return voice_of(text, hit.span[0], hit.span[1]) is not Voice.FOREIGN or hit.format == "sentence"


def _at_end(text: str, hit: Hit) -> bool:
    return hit.span[1] >= len(text.rstrip(" \t\r\n*_`" + DROPPED))


def _bracketed(text: str, choices: Choices) -> list[Hit]:
    found = re.finditer(r"[\[【［]\s?[\[【［]\s*(?P<body>[^\[\]【】\n]{1,60}?)\s*[\]】］]\s?[\]】］]", text)
    hits = [
        Hit(choices.find(match["body"]) or choices.read(match["body"]), match.span("body"), "bracketed")
        for match in found
    ]
    return [hit for hit in hits if hit.label is not None]


def _labelled(text: str, choices: Choices) -> list[Hit]:
    pattern = re.compile(
        rf"(?<![\w-])(?:(?:the|my|our|final|overall|correct|better|best|preferred|chosen)\s+){{0,6}}(?P<name>{_NAMES}"
        rf"|(?:{NOUNS}))(?:\s+{_NAMES})?[*_`\"'”)]*{_SAYS}{choices.pattern}(?=(?P<rest>[^\n]{{0,80}}))",
        re.IGNORECASE,
    )
    framed = re.compile(
        rf"^[\s*_`#>-]*[\[【](?:(?:final|my|the|overall)\s+){{0,6}}(?P<name>{_NAMES})[\]】][*_`]*\s*[:：]?\s*{choices.pattern}"
        r"(?=(?P<rest>[^\n]{0,80}))",
        re.IGNORECASE | re.MULTILINE,
    )
    matches = [*pattern.finditer(text), *(framed.finditer(text) if "[" in text or "【" in text else ())]
    hits = [hit for match in matches if (hit := _hit(match, choices, "labelled")) is not None]
    hits += _under_menu(text, choices)
    rated = _rated(text, choices) if hits else []
    return [hit for hit in hits if not _one_of_several(text, hit, rated)]


def _rated(text: str, choices: Choices) -> list[tuple[str, str | None]]:
    """The lines that are a name, a colon and a label."""
    return [
        (line["name"].strip(DECORATION).casefold(), label)
        for line, _ in zip(_RATED.finditer(text), range(MOST_HITS), strict=False)
        if (label := choices.find(line["word"])) is not None
    ]


def _one_of_several(text: str, hit: Hit, rated: list[tuple[str, str | None]]) -> bool:
    """Whether a label answers one of several questions: "Harmful request: yes", and "Harmful response: no" below it."""
    before = text[max(0, hit.span[0] - _FAR) : hit.span[0]]
    line = before[before.rfind("\n") + 1 :].strip(DECORATION).casefold()
    name = _STOP.split(line)[-1].strip(DECORATION)  # "Correction: label"
    return _WHOLE.fullmatch(name) is None and any(other != name and label != hit.label for other, label in rated)


_STOP: Final = re.compile(r"[:：.;!?]")
_RATED: Final = re.compile(
    r"^[\s*_`>#-]{0,8}(?P<name>[^\W\d_][^:：=\n]{0,40})[:：=][ \t]*(?P<word>[^\n]{1,40}?)[ \t]*$", re.MULTILINE
)
_WHOLE: Final = re.compile(
    rf"(?:(?:the|my|our|final|overall|correct|better|best|preferred|chosen)\s+){{0,6}}{_NAMES}(?:\s+{_NAMES})?",
    re.IGNORECASE,
)
"""The names of the answer itself."""


def _under_menu(text: str, choices: Choices) -> list[Hit]:
    """Labels that stand alone under the choices themselves: "PASS/FAIL: PASS"."""
    hits = []
    for match in _MENU_LINE.finditer(text):
        menu = {choices.find(part) for part in re.split(r"[/|,]|\bor\b", match["menu"])}
        label = choices.find(match["label"])
        if label is not None and len(menu) > 1 and None not in menu:
            hits.append(Hit(label, match.span("label"), "labelled"))
    return hits


_MENU_LINE: Final = re.compile(
    r"^[ \t*_`#>-]*(?P<menu>[^:：\n]{3,80})[:：][ \t*_`]*(?P<label>[^\s:：][^:：\n]{0,30}?)[ \t*_`.]*$", re.MULTILINE
)


def _hit(match: re.Match[str], choices: Choices, form: str) -> Hit | None:
    word = match["label"]
    rest = match["rest"] or ""
    far = max(0, match.start() - _FAR)
    if (
        _CONDITION.match(rest)
        or talked_of(rest)
        or asked(rest)
        or _CONDITION_BEFORE.search(match.string, far, match.start())
        or _OTHERS_SAY.search(match.string, far, match.start())
        or doubted(match.string[far : match.start()])
        or _CALLED_WRONG.match(rest)
    ):
        return None
    if _OPENS.get(word, _NEVER).match(rest):
        return None  # "Answer: A dog", "GRADE: I think": an article, a pronoun
    if form == "labelled" and not (NOT_THE_JUDGES | _WORSE).isdisjoint(_beside(match)):
        return None
    all_there_is = form == "labelled" and not rest.strip(DECORATION)  # "grade: p" leaves no doubt
    if choices.exact_case and not all_there_is and not choices.cased(word):
        return None
    menu = _MENU.match(rest)
    further = re.compile(rf"\s*{choices.pattern}(?P<end>\s*(?:[\n.,;!)]|$))?", re.IGNORECASE).match(
        rest, menu.end() if menu else 0
    )
    if further and (menu or (further["end"] is not None and choices.find(further["label"]) != choices.find(word))):
        return None  # the menu, copied back; a change; two labels in a row
    label = choices.find(word)
    return None if label is None else Hit(label, match.span("label"), form)


_WORSE: Final = frozenset(
    "worse worst weaker weakest poorer poorest inferior losing loser rejected wrong incorrect bad second "
    "lesser not".split()
)
"""Beside "response" or "answer": what such a one is, is not the answer."""


def _beside(match: re.Match[str]) -> list[str]:
    """The words before a label in its own clause: its name, and what qualifies that."""
    before = match.string[max(0, match.start() - _FAR) : match.start("label")]
    return re.split(r"[.,;!?\n]", before)[-1].casefold().replace(":", " ").split()


def other_names(prose: Prose, choices: Choices) -> frozenset[str]:
    """The names of the answer under which a line gives a word that is none of the choices: "GRADE: F" has "grade"."""
    lines = (_ANSWER_LINE.fullmatch(line.text) for line in prose.lines() if len(line.text) <= _LONGEST_ANSWER)
    return frozenset(
        line["name"].casefold() for line in lines if line is not None and choices.find(line["word"]) is None
    )


def said_under(hit: Hit, text: str, names: frozenset[str]) -> bool:
    """Whether a label stands behind one of these names."""
    match = _NAMED.search(text[max(0, hit.span[0] - _NEAR) : hit.span[0]])
    return match is not None and match["name"].casefold() in names


_NEAR: Final = 40
_NAMED: Final = re.compile(rf"\b(?P<name>{_NAMES})[*_`\"'”)]*(?:{_SAYS})\W*\Z", re.IGNORECASE)
_LONGEST_ANSWER: Final = 80
_ANSWER_LINE: Final = re.compile(
    rf"\W*+(?:(?:final|my|the"
    rf"|overall)\s+){{0,6}}(?P<name>{_NAMES})[*_`\"']*+\s*+[:：=][\s*_`\"'(\[]*+(?P<word>[^\s:：]{{1,24}}?)[\s*_`\"').\]]*+",
    re.IGNORECASE,
)


_FAR: Final = 80
_NEVER: Final = re.compile(r"(?!)")
_OPENS: Final = {
    "A": re.compile(
        r"\s+(?!(?:is|was|wins?|because|since|as|over|by|has|with|due|for|seems|provides|gives|offers|but|and|or|on|in|to"
        r"|than|if|when|would|could|should)\b)[a-z]"
    ),
    "I": re.compile(r"\s+(?:think|am|would|believe|can|cannot|can't|have|will|feel|find|see|say|do|don't|was|judge)\b"),
}
_MENU: Final = re.compile(r"\s*(?:/|\||,|->|=>|→|⇒|or\b|and\b)\s*", re.IGNORECASE)
_CALLED_WRONG: Final = re.compile(
    r"[^.;\n]{0,20}\b(?:is|was|would be|seems)\s+(?:simply\s+|plainly\s+)?"
    r"(?:wrong|false|incorrect|untrue|mistaken|unfounded)\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"[^.;\n]{0,60}\b(?:if|unless|were it|had it|provided that|wenn|falls|si|se|если)\b", re.IGNORECASE
)
_CONDITION_BEFORE: Final = re.compile(
    r"\b(?:if|whether|unless|suppose|assuming|wenn|falls|si|se|если)\b[^.;:\n]{0,60}\Z", re.IGNORECASE
)
"""What would be the label under a condition is not the label."""
_OTHERS_SAY: Final = re.compile(
    r"\b(?:one|some(?:one|body)?|people|you|they|others?|critics?|readers?)\s+(?:might|could|may|would|can)\b"
    r"[^.;:\n]{0,20}\b(?:say|argue|claim|think|conclude|call|give|object|answer)\b[^.;:\n]{0,30}\Z",
    re.IGNORECASE,
)
"""Nor what somebody else might say: "One might say GRADE: I, but ..."."""


def _alone(text: str, choices: Choices) -> list[Hit]:
    lines = [
        (match.group(), match.start())
        for match in re.finditer(r"[^\n]+", text)
        if match.group().strip(DECORATION + DROPPED)
    ]
    hits = []
    for line, start in {lines[0], lines[-1]} if lines else set():
        label = choices.find(line.strip(DROPPED))
        if label is not None:
            lead = len(line) - len(line.lstrip(DECORATION + DROPPED))
            hits.append(Hit(label, (start + lead, start + len(line.rstrip(DECORATION + DROPPED))), "label"))
    if not hits and lines:
        line, start = lines[0]
        label = choices.read(line.lstrip(DROPPED)[:400]) or listed_option(line, text[start:], choices)
        if (
            label is not None
            and (_COUNTED.search(line) is None or counts_itself(line, label, choices))
            and not re.match(r"\s+\w", line[len(line) - len(line.lstrip(DECORATION)) :][: len(label) + 2][len(label) :])
        ):
            hits.append(Hit(label, (start, start + len(line)), "label"))
    return hits


_COUNTED: Final = re.compile(
    r"[:：=(][\s*_`]*(?:no|none|false|worse|worst|weaker|weakest|poorer|inferior|bad|los(?:es|er)|rejected|[\d.,]{1,12}\s?%?)[\s*_`.)]*$",
    re.IGNORECASE,
)
"""A line that names a label and says how much of it there is, or how bad it is: "FAIL: 0", "Pass: no", "A (worse)"."""


def _sentences(text: str, choices: Choices) -> list[tuple[Hit, bool, int]]:
    """Sentences that prefer a label: the hit, whether it concludes, and where its sentence begins."""
    better = re.compile(
        rf"(?<![\w-]){choices.pattern}(?:\s*+,)?+\s++(?:is|was|seems(?:\s+to\s+be)?|appears(?:\s+to\s+be)?|would\s+be"
        rf"|provides|gives|offers|wins|has|are)(?:\s+{_BETTER})?(?=(?P<rest>[^\n.]{{0,80}}))",
        re.IGNORECASE,
    )
    choose = re.compile(
        rf"(?<![\w'])(?:(?:i|we)(?:\s+would|\s+will|'d|'ll|\s+must|\s+have\s+to)?\s+(?:choose|prefer|select|pick"
        rf"|favou?r|go\s+(?:with|for)|vote\s+for|recommend|rate|conclude\s+that|believe(?:\s+that)?|think(?:\s+that)?"
        rf"|say(?:\s+that)?)|(?:better|best|preferred|superior|stronger|winning|chosen)\s+(?:(?:{NOUNS}|one"
        rf"|choice)\s+)?(?:(?:for|of|to|in|between|overall)\s+[\w\s]{{1,40}}?)?(?:is|would\s+be|here\s+is)|(?:winner"
        rf"|choice|preference)\s+(?:is|goes\s+to)|in\s+favou?r\s+of"
        rf"|besser\s+(?:ist|war)|mejor\s+es|meilleure?\s+est|migliore\s+è|melhor\s+é|лучше"
        rf"|point\s+to|leans?\s+towards?|prefer(?:s|ring)?|choose|select|(?:it's|it\s+is|this\s+is|that\s+is"
        rf"|result\s+is|(?:call|declare|consider)\s+(?:it|this|that))(?=\s+an?\s)"
        r"|i(?:'d|\s+would)?\s+(?:think|believe|say)\s+(?:that\s+)?(?:it's|it\s+is)(?!\s+not\b))\s+(?:that\s+|the\s+|an?\s+)?"
        rf"{choices.pattern}(?=(?P<rest>[^\n.]{{0,80}}))",
        re.IGNORECASE,
    )
    found: list[tuple[Hit, bool, int]] = []
    for pattern in (better, choose):
        for match in pattern.finditer(text):
            if pattern is better and not re.search(
                rf"(?:is|was|seems?|appears?|be|are)(?:\s+to\s+be)?\s+{_BETTER}$|wins\b",
                match.group()[: match.start("rest") - match.start()],
                re.IGNORECASE,
            ):
                continue
            if pattern is choose and _IT_IS.search(match.group()) and _BUT.match(match["rest"]):
                continue  # "I think it is C, but ..."
            if pattern is choose and _GOES_ON.match(match["rest"]):
                continue  # "I think that A is worse": what is said of it decides, not that it is named
            hit = _hit(match, choices, "sentence")
            start = max(text.rfind(mark, 0, match.start()) for mark in (". ", "\n", "! ", "? ", "; "))
            before = _OPINION.sub("", text[start + 1 : match.start()])
            if (
                hit is None
                or _ATTRIBUTED.search(before)
                or _DENIED.search(_SO.split(before)[-1])
                or _PARTLY.match(match["rest"] or "")
            ):
                continue
            found.append((hit, _CONCLUDES.search(text[start + 1 : match.end()]) is not None, start + 1))
            if len(found) > MOST_HITS:
                return []
    return found


_SO: Final = re.compile(r",\s*(?:and\s+)?(?:so|hence|therefore|thus)\b", re.IGNORECASE)
"""Before a conclusion, which what is denied ahead of it does not deny: "Both are good, so it's a tie"."""
_IT_IS: Final = re.compile(r"\bit(?:'s|\s+is)\b", re.IGNORECASE)
_BUT: Final = re.compile(r"[\s,;]*(?:but|though|although|however|yet)\b", re.IGNORECASE)
MOST_HITS: Final = 100
"""Sentences that prefer a label; a text with more runs in a circle."""
_OPINION: Final = re.compile(r"\bI(?:'d| would)\s+(?=say|argue|conclude|think|judge|rate|consider)", re.IGNORECASE)
_ATTRIBUTED: Final = re.compile(
    rf"\b(?:{NOUNS}|evaluator|judge|reviewer|author|writer|annotator|critic|reader|user|they|he|she)"
    r"\s*+[(\[]?\w?[)\]]?,?\s*+(?:on the other hand,?\s*+)?(?:also\s++)?"
    r"(?:argues?|argued|believes?|believed|claims?|claimed|states?|stated|thinks?|says?|said|suggests?|suggested"
    r"|contends?|maintains?)"
    r"\b[^.;\n]{0,30}\Z",
    re.IGNORECASE,
)
"""Somebody else's opinion: "Assistant (b) argues that Output (b) is better"."""
_GOES_ON: Final = re.compile(
    r"\s*+,?\s*+(?:is|was|are|does|has|have|fails?|seems?|appears?|would|should|could|contains?|lacks?|misses)\b",
    re.IGNORECASE,
)


def _concluding(text: str, choices: Choices) -> list[Hit]:
    return [hit for hit, concludes, _ in _sentences(text, choices) if concludes]


def _preferring(text: str, choices: Choices) -> list[Hit]:
    return [hit for hit, _, _ in _sentences(text, choices)]
