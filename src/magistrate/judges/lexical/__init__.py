"""Grounding by words: how much of a statement stands in the contexts, and what follows from that."""

from magistrate.judges.lexical._measures import ReadContexts, read_contexts
from magistrate.judges.lexical._verdicts import judge_statements, measure

__all__ = ["ReadContexts", "judge_statements", "measure", "read_contexts"]
