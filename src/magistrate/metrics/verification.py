"""Ask a judge: what fails becomes a value; statements are judged in batches, and each verdict keeps its statement."""

import traceback
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from magistrate.errors import ENDS_THE_RUN, ConfigurationError, JudgeContextError, JudgePolicyError, MagistrateError
from magistrate.judges import (
    ISSUE_OF_STATUS,
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
from magistrate.records import Usage
from magistrate.redact import redact_text
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Status

_log = get_logger(__name__)
_LONGEST_ERROR = 500

R = TypeVar("R")

_UNSEEN = frozenset({"Cc", "Cf"})


def is_blank(text: str) -> bool:
    """Whether a text says nothing: only white space, punctuation, controls and invisible format characters."""
    return not text[:1].isalnum() and all(
        character.isspace() or unicodedata.category(character)[0] == "P" or unicodedata.category(character) in _UNSEEN
        for character in text
    )


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


async def verify_statements(
    judge: Judge,
    statements: Sequence[str],
    contexts: Sequence[str],
    *,
    question: str | None,
    scale: Scale,
    batch_size: int,
) -> VerdictsReply:
    """Have a judge verify statements, `batch_size` of them a call, all calls at the same time."""
    worded = [index for index, statement in enumerate(statements) if not is_blank(statement)]
    batches = [worded[start : start + batch_size] for start in range(0, len(worded), batch_size)]
    asked = (
        Verify([statements[index] for index in batch], contexts, question=question, scale=scale) for batch in batches
    )
    replies = await together([ask(judge, one, VerdictsReply) for one in asked])
    return merge_replies(statements, list(zip(batches, replies, strict=True)))


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
