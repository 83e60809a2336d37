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
from magistrate.evaluation.gate import Check, exit_code
from magistrate.evaluation.laws import LawResult
from magistrate.evaluation.repeats import stability
from magistrate.evaluation.runs.export import summary_dict
from magistrate.evaluation.runs.results import CaseResult, writable
from magistrate.evaluation.runs.run import Run
from magistrate.report.comparison_report import baseline_dict
from magistrate.report.files import replacing
from magistrate.report.html_case import case_data
from magistrate.report.laws_report import laws_dict
from magistrate.report.notices import dataset_name, judge_name, notices
from magistrate.report.stability_report import stability_dict
from magistrate.report.text import clip
from magistrate.report.words import STATUS_WHY, worst_first
from magistrate.verdict import Outcome, StatementVerdict

__all__ = ["MAX_CASES", "write_html"]

MAX_CASES: Final = 10_000
"""Of so many cases the texts are in the report, those that do not pass first; of the others the figures are."""
_PACK: Final = 100
"""Cases to a `script` element: what the page reads at once."""
_TITLE: Final = 160
_SCRIPTS: Final = ("core", "data", "plots", "checks", "overview", "cases", "case", "main")


def write_html(
    run: Run,
    path: Path,
    *,
    checks: Sequence[Check] | None = None,
    baselines: Sequence[Baseline] = (),
    laws: Sequence[LawResult] = (),
    raw: bool = True,
    most: int = MAX_CASES,
) -> Path:
    """Write a run as one HTML file.

    Args:
        run: The run. Its results are read twice, and one pack of cases is held at a time.
        path: The file. It is readable by its owner only, and appears whole or not at all.
        checks: The gated figures; None where nothing was gated.
        baselines: The runs it is compared with; the list of cases can be filtered by the flips of each.
        laws: The laws that were checked.
        raw: Whether to include the raw completions.
        most: Of so many cases to include the texts.

    Raises:
        StoreError: If it cannot be written.
    """
    rows, passed = _rows(run, baselines)
    order = sorted(range(len(rows)), key=lambda place: (passed[place], place))
    detailed = set(order[:most])
    head = _head(run, rows, checks, baselines, laws, detailed=len(detailed), raw=raw)
    with replacing(path) as file:
        for part in _page(run, head, detailed, raw=raw):
            file.write(part.encode("utf-8", "replace"))
    return path


def _page(run: Run, head: Mapping[str, Any], detailed: set[int], *, raw: bool) -> Iterator[str]:
    style, script = _style(), _script()
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{html.escape(clip(dataset_name(run), 80))} - Magistrate</title>\n<style>{style}</style>\n</head>\n"
        '<body>\n<div id="app"><main><p>This report needs JavaScript. It loads nothing from anywhere.</p></main></div>'
        "\n"
    )
    yield _data("head", head)
    yield f"<script>{script}</script>\n"  # before the cases: the overview is there while they are still being read
    pack: dict[int, Any] = {}
    for place, result in enumerate(run.results):
        if place in detailed:
            pack[place] = case_data(result, raw=raw)
        if place % _PACK == _PACK - 1:
            yield from _packed(place // _PACK, pack)
            pack = {}
    yield from _packed(len(run) // _PACK, pack)
    yield "</body>\n</html>\n"


def _packed(number: int, pack: Mapping[int, Any]) -> Iterator[str]:
    if pack:
        yield _data(f"pack-{number}", pack)


def _data(name: str, value: Any) -> str:
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
def _style() -> str:
    return (files("magistrate.report") / "html" / "report.css").read_text("utf-8")


@cache
def _script() -> str:
    parts = [(files("magistrate.report") / "html" / f"{name}.js").read_text("utf-8") for name in _SCRIPTS]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "})();\n"


def _head(
    run: Run,
    rows: list[Any],
    checks: Sequence[Check] | None,
    baselines: Sequence[Baseline],
    laws: Sequence[LawResult],
    *,
    detailed: int,
    raw: bool,
) -> dict[str, Any]:
    gate = None
    if checks is not None:
        gate = {"exit_code": int(exit_code(run.state, checks)), "checks": [asdict(item) for item in checks]}
    return {
        "dataset": dataset_name(run),
        "judge": judge_name(run),
        "run": {
            "state": run.state,
            "message": run.message,
            "header": writable(asdict(run.header)),
            "config_hash": run.header.config_hash,
        },
        "notices": notices(run),
        "gate": gate,
        "summary": summary_dict(run.summary),
        "baselines": [baseline_dict(item) for item in baselines],
        "stability": stability_dict(stability(run)) or None,
        "laws": laws_dict(laws) if laws else None,
        "worst": _worst(run, rows),
        "problems": [[str(problem), rows_with] for problem, rows_with in run.summary.problems],
        "why": {status.value: why for status, why in STATUS_WHY.items()},
        "raw": raw,
        "detailed": detailed,
        "pack": _PACK,
        "rows": rows,
    }


def _rows(run: Run, baselines: Sequence[Baseline]) -> tuple[list[Any], list[bool]]:
    """What the list of cases needs of each, and whether it passes in everything."""
    flips = _flips(baselines)
    rows, passed = [], []
    for key, result in keyed(run.results):
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


def _worst(run: Run, rows: Sequence[Any]) -> dict[str, list[dict[str, Any]]]:
    """For each metric the cases that did worst, with the statement that did."""
    return {
        name: [
            _worst_case(run.results[entry.position], rows[entry.position][0], name, entry.score) for entry in entries
        ]
        for name, entries in run.summary.worst.items()
    }


def _worst_case(result: CaseResult, key: str, name: str, score: float) -> dict[str, Any]:
    worst = min(result.metrics[name].verdicts, key=_badness, default=None)
    found: dict[str, Any] = {"key": key, "score": score, "statement": None}
    if worst is not None:
        verdict = worst.verdict and worst.verdict.value
        found |= {"statement": clip(worst.statement, 2 * _TITLE), "verdict": verdict, "id": worst.id}
        found["probability"] = worst.probability
    return found


def _badness(verdict: StatementVerdict) -> tuple[int, float]:
    return worst_first(verdict.verdict), 1.0 if verdict.probability is None else verdict.probability
