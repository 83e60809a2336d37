from __future__ import annotations

import json
from typing import Any

import pytest

from magistrate.completion.providers._capabilities import MODES
from magistrate.completion.providers._instructor import prepare_shaping, shaped

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string", "description": "the crater's name"}},
    "required": ["name"],
    "additionalProperties": False,
}
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Name a crater of the Moon."}]


@pytest.fixture(autouse=True)
def _quiet() -> None:
    prepare_shaping(MODES[0], lambda _: False)


class TestShaped:
    def test_where_schemas_are_enforced_it_is_a_parameter_and_the_messages_stay(self) -> None:
        made = shaped("json_schema", "crater", SCHEMA, MESSAGES)
        assert made["messages"] == MESSAGES
        assert made["response_format"]["json_schema"]["schema"] == SCHEMA
        assert made["response_format"]["json_schema"]["name"] == "crater"

    @pytest.mark.parametrize("mode", MODES[:3])
    def test_the_schema_goes_along_in_every_mode_and_every_message_is_kept(self, mode: str) -> None:
        text = json.dumps(shaped(mode, "crater", SCHEMA, MESSAGES))
        for part in ("the crater's name", "Be brief.", "Name a crater of the Moon."):
            assert part in text

    @pytest.mark.parametrize("mode", MODES[:3])
    def test_requests_of_one_schema_have_their_own_messages(self, mode: str) -> None:
        shaped(mode, "crater", SCHEMA, MESSAGES)
        other = json.dumps(shaped(mode, "crater", SCHEMA, [{"role": "user", "content": "Name a sea of the Moon."}]))
        assert "sea of the Moon" in other
        assert "crater of the Moon" not in other

    def test_what_a_library_changes_in_one_request_is_not_in_the_next(self) -> None:
        shaped("json_schema", "crater", SCHEMA, MESSAGES)["response_format"]["json_schema"]["schema"].clear()
        assert shaped("json_schema", "crater", SCHEMA, MESSAGES)["response_format"]["json_schema"]["schema"] == SCHEMA

    def test_images_are_sent_as_they_were_given(self) -> None:
        picture = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
        made = shaped("json_schema", "crater", SCHEMA, [{"role": "user", "content": picture}])
        assert made["messages"] == [{"role": "user", "content": picture}]
        assert "instructor" not in str(made)
