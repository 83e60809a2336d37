"""A tiny entailment model, trained and exported on the spot: what tests of an NLI judge need instead of weights.

    folder = write_tiny_nli(tmp_path)
    judge = NLIJudge(folder)

It knows the words of an orchard (`WORDS`), and three things about a premise and a statement: which share of the
statement's words the premise holds, whether only one of them denies, and whether the statement has another colour, day
or number where the premise has one. What these mean for entailment, neutral and contradiction is learned, by gradient
descent on sentences made from the same words; the exported graph computes all of it from token ids. It is right on
sentences like those and on nothing else.

Needs numpy, onnx and tokenizers.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from magistrate.errors import MissingExtraError
from magistrate.judges.nli.labels import name_labels

try:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    from magistrate.judges.nli.check import PROBES
    from magistrate.testing.tiny_graph import Network, Vocabulary, export
except ImportError as error:
    raise MissingExtraError(
        f'a tiny NLI model needs {error.name}, which is not installed: pip install "magistrate[nli]" onnx', extra="nli"
    ) from None

__all__ = ["WORDS", "write_tiny_nli"]


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_COLOURS: Final = _listed("red green yellow brown white")
_DAYS: Final = _listed("monday tuesday wednesday thursday friday")
_NUMBERS: Final = _listed("two three four five six seven eight nine")
_GROUPS: Final = (_COLOURS, _DAYS, _NUMBERS)
_DENIALS: Final = _listed("not never no none")
_GLUE: Final = _listed("the a an of on in at is are and to by for with as all , ; : ' ( ) - ? ! .")
_SUBJECTS: Final = _listed("gardener picker carter cooper miller widow lodger beekeeper")
_VERBS: Final = _listed("opens closes holds sells carries repairs paints counts stores")
_OBJECTS: Final = _listed("apples pears plums cherries barrels crates jars bottles tools hives nets ropes")
_PLACES: Final = _listed("barn market yard mill village river chapel station")

WORDS: Final = (*_COLOURS, *_DAYS, *_NUMBERS, *_DENIALS, *_GLUE, *_SUBJECTS, *_VERBS, *_OBJECTS, *_PLACES)
"""The words and marks of an orchard. The model also knows those of the sentences that every model is tried on first;
all others are one unknown word to it."""

_SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_HIDDEN: Final = 8
_PAIRS: Final = 900
_STEPS: Final = 1500
_RATE: Final = 1.0


def write_tiny_nli(
    folder: str | Path,
    *,
    labels: Sequence[str] = ("entailment", "neutral", "contradiction"),
    file: str = "model.onnx",
    length: int | None = None,
    rows: int | None = None,
    max_tokens: int = 128,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    softmax: bool = False,
) -> Path:
    """Train the model and write its folder.

    Args:
        folder: Where to; made if it is not there.
        labels: The names of the outputs in their order: entailment, neutral and contradiction, or entailment and one
            for all else, in any spelling that the judge reads.
        file: The model's path in the folder.
        length: A fixed number of tokens for every pair; None for any number.
        rows: A fixed number of pairs for every batch; None for any number.
        max_tokens: What config.json gives as the most tokens of a pair.
        inputs: The inputs of the graph. Without token_type_ids it finds the statement behind the first separator;
            without attention_mask it knows padding by its id.
        softmax: Whether the graph ends in a softmax, as some exports do.

    Returns:
        The folder.

    Raises:
        ConfigurationError: If the labels do not say which is entailment.
    """
    meaning = name_labels(labels)
    outputs = ["neutral"] * len(labels)
    outputs[meaning.entailment] = "entailment"
    if meaning.contradiction is not None:
        outputs[meaning.contradiction] = "contradiction"
    folder = Path(folder)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    network = _trained(tuple(outputs))
    export(folder / file, network, _vocabulary(), length=length, rows=rows, inputs=inputs, softmax=softmax)
    _tokenizer().save(str(folder / "tokenizer.json"))
    _write(
        folder / "tokenizer_config.json",
        {"pad_token": "[PAD]", "unk_token": "[UNK]", "model_max_length": max_tokens},
    )
    _write(
        folder / "config.json",
        {
            "id2label": {str(index): name for index, name in enumerate(labels)},
            "max_position_embeddings": max_tokens,
            "pad_token_id": 0,
        },
    )
    return folder


def _write(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


@lru_cache
def _words() -> tuple[str, ...]:
    splitter = pre_tokenizers.Whitespace()
    tried = (word for probe in PROBES for text in probe for word, _ in splitter.pre_tokenize_str(text.lower()))
    return tuple(dict.fromkeys([*_SPECIAL, *WORDS, *tried]))


@lru_cache
def _tokenizer() -> Tokenizer:
    words = _words()
    tokenizer = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token=_SPECIAL[1]))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", words.index("[CLS]")), ("[SEP]", words.index("[SEP]"))],
    )
    tokenizer.add_special_tokens(list(_SPECIAL))
    return tokenizer


@lru_cache
def _vocabulary() -> Vocabulary:
    words = _words()
    empty = {*_SPECIAL, *_GLUE, *_DENIALS}
    group = {word: number for number, members in enumerate(_GROUPS, 1) for word in members}
    return Vocabulary(
        content=tuple(float(word not in empty) for word in words),
        denial=tuple(float(word in _DENIALS) for word in words),
        group=tuple(float(group.get(word, 0)) for word in words),
        pad=words.index("[PAD]"),
        end=words.index("[SEP]"),
    )


class _Fact(NamedTuple):
    """What a sentence of the training set says."""

    subject: str
    verb: str
    kind: str
    things: str
    place: str = ""
    day: str = ""
    denied: bool = False

    def __str__(self) -> str:
        words = ["the", self.subject, *(["never"] if self.denied else []), self.verb, self.kind, self.things]
        words += ["at", "the", self.place] if self.place else []
        words += ["on", self.day] if self.day else []
        return " ".join(words) + " ."


def _fact(rng: random.Random) -> _Fact:
    return _Fact(
        rng.choice(_SUBJECTS),
        rng.choice(_VERBS),
        rng.choice([*_COLOURS, *_NUMBERS]),
        rng.choice(_OBJECTS),
        rng.choice([*_PLACES, ""]),
        rng.choice([*_DAYS, ""]),
    )


def _other(rng: random.Random, fact: _Fact) -> _Fact:
    """A fact that cannot hold beside another: denied, or with another colour, number or day."""
    what = rng.choice(["denied", "kind", *(["day"] if fact.day else [])])
    if what == "denied":
        return fact._replace(denied=not fact.denied)
    if what == "day":
        return fact._replace(day=rng.choice([day for day in _DAYS if day != fact.day]))
    group = _COLOURS if fact.kind in _COLOURS else _NUMBERS
    return fact._replace(kind=rng.choice([kind for kind in group if kind != fact.kind]))


def _pairs(count: int) -> Iterator[tuple[str, str, str]]:
    """Premise, statement and what the one says of the other, in equal parts."""
    rng = random.Random(7)  # noqa: S311 - the same sentences every time
    for number in range(count):
        fact = _fact(rng)._replace(denied=rng.random() < 0.2)  # noqa: PLR2004
        label = ("entailment", "neutral", "contradiction")[number % 3]
        if label == "entailment":
            stated = fact._replace(place=rng.choice([fact.place, ""]), day=rng.choice([fact.day, ""]))
        elif label == "contradiction":
            stated = _other(rng, fact)
        else:
            stranger = _fact(rng)
            stated = stranger if rng.random() < 0.7 else fact._replace(things=stranger.things, place=stranger.place)  # noqa: PLR2004
            if {stated.things, stated.place} <= {fact.things, fact.place, ""}:
                stated = stated._replace(subject="widow", things="hives", place="chapel")
        around = [str(_fact(rng)) for _ in range(rng.choice([0, 0, 1]))]
        yield " ".join([*around, str(fact)]), str(stated), label


def _features(premise: Sequence[int], statement: Sequence[int], vocabulary: Vocabulary) -> tuple[float, float, float]:
    """What the graph computes: coverage, whether only one denies, whether there is another of a kind."""
    held = set(premise)
    weight = sum(vocabulary.content[word] for word in statement)
    covered = sum(vocabulary.content[word] for word in statement if word in held)
    denials = [max((vocabulary.denial[word] for word in text), default=0.0) for text in (premise, statement)]
    groups = {vocabulary.group[word] for word in premise} - {0.0}
    rival = any(vocabulary.group[word] in groups for word in statement if word not in held)
    return covered / max(weight, 1e-6), abs(denials[0] - denials[1]), float(rival)


@lru_cache
def _trained(outputs: tuple[str, ...]) -> Network:
    """One hidden layer and a softmax, trained by gradient descent on the cross entropy."""
    tokenizer, vocabulary = _tokenizer(), _vocabulary()

    def ids(text: str) -> list[int]:
        return tokenizer.encode(text, add_special_tokens=False).ids

    pairs = list(_pairs(_PAIRS))
    features = np.array([_features(ids(premise), ids(statement), vocabulary) for premise, statement, _ in pairs])
    targets = np.zeros((len(pairs), len(outputs)))
    for row, (_, _, label) in zip(targets, pairs, strict=True):
        row[outputs.index(label if label in outputs else "neutral")] = 1.0
    rng = np.random.default_rng(7)
    first = rng.normal(size=(features.shape[1], _HIDDEN))
    first_bias = np.zeros(_HIDDEN)
    second = rng.normal(size=(_HIDDEN, len(outputs))) * 0.1
    second_bias = np.zeros(len(outputs))
    for _ in range(_STEPS):
        hidden = np.tanh(features @ first + first_bias)
        error = (_softmax(hidden @ second + second_bias) - targets) / len(pairs)
        back = (error @ second.T) * (1.0 - hidden**2)
        second -= _RATE * hidden.T @ error
        second_bias -= _RATE * error.sum(axis=0)
        first -= _RATE * features.T @ back
        first_bias -= _RATE * back.sum(axis=0)
    return Network(first, first_bias, second, second_bias)


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
