"""Courtesies, lead-ins, corrections: what may stand around an answer, as words."""

import re
from typing import Final

from magistrate.parsing.switches import cached, cached_for, kept
from magistrate.parsing.wording.hedges import OF_ANOTHER, reports
from magistrate.parsing.wording.keys import names_others
from magistrate.parsing.wording.languages import group, ranks, special
from magistrate.parsing.wording.patterns import Phrases, WordPattern, is_dense, plurals, prose, vocabulary

LONGEST_COURTESY: Final = 300
LONGEST_REFUSAL: Final = 3_000
"""A refusal is short; a longer text that answers nothing is something else."""
_SIGNS: Final = re.compile(
    r"[^\w'\u2019\u0300-\u036f\u0610-\u065f\u0900-\u0963\u0981-\u0983\u09bc-\u09cd\u0b82\u0bbe-\u0bcd\u0e31-\u0e4e]+|\d+|_+"
)
_BASED: Final = re.compile(r"(?<=\bbased) (?:only|strictly|exclusively|purely|entirely)(?= on\b)", re.IGNORECASE)
_BESIDE: Final = re.compile(r"\([^()]{0,60}\)|（[^（）]{0,60}）|\[\w{1,20}\]")
"""What a lead-in holds in brackets: "(scores only)", "[INFO]"."""
_ALONE: Final = re.compile(r"(?i)\s+only(?=\W*$)")
"""What a lead-in says at its end of the form: "here are the verdicts only:"."""
_IF_ANYTHING: Final = re.compile(r"(?i)\bif (?:any|some)thing is (?:unclear|not clear|missing)\b")
"""An offer whose words would be a verdict elsewhere."""
SENTENCES: Final = re.compile(r"(?<=[.!?\n。！？])(?<!\b[MDS][rst]\.)(?<!\b[A-Z]\.)(?<!\n\d\.)(?!(?<=\d\.)\d)\s*")
"""Between sentences; no name ("Mr. A. Crabb") and no number of a list ends one."""
_APOSTROPHE: Final = str.maketrans("\u2019", "'")
_BLANKS: Final = {code: " " for code in range(128) if not chr(code).isalpha() and chr(code) != "'"}
courtesy_words: Final = kept(lambda: frozenset(" ".join(group("courtesy")).casefold().split()))
"""The words of lines that say nothing."""
_lead_nouns: Final = kept(lambda: vocabulary("verdict", "answer", "score", "winner").union(_KINDS.split("|")))
_yes_words: Final = kept(lambda: (Phrases(group("yes")), Phrases(group("lack", "contradicted", "no"))))
_grounds: Final = kept(
    lambda: (lead_words() | plurals("judged", "quote", "item", "reason")).union(
        "rubric rubrics criteria criterion guideline guidelines instruction instructions scale scoring".split(),
        {"text", "texts"},
    )
)
"""Words of what a judge goes by: "according to the given rubric"."""
_task: Final = kept(
    lambda: lead_words() | plurals("judged", "quote", "item") | special("special", "qualifier") | {*ranks("numbers")}
)
"""Words of what a judge does: "Grounding check of the three claims against the passage"."""
_DENSE_COURTESIES: Final = WordPattern(r"{dense:courtesy|own}+", re.NOFLAG)
"""Courtesies of scripts without blanks: a text is taken apart into them."""
_OFFERS: Final = WordPattern(r"\W*(?:{offer}(?!\w)|{dense:offer})")
_FEW: Final = 2
_CLOSINGS: Final = frozenset({"i", "let", "if", "feel", "please"})
_KINDS: Final = "json|output|response|reply|analysis|evaluation|assessment|grading|decision|turn|score|rating"
_GOING_BY: Final = WordPattern(
    r"\W*(?:based on|going through|looking (?:at|through)|checking)\s+(?:the|this)"
    r"(?:\s+(?!{candidate}\b)[^\W\d_]+){1,4}[\s*_]*[:：][*_]*"
)
"""What the judge goes by: "Based on the match report:"."""
_OWN_LEAD: Final = WordPattern(
    r"{dense:own|every}[^.。!！?？\n]{0,16}{noun}\s*[*_`]*[:：]?\s*$|(?:^|,\s*|\b(?:and|so|therefore|thus"
    r"|hence)\s+,?|\bis\s+)[\s*_#>-]*(?:{therefore}\s*,?\s+)?"
    r"(?:{own}\s+){1,3}(?:\w+\s+){0,2}{noun}(?:\s+\w+){0,6}\s*[*_`]*[:：]?\s*$"
    r"|^[\s*_#>-]*(?:{own}\s+)?(?:\w+\s+)?{noun}(?:\s+(?:for|in|on|of|per)\s+[\w ]{1,40})?\s*[*_`]*[:：]?\s*$"
    r"|(?:^|[.!?。？\ue000])\W*{own}\s*[:：]?\s*$|\b{award}\b[^.!?\n:：]{0,80}[:：]\s*$|^[\W\d]*$",
    noun=r"(?:{verdict|answer|score|winner}|{kinds})(?:s|es|e|n|en)?",
    kinds=_KINDS,
)
_ATTRIBUTED: Final = WordPattern(
    r"\W*(?:according to|as per|per|{whose})",
    whose=r"as (?:the|an?|this|that) (?:\w+ ){1,4}"
    r"(?:puts|says|sees|requests|asks|demands|instructs|wants|tells|orders)\b"
    r"|in (?:the )?(?:\w+['\u2019]s |view|opinion|eyes|words)",
)
AWARDS: Final = WordPattern(r"\b{award}\b")
"""A pattern of the words that give a score."""
_THEREFORE: Final = WordPattern(r"\W*{therefore}\b")
_WEIGHED: Final = WordPattern(r"\W*{weighed|because|therefore|contrast|and}\b")
"""With what a sentence begins that says what a judgement rests on: "considering both", "since it is clearer"."""
_FEW_WORDS: Final = 8
_SHORT_LEAD: Final = 80
_PLANNED: Final = re.compile(
    r"\b(?:would|should|could)\s+have\b|\b(?:will|should|must|please|would)\b[^.!?]*\bformat\b", re.IGNORECASE
)
_FORMS: Final = frozenset({"format", "form", "schema"})
_SPEAKERS: Final = frozenset({"assistant", "judge", "model", "ai", "me"})
_ABOUT: Final = re.compile(r"\b(?:for|on|per|about|regarding|after)\b", re.IGNORECASE)
_TO_CORRECT: Final = re.compile(r"\b(?:needs?|requires?|must|should|to)\s+(?:be\s+)?correct", re.IGNORECASE)
"""What names those that are wrong: "Needs correction:"."""
_CORRECTION: Final = WordPattern(
    r"\b{several:corrected}\b|\b{single:corrected}\b"
    r"(?=[*_`\"')\]]*\s*(?:[:：.,;!\u2014\u2013(-]|$|\n|\w*\s*{verdict|answer|score|winner}|json|list|output))"
    r"|{dense:corrected}"
)
"""Words of correction; a single one only as a heading or before the name of an answer: no "revised essay"."""
_WITHDRAWAL: Final = WordPattern(
    r"(?m)(?:^|[.!?;:,()\[\n\u2014\u2013。！？；，、-])[\s*_\"'\u201c]*(?:(?:{contrast|negation}|oh|ah)\b,?\s+)?"
    r"{single:withdrawn}(?![\w'])|\b{several:withdrawn}\b",
    near=("{withdrawn}",),
)
"""Words that take an answer back; a single word only where a clause begins with it: "Wait," not "to wait"."""


