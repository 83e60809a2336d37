"""Every block of README and docs as it stands: a command is run, code is run, a file is read by what reads it.

What a block takes for granted (a run of last week, a parser of yours) is made before it: BEFORE. Programs of others are
stand-ins, an address is that of a test server: LOCAL. What cannot be run here is in NOT_HERE, with what runs it.
"""

import json
import re
import runpy
import socket
import sys

import pytest
import yaml
from tests.running import ran

from magistrate.evaluation.gate import load_gates
from magistrate.metrics.rubrics.metric import load_rubric_metric

from . import pages
from .stand_in import ROOT, installable
from .steps import ACTION, run_action, run_steps

FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in FILES}
BEFORE = {
    "mymodule:": """
cat > mymodule.py <<'END'
import json


def read_verdicts(reply, statements):
    return [row["verdict"] for row in json.loads(reply)["verdicts"]]
END
magistrate fuzz mymodule:read_verdicts --count 100 --write-accept known.json
""",
    "runs/last-week": "magistrate eval cases.jsonl --run .magistrate/runs/last-week",
    "runs/cases-1a2b": "magistrate eval cases.jsonl --run .magistrate/runs/cases-1a2b",
    "data/*.jsonl": "mkdir -p data && cp cases.jsonl data",
    "batch export": "rm -r R; OPENAI_API_KEY= magistrate eval cases.jsonl --model gpt-4o --run R --batch",
    "batch import": """
python - <<'END'
import json
import os
from pathlib import Path
from urllib.request import Request, urlopen

with Path("output.jsonl").open("w") as output:
    for asked in map(json.loads, Path("requests.jsonl").open()):
        body, kind = json.dumps(asked["body"]).encode(), {"Content-Type": "application/json"}
        answer = json.load(urlopen(Request(os.environ["MODEL_URL"] + asked["url"], body, kind)))
        told = {"custom_id": asked["custom_id"], "response": {"status_code": 200, "body": answer}}
        print(json.dumps(told), file=output)
Path("errors.jsonl").touch()
END
""",
    "magistrate calibrate R": """
rm -r R && magistrate eval bundled:all --system naive --metric faithfulness --model offline --run R
yes $'y\\nn' | magistrate label R --n 50
""",
    "magistrate drift": "rm -r R; magistrate eval handbook.jsonl --model gpt-4o-mini --run R; yes | magistrate label R",
    "--pairs 200": """
for n in $(seq 20); do sed 's/"id": "/&'$n-/ handbook.jsonl; done > cases.jsonl
""",
}
LOCAL = {  # the last one: our server tells no probabilities of tokens, which a calibration is made of
    "https://example.azure.com": "$MODEL_URL",
    "http://localhost:8000/v1": "$OPENAI_BASE_URL",
    "/shared/": "shared/",
    "8080": "$PORT",
    "7/64": "1/1",
    "cases.jsonl --model gpt-4o-mini --cal": "bundled:all --system naive --metric faithfulness --model offline --cal",
}
NOT_HERE = {
    "--engine ray": "needs Ray: tests/engines",
    "scheduler:8786": "needs Dask and Spark",
    "ds.map_batches": "needs Ray Data and Daft: tests/engines",
}
# 1: a gate or an audit; 3: it is undecided; 5: a batch is under way. None says that the command could not be run.
SHELL = """
trap 'code=$?; case $code in 1|3|5) ;; *) exit $code;; esac' ERR
trap 'if [ "$(jobs -p)" ]; then kill $(jobs -p); fi' EXIT
"""
MARK = chr(30)
USES = {
    "actions/checkout@v4": {"fetch-depth"},
    "actions/setup-python@v5": {"python-version", "cache"},
    "actions/upload-artifact@v4": {"name", "path"},
    "OWNER/magistrate@v0.2.0": ACTION["inputs"].keys(),
}
STEP = {"id", "name", "if", "uses", "with", "run", "env"}


def blocks(page):
    """The fences of a page: kind, name of the file, text, and the kind of the block that it stands directly below."""
    found, end, last = [], 0, ""
    for match in pages._FENCE.finditer(page):
        kind, name = [*match["info"].split(), "", ""][:2]
        heading = re.match(r"# ([\w-]+\.\w+)\n", match["body"])
        below = last if not page[end : match.start()].strip() else ""
        found.append((kind, name or (heading[1] if heading else ""), match["body"], below))
        end, last = match.end(), kind
    return found


def here(text):
    return not any(one in text for one in NOT_HERE)


def check(parts, printed):
    """What stands below a block is in what it printed."""
    wrong = [
        (told, shown)
        for told, (shown, whole) in zip(printed.split(f"{MARK}\n"), parts, strict=True)
        if (told != shown if whole and shown else any(line not in told for line in shown.splitlines()))
    ]
    assert wrong == []


