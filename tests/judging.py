"""A judge that follows a script or a rule, for tests of whatever asks one."""

import asyncio
from dataclasses import replace

from magistrate.judges import BaseJudge, ScoreReply, SingleReply, StatementsReply, VerdictsReply, status_of
from magistrate.records import CallRecord, Completion, PromptRef, Usage
from magistrate.verdict import TERNARY, Issue, IssueCode, StatementVerdict, Status, Verdict

USAGE = Usage(calls=1, prompt_tokens=100, completion_tokens=10, cost=0.25, latency_ms=5.0)


class ScriptedJudge(BaseJudge):
    """A judge that says what it was told to, and keeps what it was asked.

    Args:
        verdicts: Statement -> what to say of it: the verdict's name, (name, reason), the chance that it is supported,
            further fields of the `StatementVerdict`, None for no verdict, a status that the whole reply shall have, or
            an error to raise. Statements that are not listed are supported. Or a function of a statement and the
            contexts, joined.
        claims: The claims of any answer, a function that takes them from it, a whole reply, or an error to raise.
        truths: Context -> its truths, a whole reply, or an error to raise.
        verify_reply: Replaces the reply to each verify call.
        grade: Takes the fields to grade, gives a number, or a status.
    """

    name = "scripted"

    def __init__(self, verdicts=None, claims=(), truths=None, verify_reply=lambda reply: reply, grade=lambda _: 4):
        known = verdicts or {}
        self.verdicts = known if callable(known) else lambda statement, _: known.get(statement, "supported")
        self.given_grade = grade
        self.claims = claims
        self.truths = dict(truths or {})
        self.verify_reply = verify_reply
        self.asked = []
        self.at_once = self.most_at_once = 0
        self.delay = 0.0

    async def extract(self, text, *, question=None, kind="claims", limit=None):
        self.asked.append(("extract", (text,), {"question": question, "kind": kind, "limit": limit}))
        await self._work()
        found = self.claims if kind == "claims" else self.truths.get(text, ())
        found = found(text) if callable(found) else found
        if isinstance(found, BaseException):
            raise found
        if isinstance(found, StatementsReply):
            return replace(found, usage=USAGE, calls=(self._record("extract", ()),))
        statements = tuple(found)
        status = Status.SCORED if statements else Status.VACUOUS
        return StatementsReply(statements, status, usage=USAGE, calls=(self._record("extract", ()),))

    async def verify(self, statements, contexts, *, question=None, scale=TERNARY):
        self.asked.append(("verify", (tuple(statements), tuple(contexts)), {"question": question, "scale": scale}))
        await self._work()
        return self.verify_reply(self._verdicts(statements, contexts))

    async def extract_and_verify(self, answer, contexts, *, question=None, scale=TERNARY):
        self.asked.append(("single", (answer, tuple(contexts)), {"question": question, "scale": scale}))
        await self._work()
        if isinstance(self.claims, BaseException):
            raise self.claims
        if isinstance(self.claims, StatementsReply):
            claims = self.claims
        else:
            claims = StatementsReply(tuple(self.claims), Status.SCORED if self.claims else Status.VACUOUS)
        return SingleReply(claims, self.verify_reply(self._verdicts(claims.statements, contexts)))

    async def grade(self, rubric, fields, *, low, high):
        del rubric, low, high
        self.asked.append(("grade", dict(fields), {}))
        found = self.given_grade(fields)
        if isinstance(found, Status):
            return ScoreReply(status=found, usage=USAGE)
        return ScoreReply(found, reason="by the rule", usage=USAGE)

    def kinds(self):
        """What was asked, in order: "claims", "truths", "verify", "single"."""
        return [options["kind"] if method == "extract" else method for method, _, options in self.asked]

    def batches(self):
        """The statements of each verify call."""
        return [given[0] for method, given, _ in self.asked if method == "verify"]

    async def _work(self):
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            for _ in range(3):
                await asyncio.sleep(self.delay)
        finally:
            self.at_once -= 1

    def _verdicts(self, statements, contexts):
        said = [self.verdicts(statement, "\n\n".join(contexts)) for statement in statements]
        if failed := [one for one in said if isinstance(one, Status)]:
            return VerdictsReply(status=failed[0], usage=USAGE)
        verdicts = [self._verdict(index, *pair) for index, pair in enumerate(zip(statements, said, strict=True))]
        status = status_of(verdicts, Status.UNPARSEABLE)
        calls = (self._record("verify", tuple(range(len(statements)))),)
        return VerdictsReply(tuple(verdicts), status, usage=USAGE, calls=calls)

    def _verdict(self, index, statement, said):
        if isinstance(said, BaseException):
            raise said
        fields = {}
        if said is None:
            fields["issues"] = (Issue(IssueCode.MISSING_VERDICT, "no row for it", index),)
        elif isinstance(said, str):
            fields["verdict"] = Verdict(said)
        elif isinstance(said, tuple):
            fields["verdict"], fields["reason"] = Verdict(said[0]), said[1]
        elif isinstance(said, float):
            fields["verdict"], fields["probability"] = Verdict("supported" if said >= 0.5 else "not_enough_info"), said
        else:
            fields = dict(said)
        return StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, **fields)

    def _record(self, purpose, statements):
        prompt = PromptRef(purpose, "1", "0" * 16)
        return CallRecord(purpose, prompt, self.name, Completion("..."), statements=statements)
