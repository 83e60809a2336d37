"""One page on which a person labels cases, with nothing but a browser; its answers come back as labels.jsonl."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Final

from magistrate.evaluation.believing.tasks import Task
from magistrate.report.outputs import replacing

_STYLE: Final = "label.css"
_SCRIPT: Final = "label.js"


def write_label_page(tasks: Sequence[Task], path: Path, *, by: str = "") -> None:
    """Write a self-contained page: cases, keys, progress kept in the browser, and a button that saves the answers.

    It holds no verdict of the judge. Texts travel as JSON in a `script` element that is no script and reach the page as
    text nodes; a content security policy admits the page's own style and script alone.
    """
    style, script = (files("magistrate.report") / "html").joinpath(_STYLE).read_text("utf-8"), _script()
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'"
    data = json.dumps({"by": by, "tasks": [asdict(task) for task in tasks]}, ensure_ascii=False)
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>Label {len(tasks)} cases - Magistrate</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<main>\n<h1>{html.escape(f'Label {len(tasks)} cases')}</h1>\n"
        "<p>Is each statement fully supported by the passages? If any part of it is not there, or conflicts with them, "
        "it is not. Style and grammar do not matter.</p>\n"
        '<p><label for="by">Your name</label> <input id="by" autocomplete="name"></p>\n'
        '<p id="progress" role="status"></p>\n<section id="case" aria-live="polite"></section>\n'
        '<p><button id="back" type="button">Back (b)</button> '
        '<button id="save" type="button">Save the answers</button></p>\n</main>\n'
        f'<script type="application/json" id="data">{data.replace("<", chr(92) + "u003c")}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )
    with replacing(path) as file:
        file.write(page.encode("utf-8", "replace"))


def _script() -> str:
    return (files("magistrate.report") / "html" / _SCRIPT).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
