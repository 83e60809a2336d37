"""A tiny entailment model in a folder: what tests of an NLI judge need instead of weights.

`data/tiny_nli` holds it, trained once on sentences of an orchard (`WORDS`): it knows which share of a statement's words
the premise holds, whether only one of them denies, and whether the statement has another colour, day or number. It is
right on sentences like those and on nothing else. What models differ in beside their weights is changed in a copy.
"""

import json
import shutil
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

_DATA = Path(__file__).parent / "data" / "tiny_nli"
_SHORT = {"input_ids": "ids", "attention_mask": "mask", "token_type_ids": "types"}

_VOCABULARY = json.loads((_DATA / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
WORDS = tuple(_VOCABULARY)[4:89]
"""The words and marks of an orchard, behind the special tokens; the rest are those of the judge's own probes."""


def write_tiny_nli(
    folder,
    *,
    labels=("entailment", "neutral", "contradiction"),
    file="model.onnx",
    length=None,
    rows=None,
    max_tokens=128,
    inputs=("input_ids", "attention_mask", "token_type_ids"),
    softmax=False,
):
    """Write the model's folder.

    Args:
        folder: Where to; made if it is not there.
        labels: The names of the outputs in their order: entailment, neutral and contradiction, or entailment and one
            for all else, in any spelling that the judge reads.
        file: The model's path in the folder.
        length: A fixed number of tokens for every pair; None for any number.
        rows: A fixed number of pairs for every batch; None for any number.
        max_tokens: What config.json gives as the most tokens of a pair.
        inputs: The inputs of the graph, in their order. Without token_type_ids it finds the statement behind the first
            separator; without attention_mask it knows padding by its id.
        softmax: Whether the graph ends in a softmax, as some exports do.
    """
    folder = Path(folder)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    shape = "-".join(short for name, short in _SHORT.items() if name in inputs)
    model = onnx.load(str(_DATA / f"{len(labels)}-{shape}.onnx"))
    graph = model.graph
    given = sorted(graph.input, key=lambda value: list(inputs).index(value.name))
    del graph.input[:]
    graph.input.extend(given)
    for value in (*graph.input, *graph.output):
        for size, dimension in zip((rows, length), value.type.tensor_type.shape.dim, strict=False):
            if size is not None and dimension.dim_param:
                dimension.dim_value = size
    order = _order(labels)
    last = graph.node[-1]
    last.output[0] = "raw_logits"
    graph.initializer.append(numpy_helper.from_array(np.array(order, np.int64), "order"))
    graph.node.append(helper.make_node("Gather", ["raw_logits", "order"], ["ordered"], axis=1))
    graph.node.append(helper.make_node("Softmax" if softmax else "Identity", ["ordered"], ["logits"]))
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, str(folder / file))
    shutil.copy(_DATA / "tokenizer.json", folder)
    settings = {"pad_token": "[PAD]", "unk_token": "[UNK]", "model_max_length": max_tokens}
    names = {str(index): name for index, name in enumerate(labels)}
    config = {"id2label": names, "max_position_embeddings": max_tokens, "pad_token_id": 0}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), "utf-8")
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


@contextmanager
def edited(folder):
    """The graph of a folder's model, to be changed."""
    path = str(folder / "model.onnx")
    model = onnx.load(path)
    yield model.graph
    onnx.save(model, path)


def _order(labels):
    """Which of the stored outputs (entailment first) stands at each place."""
    if len(labels) == 2:
        return [0, 1] if labels[0].lower().startswith("e") else [1, 0]
    return ["enc".index(label[0].lower()) for label in labels]
