"""The state of mending: what is open, what was changed, and where in the text the walk stands."""

import re
from typing import Any, Final

from magistrate.parsing.decode import repair_patterns as shapes
from magistrate.parsing.decode.nodes import Arr, Gap, Obj
from magistrate.parsing.decode.repair_strings import Ending, closes_first, find_end, find_key_end, unescape

DEEPEST: Final = 64
"""Levels of nesting that are followed."""
FREE_REPAIRS: Final = 1_500
LEAST_PER_REPAIR: Final = 100
"""Repairs that are made: so many, and one more for so many characters."""
FREE_STEPS: Final = 4_000
LEAST_PER_STEP: Final = 80
"""Steps that are taken: so many, and one more for so many characters. A pattern takes most objects in one step."""
WORK: Final = 2
FREE_WORK: Final = 60_000
"""How many characters may be looked at ahead: so many times the length of the text, and so many more."""
VALUE, KEY, AFTER = 0, 1, 2
"""What the grammar allows next."""
Note = tuple[str, int]


class RunawayError(Exception):
    """More work than any answer takes: levels of nesting, repairs, or text looked at again and again."""


class State:
    """Where the walk stands."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.at = start  # the next character
        self.end = end  # where the text is to be taken for ended
        self.stack: list[Obj | Arr] = []  # the containers that are open, outermost first
        self.keys: list[str | None] = []  # for each the key whose value is read
        self.notes: list[Note] = []  # what was changed and where
        self.want = VALUE  # what the grammar allows next
        self.dangling = False  # whether the text ended in the middle of something
        self.cut = False  # whether it ended, or ceased to be JSON, before the container was closed
        self.value: Any = None  # what was read
        self.most_notes = FREE_REPAIRS + (end - start) // LEAST_PER_REPAIR
        self.most_steps = FREE_STEPS + (end - start) // LEAST_PER_STEP
        self.spent, self.most_spent = 0, WORK * (end - start) + FREE_WORK  # characters looked at beyond the one walk
        self.unsure = False  # whether there is a string of which it is not sure where it ends
        self.endings: dict[int, Ending | None] = {}  # of the strings that were looked at ahead, by where they open
        self.ahead = (-1, -1, False)  # from where to where marks were judged, and whether structure goes on behind them

    def char(self) -> str:
        """The character that stands here, full-width forms read as what they stand for; "" at the end."""
        char = self.text[self.at] if self.at < self.end else ""
        if char in shapes.STRUCTURE:
            self.note("wrong-punctuation" if char == ";" else "full-width", self.at)
            return shapes.STRUCTURE[char]
        return char

    def note(self, code: str, offset: int) -> None:
        """Write a change down."""
        if len(self.notes) >= self.most_notes:
            raise RunawayError
        self.notes.append((code, offset))

    def spend(self, characters: int) -> None:
        """Count characters that are looked at beyond the one walk; more than any answer takes end it."""
        self.spent += characters
        if self.spent > self.most_spent:
            raise RunawayError

    def skip(self) -> str:
        """Pass blanks and comments; return the character that follows, "" at the end."""
        while True:
            match = shapes.SPACE.match(self.text, self.at, self.end)
            self.at = match.end() if match else self.at
            if self.at >= self.end:
                return ""
            char = self.text[self.at]
            if char in "/#<" and self._comment():
                continue
            return self.char()

    def _comment(self) -> bool:
        """Pass the comment that opens here; False where none does."""
        for opening, closing in shapes.COMMENTS:
            if self.text.startswith(opening, self.at):
                stop = self.text.find(closing, self.at + len(opening), self.end)
                self.spend(((self.end if stop < 0 else stop) - self.at) // 4)
                if stop < 0 and closing != "\n":
                    continue
                self.note("comment", self.at)
                self.at = self.end if stop < 0 else stop + len(closing)
                return True
        return False

    def open(self, char: str) -> Obj | Arr | None:
        """Open the container whose bracket stands here; None where none does."""
        if char not in "{[" or not char:
            return None
        if len(self.stack) >= DEEPEST:
            raise RunawayError
        container: Obj | Arr = Obj(self.at) if char == "{" else Arr(self.at)
        self.stack.append(container)
        self.keys.append(None)
        self.at += 1
        self.want = KEY if char == "{" else VALUE
        return container

    def store(self, value: Any, start: int, stop: int) -> None:
        """File a value in the container that is open."""
        top = self.stack[-1]
        if isinstance(top, Obj):
            key = self.keys[-1]
            if key is None:
                return
            if key in top:
                top.twice.setdefault(key, [top[key]]).append(value)
            else:
                top[key] = value
                top.spans[key] = (start, stop)
        else:
            top.append(value)
            top.spans.append((start, stop))

    def close(self) -> None:
        """Close the innermost container, here."""
        container = self.stack.pop()
        self.keys.pop()
        container.span = (container.span[0], self.at)
        container.open = False
        self.want = AFTER
        if self.stack:
            self.store(container, *container.span)

    def close_all(self) -> None:
        """File what is still open in what it stands in: its complete parts count."""
        while len(self.stack) > 1:
            container = self.stack.pop()
            self.keys.pop()
            self.store(container, *container.span)
        self.stack.clear()

    def give_up(self) -> bool:
        """What follows is no JSON: the containers end here, unclosed."""
        self.dangling = self.want != AFTER
        return False

    def key(self) -> str | None:
        """Read the key that opens here; None where it has no end."""
        return self._content(find_key_end(self.text, self.at, self.end))

    def string(self, after: re.Pattern[str]) -> str | Gap | None:
        """Read the string that opens here; None where it has no end, a gap where what it says is unclear."""
        start = self.at
        if self.text.startswith('"""', start) and (stop := self.text.find('"""', start + 3, self.end)) >= 0:
            self.note("triple-quotes", start)
            self.at = stop + 3
            return self.text[start + 3 : stop]
        ending = find_end(self, start, after)
        content = self._content(ending)
        if content is None or ending is None or not ending.inner:
            return content
        if shapes.JOINED.search(content):
            raise RunawayError
        if closes_first(self.text, ending.inner[0]) and shapes.MEMBER_INSIDE.search(content):
            return Gap.MISSING  # what seems to be its end is followed by a member, and that by text
        if not ending.sure and any(content.count(opens) > content.count(closes) for opens, closes in ("{}", "[]")):
            raise RunawayError  # it quotes structure that it does not close
        self.unsure = self.unsure or not ending.sure
        return content

    def _content(self, ending: Ending | None) -> str | None:
        """What a string says that opens here and ends there."""
        opener = self.text[self.at]
        if opener == "'":
            self.note("single-quotes", self.at)
        elif opener not in '"\\':
            self.note("smart-quotes", self.at)
        if ending is None:
            self.at = self.end
            return None
        self.at = ending.at
        for mark in ending.inner:
            if mark < ending.last:
                self.note("unescaped-quote", mark)
        if ending.unclosed:
            self.note("missing-quote", ending.last)
        content = self.text[ending.first : ending.last]
        if "\\" in content:
            content, bad = unescape(content, ending.first)
            for offset in bad:
                self.note("invalid-escape", offset)
        if not content.isprintable():
            self.control(ending.first, ending.last)
        return content

    def control(self, first: int, last: int) -> None:
        """Note the first line break or tab that stands in a string unescaped."""
        places = [place for mark in "\n\t\r" if (place := self.text.find(mark, first, last)) >= 0]
        if places:
            self.note("control-character", min(places))
