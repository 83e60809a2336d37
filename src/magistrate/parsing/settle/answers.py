"""The answers of a reply: where they stand, which belong together, which carry the request token."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any, Final

from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.parts import Part, parts_of
from magistrate.parsing.decode.tags import read_markup, read_tags, strangers
from magistrate.parsing.layouts.verdicts import LONGEST_HEAD, asks_opposite, read_verdicts, turns_scale
from magistrate.parsing.layouts.view import View
from magistrate.parsing.readings import issue
from magistrate.parsing.reply.marks import fence_lines, language_of
from magistrate.parsing.reply.source import BLOCKED, CUT
from magistrate.parsing.rows.candidate import Answer, Candidate
from magistrate.parsing.rows.fields import repeats_its_verdict
from magistrate.parsing.rows.statements import LONGEST_ECHO, Statements
from magistrate.parsing.rows.verdicts import VerdictRows
from magistrate.parsing.settle.acceptance import is_foreign, is_quoted, own_and_behind
from magistrate.parsing.settle.masks import masked, plain_marks, ticked
from magistrate.parsing.settle.tokens import carries, carries_in_line, echoes, is_another, may_hold_answer
from magistrate.parsing.wording.courtesy import is_own_lead
from magistrate.parsing.wording.fold import DATA, DROPPED, ECHO, QUOTED
from magistrate.parsing.wording.keys import parts_of_key, polarity_of
from magistrate.parsing.wording.languages import Sense
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.reasons import is_headed_reason
from magistrate.parsing.wording.scales import Words, is_plain
from magistrate.verdict import Issue, IssueCode, Repair, Verdict

_SHORTEST_REPEAT: Final = 12
_LISTED: Final = re.compile(rf"^[ \t]*(\d{{1,3}})[.):][ \t]+({ECHO}+)\W*$", re.MULTILINE)
_DEEP: Final = 4
_FEW_KEYS: Final = 8
_MEANING: Final = re.compile(r"[^\s=]\s*=\s*[^\s=]")
_AROUND_HEAD: Final = ' \t*_=#"-'
_NO_HEAD: Final = frozenset(":：" + DATA + DROPPED + ECHO + QUOTED)
_DIGITS: Final = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_LINE_OF_TEXT: Final = re.compile(
    r"^(?P<mark>[ \t]*(?:[-*•‣][ \t]+)?[*_\"“]{0,3})(?=[^\W\d_])[^\n]{4,2000}$", re.MULTILINE
)
_MOST_ENDS: Final = 8
"""Signs in a line behind which a statement may end that are looked at."""
_ENDS: Final = re.compile(r"(?=[*_\"”]{0,3}[.!]?[*_\"”]{0,3}[ \t]*(?:→|->|=>|⇒|[—–:：|]|-[ \t]))")
_ROW_NUMBER: Final = WordPattern(r"^\W*(?:{ITEM}\W*)?\d{1,4}\W*")
_ROW_NAME: Final = WordPattern(r"^\W*(?:{item}\s*[:：]\s*|the\s+{item}\s+(?=[\"“]))")
_SENTENCE_ROW: Final = WordPattern(r"\W*{item}\s*#?\d{1,4}[*_]*\s+{is}\b")
_ROW_END: Final = WordPattern(r"(?:(?<=[\"”])\s+is\s*)?[^\w.!?\"'”)]*(?:\b{verdict}\W*)?$")
"""What leads from a statement to its verdict: an arrow, "Verdict:", "is" behind its quotation marks."""
_ROW_HEADING: Final = WordPattern(
    r"(?:^|\n)[ \t*_#{DROPPED}]*{item}[ \t]*#?(\d{1,4})[*_ \t]*[:：]?[*_ \t]*(?:\n[ \t{DROPPED}]*)*$",
)
"""All that stands between data and the data before it: the name of a statement, "Statement 1:", and its fence."""
_TORN: Final = re.compile(r"[^\"{}\[\]\n]{0,200}\"[ \t]*,\s*\"[^\"\n]{1,80}\"\s*:")
"""The end of a string and the next key, behind data that ended: a quotation mark in the string closed it."""
_LEGENDS: Final = frozenset({"legend", "scale", "mapping", "meaning"})


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked."""

    statements: Statements  # the statements; those that the reply gives itself where `taken` is set
    words: Words  # the words of the scale
    end: str | None = None  # how the reply ended
    refusal: str | None = None  # the provider's own refusal text
    token: str | None = None  # the request token that the answer must carry
    contexts: Sequence[str] = ()  # what the judge saw beside the statements
    given: Sequence[str] = ()  # what it was given besides: the question, the answer
    strict: bool = False  # whether nothing unexplained may stand behind the answer
    taken: bool = False  # whether the statements are taken from the reply

    @property
    def texts(self) -> tuple[str, ...]:
        """All that the judge was given, and that somebody may have planted an answer in."""
        return (*self.contexts, *self.given, *self.statements.texts)


