"""The system under test: it says what the case says that it said."""

from typing import Any


def call_api(prompt: str, options: dict[str, Any], context: dict[str, Any]) -> dict[str, Any]:
    """Answer a prompt."""
    del prompt, options
    return {"output": context["vars"]["said"]}
