"""What every judge takes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from magistrate.judges.base import list_of_texts
from magistrate.judges.llm import LLMJudge
from magistrate.judges.offline import OfflineJudge
from magistrate.testing import FakeClient

TEXT = "The ferry leaves at noon."
WRONG: list[tuple[Any, str]] = [
    (TEXT, "is a list of texts, not one text"),
    (None, "is a list of texts, not None"),
    (5, "is a list of texts, not int"),
    (b"ferry", "is a list of texts, not bytes"),
]


class TestListOfTexts:
    @pytest.mark.parametrize("texts", [[TEXT], (TEXT,), iter([TEXT]), {TEXT: 1}])
    def test_whatever_holds_texts_is_a_list_of_them(self, texts: Any):
        assert list_of_texts(texts, "contexts") == (TEXT,)

    @pytest.mark.parametrize(("texts", "said"), [*WRONG, ([TEXT, 5], "s[1] is a text, not int"), ([None], "s[0] is a")])
    def test_a_text_alone_and_what_holds_no_texts_is_refused(self, texts: Any, said: str):
        with pytest.raises(TypeError) as caught:
            list_of_texts(texts, "contexts")
        assert said in str(caught.value)


class TestJudges:
    @pytest.fixture(params=["offline", "llm"])
    def judge(self, request: pytest.FixtureRequest) -> Any:
        return OfflineJudge() if request.param == "offline" else LLMJudge("scripted", client=FakeClient([]))

    @pytest.mark.parametrize("texts", [texts for texts, _ in WRONG])
    def test_none_judges_a_text_letter_by_letter(self, judge: Any, texts: Any):
        for statements, contexts in (([TEXT], texts), (texts, [TEXT])):
            with pytest.raises(TypeError, match="is a list of texts"):
                judge.verify_sync(statements, contexts)
            with pytest.raises(TypeError, match="is a list of texts"):
                asyncio.run(judge.verify(statements, contexts))
        with pytest.raises(TypeError, match="contexts is a list of texts"):
            asyncio.run(judge.extract_and_verify(TEXT, texts))
