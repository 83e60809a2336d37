"""The servers: fault server and proxy."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.case_tables import cases_of

from magistrate import LLMJudge, Verdict
from magistrate.testing import FAULTS, LEARNERS, Fault, FaultServer, scripted_faults

cases = cases_of(__file__)

PASSAGE = "The shop opens at nine."


class TestFaultServer:
    def test_serves_for_the_given_time_and_counts(self, magistrate):
        said = magistrate("fault-server", "--for", "0.1", "--fault", "429", "--rate", "0.5")
        address, counts = said.out.splitlines()
        assert said.code == 0
        assert "http://127.0.0.1:" in address
        assert json.loads(counts)["calls"] == 0

    def test_lists_each_fault_with_what_it_does(self, magistrate):
        listed = dict(line.split(maxsplit=1) for line in magistrate("fault-server", "--list").out.splitlines())
        assert list(listed) == list(FAULTS)

    @cases("servers: a script that cannot be played is a usage error")
    def test_a_script_that_cannot_be_played_is_a_usage_error(self, magistrate, name, script):
        if script is not None:
            Path(name).write_text(script)
        assert magistrate("fault-server", "--script", name, "--for", "0").code == 2


def test_a_script_is_played_and_its_last_reply_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    script = tmp_path / "replies.jsonl"
    cut = {"text": '{"s1": "supp', "finish_reason": "length"}
    script.write_text("\n".join(map(json.dumps, [None, '{"token": "{token}", "s1": "contradicted"}', cut])))

    async def asked(server):
        judge = LLMJudge("openai/gpt-4o", api_base=server.openai_url)
        try:
            replies = [await judge.verify([text], [PASSAGE]) for text in (PASSAGE, "Dogs sleep.", "Cats sleep.")]
        finally:
            await judge.close()
        return [reply.verdicts[0].verdict for reply in replies]

    with FaultServer(LEARNERS, faults=scripted_faults(script)) as server:
        found = asyncio.run(asked(server))
    assert found == [Verdict.SUPPORTED, Verdict.CONTRADICTED, None]


@pytest.mark.slow
def test_it_prints_where_and_with_which_token_and_ends_when_told():
    with FaultServer(faults=lambda call: Fault(text=lambda _: f"Call {call.number}.")) as provider:
        command = [sys.executable, "-m", "magistrate", "proxy", "--model", "gpt-4o", "--api-base", provider.openai_url]
        environment = {**os.environ, "OPENAI_API_KEY": "unused"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            try:
                lines = [process.stdout.readline() for _ in range(3)]
                found = re.fullmatch(
                    r"base_url: (http://127\.0\.0\.1:\d+/v1)\napi_key:  (\S{40,})\nmodel:    gpt-4o\n", "".join(lines)
                )
                assert found is not None, lines
                request = urllib.request.Request(  # noqa: S310 - the address that it printed
                    f"{found[1]}/chat/completions",
                    b'{"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello"}]}',
                    {"Authorization": f"Bearer {found[2]}"},
                )
                with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310
                    assert b"Call 1." in reply.read()
            finally:
                process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=120) == 0


@pytest.mark.slow
def test_a_signal_ends_it_while_it_is_still_being_loaded():
    command = [sys.executable, "-m", "magistrate", "proxy", "--model", "gpt-4o"]
    environment = {**os.environ, "OPENAI_API_KEY": "unused"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, **pipes) as process:
        assert "loading" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=120)
    assert (process.returncode, out) == (4, "")
