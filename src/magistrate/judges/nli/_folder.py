"""The folder of a model: which files it holds, what its configuration says, and which of its outputs is entailment."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from magistrate.errors import ConfigurationError

Meaning = Literal["entailment", "neutral", "contradiction", "not entailment"]

_WORDS: Final[dict[Meaning, str]] = {
    "entailment": "entailment entail entails entailed entailing support supports supported supporting consistent",
    "neutral": "neutral neutrality notenoughinfo notenoughinformation nei unknown",
    "contradiction": "contradiction contradict contradicts contradicted contradictory contradicting refute refutes "
    "refuted",
    "not entailment": "notentailment nonentailment noentailment notentailed notsupported unsupported inconsistent "
    "hallucination hallucinated",
}
_MEANINGS: Final[dict[str, Meaning]] = {word: meaning for meaning, words in _WORDS.items() for word in words.split()}
_HOW: Final = (
    'name them in the order of the model\'s outputs, as in {"id2label": {"0": "contradiction", "1": "entailment", '
    '"2": "neutral"}} or {"0": "entailment", "1": "not_entailment"}'
)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The files of a sequence-pair classifier, and what config.json and tokenizer_config.json say; {} where missing."""

    path: Path
    model: Path
    tokenizer: Path
    config_path: Path
    config: Mapping[str, Any]
    tokenizer_config: Mapping[str, Any]


def read_folder(path: str | os.PathLike[str]) -> ModelFolder:
    given = Path(path).expanduser()
    if given.is_file() and given.suffix == ".onnx":
        folder, model = given.parent, given
        if folder.absolute().name == "onnx" and not (folder / "tokenizer.json").is_file():
            folder = folder.absolute().parent
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


@dataclass(frozen=True, slots=True)
class Labels:
    names: tuple[str, ...]
    entailment: int
    contradiction: int | None = None
    neutral: int | None = None


def read_labels(config: Mapping[str, Any], where: str) -> Labels:
    """Read the labels from `id2label`, or from `label2id` where that is all there is."""
    fields = {
        name: _in_order(config[name], f"{where}: {name}")
        for name in ("id2label", "label2id")
        if config.get(name) is not None
    }
    if not fields:
        raise ConfigurationError(f"{where} has no id2label, so the order of the labels cannot be told: {_HOW}")
    # A label2id left over from pre-training ("LABEL_0") says nothing, so it disagrees with nothing.
    for pair in zip(*fields.values(), strict=False):
        if len({*map(_meaning, pair)} - {None}) > 1:
            told = ", ".join(f"{name} says {list(names)}" for name, names in fields.items())
            raise ConfigurationError(f"{where}: {told}; {_HOW}")
    name, names = next(iter(fields.items()))
    return name_labels(names, f"{where}: {name}")


def name_labels(names: Sequence[str], where: str = "labels") -> Labels:
    meanings = [_meaning(name) for name in names]
    three = sorted(map(str, meanings)) == ["contradiction", "entailment", "neutral"]
    two = len(names) == 2 and None not in meanings and meanings.count("entailment") == 1  # noqa: PLR2004 - two labels
    if not three and not two:
        raise ConfigurationError(
            f"{where} says {list(names)}, which does not tell entailment from the rest (three labels: entailment, "
            f"neutral, contradiction; two: entailment and the other); {_HOW}"
        )
    return Labels(
        tuple(names),
        meanings.index("entailment"),
        meanings.index("contradiction") if three else None,
        meanings.index("neutral") if three else None,
    )


def _meaning(name: str) -> Meaning | None:
    return _MEANINGS.get(re.sub(r"[^a-z]+", "", name.casefold()))


def _in_order(field: Any, where: str) -> tuple[str, ...]:
    """The names that a field numbers, or numbers by name, in their order."""
    inverse = where.endswith("label2id")
    field = dict(enumerate(field)) if isinstance(field, list) and not inverse else field
    pairs: Any = field.items() if isinstance(field, Mapping) else [(0, None)]
    names: dict[str, Any] = {str(key): name for key, name in ([(b, a) for a, b in pairs] if inverse else pairs)}
    if not all(isinstance(name, str) for name in names.values()):
        raise ConfigurationError(f"{where} maps no numbers to names; {_HOW}")
    numbers = [str(number) for number in range(len(names))]
    if not names or set(names) != set(numbers):
        raise ConfigurationError(f"{where} does not number the labels from 0: it has {', '.join(names) or 'none'}")
    return tuple(names[number] for number in numbers)
