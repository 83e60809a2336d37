"""Faithfulness: is every statement of the answer supported by the contexts?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from magistrate.case import Case
from magistrate.errors import ConfigurationError
from magistrate.judges import Judge, SingleReply, StatementsReply, VerdictsReply, as_judge
from magistrate.metrics.asking import ask, gather
from magistrate.metrics.base import TOLERANCE, MetricResult
from magistrate.metrics.reason import compose_reason
from magistrate.metrics.rescoring import check_threshold, settle
from magistrate.metrics.verification import is_blank, merge_replies, verify_statements
from magistrate.records import Usage
from magistrate.scoring import Policy, get_policy
from magistrate.sync import run_sync
from magistrate.text import locate_quotes, split_sentences
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Status, resolve_scale

__all__ = ["Faithfulness"]

DEFAULT_BATCH_SIZE = 50


class Faithfulness:
    """The share of the answer's statements that the contexts support, under a named scoring policy.

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
        include_reason: Whether results carry a reason; it costs no call.
        two_sided: Whether the judge first extracts the truths that each context states, and verifies against those, as
            DeepEval does. None: only if `truths_extraction_limit` is given.
        truths_extraction_limit: Most truths of one context; None for no limit.
        scale: The verdicts to choose from: "ternary", "binary", "graded" or a `Scale`.
        name: The name in reports, for runs that hold several of these.

    Raises:
        ConfigurationError: If an option is out of range or two of them do not go together.
    """

    description = "Which share of the answer's statements is supported by the contexts."
    direction = "maximize"
    needs = ("answer", "contexts")
    cost = "extract + verify"

    def __init__(
        self,
        threshold: float | None = None,
        *,
        policy: str | Policy = "strict",
        decompose: Literal["claims", "sentences"] = "claims",
        mode: Literal["batched", "single"] = "batched",
        batch_size: int = DEFAULT_BATCH_SIZE,
        include_reason: bool = True,
        two_sided: bool | None = None,
        truths_extraction_limit: int | None = None,
        scale: str | Scale = "ternary",
        name: str = "faithfulness",
    ) -> None:
        self.name = name
        self.policy = get_policy(policy)
        self.threshold = self.policy.default_threshold if threshold is None else check_threshold(threshold)
        _one_of("decompose", decompose, ("claims", "sentences"))
        _one_of("mode", mode, ("batched", "single"))
        self.decompose = decompose
        self.mode = mode
        self.batch_size = _at_least_one("batch_size", batch_size)
        self.include_reason = include_reason
        self.two_sided = truths_extraction_limit is not None if two_sided is None else two_sided
        self.truths_extraction_limit = (
            None
            if truths_extraction_limit is None
            else _at_least_one("truths_extraction_limit", truths_extraction_limit)
        )
        try:
            self.scale = resolve_scale(scale)
        except ValueError as error:
            raise ConfigurationError(str(error)) from None
        if truths_extraction_limit is not None and not self.two_sided:
            raise ConfigurationError("truths_extraction_limit needs two_sided: only then are truths extracted")
        if mode == "single" and (decompose == "sentences" or self.two_sided):
            raise ConfigurationError(
                'mode="single" extracts and judges in one call: it takes decompose="claims" and no truths'
            )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(threshold={self.threshold}, policy={self.policy.name!r})"

    def variant(
        self, *, threshold: float | None = None, include_reason: bool = True, name: str | None = None
    ) -> Faithfulness:
        """Return the same metric, judging the same way, with another threshold (None for its own) or name."""
        return Faithfulness(
            self.threshold if threshold is None else threshold,
            policy=self.policy,
            decompose=self.decompose,
            mode=self.mode,
            batch_size=self.batch_size,
            include_reason=include_reason,
            two_sided=self.two_sided,
            truths_extraction_limit=self.truths_extraction_limit,
            scale=self.scale,
            name=name or self.name,
        )

    def describe_judging(self) -> dict[str, Any]:
        """Return what decides which statements are judged and how, for metrics that share these verdicts."""
        names = ("decompose", "mode", "batch_size", "two_sided", "truths_extraction_limit")
        return {**{name: getattr(self, name) for name in names}, "scale": self.scale.name}

    def is_passing(self, score: float | None) -> bool:
        """Whether a score reaches the threshold (up to 1e-9); no score never does."""
        return score is not None and score >= self.threshold - TOLERANCE

    def evaluate_sync(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case from synchronous code, also inside a running event loop (see `evaluate`)."""
        return run_sync(self.evaluate(case, judge))

    async def evaluate(self, case: Case, judge: Judge) -> MetricResult:
        """Evaluate one case.

        Whatever is wrong with the case's data or a reply is a status and issues of the result, never an exception.

        Raises:
            ConfigurationError: If the judge cannot do what the options ask for.
            JudgeAuthError: And `JudgeNotFoundError`, `BudgetExceededError`: what every further call would meet too.
        """
        started = time.perf_counter()
        found = await self._find(case, judge)
        reply = found.reply
        verdict_fields = settle(
            self.policy, self.threshold, status=reply.status, verdicts=reply.verdicts, extra=reply.extra
        )
        return MetricResult(
            metric=self.name,
            status=reply.status,
            reason=compose_reason(reply.status, reply.verdicts, reply.issues) if self.include_reason else None,
            statements=found.statements,
            verdicts=reply.verdicts,
            extra=reply.extra,
            issues=reply.issues,
            usage=reply.usage,
            latency_ms=(time.perf_counter() - started) * 1000.0,
            judge=getattr(judge, "name", type(judge).__name__),
            calls=reply.calls,
            details={
                "decompose": "given" if case.statements is not None else self.decompose,
                "mode": self.mode,
                "batch_size": self.batch_size,
                "scale": self.scale.name,
                "two_sided": self.two_sided,
                "truths_extraction_limit": self.truths_extraction_limit,
                "truths": found.truths,
                "claims": list(found.statements),
            },
            **verdict_fields,
        )

    async def statements_of(self, case: Case, judge: Judge) -> StatementsReply:
        """Find the statements of a case's answer as `evaluate` does (in `mode="batched"`), without judging them."""
        known = self._known_statements(case)
        if known is None:
            return await self._extract(judge, case.answer, "claims", case.question)
        return StatementsReply(known, Status.SCORED if known else Status.VACUOUS)

    async def _find(self, case: Case, judge: Judge) -> _Found:
        """Everything that takes calls: the statements, the truths, the verdicts."""
        if case.statements is None and is_blank(case.answer or ""):
            return _Found(VerdictsReply(status=Status.NO_ANSWER))
        if all(map(is_blank, case.contexts)):
            return _Found(VerdictsReply(status=Status.NO_CONTEXT))
        known = self._known_statements(case)
        if known is None and self.mode == "single":
            return await self._find_in_one_call(case, judge)
        if known is not None and all(map(is_blank, known)):
            return _Found(merge_replies(known, []), known)

        claims, *truths = await gather(
            self._extract(judge, case.answer, "claims", case.question) if known is None else _given(known),
            *(self._extract(judge, context, "truths") for context in case.contexts if self.two_sided),
        )
        statements = claims.statements if claims.status is Status.SCORED else ()
        status = claims.status if claims.status is not Status.SCORED else _status_of_truths(truths)
        if not statements:
            reply = VerdictsReply(status=Status.VACUOUS if status is Status.SCORED else status)
        elif status is Status.SCORED:
            reply = await self._verify(statements, truths, case, judge)
        else:
            why = Issue(IssueCode.MISSING_VERDICT, "no truths could be extracted from a context to verify against")
            failed = VerdictsReply(status=status, issues=(why,))
            reply = merge_replies(statements, [(range(len(statements)), failed)])
        # The indices in the issues of the truths are those of truths, and would be taken for those of statements.
        truths = [replace(t, issues=tuple(replace(issue, index=None) for issue in t.issues)) for t in truths]
        return _Found(
            _after([claims, *truths], reply),
            statements,
            truths=[list(t.statements) for t in truths] if self.two_sided else None,
        )

    def _known_statements(self, case: Case) -> tuple[str, ...] | None:
        """The statements that take no call."""
        if case.statements is not None:
            return case.statements
        if self.decompose == "sentences":
            return split_sentences(case.answer or "")
        return None

    async def _extract(
        self, judge: Judge, text: str | None, kind: Literal["claims", "truths"], question: str | None = None
    ) -> StatementsReply:
        if text is None or is_blank(text):
            return StatementsReply(status=Status.VACUOUS)
        limit = self.truths_extraction_limit if kind == "truths" else None
        call = as_judge(judge).extract(text, question=question, kind=kind, limit=limit)
        return await ask(call, StatementsReply, _failed_extraction)

    async def _verify(
        self, statements: Sequence[str], truths: Sequence[StatementsReply], case: Case, judge: Judge
    ) -> VerdictsReply:
        contexts = ["\n".join(t.statements) for t in truths] if self.two_sided else case.contexts
        reply = await verify_statements(
            judge,
            statements,
            contexts,
            question=case.question,
            scale=self.scale,
            batch_size=self.batch_size,
        )
        if not self.two_sided:
            return reply
        return replace(reply, verdicts=tuple(_quoting(verdict, case.contexts) for verdict in reply.verdicts))

    async def _find_in_one_call(self, case: Case, judge: Judge) -> _Found:
        call = as_judge(judge).extract_and_verify(
            case.answer or "", case.contexts, question=case.question, scale=self.scale
        )
        single = await ask(call, SingleReply, _failed_single_call)
        claims = single.statements
        statements = claims.statements if claims.status is Status.SCORED else ()
        if statements:
            reply = merge_replies(statements, [(range(len(statements)), single.verdicts)])
        else:
            status = Status.VACUOUS if claims.status is Status.SCORED else claims.status
            reply = replace(single.verdicts, verdicts=(), extra=(), status=status)
        return _Found(_after([claims], reply), statements)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found before any scoring: a reply for all statements, and what it is about."""

    reply: VerdictsReply
    statements: tuple[str, ...] = ()
    truths: list[list[str]] | None = None


async def _given(statements: tuple[str, ...]) -> StatementsReply:
    return StatementsReply(statements)


def _failed_extraction(status: Status, issue: Issue) -> StatementsReply:
    return StatementsReply(status=status, issues=(issue,))


def _failed_single_call(status: Status, issue: Issue) -> SingleReply:
    return SingleReply(_failed_extraction(status, issue), VerdictsReply(status=status))


def _status_of_truths(truths: Sequence[StatementsReply]) -> Status:
    """`scored` where the truths can be verified against.

    If the truths of one context are lost, nothing can be: a statement might rest on just that context.
    """
    for reply in truths:
        if reply.status not in (Status.SCORED, Status.VACUOUS):
            return reply.status
    return Status.SCORED if not truths or any(reply.statements for reply in truths) else Status.NO_CONTEXT


def _after(first: Sequence[StatementsReply], reply: VerdictsReply) -> VerdictsReply:
    """The reply with the issues, the usage and the calls of what came before it."""
    return replace(
        reply,
        issues=(*(issue for earlier in first for issue in earlier.issues), *reply.issues),
        usage=sum((earlier.usage for earlier in first), Usage()) + reply.usage,
        calls=(*(call for earlier in first for call in earlier.calls), *reply.calls),
    )


def _quoting(verdict: StatementVerdict, contexts: Sequence[str]) -> StatementVerdict:
    """The verdict with its quotes looked up in the contexts: the judge saw truths, and quotes those."""
    if not verdict.evidence:
        return verdict
    evidence = locate_quotes((quote.quote for quote in verdict.evidence), contexts)
    return verdict.model_copy(update={"evidence": evidence})


def _one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ConfigurationError(f"{option} is {' or '.join(map(repr, allowed))}, not {value!r}")


def _at_least_one(option: str, value: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigurationError(f"{option} is a whole number from 1 up, not {value!r}")
    return value
