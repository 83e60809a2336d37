"""Runs and results in a notebook: small HTML tables, everything escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from magistrate.evaluation.runs.results import CaseResult
from magistrate.metrics.base import MetricResult
from magistrate.verdict import Verdict

if TYPE_CHECKING:
    from magistrate.evaluation.runs.run import Run

_MOST_ROWS = 50
_LONGEST = 300
_COLOURS = {
    Verdict.SUPPORTED: "#1a7f37",
    Verdict.PARTIALLY_SUPPORTED: "#9a6700",
    Verdict.CONTRADICTED: "#cf222e",
    Verdict.NOT_ENOUGH_INFO: "#9a6700",
    Verdict.UNSUPPORTED: "#cf222e",
}


def run_html(run: Run) -> str:
    """The figures of a run, and its first cases."""
    parts = [f"<p><b>Run</b>: {escape(run.state)}, {len(run)} cases</p>"]
    if run.message:
        parts.append(f"<p>{_text(run.message)}</p>")
    parts.append(
        _table(
            (
                "metric",
                "policy",
                "judge",
                "mean",
                "95 % interval",
                "scored",
                "not scored",
                "pass / fail / inconclusive",
            ),
            [
                (
                    name,
                    m.policy,
                    m.judge,
                    _number(m.mean),
                    f"{m.interval.low:.3f} to {m.interval.high:.3f}" if m.interval else "",
                    f"{m.n_scored} of {m.n}",
                    ", ".join(f"{n} {status.value}" for status, n in m.not_scored.items()),
                    " / ".join(str(n) for n in m.outcomes.values()),
                )
                for name, m in run.summary.metrics.items()
            ],
        )
    )
    shown = run.results[:_MOST_ROWS]
    rows = [
        (r.id, name, m.status.value, _number(m.score), m.outcome.value, m.reason or "")
        for r in shown
        for name, m in r.metrics.items()
    ]
    parts.append(_table(("case", "metric", "status", "score", "outcome", "reason"), rows))
    if len(run) > _MOST_ROWS:
        parts.append(f"<p>The first {_MOST_ROWS} of {len(run)} cases.</p>")
    return "".join(parts)


def result_html(result: CaseResult) -> str:
    """One case: its answer, and the verdict on each statement."""
    parts = [f"<p><b>{_text(result.id)}</b>: {_text(result.case.question or '')}</p>"]
    parts.append(f"<blockquote>{_text(result.case.answer or '')}</blockquote>")
    parts.extend(f"<p>{_text(str(problem))}</p>" for problem in result.problems)
    for name, metric in result.metrics.items():
        parts.append(
            f"<p>{_text(name)}: <b>{escape(metric.status.value)}</b>, score {_number(metric.score)}, "
            f"{escape(metric.outcome.value)}</p>"
        )
        parts.append(_verdicts(metric))
    return "".join(parts)


def _verdicts(metric: MetricResult) -> str:
    rows = []
    for verdict in metric.verdicts:
        word = verdict.verdict.value if verdict.verdict else ", ".join(issue.code.value for issue in verdict.issues)
        colour = _COLOURS[verdict.verdict] if verdict.verdict else "#57606a"
        rows.append(
            f"<tr><td>{_text(verdict.id)}</td><td>{_text(verdict.statement)}</td>"
            f'<td style="color:{colour}">{_text(word)}</td><td>{_text(verdict.reason or "")}</td></tr>'
        )
    head = "".join(f"<th>{name}</th>" for name in ("", "statement", "verdict", "reason"))
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _table(names: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _text(text: str) -> str:
    clipped = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return escape(clipped)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
