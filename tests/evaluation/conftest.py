"""What the tests of the evaluation share: judges that follow a script, and a metric that needs nothing else."""

import asyncio
import json

import pytest

from magistrate.judges import BaseJudge, StatementsReply, VerdictsReply
from magistrate.metrics import Faithfulness
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.testing import FaultServer
from magistrate.verdict import TERNARY, Issue, IssueCode, StatementVerdict, Status, Verdict

_WORDS = {"ok": Verdict.SUPPORTED, "bad": Verdict.CONTRADICTED, "?": Verdict.NOT_ENOUGH_INFO}


class ScriptedJudge(BaseJudge):
    """Says what the statement says.

    "ok ..." is supported, "bad ..." contradicted, "? ..." not in the contexts, and "none ..." gets no verdict. It
    counts what it is asked, and can fail or wait on demand.
    """

    def __init__(self, *, delay=0.0, fail=lambda _: None, cost=0.001):
        self.name = "scripted"
        self._delay = delay
        self._fail = fail
        self._cost = cost
        self.asked = []
        self.at_once = 0
        self.most_at_once = 0
        self.closed = 0

    async def extract(self, text, **_):
        return StatementsReply(tuple(line for line in text.splitlines() if line.strip()))

    async def verify(self, statements, contexts, *, question=None, scale=TERNARY):
        del contexts, question, scale
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self._delay)
        finally:
            self.at_once -= 1
        self.asked.extend(statements)
        for statement in statements:
            if (error := self._fail(statement)) is not None:
                raise error
        verdicts = tuple(_verdict(index, statement) for index, statement in enumerate(statements))
        missing = sum(verdict.verdict is None for verdict in verdicts)
        status = Status.SCORED if not missing else Status.UNPARSEABLE if missing == len(verdicts) else Status.PARTIAL
        usage = Usage(calls=1, prompt_tokens=10, completion_tokens=2, cost=self._cost, latency_ms=1.0)
        completion = Completion(text="raw: " + " | ".join(statements), model="scripted-1", usage=usage)
        call = CallRecord("verify", PromptRef("verify", "1", "0" * 16), "scripted", completion)
        return VerdictsReply(verdicts, status=status, usage=usage, calls=(call,))

    async def close(self):
        self.closed += 1


def _verdict(index, statement):
    verdict = _WORDS.get(statement.split(maxsplit=1)[0])
    issues = () if verdict else (Issue(IssueCode.MISSING_VERDICT, "the script has none", index),)
    return StatementVerdict(
        index=index,
        id=f"s{index + 1}",
        statement=statement,
        verdict=verdict,
        reason=f"because of {statement}" if verdict else None,
        issues=issues,
    )


class SupportedShare(Faithfulness):
    """The share of the answer's lines that are supported."""

    def __init__(self, threshold=0.7, *, name="share"):
        super().__init__(threshold=threshold, name=name)


def make_case(number, *lines, **fields):
    """A case as a dataset has it, its answer one line a statement."""
    return {"id": f"c{number}", "answer": "\n".join(lines or (f"ok {number}",)), "contexts": ["a context"], **fields}


@pytest.fixture
def judge():
    return ScriptedJudge()


@pytest.fixture
def metrics():
    return [SupportedShare()]


@pytest.fixture
def write_jsonl(tmp_path):
    def write(rows, name="cases.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


@pytest.fixture
def server():
    with FaultServer() as running:
        yield running
