"""From all answers of a reply to one verdict per statement: agreement counts, conflict gives none."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.afterthoughts import Case, amend, check_reasons, mind_summaries
from magistrate.parsing.align import Alignment, align
from magistrate.parsing.answers import Answer, Found
from magistrate.parsing.causes import why
from magistrate.parsing.envelope import Envelope
from magistrate.parsing.fields import clean
from magistrate.parsing.planted import reads_as_answer
from magistrate.parsing.reading import VerdictReading, issue, locate, statement_verdict
from magistrate.parsing.refusal import refuses
from magistrate.parsing.rows import Row, Table
from magistrate.parsing.source import BLOCKED, CUT, REFUSED
from magistrate.parsing.statement_index import Statements
from magistrate.parsing.vocabulary import Vocabulary
from magistrate.parsing.voices import Voice, withdraws
from magistrate.verdict import Issue, IssueCode, ParseStatus, StatementVerdict, Verdict

__all__ = ["settle"]


def settle(
    envelope: Envelope,
    found: Found,
    asked: Statements,
    words: Vocabulary,
    *,
    end: str | None,
    refusal: str | None,
    token: str | None,
    contexts: Sequence[str] | None,
    own: bool,
    otherwise: Sequence[Verdict | IssueCode | None] = (),
) -> VerdictReading:
    """Settle what the answers say of each statement; where `otherwise`, the reading as a whole reply, differs: none."""
    case = Case()
    answers = [answer for answer in found.answers if answer.voice is Voice.JUDGE]
    answers = _carriers(answers, found, case, asked, words, token, contexts, envelope.text)
    for position, answer in enumerate(answers):
        withdrawn = position > 0 and withdraws(_before(envelope, answers[position - 1], answer)) is True
        _hear(answer, asked, case, withdrawn=withdrawn, own=own)
    if answers and not (token is not None and answers[0].structured):  # what carries no token amends nothing
        amend(envelope, answers, asked, words, case)
    mind_summaries(found.summaries, case)
    check_reasons(case, words, envelope.text)
    verdicts, chosen, notes = _decide(case, asked)
    for index in (at for at, verdict in enumerate(otherwise) if verdict not in {None, verdicts[at]} and verdicts[at]):
        verdicts[index] = None
        torn = issue(IssueCode.TRUNCATED, "it would be another verdict if the reply were whole", index)
        notes[index] = (*notes.get(index, ()), torn)
    known = sum(verdict is not None for verdict in verdicts)
    cut = _was_cut(envelope, case, end, complete=known == len(asked))
    status = _status(
        envelope, known, len(asked), cut=cut, end=end, refusal=refusal, answered=bool(answers) and _said(case)
    )
    issues = _issues(envelope, case, status, asked, known, cut=cut, refusal=refusal, answered=bool(found.answers))
    form = next(
        (
            row.format
            for row in (chosen.get(index) for index, verdict in enumerate(verdicts) if verdict is not None)
            if row
        ),
        None,
    )

    def build() -> list[StatementVerdict]:
        every = enumerate(zip(asked.ids, asked.texts, verdicts, strict=True))
        return [_built(at, *one, chosen.get(at), notes.get(at, ()), envelope.text, contexts) for at, one in every]

    return VerdictReading(
        status,
        verdicts,
        (build,),
        asked.texts,
        format=form,
        issues=(*issues, *(note for index in sorted(notes) for note in notes[index])),
        repairs=tuple(case.repairs),
        extra=tuple(row.reading for row in case.strangers if isinstance(row.reading, Verdict)),
    )


def _built(
    index: int,
    identity: str,
    statement: str,
    verdict: Verdict | None,
    row: Row | None,
    notes: tuple[Issue, ...],
    raw: str,
    contexts: Sequence[str] | None,
) -> StatementVerdict:
    if row is None:
        return statement_verdict(index, identity, statement, verdict, issues=notes)
    span, repairs = row.span, row.repairs
    if row.source is not None:
        span = span or row.source.locate(row.path)
        repairs = repairs or row.source.touched(span)
    reason = row.reason
    if reason is None and row.reason_span is not None:
        reason = clean(raw[slice(*row.reason_span)])
    return statement_verdict(
        index,
        identity,
        statement,
        verdict,
        reason=reason,
        evidence=locate(row.quotes, contexts),
        probability=row.probability,
        issues=notes,
        format=row.format,
        span=span,
        repairs=repairs,
    )


# -- which answers are heard -----------------------------------------------------------


def _carriers(
    answers: list[Answer],
    found: Found,
    case: Case,
    asked: Statements,
    words: Vocabulary,
    token: str | None,
    contexts: Sequence[str] | None,
    text: str,
) -> list[Answer]:
    """The answers that carry the request token.

    All where none does and nothing the judge was given could be one. A token that stands elsewhere in the reply shows
    that the answer was not found.
    """
    if token is None:
        return answers
    carrying = [
        answer
        for answer in answers
        if (answer.table.token == token if answer.structured else token in found.prose.text)
    ]
    if carrying or not answers:
        return carrying
    case.issues.append(issue(IssueCode.TOKEN_MISSING, "no answer in the reply carries the request token"))
    wrong = token in text or any(answer.table.token not in {None, token} for answer in answers)
    if wrong or any(reads_as_answer(text, words) for text in (*asked.texts, *(contexts or ()))):
        return []
    return answers


def _before(envelope: Envelope, earlier: Answer, later: Answer) -> str:
    """What stands before an answer, behind the one before it: its own heading too ("Corrected verdicts:")."""
    between = _between(envelope, earlier, later)
    if later.table.format != "legacy-final":
        return between
    return f"{between}\n{envelope.text[later.start : later.end].partition(chr(10))[0][:_LONGEST_HEADING]}"


_LONGEST_HEADING: Final = 200


def _between(envelope: Envelope, earlier: Answer, later: Answer) -> str:
    start, end = earlier.end, later.start
    if start >= end:
        return ""
    first = max(0, bisect_right(envelope.prose, (start, start)) - 1)
    parts = []
    for low, high in envelope.prose[first:]:
        if low >= end:
            break
        parts.append(envelope.text[max(start, low) : min(end, high)])
    return "\n".join(parts)


def _hear(answer: Answer, asked: Statements, case: Case, *, withdrawn: bool, own: bool) -> None:
    """File the rows of an answer under the statements they are about."""
    table = answer.table
    alignment = _taken(table) if own else align(table, asked)
    for index, rows in alignment.rows.items():
        earlier = case.rows.get(index)
        if withdrawn and earlier:
            if {row.reading for row in earlier} != {row.reading for row in rows}:
                case.overruled[index] = "the judge withdrew an earlier verdict"
            case.rows[index] = rows
        else:
            case.rows.setdefault(index, []).extend(rows)
    case.strangers += alignment.strangers
    case.issues += [issue(code, message) for code, message in alignment.issues]
    case.repairs += table.repairs
    document = next((row.source for row in table.rows if row.source is not None), None)
    if table.cut:
        dangling = document is None or document.dangling or table.gap is not None
        case.cut = case.cut or dangling
        case.open_end = case.open_end or not dangling


def _taken(table: Table) -> Alignment:
    """Statements that come from the reply: every row is about its own."""
    alignment = Alignment()
    for index, row in enumerate(table.rows):
        if not row.echo:
            row.reading = IssueCode.BLANK_STATEMENT
        alignment.add(index, row)
    return alignment


# -- the decision -----------------------------------------------------------


def _decide(case: Case, asked: Statements) -> tuple[list[Verdict | None], dict[int, Row], dict[int, tuple[Issue, ...]]]:
    found: list[Verdict | None] = []
    chosen: dict[int, Row] = {}
    notes: dict[int, tuple[Issue, ...]] = {}
    for index in range(len(asked)):
        rows = case.rows.get(index, [])
        verdict, about = _verdict(rows, index)
        if index in case.doubted and verdict is not None:
            verdict, about = None, [issue(IssueCode.CONFLICTING_VERDICTS, case.doubted[index], index)]
        if index in case.overruled:
            about.append(issue(IssueCode.CONFLICTING_VERDICTS, case.overruled[index], index))
        if rows:
            row = next((row for row in rows if row.reading is verdict), rows[0])
            chosen[index] = row
            about += [Issue(note.code, note.message, index) for note in row.issues]
        if about:
            notes[index] = tuple(about)
        found.append(verdict)
    return found, chosen, notes


def _verdict(rows: Sequence[Row], index: int) -> tuple[Verdict | None, list[Issue]]:
    """The one verdict that all rows about a statement give, and what is to be known about it."""
    if not rows:
        return None, [issue(IssueCode.MISSING_VERDICT, "the reply says nothing of this statement", index)]
    readings = [row.reading for row in rows]
    verdicts = {reading for reading in readings if isinstance(reading, Verdict)}
    if len(verdicts) > 1 or (verdicts and IssueCode.CONFLICTING_VERDICTS in readings):
        return None, [issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives different verdicts", index)]
    if verdicts and not (set(readings) - verdicts - {IssueCode.MISSING_VERDICT, IssueCode.TRUNCATED}):
        verdict = verdicts.pop()
        same = [row for row in rows if row.reading is verdict]
        repeated = len(same) > 1 and len({row.format for row in same}) < len(same)
        return verdict, [
            issue(IssueCode.DUPLICATE_VERDICT, f"the verdict is given {len(same)} times", index)
        ] if repeated else []
    if verdicts:
        return None, [issue(IssueCode.CONFLICTING_VERDICTS, "the reply gives a verdict and something else", index)]
    code = next(
        (reading for reading in readings if reading is not IssueCode.MISSING_VERDICT), IssueCode.MISSING_VERDICT
    )
    value = next((row.value for row in rows if row.reading is code), None)
    return None, [issue(IssueCode(code), why(IssueCode(code), value), index)]


# -- the reply as a whole -----------------------------------------------------------


def _said(case: Case) -> bool:
    return bool(case.rows or case.strangers)


def _was_cut(envelope: Envelope, case: Case, end: str | None, *, complete: bool) -> bool:
    if case.cut or envelope.unfinished:
        return True
    dangling = any(document.dangling for document in envelope.documents)
    return dangling or (end in {CUT, BLOCKED} and (not complete or case.open_end))


def _status(
    envelope: Envelope, known: int, count: int, *, cut: bool, end: str | None, refusal: str | None, answered: bool
) -> ParseStatus:
    if count and known == count:
        return ParseStatus.OK
    if known:
        return ParseStatus.PARTIAL
    if not count:
        return ParseStatus.EMPTY
    blank = envelope.says_nothing
    if refusal or end == REFUSED or (end == BLOCKED and not answered):
        return ParseStatus.REFUSAL
    if blank:
        return ParseStatus.TRUNCATED if envelope.unfinished else ParseStatus.EMPTY
    if not answered and refuses(envelope.visible):
        return ParseStatus.REFUSAL
    return ParseStatus.TRUNCATED if cut else ParseStatus.UNPARSEABLE


def _issues(
    envelope: Envelope,
    case: Case,
    status: ParseStatus,
    asked: Statements,
    known: int,
    *,
    cut: bool,
    refusal: str | None,
    answered: bool,
) -> list[Issue]:
    issues = list(dict.fromkeys(case.issues))
    if case.repairs:
        kinds = ", ".join(sorted({repair.code for repair in case.repairs})[:8])
        issues.append(issue(IssueCode.REPAIRED_JSON, f"the reply had to be mended: {kinds}"))
    if cut:
        issues.append(issue(IssueCode.TRUNCATED, "the reply was cut off"))
    elif case.open_end:
        issues.append(issue(IssueCode.UNCERTAIN_END, "the answer is complete, but its closing brackets are missing"))
    if status is ParseStatus.REFUSAL:
        issues.append(issue(IssueCode.REFUSAL, refusal or "the judge refused"))
    elif status is ParseStatus.EMPTY and len(asked):
        issues.append(issue(IssueCode.EMPTY_REPLY, "the reply holds no answer"))
    if (
        known < len(asked)
        and not any(note.code is IssueCode.COUNT_MISMATCH for note in issues)
        and not answered
        and not envelope.says_nothing
    ):
        issues.append(issue(IssueCode.COUNT_MISMATCH, f"{known} verdicts for {len(asked)} statements"))
    return issues
