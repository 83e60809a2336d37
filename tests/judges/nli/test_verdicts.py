"""From the probabilities of windows to a verdict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.judges.nli._folder import name_labels
from magistrate.judges.nli._verdicts import UNSURE, Reading, Tally, is_strange, judged
from magistrate.verdict import BINARY, GRADED, TERNARY, IssueCode, Scale, Verdict

THREE = name_labels(("entailment", "neutral", "contradiction"))
TWO = name_labels(("not_entailment", "entailment"))
CONTEXTS = ["The press is open. The barn is closed.", "The mill is open."]
PLACES = [(0, 0, 18), (0, 19, 38), (1, 0, 17)]


def tally(*rows, labels=THREE, strange=()):
    """A tally over windows with these (entailment, contradiction), or (entailment,) for two labels."""
    found = Tally(labels)
    for number, (row, place) in enumerate(zip(rows, PLACES, strict=False)):
        values = (row[0], 1 - sum(row), row[1]) if labels is THREE else (1 - row[0], row[0])
        found.add(Reading(values, *place), strange=number in strange)
    return found


def judge(found, *, scale=TERNARY, threshold=0.7, unknown=()):
    return judged(0, "The press is open.", found, contexts=CONTEXTS, scale=scale, threshold=threshold, unknown=unknown)


class TestTheVerdict:
    def test_is_supported_where_one_window_entails(self):
        verdict = judge(tally((0.1, 0.1), (0.9, 0.05), (0.2, 0.1)))
        assert verdict.verdict is Verdict.SUPPORTED
        assert verdict.probability == 0.9
        assert not verdict.issues

    def test_is_contradicted_where_one_contradicts_and_none_entails(self):
        verdict = judge(tally((0.1, 0.1), (0.05, 0.9), (0.2, 0.1)))
        assert verdict.verdict is Verdict.CONTRADICTED
        assert verdict.probability == 0.2

    def test_is_not_enough_info_where_none_does_either(self):
        verdict = judge(tally((0.1, 0.1), (0.05, 0.3), (0.2, 0.1)))
        assert verdict.verdict is Verdict.NOT_ENOUGH_INFO

    def test_of_two_labels_is_never_contradicted(self):
        assert judge(tally((0.01,), (0.02,), labels=TWO)).verdict is Verdict.NOT_ENOUGH_INFO
        assert judge(tally((0.01,), (0.92,), labels=TWO)).verdict is Verdict.SUPPORTED

    @pytest.mark.parametrize(
        ("scale", "verdict"),
        [
            (BINARY, Verdict.UNSUPPORTED),
            (TERNARY, Verdict.CONTRADICTED),
            (GRADED, Verdict.CONTRADICTED),
            (Scale("cautious", (Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO)), Verdict.NOT_ENOUGH_INFO),
        ],
        ids=lambda value: getattr(value, "name", value),
    )
    def test_is_one_that_the_scale_offers(self, scale, verdict):
        assert judge(tally((0.05, 0.9)), scale=scale).verdict is verdict

    def test_is_none_where_the_scale_offers_no_word_for_it(self):
        scale = Scale("odd", (Verdict.SUPPORTED, Verdict.CONTRADICTED))
        verdict = judge(tally((0.1, 0.1)), scale=scale)
        assert verdict.verdict is None
        assert verdict.probability == 0.1
        assert verdict.issues[0].code is IssueCode.MISSING_VERDICT
        no_yes = Scale("no", (Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO))
        assert "no supported" in judge(tally((0.9, 0.1)), scale=no_yes).issues[0].message


class TestTheThreshold:
    @pytest.mark.parametrize(
        ("entailment", "verdict"),
        [(0.7, Verdict.SUPPORTED), (0.7 - 1e-12, Verdict.SUPPORTED), (0.7 - 1e-6, Verdict.NOT_ENOUGH_INFO)],
    )
    def test_is_reached_from_itself_on(self, entailment, verdict):
        assert judge(tally((entailment, 0.0))).verdict is verdict

    @pytest.mark.parametrize(
        ("contradiction", "verdict"), [(0.7, Verdict.CONTRADICTED), (0.7 - 1e-6, Verdict.NOT_ENOUGH_INFO)]
    )
    def test_is_the_same_for_contradiction(self, contradiction, verdict):
        assert judge(tally((0.0, contradiction))).verdict is verdict

    def test_below_one_half_lets_entailment_go_first(self):
        assert judge(tally((0.4, 0.6)), threshold=0.3).verdict is Verdict.SUPPORTED

    def test_of_one_is_reached_by_certainty(self):
        assert judge(tally((1.0, 0.0)), threshold=1.0).verdict is Verdict.SUPPORTED

    @pytest.mark.parametrize(("entailment", "flagged"), [(0.79, True), (0.61, True), (0.81, False), (0.59, False)])
    def test_flags_what_is_close_to_it(self, entailment, flagged):
        issues = judge(tally((entailment, 0.0))).issues
        assert [issue.code for issue in issues] == [IssueCode.LOW_CONFIDENCE] * flagged

    def test_flags_a_contradiction_close_to_it(self):
        assert "contradiction is 0.65" in judge(tally((0.1, 0.65))).issues[0].message
        assert not judge(tally((0.1, 0.65)), scale=BINARY).issues
        assert UNSURE == 0.1


class TestDoubts:
    def test_are_told_where_another_window_contradicts(self):
        verdict = judge(tally((0.9, 0.05), (0.05, 0.9)))
        assert verdict.verdict is Verdict.SUPPORTED
        (issue,) = verdict.issues
        assert issue.code is IssueCode.LOW_CONFIDENCE
        assert "context 1, characters 19 to 38 contradicts it" in issue.message

    def test_are_told_where_a_window_is_in_words_that_the_model_does_not_know(self):
        (issue,) = judge(tally((0.1, 0.1), (0.2, 0.1), strange={0})).issues
        assert "1 of 2 windows" in issue.message

    def test_are_told_where_the_statement_has_such_words(self):
        (issue,) = judge(tally((0.9, 0.0)), unknown=["zebra", "okapi"]).issues
        assert "zebra, okapi" in issue.message


class TestNoVerdict:
    def test_is_given_where_a_window_could_not_be_read_and_none_entails(self):
        found = tally((0.1, 0.9))
        found.fail(IssueCode.OUT_OF_RANGE, "no finite number")
        verdict = judge(found)
        assert (verdict.verdict, verdict.probability) == (None, None)
        assert verdict.issues[0].code is IssueCode.OUT_OF_RANGE

    def test_is_not_needed_where_another_entails(self):
        found = tally((0.9, 0.0))
        found.fail(IssueCode.JUDGE_ERROR, "failed")
        assert judge(found).verdict is Verdict.SUPPORTED

    def test_is_given_where_no_window_could_be_read(self):
        found = Tally(THREE)
        found.fail(IssueCode.JUDGE_ERROR, "failed")
        assert judge(found).issues[0].code is IssueCode.JUDGE_ERROR

    def test_is_given_where_every_window_is_in_unknown_words(self):
        verdict = judge(tally((0.1, 0.1), (0.2, 0.1), strange={0, 1}))
        assert verdict.probability is None
        assert verdict.issues[0].code is IssueCode.LANGUAGE_MISMATCH

    def test_more_than_half_unknown_is_strange(self):
        assert is_strange(3, 2)
        assert not is_strange(4, 2)
        assert not is_strange(0, 0)


class TestTheEvidence:
    @pytest.mark.parametrize(
        ("rows", "place"),
        [
            ([(0.9, 0.0), (0.95, 0.0), (0.1, 0.0)], (0, 19, 38)),
            ([(0.1, 0.0), (0.05, 0.9), (0.2, 0.0)], (0, 19, 38)),
            ([(0.1, 0.0), (0.05, 0.3), (0.2, 0.0)], (1, 0, 17)),
            ([(0.9, 0.0), (0.9, 0.0), (0.9, 0.0)], (0, 0, 18)),
        ],
        ids=["entailment", "contradiction", "neither", "the first of equals"],
    )
    def test_is_the_window_that_decided(self, rows, place):
        (evidence,) = judge(tally(*rows)).evidence
        assert (evidence.context, evidence.start, evidence.end) == place
        assert evidence.quote == CONTEXTS[evidence.context][evidence.start : evidence.end]
        assert evidence.similarity == 1.0

    def test_is_named_in_the_reason_with_its_numbers(self):
        reason = judge(tally((0.1, 0.1), (0.02, 0.9), (0.2, 0.1))).reason
        assert reason == (
            "contradiction 0.90, neutral 0.08, entailment 0.02 in context 1, characters 19 to 38, the highest "
            "contradiction of 3 windows; the highest entailment is 0.20"
        )
        reason = judge(tally((0.25,), labels=TWO)).reason
        assert reason == "not entailment 0.75, entailment 0.25 in context 1, characters 0 to 18, the only window"


CHANCES = st.floats(0, 1).flatmap(lambda e: st.tuples(st.just(e), st.floats(0, 1 - e)))


class TestEveryTally:
    @given(st.lists(CHANCES, min_size=1, max_size=3), st.floats(0.01, 1), st.sampled_from([BINARY, TERNARY, GRADED]))
    def test_gives_a_verdict_of_the_scale(self, rows, threshold, scale):
        verdict = judge(tally(*rows), scale=scale, threshold=threshold)
        assert verdict.verdict in scale.verdicts
        assert verdict.probability == max(row[0] for row in rows)
        assert (verdict.verdict is Verdict.SUPPORTED) == (verdict.probability >= threshold - 1e-9)

    @given(st.lists(CHANCES, min_size=1, max_size=3), st.randoms())
    def test_is_the_same_in_any_order_of_windows(self, rows, rng):
        shuffled = rng.sample(rows, len(rows))
        one, two = judge(tally(*rows)), judge(tally(*shuffled))
        assert (one.verdict, one.probability) == (two.verdict, two.probability)
