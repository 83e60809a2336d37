"""What a model has to show before it judges: that it reads what it says it reads, and means what its labels say.

Published folders are wrong in ways that show in no error, and each would be a wrong score in silence.
"""

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Final

import numpy as np

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.judges.nli._folder import ModelFolder
from magistrate.judges.nli._model import EntailmentModel, Probabilities
from magistrate.judges.nli._windows import pieces_of, windows

_PROBES: Final = (
    ("The bakery is open on Sundays.", "All of the windows were closed.", "She will sell the old car next week."),
    ("The bakery is not open on Sundays.", "None of the windows were closed.", "She will never sell the old car."),
    ("A violin has strings.", "My sister works as a dentist in Oslo.", "Potatoes grow on the northern slope."),
)
"""Sentences, what denies each, and what is about something else."""
# How much more probable a label has to be where it is wrong than where it is right to call the labels mixed up.
_MARGIN: Final = 0.1
# How far the probabilities of a pair alone and in a batch may be apart. Rounding is below 1e-5; activations quantised
# over a whole batch differ by 1e-3 and more.
_SAME: Final = 1e-4
_SUM: Final = 1e-3


def tried(folder: ModelFolder, *, labels: Sequence[str] | None, batch_size: int, check: bool) -> EntailmentModel:
    model = EntailmentModel(folder, labels=labels, batch_size=batch_size)
    try_out(model)
    if check:
        check_labels(model)
    return model


def try_out(model: EntailmentModel) -> None:
    """Run the model once at its full length: does it give logits, and do batches change its answers?"""
    statement = model.read(_PROBES[0][0])
    text = f"{' '.join(_PROBES[0])} " * (model.length // 8)
    spans = windows(text, pieces_of(text), model.count, tokens=model.room(statement))
    longest = max((text[start:end] for start, end in spans), key=len)
    premises = [model.read(text) for text in (longest, *_PROBES[1], _PROBES[2][0])]
    try:
        pairs = [model.pair(premise, statement) for premise in premises]
        alone = np.concatenate([model.outputs([pair]) for pair in pairs])
    except JudgeError as error:
        raise ConfigurationError(
            f"{error.message} (tried with up to {model.length} tokens, as {model.folder.config_path} says it reads; "
            "set max_position_embeddings to what it does read)"
        ) from None
    finite = alone[np.isfinite(alone).all(axis=1)]
    # Logits of several pairs that all happen to be positive and to add up to 1 are no logits.
    model.normalized = bool(len(finite) and (finite >= 0).all() and (abs(finite.sum(axis=1) - 1) < _SUM).all())
    if model.batch_size > 1:
        size = min(model.batch_size, len(pairs))
        together = model.outputs(pairs[-size:])
        if not np.allclose(together, alone[-size:], rtol=0, atol=_SAME, equal_nan=True):
            model.batch_size = 1


def check_labels(model: EntailmentModel) -> None:
    """See whether the labels are in the model's order, on sentences that entail, deny, or have nothing to do with.

    A weak model passes; one passes whose answers say nothing on these (English) sentences. What does not pass is a
    model whose "entailment" is clearly higher for a denial or a stranger than for the sentence itself, or whose
    "contradiction" and "neutral" are clearly the other way round.
    """
    same, denied, other = (_mean(model, zip(_PROBES[0], texts, strict=True)) for texts in _PROBES)
    if same is None or denied is None or other is None:
        return
    labels, where = model.labels, f"{model.folder.config_path}: id2label"
    entailed = labels.entailment
    wrong = max(denied[entailed], other[entailed])
    if wrong > same[entailed] + _MARGIN:
        raise ConfigurationError(
            f"{where}: the output called {labels.names[entailed]!r} is {same[entailed]:.2f} for a sentence that "
            f"repeats its premise and {wrong:.2f} for one that does not follow from it: either the labels are not "
            "in the order of the model's outputs, or the model does not judge entailment (check_labels=False takes "
            "the configuration's word for it)"
        )
    if labels.contradiction is None or labels.neutral is None:
        return
    denial = denied[labels.neutral] - denied[labels.contradiction]
    stranger = other[labels.contradiction] - other[labels.neutral]
    if min(denial, stranger) > _MARGIN:
        raise ConfigurationError(
            f"{where}: the model calls a denial {labels.names[labels.neutral]!r} and a sentence about something "
            f"else {labels.names[labels.contradiction]!r}: these labels are not in the order of the model's outputs "
            "(check_labels=False takes the configuration's word for it)"
        )


def _mean(model: EntailmentModel, texts: Iterable[tuple[str, str]]) -> Probabilities | None:
    """The mean probabilities over pairs of premise and statement; None where the model gives no numbers."""
    rows: list[Probabilities] = []
    for premise, statement in texts:
        window, read = model.read(premise), model.read(statement)
        row = model.weigh([window], read)[0] if window.size <= model.room(read) else None
        if row is None:
            return None
        rows.append(row)
    return tuple(fmean(column) for column in zip(*rows, strict=True))
