"""Whether the passages that a statement cites bear it out: together, each alone, and without each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from magistrate.judges import Judge
from magistrate.metrics._case_metric import Account
from magistrate.metrics.citations._reading import Cited, without_marks
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.metrics.verification import gather
from magistrate.verdict import StatementVerdict, Verdict

Passages = tuple[int, ...]


@dataclass(slots=True)
class Attribution:
    """What was judged: (statement, passages) -> the verdict on it by these passages alone.

    Attributes:
        statements: The statements with their marks.
        citations: The citations.
        verdicts: The verdicts; evidence points into the case's contexts, and indices are those of `statements`.
        account: What they cost.
    """

    statements: tuple[str, ...]
    citations: tuple[Cited, ...]
    verdicts: dict[tuple[int, Passages], StatementVerdict] = field(default_factory=dict)
    account: Account = field(default_factory=Account)
    _of: dict[int, list[Cited]] = field(init=False)
    _together: dict[int, Passages] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._of = {}
        for citation in self.citations:
            if citation.statement is not None:
                self._of.setdefault(citation.statement, []).append(citation)

    def cited_by(self, statement: int, *, without: Cited | None = None) -> Passages:
        """The passages that a statement cites, together; without one of its citations on demand."""
        if without is None and statement in self._together:
            return self._together[statement]
        cited = (citation for citation in self._of.get(statement, ()) if citation is not without)
        found = tuple(sorted({index for citation in cited for index in citation.contexts}))
        if without is None:
            self._together[statement] = found
        return found

    def supported(self, statement: int, passages: Passages) -> bool | None:
        """Whether passages alone support a statement; None where that is not known. No passage supports nothing."""
        if not passages:
            return False
        entry = self.verdicts.get((statement, passages))
        if entry is None or entry.verdict is None:
            return None
        return entry.verdict is Verdict.SUPPORTED

    def fully_supported(self, statement: int) -> bool | None:
        """Whether a statement's citations together support it."""
        return self.supported(statement, self.cited_by(statement))

    def bears(self, citation: Cited) -> bool | None:
        """Whether a citation is needed, or enough on its own, for a statement that its citations support together.

        ALCE's citation precision (Gao et al., "Enabling large language models to generate text with citations", 2023).
        A citation that stands behind no statement in particular bears if it supports one of them.
        """
        alone = tuple(sorted(set(citation.contexts)))
        if citation.statement is None:
            return _any(self.supported(index, alone) for index in range(len(self.statements)))
        together = self.fully_supported(citation.statement)
        if not together:
            return together
        enough = self.supported(citation.statement, alone)
        if enough:
            return True
        rest = self.supported(citation.statement, self.cited_by(citation.statement, without=citation))
        if rest is False:
            return True
        return None if enough is None or rest is None else False


async def attribute(
    judging: Faithfulness,
    judge: Judge,
    statements: Sequence[str],
    citations: Sequence[Cited],
    contexts: Sequence[str],
    *,
    question: str | None,
    each: bool,
) -> Attribution:
    """Have each statement judged by the passages that it cites.

    Statements that cite the same passages share a call. The marks are left out of what the judge sees.
    """
    found = Attribution(tuple(statements), tuple(citations))

    async def judge_by(wanted: Mapping[Passages, Sequence[int]]) -> None:
        groups = list(wanted.items())
        replies = await gather(
            *(
                judging.verify(
                    judge,
                    [without_marks(statements[index]) for index in indices],
                    [contexts[index] for index in passages],
                    question,
                )
                for passages, indices in groups
            )
        )
        for (passages, indices), reply in zip(groups, replies, strict=True):
            found.account.add(reply, aside=True)
            for index, entry in zip(indices, reply.verdicts, strict=True):
                found.verdicts[index, passages] = _placed(entry, index, statements[index], passages)

    await judge_by(_grouped((found.cited_by(index), index) for index in range(len(statements))))
    if each:
        await judge_by(_grouped(_alone(found)))
        await judge_by(_grouped(_without(found)))
    return found


def _alone(found: Attribution) -> list[tuple[Passages, int]]:
    """Where a citation has to be looked at alone: one of several behind a supported statement, or behind none."""
    wanted: list[tuple[Passages, int]] = []
    for citation in found.citations:
        alone = tuple(sorted(set(citation.contexts)))
        if citation.statement is None:
            wanted += [(alone, index) for index in range(len(found.statements))]
        elif alone != found.cited_by(citation.statement) and found.fully_supported(citation.statement):
            wanted.append((alone, citation.statement))
    return [pair for pair in wanted if (pair[1], pair[0]) not in found.verdicts]


def _without(found: Attribution) -> list[tuple[Passages, int]]:
    """Where it has to be seen whether the other citations do without this one, which is not enough on its own."""
    wanted: list[tuple[Passages, int]] = []
    for citation in found.citations:
        if citation.statement is None or not found.fully_supported(citation.statement):
            continue
        if found.supported(citation.statement, tuple(sorted(set(citation.contexts)))) is not True:
            wanted.append((found.cited_by(citation.statement, without=citation), citation.statement))
    return [pair for pair in wanted if (pair[1], pair[0]) not in found.verdicts]


def _grouped(pairs: Iterable[tuple[Passages, int]]) -> dict[Passages, list[int]]:
    groups: dict[Passages, dict[int, None]] = {}
    for passages, index in pairs:
        if passages:
            groups.setdefault(passages, {})[index] = None
    return {passages: list(indices) for passages, indices in groups.items()}


def _placed(entry: StatementVerdict, index: int, statement: str, passages: Passages) -> StatementVerdict:
    """The verdict with the statement as it stands in the answer, and evidence by the case's own contexts."""
    evidence = tuple(
        replace(quote, context=None if quote.context is None else passages[quote.context]) for quote in entry.evidence
    )
    issues = tuple(replace(issue, index=None if issue.index is None else index) for issue in entry.issues)
    changed = {
        "index": index,
        "id": f"s{index + 1}",
        "statement": statement,
        "evidence": evidence,
        "issues": issues,
    }
    return entry.model_copy(update=changed)


def _any(flags: Iterable[bool | None]) -> bool | None:
    found = list(flags)
    if True in found:
        return True
    return None if None in found else False
