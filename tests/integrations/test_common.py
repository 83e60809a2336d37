import asyncio
import importlib
import json
import pickle
import sys
import tomllib
from enum import Enum
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel
from tests.case_tables import cases_of

from magistrate.errors import ConfigurationError, MagistrateError, MissingExtraError
from magistrate.integrations._common import (
    Backend,
    Evaluator,
    UnusableReplyError,
    case_of,
    details,
    headline,
    message_of,
    messages_of,
    needs,
    safe_score,
)
from magistrate.judges import StructuredReply
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.judges.offline import OfflineJudge
from magistrate.metrics.faithfulness import Faithfulness
from magistrate.testing import FakeClient, Fault
from magistrate.verdict import Status

cases = cases_of(__file__)

CASE = case_of("When?", "The bath opens at seven. It has a sauna.", ["The bath opens at seven."])


class TestEvaluator:
    def test_a_name_makes_a_judge(self, replies):
        evaluator = Evaluator("gpt-4o", api_base=replies.url)
        result = evaluator.evaluate_sync(CASE)
        assert result.status is Status.SCORED
        assert asyncio.run(evaluator.evaluate(CASE)).score == result.score

    def test_options_that_would_have_no_effect_are_errors(self):
        with pytest.raises(ConfigurationError, match="api_base"):
            Evaluator("offline", api_base="http://127.0.0.1")
        with pytest.raises(ConfigurationError, match="options of a model"):
            Evaluator(OfflineJudge(), temperature=1.0)
        with pytest.raises(ConfigurationError, match="threshold of its own"):
            Evaluator("offline", Faithfulness(), threshold=0.5)

    def test_a_threshold_is_that_of_faithfulness(self):
        assert Evaluator("offline", threshold=0.25).evaluate_sync(CASE).threshold == 0.25


class TestWhatTheFrameworkIsTold:
    def test_the_details_are_json_and_hold_every_verdict(self):
        result = Evaluator("offline").evaluate_sync(CASE)
        told = json.loads(json.dumps(details(result)))
        assert told["status"] == result.status.value
        assert [row["statement"] for row in told["verdicts"]] == list(result.statements)

    def test_a_score_over_some_statements_is_none_that_is_safe(self, replies):
        replies.server.faults = lambda call: Fault(text=lambda _: "no idea") if call.number > 0 else None
        result = Evaluator("gpt-4o", api_base=replies.url).evaluate_sync(CASE)
        assert result.status is not Status.SCORED
        assert safe_score(result) is None
        assert headline(result).startswith(f"{result.status.value}: ")

    @pytest.mark.parametrize(("threshold", "outcome"), [(0.4, "inconclusive"), (0.6, "fail")])
    def test_with_a_claim_lost_there_is_no_score_that_is_safe(self, threshold, outcome):
        def answer(request):
            if request.purpose == "extract":
                return '{"token": "{token}", "statements": ["It has a sauna."]}'
            return '{"token": "{token}", "s1": "not_enough_info"}'

        result = Evaluator(LLMJudge("gpt-4o", client=FakeClient(answer)), threshold=threshold).evaluate_sync(CASE)
        assert (safe_score(result), details(result)["bounds"]) == (None, [0.0, 0.5])
        assert (result.status, result.outcome) == ("partial", outcome)
        assert headline(result).endswith("the score is between 0.000 and 0.500")

    def test_an_abstention_is_no_refusal(self):
        case = case_of("When?", "Das Bad öffnet um sieben Uhr und hat eine Sauna.", ["The bath opens at seven."])
        said = headline(Evaluator("offline").evaluate_sync(case))
        assert said == "refused: the judge cannot tell (the statement is in German, the contexts are in English)"


class Role(Enum):
    AI = "assistant"


MARK = "[[image 1 of this message]]"


