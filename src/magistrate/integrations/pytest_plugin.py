"""The pytest plugin: loaded wherever magistrate is, so it imports nothing but pytest until a test asks for it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from magistrate.judges import Judge
    from magistrate.metrics.base import Metric, MetricResult

_INCONCLUSIVE = ("fail", "skip", "xfail")
_MARKED = frozenset({"threshold", "inconclusive", "metric"})
_TOLD = ("outcome", "status", "calls", "cost")
_SETTINGS: dict[str, tuple[type, str]] = {
    "model": (str, 'The judge: a model\'s name, or "offline", which needs no model.'),
    "api_base": (str, "Address of the model's API."),
    "threshold": (float, "Score an answer needs (default: the metric's own)."),
    "max_cost": (float, "US dollars the session may spend; shared out where tests run in several processes."),
    "inconclusive": (str, "What a test is that cannot be decided: fail (default), skip or xfail."),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the same as settings of the configuration file."""
    group = parser.getgroup("magistrate", "judging with magistrate")
    for name, (kind, text) in _SETTINGS.items():
        choices = {"choices": _INCONCLUSIVE} if name == "inconclusive" else {}
        group.addoption(f"--magistrate-{name.replace('_', '-')}", type=kind, default=None, help=text, **choices)
        parser.addini(f"magistrate_{name}", text)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, and look at the settings before any test runs."""
    config.addinivalue_line(
        "markers",
        "magistrate(threshold=None, inconclusive=None, metric=None): how `assert_faithful` judges in this test.",
    )
    _inconclusive(_setting(config, "inconclusive"))
    for name in ("threshold", "max_cost"):
        _setting(config, name)


def _setting(config: pytest.Config, name: str) -> Any:
    given = config.getoption(f"--magistrate-{name.replace('_', '-')}")
    value = given if given is not None else config.getini(f"magistrate_{name}") or None
    try:
        return None if value is None else _SETTINGS[name][0](value)
    except ValueError:
        raise pytest.UsageError(f"magistrate_{name} = {value!r}: expected a number") from None


def _inconclusive(value: Any) -> str:
    if value is not None and value not in _INCONCLUSIVE:
        raise pytest.UsageError(f"magistrate: inconclusive = {value!r}: expected one of {', '.join(_INCONCLUSIVE)}")
    return value or "fail"


@pytest.fixture(scope="session")
def judge(pytestconfig: pytest.Config) -> Iterator[Judge]:
    """The judge of the session, as --magistrate-model says. It stops where the session's money is spent."""
    from magistrate.errors import ConfigurationError  # noqa: PLC0415 - see the module's docstring
    from magistrate.integrations._common import Evaluator  # noqa: PLC0415

    name = _setting(pytestconfig, "model")
    if name is None:
        pytest.fail(
            'magistrate: no judge: give --magistrate-model NAME or set magistrate_model ("offline" needs no model)',
            pytrace=False,  # a usage error raised here would print the frames of the plugin
        )
    options = {"api_base": _setting(pytestconfig, "api_base"), "budget": None}
    limit = _setting(pytestconfig, "max_cost")
    if limit is not None and name.strip().casefold() != "offline":
        from magistrate.completion.budget import Budget  # noqa: PLC0415

        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT") or 1)
        options["budget"] = Budget(max_cost=limit / max(workers, 1))
    try:
        made = Evaluator(name, **{option: value for option, value in options.items() if value is not None}).judge
    except ConfigurationError as error:
        pytest.fail(f"magistrate: {error}", pytrace=False)
    yield made
    if hasattr(made, "close"):
        from magistrate.sync import run_sync  # noqa: PLC0415

        run_sync(made.close())


