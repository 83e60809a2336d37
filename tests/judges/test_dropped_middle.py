"""A prompt whose middle was dropped on the way: told by what the provider counts beside calls like it."""

import json
import random
from pathlib import Path

import pytest

from magistrate.case import Case
from magistrate.completion.providers._library import library
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.runs.run import load_run
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.call_status import TokenRates
from magistrate.metrics import Faithfulness
from magistrate.records import Completion, CompletionRequest, Message, PromptRef, Usage
from magistrate.testing import FakeClient
from magistrate.verdict import IssueCode, Outcome, Status

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


@pytest.mark.parametrize("counts_schema", [True, False])
def test_schema_of_the_reply_raises_no_alarm_and_hides_no_loss(counts_schema):
    schema = {"type": "object", "properties": {f"s{n}": {"type": "string", "enum": ["yes", "no"]} for n in range(5)}}
    counted_schema = len(json.dumps(schema)) // 4 if counts_schema else 0
    texts = ["".join(SENTENCE.format(at, day) for day in range(25 if at % 3 else 300)) for at in range(60)]
    rates = TokenRates()
    noticed = []
    for at, text in enumerate(texts):
        request = CompletionRequest("m", (Message("user", text),), PromptRef("verify", "3", "0"), schema=schema)
        counted = len(text) // 4 * (2 if at > 50 else 3) // 3 + counted_schema
        if rates.lost_a_part(request, str(at), counted):
            noticed.append(at)
    assert rates.dropped == set()
    assert noticed == list(range(51, 60))


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
