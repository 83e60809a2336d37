"""What the tests of judges share."""

import pytest

from magistrate.completion.providers._capabilities import capabilities_of


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    """No key in the environment, nothing remembered of any model."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    capabilities_of.cache_clear()
