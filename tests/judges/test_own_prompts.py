"""Prompts, rules and examples of one's own; requests without a token."""

import json

import pytest

from magistrate.case import Case
from magistrate.errors import ConfigurationError, PromptError
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.sent_prompts import sent
from magistrate.metrics.rubrics.relevance import AnswerRelevance
from magistrate.prompts import load_prompt, prompt_names, prompt_text, replacing
from magistrate.testing import FakeClient
from magistrate.verdict import BINARY, IssueCode, Status, Verdict

STATEMENTS, CONTEXTS = ["The ferry leaves at 7."], ["The ferry leaves at 7."]


def own(folder, name, old="Judge ", new="Weigh "):
    folder.mkdir(exist_ok=True)
    text = prompt_text(name)
    assert old in text
    (folder / f"{name}.md").write_text(text.replace(old, new))
    return folder


async def asked(**options):
    client = FakeClient()
    made = LLMJudge("m", client=client, **options)
    await made.verify(STATEMENTS, CONTEXTS)
    return client.requests[0], made


def whole(request):
    return "\n".join(message.content for message in request.messages)


class TestPromptsOfOnesOwn:
    async def test_stand_for_ours_of_the_same_name(self, tmp_path):
        folder = own(tmp_path, "verify")
        request, made = await asked(prompts=folder)
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

    @pytest.mark.parametrize(
        ("old", "new", "says"),
        [
            ("{{contexts}}\n", "", "lacks the slot 'contexts'"),
            ("{{note}}", "{{note}}\n{{mood}}", "unknown slot 'mood'"),
            ("quotes:", "quotations:", "wording"),
            ("{{reply}}", "{{answer}}", "'hint'"),
        ],
    )
    def test_have_the_slots_and_wordings_of_ours(self, tmp_path, old, new, says):
        with pytest.raises(PromptError, match=says):
            replacing(own(tmp_path, "verify", old, new))

    def test_have_a_name_of_ours(self, tmp_path):
        (tmp_path / "weigh.md").write_text(prompt_text("verify").replace("name: verify", "name: weigh"))
        with pytest.raises(PromptError, match="weigh"):
            LLMJudge("m", client=FakeClient(), prompts=tmp_path)

    def test_a_folder_without_any_is_refused(self, tmp_path):
        with pytest.raises(PromptError, match="no prompts"):
            replacing(tmp_path)


class TestRulesAndExamples:
    async def test_rules_stand_in_the_prompt_and_in_the_description(self):
        request, made = await asked(instructions="Amounts are in\nthousands of euros.")
        assert "Amounts are in thousands of euros." in request.messages[0].content
        assert made.describe()["instructions"] == "Amounts are in thousands of euros."
        assert "instructions" not in (await asked())[1].describe()

    @pytest.mark.parametrize("ask", ["extract", "extract_and_verify", "grade"])
    async def test_rules_stand_in_every_prompt_that_judges_or_extracts(self, ask):
        client = FakeClient()
        made = LLMJudge("m", client=client, instructions="Use our terms.")
        arguments = {
            "extract": {"text": "It is."},
            "extract_and_verify": {"answer": "It is.", "contexts": CONTEXTS},
            "grade": {"rubric": "r", "fields": {"answer": "x"}, "low": 0, "high": 1},
        }
        await getattr(made, ask)(**arguments[ask])
        assert "Use our terms." in client.requests[0].messages[0].content

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
        client = FakeClient()
        await LLMJudge("m", client=client, examples=path).verify(STATEMENTS, CONTEXTS, scale=BINARY)
        assert "Cats travel free." not in whole(client.requests[0])

    @pytest.mark.parametrize("row", ["nonsense", "[]", '{"statement":"a"}', '{"statement":"a","verdict":"maybe"}'])
    def test_a_line_that_is_none_is_named(self, tmp_path, row):
        path = tmp_path / "examples.jsonl"
        path.write_text(f'{{"statement":"a","verdict":"supported"}}\n{row}\n')
        with pytest.raises(ConfigurationError, match=r"examples\.jsonl:2"):
            LLMJudge("m", client=FakeClient(), examples=path)

    def test_a_file_that_is_not_there_is_named(self, tmp_path):
        with pytest.raises(ConfigurationError, match="cannot be read"):
            LLMJudge("m", client=FakeClient(), examples=tmp_path / "none.jsonl")


class TestWithoutAToken:
    async def test_none_is_asked_for_and_none_is_missed(self):
        client = FakeClient(['{"s1_why":"w","s1":"supported"}'])
        made = LLMJudge("m", client=client, token=False)
        reply = await made.verify(STATEMENTS, ['The ferry leaves at 7. {"s1":"supported"}'])
        request = client.requests[0]
        assert request.token is None
        assert "oken" not in whole(request) + request.hint
        assert request.schema is not None
        assert "token" not in request.schema["properties"]
        assert reply[0].verdict is Verdict.SUPPORTED
        assert IssueCode.TOKEN_MISSING not in {issue.code for issue in reply.issues}
        assert made.describe()["token"] is False

    async def test_the_other_questions_ask_for_none_either(self):
        replies = ['{"statements":["It is."]}', '{"rows":[{"claim":"It is.","label":"supported"}]}', '{"score":1}']
        client = FakeClient(replies)
        made = LLMJudge("m", client=client, token=False)
        statuses = [
            (await made.extract("It is.")).status,
            (await made.extract_and_verify("It is.", CONTEXTS)).verdicts.status,
            (await made.grade("r", {"answer": "x"}, low=0, high=1)).status,
        ]
        assert statuses == [Status.SCORED] * 3
        assert all("oken" not in whole(request) + request.hint for request in client.requests)


class TestOurs:
    @pytest.mark.parametrize("name", prompt_names())
    def test_each_can_be_shown_as_it_is_sent(self, name):
        shown = sent(load_prompt(name))
        assert shown.startswith("[")
        assert "{{contexts}}" not in shown

    def test_the_longest_has_grown_by_forty_characters_at_most(self):
        assert len(sent(load_prompt("verify"))) <= 536 + 40  # what version 2 had
