"""Calls through the real LiteLLM and Instructor to a real HTTP server."""

import asyncio
import json
import logging
import random
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from tests.case_tables import cases_of

from magistrate.completion.models import resolve_model
from magistrate.completion.providers._client import LiteLLMClient
from magistrate.completion.providers._library import library
from magistrate.errors import (
    JudgeAuthError,
    JudgeConnectionError,
    JudgeError,
    JudgeNotFoundError,
    JudgeRateLimitError,
    JudgeRequestError,
    JudgeServerError,
    JudgeTimeoutError,
)
from magistrate.http_server import HttpReply
from magistrate.testing import FAULTS, Call, Fault, FaultServer

cases = cases_of(__file__)


Faults = Callable[[Call], Fault | None]
KEY = "sk-test-very-secret-0123456789"
PROVIDERS = ["openai/some-model", "claude-haiku-4-5", "ollama_chat/llama3.1"]
STATUSES = {
    401: (JudgeAuthError, False),
    403: (JudgeAuthError, False),
    404: (JudgeNotFoundError, False),
    429: (JudgeRateLimitError, True),
    402: (JudgeRateLimitError, False),
    **dict.fromkeys((409, 425, 500, 502, 503, 529), (JudgeServerError, True)),
}
"""What each means, and whether the call may be made again."""
FAMILIES = ["openai/some-model", "gpt-4o", "claude-haiku-4-5", "anthropic/some-model", "ollama_chat/llama3.1"]


def base(name, server):
    return server.openai_url if name.startswith(("openai", "gpt")) else server.url


@asynccontextmanager
async def calling(name, faults=None, **options):
    with FaultServer(faults=faults) as server:
        model = resolve_model(name, api_base=base(name, server), api_key=KEY)
        client = LiteLLMClient(model, **options)
        try:
            yield client, server
        finally:
            await client.close()


async def ask(request, fault=None, name="openai/some-model", **options):
    async with calling(name, lambda _: fault, **options) as (client, server):
        return await client.complete(replace(request, model=client.model.name)), server


async def fail(request, fault, name="openai/some-model", **options):
    async with calling(name, lambda _: fault, **options) as (client, server):
        with pytest.raises(JudgeError) as caught:
            await client.complete(replace(request, model=client.model.name))
        return caught.value, server


def says(text):
    return Fault(text=lambda _: text)


def refusing(what, message, status=400, answer='{"answer":"x"}'):
    """Refuse requests of which something holds."""
    return lambda call: Fault(status=status, message=message) if what(call.request) else says(answer)


class TestWhatIsSent:
    @pytest.mark.parametrize("name", FAMILIES)
    async def test_every_family_gets_schema_messages_and_limits_and_its_text_comes_back(self, name, request_):
        completion, server = await ask(request_, says('{"answer": "here"}'), name)
        assert json.loads(completion.text or "") == {"answer": "here"}
        assert completion.finish_reason == "stop"
        assert completion.mode == "json_schema"
        sent = server.calls[0].request
        assert list(sent.schema["properties"]) == ["answer"]
        assert "Where is the key?" in sent.user
        assert sent.max_tokens == 1024
        assert server.stats.calls == 1

    async def test_a_model_that_enforces_schemas_gets_a_strict_one_and_no_words_about_it(self, request_):
        _, server = await ask(request_, says("{}"), "gpt-4o")
        raw = server.calls[0].request.raw
        assert raw["response_format"]["json_schema"]["strict"] is True
        assert "maxLength" not in json.dumps(raw)
        assert "Reply with JSON" not in server.calls[0].request.system

    async def test_any_other_model_gets_the_bounds_and_the_schema_in_words(self, request_):
        _, server = await ask(request_, says("{}"))
        raw = server.calls[0].request.raw
        assert "strict" not in raw["response_format"]["json_schema"]
        assert raw["response_format"]["json_schema"]["schema"]["properties"]["answer"]["maxLength"] == 50
        assert "Reply with JSON" in server.calls[0].request.system

    async def test_parameters_of_the_user_reach_the_wire(self, request_):
        params = {"seed": 11, "extra_headers": {"X-Team": "tests"}}
        _, server = await ask(replace(request_, params=params, temperature=None), says("{}"))
        assert server.calls[0].request.raw["seed"] == 11
        assert "temperature" not in server.calls[0].request.raw
        assert server.calls[0].headers["x-team"] == "tests"

    async def test_braces_and_template_marks_in_the_text_arrive_as_they_are(self, request_):
        text = "{{ 7*7 }} {% raw %} {0} %s </s> [INST]"
        messages = (replace(request_.messages[1], content=text),)
        _, server = await ask(replace(request_, messages=messages, hint=""), says("{}"))
        assert server.calls[0].request.user == text

    async def test_a_window_of_the_users_own_stays(self, request_):
        _, server = await ask(replace(request_, params={"num_ctx": 3000}), says("{}"), "ollama_chat/llama3.1")
        assert server.calls[0].request.raw["options"]["num_ctx"] == 3000

    async def test_a_later_smaller_prompt_keeps_the_larger_window_of_ollama(self, request_):
        async with calling("ollama_chat/llama3.1", lambda _: says("{}")) as (client, server):
            request = replace(request_, model=client.model.name)
            long = (replace(request_.messages[1], content="word " * 4000),)
            await client.complete(replace(request, messages=long))
            await client.complete(request)
            assert [call.request.raw["options"]["num_ctx"] for call in server.calls] == [16384, 16384]