def words_in(text: str) -> list[str]:
    """The words of a text, folded."""
    if text.isascii():
        return text.replace("'''", "").translate(_BLANKS).lower().split()
    return _SIGNS.sub(" ", text).translate(_APOSTROPHE).casefold().replace("\u0307", "").split()


@cached_for(512)
def is_courtesy(text: str) -> bool:
    """Whether a text says nothing: every word of it is one of those with which judges open and close a reply."""
    if len(text) > LONGEST_COURTESY:
        return not text.strip()
    said = words_in(_IF_ANYTHING.sub(" ", text))
    if courtesy_words().issuperset(said):
        return True
    rest = [word for word in said if word not in courtesy_words()]
    return all(not word.isascii() and _DENSE_COURTESIES.fullmatch(word) for word in rest) or _is_offer(text)


@cached
def _telling() -> frozenset[str]:
    """Words of a sentence that may say something of an answer."""
    listed = group("yes", "no", "lack", "contradicted", "unknown", "partly", "off")
    told = group("ordinals", "numbers", "corrected", "withdrawn", "rest", "except", "doubt")
    single = {word for word in (*listed, *told, *group("negation")) if " " not in word}
    return frozenset(single - {"if", "would", "should", "could", "any", "ok", "okay", "one", "correct"})


def _is_offer(text: str) -> bool:
    """Whether a sentence offers more, and holds no number, no verdict and nothing that takes one back."""
    offer = None if any(char.isdigit() for char in text) else _OFFERS.match(text)
    return offer is not None and _telling().isdisjoint(words_in(text[offer.end() :])) and not withdraws(text)


def begins_courtesy(text: str, *, cut: bool = True) -> bool:
    """Whether a text may be the beginning of a courtesy; one that is not known to be cut, only of a closing one."""
    said = words_in(text)
    if not cut and (len(said) < _FEW or said[0] not in _CLOSINGS):
        return False
    return courtesy_words().issuperset(said[:-1]) and any(
        word.startswith(said[-1]) for word in courtesy_words() if said
    )


