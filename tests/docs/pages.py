"""Pages of docs that hold commands and what they print: kept true by running them.

A fence whose info string ends in a file's name ("text reply.txt") is that file; a fence "console" holds a command after
"$ " and its output. `python tests/docs/pages.py` writes the outputs anew.
"""

import contextlib
import io
import itertools
import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md",
    *(ROOT / "docs" / name for name in ("audit.md", "datasets.md", "prompts.md", "readings.md")),
    *sorted((ROOT / "docs" / "start").glob("*.md")),
)
ALL = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
WIDTH = "100"
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """The fences of a page: kind, name of the file, text, and the text directly below that shows what it prints."""
    found = []
    for match, after in itertools.pairwise([*FENCE.finditer(page), None]):
        kind, name = [*match["info"].split(), "", ""][:2]
        heading = re.match(r"# ([\w-]+\.\w+)\n", match["body"])
        shown = after and after["info"].startswith("text") and not page[match.end() : after.start()].strip()
        found.append((kind, name or (heading[1] if heading else ""), match["body"], after["body"] if shown else ""))
    return found


def renewed(page):
    """The page with the output of each of its commands as it is now."""
    from magistrate.cli import run

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for example in (ROOT / "examples").iterdir():
            shutil.copy(example, ".")

        def outcome(match):
            info, body = match["info"].split(), match["body"]
            if len(info) == 2:
                Path(info[1]).write_text(body.removesuffix("\n"), encoding="utf-8")
            if info != ["console"] or not body.startswith("$ magistrate "):
                return match.group()
            command = body.partition("\n")[0]
            with contextlib.redirect_stdout(io.StringIO()) as out:
                code = run(shlex.split(command)[2:])
            lines = [line.rstrip() for line in out.getvalue().splitlines()]
            end = [f"(exit code {code})"] if code else []
            return "\n".join([f"{match['fence']}console", command, *lines, *end, match["fence"]])

        return FENCE.sub(outcome, page)


def main():
    os.environ.update(COLUMNS=WIDTH, NO_COLOR="1")
    for path in PAGES:
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
