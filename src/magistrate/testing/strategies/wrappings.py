"""What may stand around an answer without changing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["WRAPPINGS"]

WRAPPINGS: Final[Mapping[str, tuple[str, str]]] = {
    "none": ("", ""),
    "byte order mark": ("\ufeff", ""),
    "blanks": ("\n\n  ", "\n \n"),
    "carriage returns": ("\r\n", "\r\n"),
    "thinking": ('<think>\nThe first may be "no": {"id": 1, "verdict": "no"}. Verdict: no?\n</think>\n\n', ""),
    "nested thinking": ("<think>One moment. <think>Is it so?</think> The first one may be wrong.</think>\n", ""),
    "thinking without its first tag": ("I read the notice once more, line by line.\n</think>\n", ""),
    "channel": (
        (
            '<|channel|>analysis<|message|>Perhaps {"id": 1, "verdict": "no"}.<|end|>'
            "<|start|>assistant<|channel|>final<|message|>"
        ),
        "<|return|>",
    ),
    "courtesy": (
        "Sure! Here are my verdicts for the statements:\n\n",
        "\n\nI hope this helps! Let me know if you need anything else.",
    ),
    "citations": ("I compared the notice [1] with the ledger [2, 3] and the map {sheet 4}.\n\n", ""),
    "heading": ("## Assessment\n\n", ""),
    "end token": ("", "<|im_end|>"),
    "end of text": ("", "</s>"),
}
"""By name what stands before the answer and behind it. Drafts within them are marked as such from their first character
on, so that a reply cut within one holds no answer."""