class TestWhatComesBack:
    async def test_the_raw_text_whatever_instructor_makes_of_it(self, request_):
        for text in ('{"answer": "a", "answer": "b"}', "no JSON at all", "[1, 2", '{"other": 1}', ""):
            completion, server = await ask(request_, says(text))
            assert (completion.text or "") == text
            assert server.stats.calls == 1

    async def test_tokens_model_fingerprint_and_latency(self, request_):
        completion, _ = await ask(request_, Fault(text=lambda _: "{}", usage=(321, 45)))
        assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (321, 45)
        assert completion.model == "some-model"
        assert completion.fingerprint == "fp_magistrate"
        assert completion.usage.latency_ms > 0
        assert completion.usage.calls == 1

    @cases("litellm_client: an unknown price is none and not zero")
    async def test_what_it_cost_is_none_where_no_price_is_known(self, request_, *, name, usage, prices, least, most):
        fault = Fault(text=lambda _: "{}", usage=usage)
        cost = (await ask(request_, fault, name, **prices))[0].usage.cost
        assert cost is least is most is None or least < cost < most

    async def test_the_highest_price_of_a_request(self, request_):
        async with calling("gpt-4o") as (known, _):
            worst = known.worst_cost(request_)
            assert worst is not None
            assert worst > 0
        async with calling("openai/some-model") as (unknown, _):
            assert unknown.worst_cost(request_) is None

    async def test_reasoning_beside_the_answer(self, request_):
        for name in ("openai/some-model", "claude-haiku-4-5"):
            completion, _ = await ask(request_, Fault(text=lambda _: '{"answer":"x"}', reasoning="I think so"), name)
            assert completion.reasoning == "I think so", name

    @cases("litellm_client: what the provider says of the end")
    async def test_what_the_provider_says_of_the_end(self, name, fault, finish, refusal, request_):
        if "text" in fault:
            fault = {**fault, "text": lambda _, text=fault["text"]: text}
        completion, server = await ask(request_, Fault(**fault), name)
        assert (completion.finish_reason, completion.refusal) == (finish, refusal)
        assert server.stats.calls == 1

    @pytest.mark.parametrize("word", ["network_error", "MALFORMED_RESPONSE"])
    async def test_a_reply_that_the_provider_broke_off_is_none_and_may_be_tried_again(self, word, request_):
        error, _ = await fail(request_, Fault(text=lambda _: "1. yes\n2. no", finish_reason=word), "openai/some-model")
        assert type(error) is JudgeServerError
        assert (error.retryable, error.billable) == (True, True)
        assert "broke off" in error.message


class TestFailures:
    @pytest.mark.parametrize("name", PROVIDERS)
    async def test_each_status_becomes_one_of_our_errors_after_one_call(self, name, request_):
        statuses = list(STATUSES)

        def bad(call):
            return Fault(status=statuses[call.number - 1], message="the day is bad", headers={"Retry-After": "17"})

        async with calling(name, bad) as (client, server):
            for number, (status, (kind, retryable)) in enumerate(STATUSES.items(), 1):
                with pytest.raises(JudgeError) as caught:
                    await client.complete(replace(request_, model=client.model.name))
                assert (type(caught.value), caught.value.retryable) == (kind, retryable), status
                assert server.stats.calls == number
                assert status != 429 or caught.value.retry_after == 17.0

    @cases("litellm_client: the words tell more than the status")
    async def test_the_words_tell_more_than_the_status(self, status, message, kind, request_):
        for name in ("openai/some-model", "claude-haiku-4-5"):
            error, _ = await fail(request_, Fault(status=status, message=message), name)
            assert type(error).__name__ == kind, name
            assert not error.retryable

    @pytest.mark.parametrize("name", PROVIDERS)
    async def test_a_broken_connection_or_body_may_be_tried_again(self, name, request_):
        for fault in (
            Fault(http=lambda reply: replace(reply, reset=True)),
            Fault(http=lambda reply: replace(reply, cut=20)),
            Fault(http=lambda _: HttpReply(body=b"<html>gateway</html>", content_type="text/html")),
            *[Fault(no_choices=True)] * name.startswith("openai"),
        ):
            error, _ = await fail(request_, fault, name)
            assert isinstance(error, JudgeConnectionError | JudgeServerError)
            assert error.retryable

    @pytest.mark.parametrize("name", ["null-message", "invalid-body", "no-choices"])
    async def test_an_answer_that_is_no_completion_may_be_charged_for(self, name, request_):
        error, _ = await fail(request_, FAULTS[name](random.Random(1)))  # noqa: S311 - a fault
        assert type(error) is JudgeServerError
        assert (error.retryable, error.billable, "(500)" in str(error)) == (True, True, False)

    async def test_a_server_that_hangs_is_a_timeout(self, request_):
        error, _ = await fail(request_, Fault(http=lambda reply: replace(reply, hang=True)), timeout=0.1)
        assert type(error) is JudgeTimeoutError
        assert error.retryable

    @pytest.mark.parametrize("name", PROVIDERS)
    async def test_a_port_that_nobody_listens_on_is_a_connection_error_without_a_status(self, name, request_):
        with FaultServer() as server:
            url = server.url
        client = LiteLLMClient(resolve_model(name, api_base=url, api_key=KEY))
        with pytest.raises(JudgeConnectionError, match="nothing answers") as caught:
            await client.complete(replace(request_, model=name))
        assert caught.value.provider_status is None
        assert ("ollama serve" in caught.value.message) is name.startswith("ollama")
        assert " object at 0x" not in caught.value.message
        await client.close()


