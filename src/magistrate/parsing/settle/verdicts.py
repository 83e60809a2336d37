"""Verdicts: find the answers, let only those count that the rest of the reply leaves standing, align, settle."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from magistrate.parsing.decode.parts import parts_of
from magistrate.parsing.layouts.single import concludes, predicate
from magistrate.parsing.layouts.verdicts import turns_scale, without_legend
from magistrate.parsing.readings import VERDICT_FIELDS, VerdictReading, issue, locate
from magistrate.parsing.rows.candidate import Answer, Candidate, Span
from magistrate.parsing.rows.statements import Statements
from magistrate.parsing.settle.acceptance import Surroundings, between, disowns, held_back, unaccounted, void_single
from magistrate.parsing.settle.alignment import Alignment, align, begins_with_another
from magistrate.parsing.settle.answers import Finder, Question
from magistrate.parsing.settle.ladder import is_cut, repaired, verdicts_for, why_none
from magistrate.parsing.settle.tokens import carries
from magistrate.parsing.wording.courtesy import is_example, withdraws
from magistrate.parsing.wording.fold import ECHO, clean
from magistrate.parsing.wording.hedges import HOW_SURE
from magistrate.parsing.wording.languages import Sense
from magistrate.parsing.wording.patterns import WordPattern, vocabulary
from magistrate.parsing.wording.reasons import reason_of, says_nothing_new
from magistrate.verdict import Issue, IssueCode, ParseStatus, Verdict

_TAIL: Final = re.compile(r"[\s.,;:\"'`)]{0,99}[\]}][\s.,;:\"'`)\]}]{0,99}\Z")
_ITEM: Final = WordPattern("{ITEM}")
_NO_PROSE: Final = re.compile(r"(?:event|data|id):\s|[{\[]\s*[\"'{\[][^}\]]*$")
_WORDS: Final = re.compile(r"[^\W\d_]{4,}")
_LEFT_OVER: Final = frozenset({IssueCode.MISSING_VERDICT})


def read_reply(raw: str, question: Question) -> VerdictReading:
    """Read a reply; what an earlier part of it says otherwise voids the last part's answer."""
    parts = parts_of(raw, question.statements.texts)
    cases = [_Case(part, question) for part in parts]
    for case in cases:
        case.settle()
    last = cases[-1]
    if question.token is not None and not last.carried:
        last = next((case for case in reversed(cases) if case.carried), last)
    elif not question.taken:
        for other in cases[:-1]:
            if question.token is None or other.carried or not last.carried:
                last.void_where_unlike(other)
    return last.reading()


