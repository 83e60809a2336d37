"""What the site of the docs has beside docs/: the README as its first page, and the other pages at the top of the tree.

A hook of mkdocs (mkdocs.yml names it). Links between those pages and docs/ are made to fit.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
TOP = {"README.md": "index.md", **{name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")}}


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages at the top of the tree."""
    for name, place in TOP.items():
        text = re.sub(r"\]\((?:docs/|(?=benchmarks/))", "](", (ROOT / name).read_text("utf-8"))
        text = text.replace("](benchmarks/README.md)", "](benchmarks.md)").replace("](README.md)", "](index.md)")
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Point from docs/ at the pages at the top of the tree; the reference gets the names that no section of it has.

    A block that is a file, as "```json reply.json", has the file's name as its title.
    """
    if "[REST]" in markdown:
        public = re.findall(r" as (\w+)", (ROOT / "src" / "magistrate" / "__init__.pyi").read_text("utf-8"))
        given = set(re.findall(r"\w+", markdown))
        markdown = markdown.replace("[REST]", f"[{', '.join(name for name in public if name not in given)}]")
    markdown = re.sub(r"^(`{3,}\w+) (\S+)$", r'\1 title="\2"', markdown, flags=re.MULTILINE)
    up = "../" * page.file.src_uri.count("/")
    return re.sub(r"\]\((?:\.\./)+(?=(?:CHANGELOG|CONTRIBUTING|SECURITY)\.md)", f"]({up}", markdown)


def on_page_content(html: str, *, page: Any, **_: Any) -> str:
    """Refuse a block that was not taken for one."""
    if "```" in re.sub(r"<(pre|code)\b.*?</\1>", "", html, flags=re.DOTALL):
        raise PluginError(f"{page.file.src_uri}: a block is shown as text")
    return html