async def test_nothing_is_printed_or_logged_at_a_failed_call(request_, caplog, capfd):
    await fail(request_, Fault(status=500))
    await ask(request_, says("no JSON"))
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert capfd.readouterr() == ("", "")


class TestSteppingDown:
    async def test_from_schema_to_json_to_markdown_to_words_and_it_is_remembered(self, request_):
        def refuses(call):
            raw = call.request.raw
            if "response_format" in raw:
                return Fault(status=400, message=f"response_format {raw['response_format']['type']} is not supported")
            return says('{"answer":"x"}')

        async with calling("openai/some-model", refuses) as (client, server):
            request = replace(request_, model=client.model.name)
            first = await client.complete(request)
            assert (first.mode, first.text, server.stats.calls) == ("md_json", '{"answer":"x"}', 3)
            await client.complete(request)
            assert server.stats.calls == 4

    async def test_in_json_mode_the_prompt_holds_the_schema(self, request_):
        refuses = refusing(lambda sent: sent.mode == "json_schema", "json_schema is not supported, use json_object")
        completion, server = await ask_with(request_, refuses)
        assert completion.mode == "json"
        assert '"answer"' in server.calls[-1].request.system
        assert "Reply with JSON" in server.calls[-1].request.system

    async def test_a_rejected_parameter_is_left_out_remembered_and_reported(self, request_):
        said = "Unsupported value: 'temperature' does not support 0.0 with this model."
        refuses = refusing(lambda sent: "temperature" in sent.raw, said)
        async with calling("openai/some-model", refuses) as (client, server):
            request = replace(request_, model=client.model.name)
            assert (await client.complete(request)).dropped_params == ("temperature",)
            assert (await client.complete(request)).dropped_params == ("temperature",)
            assert server.stats.calls == 3

    async def test_the_other_name_of_the_limit_is_used_where_it_is_wanted(self, request_):
        said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        refuses = refusing(lambda sent: "max_tokens" in sent.raw, said)
        _, server = await ask_with(request_, refuses)
        assert server.calls[-1].request.raw["max_completion_tokens"] == 1024

    @pytest.mark.parametrize("status", [400, 500])
    async def test_a_model_without_system_messages_gets_one_message(self, status, request_):
        refuses = refusing(lambda sent: sent.system, "chat template: System role not supported", status)
        _, server = await ask_with(request_, refuses)
        assert server.stats.calls == 2
        assert server.calls[-1].request.user.startswith("Answer.\nReply with JSON")
        assert "Where is the key?" in server.calls[-1].request.user

    async def test_a_model_that_refuses_everything_fails_after_a_few_calls(self, request_):
        error, server = await fail(
            request_, Fault(status=400, message="response_format and temperature: not supported")
        )
        assert type(error) is JudgeRequestError
        assert server.stats.calls <= 8


async def ask_with(request, faults, name="openai/some-model"):
    async with calling(name, faults) as (client, server):
        return await client.complete(replace(request, model=client.model.name)), server


async def test_listeners_who_has_registered_with_the_library_hears_of_each_call(request_, monkeypatch):
    heard = asyncio.Event()

    async def listen(*_):
        heard.set()

    monkeypatch.setattr(library(), "success_callback", [listen])
    async with calling("openai/some-model", lambda _: says("{}")) as (client, _):
        await client.complete(replace(request_, model=client.model.name))
        await asyncio.wait_for(heard.wait(), 10)


async def test_closing_the_first_of_two_to_close_leaves_the_others_connections_open(request_):
    async with calling("openai/some-model", lambda _: says("{}")) as (one, server):
        two = LiteLLMClient(one.model)
        request = replace(request_, model=one.model.name)
        await one.complete(request)
        await two.complete(request)
        await two.close()
        assert (await one.complete(request)).text == "{}"
        assert server.stats.calls == 3
