"""Runs of this package, audited like any other file."""

import json

from tests.making import make_call, make_result, make_run, make_verdict

from magistrate.audit import Standing, VerdictsTask, audit_files
from magistrate.verdict import Verdict

ASKED = ("The lift is out of order.", "The stairs are in wing B.")
REPLY = json.dumps([{"id": 1, "verdict": "supported"}, {"id": 2, "verdict": "contradicted"}])


def result(index, text, score, verdicts=(), **details):
    """A result as some reader left it."""
    details = {"scale": "ternary", "mode": "batched", "truths": None, **details}
    found = [make_verdict(at, verdict, statement=ASKED[at]) for at, verdict in enumerate(verdicts)]
    metric = {"statements": ASKED, "calls": (make_call(text),), "details": details}
    case = {"answer": " ".join(ASKED), "contexts": ["The lift is out of order. The stairs are in wing C."]}
    return make_result(index, score, verdicts=found, metric=metric, **case)


def audited(tmp_path, *results):
    folder = tmp_path / "run"
    make_run(results).save(folder)
    found = list(audit_files([str(folder)], VerdictsTask()))
    again = list(audit_files([str(folder / "results.jsonl")], VerdictsTask()))
    assert [one.standing for one in found] == [one.standing for one in again]
    return found


class TestRuns:
    def test_what_was_read_right_stands_and_what_was_not_is_wrong(self, tmp_path):
        right = (Verdict.SUPPORTED, Verdict.CONTRADICTED)
        found = audited(
            tmp_path,
            result(0, REPLY, 0.5, right),
            result(1, REPLY, 1.0, (Verdict.SUPPORTED, Verdict.SUPPORTED)),
            result(2, REPLY, None),
            result(3, '[{"id": 1, "verdict": "supported"}', 0.5, right),
            result(4, '[{"id": 1, "verdict": "contradicted"}', 1.0),
        )
        assert [one.standing for one in found] == [
            Standing.STANDS, Standing.WRONG, Standing.UNRECORDED, Standing.UNDECIDED, Standing.IMPOSSIBLE,
        ]  # fmt: skip
        assert (found[1].wrong, found[1].place.id, found[1].reply) == ((1,), "c1", REPLY)

    def test_results_without_a_raw_completion_are_left_out(self, tmp_path):
        assert audited(tmp_path, result(0, None, 0.5)) == []

    def test_what_cannot_be_read_again_is_said_to_be_unusable(self, tmp_path):
        [found] = audited(tmp_path, result(0, REPLY, 0.5, scale="my own"))
        assert (found.standing, found.why) == (Standing.UNUSABLE, "its scale or its policy is the user's own")

    def test_a_report_is_read_as_well(self, tmp_path):
        path = tmp_path / "report.json"
        make_run([result(0, REPLY, 1.0)]).save(path)
        assert [one.standing for one in audit_files([str(path)], VerdictsTask())] == [Standing.WRONG]
