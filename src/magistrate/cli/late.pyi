from magistrate.audit import (
    AuditPart as AuditPart,
    AuditTask as AuditTask,
    Finding as Finding,
    SourceKind as SourceKind,
)
from magistrate.audit import AuditSummary as AuditSummary, LabelTask as LabelTask, Recorded as Recorded
from magistrate.audit import ScoreTask as ScoreTask, VerdictsTask as VerdictsTask, audit_files as audit_files
from magistrate.audit import audit_part as audit_part, audit_parts as audit_parts
from magistrate.audit._audit import listed_files as listed_files
from magistrate.audit import keep_run as keep_run
from magistrate.case import Case as Case
from magistrate.completion.batches import Part as Part, Round as Round, Rounds as Rounds, is_under_way as is_under_way
from magistrate.completion.batches.client import collect as collect, submit as submit
from magistrate.completion.batches.client import write_requests as write_requests
from magistrate.completion.batches.client import Batching as Batching
from magistrate.completion.budget import Budget as Budget
from magistrate.completion.cache import CompletionCache as CompletionCache, is_cache as is_cache
from magistrate.completion.cache import load_or_make_key as load_or_make_key
from magistrate.completion.shared_limits import Limits as Limits, SharedBudget as SharedBudget, SharedPace as SharedPace
from magistrate.engines import Processes as Processes, Task as Task, open_engine as open_engine
from magistrate.errors import ConfigurationError as ConfigurationError, DatasetError as DatasetError
from magistrate.errors import (
    PromptError as PromptError,
    MissingExtraError as MissingExtraError,
    StoreError as StoreError,
)
from magistrate.errors import UnknownModelError as UnknownModelError, meant as meant
from magistrate.evaluation.believing.report import calibrate_run as calibrate_run
from magistrate.evaluation.believing.report import calibrated_judge as calibrated_judge
from magistrate.evaluation.believing.trials import look_again as look_again
from magistrate.evaluation.believing.trials import read_canaries as read_canaries, write_canaries as write_canaries
from magistrate.evaluation.believing.trials import CASCADE as CASCADE, settle_cascade as settle_cascade
from magistrate.evaluation.believing.trials import settle_from as settle_from, cascade_summary as cascade_summary
from magistrate.evaluation.believing.labels import append_labels as append_labels, examples_of as examples_of
from magistrate.evaluation.believing.labels import labels_of as labels_of, labels_path as labels_path
from magistrate.evaluation.believing.labels import read_labels as read_labels
from magistrate.evaluation.laws import PROBES as PROBES, probe as probe
from magistrate.evaluation.believing.labels import label_tasks as label_tasks
from magistrate.evaluation.cases.answer_sources import open_source as open_source, user_function as user_function
from magistrate.evaluation.cases.dataset import Dataset as Dataset
from magistrate.evaluation.cases.dataset import DatasetCheck as DatasetCheck, check_dataset as check_dataset
from magistrate.evaluation.cases.dataset import QUICK as QUICK
from magistrate.evaluation.comparison import baseline_name as baseline_name, judged_otherwise as judged_otherwise
from magistrate.evaluation.comparison import open_baseline as open_baseline, refused_differences as refused_differences
from magistrate.evaluation.comparison import comparable as comparable, compare_with as compare_with
from magistrate.evaluation.drafting import Document as Document, Drafted as Drafted, draft_cases as draft_cases
from magistrate.evaluation.drafting import read_documents as read_documents
from magistrate.evaluation.api import close_judge as close_judge, execute as execute, selected as selected
from magistrate.evaluation.api import estimate_plan as estimate_plan
from magistrate.evaluation.api import Estimate as Estimate
from magistrate.evaluation.running import GRACE_SECONDS as GRACE_SECONDS, Progress as Progress, Stop as Stop
from magistrate.evaluation.files import check_target as check_target
from magistrate.evaluation.files import read_text as read_text, storing as storing, write_record as write_record
from magistrate.evaluation.gate import ExitCode as ExitCode, Gate as Gate, check as check, exit_code as exit_code
from magistrate.evaluation.gate import load_gates as load_gates
from magistrate.evaluation.laws import LawResult as LawResult, exact_laws as exact_laws, measured_laws as measured_laws
from magistrate.evaluation.plan import Plan as Plan, RunOptions as RunOptions, make_plan as make_plan
from magistrate.evaluation.comparison import noise_of as noise_of
from magistrate.evaluation.runs.derived import changes as changes, not_read as not_read, reparsed as reparsed
from magistrate.evaluation.runs.derived import derive_part as derive_part, parts_of as parts_of
from magistrate.evaluation.runs.derived import put_together as put_together, rescored as rescored
from magistrate.evaluation.runs.results import encode_result as encode_result
from magistrate.evaluation.runs.run import Run as Run, load_run as load_run
from magistrate.evaluation.runs.store import RunState as RunState, begun as begun, default_folder as default_folder
from magistrate.evaluation.files import RESULTS as RESULTS
from magistrate.evaluation.shards import judge_shard as judge_shard, merge as merge, read_manifest as read_manifest
from magistrate.evaluation.shards import Manifest as Manifest, ShardOutcome as ShardOutcome
from magistrate.evaluation.shards import write_manifest as write_manifest
from magistrate.evaluation.shards import states as states
from magistrate.evaluation.shards import MANIFEST as MANIFEST
from magistrate.integrations._common import Backend as Backend
from magistrate.integrations.proxy import Proxy as Proxy
from magistrate.judges import (
    Judge as Judge,
    can_grade as can_grade,
    makes_calls as makes_calls,
    resolve_judge as resolve_judge,
)
from magistrate.judges.llm.sent_prompts import sent as sent
from magistrate.judges.resolve import OF_SEVERAL as OF_SEVERAL
from magistrate.log import configure as configure, warned as warned
from magistrate.metrics.faithfulness import DEFAULT_BATCH_SIZE as DEFAULT_BATCH_SIZE, Faithfulness as Faithfulness
from magistrate.metrics.base import Metric as Metric
from magistrate.metrics.registry import GROUPS as GROUPS, METRICS as METRICS, make_metric as make_metric
from magistrate.metrics.registry import make_metrics as make_metrics, metric_infos as metric_infos
from magistrate.parsing import parse_label as parse_label, parse_object as parse_object, parse_score as parse_score
from magistrate.parsing import parse_statements as parse_statements, parse_verdicts as parse_verdicts
from magistrate.parsing.reply.source import as_text as as_text
from magistrate.prompts import load_prompt as load_prompt, prompt_names as prompt_names, prompt_text as prompt_text
from magistrate.prompts import replacing as replacing
from magistrate.records import Usage as Usage
from magistrate.report.github import publish as publish
from magistrate.report.html.page import write_html as write_html, write_label_page as write_label_page
from magistrate.report.phrasing import plural as plural, usage_text as usage_text
from magistrate.report.documents import check_outputs as check_outputs, report_kind as report_kind
from magistrate.report.documents import write_reports as write_reports
from magistrate.report.programs.replies import audit_dict as audit_dict, finding_line as finding_line
from magistrate.report.programs.replies import FINDING_COLUMNS as FINDING_COLUMNS, finding_row as finding_row
from magistrate.report.programs.replies import (
    AnyReading as AnyReading,
    ReadReply as ReadReply,
    reading_dict as reading_dict,
)
from magistrate.report.programs.run import baseline_dict as baseline_dict, laws_dict as laws_dict
from magistrate.report.programs.run import vera_json as vera_json, write_vera as write_vera
from magistrate.report.rendering import render as render
from magistrate.report.terminal import make_console as make_console, print_template as print_template
from magistrate.report.terminal.replies import print_audit as print_audit, print_reading as print_reading
from magistrate.report.terminal.replies import write_audit as write_audit
from magistrate.report.terminal.run import print_baseline as print_baseline, print_case as print_case
from magistrate.report.terminal.run import print_checks as print_checks, print_laws as print_laws
from magistrate.report.terminal.run import print_run as print_run, progress_bar as progress_bar
from magistrate.report.text import clip as clip, inert_lines as inert_lines, printable as printable
from magistrate.report.text import CommandGuard as CommandGuard, in_actions as in_actions
from magistrate.report.text import csv_rows as csv_rows, printable_json as printable_json
from magistrate.report.view import RunView as RunView
from magistrate.scoring import POLICIES as POLICIES, POLICY_ALIASES as POLICY_ALIASES, get_policy as get_policy
from magistrate.sync import run_sync as run_sync
from magistrate.testing import FAULTS as FAULTS, FaultServer as FaultServer, LEARNERS as LEARNERS
from magistrate.testing import scripted_faults as scripted_faults, seeded_faults as seeded_faults
from magistrate.testing.fuzz import FuzzReport as FuzzReport, read_known as read_known
from magistrate.testing.fuzz._target import ADAPTERS as ADAPTERS
from magistrate.testing.faults import ABOUT_FAULTS as ABOUT_FAULTS
from magistrate.tracing import enable as enable, require_provider as require_provider
from magistrate.verdict import Scale as Scale, Verdict as Verdict, resolve_scale as resolve_scale
