"""Tokens of windows and statements, and the pairs a model is given. The only importer of tokenizers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tokenizers import Encoding, Tokenizer

from magistrate.errors import ConfigurationError
from magistrate.judges.nli.folder import ModelFolder

__all__ = ["Pair", "PairTokenizer", "Text"]

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
# model_max_length is about 1e30 where a tokenizer does not know the model's.
_LONGEST_KNOWN: Final = 1_000_000
# Without a word on it, what nearly every encoder of this kind reads; the model is tried at that length before use.
_USUAL_LENGTH: Final = 512
# These count positions from behind the padding id, so that two of "514 positions" are no room for tokens.
_OFFSET_POSITIONS: Final = frozenset(
    {"roberta", "xlm-roberta", "xlm-roberta-xl", "roberta-prelayernorm", "camembert", "mpnet", "data2vec-text"}
)


class Text(NamedTuple):
    """A text in tokens, without the special ones around it.

    Attributes:
        encoding: The tokens.
        size: How many there are.
        unknown: How many of them are the vocabulary's token for what it does not know.
    """

    encoding: Encoding
    size: int
    unknown: int


class Pair(NamedTuple):
    """A premise and a statement as the model takes them: token ids, and to which of the two each belongs."""

    ids: list[int]
    types: list[int]


class PairTokenizer:
    """Turns texts into the pairs of a model.

    Truncation and padding that tokenizer.json asks for are switched off: a text would be cut in silence. Special tokens
    written out in a text ("[SEP]") are text: none of them can end the premise early.

    Attributes:
        special: How many special tokens stand around the two texts of a pair.
        length: Most tokens of a pair that the model says it reads, the special ones included.
        pad_id: The id that stands where no token is; None where the folder does not say.
        pad_left: Whether padding goes before the tokens.
    """

    def __init__(self, folder: ModelFolder) -> None:
        try:
            self._tokenizer = Tokenizer.from_file(str(folder.tokenizer))
        except Exception as error:  # noqa: BLE001 - tokenizers raises plain Exception, whatever is wrong
            raise ConfigurationError(f"{folder.tokenizer} is no tokenizer that can be read: {error}") from None
        padding = self._tokenizer.padding
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True
        self.special = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        if self.special < 1:
            raise ConfigurationError(
                f"{folder.tokenizer}: post_processor puts nothing between the two texts of a pair, so that the model "
                "cannot tell the statement from its premise; save the tokenizer that the model was trained with"
            )
        self.pad_id = self._pad_id(folder, padding)
        self.pad_left = folder.tokenizer_config.get("padding_side") == "left"
        self.length = _length(folder.config, folder.tokenizer_config)
        self._unknown = self._unknown_id(folder.tokenizer_config)
        added = self._tokenizer.get_added_tokens_decoder()
        self._specials = {number for number, token in added.items() if token.special} - {self._unknown}

    def read(self, text: str) -> Text:
        """The tokens of a text. Any text: lone surrogates, which are no characters, are read as U+FFFD."""
        text = _SURROGATES.sub("\ufffd", text)
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        while not self._specials.isdisjoint(encoding.ids):
            # A vocabulary of pieces may hold "[SEP]" as a piece, whatever the tokenizer is told about special tokens.
            blanked = self._blanked(text, encoding)
            if blanked == text:
                break
            text = blanked
            encoding = self._tokenizer.encode(text, add_special_tokens=False)
        ids = encoding.ids
        return Text(encoding, len(ids), 0 if self._unknown is None else ids.count(self._unknown))

    def count(self, text: str) -> int:
        """How many tokens a text has."""
        return self.read(text).size

    def pair(self, premise: Text, statement: Text) -> Pair:
        """The premise and the statement as the model takes them."""
        joined = self._tokenizer.post_process(premise.encoding, statement.encoding, add_special_tokens=True)
        return Pair(joined.ids, joined.type_ids)

    def _blanked(self, text: str, encoding: Encoding) -> str:
        characters = list(text)
        for number, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            if number in self._specials:
                characters[start:end] = " " * (end - start)
        return "".join(characters)

    def _unknown_id(self, config: Mapping[str, Any]) -> int | None:
        token = _content(config.get("unk_token")) or getattr(self._tokenizer.model, "unk_token", None)
        return self._tokenizer.token_to_id(token) if isinstance(token, str) else None

    def _pad_id(self, folder: ModelFolder, padding: Mapping[str, Any] | None) -> int | None:
        number = folder.config.get("pad_token_id")
        if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
            return number
        token = _content(folder.tokenizer_config.get("pad_token"))
        number = self._tokenizer.token_to_id(token) if token else None
        if number is None and padding is not None:
            number = padding["pad_id"]
        return number


def _content(token: Any) -> str | None:
    """The text of a token in tokenizer_config.json: a string, or an object that holds it."""
    if isinstance(token, Mapping):
        token = token.get("content")
    return token if isinstance(token, str) else None


def _length(config: Mapping[str, Any], tokenizer_config: Mapping[str, Any]) -> int:
    lengths = []
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and positions > 0:
        pad = config.get("pad_token_id")
        offset = (pad if isinstance(pad, int) else 1) + 1 if config.get("model_type") in _OFFSET_POSITIONS else 0
        lengths.append(positions - offset)
    longest = tokenizer_config.get("model_max_length")
    if isinstance(longest, int | float) and 0 < longest < _LONGEST_KNOWN:
        lengths.append(int(longest))
    return min(lengths, default=_USUAL_LENGTH)
