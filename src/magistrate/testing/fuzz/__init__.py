"""Fuzz-test whatever reads the replies of judges: a parser of your own, a framework's, a whole judge function.

    from magistrate.testing.fuzz import fuzz

    report = fuzz(my_parser, seconds=30)
    assert not report.failures()

Replies are those of `magistrate.testing.corpus`, then generated ones, each with its right reading. Needs Hypothesis:
`pip install magistrate[testing]`. `fuzz_model` puts small cases with known verdicts to a judge.
"""

from magistrate.testing.fuzz._report import Example, FuzzReport, read_known
from magistrate.testing.fuzz._run import fuzz
from magistrate.testing.fuzz._target import Target, load_target
from magistrate.testing.fuzz.model import fuzz_model

__all__ = ["Example", "FuzzReport", "Target", "fuzz", "fuzz_model", "load_target", "read_known"]
