"""Keys planted everywhere a key can stand, and searched for in everything that is written or raised."""

import json
import logging
import os
import pickle
import sqlite3
import sys
import traceback
from dataclasses import replace
from pathlib import Path

import pytest
from tests.running import ran

from magistrate.case import Case
from magistrate.cli import run
from magistrate.completion.retry import RetryPolicy
from magistrate.errors import MagistrateError
from magistrate.evaluation.api import evaluate
from magistrate.judges.llm import LLMJudge
from magistrate.log import configure
from magistrate.testing import Fault, FaultServer

PLANTED = {
    "api_key": "plainkeyword-8412-aardvark",
    "env": "environment-6633-badger",
    "header": "headersecret-7751-cormorant",
    "authorization": "authorization-9924-dormouse",
    "argument": "argumentkey-1187-echidna",
    "userinfo": "userinfopass-5540-falcon",
    "query": "queryparameter-2275-gannet",
}
CASE = {"id": "c1", "answer": "The gate is green.", "contexts": ["The gate is green and the wall is low."]}
FAULTS = {
    "none": None,
    "401": lambda call: Fault(status=401, message=f"Incorrect API key provided: {_sent(call)}"),
    "400": lambda call: Fault(status=400, message=f"bad header {call.headers.get('x-team-secret')} {_sent(call)}"),
    "429": lambda call: Fault(status=429, message=f"limit of {_sent(call)} reached, {call.headers}"),
    "500": lambda call: Fault(status=500, message=f"dump: {dict(call.headers)}"),
    "body": lambda call: Fault(body=json.dumps(dict(call.headers)).encode()),
    "reset": lambda _: Fault(http=_reset),
    "reply": lambda call: Fault(text=lambda _: f"I was called with {_sent(call)} and {dict(call.headers)}"),
}


def _sent(call):
    return call.headers.get("authorization", "").removeprefix("Bearer ")


def _reset(reply):
    return replace(reply, reset=True)


@pytest.fixture(autouse=True)
def _planted(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    yield
    for handler in list(logging.getLogger("magistrate").handlers):
        logging.getLogger("magistrate").removeHandler(handler)
    logging.getLogger("magistrate").setLevel(logging.NOTSET)
    logging.getLogger("magistrate").propagate = True


def everything(folder):
    """All files, and what the databases among them hold."""
    parts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            parts.append(path.read_bytes().decode("utf-8", "replace"))
            if path.suffix == ".sqlite3":
                with sqlite3.connect(path) as database:
                    parts.append(str(database.execute("SELECT * FROM completions").fetchall()))
                database.close()
    return "\n".join(parts)


def assert_clean(text, *, allowed=()):
    for place, secret in PLANTED.items():
        if place not in allowed:
            assert secret not in text, (
                f"the key planted as {place} is in: ...{text[max(0, text.find(secret) - 200) :][:260]}"
            )


def with_userinfo(url):
    return url.replace("://", f"://user:{PLANTED['userinfo']}@") + f"?team=a&subscription-key={PLANTED['query']}"


@pytest.mark.parametrize(
    ("fault", "as_json", "userinfo"),
    [*((fault, at % 2 == 0, False) for at, fault in enumerate(FAULTS)), ("none", True, True)],
)
def test_in_python_logs_errors_pickles_runs_and_caches_have_none(fault, as_json, userinfo, tmp_path, capsys):
    configure("debug", json=as_json)
    raised = ""
    with FaultServer(faults=FAULTS[fault]) as server:
        judge = LLMJudge(
            "openai/own",
            api_base=with_userinfo(server.openai_url) if userinfo else server.openai_url,
            api_key=PLANTED["api_key"],
            params={
                "extra_headers": {
                    "x-team-secret": PLANTED["header"],
                    "x-auth": f"Bearer {PLANTED['authorization']}",
                },
                "extra_body": {"api_key": PLANTED["argument"]},
            },
            retry=RetryPolicy(attempts=2, limited_attempts=2, base=0.01, longest=0.02, patience=1),
            timeout=5,
            cache=tmp_path / "cache",
        )
        try:
            run = evaluate([Case(**CASE)], judge=judge, run=tmp_path / "run")
            run.save(tmp_path / "report.json")
            raised += str(run.results[0].to_dict()) + repr(run) + str(run.message)
        except MagistrateError as error:
            raised += "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
            raised += str(pickle.dumps(error)) + repr(pickle.loads(pickle.dumps(error)))
            raised += repr(error.__cause__)
        finally:
            judge.close_sync()
        raised += repr(judge) + str(judge.describe())
        assert server.stats.calls > 0 or userinfo
    out, err = capsys.readouterr()
    assert_clean(out + err)
    # A model that says a key in its reply has said it: the raw reply is kept as it is.
    assert_clean(raised + everything(tmp_path), allowed=("api_key",) if fault == "reply" else ())


def test_a_provider_that_is_down_is_named_without_the_keys_in_its_address(tmp_path, capsys):
    configure("debug")
    retry = RetryPolicy(base=0, longest=0, patience=0.1)
    judge = LLMJudge("openai/own", api_base=with_userinfo("http://127.0.0.1:9/v1"), api_key="unused", retry=retry)
    run = evaluate([Case(**CASE)], judge=judge, run=tmp_path / "run")
    judge.close_sync()
    run.save(tmp_path / "report.json")
    assert "is down" in str(run.message)
    out, err = capsys.readouterr()
    assert_clean(out + err + str(run.message) + everything(tmp_path))


def command(base):
    """The options of `magistrate eval` with a key in each of them that takes one, and every output."""
    headers = json.dumps({"x-team-secret": PLANTED["header"], "x-auth": f"Bearer {PLANTED['authorization']}"})
    Path("cases.jsonl").write_text(json.dumps(CASE) + "\n")
    options = ["eval", "cases.jsonl", "--model", "openai/own", "--api-base", base]
    options += ["--model-arg", f"extra_headers={headers}", "--model-arg", f"api_key={PLANTED['argument']}"]
    options += ["--log-json", "--log-level", "debug"]
    for name in ("r.json", "r.html", "r.xml", "r.md", "r.csv"):
        options += ["--output", f"out/{name}"]
    return options


class TestOnTheCommandLine:
    @pytest.mark.slow
    def test_nothing_that_a_process_prints_logs_or_writes_has_one(self, tmp_path):
        with FaultServer() as server:
            keys = {**os.environ, "OPENAI_API_KEY": PLANTED["env"]}
            done = ran(sys.executable, "-m", "magistrate", *command(server.openai_url), env=keys, timeout=120)
            assert server.stats.calls > 0
        assert done.returncode == 0
        assert "Traceback" not in done.stderr
        assert_clean(done.stdout + done.stderr)
        assert_clean(everything(tmp_path))
        assert (tmp_path / "out" / "r.html").exists()
        assert any('"event"' in line for line in done.stderr.splitlines())

    @pytest.mark.parametrize("fault", ["401", "400", "reply"])
    def test_nor_has_what_is_said_when_the_provider_repeats_them(self, fault, tmp_path, monkeypatch, capfd):
        monkeypatch.setenv("OPENAI_API_KEY", PLANTED["env"])
        with FaultServer(faults=FAULTS[fault]) as server:
            code = run(command(server.openai_url))
            assert server.stats.calls > 0
        out, err = capfd.readouterr()
        assert code in {0, 2, 3}
        assert "Traceback" not in err
        assert_clean(out + err)
        assert_clean(everything(tmp_path))
