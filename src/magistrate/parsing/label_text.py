"""A label in plain text: in double brackets, after a name, alone on a line, or in a sentence that prefers it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from magistrate.parsing.prose import DROPPED, Prose
from magistrate.parsing.talk import NOT_THE_JUDGES, asked, doubted, talked_of
from magistrate.parsing.tree import Span
from magistrate.parsing.vocabulary import MARKS, fold, opposed
from magistrate.parsing.voices import Voice, voice_of

__all__ = ["Choices", "Hit", "find_label", "other_names", "said_under"]

_DECORATION: Final = " \t\r\n*_`\"'“”()[]{}<>【】《》「」.,;:!?。：，"
_NOUNS: Final = (
    "output|response|answer|assistant|option|model|candidate|summary|choice|system|text|reply|version|label|grade"
    "|essay|translation|completion|antwort|ausgabe|respuesta|réponse|risposta|resposta|ответ"
)
_NAMES: Final = (
    r"(?:verdict|answer|label|grade|choice|decision|judge?ment|winner|result|conclusion|rating|preference|selection"
    r"|category|classification|final|ruling|score|outcome"
    r"|urteil|antwort|ergebnis|veredicto|respuesta|ganador|réponse|gagnant|verdetto|risposta|vincitore|veredito"
    r"|resposta|вердикт|ответ|победитель|判定|结论|結論|答案|选择|判断|回答|판정|답|선택|الحكم|الإجابة|निर्णय|उत्तर"
    r"|evaluation|assessment|bewertung|evaluación|évaluation|valutazione|avaliação|оценка|评价|評価|평가|التقييم"
    r"|मूल्यांकन)"
)
_SAYS: Final = (
    r"\s*(?:[:：=]|->|=>|→|[—–]|\b(?:is|was|would be|goes to|ist|es|est|è|é)\b)\s*(?:(?:that|the|to|therefore|thus"
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


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a label is given.

    Args:
        label: The label as declared; None where something else stands in its place.
        span: Where it stands.
        format: What it was read from.
    """

    label: str | None
    span: Span
    format: str


