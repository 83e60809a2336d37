"""What of a statement can be judged, and from the probabilities of windows to its verdict."""

from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.judges import Verify
from magistrate.judges.nli._folder import name_labels
from magistrate.judges.nli._verdicts import Reading, Tally, claim_of, judged
from magistrate.verdict import BINARY, GRADED, TERNARY, IssueCode, Scale, Verdict, resolve_scale

cases = cases_of(__file__)

THREE = name_labels(("entailment", "neutral", "contradiction"))
TWO = name_labels(("not_entailment", "entailment"))
CONTEXTS = ["The press is open. The barn is closed.", "The mill is open."]
PLACES = [(0, 0, 18), (0, 19, 38), (1, 0, 17)]
OWN = {
    "cautious": Scale("cautious", (Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO)),
    "odd": Scale("odd", (Verdict.SUPPORTED, Verdict.CONTRADICTED)),
    "no": Scale("no", (Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO)),
}


def judge(*rows, scale="ternary", threshold=0.7, unknown=(), strange=(), failed=None):
    """Judge by windows with these (entailment, contradiction), or (entailment,) for two labels."""
    found = Tally(TWO if rows and len(rows[0]) == 1 else THREE)
    for number, (row, place) in enumerate(zip(rows, PLACES, strict=False)):
        values = (row[0], 1 - sum(row), row[1]) if len(row) > 1 else (1 - row[0], row[0])
        found.add(Reading(values, *place), strange=number in strange)
    if failed is not None:
        found.fail(IssueCode(failed), "failed")
    scale = OWN.get(scale) or resolve_scale(scale)
    return judged(Verify(["The press is open."], CONTEXTS, scale=scale), 0, found, threshold, unknown)


@cases("verdicts: what windows amount to")
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


@cases("verdicts: claims")
def test_a_claim_has_no_marks_of_layout_or_citation(statement, claim):
    assert claim_of(statement) == claim


@cases("verdicts: no claims")
def test_what_claims_nothing_has_no_claim(statement, code):
    assert claim_of(statement)[0] == code
