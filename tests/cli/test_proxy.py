from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from magistrate.testing import Fault, FaultServer


@pytest.mark.slow
def test_it_prints_where_and_with_which_token_and_ends_when_told() -> None:
    with FaultServer(faults=lambda call: Fault(text=lambda _: f"Call {call.number}.")) as provider:
        command = [sys.executable, "-m", "magistrate", "proxy", "--model", "gpt-4o", "--api-base", provider.openai_url]
        environment = {**os.environ, "OPENAI_API_KEY": "unused"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            try:
                assert process.stdout is not None
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
            assert process.wait(timeout=30) == 0
