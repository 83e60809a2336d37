"""The parts of a reply that may hold the answer: data, decoded, and the text around it.

One walk from left to right. Thinking, channels, later turns are left out; what opens like JSON is decoded, mended if it
must be. What stands before a closing mark of thinking that was never opened, and an earlier final channel, are parts of
their own: nobody can tell whether they are drafts, so the last part is the answer only where they do not say otherwise.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from magistrate.parsing.decode import documents
from magistrate.parsing.decode.documents import Document
from magistrate.parsing.decode.escaping import WRAPPED
from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.decode.tags import others_words
from magistrate.parsing.reply.marks import MARK, TURN, closes, fences_in, may_hold_marks, opens
from magistrate.parsing.reply.masking import cover_echoes
from magistrate.parsing.wording.keys import Role, role_of

_PLAIN_CHANNELS: Final = re.compile(r"\s*+(?:assistant)?analysis(?=\S)")
_PLAIN_FINAL: Final = "assistantfinal"
_FINAL_CHANNEL: Final = re.compile(r"<\|channel\|>\s{0,9}final\b")
_OTHERS: Final = frozenset({"user", "system", "human", "tool"})
_FIELD: Final = re.compile(
    r"[\s*_`>#\u2022-]{0,40}(\w[\w ]{0,30})[*_`]{0,3}\s{0,3}[:\uff1a][\s*_]{0,5}(?:\"(?:[^\"\\]|\\.)*+|'[^']*+|\u201c)?"
)
_OUR_TURN: Final = re.compile(r"<\|(?:(?:start|im_start|start_header_id)\|>\s{0,9})?assistant\b", re.IGNORECASE)
_OTHERS_WORDS: Final = frozenset({Role.REASON, Role.QUOTE})
_SECTION: Final = re.compile(r"^\[\[ ## (\w{1,40}) ## \]\][ \t]*$", re.MULTILINE)
"""The head of a field in DSPy's replies."""
_GLANCE: Final = 2_000
MOST_FAILURES: Final = 200
MOST_MARKS: Final = 1_000
MOST_DOCUMENTS: Final = 800
MOST_ASIDES: Final = 600
WORK: Final = 6
"""How often, on average, a character may be looked at."""


@dataclass(slots=True)
class Part:
    """A part of a reply: its data in order, and where the rest stands that may hold the answer."""

    text: str  # the whole reply
    shown: str  # the reply with what it repeats of the statements covered
    documents: list[Document] = field(default_factory=list)  # the data
    quoted: list[Span] = field(default_factory=list)  # where data stands in other people's words: it is no answer
    prose: list[Span] = field(default_factory=list)  # where the text stands that is the judge's
    thinking: bool = False  # whether something was left out as thinking
    unfinished: bool = False  # whether thinking was opened and never closed
    overrun: bool = False  # whether there are more fragments than any answer has; then nothing is read

    @property
    def blank(self) -> bool:
        """Whether there is no data, and no text but fences."""
        return not self.documents and all(
            documents.is_blank(self.text[start:end].strip("`~ \t\r\n")) or _is_fence(self.text[start:end])
            for start, end in self.prose
        )

    @property
    def thinks_again(self) -> bool:
        """Whether the reply ends in thinking: what it would have answered is not there."""
        return self.unfinished and self.text.rstrip()[-1:] not in {">", "]", "\u25b7"}

    @property
    def visible(self) -> str:
        """The judge's text."""
        return "\n".join(self.text[start:end] for start, end in self.prose)

    @property
    def data(self) -> list[Span]:
        """Where data stands, that in other people's words too."""
        return [*((document.start, document.end) for document in self.documents), *self.quoted]


def _is_fence(text: str) -> bool:
    if not all("``" in line or "~~~" in line or documents.is_blank(line) for line in text.split("\n")):
        return False
    return next(fences_in(text, 0, len(text)), None) is not None


