"""What a model has to show before it judges: that it reads what it says it reads, and means what its labels say.

Published folders are wrong in ways that show in no error: labels in another order than the model's, an export with the
softmax left in, a maximum length the model does not have, results that depend on what else is in the batch. Each would
be a wrong score in silence, so each is tried once, on sentences whose answer is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from magistrate.errors import ConfigurationError, JudgeError
from magistrate.judges.nli._model import EntailmentModel, Probabilities
from magistrate.judges.nli._windows import pieces_of, windows


class _Probe(NamedTuple):
    """A sentence, its denial, and one about something else."""

    sentence: str
    denial: str
    other: str


PROBES: Final = (
    _Probe("The bakery is open on Sundays.", "The bakery is not open on Sundays.", "A violin has strings."),
    _Probe(
        "All of the windows were closed.", "None of the windows were closed.", "My sister works as a dentist in Oslo."
    ),
    _Probe(
        "She will sell the old car next week.",
        "She will never sell the old car.",
        "Potatoes grow on the northern slope.",
    ),
)
# How much more probable a label has to be where it is wrong than where it is right to call the labels mixed up.
_MARGIN: Final = 0.1
# How far the probabilities of a pair alone and in a batch may be apart. Rounding is below 1e-5; activations quantised
# over a whole batch differ by 1e-3 and more.
_SAME: Final = 1e-4
_SUM: Final = 1e-3


def try_out(model: EntailmentModel) -> None:
    """Run the model once at its full length: does it give logits, and do batches change its answers?"""
    statement = model.read(PROBES[0].sentence)
    text = " ".join(probe.sentence for probe in PROBES) + " "
    text *= model.length // 8
    spans = windows(text, pieces_of(text), model.count, tokens=model.room(statement))
    longest = max((text[start:end] for start, end in spans), key=len)
    premises = [model.read(text) for text in (longest, *(probe.denial for probe in PROBES), PROBES[0].other)]
    try:
        pairs = [model.pair(premise, statement) for premise in premises]
        alone = np.concatenate([model.classifier.outputs([pair]) for pair in pairs])
    except JudgeError as error:
        raise ConfigurationError(
            f"{error.message} (tried with up to {model.length} tokens, as {model.folder.config_path} says it reads; "
            "set max_position_embeddings to what it does read)"
        ) from None
    finite = alone[np.isfinite(alone).all(axis=1)]
    # Logits of several pairs that all happen to be positive and to add up to 1 are no logits.
    model.classifier.normalized = bool(
        len(finite) and (finite >= 0).all() and (abs(finite.sum(axis=1) - 1) < _SUM).all()
    )
    if model.batch_size > 1:
        size = min(model.batch_size, len(pairs))
        together = model.classifier.outputs(pairs[-size:])
        if not np.allclose(together, alone[-size:], rtol=0, atol=_SAME, equal_nan=True):
            model.batch_size = 1


def check_labels(model: EntailmentModel) -> None:
    """See whether the labels are in the model's order, on sentences that entail, deny, or have nothing to do with.

    A weak model passes; one passes whose answers say nothing on these (English) sentences. What does not pass is a
    model whose "entailment" is clearly higher for a denial or a stranger than for the sentence itself, or whose
    "contradiction" and "neutral" are clearly the other way round.
    """
    same, denied, other = (_mean(model, [(probe.sentence, probe[at]) for probe in PROBES]) for at in range(3))
    if same is None or denied is None or other is None:
        return
    labels = model.labels
    entailed = labels.entailment
    wrong = max(denied[entailed], other[entailed])
    if wrong > same[entailed] + _MARGIN:
        raise ConfigurationError(
            f"{_where(model)}: the output called {labels.names[entailed]!r} is {same[entailed]:.2f} for a sentence "
            f"that repeats its premise and {wrong:.2f} for one that does not follow from it: either the labels are not "
            "in the order of the model's outputs, or the model does not judge entailment (check_labels=False takes the "
            "configuration's word for it)"
        )
    if labels.contradiction is None or labels.neutral is None:
        return
    denial = denied[labels.neutral] - denied[labels.contradiction]
    stranger = other[labels.contradiction] - other[labels.neutral]
    if min(denial, stranger) > _MARGIN:
        raise ConfigurationError(
            f"{_where(model)}: the model calls a denial {labels.names[labels.neutral]!r} and a sentence about "
            f"something else {labels.names[labels.contradiction]!r}: these labels are not in the order of the model's "
            "outputs (check_labels=False takes the configuration's word for it)"
        )


def _where(model: EntailmentModel) -> str:
    return f"{model.folder.config_path}: id2label"


def _mean(model: EntailmentModel, texts: Sequence[tuple[str, str]]) -> Probabilities | None:
    """The mean probabilities over pairs of premise and statement; None where the model gives no numbers."""
    rows: list[Probabilities] = []
    for premise, statement in texts:
        window, read = model.read(premise), model.read(statement)
        row = model.weigh([window], read)[0] if window.size <= model.room(read) else None
        if row is None:
            return None
        rows.append(row)
    return tuple(fmean(column) for column in zip(*rows, strict=True))
