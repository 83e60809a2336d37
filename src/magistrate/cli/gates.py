"""What follows from the gates of a command line: what is measured, what it is compared with, what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from magistrate.evaluation.gate import Gate
    from magistrate.evaluation.plan import Plan
    from magistrate.evaluation.runs.run import Run

__all__ = ["baselines_of", "check_drops", "default_metrics", "read_gates"]


def read_gates(
    file: str | None, threshold: float | None, min_coverage: float | None, regression: bool
) -> list[Gate] | None:
    """The gates of a file and those of the command line; None where there is none.

    Raises:
        ConfigurationError: If the file is no file of gates.
    """
    from magistrate.evaluation.gate import Gate, load_gates  # noqa: PLC0415

    if regression and threshold is None:
        raise typer.BadParameter("needs --threshold, such as --regression --threshold 0.85", param_hint="--regression")
    gates = [] if file is None else load_gates(file)
    if threshold is not None or min_coverage is not None:
        gates.append(Gate(threshold=threshold, min_coverage=min_coverage, gate_mean=threshold is not None))
    return gates or None


def default_metrics(source: str, gates: list[Gate] | None, *, vera: bool) -> list[str]:
    """What is measured where nothing is said: what the gates are about; the metrics of VERA's report."""
    gated = [gate.metric for gate in gates or () if gate.metric]
    wanted = ["vera"] if vera or (source.startswith("bundled:") and not gated) else []
    return [*wanted, *gated] or ["faithfulness"]


def baselines_of(given: list[str] | None, source: str, system: str | None, gates: list[Gate] | None) -> list[str]:
    """What a run is compared with: the bundled cases, which have several systems' answers, with naive RAG."""
    drops = any(gate.max_drop is not None for gate in gates or ())
    if given or not source.startswith("bundled:") or system is not None:
        return given or []
    return ["naive-rag"] if not gates or drops else []


def check_drops(gates: list[Gate] | None, plan: Plan, baselines: list[tuple[str, Run | Plan]]) -> None:
    """Refuse, before anything is spent, a gate on a drop that cannot be measured."""
    from magistrate.errors import ConfigurationError  # noqa: PLC0415
    from magistrate.evaluation.comparison import refused_differences  # noqa: PLC0415
    from magistrate.evaluation.runs.run import Run  # noqa: PLC0415

    measured = {metric.name for metric in plan.metrics}
    for gate in gates or ():
        if gate.metric is not None and gate.metric not in measured:
            raise ConfigurationError(f"the gate asks for {gate.metric}, which is not measured: --metric {gate.metric}")
        if gate.max_drop is None:
            continue
        if not baselines:
            raise ConfigurationError(
                f"the gate allows {gate.metric} a drop of {gate.max_drop:g}, but against what? Give a --baseline"
            )
        name, first = baselines[0]
        if isinstance(first, Run) and (found := refused_differences(first.header.config, plan.header.config)):
            raise ConfigurationError(
                f"{name} was judged differently, so a drop cannot be measured against it: {'; '.join(found)}"
            )
