"""Decoding: strictly, else mended, else with a layer of escaping taken off."""

from __future__ import annotations

import json

import pytest
from tests.case_tables import cases_of

from magistrate.parsing import parse_object, parse_score, parse_verdicts
from magistrate.parsing.decode.documents import decode_text
from magistrate.verdict import Verdict

cases = cases_of(__file__)

FILLER = '"' + "The kiln was lit at noon. " * 500 + '"'
"""Makes a reply a long one."""


class TestLongText:
    def test_with_two_scores_under_one_key_has_none(self) -> None:
        for filler in ('"short"', FILLER):
            reading = parse_score(f'{{"score": 4, "reason": {filler}, "score": 2}}', 1, 5)
            assert (reading.value, [issue.code.value for issue in reading.issues]) == (
                None,
                ["conflicting-verdicts"],
            )

    def test_with_two_verdicts_under_one_key_has_none(self) -> None:
        for filler in ('"short"', FILLER):
            row = f'{{"id": 1, "verdict": "yes", "reason": {filler}, "verdict": "no"}}'
            assert parse_verdicts(f"[{row}]", ["The kiln was lit."]).found == [None]


class TestLongTextWithEscapes:
    SAID = '"' + 'She said \\"noon\\".\\n' * 700 + '"'

    def test_is_read_as_a_short_one_is(self) -> None:
        reading = parse_score(f'{{"score": 4, "reason": {self.SAID}}}', 1, 5)
        assert (reading.value, reading.format, reading.repairs) == (4, "json", ())

    def test_a_key_twice_is_found_in_it(self) -> None:
        for reply in (
            f'{{"score": 4, "reason": {self.SAID}, "score": 2}}',
            f'{{"score": 4, "score": 2, "a": {self.SAID}}}',
        ):
            assert parse_score(reply, 1, 5).value is None


class TestTextThatHoldsJson:
    @cases("documents: is one container or one string and nothing else")
    def test_is_one_container_or_one_string_and_nothing_else(self, text: str, value: object) -> None:
        assert decode_text(text) == value


class TestJsonInStringsOfJson:
    STATEMENTS = ("The ferry runs at noon.", "The pier is made of oak.")
    FORMS = (
        [{"id": 1, "verdict": "yes", "reason": 'It says "noon".\nTwice.'}, {"id": 2, "verdict": "no"}],
        {"verdicts": [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]},
        {"1": "yes", "2": "no"},
    )

    @pytest.mark.parametrize("value", FORMS)
    @pytest.mark.parametrize("layers", [1, 2, 3, 4])
    def test_is_read_and_its_places_are_those_of_the_reply(self, value: object, layers: int) -> None:
        text = json.dumps(value)
        for _ in range(layers):
            text = json.dumps(text)
        reading = parse_verdicts(text, self.STATEMENTS)
        assert [one.verdict for one in reading.verdicts] == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        for one, word in zip(reading.verdicts, ("yes", "no"), strict=True):
            assert one.span is not None
            assert word in text[slice(*one.span)]

    @pytest.mark.parametrize("layers", [1, 2, 3, 4])
    def test_is_read_for_objects_bare_and_under_a_key(self, layers: int) -> None:
        schema = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
        inner = text = json.dumps({"score": 4})
        for _ in range(layers):
            text = json.dumps(text)
        assert parse_object(text, schema).value == {"score": 4}
        assert parse_object(json.dumps({"result": inner}), schema).value == {"score": 4}

    def test_without_end_is_not_followed(self) -> None:
        text = json.dumps({"1": "yes", "2": "no"})
        for _ in range(9):
            text = json.dumps(text)
        assert [one.verdict for one in parse_verdicts(text, self.STATEMENTS).verdicts] == [None, None]
