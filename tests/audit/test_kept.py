"""Audited replies kept as a run."""

import pytest
from tests.case_tables import cases_of

from magistrate import load_run
from magistrate.audit import Place, VerdictsTask, keep_run
from magistrate.audit._stored import Stored

cases = cases_of(__file__)

ASKED = ("The pass is open.", "The pass is steep.")


def kept(tmp_path, rows, task=None, asked=ASKED):
    task = task or VerdictsTask()
    found = [
        task.audit(Stored(place=Place("a.jsonl", at, at), reply=reply, statements=asked, score=score))
        for at, (reply, score) in enumerate(rows, 1)
    ]
    assert list(keep_run(found, task, tmp_path / "R", "a.jsonl")) == found
    return found, load_run(tmp_path / "R")


@cases("kept: a case is what the reply says")
def test_a_case_is_what_the_reply_says(tmp_path, reply, recorded, category, read):
    _, run = kept(tmp_path, [(reply, recorded)])
    (result,) = run.results
    assert result.case.category == category
    assert [result.status.value, result.score, list(result.bounds)] == read
    assert result.case.metadata == {"recorded": recorded}
    assert bool(result.problems) is (category == "wrong")
    assert result.only().calls[0].completion.text == reply
    assert result.outcome.value == ("fail" if read[2][1] < 0.7 else "inconclusive")


def test_means_are_those_of_the_audit(tmp_path):
    rows = [
        ("1. yes\n2. yes", 1.0),
        ("1. yes\n2. no", 1.0),
        ("1. no\n2. no", 0.0),
        ("", 0.0),
        ("1. yes\n2. no", "much"),
    ]
    found, run = kept(tmp_path, rows, VerdictsTask(policy="ragas"))
    read = [finding.read for finding in found if finding.read is not None]
    assert len(run) == 4  # without the row that could not be audited
    assert run.state == "complete"
    assert run.metrics["faithfulness"].mean == pytest.approx(sum(read) / len(read))


def test_a_list_that_may_go_on_passes_nothing(tmp_path):
    _, run = kept(
        tmp_path, [('{"verdicts": [{"statement": "The pass is open.", "verdict": "yes"}, {"st', 1.0)], asked=None
    )
    (result,) = run.results
    assert (result.status.value, result.score, result.outcome.value) == ("partial", None, "inconclusive")
