"""The pytest plugin, in sessions of its own."""

import sys
from xml.etree import ElementTree as ET

import pytest
from tests.running import ran

from magistrate.testing import Fault, FaultServer

pytest_plugins = ["pytester"]

GOOD = """
def test_good(assert_faithful):
    result = assert_faithful("The lift runs until ten.", ["The lift runs until ten."], threshold=0.5)
    assert result.score == 1.0
"""
BAD = """
def test_bad(assert_faithful):
    assert_faithful("The summit has a restaurant.", ["The lift runs until ten."], question="What is there?")
"""
UNDECIDED = """
def test_undecided(assert_faithful):
    assert_faithful("The lift runs until ten.", [])
"""


@pytest.fixture
def run(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def go(source, *options):
        pytester.makepyfile(source)
        return pytester.runpytest_subprocess(
            "-p", "magistrate.integrations.pytest_plugin", "-p", "no:cacheprovider", "--strict-markers", *options
        )

    return go


@pytest.fixture
def server():
    with FaultServer() as running:
        yield running


@pytest.mark.slow
class TestAssertFaithful:
    def test_a_grounded_answer_passes(self, run):
        result = run(GOOD, "--magistrate-model=offline")
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines(["magistrate: 1 pass; 0 calls, *"])

    def test_another_fails_and_names_the_statement(self, run):
        result = run(BAD, "--magistrate-model=offline", "--magistrate-threshold=0.9")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(
            [
                "magistrate: faithfulness 0.000, needed at least 0.9: *",
                "*not_enough_info: The summit has a restaurant.*",
            ]
        )
        result.stdout.no_fnmatch_line("*Traceback*")

    def test_a_model_behind_http_judges(self, run, server, monkeypatch):
        monkeypatch.setenv("OPENAI_API_KEY", "unused")
        result = run(GOOD, "--magistrate-model=gpt-4o", f"--magistrate-api-base={server.openai_url}")
        result.assert_outcomes(passed=1)
        assert server.stats.calls > 0
        result.stdout.fnmatch_lines(["magistrate: 1 pass; * calls, 0.* USD"])

    def test_without_a_model_the_error_is_one_line(self, run):
        result = run(GOOD)
        assert result.ret != pytest.ExitCode.OK
        result.stdout.fnmatch_lines(["magistrate: no judge: give --magistrate-model NAME*"])
        result.stdout.no_fnmatch_line("*pytest_plugin.py*")
        assert len(result.outlines) < 20

    def test_a_judge_of_ones_own_replaces_the_fixture(self, run):
        own = (
            "import pytest\nfrom magistrate import OfflineJudge\n"
            "@pytest.fixture(scope='session')\ndef judge():\n    return OfflineJudge()\n"
        )
        run(own + GOOD).assert_outcomes(passed=1)

    def test_inside_an_event_loop(self, run):
        source = (
            "import asyncio\ndef test_loop(assert_faithful):\n    async def go():\n"
            "        assert_faithful('The lift runs until ten.', 'The lift runs until ten.', threshold=0.5)\n"
            "    asyncio.run(go())\n"
        )
        run(source, "--magistrate-model=offline").assert_outcomes(passed=1)


@pytest.mark.slow
class TestInconclusive:
    @pytest.mark.parametrize(
        ("option", "outcome"), [(None, "failed"), ("fail", "failed"), ("skip", "skipped"), ("xfail", "xfailed")]
    )
    def test_it_is_what_the_option_says(self, run, option, outcome):
        options = [f"--magistrate-inconclusive={option}"] if option else []
        run(UNDECIDED, "--magistrate-model=offline", *options).assert_outcomes(**{outcome: 1})

    def test_the_marker_speaks_for_its_test(self, run):
        marked = f"import pytest\n@pytest.mark.magistrate(inconclusive='skip'){UNDECIDED}"
        run(marked, "--magistrate-model=offline", "--magistrate-inconclusive=fail").assert_outcomes(skipped=1)

    def test_a_marker_that_says_something_else_is_an_error(self, run):
        result = run(f"import pytest\n@pytest.mark.magistrate(treshold=1){GOOD}", "--magistrate-model=offline")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["*treshold: it knows inconclusive, metric, threshold*"])

    def test_a_judge_that_refuses_is_undecided_whatever_the_score(self, run, server, monkeypatch):
        monkeypatch.setenv("OPENAI_API_KEY", "unused")
        server.faults = lambda call: Fault(
            text=lambda _: "I'm sorry, I can't help with that.", headers={"x": str(call)[:1]}
        )
        options = ("--magistrate-model=gpt-4o", f"--magistrate-api-base={server.openai_url}")
        run(GOOD, *options, "--magistrate-inconclusive=xfail").assert_outcomes(xfailed=1)


@pytest.mark.slow
def test_cost_limit_what_would_cost_more_is_not_asked(run, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    result = run(
        GOOD,
        "--magistrate-model=gpt-4o",
        f"--magistrate-api-base={server.openai_url}",
        "--magistrate-max-cost=0.000001",
        "--magistrate-inconclusive=skip",
    )
    result.assert_outcomes(skipped=1)
    assert server.stats.calls == 0


@pytest.mark.slow
class TestConfiguration:
    def test_settings_of_the_configuration_file(self, run, pytester):
        pytester.makeini("[pytest]\nmagistrate_model = offline\nmagistrate_inconclusive = skip\n")
        run(UNDECIDED).assert_outcomes(skipped=1)

    def test_a_wrong_setting_ends_the_session_at_once(self, run, pytester):
        pytester.makeini("[pytest]\nmagistrate_threshold = high\n")
        result = run(GOOD, "--magistrate-model=offline")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*magistrate_threshold = 'high': expected a number"])


@pytest.mark.slow
def test_junit_holds_status_score_and_cost(run, pytester):
    run(GOOD + UNDECIDED, "--magistrate-model=offline", "--junitxml=out.xml")
    tree = ET.parse(pytester.path / "out.xml")  # noqa: S314 - written by the line above
    found = {
        case.get("name"): {one.get("name"): one.get("value") for one in case.iter("property")}
        for case in tree.iter("testcase")
    }
    assert found["test_good"]["magistrate_status"] == "scored"
    assert found["test_good"]["magistrate_score"] == "1.000000"
    assert found["test_undecided"]["magistrate_status"] == "no_context"
    assert found["test_undecided"]["magistrate_score"] == ""


@pytest.mark.slow
def test_loading_the_plugin_loads_nothing_of_the_judges():
    code = (
        "import sys, pytest; before = set(sys.modules); import magistrate.integrations.pytest_plugin;"
        "new = {name for name in set(sys.modules) - before};"
        "print(sorted(name for name in new if not name.startswith('magistrate') or 'judges' in name))"
    )
    done = ran(sys.executable, "-c", code, check=True)
    assert done.stdout.strip() == "[]"


def test_it_is_registered_as_a_plugin():
    from importlib.metadata import entry_points

    values = {point.value for point in entry_points(group="pytest11", name="magistrate")}
    assert values <= {"magistrate.integrations.pytest_plugin"}
