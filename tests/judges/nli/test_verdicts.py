"""What of a statement can be judged, and from the probabilities of windows to its verdict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.judges.nli._folder import name_labels
from magistrate.judges.nli._verdicts import Reading, Tally, claim_of, judged
from magistrate.verdict import BINARY, GRADED, TERNARY, IssueCode, Scale, Verdict

cases = cases_of(__file__)

THREE = name_labels(("entailment", "neutral", "contradiction"))
TWO = name_labels(("not_entailment", "entailment"))
CONTEXTS = ["The press is open. The barn is closed.", "The mill is open."]
PLACES = [(0, 0, 18), (0, 19, 38), (1, 0, 17)]
UNSURE = [IssueCode.LOW_CONFIDENCE]
CAUTIOUS = Scale("cautious", (Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO))
ODD = Scale("odd", (Verdict.SUPPORTED, Verdict.CONTRADICTED))
NO_YES = Scale("no", (Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO))


def judge(*rows, scale=TERNARY, threshold=0.7, unknown=(), strange=(), failed=None):
    """Judge by windows with these (entailment, contradiction), or (entailment,) for two labels."""
    found = Tally(TWO if rows and len(rows[0]) == 1 else THREE)
    for number, (row, place) in enumerate(zip(rows, PLACES, strict=False)):
        values = (row[0], 1 - sum(row), row[1]) if len(row) > 1 else (1 - row[0], row[0])
        found.add(Reading(values, *place), strange=number in strange)
    if failed is not None:
        found.fail(failed, "failed")
    return judged(0, "The press is open.", found, contexts=CONTEXTS, scale=scale, threshold=threshold, unknown=unknown)


@pytest.mark.parametrize(
    ("rows", "options", "verdict", "issues"),
    [
        ([(0.1, 0.1), (0.9, 0.05), (0.2, 0.1)], {}, Verdict.SUPPORTED, []),
        ([(0.1, 0.1), (0.05, 0.9), (0.2, 0.1)], {}, Verdict.CONTRADICTED, []),
        ([(0.1, 0.1), (0.05, 0.3), (0.2, 0.1)], {}, Verdict.NOT_ENOUGH_INFO, []),
        ([(0.01,), (0.02,)], {}, Verdict.NOT_ENOUGH_INFO, []),  # two labels never contradict
        ([(0.01,), (0.92,)], {}, Verdict.SUPPORTED, []),
        ([(0.05, 0.9)], {"scale": BINARY}, Verdict.UNSUPPORTED, []),
        ([(0.05, 0.9)], {"scale": GRADED}, Verdict.CONTRADICTED, []),
        ([(0.05, 0.9)], {"scale": CAUTIOUS}, Verdict.NOT_ENOUGH_INFO, []),
        ([(0.1, 0.1)], {"scale": ODD}, None, [IssueCode.MISSING_VERDICT]),  # no word for it
        ([(0.9, 0.1)], {"scale": NO_YES}, None, [IssueCode.MISSING_VERDICT]),
        # the threshold is reached from itself on
        ([(0.7, 0.0)], {}, Verdict.SUPPORTED, UNSURE),
        ([(0.7 - 1e-12, 0.0)], {}, Verdict.SUPPORTED, UNSURE),
        ([(0.7 - 1e-6, 0.0)], {}, Verdict.NOT_ENOUGH_INFO, UNSURE),
        ([(0.0, 0.7)], {}, Verdict.CONTRADICTED, UNSURE),
        ([(0.0, 0.7 - 1e-6)], {}, Verdict.NOT_ENOUGH_INFO, UNSURE),
        ([(0.4, 0.6)], {"threshold": 0.3}, Verdict.SUPPORTED, UNSURE),
        ([(1.0, 0.0)], {"threshold": 1.0}, Verdict.SUPPORTED, UNSURE),
        # what is close to it is flagged
        ([(0.79, 0.0)], {}, Verdict.SUPPORTED, UNSURE),
        ([(0.81, 0.0)], {}, Verdict.SUPPORTED, []),
        ([(0.61, 0.0)], {}, Verdict.NOT_ENOUGH_INFO, UNSURE),
        ([(0.59, 0.0)], {}, Verdict.NOT_ENOUGH_INFO, []),
        ([(0.1, 0.65)], {}, Verdict.NOT_ENOUGH_INFO, UNSURE),
        ([(0.1, 0.65)], {"scale": BINARY}, Verdict.UNSUPPORTED, []),
        # and so is another window that contradicts, and words that the model does not know
        ([(0.9, 0.05), (0.05, 0.9)], {}, Verdict.SUPPORTED, UNSURE),
        ([(0.1, 0.1), (0.2, 0.1)], {"strange": {0}}, Verdict.NOT_ENOUGH_INFO, UNSURE),
        ([(0.9, 0.0)], {"unknown": ["zebra"]}, Verdict.SUPPORTED, UNSURE),
        ([(0.1, 0.1), (0.2, 0.1)], {"strange": {0, 1}}, None, [IssueCode.LANGUAGE_MISMATCH]),
        # a window that could not be read might have entailed it
        ([(0.1, 0.9)], {"failed": IssueCode.OUT_OF_RANGE}, None, [IssueCode.OUT_OF_RANGE]),
        ([(0.9, 0.0)], {"failed": IssueCode.JUDGE_ERROR}, Verdict.SUPPORTED, []),
        ([], {"failed": IssueCode.JUDGE_ERROR}, None, [IssueCode.JUDGE_ERROR]),
    ],
)
def test_what_windows_amount_to(rows, options, verdict, issues):
    found = judge(*rows, **options)
    assert (found.verdict, [issue.code for issue in found.issues]) == (verdict, issues)


@cases("verdicts: the evidence is the window that decided")
def test_the_evidence_is_the_window_that_decided(rows, place):
    (evidence,) = judge(*rows).evidence
    assert (evidence.context, evidence.start, evidence.end) == tuple(place)
    assert evidence.quote == CONTEXTS[evidence.context][evidence.start : evidence.end]
    assert evidence.similarity == 1.0


CHANCES = st.floats(0, 1).flatmap(lambda e: st.tuples(st.just(e), st.floats(0, 1 - e)))


@given(
    st.lists(CHANCES, min_size=1, max_size=3),
    st.floats(0.01, 1),
    st.sampled_from([BINARY, TERNARY, GRADED]),
    st.randoms(),
)
def test_every_tally_gives_a_verdict_of_the_scale_in_any_order_of_windows(rows, threshold, scale, rng):
    verdict = judge(*rows, scale=scale, threshold=threshold)
    assert verdict.verdict in scale.verdicts
    assert verdict.probability == max(row[0] for row in rows)
    assert (verdict.verdict is Verdict.SUPPORTED) == (verdict.probability >= threshold - 1e-9)
    shuffled = judge(*rng.sample(rows, len(rows)), scale=scale, threshold=threshold)
    assert (shuffled.verdict, shuffled.probability) == (verdict.verdict, verdict.probability)


@pytest.mark.parametrize(
    ("statement", "claim"),
    [
        *dict.fromkeys(
            [
                "The press is closed.",
                "The press is closed [1].",
                "The press is closed.[1][2]",
                "The press is closed 【4†source】.",
                "- The press is closed.",
                "You're welcome! The press is closed.",
            ],
            "The press is closed.",
        ).items(),
        ("The yard has 80 m².", "The yard has 80 m²."),
        ("果园在星期一开放。", "果园在星期一开放。"),
    ],
)
def test_a_claim_has_no_marks_of_layout_or_citation(statement, claim):
    assert claim_of(statement) == claim


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        *dict.fromkeys(["", "  ", "...", "—", "\u200b", "**"], IssueCode.BLANK_STATEMENT).items(),
        *dict.fromkeys(["[1]", "I hope this helps!", "- [3]"], IssueCode.MISSING_VERDICT).items(),
        ("The passage does not say who runs the mill.", IssueCode.MISSING_VERDICT),
        ("Der Text nennt keinen Preis für die Birnen.", IssueCode.MISSING_VERDICT),
    ],
)
def test_what_claims_nothing_has_no_claim(statement, code):
    assert claim_of(statement)[0] is code
