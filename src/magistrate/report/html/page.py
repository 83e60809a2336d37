"""HTML files that hold a run, or cases to label: texts are data in them, and a policy admits our own script alone."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from magistrate.evaluation.believing.labels import Task
from magistrate.evaluation.comparison import Baseline, keyed
from magistrate.evaluation.files import replacing, write_text
from magistrate.evaluation.runs.results import CaseResult, writable
from magistrate.evaluation.runs.run import summary_dict
from magistrate.metrics.base import MetricResult
from magistrate.records import CallRecord
from magistrate.report.phrasing import STATUS_WHY, worst_first
from magistrate.report.programs.run import parts_dict
from magistrate.report.rendering import render
from magistrate.report.text import clip
from magistrate.report.view import RunView, flips
from magistrate.text import locate_quotes
from magistrate.verdict import Outcome, StatementVerdict, resolve_scale

MAX_CASES: Final = 10_000
"""Of so many cases the texts are in the report, those that do not pass first; of the others the figures are."""
_PACK: Final = 100
"""Cases to a `script` element: what the page reads at once."""
_TITLE: Final = 160
_OF_A_METRIC: Final = (
    *("status", "score", "bounds", "threshold", "outcome", "direction", "policy", "formula", "reason", "judge"),
    *("latency_ms", "extra"),
)
"""What is taken as it is, under its name."""
_SCRIPTS: Final = ("core", "data", "plots", "checks", "believing", "overview", "cases", "case", "main")


def write_html(view: RunView, path: Path, *, most: int = MAX_CASES) -> Path:
    """Write a run as one HTML file."""
    rows, passed = _rows(view)
    order = sorted(range(len(rows)), key=lambda place: (passed[place], place))
    with replacing(path) as file:
        for part in _page(view, rows, set(order[:most])):
            file.write(part.encode("utf-8", "replace"))
    return path


def _page(view: RunView, rows: list[Any], detailed: set[int]) -> Iterator[str]:
    script = '"use strict";\n(() => {\n' + "\n".join(asset(f"{name}.js") for name in _SCRIPTS) + "})();\n"
    head = _data("head", _head(view, rows, detailed=len(detailed)))
    start = '<div id="app"></div>\n<noscript>This report needs JavaScript. It loads nothing from anywhere.</noscript>\n'
    body = f"{start}{head}<script>{script}</script>"  # before the cases: the overview is there while they are read
    given = {"title": clip(view.dataset, 80), "further": "; form-action 'none'", "body": body, "script": script}
    yield render("page.html", style=asset("report.css"), **given)
    pack: dict[int, Any] = {}
    for place, result in enumerate(view.run.results):
        if place in detailed:
            pack[place] = case_data(result, raw=view.raw)
        if pack and place % _PACK == _PACK - 1:
            yield _data(f"pack-{place // _PACK}", pack)
            pack = {}
    if pack:
        yield _data(f"pack-{len(view.run) // _PACK}", pack)
    yield "</body>\n</html>\n"


def write_label_page(tasks: Sequence[Task], path: Path, *, by: str = "") -> None:
    """Write a page to label cases on: progress stays in the browser, a button saves; it holds no verdict."""
    script, data = asset("label.js"), _data("data", {"by": by, "tasks": [asdict(task) for task in tasks]})
    title = f"Label {len(tasks)} cases"
    body = f"{asset('label.html').replace('TITLE', title)}{data}<script>{script}</script>\n</body>\n</html>"
    write_text(path, render("page.html", title=title, style=asset("label.css"), script=script, further="", body=body))


def _data(name: str, value: Any) -> str:
    """A value for the script of a page."""
    # In a JSON text "<" stands in strings only: escaped, none of it can end the element or begin a comment.
    options: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
    try:
        text = json.dumps(value, default=str, **options)
    except ValueError:  # a number that is none, from a metric or a case of the user's own program
        text = json.dumps(writable(value), **options)
    return f'<script type="application/json" id="{name}">{text.replace("<", chr(92) + "u003c")}</script>\n'


@cache
def asset(name: str) -> str:
    """A file that belongs to a page."""
    return (files("magistrate.report") / "html" / name).read_text("utf-8")


def _head(view: RunView, rows: list[Any], *, detailed: int) -> dict[str, Any]:
    run = view.run
    header = writable(asdict(run.header))
    header["config"].get("dataset", {}).pop("path", None)  # reports are sent to others: the name is enough
    about = {"state": run.state, "message": run.message, "header": header, "config_hash": run.header.config_hash}
    return {
        "dataset": view.dataset,
        "judge": view.run.judge,
        "run": about,
        **parts_dict(view),
        "believing": view.believing,
        "summary": summary_dict(run.summary),
        "worst": {
            name: [_worst_case(run.results[one.position], rows[one.position][0], name, one.score) for one in found]
            for name, found in run.summary.worst.items()
        },
        "problems": [[str(problem), rows_with] for problem, rows_with in run.summary.problems],
        "why": {status.value: why for status, why in STATUS_WHY.items()},
        "raw": view.raw,
        "detailed": detailed,
        "pack": _PACK,
        "rows": rows,
    }


def _rows(view: RunView) -> tuple[list[Any], list[bool]]:
    """What the list of cases needs of each, and whether it passes in everything."""
    flipped = _flipped(view.baselines)
    rows, passed = [], []
    for key, result in keyed(view.run.results):
        metrics = {}
        for name, found in result.metrics.items():
            lower, upper = found.bounds or (None, None)
            verdicts = sorted({verdict.verdict.value if verdict.verdict else "none" for verdict in found.verdicts})
            cells: list[Any] = [found.score, lower, upper, found.outcome.value, found.status.value, verdicts]
            metrics[name] = [*cells, flipped.get((name, key))] if flipped else cells
        rows.append([key, result.case.category, _title(result), metrics])
        passed.append(all(found.outcome is Outcome.PASS for found in result.metrics.values()))
    return rows, passed


def _title(result: CaseResult) -> str:
    return clip(result.case.question or result.case.answer or "", _TITLE)


def _flipped(baselines: Sequence[Baseline]) -> dict[tuple[str, str], list[str | None]]:
    """(Metric, case) -> how it flipped against each baseline; only for those that did."""
    found: dict[tuple[str, str], list[str | None]] = {}
    for which, baseline in enumerate(baselines):
        for name, comparison in baseline.comparisons.items():
            for now, pairs in flips(comparison):
                for pair in pairs:
                    ways = found.setdefault((name, pair.id), [None] * len(baselines))
                    ways[which] = "lost" if now == "fail" else "gained"
    return found


def _worst_case(result: CaseResult, key: str, name: str, score: float) -> dict[str, Any]:
    def badness(one: StatementVerdict) -> tuple[int, float]:
        return worst_first(one.verdict), 1.0 if one.probability is None else one.probability

    worst = min(result.metrics[name].verdicts, key=badness, default=None)
    found: dict[str, Any] = {"key": key, "score": score, "title": _title(result), "statement": None}
    if worst is None:
        return found
    found |= {"statement": clip(worst.statement, 2 * _TITLE), "verdict": worst.verdict and worst.verdict.value}
    return {**found, "id": worst.id, "probability": worst.probability}


_BASIC = "\uffff"  # the last character of one UTF-16 code unit
_LONGEST = 2000
"""Longer statements are only looked for as they stand."""


def units(text: str, offset: int) -> int:
    """A place in a text, given in characters, in UTF-16 code units."""
    return offset if text.isascii() else offset + sum(1 for char in text[:offset] if char > _BASIC)


def case_data(result: CaseResult, *, raw: bool) -> dict[str, Any]:
    """Everything the page shows of a case, JSON-able."""
    case = result.case
    calls, of = _calls(result)
    return {
        **_taken(case, ("question", "answer", "reference", "contexts")),
        "expected": case.expected_score,
        "problems": [str(problem) for problem in result.problems],
        "calls": [_call(call, raw=raw) for call in calls],
        "metrics": {name: _metric(result, found, of[name], raw=raw) for name, found in result.metrics.items()},
    }


def _calls(result: CaseResult) -> tuple[list[CallRecord], dict[str, list[tuple[int, CallRecord]]]]:
    """The calls of a case, each once however many metrics share it; and those of each metric with their places."""
    every: list[CallRecord] = []
    places: dict[str, int] = {}
    of: dict[str, list[tuple[int, CallRecord]]] = {name: [] for name in result.metrics}
    for name, found in of.items():
        for call in result.calls_of(name):
            place = places.get(call.key, len(every)) if call.shared else len(every)
            if place == len(every):
                every.append(call)
            if call.key:
                places.setdefault(call.key, place)
            found.append((place, call))
    return every, of


def _call(call: CallRecord, *, raw: bool) -> dict[str, Any]:
    completion = call.completion
    return {
        **_taken(call, ("purpose", "status", "error", "shared")),
        "prompt": f"{call.prompt.name} {call.prompt.version}",
        "requested": call.requested_model,
        "served": completion and completion.model,
        **_taken(completion if raw else None, ("text", "refusal", "reasoning")),
        "finish": completion and completion.finish_reason,
        "mode": completion and completion.mode,
        "attempts": completion.attempts if completion else call.attempts,
        "cached": bool(completion and completion.cached),
    }


def _taken(source: object, names: Sequence[str]) -> dict[str, Any]:
    """Attributes as they are, under their names; None of nothing."""
    return {name: getattr(source, name, None) for name in names}


def _metric(
    result: CaseResult, found: MetricResult, calls: Sequence[tuple[int, CallRecord]], *, raw: bool
) -> dict[str, Any]:
    places = _in_answer(found.verdicts, result.case.answer)
    return {
        **_taken(found, _OF_A_METRIC),
        "issues": [asdict(issue) for issue in found.issues],
        "details": writable(found.details),
        "usage": asdict(found.usage),
        "calls": [place for place, _ in calls],
        "verdicts": [
            {**_verdict(one, result.case.contexts), "at": place, **_origin(one, result, found, calls if raw else ())}
            for one, place in zip(found.verdicts, places, strict=True)
        ],
    }


def _verdict(verdict: StatementVerdict, contexts: Sequence[str]) -> dict[str, Any]:
    told = verdict.model_dump(mode="json", exclude={"format", "votes", "span", "repairs"})
    for quote in told["evidence"]:
        ends = (quote["start"], quote["end"])
        known = quote["context"] is not None and quote["context"] < len(contexts) and None not in ends
        for name, at in zip(("start", "end"), ends, strict=True):
            quote[name] = units(contexts[quote["context"]], at) if known else None
    return {**told, "votes": [[vote.judge, vote.verdict and vote.verdict.value] for vote in verdict.votes]}


def _in_answer(verdicts: Sequence[StatementVerdict], answer: str | None) -> list[tuple[int, int] | None]:
    """Where the statements stand in the answer; None for one that is in the judge's words and not in the answer's."""
    if not answer:
        return [None] * len(verdicts)
    starts = [answer.find(verdict.statement) if verdict.statement else -1 for verdict in verdicts]
    places = [(at, at + len(v.statement)) if at >= 0 else None for at, v in zip(starts, verdicts, strict=True)]
    open_ = [at for at, place in enumerate(places) if place is None and len(verdicts[at].statement) <= _LONGEST]
    for at, quote in zip(open_, locate_quotes([verdicts[at].statement for at in open_], [answer]), strict=True):
        if quote.start is not None and quote.end is not None:
            places[at] = (quote.start, quote.end)
    return [place and (units(answer, place[0]), units(answer, place[1])) for place in places]


def _origin(
    verdict: StatementVerdict, result: CaseResult, found: MetricResult, calls: Sequence[tuple[int, CallRecord]]
) -> dict[str, Any]:
    """The call a verdict was read from and the row in its reply; nothing where that is not certain."""
    nowhere = {"call": None, "span": None, "repairs": [{"code": repair.code} for repair in verdict.repairs]}
    asked = [(place, call) for place, call in calls if _may_hold(call, verdict)]
    if len(asked) > 1 or found.formula:
        asked = [(place, call) for place, call in asked if _gives(call, verdict, result, found)]
    if not asked or verdict.span is None:
        return nowhere
    place, call = asked[0]
    text = (call.completion and call.completion.text) or ""
    return {
        "call": place,
        "span": (units(text, verdict.span[0]), units(text, verdict.span[1])),
        "repairs": [{"code": fix.code, "offset": units(text, fix.offset)} for fix in verdict.repairs],
    }


def _may_hold(call: CallRecord, verdict: StatementVerdict) -> bool:
    text = call.completion and call.completion.text
    if not text or verdict.span is None or verdict.span[1] > len(text):
        return False
    return call.purpose == "single" or (call.purpose == "verify" and verdict.index in call.statements)


def _gives(call: CallRecord, verdict: StatementVerdict, result: CaseResult, found: MetricResult) -> bool:
    """Whether this very call, read again, gives this verdict from this row."""
    if call.purpose != "verify" or call.scale is None or verdict.index >= len(found.statements):
        return False
    try:
        scale = resolve_scale(call.scale)
    except ValueError:  # a scale of the user's own
        return False
    from magistrate.judges import Verify  # noqa: PLC0415 - a run of the offline judge has no replies
    from magistrate.judges.llm.reading import read_verdicts  # noqa: PLC0415

    asked = Verify(found.statements, result.case.contexts, question=result.case.question, scale=scale)
    reply = read_verdicts([call], asked)
    again = reply.verdicts[verdict.index]
    return again.verdict is verdict.verdict and again.span == verdict.span
