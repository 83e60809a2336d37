from __future__ import annotations

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from magistrate.judges import BaseJudge, SingleReply, StatementsReply, VerdictsReply
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.verdict import TERNARY, Issue, IssueCode, Scale, StatementVerdict, Status, Verdict

# How many examples a property tries; no test sets a number of its own. No test asserts a time either: a machine that is
# busy for a moment fails none. HYPOTHESIS_PROFILE names the profile (or pytest's --hypothesis-profile): "dev" tries the
# same examples each time, so that what fails is the change; the others look for new ones.
for _name, _examples in (("dev", 10), ("ci", 60), ("nightly", 1000)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
        derandomize=_name == "dev",
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

_LANES = {"slow": "make test-slow", "local_llm": "make test-local-llm", "browser": "make test-browser"}
_left_out: Counter[str] = Counter()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count what `-m` leaves out, by the lane that runs it."""
    _left_out.update(next((lane for lane in _LANES if item.get_closest_marker(lane)), "") for item in items)


def pytest_configure() -> None:
    """What is loaded to collect the tests is no garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What was loaded stays: no collection of garbage looks through it again."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist tells the process that prints the summary what it left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Each worker of pytest-xdist collects all tests, so that one speaks for all."""
    _left_out.clear()
    _left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what the lanes of their own would have run."""
    if parts := [f"{_left_out[lane]} {lane} ({make})" for lane, make in _LANES.items() if _left_out[lane]]:
        terminalreporter.write_line("left out: " + ", ".join(parts))


USAGE = Usage(calls=1, prompt_tokens=100, completion_tokens=10, cost=0.25, latency_ms=5.0)


class ScriptedJudge(BaseJudge):
    """A judge that says what it was told to, and keeps what it was asked.

    Args:
        verdicts: Statement -> what to say of it: the verdict's name, (name, reason), further fields of the
            `StatementVerdict`, None for no verdict, or an error to raise. Statements that are not listed are supported.
        claims: The claims of any answer, a whole reply, or an error to raise.
        truths: Context -> its truths, a whole reply, or an error to raise.
        verify_reply: Replaces the reply to each verify call.
    """

    name = "scripted"

    def __init__(
        self,
        verdicts: Mapping[str, Any] | None = None,
        claims: Any = (),
        truths: Mapping[str, Any] | None = None,
        verify_reply: Callable[[VerdictsReply], Any] = lambda reply: reply,
    ) -> None:
        self.verdicts = dict(verdicts or {})
        self.claims = claims
        self.truths = dict(truths or {})
        self.verify_reply = verify_reply
        self.asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.most_at_once = 0
        self._running = 0

    async def extract(
        self, text: str, *, question: str | None = None, kind: str = "claims", limit: int | None = None
    ) -> StatementsReply:
        self.asked.append(("extract", (text,), {"question": question, "kind": kind, "limit": limit}))
        await self._work()
        found = self.claims if kind == "claims" else self.truths.get(text, ())
        if isinstance(found, BaseException):
            raise found
        if isinstance(found, StatementsReply):
            return replace(found, usage=USAGE, calls=(self._record("extract", ()),))
        statements = tuple(found)
        status = Status.SCORED if statements else Status.VACUOUS
        return StatementsReply(statements, status, usage=USAGE, calls=(self._record("extract", ()),))

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale = TERNARY,
    ) -> VerdictsReply:
        self.asked.append(("verify", (tuple(statements), tuple(contexts)), {"question": question, "scale": scale}))
        await self._work()
        reply: VerdictsReply = self.verify_reply(self._verdicts(statements))
        return reply

    async def extract_and_verify(
        self, answer: str, contexts: Sequence[str], *, question: str | None = None, scale: Scale = TERNARY
    ) -> SingleReply:
        self.asked.append(("single", (answer, tuple(contexts)), {"question": question, "scale": scale}))
        await self._work()
        if isinstance(self.claims, BaseException):
            raise self.claims
        if isinstance(self.claims, StatementsReply):
            claims = self.claims
        else:
            claims = StatementsReply(tuple(self.claims), Status.SCORED if self.claims else Status.VACUOUS)
        return SingleReply(claims, self.verify_reply(self._verdicts(claims.statements)))

    def kinds(self) -> list[str]:
        """What was asked, in order: "claims", "truths", "verify", "single"."""
        return [options["kind"] if method == "extract" else method for method, _, options in self.asked]

    def batches(self) -> list[tuple[str, ...]]:
        """The statements of each verify call."""
        return [given[0] for method, given, _ in self.asked if method == "verify"]

    async def _work(self) -> None:
        self._running += 1
        self.most_at_once = max(self.most_at_once, self._running)
        try:
            for _ in range(3):
                await asyncio.sleep(0)
        finally:
            self._running -= 1

    def _verdicts(self, statements: Sequence[str]) -> VerdictsReply:
        verdicts = [self._verdict(index, statement) for index, statement in enumerate(statements)]
        known = sum(verdict.verdict is not None for verdict in verdicts)
        status = Status.SCORED if known == len(verdicts) else Status.PARTIAL if known else Status.UNPARSEABLE
        calls = (self._record("verify", tuple(range(len(statements)))),)
        return VerdictsReply(tuple(verdicts), status, usage=USAGE, calls=calls)

    def _verdict(self, index: int, statement: str) -> StatementVerdict:
        said = self.verdicts.get(statement, "supported")
        if isinstance(said, BaseException):
            raise said
        fields: dict[str, Any] = {}
        if said is None:
            fields["issues"] = (Issue(IssueCode.MISSING_VERDICT, "no row for it", index),)
        elif isinstance(said, str):
            fields["verdict"] = Verdict(said)
        elif isinstance(said, tuple):
            fields["verdict"], fields["reason"] = Verdict(said[0]), said[1]
        else:
            fields = dict(said)
        return StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, **fields)

    def _record(self, purpose: str, statements: tuple[int, ...]) -> CallRecord:
        prompt = PromptRef(purpose, "1", "0" * 16)
        return CallRecord(purpose, prompt, self.name, Completion("..."), statements=statements)


@pytest.fixture(scope="session")
def scripted_judge() -> type[ScriptedJudge]:
    """The class of judges that say what they were told to."""
    return ScriptedJudge
