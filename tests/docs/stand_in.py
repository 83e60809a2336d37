"""Stands in for the programs that pages name beside ours: installs nothing, and checks what it was asked for."""

import runpy
import sys
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement

OTHERS = {"opentelemetry-distro", "opentelemetry-exporter-otlp"}


def installable(requirement):
    """Whether this tree makes a distribution of this name with these extras."""
    asked = Requirement(f"magistrate{requirement[1:]}" if requirement.partition("[")[0] == "." else requirement)
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    known = asked.name in {"magistrate", "magistrate-core"} and asked.extras <= project["optional-dependencies"].keys()
    return known or asked.name in OTHERS


def pip(install, *arguments):
    """Whether pip could install what is named."""
    asked = [one for one in arguments if not one.startswith("-")]
    return install == "install" and asked and all(map(installable, asked))


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
    sys.exit(not globals()[sys.argv[1]](*sys.argv[2:]))
