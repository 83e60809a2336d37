"""The vocabulary keeps its promises."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from magistrate.verdict import (
    BINARY,
    GRADED,
    TERNARY,
    Evidence,
    Issue,
    IssueCode,
    Repair,
    Scale,
    StatementVerdict,
    Verdict,
    resolve_scale,
)


class TestStatementVerdict:
    def test_without_a_verdict_must_say_why(self):
        with pytest.raises(ValidationError, match="neither a verdict nor an issue"):
            StatementVerdict(index=0, id="s1", statement="The ferry leaves at ten.")

    def test_without_a_verdict_but_with_an_issue_is_fine(self):
        issue = Issue(IssueCode.MISSING_VERDICT, "the reply skips it", 0)
        assert StatementVerdict(index=0, id="s1", statement="x", issues=(issue,)).verdict is None

    @pytest.mark.parametrize("probability", [-0.01, 1.01, float("nan"), float("inf")])
    def test_rejects_a_probability_outside_zero_to_one(self, probability):
        with pytest.raises(ValidationError):
            StatementVerdict(index=0, id="s1", statement="x", verdict=Verdict.SUPPORTED, probability=probability)

    def test_cannot_be_changed(self):
        entry = StatementVerdict(index=0, id="s1", statement="x", verdict=Verdict.SUPPORTED)
        with pytest.raises(ValidationError):
            entry.verdict = Verdict.CONTRADICTED

    def test_round_trips_through_json(self):
        entry = StatementVerdict(
            index=1,
            id="s2",
            statement="Der Zug fährt um neun.",
            verdict=Verdict.CONTRADICTED,
            reason="The timetable says ten.",
            evidence=(Evidence("at ten", 0, 5, 11, 1.0),),
            probability=0.25,
            issues=(Issue(IssueCode.REPAIRED_JSON, "trailing comma", 1),),
            format="json",
            span=(3, 90),
            repairs=(Repair("trailing-comma", 88),),
        )
        adapter = TypeAdapter(StatementVerdict)
        assert adapter.validate_json(adapter.dump_json(entry)) == entry


class TestScale:
    @pytest.mark.parametrize("scale", [BINARY, TERNARY, GRADED])
    def test_is_found_by_its_name(self, scale):
        assert resolve_scale(scale.name) is scale

    def test_of_the_user_is_used_as_it_is(self):
        scale = Scale("house", (Verdict.SUPPORTED, Verdict.UNSUPPORTED), {"Grounded": Verdict.SUPPORTED})
        assert resolve_scale(scale) is scale
        assert scale.words == {"grounded": Verdict.SUPPORTED}

    def test_unknown_name_lists_the_known_ones(self):
        with pytest.raises(ValueError, match="'binary', 'ternary', 'graded'"):
            resolve_scale("likert")

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (("", (Verdict.SUPPORTED,)), "needs a name"),
            (("s", ()), "at least one verdict"),
            (("s", (Verdict.SUPPORTED, Verdict.SUPPORTED)), "twice"),
            (("s", (Verdict.SUPPORTED,), {"no": Verdict.UNSUPPORTED}), "does not offer: unsupported"),
            (("s", (Verdict.SUPPORTED,), {"  ": Verdict.SUPPORTED}), "blank word"),
        ],
    )
    def test_that_makes_no_sense_is_refused(self, arguments, problem):
        with pytest.raises(ValueError, match=problem):
            Scale(*arguments)

    def test_pickles_and_hashes_by_value(self):
        scale = Scale("house", (Verdict.SUPPORTED, Verdict.UNSUPPORTED), {"ok": Verdict.SUPPORTED})
        copy = pickle.loads(pickle.dumps(scale))
        assert copy == scale
        assert hash(copy) == hash(scale)


class TestIssueCodes:
    @given(st.sampled_from(IssueCode))
    def test_are_lower_case_and_hyphenated(self, code):
        assert code.value == code.value.lower()
        assert "_" not in code.value


class TestEvidence:
    def test_is_found_only_with_a_context(self):
        assert Evidence("words", context=0, start=1, end=6, similarity=1.0).found
        assert not Evidence("words").found
