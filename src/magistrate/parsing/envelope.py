"""What surrounds an answer: thinking, channel tokens, invented turns, fences; and where in the rest JSON stands.

Both are found in one walk from left to right, because each decides about the other: a tag inside a JSON string is text,
and JSON inside thinking is a draft.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from magistrate.parsing.asides import aside_end, in_scalar
from magistrate.parsing.decode.brackets import OPENER, follows_command, goes_on, is_blank, is_hollow, says, stands_alone
from magistrate.parsing.decode.documents import Document, Quiet, decode_at, decode_rest, decode_wrapped, is_wrapped
from magistrate.parsing.decode.python_literals import as_json, may_be_python
from magistrate.parsing.decode.repair import GivenUp, mend
from magistrate.parsing.item_wording import ITEM_HEAD
from magistrate.parsing.marks import MARK, TURN, closes, may_hold_marks, opens

__all__ = ["Envelope", "as_envelope", "open_envelope", "open_whole"]

_ANSWER: Final = re.compile(r"[ \t]*+(?:\d{1,3}\s?[.):]\s|[\[{]|`{3})")
_ROW: Final = re.compile(rf"[ \t]{{0,20}}(?:\||[-*\u2022>][ \t]|[*_`]{{0,3}}{ITEM_HEAD})", re.IGNORECASE)
_PLAIN_CHANNELS: Final = re.compile(r"\s*+(?:assistant)?analysis(?=\S)")
_PLAIN_FINAL: Final = "assistantfinal"
_STUB: Final = re.compile(r"[\s*_`\"'(]{0,9}+[^\s\[\]{}<>|:,;]{0,40}+\s*+")
"""A word, or nothing."""
_FINAL_CHANNEL: Final = re.compile(r"<\|channel\|>\s{0,9}final\b")

MOST_FAILURES: Final = 200
"""Places that look like JSON and are not, after which the rest of a reply is not looked at: no answer has as many."""
CUT_SHORT: Final = 2
TOO_DEEP: Final = 60
"""What a container that is never closed counts for among them, and nesting deeper than any answer."""
RUNAWAY: Final = 120
"""What a container counts for that is given up only after much work: as many characters as follow here."""
MUCH: Final = 20_000
MOST_ASIDES: Final = 600
"""Brackets in sentences, such as citations, that are passed."""
MOST_MARKS: Final = 1_000
"""Tags and tokens of thinking that are followed."""
MOST_DOCUMENTS: Final = 2_000
FREE_DOCUMENTS: Final = 500
SHORTEST_DOCUMENT: Final = 100
"""Containers that are read: at most so many; that many in any reply, and one more for so many characters."""
MENDED_COST: Final = 3
"""What a document that had to be mended counts for among them."""
WORK: Final = 6
"""How often the length of the text may be looked at in vain."""


@dataclass(slots=True)
class Envelope:
    """The parts of a reply that may hold the answer.

    Args:
        text: The reply.
        documents: JSON containers in them, in order.
        prose: Where the rest stands: no thinking, no JSON, no later turns.
        thinking: Whether any thinking was left out.
        unfinished: Whether the thinking never ended.
        overrun: Whether nothing in the reply is safe to read, as it holds more fragments than are looked at.
    """

    text: str
    documents: list[Document] = field(default_factory=list)
    prose: list[tuple[int, int]] = field(default_factory=list)
    thinking: bool = False
    unfinished: bool = False
    overrun: bool = False

    @property
    def is_one_document(self) -> bool:
        """Whether the reply is one JSON container and nothing else."""
        return (
            len(self.documents) == 1
            and not self.thinking
            and all(is_blank(self.text[start:end]) for start, end in self.prose)
        )

    @property
    def visible(self) -> str:
        """The text without what was left out."""
        parts = sorted([*self.prose, *((document.start, document.end) for document in self.documents)])
        return "\n".join(self.text[start:end] for start, end in parts)

    @property
    def says_nothing(self) -> bool:
        """Whether there is no JSON, and no text but fences."""
        return not self.documents and not any(says(self.text[start:end]) for start, end in self.prose)

    def lead_from(self, at: int) -> int:
        """Where the wording begins that leads up to a place: after thinking and whatever else is left out."""
        step = bisect_right(self.prose, (at, len(self.text))) - 1
        return self.prose[step][0] if step >= 0 and self.prose[step][1] >= at else at


def open_envelope(text: str, known: Document | None = None) -> Envelope:
    """Tell what of a reply may hold the answer.

    Args:
        text: The reply.
        known: The container that opens with its first character, where that was decoded already.
    """
    rewritten = as_json(text)
    if rewritten is None:
        return _Walk(text, known).run()
    envelope = _Walk(rewritten).run()
    envelope.text = text
    for document in envelope.documents:
        if text[document.start : document.end] != rewritten[document.start : document.end]:
            document.notes = [("printed-objects", document.start), *document.notes]
    return envelope


def open_whole(text: str) -> Document | None:
    """The JSON of a reply that is one broken container from first character to last; None where it may not be."""
    if any(may_hold_marks(text)) or is_wrapped(text, 0) or not OPENER.match(text) or may_be_python(text):
        return None
    mended = mend(text, 0, len(text))
    if isinstance(mended, GivenUp) or not mended.value or not is_blank(text[mended.end :]):
        return None
    return Document(text, 0, mended.end, mended.value, mended.notes, mended.cut, mended.dangling)


def as_envelope(document: Document) -> Envelope | None:
    """The envelope of a reply that is one container; None where a closer look is needed at what that is."""
    value = document.value
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return None
    return Envelope(document.text, [document], [(document.end, len(document.text))])


class _Walk:
    def __init__(self, text: str, known: Document | None = None) -> None:
        self.text = text
        self.known = known
        self.envelope = Envelope(text)
        self.at = self.prose_from = len(text) - len(text.lstrip("\ufeff\u200b\u2060\x00"))
        self.failures = self.looked = 0
        self.closed_thinking = False
        self.marks, self.turns = may_hold_marks(text)
        self.next_mark: re.Match[str] | None = None
        self.next_turn: re.Match[str] | None = None
        self.last = len(text.rstrip())
        self.unwrapped = False
        self.passed = self.asides = self.kept = 0
        self.most_kept = min(MOST_DOCUMENTS, FREE_DOCUMENTS + len(text) // SHORTEST_DOCUMENT)
        self.source = Quiet(text)

    def run(self) -> Envelope:
        text, envelope = self.text, self.envelope
        if _PLAIN_CHANNELS.match(text):
            self._plain_channels()
        mark = self._mark(self.at)
        opener = OPENER.search(text, self.at)
        while mark is not None or opener is not None:
            if mark is not None and (opener is None or mark.start() <= opener.start()):
                stop = self._pass(mark)
                if stop is None:
                    return envelope
                self.at = stop
            elif opener is not None:
                self.at = self._document(opener.start(), mark)
                if envelope.overrun:
                    return envelope
            if mark is not None and mark.start() < self.at:
                mark = self._mark(self.at)
            if opener is not None and opener.start() < self.at:
                opener = OPENER.search(text, self.at)
        self._prose_until(len(text))
        return envelope

    def _mark(self, at: int) -> re.Match[str] | None:
        mark, turn = self.next_mark, self.next_turn
        if self.marks and (mark is None or mark.start() < at):
            mark = self.next_mark = MARK.search(self.text, at)
            self.marks = mark is not None
        if self.turns and (turn is None or turn.start() < at):
            turn = self.next_turn = TURN.search(self.text, at)
            self.turns = turn is not None
        if mark is None or turn is None:
            return turn if mark is None else mark
        return mark if mark.start() <= turn.start() else turn

    def _prose_until(self, end: int) -> None:
        if end > self.prose_from:
            self.envelope.prose.append((self.prose_from, end))

    def _drop_all(self, resume: int) -> None:
        """Everything so far was thinking."""
        self.envelope.documents.clear()
        self.envelope.prose.clear()
        self.envelope.thinking = True
        self.prose_from = resume

    def _plain_channels(self) -> None:
        """Channel tokens that were decoded to bare words: "analysis...assistantfinal..."."""
        final = self.text.rfind(_PLAIN_FINAL)
        follows = self.text[:40].lstrip()
        if final >= 0:
            self.at = final + len(_PLAIN_FINAL)
            self._drop_all(self.at)
        elif follows.startswith(("assistantanalysis", "analysis")) and follows.removeprefix("assistant")[8:9].isupper():
            self.at = len(self.text)
            self._drop_all(self.at)
            self.envelope.unfinished = True

    def _pass(self, mark: re.Match[str]) -> int | None:
        """Act on a mark; return where to go on, None where the answer ends here."""
        self.passed += 1
        if self.passed > MOST_MARKS:
            self.envelope.overrun = True
            return None
        if mark.re is TURN:
            return self._turn(mark, ends=False)
        if opens(mark):
            return self._thinking(mark)
        if closes(mark):
            return self._close(mark)
        if mark["channel"]:
            return self._channel(mark)
        if mark["begin"]:
            self._prose_until(mark.start())
            self.prose_from = mark.end()
            return mark.end()
        if mark["start"]:
            who = mark["who"].casefold()
            if who in {"user", "system", "human", "tool"} and self._said_something(mark.start()):
                self._prose_until(mark.start())
                return None
            self._prose_until(mark.start())
            self.prose_from = mark.end()
            return mark.end()
        return self._turn(mark, ends=bool(mark["end"]))

    def _turn(self, mark: re.Match[str], *, ends: bool) -> int | None:
        """The end of the judge's turn, or the beginning of another's: what follows is no answer if one came before."""
        if ends and _FINAL_CHANNEL.search(self.text, mark.end()):
            return mark.end()  # what came before the final channel is no answer, whatever its mark was
        if self._said_something(mark.start()):
            self._prose_until(mark.start())
            return None
        if ends:
            self.prose_from = mark.end()
        return mark.end()

    def _said_something(self, until: int) -> bool:
        if self.envelope.documents or not is_blank(self.text[self.prose_from : until]):
            return True
        return any(not is_blank(self.text[start:end]) for start, end in self.envelope.prose[-3:])

    def _thinking(self, mark: re.Match[str]) -> int | None:
        """Pass a thinking block: to the tag that closes it, or to the last one where the count never comes out."""
        self._prose_until(mark.start())
        self.envelope.thinking = True
        depth, at, last = 1, mark.end(), -1
        while True:
            found = MARK.search(self.text, at)
            if found is None:
                break
            at = found.end()
            self.passed += 1
            if self.passed > MOST_MARKS:
                self.envelope.overrun = True
                return None
            if opens(found):
                depth += 1
            elif closes(found):
                depth -= 1
                last = at
                if depth == 0:
                    break
        self.closed_thinking = last >= 0
        if last < 0 or (depth and _STUB.fullmatch(self.text, last)):  # the outer thought may have been cut there
            self.prose_from = len(self.text)
            self.envelope.unfinished = True
            return None
        self.prose_from = last
        return last

    def _close(self, mark: re.Match[str]) -> int | None:
        """A closing tag alone. In a quoted value, or a row that goes on after it, it is text, or nobody can tell."""
        line = self.text.rfind("\n", 0, mark.start()) + 1
        begun = any(_ROW.match(self.text, at, mark.start()) for at in (line, max(line, self.prose_from)))
        if in_scalar(self.text, line, mark):
            return mark.end()
        if not begun or not goes_on(self.text, mark.end()):
            return self._stray_close(mark)
        self.envelope.overrun = _ANSWER.match(self.text, mark.end()) is not None  # or it is a part of the row
        return None if self.envelope.overrun else mark.end()

    def _stray_close(self, mark: re.Match[str]) -> int:
        """A closing tag alone: the opening one was stripped, so all before it is thinking."""
        if self.closed_thinking and mark.end() >= self.last:
            self._prose_until(mark.start())
        else:
            self._drop_all(mark.end())
        self.closed_thinking = True
        self.prose_from = mark.end()
        return mark.end()

    def _channel(self, mark: re.Match[str]) -> int:
        """A channel token: the final channel is the answer, all others are thinking."""
        if mark["channel"].casefold() == "final":
            self._drop_all(mark.end())
            self.envelope.unfinished = False
            return mark.end()
        self._prose_until(mark.start())
        self.envelope.thinking = True
        following = self.text.find("<|channel|>", mark.end())
        stop = following if following >= 0 else len(self.text)
        self.envelope.unfinished = following < 0
        self.prose_from = stop
        return stop

    # -- JSON -----------------------------------------------------------

    def _document(self, start: int, mark: re.Match[str] | None) -> int:
        """Decode what opens here; return where to go on."""
        document, resume, cost = None, start + 1, 0
        if follows_command(self.text, start):
            return start + 1
        aside = aside_end(self.text, start)
        if aside is not None:
            if self.text[aside] != '"':  # what stands in quotes is the reason that its line gives
                self._prose_until(start)
                self.prose_from = aside
            return aside
        if not self.unwrapped and is_wrapped(self.text, start):
            self.unwrapped = True  # once is enough: a layer of escaping lies around the whole answer
            document = decode_wrapped(self.text, start, len(self.text))
        if document is None:
            document, self.known = self._at_once(start), None
            if document is not None:
                resume, cost = document.end, document.end - start
        if document is None:
            attempt = decode_at(self.source, start, len(self.text))
            document, resume, cost = attempt.document, attempt.resume, attempt.cost
        if (
            document is not None
            and mark is not None
            and mark.start() < document.end
            and (document.cut or not document.value)
        ):
            # What was read as one long broken string runs over the end of the thinking it stands in.
            attempt = decode_at(self.source, start, mark.start())
            document, resume, cost = attempt.document, attempt.resume, cost + attempt.cost
        self.looked += cost
        if document is None or (is_hollow(document) and document.end < self._last_said(mark)):
            if document is None and resume > start + 1:
                self.failures += RUNAWAY if cost > MUCH else TOO_DEEP
            else:
                self.failures += 1 + cost // 50
            if self.failures > MOST_FAILURES or self.looked > WORK * len(self.text) + 10_000:
                self.envelope.overrun = True
            return resume
        if document.cut:
            self.failures += CUT_SHORT
            self.envelope.overrun = self.failures > MOST_FAILURES
        if self._is_aside(document):
            self.asides += 1
            self.envelope.overrun = self.envelope.overrun or self.asides > MOST_ASIDES
            return document.end
        self._prose_until(start)
        self.envelope.documents.append(document)
        self.prose_from = document.end
        self.kept += MENDED_COST if document.notes else 1
        if self.kept > self.most_kept or self.looked > WORK * len(self.text) + 10_000:
            self.envelope.overrun = True
        return document.end

    def _at_once(self, start: int) -> Document | None:
        """The container that opens here, if it is known already or is all that is left of a long reply."""
        if self.known is not None and self.known.start == start:
            return self.known
        # Asked once only: it looks at all of the text.
        return decode_rest(self.text, start, self.last) if self.looked == 0 else None

    def _last_said(self, mark: re.Match[str] | None) -> int:
        """Where the reply ends, a mark at its end aside that says no more than that."""
        ends = mark is not None and mark.re is not TURN and mark["end"]
        return mark.start() if mark is not None and ends and mark.end() >= self.last else self.last

    def _is_aside(self, document: Document) -> bool:
        """Whether brackets are part of a sentence: citations [1, 2], marks [[5]], that do not stand on a line alone."""
        value = document.value
        if document.layer is not None:
            return False
        while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
            value = value[0]
        if not isinstance(value, list) or any(isinstance(item, dict | list) for item in value):
            return False
        words = any(isinstance(item, str) for item in value)
        if len(value) == 1 and not (is_blank(self.text[: document.start]) and is_blank(self.text[document.end :])):
            sentence = isinstance(value[0], str) and " " in value[0].strip()
            return not (sentence and stands_alone(self.text, document.start, document.end, words=True))
        return not stands_alone(self.text, document.start, document.end, words=words)
