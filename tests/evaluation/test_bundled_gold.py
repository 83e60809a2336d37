"""The bundled dataset under a judge that is always right, and under the offline judge, as recorded.

`python tests/evaluation/test_bundled_gold.py` records the offline judge's figures anew, after a change that is meant.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from magistrate.datasets import SYSTEMS, load_bundled
from magistrate.evaluation.api import evaluate
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics import make_metrics
from magistrate.testing.scripted import ScriptedJudge
from magistrate.verdict import Status, Verdict

RECORDED = Path(__file__).with_name("bundled_offline.json")
DIGITS = 6


class GoldJudge(ScriptedJudge):
    """Gives the gold verdict of a statement in its case, which it knows by the contexts."""

    def __init__(self, cases):
        super().__init__(name="gold")
        self._gold = {
            (statement["text"], case.contexts, case.question): Verdict(statement["verdict"])
            for case in cases
            for statement in case.metadata["gold"]["statements"]
        }

    async def verify(self, statements, contexts, *, question=None, **options):
        known = {text: self._gold[text, tuple(contexts), question] for text in statements}
        return await ScriptedJudge(known).verify(statements, contexts, question=question, **options)


def agreement(run):
    """How the judge's verdicts agree with the gold ones, and what it scores."""
    gold, said = [], []
    for result in run.results:
        verdicts = result.metrics["faithfulness"].verdicts
        for statement, verdict in zip(result.case.metadata["gold"]["statements"], verdicts, strict=True):
            gold.append(statement["verdict"] == "supported")
            said.append(None if verdict.verdict is None else verdict.verdict is Verdict.SUPPORTED)
    cells = Counter((truth, found) for truth, found in zip(gold, said, strict=True) if found is not None)
    hits, misses, alarms, passes = (
        cells[pair] for pair in ((True, True), (True, False), (False, True), (False, False))
    )
    rates = {
        "accuracy": (hits + passes, cells.total()),
        "precision": (hits, hits + alarms),
        "recall": (hits, hits + misses),
        "f1": (2 * hits, 2 * hits + alarms + misses),
        "specificity": (passes, passes + alarms),
    }
    rounded = {name: round(part / whole, DIGITS) if whole else None for name, (part, whole) in rates.items()}
    figures = run.summary.metrics
    return {
        "statements": len(gold),
        "without_verdict": said.count(None),
        "agreement": rounded,
        "means": {name: None if m.mean is None else round(m.mean, DIGITS) for name, m in figures.items()},
        "scored": {name: m.n_scored for name, m in figures.items()},
    }


def offline(system):
    return agreement(evaluate(load_bundled(system=system), make_metrics(["vera", "abstention"]), OfflineJudge()))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_judge_that_is_always_right_yields_every_expected_score_exactly(system):
    cases = load_bundled(system=system)
    run = evaluate(cases, judge=GoldJudge(cases))
    assert len(run) == 100
    for result in run.results:
        assert (result.status, result.score) == (Status.SCORED, result.case.expected_score), result.id
    assert agreement(run)["agreement"]["accuracy"] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_offline_judge_yields_what_was_recorded(system):
    recorded = json.loads(RECORDED.read_text())[system]
    assert offline(system) == recorded


if __name__ == "__main__":
    RECORDED.write_text(json.dumps({system: offline(system) for system in SYSTEMS}, indent=2) + "\n")
