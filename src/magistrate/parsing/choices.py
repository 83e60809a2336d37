"""The labels that a judge may choose from, and the ways to write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from magistrate.parsing.decode.nodes import Span
from magistrate.parsing.vocabulary import MARKS, fold, opposed

__all__ = ["DECORATION", "NOUNS", "Choices", "Hit"]

DECORATION: Final = " \t\r\n*_`\"'“”()[]{}<>【】《》「」.,;:!?。：，"
NOUNS: Final = (
    "output|response|answer|assistant|option|model|candidate|summary|choice|system|text|reply|version|label|grade"
    "|essay|translation|completion|antwort|ausgabe|respuesta|réponse|risposta|resposta|ответ"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a label is given.

    Args:
        label: The label as declared; None where something else stands in its place.
        span: Where it stands.
        format: What it was read from.
    """

    label: str | None
    span: Span
    format: str


class Choices:
    """The declared labels and the ways to write them.

    Args:
        labels: The labels.

    Raises:
        ValueError: If there are none, a blank one, or two that differ in case and outer marks only.

    Attributes:
        pattern: Matches a label that stands by itself; its group "label" holds it.
        lone: Whether there are labels of one character.
        exact_case: Whether these are capitals or digits, whose case counts in running text.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        if isinstance(labels, str):
            raise ValueError("choices is a list of labels, not one text")  # noqa: TRY004 - the same mistake as an empty list
        self._marks = ""
        self._forms = {self._key(label): label for label in labels}
        if len(self._forms) != len(labels) or "" in self._forms:  # "A>B" and "A>>B" differ in their marks
            self._marks = "".join(
                sorted({char for label in labels for char in label} & set(DECORATION) - set(" \t\r\n"))
            )
            self._forms = {self._key(label): label for label in labels}
        if not self._forms or "" in self._forms or len(self._forms) != len(labels):
            raise ValueError("choices are one or more labels that differ in more than case and outer marks")
        words = sorted(
            {re.escape(part).replace(r"\ ", r"[\s_-]+") for label in labels for part in {label.strip(), fold(label)}},
            key=len,
            reverse=True,
        )
        single = [label.strip() for label in labels if len(label.strip()) == 1]
        self.lone = lone = bool(single)
        prefix = rf"(?:(?:{NOUNS})\s+)?" if lone else ""
        edge = rf"[\w{re.escape(self._marks)}]"
        self.pattern = (
            rf"(?:{prefix}[*_`\"'“(\[]{{0,3}}+(?<!{edge})(?P<label>{'|'.join(words)})(?!{edge})[*_`\"'”)\]]{{0,3}}+)"
        )
        self.exact_case = lone and all(label.isupper() or label.isdigit() for label in single)

    def read(self, text: str) -> str | None:
        """The label that a text is or begins with, standing alone; None where it is none."""
        whole = self.find(text) or self._with_article(text)
        if whole is not None:
            return whole
        match = re.match(
            rf"(?P<marks>[\s*_`\"'(\[<{_MARKS}\ufe0f]*){self.pattern}\s*(?P<next>[.,;:!\n()\]—–-]|$)",
            text,
            re.IGNORECASE,
        )
        if (
            match is None
            or any(opposed(mark, match["label"]) for mark in match["marks"])
            or (self.exact_case and not self.cased(match["label"]))
        ):
            return None
        rest = text[match.end("label") :]
        others = {self.find(part) for part in _PARTS.split(rest[:60])} - {None}
        return self.find(match["label"]) if others <= {self.find(match["label"])} else None

    def leads(self, text: str) -> str | None:
        """The label with which a text begins, standing alone; None where it begins otherwise."""
        match = re.match(rf"{self.pattern}\s*[.,;:!\n]", text, re.IGNORECASE)
        return None if match is None else self.find(match["label"])

    def find(self, word: str) -> str | None:
        """The label that a word is; None where it is none, or where it is only asked about: "PASS?"."""
        label = self._forms.get(self._key(word))
        return None if label is not None and _ASKED.search(word) and not _ASKED.search(label) else label

    def place(self, label: str) -> int:
        """Which of the labels one is, counted from 1."""
        return list(self._forms.values()).index(label) + 1

    def _with_article(self, text: str) -> str | None:
        """The label of a text like "a tie"; a label of one letter has no article."""
        match = _ARTICLED.fullmatch(text)
        label = None if match is None else self.find(match[1])
        return label if label is not None and len(label) > 1 else None

    def _key(self, text: str) -> str:
        """The form in which labels are compared: case, width and marks aside, but for those that tell labels apart."""
        folded = fold(text)
        if not self._marks:
            return " ".join(folded.translate(_BLANKED).split())
        return "".join(
            "".join(" " if char in DECORATION and char not in self._marks else char for char in folded).split()
        )

    def cased(self, word: str) -> bool:
        """Whether a word is written as the label it is: a small "a" in running text is an article."""
        return len(word) > 1 or word in self._forms.values() or not word.isalpha()


_MARKS: Final = "".join(re.escape(mark) for mark in sorted(MARKS))
_ARTICLED: Final = re.compile(r"\W*(?:an?|the)\s+(\S.*)", re.IGNORECASE)
_PARTS: Final = re.compile(r"->|=>|[.,;:/|→⇒]|\b(?:or|and|but|then|now)\b")
_ASKED: Final = re.compile(r"[?？؟][\s*_`\"'”’)\]]*\Z")
_BLANKED: Final = str.maketrans(dict.fromkeys(DECORATION, " "))
