"""A reading, held against what was recorded."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.audit import LabelTask, Place, ScoreTask, Standing, VerdictsTask
from magistrate.audit._stored import Stored
from magistrate.audit._tasks import hold
from magistrate.errors import ConfigurationError
from magistrate.metrics.base import MetricResult
from magistrate.scoring import get_policy, score_verdicts
from magistrate.verdict import BINARY, Issue, IssueCode, Outcome, StatementVerdict, Status, Verdict

cases = cases_of(__file__)

PLACE = Place("replies.jsonl", 1, 1)
ASKED = ("The dam was built in 1931.", "The dam is 40 m high.", "The dam has two gates.", "The dam leaks.")


def reply(*words):
    return json.dumps([{"id": at, "verdict": word} for at, word in enumerate(words, 1) if word is not None])


def audit(text, score=None, *, asked=ASKED, task=None, **fields):
    stored = Stored(place=PLACE, reply=text, statements=asked, score=score, **fields)
    return (task or VerdictsTask()).audit(stored)


@pytest.mark.parametrize(("high", "standing"), [(100, "stands"), (10, "unusable")])
def test_a_recorded_percentage_is_one_of_a_top_of_100_or_of_none(high, standing):
    assert audit("Score: 7", "7%", task=ScoreTask(low=0, high=high)).standing == standing


class TestVerdicts:
    @cases("tasks: what was recorded is held against what is possible")
    def test_what_was_recorded_is_held_against_what_is_possible(self, words, recorded, expected):
        found = audit(reply(*words), recorded)
        assert [found.standing, found.read, *found.bounds, found.difference] == expected

    @cases("tasks: a reply is held against its row")
    def test_a_reply_is_held_against_its_row(self, why, said, score, row, task, found):  # noqa: PLR0917
        del why  # names the case
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
        held = audit(reply(*said) if isinstance(said, list) else said, score, task=VerdictsTask(**task), **fields)
        told = {name: getattr(held, name) for name in found}
        assert {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()} == found

    def test_a_doubt_about_the_reading_is_no_ground_to_call_another_one_wrong(self):
        verdict = StatementVerdict(index=0, id="s1", statement=ASKED[0], verdict=Verdict.SUPPORTED)
        stored = Stored(place=PLACE, reply="yes", statements=ASKED[:1])
        issues = (Issue(IssueCode.REPAIRED_JSON), Issue(IssueCode.LOW_CONFIDENCE, index=0))

        def held(recorded, issues):
            read = MetricResult(metric="", policy="", status=Status.SCORED, threshold=0.5, outcome=Outcome.PASS)
            read = replace(read, verdicts=(verdict,), issues=issues)
            rules = {"status": Status.SCORED, "whole": True, "policy": get_policy("strict")}
            return hold(stored, recorded, None, read, [verdict.verdict], **rules)

        assert (held(0.0, issues).standing, held(0.0, issues).why) == (Standing.UNDECIDED, "low-confidence")
        assert (held(1.0, issues).standing, held(0.0, issues[:1]).standing) == (Standing.STANDS, Standing.WRONG)

    def test_without_statements_it_is_told_that_one_left_out_is_not_missed(self):
        text = json.dumps([{"statement": ASKED[0], "verdict": "yes"}, {"statement": ASKED[1], "verdict": "yes"}])
        assert [audit(text, 1.0, asked=asked).standing.value for asked in (None, ASKED[:3])] == ["stands", "undecided"]
        assert [bool(audit(text, 1.0, asked=asked).notes) for asked in (None, ASKED[:3])] == [True, False]

    def test_a_policy_or_a_scale_that_nobody_knows_is_an_error(self):
        with pytest.raises(ConfigurationError):
            VerdictsTask(policy="nobody's")
        with pytest.raises(ConfigurationError, match="unknown scale 'quinary'"):
            VerdictsTask(scale="quinary")

    @given(words=st.lists(st.sampled_from(["yes", "no", None]), min_size=1, max_size=4), recorded=st.floats(0, 1))
    def test_a_score_that_some_completion_gives_is_never_called_wrong(self, words, recorded):
        whole = [word or "yes" for word in words]
        score = whole.count("yes") / len(words)
        found = audit(reply(*words), score, asked=ASKED[: len(words)])
        assert found.standing in {Standing.STANDS, Standing.UNDECIDED}
        if None not in words and abs(recorded - score) > 1e-3:
            assert audit(reply(*words), recorded, asked=ASKED[: len(words)]).standing is Standing.WRONG


class TestRecordedVerdicts:
    @pytest.mark.parametrize("verdicts", [(), (None,), (None, None, None, None)])
    @pytest.mark.parametrize("text", ["I cannot judge this.", "", reply("yes", "no", None, "yes"), reply(*["yes"] * 4)])
    def test_none_that_was_recorded_is_no_score_whatever_the_reply_says(self, text, verdicts):
        assert audit(text, None, verdicts=verdicts).standing is Standing.UNRECORDED


class TestScores:
    TASK = ScoreTask(low=1, high=10)

    @cases("tasks: one number")
    def test_one_number(self, text, recorded, standing):
        assert audit(text, recorded, task=self.TASK).standing == standing

    def test_brought_to_the_unit_interval(self):
        task = ScoreTask(low=1, high=5, normalized=True)
        assert audit("[[4]]", 0.75, task=task).standing is Standing.STANDS
        assert audit("[[4]]", 0.8, task=task).standing is Standing.WRONG
        assert audit("no number", 1.5, task=task).standing is Standing.IMPOSSIBLE

    def test_a_refused_reply_gives_none_and_a_range_that_is_none_is_an_error(self):
        found = audit("[[4]]", 4, task=self.TASK, refusal="I will not.")
        assert (found.standing, found.why) == (Standing.UNDECIDED, "refusal")
        with pytest.raises(ConfigurationError, match="is no range"):
            ScoreTask(low=5, high=1)


class TestLabels:
    TASK = LabelTask(choices=("A", "B", "tie"))

    @cases("tasks: one of them")
    def test_one_of_them(self, text, label, standing):
        assert self.TASK.audit(Stored(place=PLACE, reply=text, label=label)).standing == standing

    def test_labels_that_cannot_be_told_apart_are_an_error(self):
        with pytest.raises(ConfigurationError):
            LabelTask(choices=("A", "A"))


@given(
    verdicts=st.lists(st.sampled_from([Verdict.SUPPORTED, Verdict.UNSUPPORTED]), min_size=1, max_size=6),
    policy=st.sampled_from(["strict", "ragas", "deepeval", "promptfoo-0.123", "ragaliq-0.2", "trulens", "vera"]),
)
def test_what_a_policy_made_of_a_clean_reply_always_stands(verdicts, policy):
    """Whatever the policy, an honest framework is never accused."""
    asked = tuple(f"Pier {number} is open." for number in range(len(verdicts)))
    made = [
        StatementVerdict(index=at, id=f"s{at + 1}", statement=asked[at], verdict=verdict)
        for at, verdict in enumerate(verdicts)
    ]
    score = score_verdicts(made, status=Status.SCORED, policy=get_policy(policy)).value
    text = reply(*("yes" if verdict is Verdict.SUPPORTED else "no" for verdict in verdicts))
    found = audit(text, score, asked=asked, task=VerdictsTask(scale=BINARY, policy=policy))
    assert found.standing is (Standing.STANDS if score is not None else Standing.UNRECORDED)