class Choices:
    """The declared labels and the ways to write them.

    Args:
        labels: The labels.

    Raises:
        ValueError: If there are none, a blank one, or two that differ in case and outer marks only.

    Attributes:
        pattern: Matches a label that stands by itself; its group "label" holds it.
        lone: Whether the labels are single characters.
        exact_case: Whether the labels are single capitals or digits, whose case counts in running text.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        if isinstance(labels, str):
            raise ValueError("choices is a list of labels, not one text")  # noqa: TRY004 - the same mistake as an empty list
        self._marks = ""
        self._forms = {self._key(label): label for label in labels}
        if len(self._forms) != len(labels) or "" in self._forms:  # "A>B" and "A>>B" differ in their marks
            self._marks = "".join(
                sorted({char for label in labels for char in label} & set(_DECORATION) - set(" \t\r\n"))
            )
            self._forms = {self._key(label): label for label in labels}
        if not self._forms or "" in self._forms or len(self._forms) != len(labels):
            raise ValueError("choices are one or more labels that differ in more than case and outer marks")
        words = sorted(
            {re.escape(part).replace(r"\ ", r"[\s_-]+") for label in labels for part in {label.strip(), fold(label)}},
            key=len,
            reverse=True,
        )
        self.lone = lone = all(len(label.strip()) == 1 for label in labels)
        prefix = rf"(?:(?:{_NOUNS})\s+)?" if lone else ""
        edge = rf"[\w{re.escape(self._marks)}]"
        self.pattern = (
            rf"(?:{prefix}[*_`\"'“(\[]{{0,3}}+(?<!{edge})(?P<label>{'|'.join(words)})(?!{edge})[*_`\"'”)\]]{{0,3}}+)"
        )
        self.exact_case = lone and all(label.strip().isupper() or label.strip().isdigit() for label in labels)

    def read(self, text: str) -> str | None:
        """The label that a text is or begins with, standing alone; None where it is none."""
        whole = self.find(text)
        if whole is not None:
            return whole
        match = re.match(
            rf"(?P<marks>[\s*_`\"'(\[<{_MARKS}\ufe0f]*){self.pattern}\s*(?P<next>[.,;:!\n()\]—–-]|$)",
            text,
            re.IGNORECASE,
        )
        if (
            match is None
            or any(opposed(mark, match["label"]) for mark in match["marks"])
            or (self.exact_case and not self.cased(match["label"]))
        ):
            return None
        rest = text[match.end("label") :]
        others = {self.find(part) for part in _PARTS.split(rest[:60])} - {None}
        return self.find(match["label"]) if others <= {self.find(match["label"])} else None

    def leads(self, text: str) -> str | None:
        """The label with which a text begins, standing alone; None where it begins otherwise."""
        match = re.match(rf"{self.pattern}\s*[.,;:!\n]", text, re.IGNORECASE)
        return None if match is None else self.find(match["label"])

    def find(self, word: str) -> str | None:
        """The label that a word is; None where it is none, or where it is only asked about: "PASS?"."""
        label = self._forms.get(self._key(word))
        return None if label is not None and _ASKED.search(word) and not _ASKED.search(label) else label

    def _key(self, text: str) -> str:
        """The form in which labels are compared: case, width and marks aside, but for those that tell labels apart."""
        folded = fold(text)
        if not self._marks:
            return " ".join(folded.translate(_BLANKED).split())
        return "".join(
            "".join(" " if char in _DECORATION and char not in self._marks else char for char in folded).split()
        )

    def cased(self, word: str) -> bool:
        """Whether a word is written as the label it is: a small "a" in running text is an article."""
        return word in self._forms.values() or not word.isalpha()


_MARKS: Final = "".join(re.escape(mark) for mark in sorted(MARKS))
_PARTS: Final = re.compile(r"->|=>|[.,;:/|→⇒]|\b(?:or|and|but|then|now)\b")
_ASKED: Final = re.compile(r"[?？؟][\s*_`\"'”’)\]]*\Z")
_BLANKED: Final = str.maketrans(dict.fromkeys(_DECORATION, " "))


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
        if hits:
            hits += _leading(text, choices, hits)
            return [Hit(hit.label, prose.span(*hit.span), hit.format) for hit in hits]
    return []


def _leading(text: str, choices: Choices, hits: list[Hit]) -> list[Hit]:
    """The word with which the text begins, where it says something else than what was found further down."""
    if choices.lone:
        return []
    start = len(text) - len(text.lstrip(_DECORATION + DROPPED))
    label = choices.leads(text[start : start + 200])
    return [] if label is None or label == hits[0].label else [Hit(label, (start, start + len(label)), "label")]


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
        rf"(?<![\w-])(?:(?:the|my|our|final|overall|correct|better|best|preferred|chosen)\s+)*(?P<name>{_NAMES}"
        rf"|(?:{_NOUNS}))(?:\s+{_NAMES})?[*_`\"'”)]*{_SAYS}{choices.pattern}(?=(?P<rest>[^\n]{{0,80}}))",
        re.IGNORECASE,
    )
    return [hit for match in pattern.finditer(text) if (hit := _hit(match, choices, "labelled")) is not None]


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
    if form == "labelled" and not NOT_THE_JUDGES.isdisjoint(_beside(match)):
        return None
    all_there_is = form == "labelled" and not rest.strip(_DECORATION)  # "grade: p" leaves no doubt
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
    rf"\W*(?:(?:final|my|the"
    rf"|overall)\s+)*(?P<name>{_NAMES})[*_`\"']*\s*[:：=][\s*_`\"'(\[]*(?P<word>[^\s:：]{{1,24}}?)[\s*_`\"').\]]*",
    re.IGNORECASE,
)


_FAR: Final = 80
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
        if match.group().strip(_DECORATION + DROPPED)
    ]
    hits = []
    for line, start in {lines[0], lines[-1]} if lines else set():
        label = choices.find(line.strip(DROPPED))
        if label is not None:
            lead = len(line) - len(line.lstrip(_DECORATION + DROPPED))
            hits.append(Hit(label, (start + lead, start + len(line.rstrip(_DECORATION + DROPPED))), "label"))
    if not hits and lines:
        line, start = lines[0]
        label = choices.read(line.lstrip(DROPPED)[:400])
        if label is not None and not re.match(
            r"\s+\w", line[len(line) - len(line.lstrip(_DECORATION)) :][: len(label) + 2][len(label) :]
        ):
            hits.append(Hit(label, (start, start + len(line)), "label"))
    return hits


def _sentences(text: str, choices: Choices) -> list[tuple[Hit, bool, int]]:
    """Sentences that prefer a label: the hit, whether it concludes, and where its sentence begins."""
    better = re.compile(
        rf"(?<![\w-]){choices.pattern}\s*,?\s+(?:is|was|seems(?:\s+to\s+be)?|appears(?:\s+to\s+be)?|would\s+be"
        rf"|provides|gives|offers|wins|has|are)(?:\s+{_BETTER})?(?=(?P<rest>[^\n.]{{0,80}}))",
        re.IGNORECASE,
    )
    choose = re.compile(
        rf"(?<![\w'])(?:(?:i|we)(?:\s+would|\s+will|'d|'ll|\s+must|\s+have\s+to)?\s+(?:choose|prefer|select|pick"
        rf"|favou?r|go\s+(?:with|for)|vote\s+for|recommend|rate|conclude\s+that|believe(?:\s+that)?|think(?:\s+that)?"
        rf"|say(?:\s+that)?)|(?:better|best|preferred|superior|stronger|winning|chosen)\s+(?:(?:{_NOUNS}|one"
        rf"|choice)\s+)?(?:(?:for|of|to|in|between|overall)\s+[\w\s]{{1,40}}?)?(?:is|would\s+be|here\s+is)|(?:winner"
        rf"|choice|preference)\s+(?:is|goes\s+to)|in\s+favou?r\s+of"
        rf"|besser\s+(?:ist|war)|mejor\s+es|meilleure?\s+est|migliore\s+è|melhor\s+é|лучше"
        rf"|point\s+to|leans?\s+towards?|prefer(?:s|ring)?|choose|select)\s+(?:that\s+"
        rf"|the\s+)?{choices.pattern}(?=(?P<rest>[^\n.]{{0,80}}))",
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
            if pattern is choose and _GOES_ON.match(match["rest"]):
                continue  # "I think that A is worse": what is said of it decides, not that it is named
            hit = _hit(match, choices, "sentence")
            start = max(text.rfind(mark, 0, match.start()) for mark in (". ", "\n", "! ", "? ", "; "))
            before = _OPINION.sub("", text[start + 1 : match.start()])
            if (
                hit is None
                or _ATTRIBUTED.search(before)
                or _DENIED.search(before)
                or _PARTLY.match(match["rest"] or "")
            ):
                continue
            found.append((hit, _CONCLUDES.search(text[start + 1 : match.end()]) is not None, start + 1))
            if len(found) > MOST_HITS:
                return []
    return found


MOST_HITS: Final = 100
"""Sentences that prefer a label; a text with more runs in a circle."""
_OPINION: Final = re.compile(r"\bI(?:'d| would)\s+(?=say|argue|conclude|think|judge|rate|consider)", re.IGNORECASE)
_ATTRIBUTED: Final = re.compile(
    rf"\b(?:{_NOUNS}|evaluator|judge|reviewer|user|they|he|she)\s*[(\[]?\w?[)\]]?,?\s*(?:on the other "
    rf"hand,?\s*)?(?:also\s+)?"
    r"(?:argues?|argued|believes?|believed|claims?|claimed|states?|stated|thinks?|says?|said|suggests?|suggested"
    r"|contends?|maintains?)"
    r"\b[^.;\n]{0,30}\Z",
    re.IGNORECASE,
)
"""Somebody else's opinion: "Assistant (b) argues that Output (b) is better"."""
_GOES_ON: Final = re.compile(
    r"\s*,?\s*(?:is|was|are|does|has|have|fails?|seems?|appears?|would|should|could|contains?|lacks?|misses)\b",
    re.IGNORECASE,
)


def _concluding(text: str, choices: Choices) -> list[Hit]:
    return [hit for hit, concludes, _ in _sentences(text, choices) if concludes]


def _preferring(text: str, choices: Choices) -> list[Hit]:
    return [hit for hit, _, _ in _sentences(text, choices)]