@dataclass(slots=True)
class Finder:
    """Finds the answers in one part of a reply."""

    part: Part
    asked: Question
    text: str = ""
    carried: bool = False
    issues: list[Issue] = field(default_factory=list)
    statements: Statements = field(default_factory=lambda: Statements(()))

    @property
    def ended_early(self) -> bool:
        """Whether the provider says that the reply was cut off."""
        return self.asked.end in {CUT, BLOCKED}

    def find(self) -> list[Answer]:
        """The answers, in their order."""
        part, asked, count = self.part, self.asked, len(self.statements)
        self.text = masked(part, asked.statements.texts)
        if count > 1:
            self.text = _LINE_OF_TEXT.sub(self._covered, self.text)
        self.text = plain_marks(self.text, count if asked.statements.numbered else 1)
        self.text = ticked(self.text, count, signs=asked.words.two_valued)
        finder = VerdictRows(asked.words, self.statements.knows)
        answers = self._from_data(part.documents, finder, "json")
        if "</" in part.shown or "/>" in part.shown:
            answers += self._from_tags(finder)
        if count and self.text:
            answers += self._from_text(count, beside=bool(answers))
        answers = [one for one in answers if not (one.data and is_quoted(self.text, one.start, one.end))]
        answers = self._joined(sorted(answers, key=lambda one: (one.start, one.end)), count)
        for one in answers:
            _hold_other_scale(one.rows)
        if answers and not asked.taken and (self._numbers_otherwise() if count > 1 else self._is_about_another_one()):
            for row in (row for one in answers for row in one.rows if count == 1 or not row.echo):
                row.value = IssueCode.CONFLICTING_VERDICTS if isinstance(row.value, Verdict) else row.value
        if answers and self.text and turns_scale(self.text, asked.words):
            self.issues.append(issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives its words another meaning"))
            return []
        said = [(row, str(row.raw).strip(" .*_\n")) for one in answers for row in one.rows]
        has_ja = any(raw.casefold() == "ja" for _, raw in said)
        for row, raw in said if "NEI" in asked.words.exact else ():
            if raw.casefold() == "nei" and has_ja is (raw == "NEI"):  # a no, or "not enough information"?
                row.value = IssueCode.CONFLICTING_VERDICTS
        own = own_and_behind(answers, lambda one: is_foreign(self.text, self._place(one), inline=one.data))
        if not own and len(answers) > 1:
            self.issues.append(issue(IssueCode.CONFLICTING_VERDICTS, "no answer is led in as the judge's own"))
        if own and any(is_plain(raw) for _, raw in said) and self._asks_otherwise(own):
            self.issues.append(issue(IssueCode.CONFLICTING_VERDICTS, "what stands above yes or no asks something else"))
            return []
        return own

    def _asks_otherwise(self, answers: Sequence[Answer]) -> bool:
        """Whether a heading asks for what is wrong ("Hallucination check"), or names no answer: "Relevance"."""
        above = self.text[: min(one.start for one in answers)].rstrip(" \t*_`")
        notes = [note for one in answers for note in one.notes]
        if above[-1:] != "\n" or ("=" in above and _MEANING.search(above)):
            return any(map(asks_opposite, notes))
        lines = [line for one in above.split("\n") if (line := one.strip(_AROUND_HEAD))]
        head = lines[-1] if lines else ""
        few = 0 < len(head.split()) < _FEW_KEYS and head[0].isalpha() and head[-1].isalpha()
        if few and _NO_HEAD.isdisjoint(head) and not is_own_lead(head) and not any(self.asked.words.mentions(head)):
            return True
        lone = len(lines) == 1 and head[0].isalpha() and len(head) <= LONGEST_HEAD
        return any(map(asks_opposite, [*notes, *(lines if lone else ())]))

    def _covered(self, line: re.Match[str]) -> str:
        """A line with the statement covered that it begins with: "- THE FERRY LEAVES AT SIX. - yes"."""
        for end in islice(_ENDS.finditer(line[0], line.end("mark") - line.start()), _MOST_ENDS):
            said = self.part.text[line.end("mark") : line.start() + end.start()]
            if ECHO in line[0] or len(said) > LONGEST_ECHO:
                break
            if self.statements.repeated_by(said) is not None:
                return line["mark"] + ECHO * len(said) + line[0][end.start() :]
        return line[0]

    def _is_about_another_one(self) -> bool:
        """Whether the reply names the one statement that it is about, and that is another one."""
        lines = [_ROW_NAME.match(line) for line in self.part.text[:LONGEST_ECHO].split("\n")]
        named = [match.string[match.end() :] for match in lines if match]
        return any(len(one.split()) > 2 and self.statements.replaces(one, 0) for one in named)  # noqa: PLR2004

    def _numbers_otherwise(self) -> bool:
        """Whether the reply lists the statements itself, in another order than they were asked in."""
        orders = [order for document in self.part.documents for order in _orders(document.value, self.statements)]
        given = [one.rstrip(".。!！?？") for one in self.statements.texts]
        if not self.text or ECHO not in self.text:
            return any(order != sorted(order) for order in orders)
        told = [
            (int(match[1]), given.index(said))
            for match in _LISTED.finditer(self.text)
            if (said := self.part.text[match.start(2) : match.end(2)].strip().rstrip(".。!！?？")) in given
        ]
        if len(told) > 1 and any(number != index + 1 for number, index in told):
            return True
        return any(order != sorted(order) for order in orders)

    def _place(self, answer: Answer) -> int:
        """Where to look for what leads into an answer: above its line, if it is text."""
        return answer.start if answer.data else self.text.rfind("\n", 0, answer.start) + 1

    def _from_data(self, documents: Sequence[Document], finder: VerdictRows, form: str) -> list[Answer]:
        found: list[Answer] = []
        part = self.part
        for document in documents:
            if self._repeats(part.text[document.start : document.end]):
                continue
            if _turns(document.value, self.asked.words):
                self.issues.append(issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives its words another meaning"))
                continue
            if _TORN.match(part.text, document.end):
                self.issues.append(issue(IssueCode.CONFLICTING_VERDICTS, "a string may go on behind the data"))
                return []
            for answer in finder.answers(document.value):
                answer.format = "repaired-json" if form == "json" and document.notes else form
                answer.start, answer.end = document.start, document.end
                answer.repairs, answer.cut = document.repairs, answer.cut or document.cut
                for row in answer.rows:
                    row.source, row.format = document, answer.format
                # A row that says two things may hold the end of a quotation that begins in the row before it.
                torn = [row for row, after in pairwise(answer.rows) if repeats_its_verdict(document.value, after.path)]
                for row in torn:
                    row.value = IssueCode.CONFLICTING_VERDICTS
                found.append(answer)
        return found

    def _from_tags(self, finder: VerdictRows) -> list[Answer]:
        part = self.part
        roots = read_tags(part.shown, part.prose)
        markup = read_markup(part.text, roots, part.documents)
        found = self._from_data([markup], finder, "xml") if markup is not None else []
        for one in found if len(self.statements) > 1 else ():
            self._hold_headed(one)
        spans = [(one.start, one.end) for one in found]
        if markup is not None and isinstance(markup.value, dict) and any(map(polarity_of, markup.value)):
            spans.append((markup.start, markup.end))  # "<hallucination>yes": the words in it are not about support
        spans += strangers(roots)
        for start, end in spans:
            self.text = self.text[:start] + DROPPED * (end - start) + self.text[end:]
        return found

    def _hold_headed(self, answer: Answer) -> None:
        """Withhold rows of markup that stand behind a number or a statement, in a form that is not read."""
        if any(row.id is not None or row.echo or row.echo_index is not None for row in answer.rows):
            return
        spans = sorted(span for row in answer.rows if (span := row.located()) is not None)
        before = self.text[max(0, answer.start - 100) : answer.start].rpartition("\n")[2]
        heads = [before, *(self.text[end:start] for (_, end), (start, _) in pairwise(spans))]
        if any(re.search(rf"[\d{ECHO}]", head.rpartition("\n")[2]) for head in heads):
            for row in answer.rows:
                row.value = IssueCode.CONFLICTING_VERDICTS if isinstance(row.value, Verdict) else row.value

    def _from_text(self, count: int, *, beside: bool) -> list[Answer]:
        fences = fence_lines(self.part.shown, self.part.prose)
        view = View(
            self.text,
            self.part.text,
            self.asked.words,
            count,
            self.statements.repeated_by,
            cut=self.ended_early or len(fences) % 2 == 1,
        )
        kept = []
        yaml = language_of(fences) in {"yaml", "yml"}
        for one in read_verdicts(view):
            apart = len({row.span for row in one.rows}) == len(one.rows) and one.format == "numbered"
            for row in one.rows:
                row.format = "yaml" if yaml else row.format
                if apart and not self.asked.taken:
                    self._compare_repeated(row)
            if not self.asked.taken and self._is_about_others(one.rows):
                for row in one.rows:
                    row.value = IssueCode.CONFLICTING_VERDICTS
            said = sum(isinstance(row.value, Verdict) for row in one.rows)
            told = 2 * said > count or not beside
            told = told or (said > 0 and (one.format == "sentences" or all(map(self._is_named, one.rows))))
            if told and not self._repeats(self.part.text[one.start : one.end]):
                kept.append(one)
        return kept

    def _compare_repeated(self, row: Candidate) -> None:
        """Withhold a row that repeats its statement with something else in it; keep what it repeats for the rest."""
        known = isinstance(row.id, int) and 1 <= row.id <= len(self.statements) and isinstance(row.value, Verdict)
        if not known or row.echo is not None or row.echo_index is not None:
            return
        line, named = self._repeated(row)
        index, long = int(row.id or 0) - 1, len(line.split()) > 2  # noqa: PLR2004 - fewer are a remark
        if self.statements.misquotes(line, index) or (named and long and self.statements.replaces(line, index)):
            row.value = IssueCode.CONFLICTING_VERDICTS
        elif long and row.value is self.asked.words.verdicts[Sense.YES]:
            row.echo = line

    def _is_about_others(self, rows: Sequence[Candidate]) -> bool:
        """Whether what stands in each row before its verdict is another statement: those of an example."""
        apart = len({row.span for row in rows}) == len(rows)
        return apart and all(
            row.echo_index is None
            and isinstance(row.id, int)
            and row.id <= len(self.statements)
            and self.statements.is_foreign(self._repeated(row)[0], row.id - 1)
            for row in rows
        )

    def _is_named(self, row: Candidate) -> bool:
        """Whether a row is called a statement: "Statement 2 is not supported"."""
        return row.span is not None and _SENTENCE_ROW.match(self.text, row.span[0]) is not None

    def _repeated(self, row: Candidate) -> tuple[str, bool]:
        """What stands in a row between its number and its verdict, and whether it is called a statement there."""
        (start, end), raw = row.span or (0, 0), str(row.raw)
        before, found, _ = self.part.text[start:end].partition(raw or "\0")
        line = _ROW_END.sub("", _ROW_NUMBER.sub("", before).strip().partition("\n")[0])
        named = _ROW_NAME.match(line)
        line = "" if is_headed_reason(line) else line[named.end() :] if named else line
        return (line if raw and found else ""), named is not None

    def _repeats(self, text: str) -> bool:
        """Whether a text stands word for word in what the judge was given."""
        text = text.strip()
        return len(text) >= _SHORTEST_REPEAT and any(len(one) >= len(text) and text in one for one in self.asked.texts)

    def _joined(self, answers: list[Answer], count: int) -> list[Answer]:
        """Put single rows that stand apart (JSON Lines, one object a statement) together to the one answer they are."""
        single = [one for one in answers if one.data and len(one.rows) == 1 and not one.orderly]
        if len(single) < 2 or (count == 1 and not self.asked.taken):  # noqa: PLR2004
            return answers
        rows = [row for one in single for row in one.rows]
        if not self.asked.taken and not any(row.id is not None or row.echo is not None for row in rows):
            heads = [self.text[max(0, one.start - 120) : one.start].rpartition(DATA)[2] for one in single]
            numbers = [int(one[1]) for head in heads if (one := _ROW_HEADING.search(head))]
            if len(numbers) == len({*numbers}) == len(rows):
                for row, number in zip(rows, numbers, strict=True):
                    row.id = number
            elif any(re.search(rf"[\d{ECHO}]", head) for head in heads):
                for row in rows:  # what leads into each names a statement, in a form that is not read
                    row.value = IssueCode.CONFLICTING_VERDICTS if isinstance(row.value, Verdict) else row.value
        tokens = {one.token for one in single}
        repairs = tuple(dict.fromkeys(repair for one in single for repair in one.repairs))
        if single[0].format != "xml":
            repairs = (*repairs, Repair("separate-objects", single[0].start))
        whole = Answer(
            rows,
            single[0].start,
            single[-1].end,
            single[0].format,
            cut=any(one.cut for one in single),
            token=tokens.pop() if len(tokens) == 1 else None,
            repairs=repairs,
            notes=[note for one in single for note in one.notes],
        )
        apart = {id(one) for one in single}
        return sorted([one for one in answers if id(one) not in apart] + [whole], key=lambda one: one.start)

    def carriers(self, answers: list[Answer]) -> list[Answer]:
        """The answers that carry the request token; all where none does and nothing given could be an answer."""
        token = self.asked.token
        if token is None or not answers:
            return answers
        in_line = carries_in_line(self.text, token)
        carrying = [one for one in answers if (carries(one.token, token) if one.data else in_line)]
        if carrying:
            self.carried = True
            return carrying
        self.issues.append(issue(IssueCode.TOKEN_MISSING, "no answer in the reply carries the request token"))
        text, given = self.part.text, self.asked.texts
        wrong = any(is_another(one.token, token) or echoes(text, one.start, one.end, given) for one in answers)
        planted = wrong or self.ended_early or any(_may_answer(one, self.asked.words) for one in given)
        return [] if planted else answers


def _hold_other_scale(rows: Sequence[Candidate]) -> None:
    """Withhold numbers that stand for verdicts beside one that is on another scale: "1. 5", and "2. 1"."""
    said = [(row, str(row.raw).strip(" .*_`\n")) for row in rows if isinstance(row.raw, str | int | float)]
    numbers = [(row, float(one)) for row, one in said if _DIGITS.fullmatch(one)]
    for row, _ in numbers if any(not -1 <= number <= 2 for _, number in numbers) else ():  # noqa: PLR2004
        row.value = IssueCode.OUT_OF_RANGE


def _turns(value: Any, words: Words) -> bool:
    """Whether data gives words or figures another meaning than they have: {"legend": {"0": "supported"}, ...}."""
    members = value.items() if isinstance(value, dict) and len(value) <= _FEW_KEYS else ()
    for legend in (one for key, one in members if not _LEGENDS.isdisjoint(parts_of_key(key))):
        told = legend.items() if isinstance(legend, dict) else ()
        meant = [(words.whole(sign), words.whole(str(item))) for sign, item in told]
        if any(isinstance(sign, Verdict) and said is not sign for sign, said in meant):
            return True
        if isinstance(legend, str) and turns_scale(legend, words):
            return True
    return False


def _orders(value: Any, statements: Statements, depth: int = 0) -> list[list[int]]:
    """The orders in which data lists statements that stand alone, without anything said of them."""
    if depth > _DEEP or not isinstance(value, dict | list) or len(value) > 2 * len(statements) + 8:
        return []
    items = list(value.values()) if isinstance(value, dict) else value
    texts = [next(iter(one.values())) if isinstance(one, dict) and len(one) == 1 else one for one in items]
    if len(texts) > 1 and all(isinstance(one, str) and statements.knows(one) for one in texts):
        found = statements.echoes([Candidate(None, echo=one) for one in texts])
        return [[index for index in found if index is not None]]
    return [order for item in items for order in _orders(item, statements, depth + 1)]


def _may_answer(text: str, words: Words) -> bool:
    """Whether a text that the judge was given could itself be taken for an answer."""
    if may_hold_answer(text) or "verdict" in text.casefold():
        return True
    view_text = masked(parts_of(text)[-1], ())
    return any(read_verdicts(View(view_text, text, words, count, lambda _: None)) for count in (1, 2, 3))