def shown_below(found, at):
    return (
        found[at + 1][2]
        if at + 1 < len(found) and found[at + 1][3] == found[at][0] and found[at + 1][0] == "text"
        else ""
    )


def prepared(text):
    return "\n".join([*(before for named, before in BEFORE.items() if named in text), text])


def run_shell(script, folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for address, local in LOCAL.items():
        script = script.replace(address, local)
    done = ran("bash", "-c", f"{SHELL}PORT={port}\n{script}", cwd=folder, input="y\n" * 999)
    assert done.returncode in {0, 1, 3, 5}, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page, text in PAGES.items() if {"python", "sh"} & {one[0] for one in blocks(text)}]
)
def test_what_a_page_runs(page, beside_the_examples):
    """Code first, as commands take what it wrote; that of `docs/integrations` is run by `make interop`."""
    folder, found = beside_the_examples, blocks(PAGES[page])
    for kind, name, text, _ in found:
        if name:
            (folder / name).write_text(text if kind != "text" else text.removesuffix("\n"), "utf-8")
    parts = {
        kind: [
            (text, shown_below(found, at))
            for at, (one, name, text, _) in enumerate(found)
            if one == kind and not name and here(text)
        ]
        for kind in ("python", "sh")
    }
    if parts["python"] and "integrations/" not in page:
        code = f"\nprint({MARK!r})\n".join(text for text, _ in parts["python"])
        done = ran(sys.executable, "-W", "error", "-c", code, cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        check([(shown, True) for _, shown in parts["python"]], done.stdout)
    if parts["sh"]:
        script = f"\necho '{MARK}'\n".join(prepared(text) for text, _ in parts["sh"])
        check([(shown, False) for _, shown in parts["sh"]], run_shell(script, folder))


def steps_of(value):
    """The steps of a workflow, of one of its jobs, or as a list."""
    if isinstance(value, list):
        return value
    assert value.keys() <= {"name", True, "permissions", "jobs"}  # YAML takes "on" for True
    assert all(job.keys() <= {"runs-on", "timeout-minutes", "steps"} for job in value["jobs"].values())
    return [step for job in value["jobs"].values() for step in job["steps"]]


WORKFLOWS = [
    *[
        (page, text)
        for page in PAGES
        for kind, _, text, _ in blocks(PAGES[page])
        if kind == "yaml" and re.search(r"^ *- (?:run|uses):", text, re.MULTILINE)
    ],
    ("docs/ci.md", (ROOT / "examples" / "fuzz.yml").read_text("utf-8")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "text"), WORKFLOWS)
def test_the_steps_of_a_workflow(page, text, beside_the_examples, monkeypatch):
    folder, steps = beside_the_examples, steps_of(yaml.safe_load(text))
    for _, name, body, _ in blocks(PAGES[page]) + blocks(PAGES["docs/start/table.md"]):
        if name:
            (folder / name).write_text(body, "utf-8")
    run_shell(prepared(text).removesuffix(text), folder)
    monkeypatch.setenv("GITHUB_BASE_REF", "main")
    values = dict.fromkeys(re.findall(r"\$\{\{ (secrets\.\w+) \}\}", text), "unused")
    values |= {one: one.rpartition("'")[0].rpartition("'")[2] for one in re.findall(r"\$\{\{ (.*\|\| '.*') \}\}", text)}
    for step in steps:
        assert step.keys() <= STEP
        if "uses" in step:
            assert step.get("with", {}).keys() <= USES[step["uses"]]
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
@pytest.mark.parametrize(
    "page", [page for page, text in PAGES.items() if {"yaml", "toml", "json"} & {one[0] for one in blocks(text)}]
)
def test_what_a_page_has_others_read(page, beside_the_examples):
    folder, found = beside_the_examples, blocks(PAGES[page])
    for _, name, text, _ in found:
        if name:
            (folder / name).write_text(text, "utf-8")
    for kind, name, text, _ in found:
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
    found = [(page, *one) for page, text in PAGES.items() for one in blocks(text)]
    assert [one for one in found if one[1] not in kinds] == []
    renewed = {str(path.relative_to(ROOT)) for path in pages.PAGES}
    commands = [(page, text) for page, kind, _, text, _ in found if kind == "console"]
    assert [one for one in commands if one[0] not in renewed or not one[1].startswith("$ magistrate ")] == []


def test_what_cannot_be_run_here_is_there():
    everything = "\n".join(PAGES.values())
    assert [one for one in (*NOT_HERE, *LOCAL) if one not in everything] == []
    for text in (
        text for page in PAGES.values() for kind, _, text, _ in blocks(page) if kind == "python" and not here(text)
    ):
        compile(text, "page", "exec")
