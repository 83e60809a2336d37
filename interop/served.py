"""The server in a process of its own, so that what it computes is not on the clock of what is measured."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["served"]


@contextmanager
def served(latency: float) -> Iterator[str]:
    """Serve without faults; give the address.

    Args:
        latency: Seconds that a reply takes.
    """
    server = subprocess.Popen(  # noqa: S603 - this file
        [sys.executable, __file__, str(latency)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        if server.stdout is None:
            raise SystemExit("the server did not start")
        yield server.stdout.readline().strip()
    finally:
        server.communicate("")  # the end of its input is the end of the server


if __name__ == "__main__":
    from faults import Faults

    from magistrate.testing import FaultServer

    with FaultServer(faults=Faults("none"), latency=float(sys.argv[1]), keep=1) as own:
        print(own.openai_url, flush=True)
        sys.stdin.read()
