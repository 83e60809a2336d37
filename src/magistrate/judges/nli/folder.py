"""The folder of a model: which files it holds, and what its configuration says."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from magistrate.errors import ConfigurationError

__all__ = ["ModelFolder", "read_folder"]


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The files of a sequence-pair classifier.

    Attributes:
        path: The folder.
        model: The ONNX file.
        tokenizer: tokenizer.json.
        config_path: config.json, whether it is there or not.
        config: What it says; empty where it is not there.
        tokenizer_config: What tokenizer_config.json says; empty where it is not there.
    """

    path: Path
    model: Path
    tokenizer: Path
    config_path: Path
    config: Mapping[str, Any]
    tokenizer_config: Mapping[str, Any]


def read_folder(path: str | os.PathLike[str]) -> ModelFolder:
    """Find the files of a model.

    Args:
        path: A folder with tokenizer.json, config.json and the model: model.onnx or onnx/model.onnx, or else the only
            file there that ends in .onnx (model_quantized.onnx, model_int8.onnx, ...). Or the ONNX file itself, where
            a folder holds several; the other files stand beside it or, if its folder is called "onnx", one up.

    Raises:
        ConfigurationError: If there is no such folder, a file is missing or unreadable, or several models are there and
            none is called model.onnx.
    """
    given = Path(path).expanduser()
    if given.is_file() and given.suffix == ".onnx":
        folder, model = _home(given), given
    elif given.is_dir():
        folder, model = given, _model(given)
    else:
        raise ConfigurationError(
            f"there is no folder {given}: an NLI judge reads a model from a local folder with model.onnx, "
            "tokenizer.json and config.json; nothing is downloaded"
        )
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise ConfigurationError(
            f"{tokenizer} is missing: save the model's fast tokenizer there "
            "(transformers: AutoTokenizer.from_pretrained(...).save_pretrained(FOLDER))"
        )
    return ModelFolder(
        path=folder,
        model=model,
        tokenizer=tokenizer,
        config_path=folder / "config.json",
        config=_read(folder / "config.json"),
        tokenizer_config=_read(folder / "tokenizer_config.json"),
    )


def _home(model: Path) -> Path:
    beside = model.parent
    above = beside.absolute().parent
    return above if beside.absolute().name == "onnx" and not (beside / "tokenizer.json").is_file() else beside


def _model(folder: Path) -> Path:
    places = (folder, folder / "onnx")
    for place in places:
        if (place / "model.onnx").is_file():
            return place / "model.onnx"
    found = [file for place in places if place.is_dir() for file in sorted(place.glob("*.onnx"))]
    if not found:
        raise ConfigurationError(
            f"{folder} holds no ONNX model: model.onnx or onnx/model.onnx is missing (export it, for example with "
            "optimum-cli export onnx --task text-classification)"
        )
    if len(found) > 1:
        names = ", ".join(str(file.relative_to(folder)) for file in found)
        raise ConfigurationError(f"{folder} holds several ONNX models ({names}): give the path of the one to use")
    return found[0]


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise ConfigurationError(f"{path} holds no JSON object")
    return value
