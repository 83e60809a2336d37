from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from magistrate.errors import ConfigurationError
from magistrate.integrations._common.evaluator import Evaluator, details, headline, safe_score
from magistrate.integrations._common.inputs import case_of
from magistrate.judges.llm import LLMJudge
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.records import CompletionRequest
from magistrate.testing import FakeClient, Fault
from magistrate.verdict import Status

CASE = case_of("When?", "The bath opens at seven. It has a sauna.", ["The bath opens at seven."])


class TestEvaluator:
    def test_a_name_makes_a_judge(self, replies: Any) -> None:
        evaluator = Evaluator("gpt-4o", api_base=replies.url)
        result = evaluator.evaluate_sync(CASE)
        assert result.status is Status.SCORED
        assert asyncio.run(evaluator.evaluate(CASE)).score == result.score

    def test_offline_needs_nothing(self) -> None:
        assert Evaluator("offline").evaluate_sync(CASE).judge == "offline"

    def test_nli_names_the_folder_of_an_entailment_model(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match=re.escape(str(tmp_path))):
            Evaluator(f"nli:{tmp_path}")

    def test_options_that_would_have_no_effect_are_errors(self) -> None:
        with pytest.raises(ConfigurationError, match="api_base"):
            Evaluator("offline", api_base="http://127.0.0.1")
        with pytest.raises(ConfigurationError, match="options of a model"):
            Evaluator(OfflineJudge(), temperature=1.0)
        with pytest.raises(ConfigurationError, match="threshold of its own"):
            Evaluator("offline", Faithfulness(), threshold=0.5)

    def test_a_threshold_is_that_of_faithfulness(self) -> None:
        assert Evaluator("offline", threshold=0.25).evaluate_sync(CASE).threshold == 0.25


class TestWhatTheFrameworkIsTold:
    def test_the_details_are_json_and_hold_every_verdict(self) -> None:
        result = Evaluator("offline").evaluate_sync(CASE)
        told = json.loads(json.dumps(details(result)))
        assert told["status"] == result.status.value
        assert [row["statement"] for row in told["verdicts"]] == list(result.statements)

    def test_a_score_over_some_statements_is_none_that_is_safe(self, replies: Any) -> None:
        replies.server.faults = lambda call: Fault(text=lambda _: "no idea") if call.number > 0 else None
        result = Evaluator("gpt-4o", api_base=replies.url).evaluate_sync(CASE)
        assert result.status is not Status.SCORED
        assert safe_score(result) is None
        assert headline(result).startswith(f"{result.status.value}: ")

    def test_a_lost_claim_widens_the_bounds(self) -> None:
        def answer(request: CompletionRequest) -> str:
            if request.purpose == "extract":
                return '{"token": "{token}", "statements": ["It has a sauna."]}'
            return '{"token": "{token}", "s1": "not_enough_info"}'

        result = Evaluator(LLMJudge("gpt-4o", client=FakeClient(answer))).evaluate_sync(CASE)
        assert (safe_score(result), details(result)["bounds"]) == (0.0, [0.0, 0.5])
        assert headline(result).endswith("the score is between 0.000 and 0.500")

    def test_an_abstention_is_no_refusal(self) -> None:
        case = case_of("When?", "Das Bad öffnet um sieben Uhr und hat eine Sauna.", ["The bath opens at seven."])
        said = headline(Evaluator("offline").evaluate_sync(case))
        assert said == "refused: the judge cannot tell (the statement is in German, the contexts are in English)"

    def test_a_score_over_all_is_safe(self) -> None:
        result = Evaluator("offline").evaluate_sync(CASE)
        assert safe_score(result) == result.score is not None
