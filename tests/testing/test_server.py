"""The server that plays a model, on the wire."""

import http.client
import json

import pytest
from tests.testing.wires import CHAT, anthropic_body, chat_body, messages, ollama_body, shaped
from tests.testing.wires import post as sent

from magistrate.judges import Extract, ExtractAndVerify, Grade, Verify
from magistrate.judges.llm._requests import (
    Asking,
    Attempt,
    claims_request,
    grade_request,
    single_request,
    verify_request,
)
from magistrate.testing import Fault, FaultServer, Oracle
from magistrate.verdict import BINARY, GRADED, TERNARY, Verdict

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


class TestOurPrompts:
    @pytest.mark.parametrize(
        ("path", "body"),
        [(CHAT, chat_body), ("/v1/messages", anthropic_body), ("/api/chat", ollama_body)],
    )
    def test_verdicts_are_right_in_every_format(self, path, body):
        with FaultServer() as server:
            status, reply = post(server, path, body(verify()))
        assert status == 200
        answer = said(reply)
        assert [answer[f"s{n}"] for n in (1, 2, 3)] == RIGHT
        assert answer["token"] == verify().token
        assert all(8 <= len(answer[f"s{n}_why"].split()) <= 14 for n in (1, 2, 3))

    def test_the_scale_of_the_prompt_is_kept(self, asked):
        found = asked(chat_body(verify(scale=BINARY)))
        assert [found[f"s{n}"] for n in (1, 2, 3)] == ["supported", "unsupported", "unsupported"]
        partly = ("The reading room opens at nine with music.",)
        assert asked(chat_body(verify(partly, GRADED)))["s1"] == "partially_supported"

    def test_without_a_schema_the_words_of_the_prompt_are_enough(self, asked):
        request = verify()
        body = {"model": "test", "messages": messages(request)}
        body["messages"][0]["content"] += f"\n{request.hint}"
        found = asked(body)
        assert found["s1"] == "supported"
        assert "s1_why" in found

    def test_reasons_and_quotes_are_given_as_asked(self, asked):
        plain, quoting = Asking("test", b"k" * 32, reason_words=0), Asking("test", b"k" * 32, quotes=True)
        assert set(asked(chat_body(verify(asking=plain)))) == {"s1", "s2", "s3", "token"}
        assert asked(chat_body(verify(asking=quoting)))["s1_quotes"][0] in CONTEXTS[0]

    def test_statements_are_taken_from_an_answer(self, asked):
        request = claims_request(ASKING, Extract("It is red. It is new.", question="?", kind="claims"), Attempt())
        assert asked(chat_body(request)) == {"token": request.token, "statements": ["It is red.", "It is new."]}

    def test_statements_and_verdicts_come_at_once(self, asked):
        question = ExtractAndVerify(" ".join(STATEMENTS), CONTEXTS, scale=TERNARY)
        rows = asked(chat_body(single_request(ASKING, question, Attempt())))["rows"]
        assert [row["claim"] for row in rows] == list(STATEMENTS)
        assert [row["label"] for row in rows] == RIGHT

    def test_a_grade_is_in_the_range(self, asked):
        question = Grade("Be strict.", {"answer": "A. B. C."}, low=1, high=5)
        assert asked(chat_body(grade_request(ASKING, question, Attempt())))["score"] == 4

    def test_an_oracle_of_ones_own_decides(self):
        oracle = Oracle(verdict=lambda statement, _: (Verdict.CONTRADICTED, f"I know better than {statement[:3]}"))
        with FaultServer(oracle) as server:
            _, reply = post(server, CHAT, chat_body(verify()))
        assert said(reply)["s1"] == "contradicted"

    def test_contexts_that_look_like_fences_or_statements_are_still_contexts(self):
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

    def test_an_unknown_prompt_for_a_list_is_said(self, capsys):
        with FaultServer() as server:
            for _ in range(2):
                post(server, CHAT, prompted("Name some colours.", rows=TEXTS))
            assert server.stats.unknown == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


class TestCounting:
    def test_calls_tokens_and_kinds(self):
        request = verify()
        with FaultServer() as server:
            _, reply = post(server, CHAT, chat_body(request))
            stats = server.stats
            post(server, CHAT, chat_body(request))
            used = reply["usage"]
            assert server.stats.prompt_tokens == 2 * used["prompt_tokens"], "as its replies say, call by call"
            assert server.stats.completion_tokens == 2 * used["completion_tokens"]
            server.reset()
            assert server.stats.calls == 0
        sent = sum(len(message.content) for message in request.messages)
        shape = json.dumps(chat_body(request)["response_format"], separators=(",", ":"))
        assert stats.prompt_tokens == -(-(sent + len(shape)) // 4)
        assert stats.completion_tokens == -(-len(reply["choices"][0]["message"]["content"]) // 4)
        assert reply["usage"]["prompt_tokens"] == stats.prompt_tokens
        assert (stats.calls, stats.by_kind, stats.most_at_once) == (1, {"verify": 1}, 1)

    def test_models_are_listed(self):
        with FaultServer() as server:
            connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
            connection.request("GET", "/v1/models")
            assert json.loads(connection.getresponse().read())["data"][0]["object"] == "model"
            connection.close()


class TestFaults:
    def test_are_chosen_per_call(self):
        def every_second(call):
            return Fault(status=503) if call.number % 2 == 0 else None

        with FaultServer(faults=every_second) as server:
            seen = [post(server, CHAT, chat_body(verify()))[0] for _ in range(4)]
        assert seen == [200, 503, 200, 503]

    @pytest.mark.parametrize("path", [CHAT, "/v1/messages", "/api/chat"])
    def test_errors_have_the_providers_form(self, path):
        body = {"/v1/messages": anthropic_body, "/api/chat": ollama_body}.get(path, chat_body)(verify())
        with FaultServer(faults=lambda _: Fault(status=429, message="slow down")) as server:
            status, reply = post(server, path, body)
        assert status == 429
        assert "slow down" in json.dumps(reply["error"])

    def test_an_unknown_path_and_an_unreadable_body_are_client_errors(self):
        with FaultServer() as server:
            assert post(server, "/v2/other", {})[0] == 404
            assert post(server, CHAT, {"model": "x"})[0] == 400

    def test_a_fault_of_the_server_itself_is_raised_when_it_stops(self):
        def broken(_):
            raise ZeroDivisionError("my own fault")

        server = FaultServer(faults=broken).start()
        assert post(server, CHAT, chat_body(verify()))[0] == 500
        with pytest.raises(RuntimeError, match="my own fault"):
            server.stop()


class TestStreams:
    @pytest.mark.parametrize("pause", [0.0, 0.001])
    def test_the_pieces_are_the_reply(self, pause):
        body = {**chat_body(verify()), "stream": True, "stream_options": {"include_usage": True}}
        with FaultServer(faults=lambda _: Fault(pause=pause)) as server:
            whole = said(post(server, CHAT, chat_body(verify()))[1])
            connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=10)
            connection.request("POST", CHAT, json.dumps(body))
            response = connection.getresponse()
            events = [line.removeprefix("data: ") for line in response.read().decode().split("\n\n") if line]
            connection.close()
        assert (response.getheader("Content-Type"), events[-1]) == ("text/event-stream", "[DONE]")
        *chunks, usage = [json.loads(event) for event in events[:-1]]
        deltas = [chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks]
        assert len(deltas) > 4
        assert json.loads("".join(deltas)) == whole
        assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
        assert (usage["choices"], usage["usage"]["prompt_tokens"] > 0) == ([], True)
