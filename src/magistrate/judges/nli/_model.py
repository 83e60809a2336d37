"""An entailment model: a tokenizer, an ONNX classifier and the meaning of its labels, checked against each other.

The only importer of onnxruntime and tokenizers.
"""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as _state  # type: ignore[import-untyped]
from tokenizers import Encoding, Tokenizer

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.judges.nli._folder import Labels, ModelFolder, name_labels, read_labels

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
# model_max_length is about 1e30 where a tokenizer does not know the model's.
_LONGEST_KNOWN: Final = 1_000_000
# Without a word on it, what nearly every encoder of this kind reads; the model is tried at that length before use.
_USUAL_LENGTH: Final = 512
# These count positions from behind the padding id, so that two of "514 positions" are no room for tokens.
_OFFSET_POSITIONS: Final = frozenset(
    {"roberta", "xlm-roberta", "xlm-roberta-xl", "roberta-prelayernorm", "camembert", "mpnet", "data2vec-text"}
)
# onnxruntime's exceptions share no base of their own.
_ERRORS: Final = tuple(
    value for value in vars(_state).values() if isinstance(value, type) and issubclass(value, Exception)
)
_TYPES: Final = {
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(float)": np.float32,
    "tensor(bool)": np.bool_,
}
_ROWS_AND_COLUMNS: Final = 2

Probabilities = tuple[float, ...]
LONGEST_PAIR: Final = 512
"""Most tokens of a pair, also where a model reads more: the time of a run grows with the square of the tokens."""

# A pair needs room for a few words of each text.
_SHORTEST_ROOM: Final = 8


class Text(NamedTuple):
    """A text in tokens, without the special ones around it."""

    encoding: Encoding
    size: int
    unknown: int


