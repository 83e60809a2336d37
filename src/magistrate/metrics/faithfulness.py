"""Ask a judge about statements; and faithfulness: is every statement of the answer supported by the contexts?"""

import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from magistrate.case import Case
from magistrate.errors import ENDS_THE_RUN, ConfigurationError, JudgeContextError, JudgePolicyError, MagistrateError
from magistrate.judges import (
    ISSUE_OF_STATUS,
    Extract,
    ExtractAndVerify,
    Judge,
    Question,
    SingleReply,
    StatementsReply,
    VerdictsReply,
    Verify,
    as_judge,
    status_of,
    together,
    unjudged,
)
from magistrate.log import get_logger
from magistrate.metrics._case_metric import Account, By, CaseMetric, Choice, Finding, Need, Option
from magistrate.metrics.base import is_blank
from magistrate.records import Usage
from magistrate.redact import redact_text
from magistrate.scoring import Policy, get_policy, score_verdicts
from magistrate.text import locate_quotes, split_sentences
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Status, resolve_scale

_log = get_logger(__name__)
_LONGEST_ERROR = 500

R = TypeVar("R")


async def ask(judge: Judge, question: Question[R], kind: type[R]) -> R:
    """Put a question to a judge; a failure of the call, or a fault in the judge, is a reply too, and ends no run."""
    try:
        reply = await as_judge(judge).ask(question)
    except ENDS_THE_RUN:
        raise
    except Exception as error:  # noqa: BLE001 - a judge is foreign code; whatever it raises is reported
        status, issue = _failure(error)
        failed: Any = StatementsReply if kind is SingleReply else kind
        reply = failed(status=status, issues=(issue,))
        return SingleReply(reply, VerdictsReply(status=status)) if kind is SingleReply else reply  # type: ignore[return-value]
    if not isinstance(reply, kind):
        raise ConfigurationError(f"the judge returned {type(reply).__name__} where {kind.__name__} is due")
    return reply


def _failure(error: Exception) -> tuple[Status, Issue]:
    text = f"{type(error).__name__}: {error}"
    if not isinstance(error, MagistrateError):  # foreign code: what it says may hold a key
        frame = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{redact_text(text)[:_LONGEST_ERROR]} ({Path(frame.filename).name}, line {frame.lineno})"
        _log.debug("judge.raised", error=text, traceback=redact_text("".join(traceback.format_exception(error))))
    if isinstance(error, JudgePolicyError):
        return Status.REFUSED, Issue(IssueCode.REFUSAL, text)
    if isinstance(error, JudgeContextError):
        return Status.CONTEXT_TRUNCATED, Issue(IssueCode.CONTEXT_TRUNCATED, text)
    return Status.JUDGE_ERROR, Issue(IssueCode.JUDGE_ERROR, text)


def merge_replies(statements: Sequence[str], replies: Sequence[tuple[Sequence[int], VerdictsReply]]) -> VerdictsReply:
    """Put replies together into one for all statements."""
    entries: dict[int, StatementVerdict] = {}
    issues: list[Issue] = []
    for indices, reply in replies:
        entries.update(zip(indices, _entries(statements, indices, reply), strict=True))
        issues += [_moved(issue, indices) for issue in reply.issues]
    verdicts = tuple(
        entries.get(index) or unjudged(index, statement, IssueCode.BLANK_STATEMENT, "nothing to judge")
        for index, statement in enumerate(statements)
    )
    none = replies[0][1].status if replies else Status.VACUOUS
    if replies and none is Status.VACUOUS:  # it says that there was nothing to judge
        none = Status.UNPARSEABLE
    return VerdictsReply(
        verdicts=verdicts,
        status=status_of(verdicts, none),
        issues=tuple(issues),
        extra=tuple(verdict for _, reply in replies for verdict in reply.extra),
        usage=sum((reply.usage for _, reply in replies), Usage()),
        calls=tuple(
            replace(call, statements=tuple(indices[i] for i in call.statements if 0 <= i < len(indices)))
            for indices, reply in replies
            for call in reply.calls
        ),
    )


def _entries(statements: Sequence[str], indices: Sequence[int], reply: VerdictsReply) -> Iterator[StatementVerdict]:
    """An entry for each index. What does not fit the statement asked about is no verdict; a reply without gives why."""
    given, counted = {entry.index: entry for entry in reply.verdicts}, reply.status in {Status.SCORED, Status.PARTIAL}
    message = next((issue.message for issue in reply.issues if issue.message), f"the reply is {reply.status}")
    code = ISSUE_OF_STATUS.get(reply.status, IssueCode.MISSING_VERDICT)
    if counted and (len(reply.verdicts) != len(indices) or set(given) != set(range(len(indices)))):
        message = f"the judge gave {len(reply.verdicts)} where {len(indices)} verdicts are due"
        given, code = {}, IssueCode.COUNT_MISMATCH
    for at, index in enumerate(indices):
        entry, none = given.get(at), unjudged(index, statements[index], code, message)
        issues = tuple(_moved(issue, indices) for issue in entry.issues) if entry else ()
        if entry is None:
            yield none
        elif not counted:
            yield none.model_copy(update={"issues": issues or none.issues, "votes": entry.votes})
        elif entry.statement != statements[index]:
            other = "the judge's entry is about another statement"
            yield unjudged(index, statements[index], IssueCode.UNKNOWN_STATEMENT, other)
        elif entry.index == index and entry.id == f"s{index + 1}":  # it keeps its place
            yield entry
        else:
            yield entry.model_copy(update={"index": index, "id": f"s{index + 1}", "issues": issues})


