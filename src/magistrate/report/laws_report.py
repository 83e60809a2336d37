"""Laws of the evaluation: for the terminal, and as JSON holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from magistrate.evaluation.laws import LAWS, LawResult, categorical
from magistrate.report.text import clip

__all__ = ["laws_dict", "print_laws"]

_SHOWN = 3
_STYLE = {"PASS": "green", "FAIL": "bold red", "NOT RUN": "dim"}


def print_laws(laws: Sequence[LawResult], console: Console) -> None:
    """Print how well each law was kept, and the first cases that broke it."""
    console.print()
    console.print(Text("Laws of the evaluation", style="bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, show_edge=False)
    for law in laws:
        rate = "" if law.rate is None else f"{law.violations} of {law.checked} broken"
        allowed = f", {law.tolerance:.0%} allowed" if law.kind == "measured" and law.rate is not None else ""
        unknown = f", {law.unknown} unknown" if law.unknown else ""
        table.add_row(law.law, Text(law.status, style=_STYLE[law.status]), law.kind, f"{rate}{allowed}{unknown}")
    console.print(table)
    for law in laws:
        if law.status == "FAIL":
            console.print(Text(f"{law.law}: {LAWS[law.law]}, but", style="red"))
            for offence in law.offending[:_SHOWN]:
                console.print(Text(f"  {clip(offence.case, 60)}  {clip(offence.detail, 160)}"))
            if law.violations > _SHOWN:
                console.print(f"  and {law.violations - _SHOWN} more")


def laws_dict(laws: Sequence[LawResult]) -> dict[str, Any]:
    """The laws as `categorical_tests` of a report: each with its status, its rate and the offending cases."""
    statuses = categorical(laws)
    return {
        name: {"status": status, "law": LAWS[name], **{law.kind: _law(law) for law in laws if law.law == name}}
        for name, status in statuses.items()
    }


def _law(law: LawResult) -> dict[str, Any]:
    return {
        "status": law.status,
        "checked": law.checked,
        "violations": law.violations,
        "unknown": law.unknown,
        "rate": law.rate,
        "tolerance": law.tolerance,
        "offending": [{"case": offence.case, "detail": offence.detail} for offence in law.offending],
    }
