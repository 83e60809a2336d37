import subprocess
import sys

import pytest

import magistrate
from magistrate import metrics


class TestPublicNames:
    @pytest.mark.parametrize("name", metrics.__all__)
    def test_every_public_name_is_there(self, name):
        value = getattr(metrics, name)
        assert getattr(value, "__name__", name) == name
        assert name in dir(metrics)

    def test_no_other_name_is(self):
        with pytest.raises(AttributeError, match=r"^module 'magistrate.metrics' has no attribute 'Faith'$"):
            _ = metrics.Faith

    @pytest.mark.parametrize("name", ["Faithfulness", "MetricResult", "Policy", "Score", "get_policy", "rescore"])
    def test_the_package_offers_it_too(self, name):
        assert name in magistrate.__all__
        assert getattr(magistrate, name).__name__ == name

    @pytest.mark.slow
    @pytest.mark.parametrize("room", ["magistrate.scoring", "magistrate.metrics.faithfulness"])
    def test_loads_no_provider_library(self, room):
        code = f"import sys, {room}; print([m for m in ('litellm', 'instructor', 'tenacity') if m in sys.modules])"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert found.stdout.strip() == "[]"
