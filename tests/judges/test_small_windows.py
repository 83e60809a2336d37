"""A provider that drops the front of a prompt and answers as ever: no verdict of such a reply is believed."""

import asyncio
import itertools
import json
import random
from pathlib import Path

import pytest
from pydantic import BaseModel
from tests.serving import served, verdicts_of

from magistrate.case import Case
from magistrate.completion.providers._library import library
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.runs.run import load_run
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.call_status import TokenRates
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.metrics import Faithfulness
from magistrate.records import Completion, CompletionRequest, Message, PromptRef, Usage
from magistrate.testing import FakeClient, Fault, Oracle
from magistrate.verdict import TERNARY, IssueCode, Outcome, Status, Verdict

THINGS = ("kiln", "loom", "forge", "press", "lathe", "anvil", "wheel", "bench", "stove", "ladder", "vice", "saw")
WINDOWS = (20, 40, 60, 80, 100, 130, 160, 200, 250, 300, 400)
SIZES = ((1, 1), (1, 3), (3, 2), (6, 5), (12, 5), (30, 8))
"""Sentences of the contexts, and statements."""


def case(sentences, count, seed):
    """Contexts, statements, and the right verdicts: half of them are supported, the others mentioned nowhere."""
    rng = random.Random(f"{sentences}/{count}/{seed}")  # noqa: S311 - texts of a test
    facts = [
        f"The {rng.choice(THINGS)} in hall {at + 1} weighs {rng.randrange(20, 900)} kilos." for at in range(sentences)
    ]
    statements, right = [], []
    for at in range(count):
        if at % 2 == 0:
            statements.append(rng.choice(facts))
            right.append(Verdict.SUPPORTED)
        else:
            statements.append(f"The {rng.choice(THINGS)} in shed {at + 1} was sold in {rng.randrange(1900, 2000)}.")
            right.append(Verdict.NOT_ENOUGH_INFO)
    middle = (sentences + 1) // 2
    contexts = [" ".join(facts[:middle]), " ".join(facts[middle:])]
    return contexts, statements, right


def look_up(statement, passages):
    stated = statement in "\n".join(passages)
    return (Verdict.SUPPORTED if stated else Verdict.NOT_ENOUGH_INFO), "It was looked up in the passages."


ORACLE = Oracle(verdict=look_up)


@pytest.mark.slow
@pytest.mark.parametrize(
    "usage", [None, (4000, 50), (None, 0)], ids=["counts what it saw", "counts what was sent", "counts nothing"]
)
async def test_no_window_and_no_size_of_a_case_gives_a_wrong_verdict(usage):
    wrong = judged = cut = 0
    async with served("openai/gpt-4o", serve={"oracle": ORACLE, "keep": 1}) as (judge, server):
        for window, (sentences, count) in itertools.product(WINDOWS, SIZES):
            server.faults = lambda _, window=window: Fault(window=window, usage=usage)
            cases = [case(sentences, count, seed) for seed in range(2)]
            replies = await asyncio.gather(*(judge.verify(said, read) for read, said, _ in cases))
            for reply, (_, _, right) in zip(replies, cases, strict=True):
                pairs = [*zip(verdicts_of(reply), right, strict=True)]
                wrong += sum(verdict not in (None, truth) for verdict, truth in pairs)
                judged += sum(verdict is not None for verdict, _ in pairs)
                cut += reply.status is Status.CONTEXT_TRUNCATED
    assert wrong == 0
    assert judged > 100
    assert cut > len(WINDOWS) * len(SIZES) // 2


@pytest.mark.parametrize("window", [25, 60])
async def test_the_other_questions_notice_it_too(window):
    answer = " ".join(f"The {thing} in hall {at} weighs {at + 20} kilos." for at, thing in enumerate(THINGS))
    faults = {"oracle": ORACLE, "faults": lambda _: Fault(window=window, usage=(None, 0))}
    async with served(serve=faults) as (judge, _):
        extracted = await judge.extract(answer)
        graded = await judge.grade("How long is it?", {"answer": answer}, low=0, high=20)
        single = await judge.extract_and_verify(answer, [answer])
    assert (extracted.status, tuple(extracted)) == (Status.CONTEXT_TRUNCATED, ())
    assert (graded.status, graded.value) == (Status.CONTEXT_TRUNCATED, None)
    assert single.verdicts.status is Status.CONTEXT_TRUNCATED


async def test_a_judge_that_was_careless_with_the_token_once_is_asked_again():
    contexts, statements, right = case(3, 2, 0)
    faults = {"oracle": ORACLE, "faults": lambda call: Fault(window=40) if call.number == 1 else None}
    async with served(serve=faults) as (judge, _):
        reply = await judge.verify(statements, contexts, scale=TERNARY)
    assert [found.verdict for found in reply] == right
    assert [call.status for call in reply.calls] == ["head_unseen", "ok"]


class TestAPromptOfTheCallersOwn:
    """It carries no token; what the provider counts is the one sign."""

    LONG = "Sum up what the harbour master wrote in the log of that year. " * 60

    class Summary(BaseModel):
        text: str

    @pytest.mark.parametrize(("counted", "cut"), [(150, True), (900, False), (None, False)])
    async def test_gives_nothing_where_the_provider_saw_too_little_of_it(self, counted, cut):
        rows = Rows("texts", ("one", "two"), None, "text", entry=lambda _: {"type": "string"})
        said = Completion('{"text":"Calm.","texts":{"1":"a","2":"b"}}', "stop", usage=Usage(1, 0, counted, 9))
        judge = LLMJudge("m", client=FakeClient(lambda _: said))
        replies = [
            await judge.structured(self.LONG, self.Summary),
            await judge.structured(self.LONG, {"type": "object", "properties": {}}, rows=rows),
            await judge.text(self.LONG),
        ]
        for reply in replies:
            assert reply.status is (Status.CONTEXT_TRUNCATED if cut else Status.SCORED)
            assert len(reply.calls) == 1
            assert (reply.value is None) or not cut
        assert all(IssueCode.CONTEXT_TRUNCATED in {issue.code for issue in reply.issues} for reply in replies) is cut


