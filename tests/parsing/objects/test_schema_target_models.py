"""Models that say more than a schema: fields without a JSON schema, validators of their own."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ConfigDict, field_validator

from magistrate.parsing import parse_object
from magistrate.parsing.objects.schema_target import target_of
from magistrate.verdict import ParseStatus


class Gauge:
    """A type that no JSON schema describes."""


class Level(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    level: int
    gauge: Gauge | None = None


class Even(BaseModel):
    values: list[int]

    @field_validator("values")
    @classmethod
    def _even(cls, values: list[int]) -> list[int]:
        if any(value % 2 for value in values):
            raise ValueError("all are to be even")
        return values


class TestAModelWithoutASchema:
    def test_is_known_by_its_names(self) -> None:
        target = target_of(Level)
        assert (set(target.names), target.kinds) == ({"level", "gauge"}, {"object"})

    @pytest.mark.parametrize(
        "reply",
        [
            '{"level": 4}',
            'Here: {"level": 4} it is',
            '{"gauge": null, "Level": 4}',
            '{"other": 1}\n{"level": 4}',
            '{"result": {"level": 4}}',
        ],
    )
    def test_is_found_as_any_other(self, reply: str) -> None:
        assert parse_object(reply, Level).value == Level(level=4)

    def test_decides_alone_what_it_takes(self) -> None:
        reading = parse_object('{"level": "four"}', Level)
        assert (reading.value, reading.status) == (None, ParseStatus.UNPARSEABLE)
        assert reading.errors == ("level: Input should be a valid integer",)


class TestOwnValidators:
    def test_have_the_last_word(self) -> None:
        assert parse_object('{"values": [2, 4]}', Even).value == Even(values=[2, 4])
        reading = parse_object('{"values": [2, 3]}', Even)
        assert reading.value is None
        assert [error for error in reading.errors if "all are to be even" in error]
