"""An entailment model: a tokenizer, a classifier and the meaning of its labels, checked against each other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from magistrate.errors import ConfigurationError
from magistrate.judges.nli.folder import ModelFolder
from magistrate.judges.nli.labels import Labels, name_labels, read_labels
from magistrate.judges.nli.session import PairClassifier, Probabilities
from magistrate.judges.nli.tokens import Pair, PairTokenizer, Text

__all__ = ["EntailmentModel"]

LONGEST_PAIR: Final = 512
"""Most tokens of a pair, also where a model reads more: the time of a run grows with the square of the tokens."""

# A pair needs room for a few words of each text.
_SHORTEST_ROOM: Final = 8


class EntailmentModel:
    """What a folder holds, ready to use.

    Attributes:
        folder: Where it comes from.
        labels: What its outputs mean.
        length: Most tokens of a pair, the special ones included.
        batch_size: Most pairs of a run.
        classifier: The classifier.
    """

    def __init__(self, folder: ModelFolder, *, labels: Sequence[str] | None = None, batch_size: int = 1) -> None:
        self.folder = folder
        self.labels: Labels = (
            read_labels(folder.config, str(folder.config_path)) if labels is None else name_labels(labels)
        )
        self._tokenizer = PairTokenizer(folder)
        self.classifier = PairClassifier(
            folder.model, len(self.labels), pad_id=self._tokenizer.pad_id, pad_left=self._tokenizer.pad_left
        )
        self.length = min(self.classifier.length or self._tokenizer.length, LONGEST_PAIR)
        if self._room < _SHORTEST_ROOM:
            raise ConfigurationError(
                f"{folder.model} reads {self.length} tokens, {self._tokenizer.special} of them special: too few for a "
                "statement and a premise"
            )
        self.batch_size = min(batch_size, self.classifier.rows or batch_size) if self.classifier.pads_safely else 1

    @property
    def _room(self) -> int:
        return self.length - self._tokenizer.special

    @property
    def longest_statement(self) -> int:
        """Most tokens of a statement: half of what a pair has room for."""
        return self._room // 2

    def room(self, statement: Text) -> int:
        """How many tokens of a premise fit beside a statement."""
        return self._room - statement.size

    def read(self, text: str) -> Text:
        """The tokens of a text."""
        return self._tokenizer.read(text)

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return self._tokenizer.count(text)

    def pair(self, premise: Text, statement: Text) -> Pair:
        """A premise and a statement as the model takes them."""
        return self._tokenizer.pair(premise, statement)

    def weigh(self, premises: Sequence[Text], statement: Text) -> list[Probabilities | None]:
        """The probabilities of the labels for a statement beside each premise, in one run of the model.

        Args:
            premises: One to `batch_size` windows, each no longer than `room(statement)`.
            statement: The statement.

        Returns:
            As `PairClassifier.probabilities`.

        Raises:
            JudgeError: If the model cannot be run on them.
        """
        return self.classifier.probabilities([self.pair(premise, statement) for premise in premises])

    def fingerprint(self) -> str:
        """First 16 hex digits of SHA-256 over the model, its tokenizer and the names of its labels."""
        digest = hashlib.sha256("\0".join(self.labels.names).encode())
        for path in (self.folder.model, self.folder.tokenizer):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:16]
