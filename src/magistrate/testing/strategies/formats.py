"""The table of formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from magistrate.testing.strategies import json_formats, text_formats
from magistrate.testing.strategies.material import Ask

__all__ = ["FORMATS", "Format"]


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write verdicts down.

    Attributes:
        write: Writes them.
        by_id: Whether each verdict names its statement.
        closed: Whether the end of the answer is marked.
        least: The fewest statements it makes sense for.
        fenced: Whether it may stand in a Markdown fence.
        slips: Whether it can be written with the slips of `SLIPS`.
        binary: Whether it serves the binary scale only.
    """

    write: Callable[[Ask], None]
    by_id: bool = True
    closed: bool = True
    least: int = 1
    fenced: bool = False
    slips: bool = False
    binary: bool = False


FORMATS: Final[Mapping[str, Format]] = {
    "json list": Format(json_formats.json_list, fenced=True, slips=True),
    "json list by position": Format(json_formats.json_positions, by_id=False, fenced=True, slips=True),
    "json words": Format(json_formats.json_words, by_id=False, least=2, fenced=True, slips=True),
    "json map": Format(json_formats.json_map, fenced=True, slips=True),
    "json side by side": Format(json_formats.json_side_by_side, fenced=True, slips=True),
    "json truth values": Format(json_formats.json_truths, fenced=True, binary=True),
    "json lines": Format(json_formats.json_lines, least=2, fenced=True),
    "json blocks": Format(json_formats.json_blocks, least=2),
    "json in a string": Format(json_formats.json_escaped),
    "python": Format(json_formats.python_repr, fenced=True),
    "xml": Format(text_formats.xml),
    "yaml": Format(text_formats.yaml),
    "table": Format(text_formats.table, closed=False),
    "numbered": Format(text_formats.numbered, closed=False),
    "bold list": Format(text_formats.bold_list, closed=False, least=2),
    "labelled": Format(text_formats.labelled, closed=False),
    "final line": Format(text_formats.final_line, by_id=False, closed=False),
    "word lines": Format(text_formats.word_lines, by_id=False, closed=False, least=2),
}
"""The formats by name."""