SENTENCE = "The harbour master wrote in the log of the year {} that the ferry had left late on {} days. "


def long_case(number):
    text = "".join(SENTENCE.format(1900 + number, day) for day in range(40))
    return Case(id=f"c{number}", answer="The ferry left late.", statements=["The ferry left late."], contexts=[text])


def client(cut):
    """Answers right; of the prompts of some cases (by number) it counts three quarters."""

    def reply(request):
        text = request.messages[-1].content
        number = int(text.split("log of the year ")[1][:4]) - 1900
        counted = sum(len(message.content) for message in request.messages) // 4
        said = f'{{"token":"{request.token}","s1_why":"w","s1":"supported"}}'
        return Completion(said, "stop", usage=Usage(1, 0, counted * 3 // 4 if number in cut else counted, 20))

    return FakeClient(reply)


@pytest.mark.parametrize("kept", [False, True])
def test_it_is_noticed_from_twenty_calls_on_and_earlier_ones_are_looked_at_again(tmp_path, kept):
    judge = LLMJudge("m", client=client({2, 23}))
    folder = tmp_path / "run"
    cases = [long_case(number) for number in range(26)]
    run = evaluate(cases, [Faithfulness()], judge, concurrency=1, run=folder if kept else None)
    for found in (run, load_run(folder)) if kept else (run,):
        assert [result.index for result in found.results if result.status is Status.CONTEXT_TRUNCATED] == [2, 23]
        for number in (2, 23):
            result = found.results[number]
            assert (result.score, result.outcome) == (None, Outcome.INCONCLUSIVE)
            assert [verdict.verdict for verdict in result.verdicts] == [None]
            assert IssueCode.CONTEXT_TRUNCATED in {issue.code for issue in result.issues}
        assert all(result.score == 1 for result in found.results if result.index not in {2, 23})


def texts():
    """Pieces of the bundled documents, the package's code, its docs, its tables of words, and a table of numbers."""
    root = Path(__file__).parents[2]
    files = [*root.glob("src/magistrate/judges/llm/*.py"), *root.glob("src/magistrate/report/html/*.js")]
    files += [*root.glob("src/magistrate/text/data/*.toml"), *root.glob("docs/*.md")]
    files += [*root.glob("src/magistrate/datasets/data/documents/**/*.md")]
    whole = [path.read_text(encoding="utf-8") for path in files]
    whole.append("\n".join(f"{row},{row * 7919 % 10007},2024-01-{row % 28 + 1:02}" for row in range(400)))
    return [text[at : at + 4000] for text in whole for at in range(0, len(text) - 3000, 4000)]


def test_no_false_alarm_over_languages_and_code():
    count = library().token_counter
    pieces = texts()
    counted = [count(model="gpt-4o", text=piece) for piece in pieces]
    asked = [CompletionRequest("m", (Message("user", piece),), PromptRef("verify", "3", "0")) for piece in pieces]
    for seed in range(3):
        order = list(range(len(pieces)))
        random.Random(seed).shuffle(order)  # noqa: S311 - an order
        rates = TokenRates()
        alarms = [pieces[at][:60] for at in order if rates.lost_a_part(asked[at], str(at), counted[at])]
        assert (alarms, rates.dropped) == ([], set())
        assert sum(rates.lost_a_part(asked[at], f"x{at}", counted[at] * 2 // 3) for at in range(20)) >= 18


def noticed(names, days, counted, calls=60):
    """The calls found to have lost a part: prompts of so many days, a schema of so many names."""
    label = {"type": "string", "enum": ["yes", "no"]}
    schema = {"type": "object", "properties": {f"s{n}": label for n in range(names)}}
    rates, found = TokenRates(), []
    for at in range(calls):
        text = "".join(SENTENCE.format(at, day) for day in range(days(at)))
        request = CompletionRequest("m", (Message("user", text),), PromptRef("verify", "3", "0"), schema=schema)
        if rates.lost_a_part(request, str(at), counted(at, len(text) // 4, len(json.dumps(schema)) // 4)):
            found.append(at)
    assert rates.dropped == set()
    return found


@pytest.mark.parametrize("counts_schema", [True, False])
def test_schema_of_the_reply_raises_no_alarm_and_hides_no_loss(counts_schema):
    def counted(at, text, schema):
        return text * (2 if at > 50 else 3) // 3 + schema * counts_schema

    assert noticed(5, lambda at: 25 if at % 3 else 300, counted) == list(range(51, 60))


def test_a_short_prompt_with_the_schema_of_its_reply_is_long_enough():
    assert noticed(30, lambda _: 12, lambda at, text, schema: (text + schema) * (2 if at == 25 else 3) // 3, 30) == [25]


def test_own_prompts_are_held_against_those_that_begin_alike():
    def lost(head, counted, rates):
        text = head + "".join(SENTENCE.format(7, day) for day in range(100))
        asked = CompletionRequest("m", (Message("user", text),), PromptRef("structured", "1", "0"))
        return rates.lost_a_part(asked, f"{head}{counted}", int(len(text) * counted))

    rates = TokenRates()
    usual, other = "A prompt of one kind, which a framework fills: " * 2, "Another, of which fewer tokens come: " * 2
    assert not any(lost(usual, 0.25 + number / 10_000, rates) for number in range(25))
    assert not lost(other, 0.15, rates)
    assert lost(usual, 0.15, rates)
