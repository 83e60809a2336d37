"""MLflow itself, with our metrics among its scorers and our endpoint behind its judges."""

from typing import Literal

import mlflow
import pytest
from mlflow.entities import SpanType
from mlflow.exceptions import MlflowException
from mlflow.genai.judges import make_judge

from magistrate.integrations._common import Backend
from magistrate.integrations.mlflow import MagistrateScorer
from magistrate.integrations.proxy import Proxy
from magistrate.testing import Fault

CONTEXT = ["The mill grinds on Mondays."]
ANSWER = "The mill grinds on Mondays. It has two stones."
ROW = {"inputs": {"question": "When does it grind?", "context": CONTEXT}, "outputs": ANSWER}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MLflow keeps artifacts where it is started
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")


def named(feedbacks):
    return {feedback.name: feedback for feedback in feedbacks}


class TestScorer:
    def test_a_score_a_status_and_a_verdict_for_each_statement(self):
        found = named(MagistrateScorer("offline").run(**ROW))
        assert list(found) == ["faithfulness", "faithfulness_status", "faithfulness_s1", "faithfulness_s2"]
        assert found["faithfulness"].value == 0.5
        assert found["faithfulness"].rationale.startswith("supported 1 of 2")
        assert found["faithfulness"].source.source_id == "magistrate/offline"
        assert found["faithfulness"].metadata["policy"] == "strict"
        assert found["faithfulness_status"].value == "scored"
        assert [found[f"faithfulness_s{at}"].value for at in (1, 2)] == ["supported", "not_enough_info"]
        assert found["faithfulness_s2"].metadata["statement"] == "It has two stones."

    def test_no_score_is_an_error_with_the_status(self, replies):
        replies.texts = ["I'm sorry, but I can't help with that."]
        found = named(MagistrateScorer("gpt-4o", name="grounded", api_base=replies.url).run(**ROW))
        assert found["grounded"].value is None
        assert found["grounded"].error.error_code == "REFUSED"
        assert found["grounded"].error.error_message.startswith("refused: ")
        assert found["grounded_status"].value == "refused"

    def test_a_statement_without_a_verdict_is_an_error(self, replies):
        def hesitant(text):
            return text.replace('"not_enough_info"', '"perhaps"')

        replies.server.faults = lambda call: Fault(text=hesitant) if call.task.kind == "verify" else None
        found = named(MagistrateScorer("gpt-4o", api_base=replies.url).run(**ROW))
        assert found["faithfulness_status"].value == "partial"
        assert found["faithfulness"].error.error_code == "PARTIAL"
        assert "the score is between" in found["faithfulness"].error.error_message
        judged = [found["faithfulness_s1"], found["faithfulness_s2"]]
        (missing,) = [feedback for feedback in judged if feedback.error is not None]
        assert (missing.value, missing.error.error_code) == (None, "NO_VERDICT")

    def test_passages_come_from_the_retrievers_of_a_trace(self):
        with mlflow.start_span("chain"), mlflow.start_span("outer", SpanType.RETRIEVER) as outer:
            with mlflow.start_span("inner", SpanType.RETRIEVER) as inner:
                inner.set_outputs([{"page_content": "It has two stones."}])
            outer.set_outputs([{"page_content": CONTEXT[0], "metadata": {}}])
        mlflow.flush_trace_async_logging()
        trace = mlflow.get_trace(mlflow.get_last_active_trace_id())
        found = named(MagistrateScorer("offline").run(inputs={"question": "When?"}, outputs=ANSWER, trace=trace))
        assert found["faithfulness"].value == 0.5

    def test_evaluate_leaves_errors_out_of_the_mean(self):
        rows = [ROW, {"inputs": {"question": "When?"}, "outputs": ANSWER}]
        found = mlflow.genai.evaluate(data=rows, scorers=[MagistrateScorer("offline", statements=False)])
        assert found.metrics["faithfulness/mean"] == 0.5
        told = found.result_df.sort_values("faithfulness/value")
        assert told["faithfulness_status/value"].tolist() == ["scored", "no_context"]
        assert told["faithfulness/error_message"].tolist()[1].startswith("no_context: ")


class TestJudgeBehindTheEndpoint:
    def judge(self, server, kind):
        return make_judge(
            "fit",
            "Does {{ outputs }} answer {{ inputs }}?",
            model="openai:/gpt-4o",
            base_url=f"{server.url}/v1/chat/completions",
            extra_headers={"Authorization": "Bearer token"},
            feedback_value_type=kind,
        )

    def test_a_mended_reply(self, replies):
        replies.texts = ["Sure: {'result': 'no', 'rationale': 'r',}"]
        with Proxy(Backend("gpt-4o", api_base=replies.url), "token").server() as server:
            found = self.judge(server, Literal["yes", "no"])(inputs={"q": "When?"}, outputs=ANSWER)
        assert (found.value, found.rationale) == ("no", "r")

    def test_a_value_of_another_type_is_an_error(self, replies):
        replies.texts = ['{"result": 0.7, "rationale": "r"}']
        with (
            Proxy(Backend("gpt-4o", api_base=replies.url), "token").server() as server,
            pytest.raises(MlflowException, match=r"unparseable: .*boolean"),
        ):
            self.judge(server, bool)(inputs={"q": "When?"}, outputs=ANSWER)
