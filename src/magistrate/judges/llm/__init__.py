"""A judge that is a language model, and what became of its replies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from magistrate.judges.llm._judge import LLMJudge

__all__ = ["LLMJudge"]


def __getattr__(name: str) -> Any:
    if name != "LLMJudge":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from magistrate.judges.llm._judge import LLMJudge  # noqa: PLC0415 - stored replies are read without a judge

    return LLMJudge
