"""What a reading is: immutable verdicts that are built when asked for, pickle, and compare."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from pydantic import TypeAdapter, ValidationError
from tests.case_tables import cases_of

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, ParseStatus, StatementVerdict, Verdict

cases = cases_of(__file__)

ONE = StatementVerdict(
    index=0,
    id="s1",
    statement="The well is deep.",
    verdict=Verdict.SUPPORTED,
    reason="Line 2.",
    format="json",
    span=(1, 49),
)


def clean() -> StatementVerdict:
    """The same, as it is read, of which nobody has asked for more than that it is there."""
    return parse_verdicts('[{"id": 1, "verdict": "yes", "reason": "Line 2."}]', [ONE.statement]).verdicts[0]


ASKED = ["The well is deep.", "The well is dry."]
TEXT = "[{'id': 1, 'verdict': 'yes', 'reason': 'Line 2.'}, {'id': 2}]"


class TestVerdicts:
    def test_are_a_sequence(self) -> None:
        verdicts = parse_verdicts(TEXT, ASKED).verdicts
        assert len(verdicts) == 2
        assert [one.id for one in verdicts] == ["s1", "s2"]
        assert verdicts[0] is verdicts[-2]
        assert verdicts[:1] == (verdicts[0],)
        assert verdicts[0].reason == "Line 2."
        with pytest.raises(IndexError):
            verdicts[2]

    def test_are_built_once(self) -> None:
        reading = parse_verdicts(TEXT, ASKED)
        assert reading.verdicts is reading.verdicts
        assert reading.verdicts[1] is reading.verdicts[1]

    @pytest.mark.parametrize(
        "use",
        [
            lambda one: one,
            copy.copy,
            copy.deepcopy,
            lambda one: pickle.loads(pickle.dumps(one)),
            StatementVerdict.model_copy,
        ],
    )
    def test_of_a_clean_reply_are_like_any_other(self, use: Callable[[StatementVerdict], StatementVerdict]) -> None:
        one = use(clean())
        assert isinstance(one, StatementVerdict)
        assert one == ONE
        assert use(clean()) == use(clean())
        assert hash(use(clean())) == hash(ONE)
        assert repr(use(clean())) == repr(ONE)
        assert use(clean()).model_dump() == ONE.model_dump()
        assert use(clean()).model_dump_json() == ONE.model_dump_json()
        assert TypeAdapter(list[StatementVerdict]).dump_python([use(clean())]) == [ONE.model_dump()]
        assert use(clean()).model_fields_set == set(StatementVerdict.model_fields)
        assert (use(clean()).verdict, use(clean()).reason, use(clean()).span) == (ONE.verdict, ONE.reason, ONE.span)
        with pytest.raises(ValidationError):
            use(clean()).reason = "another"  # type: ignore[misc]
        with pytest.raises(AttributeError):
            use(clean()).nothing  # type: ignore[attr-defined] # noqa: B018

    def test_compare_by_what_they_say(self) -> None:
        first, second = parse_verdicts(TEXT, ASKED).verdicts, parse_verdicts(TEXT, ASKED).verdicts
        assert first == second
        assert first == list(second)
        assert first != second[:1]
        assert first != parse_verdicts("", ASKED).verdicts
        assert first != "yes"
        with pytest.raises(TypeError):
            hash(first)

    def test_show_themselves(self) -> None:
        assert repr(parse_verdicts(TEXT, ASKED).verdicts).startswith("Verdicts([StatementVerdict(")


class TestReading:
    def test_pickles_with_everything(self) -> None:
        reading = parse_verdicts(TEXT, ASKED)
        back = pickle.loads(pickle.dumps(reading))
        assert back.verdicts == reading.verdicts
        assert pickle.loads(pickle.dumps(reading.verdicts)) == reading.verdicts
        assert (back.status, back.found, back.issues, back.repairs, back.format, back.statements) == (
            reading.status,
            tuple(reading.found),
            reading.issues,
            reading.repairs,
            reading.format,
            tuple(ASKED),
        )

    def test_shows_itself_in_a_line(self) -> None:
        shown = repr(parse_verdicts(TEXT, ASKED))
        assert shown.startswith("VerdictReading(partial, 1 of 2 verdicts, repaired-json, [count-mismatch, ")

    def test_names_what_to_ask_again(self) -> None:
        assert parse_verdicts(TEXT, ASKED).missing == (1,)

    def test_lists_repairs_in_the_order_of_the_reply(self) -> None:
        reading = parse_verdicts(TEXT, ASKED)
        offsets = [repair.offset for repair in reading.repairs]
        assert offsets
        assert offsets == sorted(offsets)
        assert {repair.code for repair in reading.repairs} == {"single-quotes"}


class TestIds:
    def test_of_the_prompt_are_shown(self) -> None:
        reading = parse_verdicts('{"q7": "yes", "q9": "no"}', ASKED, ids=["q7", "q9"])
        assert [(row.id, row.verdict) for row in reading.verdicts] == [
            ("q7", Verdict.SUPPORTED),
            ("q9", Verdict.UNSUPPORTED),
        ]

    def test_of_another_number_than_the_statements_are_an_error(self) -> None:
        with pytest.raises(ValueError, match="1 ids for 2 statements"):
            parse_verdicts("", ASKED, ids=["q7"])

    def test_one_text_is_no_list_of_statements(self) -> None:
        with pytest.raises(TypeError, match="not one text"):
            parse_verdicts("", "The well is deep.")


class TestStatementsOfTheReply:
    def test_are_taken_from_it_where_none_were_given(self) -> None:
        text = '[{"statement": "The well is deep.", "verdict": "yes"}, {"statement": "", "verdict": "no"}]'
        reading = parse_verdicts(text, None)
        assert [(row.statement, row.verdict) for row in reading.verdicts] == [
            ("The well is deep.", Verdict.SUPPORTED),
            ("", None),
        ]
        assert IssueCode.BLANK_STATEMENT in {issue.code for issue in reading.verdicts[1].issues}

    def test_none_without_rows(self) -> None:
        reading = parse_verdicts("The well is deep.", None)
        assert list(reading.verdicts) == []
        assert reading.status is not ParseStatus.OK


class TestFields:
    def test_a_probability_within_nought_and_one_is_kept(self) -> None:
        for given, kept in (("0.9", 0.9), ("1", 1.0), ("1.5", None), ("true", None), ('"high"', None)):
            text = f'[{{"id": 1, "verdict": "yes", "probability": {given}}}]'
            assert parse_verdicts(text, ASKED[:1]).verdicts[0].probability == kept

    def test_quotes_are_found_in_the_contexts(self) -> None:
        text = '[{"id": 1, "verdict": "yes", "quotes": ["deep well", "no such words here"]}]'
        row = parse_verdicts(text, ASKED[:1], contexts=["There is a deep well."]).verdicts[0]
        assert [quote.found for quote in row.evidence] == [True, False]
        assert row.evidence[0].start == 11


class TestEscapedReplies:
    @cases("reading: are read and the spans point into the reply")
    def test_are_read_and_the_spans_point_into_the_reply(self, text: str) -> None:
        reading = parse_verdicts(text, ASKED)
        assert list(reading.found) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        first, second = (row.span for row in reading.verdicts)
        assert first is not None
        assert second is not None
        assert "yes" in text[slice(*first)]
        assert "no" in text[slice(*second)]
