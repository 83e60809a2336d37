"""Stands in for the programs that pages name beside ours: installs nothing, and checks what it was asked for."""

import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
OTHERS = {"opentelemetry-distro", "opentelemetry-exporter-otlp"}


def installable(requirement):
    """Whether this tree makes a distribution of this name with these extras."""
    name, bracket, extras = requirement.partition("[")
    asked = (
        Requirement(f"magistrate[{extras}" if bracket else "magistrate") if name == "." else Requirement(requirement)
    )
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    return asked.name in OTHERS or (asked.name in {"magistrate", "magistrate-core"} and asked.extras <= known.keys())


def pip(install, *arguments):
    """Whether pip could install what is named."""
    asked = [one for one in arguments if not one.startswith("-")]
    return install == "install" and asked and all(map(installable, asked))


def make(*targets):
    """Whether the Makefile has these targets."""
    done = subprocess.run(["/usr/bin/make", "-n", "-C", ROOT, *targets], check=False, stdout=subprocess.DEVNULL)
    return done.returncode == 0


def git(show, place):
    """Print a file as another branch has it: here as it is."""
    branch, _, name = place.partition(":")
    print(Path(name).read_text("utf-8"), end="")  # noqa: T201
    return (show, branch) == ("show", "origin/main")


def promptfoo(*arguments):
    """Have the grader of a provider's file answer, as promptfoo does."""
    command, option, provider = arguments
    given = yaml.safe_load(Path(provider.removeprefix("file://")).read_text("utf-8"))
    call_api = runpy.run_path(given["id"].removeprefix("python:"))["call_api"]
    told = call_api("Is it open?", {"config": given["config"]}, {})
    return (command, option) == ("eval", "--grader") and told["output"]


def opentelemetry_instrument(program, *arguments):
    """Run a program of ours with a tracer provider."""
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider

    from magistrate.cli import run

    trace.set_tracer_provider(TracerProvider())
    return program == "magistrate" and run(list(arguments)) == 0


if __name__ == "__main__":
    sys.exit(not globals()[sys.argv[1].replace("-", "_")](*sys.argv[2:]))
