"""TruLens itself, with our judge behind its feedback and our metrics among its own."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

pytest.importorskip("trulens.core", reason="needs magistrate[trulens]: make interop NAME=trulens")

from magistrate.integrations.trulens import JudgeFailureError, MagistrateProvider, magistrate_metric
from magistrate.verdict import Status

SOURCE = "The mill grinds on Mondays."
ANSWER = "The mill grinds on Mondays. It has two stones."


def judged(score: Any) -> str:
    return json.dumps({"criteria": "c", "supporting_evidence": "e: 7 of 9", "score": score})


class TestProvider:
    def relevance(self, replies: Any, *texts: str) -> Any:
        replies.texts = list(texts)
        provider = MagistrateProvider("gpt-4o", api_base=replies.url)
        return provider.relevance_with_cot_reasons("When does the mill grind?", ANSWER)

    def test_a_reply_in_a_fence_counts(self, replies: Any) -> None:
        score, told = self.relevance(replies, f"So:\n```json\n{judged(2)}\n```")
        assert score == pytest.approx(2 / 3)
        assert "e: 7 of 9" in told["reason"]

    @pytest.mark.parametrize("text", ["I'm sorry, but I can't help with that.", judged("many"), judged(2)[:-4]])
    def test_what_cannot_be_read_is_an_error_with_its_status(self, replies: Any, text: str) -> None:
        with pytest.raises(JudgeFailureError) as caught:
            self.relevance(replies, text)
        assert isinstance(caught.value, RuntimeError)
        assert caught.value.status in {Status.REFUSED, Status.UNPARSEABLE, Status.TRUNCATED}

    def test_a_refusal_is_not_repeated(self, replies: Any) -> None:
        with pytest.raises(JudgeFailureError):
            self.relevance(replies, "I'm sorry, but I can't help with that.")
        assert len(replies.calls) == 1

    def test_a_rating_off_its_scale_is_no_score(self, replies: Any) -> None:
        with pytest.raises(Exception, match="rating"):
            self.relevance(replies, judged(7))

    def test_usage_is_counted(self, replies: Any) -> None:
        replies.texts = [judged(3)]
        provider = MagistrateProvider("gpt-4o", api_base=replies.url)
        assert provider.relevance_with_cot_reasons("q", "a")[0] == 1.0
        assert provider.usage.calls == 1

    def test_the_error_can_be_pickled(self) -> None:
        error = pickle.loads(pickle.dumps(JudgeFailureError("refused: no", Status.REFUSED)))
        assert (str(error), error.status) == ("refused: no", Status.REFUSED)


class TestMetric:
    def test_the_score_comes_with_its_verdicts(self) -> None:
        score, told = magistrate_metric("offline")(question="q", answer=ANSWER, contexts=[SOURCE])
        assert 0 <= score <= 1
        assert told["status"] == "scored"
        assert len(told["verdicts"]) == 2

    def test_no_score_is_the_mark_that_trulens_skips(self) -> None:
        score, told = magistrate_metric("offline")(question="q", answer=ANSWER, contexts=[])
        assert score == -1.0
        assert told["reason"].startswith("no_context: ")

    def test_it_reads_a_record_by_default(self) -> None:
        metric = magistrate_metric("offline", name="grounded")
        assert metric.name == "grounded"
        assert set(metric.selectors) == {"question", "answer", "contexts"}
