"""`magistrate eval`: the main job."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from magistrate.cli.options import (
    LogJson,
    LogLevel,
    MinCoverage,
    NoRaw,
    Output,
    Prices,
    Rpm,
    Threshold,
    Tpm,
    Trace,
    Verbose,
    model_arguments,
    model_prices,
    start_logging,
    start_tracing,
)

if TYPE_CHECKING:
    from magistrate.cli.invocation import Invocation
    from magistrate.evaluation.comparison import Baseline
    from magistrate.evaluation.gate import Gate
    from magistrate.evaluation.laws import LawResult
    from magistrate.evaluation.runs.run import Run

__all__ = ["EXIT_CODES", "HELP", "eval_"]

HELP = "Judge the cases of a dataset, print the figures, write a report."

EXIT_CODES = (
    "Exit codes: 0 the run completed and its gates passed (without --threshold, --min-coverage or --regression there "
    "is no gate); 1 a gate fails for certain; 2 usage or input error; 3 a gate cannot be decided, because scores are "
    "missing, or the judge's provider is down; 4 the budget was spent or the run was interrupted."
)


def eval_(  # noqa: PLR0917 - the options of a command line
    dataset: Annotated[
        str | None,
        typer.Argument(
            help='The cases: JSONL, JSON, CSV, TSV, YAML or Parquet, also gzipped; "-" for standard input; '
            "bundled:all, bundled:legal, bundled:research, bundled:technical.",
        ),
    ] = None,
    dataset_option: Annotated[
        str | None, typer.Option("--dataset", metavar="DATASET", help="The same as the argument.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="The judge: offline (default: word overlap, no key needed), a LiteLLM model name, "
            "local:/path/model.gguf, or nli:/path/folder (an entailment model).",
        ),
    ] = None,
    api_base: Annotated[
        str | None, typer.Option(help="Address of the provider, if not its usual one.", metavar="URL")
    ] = None,
    model_arg: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="A parameter for LiteLLM, such as seed=7 or api_version=2026-01-01; the value may be JSON.",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What to measure: faithfulness (default) or others, see `magistrate metrics`. Repeatable. Also "
            "rubric:FILE.toml and module:name.",
        ),
    ] = None,
    policy: Annotated[str, typer.Option(help="How verdicts become a score; see `magistrate policies`.")] = "strict",
    decompose: Annotated[
        str, typer.Option(help="Statements to judge: claims (a judge extracts them) or sentences.")
    ] = "claims",
    mode: Annotated[str, typer.Option(help="batched, or single: one call extracts and judges.")] = "batched",
    batch_size: Annotated[
        int | None, typer.Option(help="Statements per call; 1 asks about each on its own.", min=1)
    ] = None,
    scale: Annotated[str, typer.Option(help="Verdicts to choose from: ternary, binary or graded.")] = "ternary",
    truths_limit: Annotated[
        int | None, typer.Option(help="Extract at most so many truths per context first, as DeepEval does.", min=1)
    ] = None,
    quotes: Annotated[
        bool, typer.Option("--quotes/--no-quotes", help="Ask the model for quotes, and look them up in the contexts.")
    ] = False,
    reason: Annotated[
        bool, typer.Option("--reason/--no-reason", help="Compose a reason for each score (no call).")
    ] = True,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Judge the answers of another system: one that the dataset has answers of, or module:function.",
        ),
    ] = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BASELINE",
            help="Compare with a run (folder or report.json), a dataset, a system of the dataset (naive-rag), or "
            "module:function. Repeatable; gates take the first.",
        ),
    ] = None,
    gate: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Gates from a TOML file, or vera or seeds; see docs/gates.md."),
    ] = None,
    threshold: Threshold = None,
    min_coverage: MinCoverage = None,
    regression: Annotated[bool, typer.Option("--regression", help="Fail if the mean is below --threshold.")] = False,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Read a field from a column of another name."),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="Of the dataset: jsonl, json, csv, tsv, yaml, parquet (default: from the name). Of the report: vera.",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Take only the first cases.", min=1)] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Take ten cases, some of every category (with --limit, of the first ones).")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the choice of --quick.")] = 0,
    concurrency: Annotated[int, typer.Option(help="Cases judged at a time.", min=1)] = 16,
    repeat: Annotated[
        int, typer.Option(metavar="N", help="Judge each case N times: the majority counts; the noise is shown.", min=1)
    ] = 1,
    laws: Annotated[
        bool, typer.Option("--laws", help="Then put variants of cases to the judge: see `magistrate laws`.")
    ] = False,
    rpm: Rpm = None,
    tpm: Tpm = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print the calls, tokens and cost to expect, and stop: no call is made.")
    ] = False,
    prices: Prices = None,
    rephrase_refusals: Annotated[
        bool, typer.Option("--rephrase-refusals", help="Put a refused question once more, in other words.")
    ] = False,
    budget: Annotated[
        float | None, typer.Option(help="Most US dollars to spend in this invocation.", metavar="USD", min=0)
    ] = None,
    max_calls: Annotated[int | None, typer.Option(help="Most calls to make in this invocation.", min=0)] = None,
    run: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Keep the run here, not in .magistrate/runs.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run of this configuration; judge nothing twice.")
    ] = False,
    cache: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Share raw completions here, not in the run's folder.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep no raw completions for reuse.")] = False,
    no_store: Annotated[
        bool, typer.Option("--no-store", help="Keep no text: ids, verdicts and numbers alone; no cache.")
    ] = False,
    redact: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION", help="Runs over every text of a case before any call: takes a text, gives one."
        ),
    ] = None,
    output: Output = None,
    no_raw: NoRaw = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no table.")] = False,
    verbose: Verbose = False,
    log_level: LogLevel = None,
    log_json: LogJson = False,
    trace: Trace = False,
) -> None:
    """Judge the cases of a dataset."""
    from magistrate.cli.gates import baselines_of, check_drops, default_metrics, read_gates  # noqa: PLC0415
    from magistrate.cli.invocation import carry_out  # noqa: PLC0415
    from magistrate.cli.judging import JudgeOptions, MetricOptions, plan_run  # noqa: PLC0415
    from magistrate.evaluation.cases.answer_sources import user_function  # noqa: PLC0415
    from magistrate.evaluation.cases.selection import QUICK  # noqa: PLC0415
    from magistrate.evaluation.plan import RunOptions  # noqa: PLC0415
    from magistrate.report.outputs import check_outputs  # noqa: PLC0415

    source = _one_dataset(dataset, dataset_option)
    vera = _known_format(format_) == "vera"
    gates = read_gates(gate, threshold, min_coverage, regression)
    if gates is not None and model is None:
        raise typer.BadParameter(
            "a gate needs an explicit judge, such as --model gpt-4o or --model offline", param_hint="--model"
        )
    if cache and no_cache:
        raise typer.BadParameter("--cache and --no-cache exclude each other", param_hint="--no-cache")
    if no_store and (cache or laws):
        raise typer.BadParameter("--cache and --laws need the texts of cases", param_hint="--no-store")
    if quick and limit is not None and limit <= QUICK:
        typer.echo(f"magistrate: --quick takes {QUICK} of the first {limit} cases (--limit): all of them", err=True)
    start_logging(log_level, verbose, log_json)
    start_tracing(trace)
    check_outputs(output or ())
    plan, baselines = plan_run(
        source,
        JudgeOptions(
            model="offline" if model is None else model,
            api_base=api_base,
            params=model_arguments(model_arg),
            quotes=quotes,
            batch_size=batch_size,
            cache=cache,
            no_cache=no_cache or no_store,
            budget=budget,
            max_calls=max_calls,
            rpm=rpm,
            tpm=tpm,
            prices=model_prices(prices),
            rephrase_refusals=rephrase_refusals,
        ),
        MetricOptions(
            names=metric or default_metrics(source, gates, vera=vera),
            threshold=threshold,
            policy=policy,
            decompose=decompose,
            mode=mode,
            batch_size=batch_size,
            scale=scale,
            truths_limit=truths_limit,
            reason=reason,
        ),
        RunOptions(
            run=run,
            resume=resume,
            concurrency=concurrency,
            limit=limit,
            quick=quick,
            seed=seed,
            mapping=map_,
            format=None if vera else format_,
            repeat=repeat,
            store_text=not no_store,
            redact=None if redact is None else user_function(redact, "one that takes a text and returns a text"),
        ),
        system=system,
        baselines=baselines_of(baseline, source, system, gates),
        estimate=estimate,
    )
    if estimate:
        from magistrate.cli.estimate import put_estimate  # noqa: PLC0415

        put_estimate(plan, baselines, cached=not (no_cache or no_store), budget=budget, max_calls=max_calls)
        return
    check_drops(gates, plan, baselines)
    outcome = carry_out(plan, baselines, laws=laws, quiet=quiet)
    code = _conclude(outcome, gates, output=output, raw=not no_raw, quiet=quiet, vera=vera)
    if outcome.error is not None:
        raise outcome.error
    raise typer.Exit(code)


def _known_format(name: str | None) -> str | None:
    from magistrate.evaluation.readers.files import FORMATS  # noqa: PLC0415

    known = [*FORMATS, "vera"]
    if name is not None and name not in known:
        near = get_close_matches(name.casefold(), known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise typer.BadParameter(
            f"unknown format {name[:40]!r}.{hint} Of the dataset: {', '.join(FORMATS)}; of the report: vera",
            param_hint="--format",
        )
    return name


def _one_dataset(argument: str | None, option: str | None) -> str:
    if argument and option and argument != option:
        raise typer.BadParameter("give the dataset once: as an argument or with --dataset", param_hint="DATASET")
    source = argument or option
    if not source:
        raise typer.BadParameter('missing: a path, "-" for standard input, or bundled:all', param_hint="DATASET")
    return source


def _conclude(
    outcome: Invocation,
    gates: list[Gate] | None,
    *,
    output: list[str] | None,
    raw: bool,
    quiet: bool,
    vera: bool,
) -> int:
    from magistrate.cli.outputs import put_out  # noqa: PLC0415
    from magistrate.errors import DatasetError  # noqa: PLC0415
    from magistrate.evaluation.comparison import comparable, compare_with  # noqa: PLC0415
    from magistrate.evaluation.gate import check, exit_code  # noqa: PLC0415
    from magistrate.evaluation.laws import exact_laws  # noqa: PLC0415
    from magistrate.evaluation.repeats import noise_of  # noqa: PLC0415
    from magistrate.report.outputs import report_kind  # noqa: PLC0415

    run, compared = outcome.run, outcome.compared
    if not len(run) and run.state == "complete":
        raise DatasetError("the dataset holds no cases")
    baselines = [compare_with(run, other, name) for name, other in compared]
    laws = [*exact_laws(run.results), *outcome.laws] if outcome.laws or vera else []
    checks = None
    if gates is not None:
        if compared and any(gate.max_drop is not None for gate in gates):
            comparable(compared[0][1], run)
        elif not compared and outcome.state != "complete":  # it was stopped before there was anything to compare with
            gates = [replace(gate, max_drop=None) for gate in gates]
        checks = check(run.summary, gates, baselines[0] if baselines else None, noise_of(run))
    given: list[str | Path] = [*(output or ())]
    for_vera = [path for path in given if vera and report_kind(path) == "json"]
    outputs = [path for path in given if path not in for_vera]
    if run.path and "json" not in {report_kind(path) for path in outputs}:
        outputs.insert(0, run.path / "report.json")
    piped = vera and not for_vera
    if vera:
        _put_vera(run, baselines, laws, for_vera, printed=piped and not quiet)
    put_out(run, checks, outputs, baselines=baselines, laws=laws, raw=raw, quiet=quiet or piped)
    if quiet and outcome.state == "judge_down":
        down = next(one for one in (run, *(other for _, other in compared)) if one.state == "judge_down")
        typer.echo(f"magistrate: {down.message}", err=True)
    return int(exit_code(outcome.state, checks))


def _put_vera(
    run: Run, baselines: list[Baseline], laws: list[LawResult], paths: list[str | Path], *, printed: bool
) -> None:
    from magistrate.evaluation.laws import categorical  # noqa: PLC0415
    from magistrate.report.outputs import replacing  # noqa: PLC0415
    from magistrate.report.text import printable_json  # noqa: PLC0415
    from magistrate.report.vera import VERA_LAWS, vera_json  # noqa: PLC0415

    shown = {law: status for law, status in categorical(laws).items() if law in VERA_LAWS}
    text = vera_json(run, baseline=baselines[0] if baselines else None, categorical=shown)
    for path in paths:
        with replacing(Path(path)) as file:
            file.write(f"{text}\n".encode())
    if printed:
        typer.echo(printable_json(text))
