"""Judges and clients without HTTP, for unit tests: they say what a test tells them to."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from magistrate.judges import (
    BaseJudge,
    Extract,
    ExtractAndVerify,
    Grade,
    Question,
    ScoreReply,
    SingleReply,
    StatementsReply,
    VerdictsReply,
    Verify,
    status_of,
    unjudged,
)
from magistrate.judges.llm.verdict_merge import VerdictCollector
from magistrate.records import Completion, CompletionRequest, Usage
from magistrate.testing._model import answer, read_task
from magistrate.testing._wire import ChatRequest
from magistrate.testing.oracle import Oracle, sentences
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict

Scripted = Verdict | str | None | Exception
_CHARS_PER_TOKEN = 4


class FakeClient:
    """A completion client that makes no calls.

    Args:
        replies: What to answer with: texts, completions or errors to raise, one per request (after the last the client
            fails the test), or a function of the request. None answers every judge prompt right, by the oracle.
            "{token}" in a text stands for the request's token.
        oracle: What it knows, where `replies` is None.

    Attributes:
        requests: The requests so far.
        closed: Whether it was closed.
    """

    def __init__(
        self,
        replies: Sequence[str | Completion | Exception]
        | Callable[[CompletionRequest], str | Completion | Exception]
        | None = None,
        *,
        oracle: Oracle | None = None,
    ) -> None:
        script = iter(replies) if isinstance(replies, Sequence) else None
        self._reply = replies if callable(replies) else self._right if script is None else lambda _: next(script)
        self._oracle = oracle or Oracle()
        self.requests: list[CompletionRequest] = []
        self.closed = False

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer the next request.

        Raises:
            AssertionError: If the script is at its end.
        """
        self.requests.append(request)
        try:
            reply = self._reply(request)
        except StopIteration:
            raise AssertionError(f"request {len(self.requests)} is one more than the script has replies") from None
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Completion):
            return reply
        prompt = sum(len(message.content) for message in request.messages)
        tokens = (math.ceil(prompt / _CHARS_PER_TOKEN), math.ceil(len(reply) / _CHARS_PER_TOKEN))
        text = reply.replace("{token}", request.token or "")
        return Completion(text, "stop", model=request.model, usage=Usage(1, 0, *tokens, cost=None, latency_ms=0.0))

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True

    def _right(self, request: CompletionRequest) -> str:
        system, user = (
            "\n".join(message.content for message in request.messages if message.role == role)
            for role in ("system", "user")
        )
        mode = "text" if request.schema is None else "json_schema"
        chat = ChatRequest("openai", request.model, system, user, mode, request.schema, None, request.max_tokens, {})
        return answer(read_task(chat), self._oracle, request.schema)


class ScriptedJudge(BaseJudge):
    """A judge that gives the verdicts it is told to.

    Args:
        verdicts: What to say of a statement, by its text: a verdict, None for no verdict, or an error to raise.
        default: What to say of any other statement.
        extract: Takes a text, gives its statements; by default its sentences.
        score: What `grade` gives; None for no score.
        usage: What each question is said to have cost.
        name: The judge's name.

    Attributes:
        asked: Each question so far: its name and what it was about.
    """

    def __init__(
        self,
        verdicts: Mapping[str, Scripted] | None = None,
        *,
        default: Scripted = Verdict.SUPPORTED,
        extract: Callable[[str], Sequence[str]] = sentences,
        score: float | None = None,
        usage: Usage | None = None,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self._verdicts = dict(verdicts or {})
        self._default = default
        self._extract = extract
        self._score = score
        self._usage = usage or Usage(calls=1)

    async def ask(self, question: Question[Any], /) -> Any:
        """Give what the script has to a question."""
        match question:
            case Extract():
                return self._statements(question)
            case Verify():
                return self._verdicts_on(question)
            case ExtractAndVerify():
                statements = self._statements(Extract(question.answer))
                if statements.status is not Status.SCORED:
                    return SingleReply(statements, VerdictsReply((), statements.status, usage=statements.usage))
                verdicts = self._verdicts_on(Verify(statements, question.contexts, scale=question.scale))
                return SingleReply(StatementsReply(statements.statements), verdicts)
            case Grade():
                return self._grade(question)
            case _:
                return await super().ask(question)

    def _statements(self, question: Extract) -> StatementsReply:
        self.asked.append((question.kind, (question.text,)))
        if not question.text.strip():
            return StatementsReply((), Status.NO_ANSWER if question.kind == "claims" else Status.NO_CONTEXT)
        statements = tuple(self._extract(question.text))[: question.limit]
        return StatementsReply(statements, Status.SCORED if statements else Status.VACUOUS, usage=self._usage)

    def _verdicts_on(self, question: Verify) -> VerdictsReply:
        self.asked.append(("verify", tuple(question.statements)))
        empty = VerdictCollector(question).reply()
        if empty.status in {Status.VACUOUS, Status.NO_CONTEXT}:
            return empty
        verdicts = tuple(self._say(index, text) for index, text in enumerate(question.statements))
        issues = tuple(issue for verdict in verdicts for issue in verdict.issues)
        return VerdictsReply(verdicts, status_of(verdicts, Status.UNPARSEABLE), issues, usage=self._usage)

    def _grade(self, question: Grade) -> ScoreReply:
        self.asked.append(("grade", (question.rubric, *question.fields.values())))
        if self._score is None or not question.low <= self._score <= question.high:
            issue = Issue(IssueCode.MISSING_VERDICT, "the script has no score in the range")
            return ScoreReply(None, Status.UNPARSEABLE, issues=(issue,), usage=self._usage)
        return ScoreReply(self._score, Status.SCORED, "as scripted", usage=self._usage)

    def _say(self, index: int, statement: str) -> StatementVerdict:
        scripted = self._verdicts.get(statement, self._default) if statement.strip() else None
        if isinstance(scripted, Exception):
            raise scripted
        if scripted is None:
            code = IssueCode.MISSING_VERDICT if statement.strip() else IssueCode.BLANK_STATEMENT
            return unjudged(index, statement, code, "no verdict, as scripted")
        told = {"verdict": Verdict(scripted), "reason": f"scripted as {Verdict(scripted).value}"}
        return StatementVerdict(index=index, id=f"s{index + 1}", statement=statement, **told)
