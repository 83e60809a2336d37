"""From a question to a complete request."""

import json

import pytest
from tests.case_tables import cases_of
from tests.judges.replying import put, question, replies

from magistrate.case import Case
from magistrate.errors import ConfigurationError, PromptError
from magistrate.judges import Verify
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm._requests import Asking, Attempt, verify_request
from magistrate.judges.llm.sent_prompts import sent
from magistrate.metrics.rubrics.relevance import AnswerRelevance
from magistrate.prompts import load_prompt, prompt_names, prompt_text, replacing
from magistrate.testing import FakeClient
from magistrate.verdict import BINARY, GRADED, TERNARY, Scale, Verdict

cases = cases_of(__file__)

FERRY = ["The ferry leaves at 7."]


@replies("prompts")
async def test_what_is_asked_for_stands_in_a_prompt_and_nothing_else_does(row):
    await put(row)


@pytest.mark.parametrize(
    ("ask", "before"), [("verify", 439), ("extract", 223), ("extract_and_verify", 383), ("grade", 203)]
)
async def test_what_is_sent_has_at_most_40_characters_more_than_that_of_0_1_0(ask, before):
    assert len(whole((await asked(ask))[0])) <= before + 40


def whole(request):
    return "\n".join(message.content for message in request.messages)


async def asked(ask="verify", given=(), **options):
    """The first request of a judge with options about a question, and the judge."""
    client = FakeClient(lambda _: "{}")
    made = LLMJudge("m", client=client, **options)
    await made.ask(question(ask, **dict(given)))
    return client.requests[0], made


def verify(statements=FERRY, contexts=FERRY, key=b"k", **options):
    return verify_request(Asking("m", key, **options), Verify(statements, contexts), Attempt())


def test_the_limit_of_the_reply_grows_with_the_statements_and_with_what_the_model_thinks():
    assert verify(FERRY * 2).max_tokens < verify(FERRY * 20).max_tokens < 3000
    assert verify(max_tokens=99).max_tokens == 99
    assert verify(spare_tokens=1000).max_tokens == verify().max_tokens + 1000


def test_requests_about_the_same_contexts_share_the_token_and_so_the_beginning_of_the_prompt():
    one, same, other, of_another = verify(), verify(["Another."]), verify(contexts=["Else."]), verify(key=b"other")
    assert one.token == same.token
    assert len({one.token, other.token, of_another.token}) == 3
    heads = {request.messages[-1].content.partition("~~~ statements")[0] for request in (one, same)}
    assert len(heads) == 1


@pytest.mark.parametrize("scale", [BINARY, TERNARY, GRADED, Scale("mine", (Verdict.SUPPORTED, Verdict.CONTRADICTED))])
async def test_no_schema_holds_a_reference_and_every_object_is_closed(scale):
    judging = ({"ask": "verify"}, {"ask": "verify", "quotes": True}, {"ask": "extract_and_verify"})
    made = [await asked(given={"scale": scale}, **options) for options in judging]
    made += [await asked("extract"), await asked("grade")]
    pending = [request.schema for request, _ in made]
    assert pending[0]["properties"]["s1"]["enum"] == [verdict.value for verdict in scale.verdicts]
    assert list(pending[2]["properties"]["rows"]["items"]["properties"]) == ["claim", "why", "label"]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            assert "$ref" not in node
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert node["required"] == list(node["properties"])
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


def own(folder, name, old="Judge ", new="Weigh "):
    text = prompt_text(name)
    assert old in text
    (folder / f"{name}.md").write_text(text.replace(old, new))
    return folder


class TestPromptsOfOnesOwn:
    async def test_stand_for_ours_of_the_same_name(self, tmp_path):
        request, made = await asked(prompts=own(tmp_path, "verify"))
        ours, other = await asked()
        assert whole(request).startswith("Weigh statements")
        assert whole(ours).startswith("Judge statements")
        assert request.prompt.hash != ours.prompt.hash
        fingerprints = made.describe()["prompts"]
        assert fingerprints["verify"] != other.describe()["prompts"]["verify"]
        assert fingerprints["grade"] == other.describe()["prompts"]["grade"]

    async def test_stand_for_rubrics_too(self, tmp_path):
        folder = own(tmp_path, "rubric-answer-relevance", "How well", "How nicely")
        client = FakeClient(['{"token":"{token}","why":"w","score":4}'])
        case = Case(question="When?", answer="At seven.")
        await AnswerRelevance().evaluate(case, LLMJudge("m", client=client, prompts=folder))
        assert "How nicely does the answer" in whole(client.requests[0])

    @cases("requests: have the slots and wordings of ours")
    def test_have_the_slots_and_wordings_of_ours(self, tmp_path, old, new, says):
        with pytest.raises(PromptError, match=says):
            replacing(own(tmp_path, "verify", old, new))

    def test_have_a_name_of_ours_and_are_there(self, tmp_path):
        with pytest.raises(PromptError, match="no prompts"):
            replacing(tmp_path)
        (tmp_path / "weigh.md").write_text(prompt_text("verify").replace("name: verify", "name: weigh"))
        with pytest.raises(PromptError, match="weigh"):
            LLMJudge("m", client=FakeClient(), prompts=tmp_path)

    @pytest.mark.parametrize("name", prompt_names())
    def test_may_begin_with_any_of_ours_which_can_be_shown_as_it_is_sent(self, name):
        shown = sent(load_prompt(name))
        assert shown.startswith("[")
        assert "{{contexts}}" not in shown


class TestRulesAndExamples:
    async def test_are_in_the_description(self):
        for options in ({"instructions": "Use our terms."}, {"token": False}):
            assert options.items() <= (await asked(**options))[1].describe().items()
        assert "instructions" not in (await asked())[1].describe()

    async def test_examples_are_fenced_and_only_those_that_the_scale_offers_are_shown(self, tmp_path):
        path = tmp_path / "examples.jsonl"
        rows = [
            {"statement": "Cats travel free.", "verdict": "not_enough_info", "contexts": ["Dogs ~~~ travel."]},
            {"statement": "Dogs travel free.", "verdict": "supported", "reason": "it says so", "case_id": "c1"},
        ]
        path.write_text("\n\n".join(map(json.dumps, rows)))
        request, made = await asked(examples=path)
        shown = request.messages[0].content
        assert "~~~~ example\nDogs ~~~ travel.\nStatement: Cats travel free.\nVerdict: not_enough_info" in shown
        assert "Statement: Dogs travel free.\nVerdict: supported (it says so)" in shown
        assert len(made.describe()["examples"]) == 2
        assert "Cats travel free." not in whole((await asked(given={"scale": BINARY}, examples=path))[0])

    @pytest.mark.parametrize("row", ["nonsense", "[]", '{"statement":"a"}', '{"statement":"a","verdict":"maybe"}'])
    def test_a_line_that_is_none_is_named(self, tmp_path, row):
        path = tmp_path / "examples.jsonl"
        path.write_text(f'{{"statement":"a","verdict":"supported"}}\n{row}\n')
        with pytest.raises(ConfigurationError, match=r"examples\.jsonl:2"):
            LLMJudge("m", client=FakeClient(), examples=path)
        with pytest.raises(ConfigurationError, match="cannot be read"):
            LLMJudge("m", client=FakeClient(), examples=tmp_path / "none.jsonl")
