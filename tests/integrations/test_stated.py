from __future__ import annotations

from typing import Any

import pytest

from magistrate.integrations._prompts import stated_limits


def schema(**node: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"score": node, "reason": {"type": "string"}}}


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("A number from 0.0 to 1.0. 0.5 means half.", 0, 1),
        ("Between 1 and 5; between 1 and 5 only.", 1, 5),
        ("from -1 to 1", -1, 1),
    ],
)
def test_a_range_in_words_is_a_range(words: str, low: float, high: float) -> None:
    words = words.replace("Between", "between")
    for kind in ("number", "integer"):
        assert stated_limits(schema(type=kind, description=words)) == {"score": {"minimum": low, "maximum": high}}


@pytest.mark.parametrize(
    "node",
    [
        {"type": "number"},
        {"type": "number", "description": "How good it is."},
        {"type": "number", "description": "from 0 to 1, or from 1 to 10"},
        {"type": "number", "description": "from 5 to 1"},
        {"type": "number", "description": "from 0 to 100% of them"},
        {"type": "number", "description": "from 0 to 1", "maximum": 2},
        {"type": "number", "description": "from 0 to 1", "enum": [0, 1, 7]},
        {"type": "string", "description": "from 0 to 1"},
        {"type": "number", "description": 7},
        "no schema",
    ],
)
def test_what_is_not_stated_clearly_is_no_range(node: Any) -> None:
    assert stated_limits({"properties": {"score": node}}) is None


def test_a_schema_without_properties_states_none() -> None:
    assert stated_limits({"type": "array"}) is None
