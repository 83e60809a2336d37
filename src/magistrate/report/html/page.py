"""One HTML file that holds a whole run: nothing is loaded from anywhere, and no text of a run can act in it.

Texts travel as JSON in `script` elements that are no scripts, with every "<" escaped, and reach the page as text nodes.
A content security policy admits this report's own style and script, by their hashes, and nothing else.
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
from magistrate.evaluation.runs.export import summary_dict
from magistrate.evaluation.runs.results import CaseResult, writable
from magistrate.report.html.case import case_data
from magistrate.report.labels import STATUS_WHY, worst_first
from magistrate.report.outputs import replacing
from magistrate.report.programs.run import parts_dict
from magistrate.report.text import clip
from magistrate.report.view import RunView
from magistrate.verdict import Outcome, StatementVerdict

MAX_CASES: Final = 10_000
"""Of so many cases the texts are in the report, those that do not pass first; of the others the figures are."""
_PACK: Final = 100
"""Cases to a `script` element: what the page reads at once."""
_TITLE: Final = 160
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
        "judge": view.judge,
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
