"""Steps of GitHub Actions, run as a runner does."""

import os
import re

import yaml
from tests.running import ran

from .stand_in import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def run_action(folder, **given):
    """Run the action of this repository: the exit code, the outputs of the steps, and what was printed."""
    inputs = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()} | given
    return run_steps(ACTION["runs"]["steps"], folder, {f"inputs.{name}": value for name, value in inputs.items()})


def run_steps(steps, folder, values, fine=(0,)):
    """Run those steps that are commands, up to one that ends otherwise; `values` are the expressions that are known."""
    printed, outputs, code = "", folder / "outputs", 0
    values = dict(values)
    environment = {
        **os.environ,
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(outputs),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }

    def filled(text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match[1]], text)

    found = {}
    for step in (step for step in steps if "run" in step):
        outputs.write_text("", "utf-8")
        done = ran(
            *("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])),
            env=environment | {name: filled(value) for name, value in step.get("env", {}).items()},
            cwd=folder / filled(step.get("working-directory", ".")),
        )
        printed, code = printed + done.stdout + done.stderr, done.returncode
        told = _outputs(outputs.read_text("utf-8"))
        found |= told
        values |= {f"steps.{step.get('id')}.outputs.{name}": value for name, value in told.items()}
        if code not in fine:
            break
    return code, found, printed


def _outputs(written):
    """What a step wrote as its outputs: a line each, or lines up to a mark."""
    plain = re.findall(r"^([\w-]+)=(.*)$", written, re.MULTILINE)
    long = re.findall(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", written, re.MULTILINE | re.DOTALL)
    return dict([*plain, *((name, value) for name, _, value in long)])
