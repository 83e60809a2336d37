"""The code on a framework's page, block by block and as it stands, and its example, against the test server."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from magistrate.testing import FaultServer

_BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ROOT = Path(__file__).resolve().parent.parent
_PAGES = _ROOT / "docs" / "integrations"
_LONGEST_SECONDS = 300


def main() -> None:
    """Run the blocks of a page, and say which of them do not end as they should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="the page's name, as in docs/integrations")
    name = parser.parse_args().name
    blocks = _BLOCK.findall((_PAGES / f"{name}.md").read_text(encoding="utf-8"))
    example = _ROOT / "examples" / f"with_{name.replace('-', '_')}.py"
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"block{number}.py" for number in range(1, len(blocks) + 1)]
        for file, block in zip(files, blocks, strict=True):
            file.write_text(block, encoding="utf-8")
        failed = [file.name for file in (*files, example) if not _runs(file)]
    if failed or not blocks:
        raise SystemExit(f"of the {len(blocks)} blocks on the page and its example, these failed: {failed}")


def _runs(file: Path) -> bool:
    """Run a file as a user would who has no key, and a server in place of OpenAI's."""
    with FaultServer() as server, tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "OPENAI_API_KEY": "unused",
            "OPENAI_BASE_URL": server.openai_url,
            "LITELLM_OFFLINE_MODE": "true",
            "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
            "RAGAS_DO_NOT_TRACK": "true",
            "MLFLOW_DISABLE_TELEMETRY": "true",
            "OPIK_TRACK_DISABLE": "true",
        }
        ended = subprocess.run(  # noqa: S603 - a page of ours
            [sys.executable, file],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_LONGEST_SECONDS,
            check=False,
        )
        print(f"{file.name}: exit {ended.returncode}, {server.stats.calls} calls to the model", flush=True)
        if ended.returncode:
            print(ended.stdout[-4000:], flush=True)
        return ended.returncode == 0


if __name__ == "__main__":
    main()
