"""Every block of README and docs as it stands: a command is run, code is run, a file is read by what reads it.

`blocks.yaml` has what a block takes for granted (a run of last week, a parser of yours), stand-ins for programs of
others and for addresses, and what cannot be run here, with what runs it.
"""

import json
import os
import re
import runpy
import socket
import sys
from pathlib import Path

import pytest
import yaml
from tests.case_tables import cases_of
from tests.running import ran

from magistrate.evaluation.gate import load_gates
from magistrate.metrics.rubrics.metric import load_rubric_metric
from magistrate.testing import LEARNERS, FaultServer

from . import pages
from .pages import ROOT
from .stand_in import installable

cases = cases_of(__file__)
TABLES = yaml.safe_load(Path(__file__).with_name("blocks.yaml").read_text("utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
BLOCKS = {page: pages.blocks(text) for page, text in pages.ALL.items()}
MARK = chr(30)


def here(text):
    return not any(one in text for one in TABLES["not_here"])


def lay_out(found, folder):
    """Write the files that blocks are named for."""
    for kind, name, text, _ in found:
        if name:
            (folder / name).write_text(text.removesuffix("\n") if kind == "text" else text, "utf-8")


def with_one_of(*kinds):
    return [page for page, found in BLOCKS.items() if {*kinds} & {one[0] for one in found}]


def prepared(text):
    return "\n".join([*(before for named, before in TABLES["before"].items() if named in text), text])


def run_shell(script, folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for address, local in TABLES["local"].items():
        script = script.replace(address, local)
    done = ran("bash", "-c", f"{TABLES['shell']}PORT={port}\n{script}", cwd=folder, input="y\n" * 999)
    assert done.returncode in {0, 1, 3, 5}, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout.split(f"{MARK}\n")


@pytest.mark.slow
@pytest.mark.parametrize("page", with_one_of("python", "sh"))
def test_what_a_page_runs(page, beside_the_examples):
    """Code first, as commands take what it wrote; that of `docs/integrations` is run by `make interop`."""
    lay_out(BLOCKS[page], beside_the_examples)
    code, commands = (
        [(text, shown) for one, name, text, shown in BLOCKS[page] if one == kind and not name and here(text)]
        for kind in ("python", "sh")
    )
    if code and "integrations/" not in page:
        program = f"\nprint({MARK!r})\n".join(text for text, _ in code)
        done = ran(sys.executable, "-W", "error", "-c", program, cwd=beside_the_examples)
        assert (done.returncode, done.stderr) == (0, "")
        told = zip(code, done.stdout.split(f"{MARK}\n"), strict=True)
        assert [(shown, one) for (_, shown), one in told if shown not in {"", one}] == []
    if commands:
        script = f"\necho '{MARK}'\n".join(prepared(text) for text, _ in commands)
        told = zip(commands, run_shell(script, beside_the_examples), strict=True)
        assert [(line, one) for (_, shown), one in told for line in shown.splitlines() if line not in one] == []


def run_action(folder, **given):
    """Run the action of this repository: the exit code, the outputs of the steps, and what was printed."""
    inputs = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()} | given
    return run_steps(ACTION["runs"]["steps"], folder, {f"inputs.{name}": value for name, value in inputs.items()})


def run_steps(steps, folder, values, fine=(0,)):
    """Run steps that are commands as a runner does, up to one that ends otherwise, with the expressions' `values`."""
    printed, outputs, code, found = "", folder / "outputs", 0, {}
    own = {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    environment = os.environ | own | {"GITHUB_ACTIONS": "true"}

    def filled(text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match[1]], text)

    for step in (step for step in steps if "run" in step):
        outputs.write_text("", "utf-8")
        done = ran(
            *("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])),
            env=environment | {name: filled(value) for name, value in step.get("env", {}).items()},
            cwd=folder / filled(step.get("working-directory", ".")),
        )
        printed, code, written = printed + done.stdout + done.stderr, done.returncode, outputs.read_text("utf-8")
        told = dict(re.findall(r"^([\w-]+)=(.*)$", written, re.MULTILINE))
        long = re.findall(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", written, re.MULTILINE | re.DOTALL)
        told |= {name: value for name, _, value in long}
        found |= told
        values = values | {f"steps.{step.get('id')}.outputs.{name}": value for name, value in told.items()}
        if code not in fine:
            break
    return code, found, printed


@pytest.mark.slow
@pytest.mark.parametrize(("threshold", "code"), [("0.1", 0), ("0.99", 1)])
@pytest.mark.parametrize("judge", ["offline", "model"])
def test_a_gate_decides_the_step_of_the_action(beside_the_examples, judge, threshold, code):
    with FaultServer(LEARNERS) as server:
        model = f"openai/m --api-base {server.openai_url} --model-arg api_key=k" if judge == "model" else judge
        arguments = f"handbook.jsonl --model {model} --threshold {threshold} --run 'a run'"
        found, outputs, printed = run_action(beside_the_examples, command="eval", arguments=arguments, install="")
    assert (found, outputs["exit-code"], outputs["run"]) == (code, str(code), "a run"), printed
    assert outputs["outcome"] == ("fail" if code else "pass")
    assert (beside_the_examples / "summary.md").read_text("utf-8")
    assert bool(server.stats.calls) is (judge == "model")


@pytest.mark.slow
@cases("blocks: the action runs a command")
def test_the_action_runs_a_command_with_no_shell(given, codes, said, beside_the_examples):
    code, outputs, printed = run_action(beside_the_examples, **given)
    assert (code in codes, outputs["exit-code"]) == (True, str(code)), printed
    assert said in printed
    assert not (beside_the_examples / "made").exists()


@pytest.mark.slow
def test_the_action_runs_nothing_where_what_is_named_cannot_be_installed(beside_the_examples):
    found, _, printed = run_action(beside_the_examples, command="policies", install="./no-such-folder")
    assert (found, "strict" in printed) == (1, False)


def test_the_action_names_only_outputs_that_there_are():
    assert {name: out["value"] for name, out in ACTION["outputs"].items()} == {
        name: f"${{{{ steps.run.outputs.{name} }}}}" for name in ACTION["outputs"]
    }


def steps_of(value):
    """The steps of a workflow, of one of its jobs, or as a list."""
    if isinstance(value, list):
        return value
    assert value.keys() <= {"name", True, "permissions", "jobs"}  # YAML takes "on" for True
    assert all(job.keys() <= {"runs-on", "timeout-minutes", "steps"} for job in value["jobs"].values())
    return [step for job in value["jobs"].values() for step in job["steps"]]


RUNS = re.compile(r"^ *- (?:run|uses):", re.MULTILINE)
WORKFLOWS = [
    *((page, one[2]) for page, found in BLOCKS.items() for one in found if one[0] == "yaml" and RUNS.search(one[2])),
    ("docs/ci.md", (ROOT / "examples" / "fuzz.yml").read_text("utf-8")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "text"), WORKFLOWS)
def test_the_steps_of_a_workflow(page, text, beside_the_examples, monkeypatch):
    folder, steps = beside_the_examples, steps_of(yaml.safe_load(text))
    lay_out(BLOCKS[page] + BLOCKS["docs/start/table.md"], folder)
    run_shell(prepared(text).removesuffix(text), folder)
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    values = dict.fromkeys(re.findall(r"\$\{\{ (secrets\.\w+) \}\}", text), "unused")
    values |= {one: one.rpartition("'")[0].rpartition("'")[2] for one in re.findall(r"\$\{\{ (.*\|\| '.*') \}\}", text)}
    for step in steps:
        assert step.keys() <= set(TABLES["step"])
        if "uses" in step:
            assert step.get("with", {}).keys() <= set(TABLES["uses"][step["uses"]] or ACTION["inputs"])
    code, _, printed = run_steps(steps, folder, values, fine={0, 1, 3})
    assert code in {0, 1, 3}, printed
    for given in (step["with"] for step in steps if step.get("uses", "").startswith("OWNER/")):
        assert installable(given.get("install", "magistrate"))
        code, _, printed = run_action(folder, **given | {"install": ""})
        assert code in {0, 1}, printed


def read_promptfoo(value, folder):
    """The functions of ours that a configuration names take what it gives them."""
    provider = value["defaultTest"]["options"]["provider"]
    *_, asserted = value["defaultTest"]["assert"]
    call_api = runpy.run_path(folder / provider["id"].removeprefix("file://"))["call_api"]
    get_assert = runpy.run_path(folder / asserted["value"].removeprefix("file://"))["get_assert"]
    assert call_api("Is it open?", provider, {})["output"]
    said = {"query": "When?", "context": "It opens at six."}
    assert get_assert("It opens at six.", {"vars": said, "config": asserted["config"]})["namedScores"]


def read_hooks(value, folder):
    """The commands of hooks of pre-commit run."""
    for hook in (hook for repository in value for hook in repository["hooks"]):
        assert hook.keys() >= {"id", "name", "language", "entry"}
        assert all(map(installable, hook["additional_dependencies"]))
        run_shell(prepared(hook["entry"]), folder)


@pytest.mark.slow
@pytest.mark.parametrize("page", with_one_of("yaml", "toml", "json"))
def test_what_a_page_has_others_read(page, beside_the_examples):
    folder = beside_the_examples
    lay_out(BLOCKS[page], folder)
    for kind, name, text, _ in BLOCKS[page]:
        if kind == "json":
            json.loads(text)
        elif kind == "toml":
            (load_rubric_metric if "criteria" in text else load_gates)(folder / name)
        elif kind == "yaml" and (page, text) not in WORKFLOWS:
            [value, *_] = yaml.safe_load_all(text)
            if "replies" in value:
                assert page == "docs/readings.md"  # tests/parsing/test_stored.py reads every reply
            elif "defaultTest" in value:
                read_promptfoo(value, folder)
            elif isinstance(value, list):
                read_hooks(value, folder)
            else:
                assert value.keys() == {"id", "config"}  # the stand-in for promptfoo calls it


def test_every_block_is_of_a_kind_that_is_run_or_read():
    kinds = {"python", "sh", "console", "text", "mermaid", "yaml", "toml", "json"}
    found = [(page, kind, text) for page, blocks in BLOCKS.items() for kind, _, text, _ in blocks]
    assert [one for one in found if one[1] not in kinds] == []
    renewed = [str(path.relative_to(ROOT)) for path in pages.PAGES]
    commands = [(page, text) for page, kind, text in found if kind == "console"]
    assert [one for one in commands if one[0] not in renewed or not one[1].startswith("$ magistrate ")] == []


def test_what_cannot_be_run_here_is_there():
    everything = "\n".join(pages.ALL.values())
    assert [one for one in (*TABLES["not_here"], *TABLES["local"]) if one not in everything] == []
    for kind, _, text, _ in (one for found in BLOCKS.values() for one in found):
        if kind == "python" and not here(text):
            compile(text, "page", "exec")
