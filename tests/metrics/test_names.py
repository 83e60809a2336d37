import subprocess
import sys

import pytest

from magistrate import metrics


def test_every_public_name_is_there():
    assert all(getattr(getattr(metrics, name), "__name__", name) == name for name in metrics.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("room", ["magistrate.scoring", "magistrate.metrics.faithfulness"])
def test_loads_no_provider_library(room):
    code = f"import sys, {room}; print([m for m in ('litellm', 'instructor', 'tenacity') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
