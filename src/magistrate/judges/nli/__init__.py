"""The NLI judge: a local entailment model reads every statement against windows of the contexts.

    judge = NLIJudge("models/nli-deberta-v3-base")
    reply = await judge.verify(statements, contexts)

Needs the extra `nli` (onnxruntime, tokenizers, numpy); they load when a judge is made, not before. No weights are
shipped, and none are downloaded: the folder is yours (`NLIJudge` says what it holds).
"""

from __future__ import annotations

from magistrate.judges.nli._judge import NLIJudge

__all__ = ["NLIJudge"]
