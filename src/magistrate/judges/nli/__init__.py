"""The NLI judge: a local entailment model (extra `nli`), loaded when a judge is made; no weights are shipped."""

from magistrate.judges.nli._judge import NLIJudge

__all__ = ["NLIJudge"]