class TestMessage:
    @pytest.mark.parametrize("address", [{"url": "data:x"}, "data:x"])
    def test_images_leave_a_mark_where_they_stood(self, address):
        message = message_of("user", [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": address}])
        assert (message.content, message.images) == (f"See\n{MARK}", ((MARK, "data:x"),))

    @cases("common: texts")
    def test_texts(self, content, text):
        assert (message_of("user", content).content, message_of("user", content).images) == (text, ())


def test_messages_roles_in_the_words_of_other_frameworks():
    roles = ["system", "developer", "model", Role.AI, "human"]
    found = [message.role for message in messages_of([{"role": role, "content": "x"} for role in roles])]
    assert found == ["system", "system", "assistant", "assistant", "user"]


class TestCaseOf:
    def test_documents_become_their_texts(self):
        class Document:
            page_content = "from an object"

        case = case_of(None, 7, [{"text": "from a mapping"}, Document(), "plain", 3])
        assert case.contexts == ("from a mapping", "from an object", "plain", "3")
        assert (case.question, case.answer) == (None, "7")

    def test_one_context_may_stand_alone(self):
        assert case_of("q", "a", "one passage").contexts == ("one passage",)
        assert case_of("q", "a", None).contexts == ()


class Verdict(BaseModel):
    verdict: Literal["yes", "no", "idk"]


class Verdicts(BaseModel):
    verdicts: list[Verdict]


ROWS = Rows("verdicts", ("Trams run all night.", "Tickets cost two euros."), noun="claim")


@pytest.fixture
def backend(replies):
    return Backend("gpt-4o", api_base=replies.url)


class TestAsking:
    async def test_a_list_has_one_entry_per_item_or_none_at_all(self, replies, backend):
        replies.texts = [json.dumps({"verdicts": {"1": {"verdict": "yes"}}})]
        reply = await backend.ask("Judge.", Verdicts, ROWS)
        assert (reply.value, reply.missing) == (None, (1,))

    @pytest.mark.parametrize(("score", "kept"), [(7, False), (-1, False), (1, True), (0.25, True)])
    async def test_limits_hold_where_the_model_has_none(self, replies, backend, score, kept):
        class Scored(BaseModel):
            score: float

        replies.texts = [json.dumps({"score": score})]
        reply = await backend.ask("Rate.", Scored, limits={"score": {"minimum": 0, "maximum": 1}})
        assert reply.value == (Scored(score=score) if kept else None)


class Claims(BaseModel):
    claims: list[str]


SAID = "The kiln holds 60 pots. It burns gas. Thursdays are free."


class TestAskingForWhatATextSays:
    async def asked(self, replies, backend, *texts):
        replies.texts = [json.dumps({"claims": value}) for value in texts]
        return await backend.ask("List.", Claims, said=("claims", SAID))

    async def test_a_sentence_without_a_claim_is_asked_for(self, replies, backend):
        found = ["The kiln holds 60 pots.", "The kiln burns gas."]
        reply = await self.asked(replies, backend, found, {"1": ["Thursdays are free of charge."]})
        assert reply.value == Claims(claims=[*found, "Thursdays are free of charge."])
        assert (reply.usage.calls, len(replies.calls), len(reply.calls)) == (2, 2, 2)
        assert '1: "Thursdays are free."' in replies.prompt(2)
        assert "pots" not in replies.prompt(2)

    async def test_one_that_states_nothing_is_said_to(self, replies, backend):
        reply = await self.asked(replies, backend, ["It burns gas."], {"1": None, "2": ["Thursdays are free."]})
        assert reply.value == Claims(claims=["It burns gas.", "Thursdays are free."])

    @pytest.mark.parametrize("second", [{"1": ["The kiln holds 60 pots."]}, {"1": [], "2": [], "3": []}, []])
    async def test_what_stays_without_is_no_list(self, replies, backend, second):
        reply = await self.asked(replies, backend, [], second)
        assert (reply.value, reply.status) == (None, Status.UNPARSEABLE)
        assert reply.missing

    async def test_a_list_of_all_is_not_asked_again_nor_one_in_words_of_its_own(self, replies, backend):
        for claims in (SAID.split(". "), ["Sixty vessels fit.", "Fuel: gas.", "Admission is nil once a week."]):
            assert (await self.asked(replies, backend, claims)).usage.calls == 1


def test_construction_options_beside_a_judge_are_an_error(replies):
    judge = LLMJudge("gpt-4o", api_base=replies.url)
    assert Backend(judge).name == "gpt-4o"
    with pytest.raises(TypeError, match="temperature would have no effect"):
        Backend(judge, temperature=0.2)


@pytest.mark.parametrize(("name", "said"), [("api_bas", "'api_base'"), ("base_url", "api_base, ")])
def test_an_option_that_no_judge_has_is_named_with_what_was_meant(name, said):
    with pytest.raises(ConfigurationError, match=f"{name!r}.*{said}"):
        Backend("gpt-4o", **{name: "http://127.0.0.1:9/v1"})


EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]
FRAMEWORKS = {name: name for name in "ragas deepeval autoevals inspect_ai mlflow trulens phoenix opik".split()}
FRAMEWORKS["pydantic_evals"] = "pydantic_ai"


@pytest.mark.parametrize(("module", "library"), FRAMEWORKS.items())
def test_a_missing_framework_is_one_line_with_the_command(module, library, monkeypatch):
    for name in list(sys.modules):
        if name.split(".")[0] == library or name.startswith(f"magistrate.integrations.{module}"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError) as caught:
        importlib.import_module(f"magistrate.integrations.{module}")
    assert "\n" not in str(caught.value)
    assert f'pip install "magistrate-core[{caught.value.extra}]"' in str(caught.value)
    assert caught.value.extra in EXTRAS


def test_a_framework_of_another_version_is_told_with_the_one_that_is_needed(monkeypatch):
    monkeypatch.setattr("magistrate.integrations._common.version", {"ragas": "0.2.15"}.__getitem__)
    monkeypatch.setattr("magistrate.integrations._common.PackageNotFoundError", KeyError)
    with (
        pytest.raises(MissingExtraError, match=r"\(ragas 0\.2\.15 is here, needed is ragas<0\.5,>=0\.4\.3\)"),
        needs("ragas"),
    ):
        raise ImportError("cannot import name 'InstructorBaseRagasLLM'")


@pytest.mark.parametrize("extra", [*(name.replace("_", "-") for name in FRAMEWORKS), "langsmith"])
def test_the_extra_of_a_framework_brings_what_calls_models(extra):
    assert "magistrate-core[models]" in EXTRAS[extra]


def test_other_errors_pass():
    with pytest.raises(ZeroDivisionError), needs("ragas"):
        _ = 1 / 0


class FrameworkError(RuntimeError):
    """An error as a framework defines it, with a way of pickling that knows nothing of ours."""

    def __init__(self, message, body=None):
        super().__init__(message)
        self.body = body

    def __reduce__(self):
        return type(self), (str(self), self.body)


class JoinedError(UnusableReplyError, FrameworkError):
    """As a framework's module joins them."""


def test_unusable_reply_error_it_is_ours_and_the_frameworks_also_after_pickling():
    error = JoinedError("refused: no", Status.REFUSED)
    for one in (error, pickle.loads(pickle.dumps(error))):
        assert isinstance(one, MagistrateError)
        assert isinstance(one, FrameworkError)
        assert (str(one), one.message, one.body, one.status) == ("refused: no", "refused: no", None, Status.REFUSED)


class Rating(BaseModel):
    score: int
    why: str = "é"


def reply(status=Status.SCORED, value=None, text=None):
    return StructuredReply(value=value, status=status, text=text)


class TestWhatAReplyHolds:
    @pytest.mark.parametrize("value", [Rating(score=2), {"score": 2, "why": "é"}])
    def test_a_value_is_handed_on_and_keeps_its_letters_as_json(self, value):
        assert JoinedError.value_of(reply(value=value)) is value
        assert JoinedError.json_of(reply(value=value)) == '{"score": 2, "why": "é"}'
        assert JoinedError.text_of(reply(text="It grinds.")) == "It grinds."

    @pytest.mark.parametrize("take", [JoinedError.value_of, JoinedError.json_of])
    def test_without_a_value_it_is_the_frameworks_error_with_the_status(self, take):
        with pytest.raises(JoinedError, match=r"^refused: the judge was asked for Rating, and refused$") as caught:
            take(reply(Status.REFUSED, text="I will not."), "Rating")
        assert caught.value.status is Status.REFUSED

    @cases("common: a text that was cut off refused or is empty is none")
    def test_a_text_that_was_cut_off_refused_or_is_empty_is_none(self, status, text):
        with pytest.raises(JoinedError, match="for a text") as caught:
            JoinedError.text_of(reply(Status(status), text=text))
        assert caught.value.status == status
