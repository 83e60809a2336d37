"""What a reading is: immutable verdicts that are built when asked for, pickle, and compare."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from pydantic import TypeAdapter, ValidationError

from magistrate.parsing import parse_verdicts
from magistrate.verdict import IssueCode, ParseStatus, StatementVerdict, Verdict

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


class TestReasons:
    @pytest.mark.parametrize(
        "reason", ["The page says it is dry. Verdict: no", "It is not there.\nFinal answer: unsupported"]
    )
    def test_one_that_ends_in_the_opposite_verdict_contradicts_it(self, reason: str) -> None:
        text = f'[{{"id": 1, "verdict": "yes", "reason": {reason!r}}}, {{"id": 2, "verdict": "no"}}]'.replace("'", '"')
        reading = parse_verdicts(text, ASKED)
        assert reading.found[0] is None
        told = {issue.code for issue in reading.verdicts[0].issues}
        assert told == {IssueCode.REASON_CONTRADICTS, IssueCode.CONFLICTING_VERDICTS}

    @pytest.mark.parametrize(
        "text",
        [
            "| # | Verdict | Reason |\n|---|---|---|\n| 1 | yes | It is dry. Verdict: no |\n| 2 | no | Line 3. |",
            '<i id="1"><verdict>yes</verdict><reason>Verdict: no</reason></i><i id="2"><verdict>no</verdict></i>',
        ],
    )
    def test_one_of_a_table_or_an_element_contradicts_it_too(self, text: str) -> None:
        reading = parse_verdicts(text, ASKED)
        assert list(reading.found) == [None, Verdict.UNSUPPORTED]
        assert IssueCode.REASON_CONTRADICTS in {issue.code for issue in reading.verdicts[0].issues}

    def test_one_that_agrees_does_not(self) -> None:
        text = '[{"id": 1, "verdict": "yes", "reason": "It is there. Verdict: yes"}, {"id": 2, "verdict": "no"}]'
        assert list(parse_verdicts(text, ASKED).found) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]


class TestCorrections:
    LIST = '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]'

    def test_a_later_list_counts_where_the_earlier_is_taken_back(self) -> None:
        text = f"{self.LIST}\n\nCorrection: the list above is wrong.\n\n{self.LIST.replace('no', 'yes')}"
        reading = parse_verdicts(text, ASKED)
        assert list(reading.found) == [Verdict.SUPPORTED, Verdict.SUPPORTED]
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    def test_a_statement_that_is_corrected_has_the_new_verdict_or_none(self) -> None:
        reading = parse_verdicts(f"{self.LIST}\n\nCorrection: statement 1 is not supported.", ASKED)
        assert reading.found[0] in {None, Verdict.UNSUPPORTED}
        assert reading.found[1] is Verdict.UNSUPPORTED

    def test_a_list_that_is_taken_back_without_another_is_none(self) -> None:
        reading = parse_verdicts(f"{self.LIST}\n\nCorrection: the list above is wrong.", ASKED)
        assert list(reading.found) == [None, None]

    def test_a_contradiction_after_the_list_leaves_none(self) -> None:
        reading = parse_verdicts(f"{self.LIST}\n\nStatement 1 is not supported.", ASKED)
        assert reading.found[0] is None


class TestFields:
    @pytest.mark.parametrize(
        ("row", "verdict"),
        [
            ('{"id": 1, "supported": true}', Verdict.SUPPORTED),
            ('{"id": 1, "supported": false, "contradicted": true}', Verdict.CONTRADICTED),
            ('{"id": 1, "supported": false, "contradicted": false, "not_enough_info": true}', Verdict.NOT_ENOUGH_INFO),
            ('{"id": 1, "supported": true, "contradicted": true}', None),
            ('{"id": 1, "contradicted": true, "not_enough_info": true}', None),
            ('{"id": 1, "verdict": {"label": "supported"}}', Verdict.SUPPORTED),
            ('{"id": 1, "id": 2, "verdict": "supported"}', None),
            ('{"id": 1, "verdict": "supported", "verdict": "contradicted"}', None),
            ('{"id": 1, "verdict": ["supported", "contradicted"]}', None),
        ],
    )
    def test_truth_values_under_the_names_of_verdicts(self, row: str, verdict: Verdict | None) -> None:
        assert list(parse_verdicts(f"[{row}]", ASKED[:1], scale="ternary").found) == [verdict]

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
    @pytest.mark.parametrize(
        "text",
        [
            '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]'.replace('"', "&quot;"),
            '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]'.replace('"', "&#34;"),
            r"[{\"id\": 1, \"verdict\": \"yes\"}, {\"id\": 2, \"verdict\": \"no\"}]",
            r"[{\"id\": 1, \"reason\": \"a \\\"b\\\"\", \"verdict\": \"yes\"}, {\"id\": 2, \"verdict\": \"no\"}]",
        ],
    )
    def test_are_read_and_the_spans_point_into_the_reply(self, text: str) -> None:
        reading = parse_verdicts(text, ASKED)
        assert list(reading.found) == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        first, second = (row.span for row in reading.verdicts)
        assert first is not None
        assert second is not None
        assert "yes" in text[slice(*first)]
        assert "no" in text[slice(*second)]