@cached_for(512)
def is_own_lead(text: str) -> bool:
    """Whether the words that lead into an answer say that it is the judge's own: known words, and a name of an answer.

    Only what it is about, behind "for" or "based on", may be in other words: "Verdicts for the museum:".
    """
    text = _BASED.sub("", text.replace("**", ""))
    bare = _ALONE.sub("", _BESIDE.sub(" ", text[-LONGEST_COURTESY:]))
    said = words_in(bare)
    if any(corrects(one) for one in _BESIDE.findall(text)):
        return False  # "First pass (to be revised):"
    if reports(bare):
        return False  # "The response ends with"
    if prose("doubt").search(AWARDS.sub(" ", re.split(r"[.!?,。！？，]", bare.rstrip(" ,"))[-1])) and not is_courtesy(
        bare
    ):
        return False  # "should look like:"
    if _PLANNED.search(bare):
        return False  # "I will answer in this format:", "My answer would have been:"
    form = len(said) <= _FEW_WORDS and not _FORMS.isdisjoint(said) and _lead_nouns().isdisjoint(said)
    if form or is_example(bare):
        return False  # "In this format:"
    going_by = _GOING_BY.fullmatch(bare.strip()) is not None and not names_others(said)
    if going_by or is_courtesy(text) or text.strip(" *_:").casefold() in _SPEAKERS:
        return True
    match = _OWN_LEAD.search(bare)
    if said and (lead_words().issuperset(said) or (_task().issuperset(said) and not names_others(said))):
        if vocabulary("therefore").issuperset(said):
            return True
        return match is not None or not (_lead_nouns() | special("special", "check")).isdisjoint(said)
    return match is not None and not _strangers(match.group())


def is_therefore(text: str) -> bool:
    """Whether a clause begins with a word that concludes."""
    return _THEREFORE.match(text) is not None


def after_therefore(text: str) -> str:
    """A text without the word that concludes at its head: "Therefore, yes"."""
    match = _THEREFORE.match(text)
    return text if match is None else text[match.end() :].lstrip(" ,:：")


def leads_outright(lead: str, answer: str = "") -> bool:
    """Whether what its sentence says before an answer gives it outright: no condition, no part of what was judged.

    Before an answer that begins with "so" it may say anything that is no condition.
    """
    bare = lead.strip(" \t*_,;:>#-")
    if OF_ANOTHER.match(bare) or prose("condition").search(bare):
        return False
    if not re.search(r"[^\W\d_]", bare) or is_own_lead(bare):
        return True
    if len(bare.split()) <= _FEW + 1 and corrects(bare + ":"):
        return True  # no "with the date corrected"
    known = lead_words() | vocabulary("judged", "candidate") | {"instruction", "case", "prompt"}
    if known.issuperset(words_in(bare)):
        return True  # "for the given instruction"
    if _ATTRIBUTED.match(bare):  # "according to the author"
        return _grounds().issuperset(words_in(bare))
    return is_therefore(answer) or _WEIGHED.match(bare) is not None or is_dense(bare[0])


@cached
def lead_words() -> frozenset[str]:
    """The words of which a lead-in may be made: "overall", "my", "thus", "each"."""
    listed = group("courtesy", "own", "is", "therefore", "every", "and", "to", "function")
    named = group("overall", "verdict", "answer", "score", "winner", "item", "award", "number")
    words = frozenset(word for phrase in (*listed, *named) for word in words_in(phrase)) | {*_KINDS.split("|"), "own"}
    return words - frozenset(word for phrase in group("doubt", "negation") for word in words_in(phrase))


def _strangers(lead: str) -> bool:
    """Whether a lead-in names something that could be another's: "expected answers", "verdicts of the old model"."""
    head, *about = _ABOUT.split(AWARDS.sub(" ", lead), maxsplit=1)
    words = lead_words()
    if not special("keys", "aside").isdisjoint(words_in(" ".join(about))):
        return True  # "verdicts for the previous batch"
    return any(word not in words and word.rstrip("s") not in words and not is_dense(word) for word in words_in(head))


def corrects(text: str) -> bool:
    """Whether the words before an answer say that it corrects an earlier one; "final" is not enough."""
    return _CORRECTION.search(text) is not None and _TO_CORRECT.search(text) is None


def withdraws(text: str) -> bool:
    """Whether a text takes an answer back, in so many words."""
    return _WITHDRAWAL.search(text) is not None


def denies(text: str) -> bool:
    """Whether a text holds any negation at all."""
    return prose("negation").search(text)


def refuses(text: str) -> bool:
    """Whether a text that holds no answer is a refusal in so many words, in any of the languages known."""
    return len(text) <= LONGEST_REFUSAL and prose("refusal").search(text)


def asks_fault(question: object) -> bool:
    """Whether a text is a question that a yes answers with a fault: "Does it contradict the source?"."""
    return isinstance(question, str) and question.rstrip()[-1:] in {"?", "？"} and _yes_words()[1].search(question)


def asks_support(question: str) -> bool:
    """Whether a question is the one that a yes answers with "supported": "Is the summary consistent?"."""
    yes, no = _yes_words()
    return yes.search(question) and not no.search(question)


def is_example(text: str) -> bool:
    """Whether a few words speak of an example."""
    few = len(text) <= _SHORT_LEAD and len(text.split()) <= _FEW_WORDS
    few = few and (text.isascii() or sum(map(is_dense, text)) <= 2 * _FEW_WORDS)
    return few and prose("example").search(text)
