"""Have statements judged in batches, and put the replies together so that each verdict belongs to its statement."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from magistrate.judges import Judge, VerdictsReply, as_judge
from magistrate.metrics.asking import ask, gather
from magistrate.records import Usage
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Status

__all__ = ["is_blank", "merge_replies", "verify_statements"]

_UNSEEN = frozenset({"Cc", "Cf"})
_WITH_VERDICTS = (Status.SCORED, Status.PARTIAL)

_ISSUE_OF_STATUS = {
    Status.REFUSED: IssueCode.REFUSAL,
    Status.TRUNCATED: IssueCode.TRUNCATED,
    Status.CONTEXT_TRUNCATED: IssueCode.CONTEXT_TRUNCATED,
    Status.OUT_OF_RANGE: IssueCode.OUT_OF_RANGE,
    Status.JUDGE_ERROR: IssueCode.JUDGE_ERROR,
}


def is_blank(text: str) -> bool:
    """Whether a text says nothing: only white space, punctuation, controls and invisible format characters."""
    return all(
        character.isspace() or unicodedata.category(character)[0] == "P" or unicodedata.category(character) in _UNSEEN
        for character in text
    )


async def verify_statements(
    judge: Judge,
    statements: Sequence[str],
    contexts: Sequence[str],
    *,
    question: str | None,
    scale: Scale,
    batch_size: int,
) -> VerdictsReply:
    """Have a judge verify statements, `batch_size` of them a call, all calls at the same time.

    A blank statement is never sent: it gets the issue `blank-statement`. A batch whose call fails leaves its statements
    without verdict, each with an issue that says why.

    Returns:
        One entry per statement, in order, with usage and calls of all batches.
    """
    asked = [index for index, statement in enumerate(statements) if not is_blank(statement)]
    batches = [asked[start : start + batch_size] for start in range(0, len(asked), batch_size)]
    verify = as_judge(judge).verify

    def failed(status: Status, issue: Issue) -> VerdictsReply:
        return VerdictsReply(status=status, issues=(issue,))

    replies = await gather(
        *(
            ask(
                verify([statements[index] for index in batch], contexts, question=question, scale=scale),
                VerdictsReply,
                failed,
            )
            for batch in batches
        )
    )
    return merge_replies(statements, list(zip(batches, replies, strict=True)))


def merge_replies(statements: Sequence[str], replies: Sequence[tuple[Sequence[int], VerdictsReply]]) -> VerdictsReply:
    """Put replies together into one for all statements.

    Args:
        statements: All statements.
        replies: Per reply, the indices of the statements it is about and the reply. No index comes twice. A statement
            that no reply is about is a blank one.

    Returns:
        One entry per statement. Indices in verdicts, issues and calls are those of `statements`. The status is `scored`
        where every statement has a verdict, `partial` where some have, `vacuous` where no statement was asked about,
        else the first reply's reason why there is none.
    """
    entries: dict[int, StatementVerdict] = {}
    issues: list[Issue] = []
    usage = Usage()
    for indices, reply in replies:
        entries.update(zip(indices, _entries(statements, indices, reply), strict=True))
        issues += [_moved(issue, indices) for issue in reply.issues]
        usage += reply.usage
    verdicts = tuple(
        entries.get(index) or _unjudged(index, statement, Issue(IssueCode.BLANK_STATEMENT, "nothing to judge", index))
        for index, statement in enumerate(statements)
    )
    known = sum(entry.verdict is not None for entry in verdicts)
    if known:
        status = Status.SCORED if known == len(verdicts) else Status.PARTIAL
    else:
        status = next((_why_none(reply.status) for _, reply in replies), Status.VACUOUS)
    return VerdictsReply(
        verdicts=verdicts,
        status=status,
        issues=tuple(issues),
        extra=tuple(verdict for _, reply in replies for verdict in reply.extra),
        usage=usage,
        calls=tuple(
            replace(call, statements=tuple(indices[i] for i in call.statements if 0 <= i < len(indices)))
            for indices, reply in replies
            for call in reply.calls
        ),
    )


def _why_none(status: Status) -> Status:
    """A reply that claims verdicts, or that there was nothing to judge, yet has none, could not be read."""
    return Status.UNPARSEABLE if status in (*_WITH_VERDICTS, Status.VACUOUS) else status


def _entries(statements: Sequence[str], indices: Sequence[int], reply: VerdictsReply) -> list[StatementVerdict]:
    """The reply's verdicts, one for each index. What does not fit the statement asked about is no verdict."""
    if reply.status not in _WITH_VERDICTS:
        return _without_verdicts(statements, indices, reply)
    places = {entry.index: entry for entry in reply.verdicts}
    if len(reply.verdicts) != len(indices) or set(places) != set(range(len(indices))):
        message = f"the judge gave {len(reply.verdicts)} entries for {len(indices)} statements"
        return [
            _unjudged(index, statements[index], Issue(IssueCode.COUNT_MISMATCH, message, index)) for index in indices
        ]
    return [_entry(statements[index], index, indices, places[at]) for at, index in enumerate(indices)]


def _without_verdicts(
    statements: Sequence[str], indices: Sequence[int], reply: VerdictsReply
) -> list[StatementVerdict]:
    """Entries that give the reply's own reasons why they have no verdict, or else its status."""
    message = next((issue.message for issue in reply.issues if issue.message), f"the reply is {reply.status}")
    code = _ISSUE_OF_STATUS.get(reply.status, IssueCode.MISSING_VERDICT)
    own = {entry.index: entry.issues for entry in reply.verdicts}
    entries = []
    for at, index in enumerate(indices):
        issues = tuple(_moved(issue, indices) for issue in own.get(at, ()))
        entries.append(_unjudged(index, statements[index], *(issues or (Issue(code, message, index),))))
    return entries


def _entry(statement: str, index: int, indices: Sequence[int], entry: StatementVerdict) -> StatementVerdict:
    if entry.statement != statement:
        message = "the judge's entry is about another statement"
        return _unjudged(index, statement, Issue(IssueCode.UNKNOWN_STATEMENT, message, index))
    issues = tuple(_moved(issue, indices) for issue in entry.issues)
    return entry.model_copy(update={"index": index, "id": f"s{index + 1}", "issues": issues})


def _unjudged(index: int, statement: str, *issues: Issue) -> StatementVerdict:
    return StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, issues=issues)


def _moved(issue: Issue, indices: Sequence[int]) -> Issue:
    """The issue with the index of the statement among all statements in place of that within its batch."""
    if issue.index is None:
        return issue
    return replace(issue, index=indices[issue.index] if issue.index < len(indices) else None)
