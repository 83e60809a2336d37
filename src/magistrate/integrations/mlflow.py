"""MLflow: our metrics among its scorers; as the judge behind `make_judge`, give it the address of the proxy."""

from typing import Any

from magistrate.integrations import _common as ours
from magistrate.metrics.base import MetricResult
from magistrate.verdict import StatementVerdict

with ours.needs("mlflow"):
    from mlflow.entities import AssessmentError, AssessmentSource, Feedback, SpanType
    from mlflow.genai.scorers import Scorer
    from pydantic import PrivateAttr


class MagistrateScorer(Scorer):
    """A metric of ours among MLflow's scorers.

    Gives a feedback with the score, one with the status (`NAME_status`), and one for each statement (`NAME_s1`, ...)
    with its verdict and reason. Without a score that is safe to use the first one is an error whose code is the status;
    so is that of a statement without a verdict. MLflow's means leave errors out.

    Args:
        model: A model's name, "offline", or a judge.
        metric: The metric; None for faithfulness.
        name: Its name in MLflow; None for its own.
        question: The key of the inputs that holds the question; None for the usual ones, or the inputs' only one.
        answer: The key of the outputs that holds the answer; likewise.
        context: The key of the passages in the outputs, the inputs or the expectations; None for the usual ones. Where
            there is none, they are what the trace's retrievers gave.
        statements: Whether to give a feedback for each statement.
        **options: threshold, and options of the judge.
    """

    _evaluator: Any = PrivateAttr()
    _named: Any = PrivateAttr()
    _statements: bool = PrivateAttr()

    def __init__(
        self,
        model: Any,
        metric: Any = None,
        *,
        name: str | None = None,
        question: str | None = None,
        answer: str | None = None,
        context: str | None = None,
        statements: bool = True,
        **options: Any,
    ) -> None:
        evaluator = ours.Evaluator(model, metric, **options)
        super().__init__(name=name or evaluator.metric.name)
        self._evaluator, self._named, self._statements = evaluator, (question, answer, context), statements

    def __call__(self, *, inputs: Any = None, outputs: Any = None, expectations: Any = None, trace: Any = None) -> Any:
        """Judge a row: a list of feedbacks."""
        case = ours.case_in(inputs, outputs, expectations, {}, self._named)
        if not case.contexts and (passages := _retrieved(trace)):
            case = ours.case_of(case.question, case.answer, passages, reference=case.reference)
        result = self._evaluator.evaluate_sync(case)
        source = AssessmentSource(source_type="LLM_JUDGE", source_id=f"magistrate/{result.judge}")
        status = Feedback(name=f"{self.name}_status", value=result.status.value, source=source)
        judged = [_statement(self.name, verdict, source) for verdict in result.verdicts] if self._statements else []
        return [_score(self.name, result, source), status, *judged]


def _score(name: str, result: MetricResult, source: Any) -> Any:
    score, why = ours.safe_score(result), ours.headline(result)
    error = AssessmentError(error_code=result.status.value.upper(), error_message=why) if score is None else None
    told = {key: str(value) for key, value in ours.details(result).items() if key != "verdicts" and value is not None}
    return Feedback(name=name, value=score, error=error, rationale=why, source=source, metadata=told)


def _statement(name: str, verdict: StatementVerdict, source: Any) -> Any:
    issues = ", ".join(issue.code.value for issue in verdict.issues)
    why = issues or "the judge gave no verdict"
    return Feedback(
        name=f"{name}_{verdict.id}",
        value=verdict.verdict and verdict.verdict.value,
        error=None if verdict.verdict else AssessmentError(error_code="NO_VERDICT", error_message=why),
        rationale=verdict.reason,
        source=source,
        metadata={"statement": verdict.statement, "issues": issues},
    )


def _retrieved(trace: Any) -> list[Any]:
    """What the trace's retrievers gave; those inside of other retrievers do not count twice."""
    spans = [] if trace is None else trace.search_spans(span_type=SpanType.RETRIEVER)
    inner = {span.span_id for span in spans}
    outer = [span.outputs for span in spans if span.parent_id not in inner]
    return [passage for outputs in outer if isinstance(outputs, list) for passage in outputs]
