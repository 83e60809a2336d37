from __future__ import annotations

from enum import Enum

from magistrate.integrations.messages import messages_of, parts_of


class Role(Enum):
    AI = "assistant"


class TestParts:
    def test_images_leave_a_mark_where_they_stood(self) -> None:
        text, images = parts_of(
            [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {"url": "data:x"}}]
        )
        assert text == "See\n[[image 1 of this message]]"
        assert images == (("[[image 1 of this message]]", "data:x"),)

    def test_an_address_may_stand_alone(self) -> None:
        assert parts_of([{"type": "image_url", "image_url": "data:x"}])[1] == (
            ("[[image 1 of this message]]", "data:x"),
        )

    def test_texts(self) -> None:
        assert parts_of("plain") == ("plain", ())
        assert parts_of(["one", {"text": "two"}]) == ("one\ntwo", ())
        assert parts_of(None) == ("", ())


class TestMessages:
    def test_roles_in_the_words_of_other_frameworks(self) -> None:
        roles = ["system", "developer", "model", Role.AI, "human"]
        found = [message.role for message in messages_of([{"role": role, "content": "x"} for role in roles])]
        assert found == ["system", "system", "assistant", "assistant", "user"]
