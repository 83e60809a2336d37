"""JUnit XML, which CI systems show: one test case for each case and metric, and one for each gate.

A case that fails is a `failure`. One that is inconclusive (no score, or bounds on both sides of the threshold) is
`skipped`: never a success. Where the run was gated, the gates say whether the run passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import XMLGenerator

from magistrate.evaluation.comparison import keyed
from magistrate.evaluation.files import replacing
from magistrate.evaluation.runs.results import CaseResult
from magistrate.metrics.base import MetricResult
from magistrate.report.labels import STATUS_WHY, issue_text, number, quote_place, words_of
from magistrate.report.text import clip, inert_lines
from magistrate.report.view import RunView, failing, inside, wanted
from magistrate.verdict import Outcome, StatementVerdict, Status

_LONGEST: Final = 2000
_MOST_STATEMENTS: Final = 50


def write_junit(view: RunView, path: Path) -> Path:
    """Write a run as JUnit XML."""
    with replacing(path) as file:
        xml = _Writer(XMLGenerator(file, "utf-8", short_empty_elements=True))
        xml.to.startDocument()
        _write(view, xml)
    return path


class _Writer:
    """Writes elements; every text is made inert."""

    def __init__(self, to: Any) -> None:
        self.to = to

    @contextmanager
    def element(self, name: str, attributes: Mapping[str, Any]) -> Iterator[None]:
        self.to.startElement(name, {key: inert_lines(str(value)) for key, value in attributes.items()})
        yield
        self.to.endElement(name)
        self.to.characters("\n")

    def properties(self, values: Mapping[str, Any]) -> None:
        with self.element("properties", {}):
            for name, value in values.items():
                if value is not None:
                    text = f"{value:.6g}" if isinstance(value, float) else str(value)
                    with self.element("property", {"name": name, "value": clip(text, _LONGEST)}):
                        pass

    def outcome(self, outcome: Outcome, message: str, body: str, kind: str) -> None:
        """Say why a test case did not pass; nothing of one that did."""
        if outcome is Outcome.PASS:
            return
        failed = outcome is Outcome.FAIL
        about = {"message": clip(message, _LONGEST), **({"type": kind} if failed else {})}
        with self.element("failure" if failed else "skipped", about):
            self.to.characters(inert_lines(body))


def _write(view: RunView, xml: _Writer) -> None:
    run, counts = view.run, _counts(view)
    created = run.header.created.removesuffix("+00:00")
    about = {
        "judge": view.run.judge,
        "state": run.state,
        "magistrate": run.header.magistrate,
        "config_hash": run.header.config_hash,
        **{f"notice_{number}": text for number, text in enumerate(view.caveats, 1)},
    }
    with (
        xml.element("testsuites", {"name": "magistrate", **counts}),
        xml.element("testsuite", {"name": view.dataset, **counts, "timestamp": created}),
    ):
        xml.properties(about)
        for item in view.checks or ():
            head = {"classname": "gate", "name": f"{item.metric} {item.figure}", "time": "0.000"}
            with xml.element("testcase", head):
                xml.outcome(item.outcome, item.message, "", f"gate {item.figure}")
        for name, result in keyed(run.results):
            for metric, found in result.metrics.items():
                head = {"classname": metric, "name": name, "time": f"{found.latency_ms / 1000:.3f}"}
                if view.dataset_path is not None and result.line is not None:
                    head |= {"file": inside(view.dataset_path, Path()) or view.dataset_path, "line": str(result.line)}
                with xml.element("testcase", head):
                    _write_result(result, found, xml)


def _counts(view: RunView) -> dict[str, int]:
    gates = [item.outcome for item in view.checks or ()]
    figures = view.run.summary.metrics.values()
    total = {o: sum(m.outcomes.get(o, 0) for m in figures) + gates.count(o) for o in Outcome}
    skipped = total[Outcome.INCONCLUSIVE]
    return {"tests": sum(total.values()), "failures": total[Outcome.FAIL], "errors": 0, "skipped": skipped}


def _write_result(result: CaseResult, found: MetricResult, xml: _Writer) -> None:
    lower, upper = found.bounds or (None, None)
    properties = {
        "status": found.status.value,
        "outcome": found.outcome.value,
        "score": found.score,
        "lower": lower,
        "upper": upper,
        "threshold": found.threshold,
        "direction": found.direction,
        "policy": found.policy,
        "judge": found.judge,
        "category": result.case.category,
    }
    xml.properties(properties)
    xml.outcome(found.outcome, _headline(found), "\n".join(_details(result, found)), found.status.value)


def _headline(found: MetricResult) -> str:
    required = f"{wanted(found.threshold, found.direction)} is required"
    if found.score is not None:
        return f"score {number(found.score)}; {required}"
    if found.status is Status.PARTIAL and found.bounds is not None:
        return f"score between {number(found.bounds[0])} and {number(found.bounds[1])}; {required}"
    return f"no score, {words_of(found.status)}: {STATUS_WHY[found.status]}"


def _details(result: CaseResult, found: MetricResult) -> Iterator[str]:
    if found.reason:
        yield found.reason
    yield from map(str, result.problems)
    yield from (issue_text(issue) for issue in found.issues if issue.index is None)
    statements = failing(found)
    for verdict in statements[:_MOST_STATEMENTS]:
        yield from _statement(verdict, found.reason or "")
    if len(statements) > _MOST_STATEMENTS:
        yield f"and {len(statements) - _MOST_STATEMENTS} more statements"


def _statement(verdict: StatementVerdict, said: str) -> Iterator[str]:
    yield f"{verdict.id} {words_of(verdict.verdict)}: {clip(verdict.statement, _LONGEST)}"
    if verdict.reason and verdict.reason not in said:
        yield f"   {clip(verdict.reason, _LONGEST)}"
    for quote in verdict.evidence:
        yield f'   "{clip(quote.quote, _LONGEST)}" ({quote_place(quote)})'
    for issue in verdict.issues:
        yield f"   {issue_text(issue, clip(issue.message, _LONGEST))}"