class PairTokenizer:
    """Turns texts into the pairs of a model.

    Truncation and padding that tokenizer.json asks for are switched off: a text would be cut in silence. Special tokens
    written out in a text ("[SEP]") are text: none of them can end the premise early.
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
        number = folder.config.get("pad_token_id")
        if type(number) is not int or number < 0:
            token = _content(folder.tokenizer_config.get("pad_token"))
            number = self._tokenizer.token_to_id(token) if token else None
            number = padding["pad_id"] if number is None and padding is not None else number
        self.pad_id: int | None = number
        self.pad_left = folder.tokenizer_config.get("padding_side") == "left"
        self.length = _length(folder.config, folder.tokenizer_config)
        unknown = _content(folder.tokenizer_config.get("unk_token")) or getattr(
            self._tokenizer.model, "unk_token", None
        )
        self._unknown = self._tokenizer.token_to_id(unknown) if isinstance(unknown, str) else None
        added = self._tokenizer.get_added_tokens_decoder()
        self._specials = {number for number, token in added.items() if token.special} - {self._unknown}

    def read(self, text: str) -> Text:
        """The tokens of a text. Any text: lone surrogates, which are no characters, are read as U+FFFD."""
        text = _SURROGATES.sub("\ufffd", text)
        blanked, encoding = "", self._tokenizer.encode(text, add_special_tokens=False)
        while blanked != text and not self._specials.isdisjoint(encoding.ids):
            # A vocabulary of pieces may hold "[SEP]" as a piece, whatever the tokenizer is told about special tokens.
            characters = list(text)
            for number, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
                if number in self._specials:
                    characters[start:end] = " " * (end - start)
            blanked, text = text, "".join(characters)
            encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return Text(encoding, len(encoding.ids), 0 if self._unknown is None else encoding.ids.count(self._unknown))

    def count(self, text: str) -> int:
        return self.read(text).size

    def pair(self, premise: Text, statement: Text) -> Encoding:
        """A premise and a statement as the model takes them: token ids, and to which of the two each belongs."""
        return self._tokenizer.post_process(premise.encoding, statement.encoding, add_special_tokens=True)


def _content(token: Any) -> str | None:
    """The text of a token in tokenizer_config.json: a string, or an object that holds it."""
    token = token.get("content") if isinstance(token, Mapping) else token
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


class EntailmentModel(PairTokenizer):
    """Gives each label of a pair a probability, on one CPU thread a call: the same numbers on each."""

    def __init__(self, folder: ModelFolder, *, labels: Sequence[str] | None = None, batch_size: int = 1) -> None:
        super().__init__(folder)
        self.folder = folder
        self.labels: Labels = (
            read_labels(folder.config, str(folder.config_path)) if labels is None else name_labels(labels)
        )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.use_deterministic_compute = True
        try:
            self._session = onnxruntime.InferenceSession(str(folder.model), options, providers=["CPUExecutionProvider"])
        except _ERRORS as error:
            raise ConfigurationError(f"{folder.model} cannot be loaded: {_first_line(error)}") from None
        self._inputs = {node.name: node for node in self._session.get_inputs()}
        self._check_inputs()
        # A size is fixed where it is a number: a name, or nothing, stands for any.
        self._rows, self._width = (
            next((size for size in sizes if isinstance(size, int) and size > 0), None)
            for sizes in zip(*(node.shape for node in self._inputs.values()), strict=True)
        )
        self._output = self._find_output()
        self.normalized = False
        if self._width is not None and self.pad_id is None:
            raise ConfigurationError(
                f"{folder.model} takes {self._width} tokens and no fewer, and nothing says what to pad with: "
                "set pad_token_id in config.json"
            )
        self.length = min(self._width or self.length, LONGEST_PAIR)
        self._room = self.length - self.special
        if self._room < _SHORTEST_ROOM:
            raise ConfigurationError(
                f"{folder.model} reads {self.length} tokens, {self.special} of them special: too few for a "
                "statement and a premise"
            )
        # Pairs of different lengths share a batch only where the model is told which tokens are padding.
        pads = self._width is not None or ("attention_mask" in self._inputs and self.pad_id is not None)
        self.batch_size = min(batch_size, self._rows or batch_size) if pads else 1
        self.longest_statement = self._room // 2

    def room(self, statement: Text) -> int:
        """How many tokens of a premise fit beside a statement."""
        return self._room - statement.size

    def weigh(self, premises: Sequence[Text], statement: Text) -> list[Probabilities | None]:
        """The probabilities of the labels for a statement beside each premise, in one run of the model."""
        return [*map(self._row, self.outputs([self.pair(premise, statement) for premise in premises]))]

    def fingerprint(self) -> str:
        """First 16 hex digits of SHA-256 over the model, its tokenizer and the names of its labels."""
        digest = hashlib.sha256("\0".join(self.labels.names).encode())
        for path in (self.folder.model, self.folder.tokenizer):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:16]

    def outputs(self, pairs: Sequence[Encoding]) -> NDArray[np.float64]:
        """The numbers of the model itself, a row a pair."""
        width = self._width or max(len(pair.ids) for pair in pairs)
        # A fixed number of rows is filled up with copies of the last pair; their results are dropped.
        rows = [*pairs, *[pairs[-1]] * ((self._rows or len(pairs)) - len(pairs))]
        columns = {
            "input_ids": (self.pad_id or 0, [pair.ids for pair in rows]),
            "attention_mask": (0, [[1] * len(pair.ids) for pair in rows]),
            "token_type_ids": (0, [pair.type_ids for pair in rows]),
        }
        feed = {name: self._padded(*columns[name], width, _TYPES[node.type]) for name, node in self._inputs.items()}
        try:
            (outputs,) = self._session.run([self._output], feed)
        except _ERRORS as error:
            raise JudgeError(f"the model {self.folder.model} failed: {_first_line(error)}") from None
        given, wanted = np.asarray(outputs, dtype=np.float64), (len(rows), len(self.labels.names))
        if given.shape != wanted:
            raise JudgeError(f"the model {self.folder.model} gave an output of shape {given.shape}, not {wanted}")
        return given[: len(pairs)]

    def _row(self, row: NDArray[np.float64]) -> Probabilities | None:
        if not np.isfinite(row).all():
            return None
        weights = row.clip(min=0.0) if self.normalized else np.exp(row - row.max())
        total = math.fsum(weights)
        return tuple(float(weight) / total for weight in weights) if total > 0 else None

    def _padded(self, pad: int, rows: Sequence[Sequence[int]], width: int, dtype: type) -> NDArray[Any]:
        array: NDArray[Any] = np.full((len(rows), width), pad, dtype=dtype)
        for target, row in zip(array, rows, strict=True):
            target[slice(width - len(row), width) if self.pad_left else slice(len(row))] = row
        return array

    def _check_inputs(self) -> None:
        if not {"input_ids"} <= self._inputs.keys() <= {"input_ids", "attention_mask", "token_type_ids"}:
            raise ConfigurationError(
                f"{self.folder.model} takes the inputs {', '.join(sorted(self._inputs))}; a sequence-pair classifier "
                "takes input_ids and, if it likes, attention_mask and token_type_ids"
            )
        for name, node in self._inputs.items():
            if node.type not in _TYPES or len(node.shape) != _ROWS_AND_COLUMNS:
                raise ConfigurationError(
                    f"{self.folder.model}: input {name} is {node.type} of shape {node.shape}, not a number per row and "
                    "token"
                )

    def _find_output(self) -> str:
        nodes, labels = self._session.get_outputs(), len(self.labels.names)
        named = [node for node in nodes if node.name == "logits"] or nodes
        if len(named) != 1:
            names = ", ".join(node.name for node in nodes)
            raise ConfigurationError(f"{self.folder.model} has the outputs {names}, and none is called logits")
        (node,) = named
        if len(node.shape) != _ROWS_AND_COLUMNS or (isinstance(node.shape[1], int) and node.shape[1] != labels):
            raise ConfigurationError(
                f"{self.folder.model}: output {node.name} has the shape {node.shape}, but the labels are {labels}: "
                "config.json and the model do not belong together, or it is no classifier"
            )
        return str(node.name)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
