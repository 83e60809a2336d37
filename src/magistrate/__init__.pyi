# The public names and their homes: what `__init__.py` loads on first use.

from magistrate.case import Case as Case, Citation as Citation
from magistrate.completion.base import CompletionClient as CompletionClient
from magistrate.completion.batches._loopback import Loopback as Loopback
from magistrate.completion.batches.client import Batching as Batching
from magistrate.completion.budget import Budget as Budget
from magistrate.completion.cache import CacheStats as CacheStats, CompletionCache as CompletionCache
from magistrate.completion.cost_ledger import Payer as Payer, Payment as Payment
from magistrate.completion.models import ResolvedModel as ResolvedModel
from magistrate.completion.retry import RetryPolicy as RetryPolicy
from magistrate.completion.traffic import Pace as Pace
from magistrate.evaluation.aggregate import (
    Aggregate as Aggregate,
    CategoryAggregate as CategoryAggregate,
    Latency as Latency,
    RunSummary as RunSummary,
    Worst as Worst,
)
from magistrate.evaluation.api import Cases as Cases, Showing as Showing, aevaluate as aevaluate, evaluate as evaluate
from magistrate.evaluation.cases.columns import FieldMap as FieldMap
from magistrate.evaluation.plan import Metrics as Metrics, RunKeywords as RunKeywords
from magistrate.evaluation.plan import Redact as Redact
from magistrate.case import Problem as Problem, Severity as Severity
from magistrate.evaluation.runs.results import CaseResult as CaseResult
from magistrate.evaluation.runs.run import Run as Run, load_run as load_run
from magistrate.evaluation.runs.store import RunHeader as RunHeader, RunState as RunState
from magistrate.integrations.proxy.openai_client import (
    as_async_openai_client as as_async_openai_client,
    as_openai_client as as_openai_client,
)
from magistrate.judges import (
    BaseJudge as BaseJudge,
    Extract as Extract,
    ExtractAndVerify as ExtractAndVerify,
    Grade as Grade,
    Judge as Judge,
    Question as Question,
    ScoreReply as ScoreReply,
    SingleReply as SingleReply,
    StatementsReply as StatementsReply,
    Structured as Structured,
    StructuredReply as StructuredReply,
    VerdictsReply as VerdictsReply,
    Verify as Verify,
)
from magistrate.judges.llm import LLMJudge as LLMJudge
from magistrate.judges.llm._dry_run import EstimatingJudge as EstimatingJudge
from magistrate.judges.llm.examples import Example as Example
from magistrate.judges.llm.itemized_schema import Rows as Rows
from magistrate.prompts import Prompt as Prompt
from magistrate.judges.nli import NLIJudge as NLIJudge
from magistrate.judges.offline import OfflineJudge as OfflineJudge
from magistrate.metrics._case_metric import (
    Account as Account,
    Direction as Direction,
    Finding as Finding,
    Option as Option,
)
from magistrate.metrics.custom import MetricFunction as MetricFunction
from magistrate.metrics import (
    Abstention as Abstention,
    AnswerCorrectness as AnswerCorrectness,
    AnswerRelevance as AnswerRelevance,
    CitationAccuracy as CitationAccuracy,
    CitationPrecision as CitationPrecision,
    CitationRecall as CitationRecall,
    ContextRelevance as ContextRelevance,
    ContextualPrecision as ContextualPrecision,
    ContextualRecall as ContextualRecall,
    CrossDocumentFaithfulness as CrossDocumentFaithfulness,
    Faithfulness as Faithfulness,
    GroundingF1 as GroundingF1,
    GroundingPrecision as GroundingPrecision,
    GroundingRecall as GroundingRecall,
    Hallucination as Hallucination,
    MetricResult as MetricResult,
    RubricMetric as RubricMetric,
    SourceConflict as SourceConflict,
    metric as metric,
    rescore as rescore,
)
from magistrate.records import (
    CallRecord as CallRecord,
    Completion as Completion,
    CompletionRequest as CompletionRequest,
    Message as Message,
    PromptRef as PromptRef,
    Usage as Usage,
)
from magistrate.scoring import (
    POLICIES as POLICIES,
    Cell as Cell,
    Extra as Extra,
    Missing as Missing,
    Policy as Policy,
    Score as Score,
    get_policy as get_policy,
    score_verdicts as score_verdicts,
)
from magistrate.statistics import Interval as Interval
from magistrate.verdict import (
    BINARY as BINARY,
    GRADED as GRADED,
    TERNARY as TERNARY,
    Evidence as Evidence,
    Issue as Issue,
    IssueCode as IssueCode,
    Outcome as Outcome,
    ParseStatus as ParseStatus,
    Repair as Repair,
    Scale as Scale,
    StatementVerdict as StatementVerdict,
    Status as Status,
    Verdict as Verdict,
    Vote as Vote,
)

__all__: list[str]
__version__: str
