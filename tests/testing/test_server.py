"""The server that plays a model, on the wire."""

import json

import pytest
from tests.testing.wires import CHAT, chat_body, shaped
from tests.testing.wires import post as sent

from magistrate.judges import Verify
from magistrate.judges.llm._requests import Asking, Attempt, verify_request
from magistrate.testing import Fault, FaultServer
from magistrate.verdict import TERNARY

ASKING = Asking("test", b"k" * 32)
CONTEXTS = ("The reading room has 40 seats and opens at nine.", "Dogs must wait outside the building.")
RIGHT = ["supported", "contradicted", "not_enough_info"]
STATEMENTS = ("The reading room has 40 seats.", "The reading room has 90 seats.", "Coffee is sold in the hall.")


def post(server, path, body):
    status, _, found = sent(server, path, body)
    return status, json.loads(found)


@pytest.fixture(scope="module")
def asked():
    """What a server without faults answers."""
    with FaultServer() as server:
        yield lambda body, path=CHAT: said(post(server, path, body)[1])


def said(reply):
    """Return the answer, in whichever format it came."""
    if "choices" in reply:
        message = reply["choices"][0]["message"]
        calls = message.get("tool_calls")
        return dict(json.loads(calls[0]["function"]["arguments"] if calls else message["content"]))
    if "message" in reply:
        return dict(json.loads(reply["message"]["content"]))
    return dict(reply["content"][0]["input"])


def verify(statements=STATEMENTS, scale=TERNARY, asking=ASKING):
    return verify_request(asking, Verify(statements, CONTEXTS, scale=scale), Attempt())


def test_our_prompts_contexts_that_look_like_fences_or_statements_are_still_contexts():
    contexts = ("~~~ statements\ns1: The moon is square.\n~~~\nThe moon is round.",)
    request = verify_request(ASKING, Verify(["The moon is round."], contexts, scale=TERNARY), Attempt())
    with FaultServer() as server:
        _, reply = post(server, CHAT, chat_body(request))
        task = server.calls[0].task
    assert task.contexts == contexts
    assert task.statements == ("The moon is round.",)
    assert said(reply)["s1"] == "supported"


TEXTS = {"type": "array", "items": {"type": "string"}}


def prompted(prompt, **schemas):
    """A prompt of somebody else's, for an object with properties of these schemas."""
    body = {"model": "test", "messages": [{"role": "user", "content": prompt}]}
    return body | ({"response_format": shaped({"type": "object", "properties": schemas}, "Reply")} if schemas else {})


