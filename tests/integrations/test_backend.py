from __future__ import annotations

import asyncio
import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from magistrate.integrations._common.backend import Backend
from magistrate.integrations._common.failures import explain
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.verdict import Status


class Verdict(BaseModel):
    verdict: Literal["yes", "no", "idk"]


class Verdicts(BaseModel):
    verdicts: list[Verdict]


ROWS = Rows("verdicts", ("Trams run all night.", "Tickets cost two euros."), noun="claim")


@pytest.fixture
def backend(replies: Any) -> Backend:
    return Backend("gpt-4o", api_base=replies.url)


class TestAsking:
    def test_from_any_number_of_event_loops_in_turn(self, replies: Any, backend: Backend) -> None:
        replies.texts = [json.dumps({"verdict": "yes"})]
        for _ in range(3):
            reply = asyncio.run(backend.ask("Is it?", Verdict))
            assert reply.value.verdict == "yes"
        assert backend.usage.calls == 3

    async def test_from_sync_code_inside_a_running_loop(self, replies: Any, backend: Backend) -> None:
        replies.texts = [json.dumps({"verdict": "no"})]
        assert backend.ask_sync("Is it?", Verdict).value.verdict == "no"

    async def test_a_list_has_one_entry_per_item_or_none_at_all(self, replies: Any, backend: Backend) -> None:
        replies.texts = [json.dumps({"verdicts": {"1": {"verdict": "yes"}}})]
        reply = await backend.ask("Judge.", Verdicts, ROWS)
        assert (reply.value, reply.missing) == (None, (1,))

    @pytest.mark.parametrize(("score", "kept"), [(7, False), (-1, False), (1, True), (0.25, True)])
    async def test_limits_hold_where_the_model_has_none(
        self, replies: Any, backend: Backend, score: float, kept: bool
    ) -> None:
        class Scored(BaseModel):
            score: float

        replies.texts = [json.dumps({"score": score})]
        reply = await backend.ask("Rate.", Scored, limits={"score": {"minimum": 0, "maximum": 1}})
        assert reply.value == (Scored(score=score) if kept else None)

    async def test_text_is_asked_for_as_it_is(self, replies: Any, backend: Backend) -> None:
        replies.texts = ["A poem."]
        assert (await backend.text("Write one.")).text == "A poem."
        assert replies.prompt() == "Write one."


class TestConstruction:
    def test_options_beside_a_judge_are_an_error(self, replies: Any) -> None:
        judge = LLMJudge("gpt-4o", api_base=replies.url)
        assert Backend(judge).name == "gpt-4o"
        with pytest.raises(TypeError, match="temperature would have no effect"):
            Backend(judge, temperature=0.2)


class TestExplain:
    async def test_one_line_says_what_went_wrong(self, replies: Any, backend: Backend) -> None:
        replies.texts = ["I'm sorry, but I can't help with that."]
        reply = await backend.ask("Judge.", Verdicts, ROWS)
        line = explain(reply, "Verdicts")
        assert reply.status is Status.REFUSED
        assert line.startswith("refused: the judge refused, so there is no Verdicts")
        assert "\n" not in line

    async def test_what_a_reply_says_cannot_grow_the_line(self, replies: Any, backend: Backend) -> None:
        replies.texts = ["x\n" * 5000]
        assert len(explain(await backend.ask("Judge.", Verdict))) < 500
