"""A case takes the names that datasets use."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from tests.case_tables import cases_of

from magistrate import errors
from magistrate.case import ALIASES, Case, Citation
from magistrate.records import Usage
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

cases = cases_of(__file__)


class TestAliases:
    @pytest.mark.parametrize(("field", "alias"), [(f, a) for f in ("question", "answer") for a in ALIASES[f]])
    def test_every_alias_reaches_its_field(self, field, alias):
        assert getattr(Case(**{alias: "text"}), field) == "text"

    @pytest.mark.parametrize("alias", ALIASES["contexts"])
    def test_every_alias_of_contexts_takes_a_list_or_one_text(self, alias):
        assert Case(**{alias: ["a", "b"]}).contexts == ("a", "b")
        assert Case(**{alias: "a"}).contexts == ("a",)

    def test_documents_may_be_objects_with_a_text(self):
        assert Case(documents=[{"text": "a"}, {"page_content": "b", "metadata": {}}, "c"]).contexts == ("a", "b", "c")


class TestCase:
    @cases("vocabulary: cases that are refused")
    def test_that_is_wrong_is_refused_with_the_name_of_the_field(self, fields, message):
        with pytest.raises(ValidationError, match=message):
            Case(**fields)

    def test_takes_a_number_as_id(self):
        assert Case(id=7).id == "7"


def test_citation_takes_the_names_that_datasets_use():
    citation = Citation(doc_id="contract-1", text="thirty days", claim="Payment is due in thirty days.", span=(3, 14))
    found = (citation.document, citation.quote, citation.statement)
    assert found == ("contract-1", "thirty days", "Payment is due in thirty days.")


usages = st.builds(
    Usage,
    calls=st.integers(0, 100),
    cached=st.integers(0, 100),
    prompt_tokens=st.none() | st.integers(0, 10**6),
    completion_tokens=st.none() | st.integers(0, 10**6),
    cost=st.none() | st.integers(0, 10**6).map(lambda n: n / 4),
    latency_ms=st.integers(0, 10**6).map(float),
)


class TestUsage:
    @given(usages, usages, usages)
    def test_adds_in_any_order_and_grouping(self, a, b, c):
        assert (a + b) + c == a + (b + c)
        assert a + b == b + a

    @given(usages)
    def test_nothing_added_changes_nothing(self, usage):
        assert usage + Usage() == usage

    @given(usages)
    def test_an_unknown_cost_stays_unknown(self, usage):
        assert (usage + Usage(cost=None)).cost is None
        assert (usage + Usage(prompt_tokens=None)).prompt_tokens is None


ALL = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.MagistrateError)]


class TestEveryError:
    @pytest.mark.parametrize("cls", ALL)
    def test_is_drawn_in_the_tree_of_the_manual(self, cls):
        assert cls.__name__ in (Path(__file__).parents[1] / "docs" / "api.md").read_text("utf-8")

    @pytest.mark.parametrize("cls", ALL)
    def test_survives_pickling(self, cls):
        copy = pickle.loads(pickle.dumps(cls("what, where, how")))
        assert type(copy) is cls
        assert str(copy) == "what, where, how"


class TestDetails:
    @cases("vocabulary: details of errors")
    def test_are_attributes_have_defaults_and_survive_pickling(self, name, given, told):
        copy = pickle.loads(pickle.dumps(getattr(errors, name)("slow down", **given)))
        assert {field: getattr(copy, field) for field in told} == told

    def test_must_be_declared_by_the_class(self):
        with pytest.raises(TypeError, match="api_key"):
            errors.JudgeError("failed", api_key="sk-1")


def test_kinship_a_configuration_error_is_a_value_error_and_a_missing_extra_an_import_error():
    assert issubclass(errors.ConfigurationError, ValueError)
    assert issubclass(errors.MissingExtraError, ImportError)


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

    @cases("vocabulary: scales that make no sense")
    def test_that_makes_no_sense_is_refused(self, name, verdicts, words, problem):
        with pytest.raises(ValueError, match=problem):
            Scale(name, tuple(map(Verdict, verdicts)), {word: Verdict(verdict) for word, verdict in words.items()})

    def test_pickles_and_hashes_by_value(self):
        scale = Scale("house", (Verdict.SUPPORTED, Verdict.UNSUPPORTED), {"ok": Verdict.SUPPORTED})
        copy = pickle.loads(pickle.dumps(scale))
        assert copy == scale
        assert hash(copy) == hash(scale)


@given(st.sampled_from(IssueCode))
def test_issue_codes_are_lower_case_and_hyphenated(code):
    assert code.value == code.value.lower()
    assert "_" not in code.value


def test_evidence_is_found_only_with_a_context():
    assert Evidence("words", context=0, start=1, end=6, similarity=1.0).found
    assert not Evidence("words").found
