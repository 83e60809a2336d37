import gc
import os
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from tests.judging import ScriptedJudge

# How many examples a property tries; no test sets a number of its own. No test asserts a time either: a machine that is
# busy for a moment fails none. HYPOTHESIS_PROFILE names the profile (or pytest's --hypothesis-profile): "dev" tries the
# same examples each time, so that what fails is the change; the others look for new ones.
for _name, _examples in (("dev", 10), ("ci", 60), ("nightly", 1000)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
        derandomize=_name == "dev",
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

_LANES = {"slow": "make test-slow", "local_llm": "make test-local-llm", "browser": "make test-browser"}
_left_out = Counter()


# Two processes share the tests by file: what takes longest comes first, so that neither waits for the other in the end.
_LONGEST = (
    *("test_properties_cut.py", "test_properties_round_trip.py", "test_stored.py", "test_corpus.py"),
    *("test_eval_batch.py", "test_eval_llm.py", "test_several.py"),
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """All other files, and the tests within one, stay in the random order that they are in."""
    items.sort(key=lambda item: item.path.name not in _LONGEST)


def pytest_deselected(items):
    """Count what `-m` leaves out, by the lane that runs it."""
    _left_out.update(next((lane for lane in _LANES if item.get_closest_marker(lane)), "") for item in items)


def pytest_configure():
    """What is loaded to collect the tests is no garbage."""
    gc.disable()


def pytest_collection_finish():
    """What was loaded stays: no collection of garbage looks through it again."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session):
    """A worker of pytest-xdist tells the process that prints the summary what it left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Each worker of pytest-xdist collects all tests, so that one speaks for all."""
    _left_out.clear()
    _left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter):
    """Say what the lanes of their own would have run."""
    if parts := [f"{_left_out[lane]} {lane} ({make})" for lane, make in _LANES.items() if _left_out[lane]]:
        terminalreporter.write_line("left out: " + ", ".join(parts))


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    """No key in the environment, nothing remembered of any model."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    if known := sys.modules.get("magistrate.completion.providers._capabilities"):
        known.capabilities_of.cache_clear()


@pytest.fixture(scope="session")
def scripted_judge():
    """The class of judges that say what they were told to."""
    return ScriptedJudge
