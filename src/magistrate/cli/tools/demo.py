"""`magistrate demo`: the whole tour without a key: judge, look, gate, read a faulty reply, audit recorded scores."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any, Final

import typer

_PASSAGE: Final = (
    "Annual leave. Full-time staff receive 28 days of paid annual leave per year. Up to five days may be carried over; "
    "they expire on 31 March."
)
_CASES: Final[tuple[dict[str, Any], ...]] = (
    {"id": "days", "question": "How many days?", "answer": "Full-time staff receive 28 days of paid annual leave."},
    {
        "id": "carry",
        "question": "May I carry days over?",
        "answer": "Up to five days may be carried over. The canteen serves lobster on Fridays.",
    },
    {"id": "silent", "question": "Who approves leave?", "answer": ""},
)
_STATEMENTS: Final = ("Staff receive 28 days.", "Five days may be carried over.", "They expire on 30 June.")
_REPLY: Final = '{"verdicts": [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "yes"}]}'
_STORED: Final = (
    {"reply": "1. yes\n2. no\n3. yes", "statements": list(_STATEMENTS), "score": 2 / 3},
    {"reply": "<think>yes, yes, yes</think>\n1. yes\n2. no\n3. no", "statements": list(_STATEMENTS), "score": 1.0},
    {"reply": _REPLY, "statements": list(_STATEMENTS), "score": 1.0},
)


def demo(
    folder: Path = Path("magistrate-demo"),
    browser: bool = True,
) -> None:
    """Take the tour of what there is, without a key and in less than a minute.

    Judge three cases, open the report, hold it against a gate, read a reply with a verdict missing, audit recorded
    scores. Writes into one folder, and calls nothing.
    """
    from magistrate.cli import run  # noqa: PLC0415 - this module is loaded by it

    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "cases.jsonl": "".join(json.dumps({**case, "contexts": [_PASSAGE]}) + "\n" for case in _CASES),
        "statements.txt": "\n".join(_STATEMENTS) + "\n",
        "reply.json": _REPLY + "\n",
        "stored.jsonl": "".join(json.dumps(row) + "\n" for row in _STORED),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    cases, page, kept = folder / "cases.jsonl", folder / "report.html", folder / "run"
    steps: tuple[tuple[str, list[object]], ...] = (
        (
            "Three answers are judged against their passage, statement by statement. A missing answer is no 0.",
            ["eval", cases, "--model", "offline", "--run", kept, "-o", page],
        ),
        (
            "A gate for CI: with one score missing, 0.8 can be neither passed nor failed for certain (exit code 3).",
            ["score", kept, "--threshold", "0.8"],
        ),
        (
            "A judge leaves one verdict of three out. A mean over the others is 1.0; Magistrate says what is missing.",
            ["parse", folder / "reply.json", "-s", folder / "statements.txt"],
        ),
        (
            "Scores of last quarter, held against the replies that were stored with them.",
            [
                *("audit", folder / "stored.jsonl", "--reply", "reply", "--statements", "statements"),
                *("--score", "score"),
            ],
        ),
    )
    for number, (text, command) in enumerate(steps, 1):
        arguments = [str(part) for part in command]
        typer.echo(f"\n{number}. {text}\n\n$ magistrate {shlex.join(arguments)}")
        code = run(arguments)
        typer.echo(f"(exit code {code})")
        if number == 1 and browser and sys.stdout.isatty():
            import webbrowser  # noqa: PLC0415 - `--help` does without it

            webbrowser.open(page.resolve().as_uri())
    typer.echo(
        f"\nThe report is {page}. Your own data: magistrate dataset show FILE, then\n"
        "magistrate eval FILE --model gpt-4o (a key in OPENAI_API_KEY), or --model offline.\n"
        "All commands: magistrate --help"
    )
