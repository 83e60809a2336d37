from typing import Any

import pytest

from magistrate.judges import BaseJudge, ScoreReply, StatementsReply, VerdictsReply
from magistrate.records import Usage
from magistrate.text import split_sentences
from magistrate.verdict import TERNARY, Issue, IssueCode, StatementVerdict, Status, Verdict


class RuleJudge(BaseJudge):
    """A judge that follows rules: a verdict from a statement and the contexts, a grade from the graded fields.

    Args:
        verdict: Takes a statement and the contexts joined, gives a verdict, a probability, None for no verdict, or a
            status that the whole reply shall have.
        grade: Takes the fields, gives a number, or a status.
    """

    name = "rules"

    def __init__(
        self,
        verdict=lambda statement, text: "supported" if statement in text else "not_enough_info",
        grade=lambda _: 4,
    ):
        self._verdict = verdict
        self._grade = grade
        self.asked: list[tuple[Any, ...]] = []

    async def extract(self, text, *, question=None, kind="claims", limit=None):
        del question, kind, limit
        self.asked.append(("extract", text))
        found = split_sentences(text)
        return StatementsReply(found, Status.SCORED if found else Status.VACUOUS, usage=Usage(calls=1))

    async def verify(self, statements, contexts, *, question=None, scale=TERNARY):
        del question, scale
        self.asked.append(("verify", tuple(statements), tuple(contexts)))
        said = [self._verdict(statement, "\n".join(contexts)) for statement in statements]
        failed = next((value for value in said if isinstance(value, Status)), None)
        if failed is not None:
            return VerdictsReply(status=failed, usage=Usage(calls=1))
        verdicts = tuple(self._entry(index, *pair) for index, pair in enumerate(zip(statements, said, strict=True)))
        known = sum(entry.verdict is not None for entry in verdicts)
        status = Status.SCORED if known == len(verdicts) else Status.PARTIAL if known else Status.UNPARSEABLE
        return VerdictsReply(verdicts, status, usage=Usage(calls=1))

    async def grade(self, rubric, fields, *, low, high):
        del rubric, low, high
        self.asked.append(("grade", dict(fields)))
        found = self._grade(fields)
        if isinstance(found, Status):
            return ScoreReply(status=found, usage=Usage(calls=1))
        return ScoreReply(found, reason="by the rule", usage=Usage(calls=1))

    def _entry(self, index, statement, said):
        fields: dict[str, Any] = {"index": index, "id": f"s{index + 1}", "statement": statement}
        if said is None:
            return StatementVerdict(**fields, issues=(Issue(IssueCode.MISSING_VERDICT, "no row for it", index),))
        if isinstance(said, float):
            verdict = Verdict.SUPPORTED if said >= 0.5 else Verdict.NOT_ENOUGH_INFO
            return StatementVerdict(**fields, verdict=verdict, probability=said)
        return StatementVerdict(**fields, verdict=Verdict(said))


@pytest.fixture(scope="session")
def rule_judge():
    """The class of judges that follow rules."""
    return RuleJudge
