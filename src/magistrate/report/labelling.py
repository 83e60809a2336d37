"""One page on which a person labels cases, with nothing but a browser; its answers come back as labels.jsonl."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from magistrate.evaluation.believing.labels import Task
from magistrate.evaluation.files import replacing
from magistrate.report.html.page import asset, page_data, page_head


def write_label_page(tasks: Sequence[Task], path: Path, *, by: str = "") -> None:
    """Write a self-contained page: cases, keys, progress kept in the browser, and a button that saves the answers.

    It holds no verdict of the judge. Texts travel as JSON in a `script` element that is no script and reach the page as
    text nodes; a content security policy admits the page's own style and script alone.
    """
    title, script = f"Label {len(tasks)} cases", asset("label.js")
    page = (
        page_head(f"{title} - Magistrate", asset("label.css"), script) + f"<main>\n<h1>{title}</h1>\n"
        "<p>Is each statement fully supported by the passages? If any part of it is not there, or conflicts with them, "
        "it is not. Style and grammar do not matter.</p>\n"
        '<p><label for="by">Your name</label> <input id="by" autocomplete="name"></p>\n'
        '<p id="progress" role="status"></p>\n<section id="case" aria-live="polite"></section>\n'
        '<p><button id="back" type="button">Back (b)</button> '
        '<button id="save" type="button">Save the answers</button></p>\n</main>\n'
        + page_data("data", {"by": by, "tasks": [asdict(task) for task in tasks]})
        + f"<script>{script}</script>\n</body>\n</html>\n"
    )
    with replacing(path) as file:
        file.write(page.encode("utf-8", "replace"))