def parts_of(text: str, statements: Sequence[str] | None = None) -> list[Part]:
    """The parts of a reply; the last is its answer, unless an earlier one says otherwise.

    Args:
        text: The reply.
        statements: What it may repeat word for word: neither marks nor data are looked for there. None where data in
            reasons, quotations and tables may be the answer, too.
    """
    if "[[ ## " in text:
        text = _SECTION.sub(lambda m: (f"## {m[1]}:" if m[1] != "completed" else "").ljust(len(m[0])), text)
    return _Walk(text, cover_echoes(text, statements or ()), judged=statements is not None).run()


class _Walk:
    def __init__(self, text: str, shown: str, *, judged: bool) -> None:
        self.text = text
        self.shown = shown
        self.judged = judged
        self.elements: list[Span] | None = None
        self.part = Part(text, shown)
        self.earlier: list[Part] = []
        self.at = self.prose_from = len(text) - len(text.lstrip("\ufeff\u200b\u2060\x00"))
        self.failures = self.looked = self.passed = self.asides = 0
        self.marks, self.turns = may_hold_marks(shown)
        self.next_mark: re.Match[str] | None = None
        self.next_turn: re.Match[str] | None = None
        self.last = len(text.rstrip())
        self.unwrapped = False

    def run(self) -> list[Part]:
        self._plain_channels()
        mark, opener = self._mark(self.at), documents.OPENER.search(self.shown, self.at)
        while (mark is not None or opener is not None) and not self.part.overrun:
            if mark is not None and (opener is None or mark.start() <= opener.start()):
                stop = self._pass(mark)
                if stop is None:
                    return self._parts()
                self.at = stop
            elif opener is not None:
                self.at = self._document(opener.start(), mark)
            if mark is not None and mark.start() < self.at:
                mark = self._mark(self.at)
            if opener is not None and opener.start() < self.at:
                opener = documents.OPENER.search(self.shown, self.at)
        self._prose_until(len(self.text))
        return self._parts()

    def _parts(self) -> list[Part]:
        for part in (*self.earlier, self.part):
            if part.documents and any(mark in self.shown for mark in ("```", "~~~", "<!--")):
                coded = documents.in_no_answer(self.shown, part.prose, part.documents)
                part.documents = [one for one in part.documents if one.start not in coded]
        return [*self.earlier, self.part]

    def _plain_channels(self) -> None:
        """Channels whose marks were taken out: "analysis...assistantfinal..."."""
        if not _PLAIN_CHANNELS.match(self.text):
            return
        final = self.text.rfind(_PLAIN_FINAL)
        if final < 0:
            if self.text.lstrip().removeprefix("assistant")[8:9].isupper():
                self._leave_out(len(self.text))
                self.part.unfinished = True
            return
        first = self.text.find(_PLAIN_FINAL)
        if first < final:  # two answers: the first is a part of its own
            before = [one[:final].ljust(final) for one in (self.text, self.shown)]
            inner = _Walk(*before, judged=self.judged).run()
            self.earlier = [part for part in inner if part.documents or part.prose]
        self._leave_out(final + len(_PLAIN_FINAL))

    def _mark(self, at: int) -> re.Match[str] | None:
        if self.marks and (self.next_mark is None or self.next_mark.start() < at):
            self.next_mark = MARK.search(self.shown, at)
            self.marks = self.next_mark is not None
        if self.turns and (self.next_turn is None or self.next_turn.start() < at):
            self.next_turn = TURN.search(self.shown, at)
            self.turns = self.next_turn is not None
        both = [one for one in (self.next_mark, self.next_turn) if one is not None and one.start() >= at]
        return min(both, key=lambda one: one.start(), default=None)

    def _prose_until(self, end: int) -> None:
        if end > self.prose_from:
            self.part.prose.append((self.prose_from, end))

    def _leave_out(self, resume: int) -> None:
        """Begin the answer anew: what came before is thinking."""
        self.part.documents.clear()
        self.part.prose.clear()
        self.part.thinking = True
        self.at = self.prose_from = resume

    def _begin_part(self, end: int, resume: int) -> None:
        """Begin another part: what came before is said, too, if it says anything."""
        self._prose_until(end)
        if not self.part.blank:
            self.earlier.append(self.part)
            self.part = Part(self.text, self.shown)
        else:
            self.part.documents.clear()
            self.part.prose.clear()
        self.part.thinking, self.part.unfinished = True, False
        self.at = self.prose_from = resume

    def _pass(self, mark: re.Match[str]) -> int | None:
        """Act on a mark; return where to go on, None where the answer ends here."""
        self.passed += 1
        if self.passed > MOST_MARKS:
            self.part.overrun = True
            return None
        if mark.re is TURN:
            return self._turn(mark, ends=False)
        if opens(mark):
            return self._thinking(mark)
        if closes(mark):
            if mark.end() >= self.last and self.part.thinking:  # one too many, behind the answer
                self._prose_until(mark.start())
                self.prose_from = mark.end()
            elif not (self.judged and self._is_quoted(mark)):
                self._begin_part(mark.start(), mark.end())
            return mark.end()
        if mark["channel"]:
            if mark["channel"].casefold() == "final":
                self._begin_part(mark.start(), mark.end())
                return mark.end()
            self._prose_until(mark.start())
            following = self.text.find("<|channel|>", mark.end())
            self.part.thinking, self.part.unfinished = True, following < 0
            self.prose_from = following if following >= 0 else len(self.text)
            return self.prose_from
        if mark["turn"] or (mark["start"] and mark["who"].casefold() in _OTHERS):
            self._prose_until(mark.start())
            if self._says_something(mark.start()):
                return None
            ours = _OUR_TURN.search(self.shown, mark.end())
            self._leave_out(ours.start() if ours else len(self.text))
            return self.prose_from
        if mark["begin"] or mark["start"]:
            self._prose_until(mark.start())
            self.prose_from = mark.end()
            return mark.end()
        return self._turn(mark, ends=bool(mark["end"]))

    def _is_quoted(self, mark: re.Match[str]) -> bool:
        """Whether a mark stands within a row of a table, or a line that gives a reason."""
        before = self._line_before(mark.start())
        named = _FIELD.match(before)
        if named is not None and role_of(named[1]) in _OTHERS_WORDS:
            return documents.goes_on(self.shown, mark.end())
        return self._row_end(before, mark.end()) > 0

    def _row_end(self, before: str, at: int) -> int:
        """Where the row of a table ends that a place stands in; 0 where it stands in none."""
        if before.lstrip()[:1] != "|":
            return 0
        line = self.shown.find("\n", at)
        row = self.shown[at : line if line >= 0 else len(self.shown)].rstrip()
        return at + len(row) - 1 if row[-1:] == "|" else 0

    def _line_before(self, at: int) -> str:
        line = self.shown.rfind("\n", max(0, at - _GLANCE), at) + 1
        return self.shown[max(line, at - _GLANCE) : at]

    def _turn(self, mark: re.Match[str], *, ends: bool) -> int | None:
        """The end of the judge's turn: what follows is no answer if one came before."""
        if ends and _FINAL_CHANNEL.search(self.text, mark.end()):
            self._prose_until(mark.start())
            self.prose_from = mark.end()
            return mark.end()
        if self._says_something(mark.start()):
            self._prose_until(mark.start())
            return None
        if ends:
            self.prose_from = mark.end()
        return mark.end()

    def _says_something(self, until: int) -> bool:
        part = self.part
        return bool(part.documents or part.prose) or not documents.is_blank(self.text[self.prose_from : until])

    def _thinking(self, mark: re.Match[str]) -> int | None:
        self._prose_until(mark.start())
        self.part.thinking = True
        depth, at, last = 1, mark.end(), -1
        while depth:
            found = MARK.search(self.shown, at)
            self.passed += 1
            if found is None or self.passed > MOST_MARKS:
                break
            at = found.end()
            depth += opens(found) - closes(found)
            last = at if closes(found) else last
        if last < 0:
            self.prose_from = len(self.text)
            self.part.unfinished = True
            return None
        self.prose_from = last
        return last

    def _document(self, start: int, mark: re.Match[str] | None) -> int:
        """Decode what opens here; return where to go on."""
        text, document, resume, cost = self.text, None, start + 1, 0
        limit = self._ends_with(start) if self.judged else 0
        if limit:
            return self._quoted(start, limit)
        if not self.unwrapped and WRAPPED.match(text, start):
            self.unwrapped = True
            document = documents.decode_wrapped(text, start)
        if document is not None:
            resume, cost = document.end, document.end - start
        else:
            attempt = documents.decode_at(text, start, len(text))
            document, resume, cost = attempt.document, attempt.resume, attempt.cost
        if document is not None and mark is not None and mark.start() < document.end and document.cut:
            attempt = documents.decode_at(text, start, mark.start())
            document, resume, cost = attempt.document, attempt.resume, cost + attempt.cost
        self.looked += cost
        if document is None or (documents.is_hollow(document) and document.end < self.last):
            self.failures += 60 if document is None and resume > start + 1 else 1 + cost // 50
        else:
            self.failures += 2 * document.cut
            if self._is_aside(document):
                self.asides += 1
                # behind brackets that are part of a sentence; what was mended there may hold the true end
                resume = start + 1 if document.notes else document.end
            else:
                self._prose_until(start)
                self.part.documents.append(document)
                self.prose_from = resume = document.end
        self.part.overrun = (
            self.failures > MOST_FAILURES
            or self.looked > WORK * len(text) + 10_000
            or self.asides > MOST_ASIDES
            or len(self.part.documents) > min(MOST_DOCUMENTS, 500 + len(text) // 100)
        )
        return resume

    def _ends_with(self, start: int) -> int:
        """Where other people's words end that a bracket stands in: a reason, a quotation, a cell; 0 where in none."""
        if self.elements is None:
            self.elements = others_words(self.shown, strange=True) if "</" in self.shown else []
        at = bisect_right(self.elements, (start, len(self.text)))
        if at and start < self.elements[at - 1][1]:
            return self.elements[at - 1][1]
        before = self._line_before(start)
        named = _FIELD.fullmatch(before)
        if named is None or role_of(named[1]) not in _OTHERS_WORDS:
            return self._row_end(before, start)
        end = self.shown.find("\n", start)
        return len(self.text) if end < 0 else end

    def _quoted(self, start: int, limit: int) -> int:
        """Pass over what opens in other people's words; return where to go on."""
        attempt = documents.decode_at(self.text, start, limit)
        self.looked += attempt.cost
        self.failures += 1
        self.part.overrun = self.failures > MOST_FAILURES or self.looked > WORK * len(self.text) + 10_000
        end = min(attempt.resume, limit)
        if attempt.document is None:
            return max(end, start + 1)
        self._prose_until(start)
        self.part.quoted.append((start, end))
        self.prose_from = end
        return end

    def _is_aside(self, document: Document) -> bool:
        """Whether brackets are part of a sentence or a formula: citations [1, 2], marks [[5]], W = [(1 * 2) / 3]."""
        value = document.value
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list) and len(value[0]) == 1:
            return isinstance(value[0][0], str | int | float) and bool(
                document.notes or isinstance(value[0][0], int | float)
            )
        while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
            value = value[0]
        if document.layer or not isinstance(value, list) or any(isinstance(item, dict | list) for item in value):
            return False
        if len(value) == 1 and not (
            documents.is_blank(self.text[: document.start]) and documents.is_blank(self.text[document.end :])
        ):
            sentence = isinstance(value[0], str) and " " in value[0].strip()
            return not (sentence and documents.stands_alone(self.text, document.start, document.end, words=True))
        words = any(isinstance(item, str) for item in value)
        return not documents.stands_alone(self.text, document.start, document.end, words=words)