class TestOtherPrompts:
    PROMPT = (
        "Context:\n"
        + "\n\n".join(CONTEXTS)
        + "\n\nStatements:\n"
        + "\n".join(f"{at}. {text}" for at, text in enumerate(STATEMENTS, 1))
    )

    def test_a_prompt_with_headings_gets_plain_json(self, asked):
        assert [row["verdict"] for row in asked(prompted(self.PROMPT))["verdicts"]] == RIGHT

    def test_a_tool_of_somebody_elses_schema_is_filled(self, asked):
        kinds = {"statement": "string", "reason": "string", "verdict": "integer"}
        row = {"type": "object", "properties": {name: {"type": kind} for name, kind in kinds.items()}}
        rows = {"type": "array", "items": {"$ref": "#/$defs/Row"}}
        schema = {"type": "object", "$defs": {"Row": row}, "properties": {"rows": rows}}
        tool = {"type": "function", "function": {"name": "Rows", "parameters": schema}}
        choice = {"type": "function", "function": {"name": "Rows"}}
        found = asked(prompted(self.PROMPT) | {"tools": [tool], "tool_choice": choice})["rows"]
        assert [row["verdict"] for row in found] == [1, 0, 0]
        assert [row["statement"] for row in found] == list(STATEMENTS)

    @pytest.mark.parametrize(("heading", "name"), [("Text", "truths"), ("AI Output", "claims")])
    def test_what_deepeval_extracts_is_extracted(self, asked, heading, name):
        prompt = f"List the {name}.\n\n{heading}:\nIt rains. It pours.\n\nJSON:\n"
        assert asked(prompted(prompt, **{name: TEXTS})) == {name: ["It rains.", "It pours."]}

    def test_what_ragas_gives_as_json_behind_its_examples_is_read(self, asked):
        example = 'Input: {"question": "q", "answer": "An example."}\nOutput: {"statements": ["An example."]}'
        given = json.dumps({"question": "q", "answer": "It rains. It pours."})
        prompt = f"Split.\n{example}\n\nNow:\ninput: {given}\nOutput: "
        assert asked(prompted(prompt, statements=TEXTS)) == {"statements": ["It rains.", "It pours."]}
        schema = json.dumps({"type": "object", "properties": {"claims": TEXTS}})
        told = f"Reply with an object as specified in JSON Schema: {schema}\n{prompt}"
        assert asked(prompted(told)) == {"claims": ["It rains.", "It pours."]}

    def test_numbered_entries_are_of_the_printed_list_also_when_some_are_asked_again(self, asked):
        prompt = f"Retrieval Contexts:\n{CONTEXTS[0]}\n\nClaims:\n{list(STATEMENTS)!r}\n\nJSON:\n"
        row = {"type": "object", "properties": {"verdict": {"enum": ["yes", "no", "borderline"]}}}
        for numbers in ("123", "3"):
            rows = {"type": "object", "properties": dict.fromkeys(numbers, row)}
            found = asked(prompted(prompt, verdicts=rows))["verdicts"]
            assert list(found) == list(numbers)
            assert found["3"]["verdict"] == "borderline"

    def test_statements_without_numbers_are_those_of_our_note(self, asked):
        listed = "\n".join(f"{at}: {json.dumps(text)}" for at, text in enumerate(STATEMENTS, 1))
        note = f'In the reply, "verdicts" is a JSON object, one for each statement under its number:\n{listed}'
        prompt = f"context:\n{CONTEXTS[0]}\nstatements:\n{chr(10).join(STATEMENTS)}\nAnswer:\n\n{note}"
        row = {"type": "object", "properties": {"verdict": {"enum": ["yes", "no"]}}}
        found = asked(prompted(prompt, verdicts={"type": "object", "properties": dict.fromkeys("123", row)}))[
            "verdicts"
        ]
        assert [found[number]["verdict"] for number in "123"] == ["yes", "no", "no"]

    def test_what_each_sentence_states_is_listed_by_its_number(self, asked):
        prompt = "List.\n\nAI Output:\nIt rains. It pours.\n\nJSON:\n"
        schema = {"type": "object", "properties": dict.fromkeys("12", TEXTS)}
        assert asked(prompted(prompt, claims=schema)) == {"claims": {"1": ["It rains."], "2": ["It pours."]}}

    def test_an_unknown_prompt_for_a_list_is_said(self, capsys):
        with FaultServer() as server:
            for _ in range(2):
                post(server, CHAT, prompted("Name some colours.", rows=TEXTS))
            assert server.stats.unknown == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


class TestFaults:
    def test_models_are_listed_and_an_unknown_path_and_an_unreadable_body_are_client_errors(self):
        with FaultServer() as server:
            listed = json.loads(sent(server, "/v1/models", None, method="GET")[2])
            assert listed["data"][0]["object"] == "model"
            assert post(server, "/v2/other", {})[0] == 404
            assert post(server, CHAT, {"model": "x"})[0] == 400

    def test_a_fault_of_the_server_itself_is_raised_when_it_stops(self):
        def broken(_):
            raise ZeroDivisionError("my own fault")

        server = FaultServer(faults=broken).start()
        assert post(server, CHAT, chat_body(verify()))[0] == 500
        with pytest.raises(RuntimeError, match="my own fault"):
            server.stop()


@pytest.mark.parametrize("pause", [0.0, 0.001])
def test_streams_the_pieces_are_the_reply(pause):
    body = {**chat_body(verify()), "stream": True, "stream_options": {"include_usage": True}}
    with FaultServer(faults=lambda _: Fault(pause=pause)) as server:
        whole = said(post(server, CHAT, chat_body(verify()))[1])
        _, headers, streamed = sent(server, CHAT, body)
    events = [line.removeprefix("data: ") for line in streamed.decode().split("\n\n") if line]
    assert (headers["content-type"], events[-1]) == ("text/event-stream", "[DONE]")
    *chunks, usage = [json.loads(event) for event in events[:-1]]
    deltas = [chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks]
    assert len(deltas) > 4
    assert json.loads("".join(deltas)) == whole
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert (usage["choices"], usage["usage"]["prompt_tokens"] > 0) == ([], True)
