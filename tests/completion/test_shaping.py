"""Requests as providers take them: the schema, and what carries it."""

import json

import pytest

from magistrate.completion.providers._capabilities import MODES
from magistrate.completion.providers._request_schema import prepare_shaping, shaped
from magistrate.completion.schemas import for_provider

SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "the crater's name", "maxLength": 9},
        "kind": {"type": "string", "enum": ["title", "default"]},
    },
    "required": ["title", "kind"],
    "additionalProperties": False,
}
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Name a crater of the Moon."}]


@pytest.fixture(autouse=True)
def _quiet():
    prepare_shaping(MODES[0], lambda _: False)


def test_a_schema_that_is_enforced_is_strict_and_without_bounds():
    schema, strict = for_provider(SCHEMA, binding=True)
    assert strict
    assert schema["properties"] == {
        "title": {"type": "string", "description": "the crater's name"},
        "kind": {"type": "string", "enum": ["title", "default"]},  # a value that looks like a keyword stays
    }


@pytest.mark.parametrize(
    ("changes", "binding"), [({}, False), ({"additionalProperties": True}, True), ({"required": ["kind"]}, True)]
)
def test_a_schema_that_cannot_be_strict_goes_as_it_is(changes, binding):
    assert for_provider({**SCHEMA, **changes}, binding=binding) == ({**SCHEMA, **changes}, False)


@pytest.mark.parametrize("mode", MODES[:3])
def test_the_schema_goes_along_in_every_mode_with_this_requests_messages_alone(mode):
    text = json.dumps(shaped(mode, "crater", SCHEMA, MESSAGES))
    assert all(part in text for part in ("the crater's name", "Be brief.", "Name a crater of the Moon."))
    other = json.dumps(shaped(mode, "crater", SCHEMA, [{"role": "user", "content": "Name a sea of the Moon."}]))
    assert "crater of the Moon" not in other


def test_what_a_library_changes_in_one_request_is_not_in_the_next():
    for _ in range(2):
        made = shaped("json_schema", "crater", SCHEMA, MESSAGES)
        form = made["response_format"]["json_schema"]
        assert (made["messages"], form["name"], form["schema"]) == (MESSAGES, "crater", SCHEMA)
        form["schema"].clear()


def test_images_are_sent_as_they_were_given():
    picture = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
    made = shaped("json_schema", "crater", SCHEMA, [{"role": "user", "content": picture}])
    assert made["messages"] == [{"role": "user", "content": picture}]
    assert "instructor" not in str(made)