@dataclass(slots=True)
class _Case(Finder):
    """One part of a reply while it is read."""

    answers: list[Answer] = field(default_factory=list)
    found: bool = False
    rows: dict[int, list[Candidate]] = field(default_factory=dict)
    spans: Counter[Span | None] = field(default_factory=Counter)
    strangers: list[Candidate] = field(default_factory=list)
    notes: dict[int, list[Issue]] = field(default_factory=dict)
    verdicts: list[Verdict | None] = field(default_factory=list)
    said: list[Verdict | None] = field(default_factory=list)  # before what stands behind was looked at
    chosen: dict[int, Candidate] = field(default_factory=dict)
    cut: bool = False
    open_end: bool = False

    def settle(self) -> None:
        """Find the answers, file their rows under the statements, decide."""
        asked, self.statements = self.asked, self.asked.statements
        answers = [] if self.part.overrun or self.part.thinks_again else self.find()
        if asked.taken:
            answers = answers if len(answers) == 1 else []
            for row in (row for answer in answers for row in answer.rows if not (row.echo or "").strip()):
                row.value = IssueCode.BLANK_STATEMENT
            self.statements = Statements([row.echo or "" for answer in answers for row in answer.rows])
        self.found = bool(answers)
        self.answers = self.carriers(answers)
        self.spans = Counter(row.span for answer in self.answers for row in answer.rows)
        for at, answer in enumerate(self.answers):
            self._file(answer, superseding=at > 0 and between(self.text, self.answers[at - 1].end, answer))
        self._decide()

    # -- what they say -----------------------------------------------------------------------------------------------

    def _file(self, answer: Answer, *, superseding: bool) -> None:
        if self.asked.taken:
            alignment = Alignment({at: [row] for at, row in enumerate(answer.rows)})
        else:
            alignment = align(answer, self.statements)
        for index, rows in alignment.rows.items():
            earlier = self.rows.get(index)
            if superseding and earlier:
                if {row.value for row in earlier} != {row.value for row in rows}:
                    self._note(index, IssueCode.CONFLICTING_VERDICTS, "the judge corrected an earlier verdict")
                self.rows[index] = rows
            else:
                self.rows.setdefault(index, []).extend(rows)
        self.strangers += alignment.strangers
        aside = not answer.data and any(one.data for one in self.answers)  # sentences beside data may name a few
        self.issues += [
            issue(code, message)
            for code, message in alignment.issues
            if not (aside and code is IssueCode.COUNT_MISMATCH)
        ]
        self.issues += repaired([repair.code for repair in answer.repairs])
        document = next((row.source for row in answer.rows if row.source is not None), None)
        if document is not None and not answer.repairs and _TAIL.match(self.part.text, document.end):
            self.issues.append(issue(IssueCode.REPAIRED_JSON, "closing brackets are left over behind the answer"))
        if answer.cut:
            dangling = document is None or document.dangling or answer.gap is not None
            self.cut, self.open_end = self.cut or dangling, self.open_end or not dangling

    def _note(self, index: int, code: IssueCode, message: str) -> None:
        self.notes.setdefault(index, []).append(issue(code, message, index))

    def _decide(self) -> None:
        count = len(self.statements)
        self.verdicts = [self._verdict(self.rows.get(index, []), index) for index in range(count)]
        self.said = list(self.verdicts)
        held = self._held_back() if self.answers else set()
        for index, verdict in enumerate(self.verdicts):
            rows = self.rows.get(index, [])
            if rows:
                said = [row for row in rows if row.value is verdict] or rows
                self.chosen[index] = next((row for row in said if row.source is not None), said[0])
            if verdict is None:
                continue
            row = self.chosen[index]
            if index in held:
                self._void(index, IssueCode.TEXT_AFTER_ANSWER, "what stands behind the answer may bear on this verdict")
            elif self._contradicts(row, verdict):
                self._void(index, IssueCode.CONFLICTING_VERDICTS, "the reason gives another verdict")
                self._note(index, IssueCode.REASON_CONTRADICTS, "the reason gives another verdict")
            elif (
                row.reason
                and row.source is not None
                and row.id is None
                and row.echo is None
                and count > 1
                and begins_with_another(row.reason, index)
            ):
                self._void(index, IssueCode.CONFLICTING_VERDICTS, "the reason is about another statement")

    def _contradicts(self, row: Candidate, verdict: Verdict) -> bool:
        """Whether the reason of a row gives another verdict."""
        words, reason = self.asked.words, row.reason or ""
        if row.source is not None or row.format in {"table", "csv"}:
            return concludes(reason, words) not in {None, verdict} or words.denies(reason, verdict)
        start, end = row.span or (0, 0)
        alone = row.format == "numbered" and self.spans[row.span] == 1  # no rows that share a line
        behind = self.part.text[start:end].partition(str(row.raw))[2] if alone else ""
        if len(self.statements) == 1:
            behind += self.text[max(answer.end for answer in self.answers) :]
        return words.denies(reason_of(behind), verdict)

    def _void(self, index: int, code: IssueCode, message: str) -> None:
        self.verdicts[index] = None
        self._note(index, code, message)

    def _verdict(self, rows: Sequence[Candidate], index: int) -> Verdict | None:
        """The one verdict that all rows about a statement give."""
        if not rows:
            self._note(index, IssueCode.MISSING_VERDICT, "the reply says nothing of this statement")
            return None
        readings = [row.value for row in rows]
        verdicts = {value for value in readings if isinstance(value, Verdict)}
        others = {value for value in readings if not isinstance(value, Verdict)}
        partly = others == {IssueCode.OUT_OF_RANGE} and verdicts == {self.asked.words.verdicts[Sense.LACK]}
        if (
            partly
            and len(self.statements) == 1
            and readings[-1] in verdicts
            and all(row.source is None for row in rows)
        ):
            others = set()  # "partially consistent ... so the answer is no", on a scale of two
        if len(verdicts) > 1 or (verdicts and others - _LEFT_OVER):
            self._note(index, IssueCode.CONFLICTING_VERDICTS, "the reply gives different verdicts")
            return None
        if verdicts:
            verdict = verdicts.pop()
            same = [row for row in rows if row.value is verdict]
            if len({row.format for row in same}) < len(same):
                self._note(index, IssueCode.DUPLICATE_VERDICT, f"the verdict is given {len(same)} times")
            return verdict
        code = next((one for one in readings if one is not IssueCode.MISSING_VERDICT), IssueCode.MISSING_VERDICT)
        why = "not on the scale" if code is IssueCode.OUT_OF_RANGE else "none that can be used"
        self._note(index, IssueCode(code), f"what stands in the place of the verdict is {why}")
        return None

    def _held_back(self) -> set[int]:
        """The statements that what stands behind the answers, or beside their rows, may bear on."""
        asked, count = self.asked, len(self.statements)
        everything = set(range(count))
        last = max(answer.end for answer in self.answers)
        if not self.text and self.part.prose:
            behind = self.part.prose[-1][1] > last and len(self.part.visible) > 400  # noqa: PLR2004
            return everything if behind else set()
        tail = self.text[last:]
        notes = [note for answer in self.answers for note in answer.notes]
        if any(withdraws(one) or disowns(one) or is_example(one) or turns_scale(one, asked.words) for one in notes):
            return everything
        told = set[int]()
        sentences = [one for one in notes if len(one.split()) > 2 and one.lstrip()[0] not in "{["]  # noqa: PLR2004
        for note in sentences if count > 1 else ():
            rest = unaccounted(note, numbers=False)
            around = Surroundings(
                rest, asked.words, self.verdicts, lambda _: None, strict=False, known=self._speaks_of_it
            )
            told |= held_back(around)
        if told:
            return told
        if count == 1:
            verdict = self.verdicts[0]
            yes = verdict is asked.words.verdicts[Sense.YES]
            voided = verdict is not None and void_single(
                tail,
                verdict,
                # a long text behind a denial may say what would be right
                lambda rest, value, short: (short or yes) and asked.words.bears(rest, value, weak=short),
                strict=asked.strict,
                cut=self.ended_early,
                yes=yes,
                known=lambda sentence: verdict is not None and self._explains(sentence, verdict),
                goes_on=not max(self.answers, key=lambda one: one.end).data and self.text[last - 1] not in ".。",
            )
            return everything if voided else set()
        rest = unaccounted(without_legend(tail, asked.words), cut=self.ended_early)
        text = self.part.text

        def echo_at(place: int) -> int | None:
            begin = self.text.find((rest[place : place + 200].split() or [""])[0], last)
            run = re.match(rf"{ECHO}+", self.text[begin:]) if begin >= 0 else None
            said = text[begin : begin + run.end()].strip().rstrip(".。!！?？") if run else ""
            return next(
                (at for at, one in enumerate(self.statements.texts) if one.strip().rstrip(".。!！?？") == said), None
            )

        around = Surroundings(rest, asked.words, self.verdicts, echo_at, asked.strict, self._speaks_of_it)
        return held_back(around)

    def _explains(self, sentence: str, verdict: Verdict) -> bool:
        """Whether a sentence gives the same verdict, or speaks of what the statement is about."""
        words = self.asked.words
        said = predicate(sentence.lstrip(" *_,;:(\u2014\u2013-"), words)  # "- supported by the sign"
        if HOW_SURE.match(sentence) or words.whole(sentence.strip(" ()")) is verdict or (said and said[0]) is verdict:
            return True
        if concludes(sentence, words) is verdict:
            return True
        if says_nothing_new(sentence):  # "It is not."
            return verdict is not words.verdicts[Sense.YES]
        return self._speaks_of_it(sentence)

    def _speaks_of_it(self, sentence: str) -> bool:
        """Whether a sentence shares a word with the statements or the contexts, or is the beginning of a row."""
        bare, token = sentence.strip(" \t*_-•"), self.asked.token
        if _NO_PROSE.match(bare) or (token is not None and carries(bare, token)):
            return True
        if len(bare) > 1 and self.part.text.rstrip().endswith(sentence.strip()):
            name = _ITEM.match(bare) if self.ended_early else None
            if name or any(one.startswith(bare) for one in self.statements.texts):
                return True
        said = set(_WORDS.findall(sentence.casefold())) - vocabulary("function")
        given = " ".join((*self.statements.texts, *self.asked.contexts))[:20_000]
        return bool(said) and not said.isdisjoint(_WORDS.findall(given.casefold()))

    def void_where_unlike(self, other: _Case) -> None:
        """Withhold what another part of the reply says otherwise."""
        for index, (mine, theirs) in enumerate(zip(self.verdicts, other.said, strict=True)):
            conflict = any(note.code is IssueCode.CONFLICTING_VERDICTS for note in other.notes.get(index, ()))
            if mine is not None and ((theirs is not None and theirs is not mine) or (theirs is None and conflict)):
                self._void(index, IssueCode.CONFLICTING_VERDICTS, "an earlier part of the reply says otherwise")

    # -- the reading -------------------------------------------------------------------------------------------------

    def reading(self) -> VerdictReading:
        """What the reply says."""
        part, count, asked = self.part, len(self.statements), self.asked
        known = sum(one is not None for one in self.verdicts)
        cut = self.cut or is_cut(part, None) or (self.ended_early and (known < count or self.open_end))
        issues = list(dict.fromkeys(self.issues))
        if known or not count:
            status = ParseStatus.EMPTY if not count else ParseStatus.OK if known == count else ParseStatus.PARTIAL
        else:
            answered = bool(self.answers) and bool(self.rows or self.strangers)
            status, why = why_none(part, asked.end, "no verdict", refusal=asked.refusal, answered=answered)
            if cut and status is ParseStatus.UNPARSEABLE:
                status = ParseStatus.TRUNCATED
            if status in {ParseStatus.REFUSAL, ParseStatus.EMPTY}:
                issues.append(why)
        if cut:
            issues.append(issue(IssueCode.TRUNCATED, "the reply was cut off"))
        elif self.open_end:
            message = "the answer is complete, but its closing brackets are missing"
            issues.append(issue(IssueCode.UNCERTAIN_END, message))
        if known < count and not self.found and not part.blank:
            issues.append(issue(IssueCode.COUNT_MISMATCH, verdicts_for(known, count)))
        issues += [note for index in sorted(self.notes) for note in self.notes[index]]
        form = next((self.chosen[at].format for at, one in enumerate(self.verdicts) if one is not None), None)
        sources = {id(row.source): row.source for row in self.chosen.values() if row.source is not None}
        repairs = tuple(repair for source in sources.values() for repair in source.repairs)
        repairs = repairs or tuple(repair for answer in self.answers for repair in answer.repairs)
        extra = tuple(row.value for row in self.strangers if isinstance(row.value, Verdict))
        return VerdictReading(
            status,
            self.verdicts,
            self._fields,
            self.statements.texts,
            format=form,
            issues=tuple(issues),
            repairs=repairs,
            extra=extra,
        )

    def _fields(self) -> list[dict[str, Any]]:
        made = []
        for at, (identity, text, verdict) in enumerate(
            zip(self.statements.ids, self.statements.texts, self.verdicts, strict=True)
        ):
            fields = VERDICT_FIELDS | {"index": at, "id": identity, "statement": text, "verdict": verdict}
            fields["issues"] = tuple(self.notes.get(at, ()))
            row = self.chosen.get(at)
            if row is not None:
                span = row.located()
                fields["reason"] = clean(row.reason) if row.reason else None
                fields["evidence"] = locate(row.quotes, self.asked.contexts)
                fields["probability"] = row.probability
                fields["format"], fields["span"] = row.format, span
                if row.source is not None and span is not None:
                    fields["repairs"] = row.source.touched(span)
            made.append(fields)
        return made
