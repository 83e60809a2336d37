"""What the tests of the room that calls models share."""

import pytest

from magistrate.records import CompletionRequest, Message, PromptRef


@pytest.fixture
def request_():
    """A small request with a schema."""
    schema = {
        "type": "object",
        "properties": {"answer": {"type": "string", "maxLength": 50}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    return CompletionRequest(
        model="openai/test",
        messages=(Message("system", "Answer."), Message("user", "Where is the key? Token: abcd2345")),
        prompt=PromptRef("sample", "1", "0" * 16),
        schema=schema,
        hint='Reply with JSON: {"answer":"..."}',
        token="abcd2345",
    )
