from __future__ import annotations

from enum import Enum

import pytest

from magistrate.integrations._common.inputs import case_of, message_of, messages_of


class Role(Enum):
    AI = "assistant"


MARK = "[[image 1 of this message]]"


class TestMessage:
    @pytest.mark.parametrize("address", [{"url": "data:x"}, "data:x"])
    def test_images_leave_a_mark_where_they_stood(self, address: object) -> None:
        message = message_of("user", [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": address}])
        assert (message.content, message.images) == (f"See\n{MARK}", ((MARK, "data:x"),))

    @pytest.mark.parametrize(
        ("content", "text"), [("plain", "plain"), (["one", {"text": "two"}], "one\ntwo"), (None, "")]
    )
    def test_texts(self, content: object, text: str) -> None:
        assert (message_of("user", content).content, message_of("user", content).images) == (text, ())


class TestMessages:
    def test_roles_in_the_words_of_other_frameworks(self) -> None:
        roles = ["system", "developer", "model", Role.AI, "human"]
        found = [message.role for message in messages_of([{"role": role, "content": "x"} for role in roles])]
        assert found == ["system", "system", "assistant", "assistant", "user"]


class TestCaseOf:
    def test_documents_become_their_texts(self) -> None:
        class Document:
            page_content = "from an object"

        case = case_of(None, 7, [{"text": "from a mapping"}, Document(), "plain", 3])
        assert case.contexts == ("from a mapping", "from an object", "plain", "3")
        assert (case.question, case.answer) == (None, "7")

    def test_one_context_may_stand_alone(self) -> None:
        assert case_of("q", "a", "one passage").contexts == ("one passage",)
        assert case_of("q", "a", None).contexts == ()
