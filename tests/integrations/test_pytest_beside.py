"""The pytest plugin beside those of DeepEval and LangSmith, and under xdist: `make interop NAME=pytest`."""

from importlib.metadata import entry_points
from xml.etree import ElementTree as ET

import pytest

from magistrate.testing import FaultServer

pytest_plugins = ["pytester"]

TESTS = """
import pytest

def test_good(assert_faithful):
    assert_faithful("The lift runs until ten.", ["The lift runs until ten."], threshold=0.5)

def test_bad(assert_faithful):
    assert_faithful("Penguins sell bicycles.", ["The lift runs until ten."], threshold=0.9)

def test_undecided(assert_faithful):
    assert_faithful("The lift runs until ten.", [])

@pytest.mark.magistrate(inconclusive="xfail")
def test_expected(assert_faithful):
    assert_faithful("The lift runs until ten.", [])
"""
STATUSES = {"test_good": "scored", "test_bad": "scored", "test_undecided": "no_context", "test_expected": "no_context"}
COSTLY = (
    "def test_{at}(assert_faithful):\n    assert_faithful('Lift {at} runs until ten.', ['Lift {at} runs until ten.'])\n"
)


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs pytest with every plugin that is installed."""
    for name in ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    installed = {point.name for point in entry_points(group="pytest11")}
    assert {"xdist", "deepeval", "langsmith_plugin"} <= installed, installed
    ours = () if "magistrate" in installed else ("-p", "magistrate.integrations.pytest_plugin")

    def go(source, *options):
        pytester.makepyfile(source)
        return pytester.runpytest_subprocess(*ours, "--strict-markers", "--junitxml=out.xml", *options, timeout=300)

    return go


def properties(folder):
    """Test -> its properties in the JUnit file."""
    return {
        case.attrib["name"]: {one.attrib["name"]: one.attrib["value"] for one in case.iter("property")}
        for case in ET.parse(folder / "out.xml").iter("testcase")  # noqa: S314 - written by the run above
    }


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_all_plugins_together(run, pytester, workers):
    result = run(TESTS, "-n", workers, "--magistrate-model=offline", "--magistrate-inconclusive=skip")
    result.assert_outcomes(passed=1, failed=1, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines(["magistrate: 1 fail, 2 inconclusive, 1 pass; 0 calls, *"])
    found = properties(pytester.path)
    assert {name: told.get("magistrate_status") for name, told in found.items()} == STATUSES


@pytest.mark.slow
def test_workers_share_what_the_session_may_spend(run, pytester):
    tests = "\n".join(COSTLY.format(at=at) for at in range(4))
    with FaultServer() as server:
        options = (f"--magistrate-api-base={server.openai_url}", "--magistrate-model=gpt-4o")
        run(tests, "-n", "0", *options).assert_outcomes(passed=4)
        spent = sum(float(told["magistrate_cost"]) for told in properties(pytester.path).values())
        limited = run(tests, "-n", "2", *options, f"--magistrate-max-cost={spent / 2:.8f}")
    statuses = [told["magistrate_status"] for told in properties(pytester.path).values()]
    assert limited.ret == pytest.ExitCode.TESTS_FAILED
    assert "over_budget" in statuses
    assert sum(float(told.get("magistrate_cost") or 0) for told in properties(pytester.path).values()) <= spent / 2
