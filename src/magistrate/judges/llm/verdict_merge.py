"""Collects the verdicts of several calls, and says why a statement has none."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from magistrate.completion.tokens import FLOOR
from magistrate.judges._replies import VerdictsReply, placed, status_of, unjudged, usage_of
from magistrate.judges.llm._windows import Window, leaves, merge_windows, moved, texts_of
from magistrate.judges.llm.call_status import STATUS_OF, Unread, reply_in
from magistrate.parsing import VerdictReading, parse_verdicts
from magistrate.records import CallRecord, Completion
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Status, Verdict

_FIRST_NAMED = (
    Status.REFUSED,
    Status.CONTEXT_TRUNCATED,
    Status.JUDGE_ERROR,
    Status.TRUNCATED,
    Status.OUT_OF_RANGE,
    Status.UNPARSEABLE,
)
"""Of several reasons why there is no verdict at all, the one that a status names."""


class VerdictCollector:
    """Collects the verdicts that replies give on statements, one call after another.

    A statement's verdict stands only if every reply that gave one for it on the same contexts gave the same. Where the
    contexts were judged in windows, the verdicts of the windows are merged.

    Attributes:
        issues: The issues of the replies as wholes, so far.
        extra: The verdicts on nothing that was asked about, so far.
    """

    def __init__(
        self, statements: Sequence[str], contexts: Sequence[str], scale: Scale, question: str | None = None
    ) -> None:
        self.statements = tuple(statements)
        self.contexts = tuple(contexts)
        self.scale = scale
        self.question = question or ""
        self._given: dict[tuple[Window, int], list[StatementVerdict]] = {}
        self._notes: dict[tuple[Window, int], tuple[Issue, ...]] = {}
        self._why: dict[tuple[Window, int], Status] = {}
        self._windows: dict[int, dict[Window, None]] = {}
        self.issues: list[Issue] = []
        self.extra: list[Verdict] = []
        self._calls: list[CallRecord] = []

    def add(self, call: CallRecord) -> CallRecord:
        """Read one call of purpose "verify"; return it with the status of its reading."""
        indices = tuple(index for index in call.statements if index < len(self.statements))
        places = [(call.window, index) for index in indices]
        for index in indices:
            self._windows.setdefault(index, {})[call.window] = None
        texts = [self.statements[index] for index in indices]
        contexts = texts_of(self.contexts, call.window)
        done = reply_in(call, [*contexts, *texts], floor=0 if call.window else FLOOR)
        if isinstance(done, Unread):
            call, issue = done
            for place in places:
                self._notes[place] = (replace(issue, index=place[1]),)
                self._why[place] = STATUS_OF[call.status]
            if call.completion is not None or issue.code is IssueCode.REFUSAL:
                self.issues.append(issue)  # another attempt may give verdicts; that one was refused is still said
        else:
            call = replace(call, status=self._read(done, call, places, contexts))
        self._calls.append(call)
        return call

    def _read(
        self,
        completion: Completion,
        call: CallRecord,
        places: Sequence[tuple[Window, int]],
        contexts: Sequence[str],
    ) -> str:
        reading = self._parse(completion, call, places, contexts)
        if len(places) > 1 and len(set(places)) == 1 and not any(verdict.verdict for verdict in reading.verdicts):
            places = places[:1]  # asked about twice; it may have been answered once
            reading = self._parse(completion, call, places, contexts)
        self.issues += [issue for issue in reading.issues if issue.index is None]
        self.extra += reading.extra
        status = reading.status.value
        for place, verdict in zip(places, reading.verdicts, strict=True):
            sure = token_confidence(completion, verdict, self.scale)
            here = placed(verdict, place[1], statement=self.statements[place[1]], confidence=sure)
            if here.verdict is not None:
                self._given.setdefault(place, []).append(moved(here, call.window))
            else:
                self._notes[place] = here.issues
                self._why[place] = STATUS_OF.get(status, Status.UNPARSEABLE)
        return status

    def _parse(
        self,
        completion: Completion,
        call: CallRecord,
        places: Sequence[tuple[Window, int]],
        contexts: Sequence[str],
    ) -> VerdictReading:
        return parse_verdicts(
            completion.text,
            [self.statements[index] for _, index in places],
            scale=self.scale,
            contexts=contexts,
            finish_reason=completion.finish_reason,
            refusal=completion.refusal,
            token=call.token,
            strict=True,
            given=(self.question,),
        )

    def missing(self, indices: Sequence[int], window: Window = ()) -> tuple[int, ...]:
        """Return which of these statements have no verdict on a window yet; one that replies disagree on is settled."""
        return tuple(index for index in indices if (window, index) not in self._given)

    def reply(self) -> VerdictsReply:
        """Return all that was collected."""
        parts = [self._parts(index) for index in range(len(self.statements))]
        verdicts = tuple(self._verdict(index, windows) for index, windows in enumerate(parts))
        calls = tuple(self._calls)
        issues = (*self.issues, *_split(parts), *(issue for verdict in verdicts for issue in verdict.issues))
        status = status_of(verdicts, self._without_verdicts(parts))
        return VerdictsReply(verdicts, status, unique(issues), tuple(self.extra), usage_of(calls), calls)

    def _parts(self, index: int) -> list[Window]:
        """The windows of the contexts that a statement was judged on."""
        return leaves(self._windows.get(index, {}), self.contexts) or [()]

    def _verdict(self, index: int, windows: Sequence[Window]) -> StatementVerdict:
        found = [self._in_window(index, window) for window in windows]
        return found[0] if len(found) == 1 else merge_windows(found, self.scale)

    def _in_window(self, index: int, window: Window) -> StatementVerdict:
        given = self._given.get((window, index), [])
        if given and all(other.verdict is given[0].verdict for other in given):
            return given[0]
        text, notes = self.statements[index], self._notes.get((window, index))
        if given:
            return unjudged(index, text, IssueCode.CONFLICTING_VERDICTS, "replies to the same question disagree")
        if not text.strip():
            return unjudged(index, text, IssueCode.BLANK_STATEMENT, "the statement is blank")
        blank = unjudged(index, text, IssueCode.MISSING_VERDICT, "it was not judged")
        return blank.model_copy(update={"issues": notes}) if notes else blank

    def _without_verdicts(self, parts: Sequence[Sequence[Window]]) -> Status:
        if not any(text.strip() for text in self.statements):
            return Status.VACUOUS
        if not any(text.strip() for text in self.contexts):
            return Status.NO_CONTEXT
        reasons = {self._why.get((window, index)) for index, windows in enumerate(parts) for window in windows}
        return next((status for status in _FIRST_NAMED if status in reasons), Status.UNPARSEABLE)


def _split(parts: Sequence[Sequence[Window]]) -> tuple[Issue, ...]:
    most = max(map(len, parts), default=1)
    if most == 1:
        return ()
    return (Issue(IssueCode.CONTEXT_SPLIT, f"the contexts did not fit the model at once: judged in {most} parts"),)


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
    place = _place(completion.text, verdict.span, verdict.verdict, scale)
    if place is None:
        return None
    start, end = place
    return math.exp(math.fsum(value for first, last, value in completion.logprobs if first < end and last > start))


def _place(text: str, span: tuple[int, int], verdict: Verdict, scale: Scale) -> tuple[int, int] | None:
    """Where the verdict itself stands in its row: behind its key, else its last word; nothing where none is found."""
    row = text[span[0] : span[1]]
    keyed = list(_KEYED.finditer(row))
    if keyed:
        return span[0] + keyed[-1].start(1), span[0] + keyed[-1].end(1)
    words = [*_PLAIN[verdict], *(word for word, meant in scale.words.items() if meant is verdict)]
    spelled = "|".join(re.escape(word).replace(r"\ ", "[ _-]") for word in sorted(words, key=len, reverse=True))
    found = list(re.finditer(rf"(?<![\w-])(?:{spelled})(?![\w-])", row, re.IGNORECASE))
    return (span[0] + found[-1].start(), span[0] + found[-1].end()) if found else None
