"""What the tests of the room that calls models share."""

import pytest

from magistrate.completion.providers import _capabilities as capabilities
from magistrate.records import CompletionRequest, Message, PromptRef

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY")


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    """No key in the environment, nothing remembered of any model."""
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    capabilities.capabilities_of.cache_clear()
    yield
    capabilities.capabilities_of.cache_clear()


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
