"""parse_score and parse_label: candidates of one answer, and the one that is left standing.

A score is never rescaled, clamped or coerced.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.parts import Part, parts_of
from magistrate.parsing.decode.tags import others_words, read_markup, read_tags
from magistrate.parsing.layouts.labels import read_labels
from magistrate.parsing.layouts.numerals import Range, numeral, other_tops, plain, read_head, same
from magistrate.parsing.layouts.scores import is_quality, read_scores
from magistrate.parsing.readings import LabelReading, ScoreReading, issue
from magistrate.parsing.reply.masking import cover
from magistrate.parsing.reply.source import BLOCKED, CUT
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.rows.fields import is_unjudged
from magistrate.parsing.rows.single import LabelFields, ScoreFields
from magistrate.parsing.settle.acceptance import SHORT, between, disowns, is_foreign, is_quoted, void_single
from magistrate.parsing.settle.ladder import is_cut, repaired, why_none
from magistrate.parsing.settle.masks import masked
from magistrate.parsing.switches import is_on
from magistrate.parsing.wording.awards import COUNTED, UNREAL, is_remark
from magistrate.parsing.wording.choices import Choices
from magistrate.parsing.wording.courtesy import SENTENCES, after_therefore, denies, withdraws
from magistrate.parsing.wording.fold import DATA, QUOTED, fold
from magistrate.parsing.wording.hedges import HOW_SURE, OF_ANOTHER, is_dictated
from magistrate.parsing.wording.keys import Role, role_of
from magistrate.parsing.wording.languages import Sense, ranks, senses
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.reasons import is_headed_reason, judges_nothing, speaks_of_judge
from magistrate.verdict import Issue, IssueCode, ParseStatus, Repair

_WORDS: Final = frozenset({Role.QUOTE, Role.REASON})
R = TypeVar("R", ScoreReading, LabelReading)
_ASIDES: Final = re.compile(
    r"\[[^\[\]\n]{1,200}\]\([^\s()]{1,2000}\)|https?://[^\s<>()\[\]{}\"'`]+|^\[\^\w{1,20}\]:[^\n]*|\[\^\w{1,20}\]",
    re.MULTILINE,
)
_LAST_NUMBER: Final = re.compile(
    r"(?:\b(?:(?:lower|reduc|chang|rais|drop|down|up|revis|adjust|correct|set|go|goes|went|come|comes)\w*\s+(?:\w+\s+){0,3}to|on|so|a|an|is|be|score\s+of|rating\s+of|rated|scored)|[:=])\s*(?P<number>\d{1,6}(?:\.\d{1,6})?)(?:\s*/\s*\d{1,5})?(?=\s*[.!]?\s*$|\s+(?:for|because|since)\b)",
    re.IGNORECASE,
)
_LONGEST_STRING: Final = 100
_TOP: Final = re.compile(r"(?:/|\bof)\s*(\d{1,5})\W*$")
_LISTED: Final = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+(?=\S)", re.MULTILINE)
_OF_SCALE: Final = re.compile(
    r"(?:[/(–-]|\b(?:of|to|from|scale|possible|max\w*|von|sur|su|de|из)\b[:.]?|满分)\s*$", re.IGNORECASE
)
_NUMBERS: Final = re.compile(r"(?<![^\W\u2e80-\uffff])(?<![.,])\d{1,9}(?:[.,]\d{1,9})?(?!(?![分点點점])\w|[.,]\d)")
_GLOSS: Final = re.compile(
    r"[\s*_]*[(（](?!\s*(?:(?:out|of|von|sur|su|de|из|on|because|since|as)\b|满分))", re.IGNORECASE
)
"""What an answer means, in brackets behind it: neither its top nor a reason."""
_SURE: Final = re.compile(r"\W*(?:confidence|certainty)(?:\s+\w+)?[*_]*\s*[:=|]", re.IGNORECASE)
"""A line that says how sure the judge is."""
_LEAD: Final = WordPattern(
    r"(?:\b(?:{is|therefore}|clearly|simply|be\s+(?:labell?ed|marked|graded)|makes\s+(?:it|this))\s+(?:(?:an?|the|therefore|thus)\s+)?|^)[*_\"']*$"
)
_LONGEST_REASON: Final = 300
_NEAR: Final = 14
"""Characters before a number in which a denial is about it: "I did not give a 3 because ..."."""
_IT: Final = WordPattern(r"^(?:it|this|the\s+{candidate})\s+")
_MEANING: Final = re.compile(r"\W*[:\u2013\u2014-]\s*[A-Z_ ]{4,40}\W*")
"""What a letter stands for: "A: CORRECT"."""


@dataclass(slots=True)
class Settled:
    """The answer that is left standing, or why there is none."""

    part: Part
    best: Candidate | None = None
    status: ParseStatus = ParseStatus.UNPARSEABLE
    issues: list[Issue] = field(default_factory=list)
    repairs: tuple[Repair, ...] = ()
    candidates: list[Candidate] = field(default_factory=list)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Kind(Generic[R]):
    """What tells one kind of single answer from another."""

    in_data: Callable[[Any], list[Candidate]]  # the candidates that a decoded value holds
    in_text: Callable[[str, bool, bool], list[Candidate]]
    rivals: Callable[[str, Any, bool], bool]
    reading: Callable[..., R]  # what is returned
    missing: str  # what to say where there is none
    unusable: str  # what to say where what stands there is none that can be used
    same: Callable[[Any, Any], bool] = lambda left, right: bool(left == right)  # whether two values are one
    checked: Callable[[Settled], Any] = lambda settled: settled.best and settled.best.value
    known: Callable[[str, Any], bool] = lambda _, __: False
    concludes: Callable[[str, Any], bool] = lambda _, __: False  # whether a reason in data ends in another value
    glosses: Callable[[str], bool] = lambda _: False  # whether what stands behind begins with what the answer means


def read_single(raw: str, kind: Kind[R], end: str | None, *, strict: bool) -> R:
    """Read the one answer of a reply; an earlier part that says otherwise voids it."""
    settled = [_settle(part, kind, end, strict=strict) for part in parts_of(raw, ())]
    last = settled[-1]
    for other in settled[:-1]:
        if last.best is None:
            continue
        if other.candidates and (other.best is None or not kind.same(other.best.value, last.best.value)):
            last.best = None
            last.issues.append(issue(IssueCode.CONFLICTING_VERDICTS, "an earlier part of the reply says otherwise"))
            last.status = ParseStatus.UNPARSEABLE
    value, best, notes = kind.checked(last), last.best, last.issues
    status = last.status
    if isinstance(value, IssueCode):
        status = ParseStatus.OUT_OF_RANGE if value is IssueCode.OUT_OF_RANGE else ParseStatus.UNPARSEABLE
        if status is ParseStatus.UNPARSEABLE and is_cut(last.part, end):
            status, value = ParseStatus.TRUNCATED, IssueCode.TRUNCATED
        notes.append(issue(value, kind.unusable))
        value = None
    if best is None:
        return kind.reading(status, None, tuple(notes), repairs=last.repairs)
    return kind.reading(status, value, tuple(notes), best.format, best.reason, best.span, last.repairs)


def _settle(part: Part, kind: Kind[Any], end: str | None, *, strict: bool) -> Settled:
    settled = Settled(part)
    if part.overrun:
        settled.issues = [issue(IssueCode.MISSING_VERDICT, "the reply holds more fragments than any answer has")]
        return settled
    settled.text = text = _without_asides(masked(part), part)
    cut = end in {CUT, BLOCKED}
    candidates = _from_data(part.documents, kind, text, settled)
    if not candidates and ("</" in part.text or "/>" in part.text):
        roots = read_tags(part.text, part.prose)
        markup = read_markup(part.text, roots, part.documents)
        candidates = [] if markup is None else _from_data([markup], kind, text, settled, "xml")
        if candidates and text:
            settled.text = text = cover(text, [(one.start, one.end) for one in roots if one.closed], DATA)
    candidates += kind.in_text(text, cut, bool(candidates))
    candidates = [] if part.thinks_again else candidates
    settled.candidates = candidates
    if not candidates:
        settled.status, why = why_none(part, end, kind.missing)
        settled.issues.append(why)
        return settled
    settled.best, why_not = _standing(candidates, text, kind, strict=strict, cut=cut)
    settled.issues += why_not
    if settled.best is not None:
        settled.status = ParseStatus.OK
        if (cut and any(document.dangling or document.cut for document in part.documents)) or is_cut(part, None):
            settled.issues.append(issue(IssueCode.TRUNCATED, "the reply was cut off after its answer"))
        elif any(document.cut for document in part.documents):
            settled.issues.append(issue(IssueCode.UNCERTAIN_END, "closing brackets are missing"))
    return settled


def _from_data(
    documents: Sequence[Document], kind: Kind[Any], text: str, settled: Settled, form: str = "json"
) -> list[Candidate]:
    found: list[Candidate] = []
    for document in documents:
        if text and (is_foreign(text, document.start) or is_quoted(text, document.start, document.end)):
            continue
        candidates = kind.in_data(document.value)
        own = {one.path[0] for one in candidates if one.path}
        beside = document.value.items() if isinstance(document.value, dict) else ()
        if candidates and any(
            (is_unjudged(key, item) and key not in own)
            or (isinstance(item, str) and disowns(item) and role_of(key) not in _WORDS)
            for key, item in beside
        ):
            continue
        for one in candidates:
            one.source, one.format = document, "repaired-json" if form == "json" and document.notes else form
            one.span = document.locate(one.path)
        found += candidates
        if candidates:
            settled.repairs += document.repairs
    settled.issues += repaired([repair.code for repair in settled.repairs])
    return found


def _without_asides(text: str, part: Part) -> str:
    """A masked text in which addresses, notes at the foot and elements for reasons and the like are covered, too."""
    if "://" in text or "[^" in text or "](" in text:
        text = cover(text, [one.span() for one in _ASIDES.finditer(text)], QUOTED)
    if "</" not in part.text or not text:
        return text
    return cover(text, others_words(part.text, part.prose, strange=True), QUOTED)


def _standing(
    candidates: Sequence[Candidate], text: str, kind: Kind[Any], *, strict: bool, cut: bool
) -> tuple[Candidate | None, list[Issue]]:
    """The last answer, if all agree with it that no correction stands behind; or why none."""
    answers = sorted(
        (Answer([one], *(one.span or (0, 0)), data=one.source is not None) for one in candidates),
        key=lambda one: (one.start, one.end, one.data),
    )
    for one in answers:
        one.end = max(one.end, one.rows[0].until)
    own = [one for one in answers if not is_foreign(text, text.rfind("\n", 0, one.start) + 1, inline=False)]
    if not own:
        return None, [issue(IssueCode.UNKNOWN_LABEL, "the line above does not say that the answer is the judge's own")]
    kept = {id(one) for one in own}
    answers = [one for one in answers if id(one) in kept or one.start > own[-1].start]
    last, notes = answers[-1], []
    value = last.rows[0].value
    differing = [one for one in answers if not kind.same(one.rows[0].value, value)]
    if differing:
        if not between(text, differing[-1].end, last):
            return None, [issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives different answers")]
        notes.append(issue(IssueCode.CONFLICTING_VERDICTS, "the judge corrected an earlier answer"))
    reason = last.rows[0].reason
    short = reason is not None and len(reason) < SHORT  # it may be a second thought
    tail = text[last.end :]
    why = reason or (tail if not cut and (len(tail.strip()) > SHORT or is_headed_reason(tail)) else "")
    said = [one for one in SENTENCES.split(why.strip()) if one.strip()][-1:]
    taken = short and withdraws(reason or "") and not any(kind.known(one, value) for one in said)
    taken = taken or is_dictated(reason or "") or judges_nothing(why)
    if said and is_on("rule:reason") and (taken or kind.concludes(said[0], value)):
        return None, [issue(IssueCode.TEXT_AFTER_ANSWER, "the reason takes the answer back")]
    if OF_ANOTHER.match(tail) or void_single(
        tail,
        value,
        kind.rivals,
        strict=strict,
        cut=cut,
        known=lambda sentence: kind.known(sentence, value),
        goes_on=not last.data and not kind.glosses(tail),
    ):
        return None, [issue(IssueCode.TEXT_AFTER_ANSWER, "what stands behind the answer may take it back")]
    return last.rows[0], notes


def read_score(raw: str, scale: Range, end: str | None, *, strict: bool) -> ScoreReading:
    """Read the score of a reply."""
    fields = ScoreFields(lambda text: _in_string(text, scale), scale.high)

    def in_data(value: Any) -> list[Candidate]:
        only = fields.only(value)
        return [] if only is None else [only]

    def rivals(text: str, value: Any, short: bool) -> bool:
        return short and _names_another(text, value, scale)

    def checked(settled: Settled) -> Any:
        best = settled.best.value if settled.best is not None else None
        said = (settled.text, *(one.reason for one in settled.candidates if one.reason))
        tops = other_tops("\n".join(said)) if is_on("rule:other-scale") and settled.candidates else set()
        start, end = (settled.best.span if settled.best is not None else None) or (0, 0)
        given = _TOP.search(settled.text[start:end])  # "7/10", where its parts have tops of their own
        if tops and scale.high not in tops and not (given and float(given[1]) == scale.high):
            return IssueCode.OUT_OF_RANGE
        if best is None or isinstance(best, IssueCode):
            return best
        if math.isnan(best):
            return IssueCode.UNKNOWN_LABEL
        return best if scale.holds(best) else IssueCode.OUT_OF_RANGE

    kind = Kind(
        in_data,
        lambda text, cut, beside: read_scores(text, scale, cut=cut, beside=beside),
        rivals,
        ScoreReading,
        "the reply gives no single number as its score",
        f"what stands in the place of the score is no number from {scale.low:g} to {scale.high:g} that can be told",
        same,
        checked,
        lambda text, value: (
            {plain(one, scale.high) for one in _NUMBERS.findall(text)} == {value}
            or is_quality(text)
            or is_remark(text)
            or _SURE.match(text) is not None
            or (UNREAL.search(text) is not None and not speaks_of_judge(text))
        ),
        lambda last, value: _concludes(last, value, scale),
        lambda tail: _GLOSS.match(tail) is not None,
    )
    return read_single(raw, kind, end, strict=strict)


def _in_string(text: str, scale: Range) -> float | None:
    """The number that a string holds, alone, in a word, or with a remark: "4 - Good"."""
    value = numeral(text, scale)
    if value is None and text.strip().casefold() in ranks("numbers"):
        return plain(text, scale.high)
    found = next(read_head(text, scale), None) if value is None and len(text) <= _LONGEST_STRING else None
    remarked = found is not None and found.span is not None and is_remark(text[found.span[1] :])
    return found.value if found is not None and remarked else value


def _concludes(last: str, value: Any, scale: Range) -> bool:
    """Whether the last sentence of a reason ends in another number of the scale, or gives one as the score."""
    if UNREAL.search(last) or _SURE.match(last):
        return False
    match = _LAST_NUMBER.search(last)
    said = [plain(match["number"], scale.high)] if match and not denies(last[: match.start()][-_NEAR:]) else []
    said += [one.value for one in read_scores(last, scale, cut=False, beside=False)]
    return any(scale.holds(one) and not same(one, value) for one in said if not isinstance(one, IssueCode))


def _names_another(text: str, value: float, scale: Range) -> bool:
    """Whether a text behind a score holds another number of its range; the top counts, but as the end of a scale."""
    text = "\n".join(line for line in text.split("\n") if not (is_quality(line) or _SURE.match(line)))
    text = " ".join(one for one in SENTENCES.split(text) if not UNREAL.search(one) or speaks_of_judge(one))
    for match in _NUMBERS.finditer(COUNTED.sub(" ", _LISTED.sub(" ", text))):
        number = plain(match.group(), scale.high)
        top = number == scale.high and _OF_SCALE.search(match.string[max(0, match.start() - 24) : match.start()])
        if scale.holds(number) and not same(number, value) and not top:
            return True
    return False


def _last_label(reason: str, choices: Choices) -> str | None:
    """The label with which the last sentence of a reason ends as its conclusion: "... hence no.", "It is unsafe."."""
    label = choices.ends(reason)
    for match in choices.words.finditer(reason) if label is None and len(reason) <= _LONGEST_REASON else ():
        word = len(match["label"]) > 1 and not re.search(r"\w", reason[match.end() :])
        clause = re.split("[,;]", reason[: match.start()])[-1]
        if word and _LEAD.search(clause) and not denies(clause):
            label = choices.find(match["label"])
    clause = re.split("[,;]", reason.rstrip(" ."))[-1].strip()
    sense = senses().get(fold(_IT.sub("", after_therefore(clause))))
    if label is None and sense in {Sense.YES, Sense.NO, Sense.LACK} and after_therefore(clause) != clause:
        label = choices.truth(sense is Sense.YES)  # "..., so it fails."
    return label


def _agreed(settled: Settled, choices: Choices) -> Any:
    """The label that is left standing, if the clause before it does not prefer another."""
    best = settled.best
    if best is None or best.span is None or not isinstance(best.value, str) or best.source is not None:
        return best and best.value
    before = settled.text[max(0, best.span[0] - _LONGEST_REASON) : best.span[0]].rstrip(" *_`\"'[(:")
    fits = choices.fits(SENTENCES.split(before.rstrip(".\n"))[-1], best.value)
    return best.value if fits else IssueCode.CONFLICTING_VERDICTS


def read_label(raw: str, choices: Choices, end: str | None, *, strict: bool) -> LabelReading:
    """Read which of the labels a reply gives."""
    fields = LabelFields(choices)

    def rivals(text: str, value: Any, short: bool) -> bool:
        said = " ".join(one for one in SENTENCES.split(text) if not UNREAL.search(one) or speaks_of_judge(one))
        return short and choices.rivals(said, value, named=not strict)

    kind = Kind(
        fields.walk,
        lambda text, cut, beside: read_labels(text, choices, cut=cut, beside_data=beside),
        rivals,
        LabelReading,
        "the reply gives none of the choices as its answer",
        "what stands in the place of the label is none of the choices, or what leads in prefers another",
        checked=lambda settled: _agreed(settled, choices),
        concludes=lambda last, value: (
            _last_label(last, choices) not in {None, value}
            or any(
                one.value not in {value, *IssueCode} for one in read_labels(last, choices, cut=False, beside_data=False)
            )
            or not choices.fits(last, value)
        ),
        known=lambda sentence, _: (
            choices.is_option_text(sentence)
            or HOW_SURE.match(sentence) is not None
            or (choices.lone and _MEANING.fullmatch(sentence) is not None)
            or choices.faults(sentence)
            or is_remark(sentence)
        ),
    )
    return read_single(raw, kind, end, strict=strict)
