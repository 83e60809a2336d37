from __future__ import annotations

import asyncio
import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from magistrate.integrations._common.backend import Backend
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows


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


class TestConstruction:
    def test_options_beside_a_judge_are_an_error(self, replies: Any) -> None:
        judge = LLMJudge("gpt-4o", api_base=replies.url)
        assert Backend(judge).name == "gpt-4o"
        with pytest.raises(TypeError, match="temperature would have no effect"):
            Backend(judge, temperature=0.2)
