"""Hostile texts in a dataset, through every command that prints what it holds."""

import json
import os
import re
import sys

import pytest

from magistrate.cli import main

EVIL = "\x1b[31m\x9b2J\x07[bold]x[/] \u202eturned\n::error::pwned\n ::set-output name=a::b\r::x:: ##[group]y =1+1"
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
OURS = re.compile(r"::(error|warning|notice)[ :]")


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "cases.jsonl"
    rows = [
        {
            "id": f"{EVIL} {n}",
            "question": EVIL,
            "answer": f"The sea is green. {EVIL}",
            "contexts": [EVIL, "The sea is blue."],
            "category": EVIL,
            "reference": EVIL,
            "metadata": {EVIL: EVIL},
        }
        for n in range(3)
    ]
    rows.append({"id": EVIL, "answer": 7, "contexts": EVIL, EVIL: EVIL})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def checked(capsys, monkeypatch):
    """Runs a command and gives back its output, which can do nothing."""

    def run(*arguments):
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["magistrate", *map(str, arguments)])
        with monkeypatch.context() as streams:
            for name in ("stdout", "stderr"):
                streams.setattr(sys, name, getattr(sys, name))
            with pytest.raises(SystemExit):
                main()
        done = capsys.readouterr()
        said = done.out + done.err
        assert UNSEEN.findall(said) == []
        if os.environ.get("GITHUB_ACTIONS"):
            commands = [line for line in re.split("[\r\n]", said) if re.match(r"\s*::", line) or "##[" in line]
            assert [line for line in commands if not OURS.match(line) or "##[" in line] == []
        return str(done.out)

    return run


def test_no_command_hands_it_on(checked, hostile, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    checked("dataset", "validate", hostile)
    checked("eval", hostile, "--run", "first", "--metric", "faithfulness", "--metric", "abstention", "--laws")
    out = checked("eval", hostile, "--run", "second", "--model", "offline", "--threshold", "0.9", "--baseline", "first")
    assert "gate FAILED" in out
    checked("eval", hostile, "--run", "third", "--log-level", "debug")
    checked("eval", hostile, "--run", "fourth", "--log-level", "debug", "--log-json")
    checked("report", "second")
    checked("score", "second", "--policy", "fail-closed")
    checked("reparse", "second")
    checked("compare", "first", "second")
    checked("compare", "first", "second", "--json")
    checked("laws", hostile)
    checked("laws", hostile, "--json")
    checked("eval", hostile, "--format", "vera")
    case_id = json.loads((tmp_path / "second" / "report.json").read_text("utf-8"))["cases"][0]["case"]["id"]
    checked("show", "second", case_id)
    assert json.loads(checked("show", "second", case_id, "--json"))["case"]["id"] == case_id
    checked("show", "second", EVIL)
    checked("eval", hostile, "--metric", EVIL)
    checked("eval", hostile, "--baseline", EVIL)
    checked("eval", EVIL)
