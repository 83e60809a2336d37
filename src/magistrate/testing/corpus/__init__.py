"""Replies of LLM judges, each with its right reading: a held-out test for any parser of judge replies.

Every case is an original text written for this package, in the manner of real models: other formats, wrappings and
languages than the prompt asked for, damage, planted answers, truncation, refusals. The right reading is what a careful
person makes of it: where such a reader could not tell, the reading is None, never a guess.

    from magistrate.testing.corpus import load_corpus

    for case in load_corpus(task="verdicts", kind="final-line"):
        print(case.id, case.raw, case.expect.verdicts)
"""

from magistrate.testing.corpus._cases import KINDS, TASKS, CorpusCase, Expectation, load_corpus

__all__ = ["KINDS", "TASKS", "CorpusCase", "Expectation", "load_corpus"]
