"""What the tests of the evaluation share: judges that follow a script, and a metric that needs nothing else."""

import json

import pytest
from tests.judging import ScriptedJudge as RuledJudge

from magistrate.metrics import Faithfulness
from magistrate.testing import FaultServer
from magistrate.verdict import Verdict

_WORDS = {"ok": Verdict.SUPPORTED, "bad": Verdict.CONTRADICTED, "?": Verdict.NOT_ENOUGH_INFO}


class ScriptedJudge(RuledJudge):
    """Says what the statement says.

    "ok ..." is supported, "bad ..." contradicted, "? ..." not in the contexts, and "none ..." gets no verdict. It can
    fail or wait on demand.
    """

    def __init__(self, *, delay=0.0, fail=lambda _: None):
        super().__init__(self._say, claims=lambda text: [line for line in text.splitlines() if line.strip()])
        self.delay, self._fail, self.closed = delay, fail, 0

    def _say(self, statement, _):
        word = _WORDS.get(statement.split(maxsplit=1)[0])
        return self._fail(statement) or (word and (word, f"because of {statement}"))

    async def close(self):
        self.closed += 1


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
