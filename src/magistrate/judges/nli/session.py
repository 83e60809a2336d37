"""An ONNX sequence-pair classifier: pairs in, probabilities out. The only importer of onnxruntime."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as _state  # type: ignore[import-untyped]

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.judges.nli.tokens import Pair

__all__ = ["PairClassifier"]

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
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_ROWS_AND_COLUMNS: Final = 2

Probabilities = tuple[float, ...]


class PairClassifier:
    """A model that gives each label of a pair a probability.

    It runs on one CPU thread a call, so that a pair gets the same numbers on every call; calls may run side by side.

    Attributes:
        length: The number of tokens every pair has to be padded to; None where the model takes any.
        rows: The number of pairs every batch has to have; None where the model takes any.
        normalized: Whether the model gives probabilities itself, instead of logits.
    """

    def __init__(self, model: Path, labels: int, *, pad_id: int | None, pad_left: bool = False) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.use_deterministic_compute = True
        try:
            self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        except _ERRORS as error:
            raise ConfigurationError(f"{model} cannot be loaded: {_first_line(error)}") from None
        self._model = model
        self._labels = labels
        self._pad_id = pad_id
        self._pad_left = pad_left
        self._inputs = {node.name: node for node in self._session.get_inputs()}
        self._check_inputs()
        self.rows, self.length = self._shape()
        self._output = self._find_output()
        self.normalized = False
        if self.length is not None and pad_id is None:
            raise ConfigurationError(
                f"{model} takes {self.length} tokens and no fewer, and nothing says what to pad with: "
                "set pad_token_id in config.json"
            )

    @property
    def pads_safely(self) -> bool:
        """Whether pairs of different lengths can share a batch: the model is told which tokens are padding."""
        return self.length is not None or ("attention_mask" in self._inputs and self._pad_id is not None)

    def probabilities(self, pairs: Sequence[Pair]) -> list[Probabilities | None]:
        """Run the model on one batch.

        Args:
            pairs: At least one; at most `rows`, where the model has a fixed number.

        Returns:
            For each pair the probability of each label, in the order of the outputs: the softmax of the logits in
            64-bit floating point. None where the model gave a number that is none (NaN or infinite).

        Raises:
            JudgeError: If the model cannot be run on them.
        """
        rows = self.outputs(pairs)
        return [self._row(row) for row in rows]

    def outputs(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """The numbers of the model itself, a row a pair.

        Raises:
            JudgeError: If the model cannot be run on them, or answers with another number of rows or labels.
        """
        try:
            (outputs,) = self._session.run([self._output], self._feed(pairs))
        except _ERRORS as error:
            raise JudgeError(f"the model {self._model} failed: {_first_line(error)}") from None
        given = np.asarray(outputs, dtype=np.float64)
        wanted = (self.rows or len(pairs), self._labels)
        if given.shape != wanted:
            raise JudgeError(f"the model {self._model} gave an output of shape {given.shape}, not {wanted}")
        return given[: len(pairs)]

    def _row(self, row: NDArray[np.float64]) -> Probabilities | None:
        if not np.isfinite(row).all():
            return None
        weights = row.clip(min=0.0) if self.normalized else np.exp(row - row.max())
        total = math.fsum(weights)
        return tuple(float(weight) / total for weight in weights) if total > 0 else None

    def _feed(self, pairs: Sequence[Pair]) -> dict[str, NDArray[Any]]:
        width = self.length or max(len(pair.ids) for pair in pairs)
        # A fixed number of rows is filled up with copies of the last pair; their results are dropped.
        rows = [*pairs, *[pairs[-1]] * ((self.rows or len(pairs)) - len(pairs))]
        columns = {
            "input_ids": (self._pad_id or 0, [pair.ids for pair in rows]),
            "attention_mask": (0, [[1] * len(pair.ids) for pair in rows]),
            "token_type_ids": (0, [pair.types for pair in rows]),
        }
        return {
            name: self._padded(values, width, pad, _TYPES[node.type])
            for name, node in self._inputs.items()
            for pad, values in (columns[name],)
        }

    def _padded(self, rows: Sequence[Sequence[int]], width: int, pad: int, dtype: type) -> NDArray[Any]:
        array: NDArray[Any] = np.full((len(rows), width), pad, dtype=dtype)
        for target, row in zip(array, rows, strict=True):
            if self._pad_left:
                target[width - len(row) :] = row
            else:
                target[: len(row)] = row
        return array

    def _check_inputs(self) -> None:
        unknown = sorted(set(self._inputs) - _INPUTS)
        if unknown or "input_ids" not in self._inputs:
            raise ConfigurationError(
                f"{self._model} takes the inputs {', '.join(sorted(self._inputs))}; a sequence-pair classifier takes "
                "input_ids and, if it likes, attention_mask and token_type_ids"
            )
        for name, node in self._inputs.items():
            if node.type not in _TYPES or len(node.shape) != _ROWS_AND_COLUMNS:
                raise ConfigurationError(
                    f"{self._model}: input {name} is {node.type} of shape {node.shape}, not a number per row and token"
                )

    def _shape(self) -> tuple[int | None, int | None]:
        rows, columns = zip(*(node.shape for node in self._inputs.values()), strict=True)
        return _fixed(rows), _fixed(columns)

    def _find_output(self) -> str:
        nodes = self._session.get_outputs()
        named = [node for node in nodes if node.name == "logits"] or nodes
        if len(named) != 1:
            names = ", ".join(node.name for node in nodes)
            raise ConfigurationError(f"{self._model} has the outputs {names}, and none is called logits")
        (node,) = named
        if len(node.shape) != _ROWS_AND_COLUMNS or (isinstance(node.shape[1], int) and node.shape[1] != self._labels):
            raise ConfigurationError(
                f"{self._model}: output {node.name} has the shape {node.shape}, but the labels are {self._labels}: "
                "config.json and the model do not belong together, or it is no classifier"
            )
        return str(node.name)


def _fixed(sizes: Sequence[Any]) -> int | None:
    """The size that inputs are fixed at; None where they are not: a name, or nothing, stands for any size."""
    return next((size for size in sizes if isinstance(size, int) and size > 0), None)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
