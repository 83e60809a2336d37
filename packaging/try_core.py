"""Tries an environment that has the wheel of magistrate-core alone: how large it is, and what it can do.

python packaging/try_core.py ENVIRONMENT
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_MB = 60
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def main(environment: Path) -> None:
    """Exit with what is wrong."""
    packages = next((environment / "lib").glob("python*")) / "site-packages"
    own = {"pip", "setuptools", "_distutils_hack"}
    size = sum(
        file.stat().st_size
        for entry in packages.iterdir()
        if entry.name.partition("-")[0] not in own
        for file in (entry.rglob("*") if entry.is_dir() else [entry])
        if file.is_file() and file.suffix != ".pyc"
    )
    print(f"magistrate-core and what it asks for: {size / 1e6:.1f} MB")
    if size > MOST_MB * 1e6:
        sys.exit(f"that is more than {MOST_MB} MB")
    with tempfile.TemporaryDirectory() as folder:
        for arguments in (
            ("eval", str(EXAMPLES / "handbook.jsonl"), "--model", "offline", "--run", "r"),
            ("score", "r", "--policy", "fail-closed"),
            ("report", "r", "-o", "r.html"),
            (
                "audit",
                str(EXAMPLES / "replies.jsonl"),
                *["--reply", "reply", "--statements", "statements", "--score", "score"],
            ),
        ):
            done = _run(environment, folder, *arguments)
            if done.returncode not in {0, 1}:
                sys.exit(f"{' '.join(arguments)}: {done.stderr}")
        refused = _run(environment, folder, "eval", str(EXAMPLES / "handbook.jsonl"), "--model", "gpt-4o")
    print(refused.stderr.strip())
    told = refused.stderr.splitlines()
    if refused.returncode != 2 or len(told) != 1 or 'pip install "magistrate-core[models]"' not in told[0]:
        sys.exit("without LiteLLM a model's name should end in one line that says what to install")


def _run(environment: Path, folder: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str((environment / "bin" / "magistrate").resolve()), *arguments]
    clean = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    return subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
