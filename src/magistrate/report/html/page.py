"""One HTML file that holds a whole run: nothing is loaded from anywhere, and no text of a run can act in it.

Texts travel as JSON in `script` elements that are no scripts, with every "<" escaped, and reach the page as text nodes.
A content security policy admits this report's own style and script, by their hashes, and nothing else.
Places in texts are counted as a browser counts, in UTF-16 code units.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from magistrate.evaluation.comparison import Baseline, keyed
from magistrate.evaluation.files import replacing
from magistrate.evaluation.runs.export import summary_dict
from magistrate.evaluation.runs.results import CaseResult, writable
from magistrate.metrics.base import MetricResult
from magistrate.records import CallRecord
from magistrate.report.labels import STATUS_WHY, worst_first
from magistrate.report.programs.run import parts_dict
from magistrate.report.text import clip
from magistrate.report.view import RunView
from magistrate.text import locate_quotes
from magistrate.verdict import Evidence, Outcome, StatementVerdict, resolve_scale

MAX_CASES: Final = 10_000
"""Of so many cases the texts are in the report, those that do not pass first; of the others the figures are."""
_PACK: Final = 100
"""Cases to a `script` element: what the page reads at once."""
_TITLE: Final = 160
_OF_A_METRIC: Final = (
    *("status", "score", "bounds", "threshold", "outcome", "direction", "policy", "formula", "reason", "judge"),
    *("latency_ms", "extra"),
)
_OF_A_VERDICT: Final = ("index", "id", "statement", "verdict", "reason", "probability", "confidence")
"""What is taken as it is, under its name."""
_SCRIPTS: Final = ("core", "data", "plots", "checks", "believing", "overview", "cases", "case", "main")


def write_html(view: RunView, path: Path, *, most: int = MAX_CASES) -> Path:
    """Write a run as one HTML file."""
    rows, passed = _rows(view)
    order = sorted(range(len(rows)), key=lambda place: (passed[place], place))
    detailed = set(order[:most])
    head = _head(view, rows, detailed=len(detailed))
    with replacing(path) as file:
        for part in _page(view, head, detailed):
            file.write(part.encode("utf-8", "replace"))
    return path


def _page(view: RunView, head: Mapping[str, Any], detailed: set[int]) -> Iterator[str]:
    script = _script()
    yield page_head(f"{clip(view.dataset, 80)} - Magistrate", asset("report.css"), script, " form-action 'none'")
    yield '<div id="app"><main><p>This report needs JavaScript. It loads nothing from anywhere.</p></main></div>\n'
    yield page_data("head", head)
    yield f"<script>{script}</script>\n"  # before the cases: the overview is there while they are still being read
    pack: dict[int, Any] = {}
    for place, result in enumerate(view.run.results):
        if place in detailed:
            pack[place] = case_data(result, raw=view.raw)
        if place % _PACK == _PACK - 1:
            yield from _packed(place // _PACK, pack)
            pack = {}
    yield from _packed(len(view.run) // _PACK, pack)
    yield "</body>\n</html>\n"


def page_head(title: str, style: str, script: str, further: str = "") -> str:
    """The beginning of a page whose policy admits its own style and script, by their hashes, and nothing else."""
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none';{further}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy.removesuffix(";")}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


def _packed(number: int, pack: Mapping[int, Any]) -> Iterator[str]:
    if pack:
        yield page_data(f"pack-{number}", pack)


def page_data(name: str, value: Any) -> str:
    """A value for the script of a page."""
    # In a JSON text "<" stands in strings only: escaped, none of it can end the element or begin a comment.
    options: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
    try:
        text = json.dumps(value, default=str, **options)
    except ValueError:  # a number that is none, from a metric or a case of the user's own program
        text = json.dumps(writable(value), **options)
    return f'<script type="application/json" id="{name}">{text.replace("<", chr(92) + "u003c")}</script>\n'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def asset(name: str) -> str:
    """A file that belongs to a page."""
    return (files("magistrate.report") / "html" / name).read_text("utf-8")


@cache
def _script() -> str:
    return '"use strict";\n(() => {\n' + "\n".join(asset(f"{name}.js") for name in _SCRIPTS) + "})();\n"


def _head(view: RunView, rows: list[Any], *, detailed: int) -> dict[str, Any]:
    run = view.run
    header = writable(asdict(run.header))
    about = {"state": run.state, "message": run.message, "header": header, "config_hash": run.header.config_hash}
    return {
        "dataset": view.dataset,
        "judge": view.run.judge,
        "run": about,
        **parts_dict(view),
        "believing": view.believing,
        "summary": summary_dict(run.summary),
        "worst": {
            name: [
                _worst_case(run.results[entry.position], rows[entry.position][0], name, entry.score) for entry in found
            ]
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
    flips = _flips(view.baselines)
    rows, passed = [], []
    for key, result in keyed(view.run.results):
        metrics = {}
        for name, found in result.metrics.items():
            lower, upper = found.bounds or (None, None)
            verdicts = sorted({verdict.verdict.value if verdict.verdict else "none" for verdict in found.verdicts})
            cells: list[Any] = [found.score, lower, upper, found.outcome.value, found.status.value, verdicts]
            metrics[name] = [*cells, flips.get((name, key))] if flips else cells
        rows.append([key, result.case.category, _title(result), metrics])
        passed.append(all(found.outcome is Outcome.PASS for found in result.metrics.values()))
    return rows, passed


def _title(result: CaseResult) -> str:
    return clip(result.case.question or result.case.answer or "", _TITLE)


def _flips(baselines: Sequence[Baseline]) -> dict[tuple[str, str], list[str | None]]:
    """(Metric, case) -> how it flipped against each baseline; only for those that did."""
    found: dict[tuple[str, str], list[str | None]] = {}
    for which, baseline in enumerate(baselines):
        for name, comparison in baseline.comparisons.items():
            if comparison.flips is None:
                continue
            for flip, pairs in (("lost", comparison.flips.lost), ("gained", comparison.flips.gained)):
                for pair in pairs:
                    found.setdefault((name, pair.id), [None] * len(baselines))[which] = flip
    return found


def _worst_case(result: CaseResult, key: str, name: str, score: float) -> dict[str, Any]:
    worst = min(result.metrics[name].verdicts, key=_badness, default=None)
    found: dict[str, Any] = {"key": key, "score": score, "title": _title(result), "statement": None}
    if worst is not None:
        verdict = worst.verdict and worst.verdict.value
        found |= {"statement": clip(worst.statement, 2 * _TITLE), "verdict": verdict, "id": worst.id}
        found["probability"] = worst.probability
    return found


def _badness(verdict: StatementVerdict) -> tuple[int, float]:
    return worst_first(verdict.verdict), 1.0 if verdict.probability is None else verdict.probability


_BASIC = "\uffff"
_LONGEST = 2000
"""Longer statements are only looked for as they stand."""


def units(text: str, offset: int) -> int:
    """A place in a text, given in characters, in UTF-16 code units."""
    return offset if text.isascii() else offset + sum(1 for char in text[:offset] if char > _BASIC)


def case_data(result: CaseResult, *, raw: bool) -> dict[str, Any]:
    """Everything the page shows of a case, JSON-able."""
    case = result.case
    calls = _Calls(result)
    metrics = {name: _metric(result, found, calls.of(name), raw=raw) for name, found in result.metrics.items()}
    return {
        "question": case.question,
        "answer": case.answer,
        "reference": case.reference,
        "expected": case.expected_score,
        "contexts": case.contexts,
        "problems": [str(problem) for problem in result.problems],
        "calls": [_call(call, raw=raw) for call in calls.all],
        "metrics": metrics,
    }


class _Calls:
    """The calls of a case, each once however many metrics share it."""

    def __init__(self, result: CaseResult) -> None:
        self.all: list[CallRecord] = []
        self._result = result
        self._places: dict[str, int] = {}

    def of(self, name: str) -> list[tuple[int, CallRecord]]:
        """The calls of one metric, with their places in `all`."""
        found = []
        for call in self._result.calls_of(name):
            place = self._places.get(call.key) if call.key and call.shared else None
            if place is None:
                place = len(self.all)
                self.all.append(call)
                if call.key:
                    self._places.setdefault(call.key, place)
            found.append((place, call))
        return found


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
            {
                **_verdict(verdict, result.case.contexts),
                "at": place,
                **_origin(verdict, result, found, calls if raw else ()),
            }
            for verdict, place in zip(found.verdicts, places, strict=True)
        ],
    }


def _verdict(verdict: StatementVerdict, contexts: Sequence[str]) -> dict[str, Any]:
    return {
        **_taken(verdict, _OF_A_VERDICT),
        "votes": [[vote.judge, vote.verdict and vote.verdict.value] for vote in verdict.votes],
        "evidence": [_evidence(quote, contexts) for quote in verdict.evidence],
        "issues": [asdict(issue) for issue in verdict.issues],
    }


def _evidence(quote: Evidence, contexts: Sequence[str]) -> dict[str, Any]:
    start, end = quote.start, quote.end
    if quote.context is None or quote.context >= len(contexts) or start is None or end is None:
        start = end = None
    else:
        text = contexts[quote.context]
        start, end = units(text, start), units(text, end)
    return {**asdict(quote), "start": start, "end": end}


def _in_answer(verdicts: Sequence[StatementVerdict], answer: str | None) -> list[tuple[int, int] | None]:
    """Where the statements stand in the answer; None for one that is in the judge's words and not in the answer's."""
    places: list[tuple[int, int] | None] = []
    if not answer:
        return [None] * len(verdicts)
    for verdict in verdicts:
        start = answer.find(verdict.statement) if verdict.statement else -1
        places.append((start, start + len(verdict.statement)) if start >= 0 else None)
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
    if verdict.span is None:
        return nowhere
    asked = [(place, call) for place, call in calls if _may_hold(call, verdict)]
    if len(asked) > 1 or found.formula:
        asked = [(place, call) for place, call in asked if _gives(call, verdict, result, found)][:1]
    for place, call in asked:
        text = (call.completion and call.completion.text) or ""
        return {
            "call": place,
            "span": (units(text, verdict.span[0]), units(text, verdict.span[1])),
            "repairs": [{"code": fix.code, "offset": units(text, fix.offset)} for fix in verdict.repairs],
        }
    return nowhere


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
    from magistrate.judges.llm.reading import read_verdicts  # noqa: PLC0415 - a run of the offline judge has no replies

    reply = read_verdicts([call], found.statements, result.case.contexts, scale=scale, question=result.case.question)
    again = reply.verdicts[verdict.index]
    return again.verdict is verdict.verdict and again.span == verdict.span