@dataclass(frozen=True)
class AssertFaithful:
    """What the fixture `assert_faithful` gives."""

    request: pytest.FixtureRequest

    def __call__(
        self,
        answer: str,
        contexts: str | list[str] | tuple[str, ...],
        *,
        question: str | None = None,
        reference: str | None = None,
        threshold: float | None = None,
        metric: Metric | None = None,
        judge: Judge | None = None,
    ) -> MetricResult:
        """Fail the test unless the answer is grounded in the contexts; return the result otherwise."""
        __tracebackhide__ = True
        request = self.request
        from magistrate.errors import BudgetExceededError  # noqa: PLC0415 - see the module's docstring
        from magistrate.integrations._common import Evaluator, case_of  # noqa: PLC0415

        marked = _marked(request)
        used = metric if metric is not None else marked.get("metric")
        least = threshold if threshold is not None else marked.get("threshold")
        if least is None and used is None:
            least = _setting(request.config, "threshold")
        chosen = judge if judge is not None else request.getfixturevalue("judge")
        case = case_of(question, answer, contexts, reference=reference)
        undecided = _inconclusive(marked.get("inconclusive") or _setting(request.config, "inconclusive"))
        try:
            result = Evaluator(chosen, used, threshold=least).evaluate_sync(case)
        except BudgetExceededError as error:
            request.node.user_properties.append(("magistrate_status", "over_budget"))
            _undecided(f"magistrate: over_budget: {error}", undecided)
        _record(request, result)
        if result.outcome.value == "pass":
            return result
        message = "\n".join(_told(result))
        if result.outcome.value == "fail":
            pytest.fail(message, pytrace=False)
        return _undecided(message, undecided)


@pytest.fixture
def assert_faithful(request: pytest.FixtureRequest) -> AssertFaithful:
    """A function that fails the test unless an answer is grounded in its contexts."""
    return AssertFaithful(request)


def _marked(request: pytest.FixtureRequest) -> dict[str, Any]:
    marker = request.node.get_closest_marker("magistrate")
    if marker is None:
        return {}
    unknown = set(marker.kwargs) - _MARKED
    if marker.args or unknown:
        named = ", ".join(sorted(unknown)) or "positional arguments"
        raise pytest.UsageError(f"@pytest.mark.magistrate: {named}: it knows {', '.join(sorted(_MARKED))}")
    return dict(marker.kwargs)


def _record(request: pytest.FixtureRequest, result: MetricResult) -> None:
    """Into the properties of the test, from where JUnit files and the summary take them."""
    cost, score = result.usage.cost, result.score
    found = {
        "metric": result.metric,
        "status": result.status.value,
        "outcome": result.outcome.value,
        "score": "" if score is None else f"{score:.6f}",
        "judge": result.judge,
        "calls": str(result.usage.calls),
        "cost": "" if cost is None else f"{cost:.6f}",
    }
    request.node.user_properties.extend((f"magistrate_{name}", value) for name, value in found.items())


def _undecided(message: str, how: str) -> NoReturn:
    __tracebackhide__ = True
    if how == "skip":
        pytest.skip(message)
    if how == "xfail":
        pytest.xfail(message)
    pytest.fail(f"{message}\n(--magistrate-inconclusive=skip or xfail makes it that)", pytrace=False)


def _told(result: MetricResult) -> Iterator[str]:
    """What is said of a result: the score against the threshold, then a line for each statement."""
    from magistrate.integrations._common import headline  # noqa: PLC0415 - see the module's docstring
    from magistrate.report.text import printable  # noqa: PLC0415

    score = "no score" if result.score is None else f"{result.score:.3f}"
    relation = "at most" if result.direction == "minimize" else "at least"
    yield f"magistrate: {result.metric} {score}, needed {relation} {result.threshold:g}: {headline(result)}"
    for verdict in result.verdicts:
        word = verdict.verdict.value if verdict.verdict is not None else "no verdict"
        why = verdict.reason or ", ".join(issue.code.value for issue in verdict.issues)
        yield printable(f"  {word}: {verdict.statement}{f' ({why})' if why else ''}")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was judged, and what it cost."""
    reports = [report for listed in terminalreporter.stats.values() for report in listed]
    said = [pair for one in reports if getattr(one, "when", None) == "call" for pair in one.user_properties]
    told = {name: [value for key, value in said if key == f"magistrate_{name}"] for name in _TOLD}
    outcomes = told["outcome"] + ["inconclusive"] * told["status"].count("over_budget")
    if outcomes:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(Counter(outcomes).items()))
        money = f"{sum(map(float, told['cost'])):.4f} USD" if all(told["cost"]) else "cost unknown"
        calls = sum(map(int, told["calls"]))
        terminalreporter.write_line(f"magistrate: {counts}; {calls} calls, {money}")
