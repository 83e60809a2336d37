"""Collects the verdicts of several calls, and says why a statement has none."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from magistrate.completion.tokens import FLOOR
from magistrate.judges._questions import Verify
from magistrate.judges._replies import ISSUE_OF_STATUS, VerdictsReply, placed, status_of, unjudged, usage_of
from magistrate.judges.llm._windows import Window, leaves, merge_windows, moved, texts_of
from magistrate.judges.llm.call_status import STATUS_OF_CALL, Unread, reply_in
from magistrate.parsing import VerdictReading, parse_verdicts
from magistrate.records import CallRecord, Completion
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Status, Verdict


@dataclass(slots=True)
class _Judged:
    """What replies gave for one statement on one window: verdicts, or why there is none."""

    given: list[StatementVerdict] = field(default_factory=list)
    notes: tuple[Issue, ...] = ()
    why: Status | None = None


def parsed(  # noqa: PLR0917 - what a reply is read with
    done: Completion,
    call: CallRecord,
    statements: Sequence[str] | None,
    contexts: Sequence[str],
    scale: Scale,
    given: tuple[str, ...],
) -> VerdictReading:
    """The verdicts of a reply of our own judge, which can be asked again."""
    ended = {"finish_reason": done.finish_reason, "refusal": done.refusal, "token": call.token}
    return parse_verdicts(done.text, statements, scale=scale, contexts=contexts, strict=True, given=given, **ended)


class VerdictCollector:
    """Collects the verdicts that replies give on statements, one call after another.

    A statement's verdict stands only if every reply that gave one for it on the same contexts gave the same. Where the
    contexts were judged in windows, the verdicts of the windows are merged.

    Attributes:
        issues: The issues of the replies as wholes, so far.
        extra: The verdicts on nothing that was asked about, so far.
    """

    def __init__(self, asked: Verify) -> None:
        self.asked = asked
        self._judged: list[dict[Window, _Judged]] = [{} for _ in asked.statements]
        self.issues: list[Issue] = []
        self.extra: list[Verdict] = []
        self._calls: list[CallRecord] = []

    def add(self, call: CallRecord) -> CallRecord:
        """Read one call of purpose "verify"; return it with the status of its reading."""
        indices = [index for index in call.statements if index < len(self.asked.statements)]
        found = [self._judged[index].setdefault(call.window, _Judged()) for index in indices]
        texts = [self.asked.statements[index] for index in indices]
        contexts = texts_of(self.asked.contexts, call.window)
        done = reply_in(call, [*contexts, *texts], floor=0 if call.window else FLOOR)
        if isinstance(done, Unread):
            call, issue = done
            for index, one in zip(indices, found, strict=True):
                one.notes, one.why = (replace(issue, index=index),), STATUS_OF_CALL[call.status]
            if call.completion is not None or issue.code is IssueCode.REFUSAL:
                self.issues.append(issue)  # another attempt may give verdicts; that one was refused is still said
        else:
            call = replace(call, status=self._read(done, call, indices, contexts))
        self._calls.append(call)
        return call

    def _read(self, completion: Completion, call: CallRecord, indices: Sequence[int], contexts: Sequence[str]) -> str:
        statements = [self.asked.statements[index] for index in indices]
        reading = parsed(completion, call, statements, contexts, self.asked.scale, (self.asked.question or "",))
        known = any(verdict.verdict for verdict in reading.verdicts)
        if not known and len(indices) > 1 and len(set(indices)) == 1:
            return self._read(completion, call, indices[:1], contexts)  # asked about twice, answered perhaps once
        self.issues += [issue for issue in reading.issues if issue.index is None]
        self.extra += reading.extra
        for index, verdict in zip(indices, reading.verdicts, strict=True):
            sure = token_confidence(completion, verdict, self.asked.scale)
            here = placed(verdict, index, statement=self.asked.statements[index], confidence=sure)
            one = self._judged[index][call.window]
            if here.verdict is not None:
                one.given.append(moved(here, call.window))
            else:
                one.notes, one.why = here.issues, STATUS_OF_CALL.get(reading.status.value, Status.UNPARSEABLE)
        return reading.status.value

    def missing(self, indices: Sequence[int], window: Window = ()) -> tuple[int, ...]:
        """Return which of these statements have no verdict on a window yet; one that replies disagree on is settled."""
        return tuple(index for index in indices if not self._judged[index].get(window, _Judged()).given)

    def reply(self) -> VerdictsReply:
        """Return all that was collected."""
        contexts, scale = self.asked.contexts, self.asked.scale
        parts = [[found[window] for window in leaves(found, contexts)] or [_Judged()] for found in self._judged]
        merged = [[self._verdict(index, one) for one in found] for index, found in enumerate(parts)]
        verdicts = tuple(one[0] if len(one) == 1 else merge_windows(one, scale) for one in merged)
        calls = tuple(self._calls)
        most, split = max(map(len, parts), default=1), list[Issue]()
        if most > 1:
            message = f"the contexts did not fit the model at once: judged in {most} parts"
            split = [Issue(IssueCode.CONTEXT_SPLIT, message)]
        issues = (*self.issues, *split, *(issue for verdict in verdicts for issue in verdict.issues))
        reasons = {one.why for found in parts for one in found}
        none = next((status for status in ISSUE_OF_STATUS if status in reasons), Status.UNPARSEABLE)
        none = none if any(text.strip() for text in contexts) else Status.NO_CONTEXT
        none = none if any(text.strip() for text in self.asked.statements) else Status.VACUOUS
        status = status_of(verdicts, none)
        return VerdictsReply(verdicts, status, unique(issues), tuple(self.extra), usage_of(calls), calls)

    def _verdict(self, index: int, one: _Judged) -> StatementVerdict:
        text = self.asked.statements[index]
        if one.given and all(other.verdict is one.given[0].verdict for other in one.given):
            return one.given[0]
        if one.given:
            return unjudged(index, text, IssueCode.CONFLICTING_VERDICTS, "replies to the same question disagree")
        if not text.strip():
            return unjudged(index, text, IssueCode.BLANK_STATEMENT, "the statement is blank")
        blank = unjudged(index, text, IssueCode.MISSING_VERDICT, "it was not judged")
        return blank.model_copy(update={"issues": one.notes}) if one.notes else blank


def unique(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """Leave out issues that are there already."""
    return tuple(dict.fromkeys(issues))


_KEYED: Final = re.compile(
    r"[\"'](?:verdict|label|answer|judge?ment|supported|status)[\"'][ \t]{0,9}:[ \t]{0,9}([\"']?[\w -]{1,40})",
    re.IGNORECASE,
)
_PLAIN: Final = {
    Verdict.SUPPORTED: ("supported", "yes", "true", "1"),
    Verdict.PARTIALLY_SUPPORTED: ("partially supported", "partial"),
    Verdict.CONTRADICTED: ("contradicted", "no", "false", "0"),
    Verdict.NOT_ENOUGH_INFO: ("not enough info", "no", "false", "0"),
    Verdict.UNSUPPORTED: ("unsupported", "not supported", "no", "false", "0"),
}


def token_confidence(completion: Completion, verdict: StatementVerdict, scale: Scale) -> float | None:
    """The probability of a verdict's tokens, in (0, 1]; None where it is not known or the place cannot be told."""
    if completion.logprobs is None or completion.text is None or verdict.verdict is None or verdict.span is None:
        return None
    first, row = verdict.span[0], completion.text[slice(*verdict.span)]
    # It stands behind its key, else it is the last word of its row that means it.
    if not (found := [one.span(1) for one in _KEYED.finditer(row)]):
        words = [*_PLAIN[verdict.verdict], *(word for word, meant in scale.words.items() if meant is verdict.verdict)]
        spelled = "|".join(re.escape(word).replace(r"\ ", "[ _-]") for word in sorted(words, key=len, reverse=True))
        found = [one.span() for one in re.finditer(rf"(?<![\w-])(?:{spelled})(?![\w-])", row, re.IGNORECASE)]
    if not found:
        return None
    start, end = first + found[-1][0], first + found[-1][1]
    return math.exp(math.fsum(value for at, to, value in completion.logprobs if at < end and to > start))
