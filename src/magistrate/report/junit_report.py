"""JUnit XML, which CI systems show: one test case for each case and metric, and one for each gate.

A case that fails is a `failure`. One that is inconclusive (no score, or bounds on both sides of the threshold) is
`skipped`, or an `error` if asked: never a success. Where the run was gated, the gates say whether the run passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from magistrate.evaluation.comparison import keyed
from magistrate.evaluation.gate import Check
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.metrics.base import MetricResult
from magistrate.report.files import replacing
from magistrate.report.notices import dataset_name, dataset_path, judge_name, notices
from magistrate.report.text import clip, inert_lines
from magistrate.report.words import STATUS_WHY, words_of, worst_first
from magistrate.verdict import Outcome, StatementVerdict, Status, Verdict

__all__ = ["Inconclusive", "write_junit"]

Inconclusive = Literal["skipped", "error"]
_LONGEST: Final = 2000
_MOST_STATEMENTS: Final = 50


def write_junit(
    run: Run, path: Path, *, checks: Sequence[Check] | None = None, inconclusive: Inconclusive = "skipped"
) -> Path:
    """Write a run as JUnit XML.

    Each test case has the metric as its class name and the case's id as its name, and carries status, outcome, score,
    bounds, threshold, policy and judge as properties; the row of the dataset as `file` and `line` where it is known.

    Args:
        run: The run.
        path: The file. It is readable by its owner only, and appears whole or not at all.
        checks: The gated figures; None where nothing was gated.
        inconclusive: What an inconclusive case or gate becomes.

    Raises:
        StoreError: If it cannot be written.
    """
    with replacing(path) as file:
        for line in _lines(run, checks or (), inconclusive):
            file.write(f"{line}\n".encode())
    return path


def _lines(run: Run, checks: Sequence[Check], inconclusive: Inconclusive) -> Iterator[str]:
    counts = _counts(run, checks, inconclusive)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield _open("testsuites", {"name": "magistrate", **counts})
    suite = {"name": dataset_name(run), **counts, "timestamp": run.header.created.removesuffix("+00:00")}
    yield _open("testsuite", suite)
    about = {
        "judge": judge_name(run),
        "state": run.state,
        "magistrate": run.header.magistrate,
        "config_hash": run.header.config_hash,
        **{f"notice_{number}": text for number, text in enumerate(notices(run), 1)},
    }
    yield from _properties(about)
    for item in checks:
        yield from _gate(item, inconclusive)
    source = dataset_path(run)
    for name, result in keyed(run.results):
        place = {} if source is None or result.line is None else {"file": source, "line": result.line}
        for metric, found in result.metrics.items():
            head = {"classname": metric, "name": name, "time": _seconds(found.latency_ms), **place}
            yield _open("testcase", head)
            yield from _case(result, found, inconclusive)
            yield "</testcase>"
    yield "</testsuite>"
    yield "</testsuites>"


def _counts(run: Run, checks: Sequence[Check], inconclusive: Inconclusive) -> dict[str, int]:
    outcomes = [item.outcome for item in checks]
    figures = run.summary.metrics.values()
    total = {o: sum(m.outcomes.get(o, 0) for m in figures) + outcomes.count(o) for o in Outcome}
    undecided = total[Outcome.INCONCLUSIVE]
    return {
        "tests": sum(total.values()),
        "failures": total[Outcome.FAIL],
        "errors": undecided if inconclusive == "error" else 0,
        "skipped": undecided if inconclusive == "skipped" else 0,
    }


def _gate(item: Check, inconclusive: Inconclusive) -> Iterator[str]:
    yield _open("testcase", {"classname": "gate", "name": f"{item.metric} {item.figure}", "time": _seconds(0.0)})
    yield from _outcome(item.outcome, item.message, "", f"gate {item.figure}", inconclusive)
    yield "</testcase>"


def _case(result: CaseResult, found: MetricResult, inconclusive: Inconclusive) -> Iterator[str]:
    lower, upper = found.bounds or (None, None)
    yield from _properties(
        {
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
    )
    body = "\n".join(_details(result, found))
    yield from _outcome(found.outcome, _headline(found), body, found.status.value, inconclusive)


def _headline(found: MetricResult) -> str:
    wanted = f"at {'most' if found.direction == 'minimize' else 'least'} {found.threshold:g} asked"
    if found.score is not None:
        return f"score {found.score:.3f}, {wanted}"
    if found.status is Status.PARTIAL and found.bounds is not None:
        return f"score between {found.bounds[0]:.3f} and {found.bounds[1]:.3f}, {wanted}"
    return f"no score, {words_of(found.status)}: {STATUS_WHY[found.status]}"


def _details(result: CaseResult, found: MetricResult) -> Iterator[str]:
    if found.reason:
        yield found.reason
    for problem in result.problems:
        yield str(problem)
    for issue in found.issues:
        if issue.index is None:
            yield f"{issue.code.value}: {issue.message}"
    failing = sorted(
        (verdict for verdict in found.verdicts if verdict.verdict is not Verdict.SUPPORTED),
        key=lambda verdict: worst_first(verdict.verdict),
    )
    for verdict in failing[:_MOST_STATEMENTS]:
        yield from _statement(verdict)
    if len(failing) > _MOST_STATEMENTS:
        yield f"and {len(failing) - _MOST_STATEMENTS} more statements"


def _statement(verdict: StatementVerdict) -> Iterator[str]:
    yield f"{verdict.id} {words_of(verdict.verdict)}: {clip(verdict.statement, _LONGEST)}"
    if verdict.reason:
        yield f"   {clip(verdict.reason, _LONGEST)}"
    for quote in verdict.evidence:
        where = f"context {quote.context}" if quote.found else "found in no context"
        yield f'   "{clip(quote.quote, _LONGEST)}" ({where})'
    for issue in verdict.issues:
        yield f"   {issue.code.value}: {clip(issue.message, _LONGEST)}"


def _outcome(outcome: Outcome, message: str, body: str, kind: str, inconclusive: Inconclusive) -> Iterable[str]:
    if outcome is Outcome.PASS:
        return ()
    name = "failure" if outcome is Outcome.FAIL else inconclusive
    head = {"message": clip(message, _LONGEST), **({} if name == "skipped" else {"type": kind})}
    return (f"{_open(name, head)}{_text(body)}</{name}>",)


def _properties(values: Mapping[str, Any]) -> Iterator[str]:
    yield "<properties>"
    for name, value in values.items():
        if value is not None:
            text = f"{value:.6g}" if isinstance(value, float) else str(value)
            yield f"{_open('property', {'name': name, 'value': clip(text, _LONGEST)}).removesuffix('>')}/>"
    yield "</properties>"


def _open(name: str, attributes: Mapping[str, Any]) -> str:
    pairs = "".join(f' {key}="{_attribute(str(value))}"' for key, value in attributes.items())
    return f"<{name}{pairs}>"


def _attribute(text: str) -> str:
    # A reader turns a bare line break of an attribute into a space: as a reference it stays.
    return _text(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


def _text(text: str) -> str:
    return inert_lines(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"
