"""Fuzz-test whatever reads the replies of judges: a parser of your own, a framework's, a whole judge function.

    from magistrate.testing.fuzz import fuzz

    report = fuzz(my_parser, seconds=30)
    assert not report.failures()

Replies are those of `magistrate.testing.corpus`, then generated ones, each with its right reading. Needs Hypothesis:
`pip install magistrate[testing]`. `fuzz_model` puts small cases with known verdicts to a judge.
"""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