def _moved(issue: Issue, indices: Sequence[int]) -> Issue:
    """The issue with the index of the statement among all statements in place of that within its batch."""
    if issue.index is None:
        return issue
    return replace(issue, index=indices[issue.index] if issue.index < len(indices) else None)


DEFAULT_BATCH_SIZE = 50


def _whole(name: str) -> Any:
    def keep(_: Any, given: Any) -> Any:
        if given is not None and (not isinstance(given, int) or isinstance(given, bool) or given < 1):
            raise ConfigurationError(f"{name} is a whole number from 1 up, not {given!r}")
        return given

    return keep


class Faithfulness(CaseMetric):
    """The share of the answer's statements that are supported by the contexts, under a named scoring policy.

    The answer is split into statements, a judge gives each one verdict against the contexts, and a policy turns the
    verdicts into a score in [0, 1], higher being better. The default policy is supported / statements, the formula of
    Es et al., "RAGAS" (2023): F = |V| / |S|.

    Cost per case: one call to extract claims (none with `decompose="sentences"` or statements in the case), one to
    verify up to `batch_size` statements; with `two_sided`, one more for each context. `mode="single"`: one call.
    A blank answer, no context and an answer without statements cost no verify call, and never pass.

    Args:
        threshold: The score needed to pass, in [0, 1]; None for the policy's own (0.7 where it has none).
        policy: A scoring policy, its name or alias.
        decompose: "claims" has the judge extract atomic claims; "sentences" splits the answer without a call.
        mode: "batched" verifies the statements `batch_size` a call; "single" extracts and judges in one call, for
            judges that can.
        batch_size: Most statements of one call; 1 asks about each statement on its own.
        two_sided: Whether the judge first extracts the truths that each context states, and verifies against those, as
            DeepEval does. None: only if `truths_extraction_limit` is given.
        truths_extraction_limit: Most truths of one context; None for no limit.
        scale: The verdicts to choose from: "ternary", "binary", "graded" or a `Scale`.

    Raises:
        ConfigurationError: If an option is out of range or two of them do not go together.
    """

    default_name = "faithfulness"
    policy: Option[str | Policy, Policy] = Option("strict", lambda _, given: get_policy(given))
    decompose: Option[Literal["claims", "sentences"], str] = Choice("claims", "sentences")
    mode: Option[Literal["batched", "single"], str] = Choice("batched", "single")
    batch_size: Option[int, int] = Option(DEFAULT_BATCH_SIZE, _whole("batch_size"))
    two_sided: Option[bool | None, bool] = Option(
        None, lambda metric, given: metric.truths_extraction_limit is not None if given is None else given
    )
    truths_extraction_limit: Option[int | None, int | None] = Option(None, _whole("truths_extraction_limit"))
    scale: Option[str | Scale, Scale] = Option("ternary", lambda _, given: resolve_scale(given))

    needs = ("answer", "contexts")
    cost = "extract + verify"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.truths_extraction_limit is not None and not self.two_sided:
            raise ConfigurationError("truths_extraction_limit needs two_sided: only then are truths extracted")
        if self.mode == "single" and (self.decompose == "sentences" or self.two_sided):
            raise ConfigurationError(
                'mode="single" extracts and judges in one call: it takes decompose="claims" and no truths'
            )

    default_threshold = By(lambda m: m.policy.default_threshold)

    async def _measured(self, case: Case, judge: Judge, account: Account) -> Finding:
        """What is found, under the policy: some have a score also where nothing could be judged."""
        found = await super()._measured(case, judge, account)
        score = score_verdicts(found.verdicts, status=found.status, policy=self.policy, extra=found.extra)
        options = ("mode", "batch_size", "two_sided", "truths_extraction_limit")
        details = {
            "decompose": "given" if case.statements is not None else self.decompose,
            **{name: getattr(self, name) for name in options},
            "scale": self.scale.name,
            "truths": found.details.get("truths"),
            "claims": list(found.statements),
        }
        return replace(found, score=score.value, bounds=score.bounds, details=details)

    async def find(self, case: Case, judge: Judge, account: Account) -> Finding:
        """Everything that takes calls: the statements, the truths, the verdicts."""
        known = self._known_statements(case)
        if known is None and self.mode == "single":
            return await self._find_in_one_call(case, judge, account)
        if known is not None and all(map(is_blank, known)):
            return _found(merge_replies(known, []), known, account)
        texts = case.contexts if self.two_sided else ()
        claims, *truths = await together(
            [self.statements_of(case, judge), *(self._extract(judge, text, "truths") for text in texts)]
        )
        account.add(claims)
        for reply in truths:
            account.add(reply, aside=True)
        statements = claims.statements if claims.status is Status.SCORED else ()
        lost = [one.status for one in (claims, *truths) if one.status not in (Status.SCORED, Status.VACUOUS)]
        none = Status.SCORED if not truths or any(reply.statements for reply in truths) else Status.NO_CONTEXT
        status = claims.status if claims.status is not Status.SCORED else [*lost, none][0]
        if not statements:
            verdicts = VerdictsReply(status=Status.VACUOUS if status is Status.SCORED else status)
        elif status is Status.SCORED:
            passages = ["\n".join(reply.statements) for reply in truths] if self.two_sided else case.contexts
            verdicts = await self.verify(judge, statements, passages, case.question)
            if self.two_sided:
                looked_up = tuple(_quoting(verdict, case.contexts) for verdict in verdicts.verdicts)
                verdicts = replace(verdicts, verdicts=looked_up)
        else:
            why = Issue(IssueCode.MISSING_VERDICT, "no truths could be extracted from a context to verify against")
            failed = VerdictsReply(status=status, issues=(why,))
            verdicts = merge_replies(statements, [(range(len(statements)), failed)])
        listed = [list(reply.statements) for reply in truths] if self.two_sided else None
        return _found(verdicts, statements, account, truths=listed)

    async def statements_of(self, case: Case, judge: Judge) -> StatementsReply:
        """Find the statements of a case's answer as `evaluate` does (in `mode="batched"`), without judging them."""
        known = self._known_statements(case)
        if known is None:
            return await self._extract(judge, case.answer, "claims", case.question)
        return StatementsReply(known, Status.SCORED if known else Status.VACUOUS)

    def _known_statements(self, case: Case) -> tuple[str, ...] | None:
        """The statements that take no call."""
        if case.statements is None and self.decompose == "sentences":
            return split_sentences(case.answer or "")
        return case.statements

    async def _extract(
        self, judge: Judge, text: str | None, kind: Literal["claims", "truths"], question: str | None = None
    ) -> StatementsReply:
        if text is None or is_blank(text):
            return StatementsReply(status=Status.VACUOUS)
        limit = self.truths_extraction_limit if kind == "truths" else None
        return await ask(judge, Extract(text, question=question, kind=kind, limit=limit), StatementsReply)

    async def verify(
        self, judge: Judge, statements: Sequence[str], contexts: Sequence[str], question: str | None
    ) -> VerdictsReply:
        """Have statements judged against passages, `batch_size` of them a call, all calls at the same time."""
        worded = [index for index, statement in enumerate(statements) if not is_blank(statement)]
        batches = [worded[start : start + self.batch_size] for start in range(0, len(worded), self.batch_size)]
        told: dict[str, Any] = {"question": question, "scale": self.scale}
        asked = (Verify([statements[index] for index in batch], contexts, **told) for batch in batches)
        replies = await together([ask(judge, one, VerdictsReply) for one in asked])
        return merge_replies(statements, list(zip(batches, replies, strict=True)))

    async def verify_each(
        self,
        judge: Judge,
        statements: Sequence[str],
        groups: Iterable[Sequence[str]],
        question: str | None,
        account: Account,
    ) -> list[VerdictsReply]:
        """Have the same statements judged against each group of passages on its own, all at the same time."""
        replies = await together([self.verify(judge, statements, group, question) for group in groups])
        return [account.add(reply, aside=True) for reply in replies]

    async def _find_in_one_call(self, case: Case, judge: Judge, account: Account) -> Finding:
        question = ExtractAndVerify(case.answer or "", case.contexts, question=case.question, scale=self.scale)
        single = await ask(judge, question, SingleReply)
        claims = account.add(single.statements)
        statements = claims.statements if claims.status is Status.SCORED else ()
        if statements:
            reply = merge_replies(statements, [(range(len(statements)), single.verdicts)])
        else:
            status = Status.VACUOUS if claims.status is Status.SCORED else claims.status
            reply = replace(single.verdicts, verdicts=(), extra=(), status=status)
        return _found(reply, statements, account)


class JudgedMetric(CaseMetric):
    """A metric that counts verdicts on statements."""

    needs = By[tuple[Need, ...]](lambda _: ("answer", "contexts"))
    cost = By(lambda _: "extract + verify")
    judging: Option[Faithfulness | None, Faithfulness] = Option(None, lambda _, given: given or Faithfulness())


def _found(reply: VerdictsReply, statements: tuple[str, ...], account: Account, **details: Any) -> Finding:
    account.add(reply)
    return Finding(
        status=reply.status, statements=statements, verdicts=reply.verdicts, extra=reply.extra, details=details
    )


def _quoting(verdict: StatementVerdict, contexts: Sequence[str]) -> StatementVerdict:
    """The verdict with its quotes looked up in the contexts: the judge saw truths, and quotes those."""
    if not verdict.evidence:
        return verdict
    evidence = locate_quotes((quote.quote for quote in verdict.evidence), contexts)
    return verdict.model_copy(update={"evidence": evidence})
