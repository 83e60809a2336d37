from types import SimpleNamespace

import pytest

from magistrate.completion.models import resolve_model
from magistrate.completion.providers._client import LiteLLMClient
from magistrate.completion.retry import RetryingClient, RetryPolicy
from magistrate.completion.streams import listening, texts_of
from magistrate.records import CompletionRequest, Message, PromptRef
from magistrate.testing import Fault, FaultServer

SAID = "The observatory opens at dusk and closes at three."

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")  # LiteLLM's, in streams


def asked(schema=None):
    prompt = PromptRef("structured", "1", "0" * 16)
    return CompletionRequest("gpt-4o", (Message("user", "When does it open?"),), prompt, schema, purpose="structured")


def client(server):
    return LiteLLMClient(resolve_model("gpt-4o", api_base=server.openai_url, api_key="k-1"))


def test_empty_pieces_are_none():
    deltas = [SimpleNamespace(delta=SimpleNamespace(content=text)) for text in (None, "", "a")]
    assert texts_of(SimpleNamespace(choices=deltas)) == ["a"]


class TestACall:
    async def test_the_pieces_are_the_completion(self):
        heard = []
        with FaultServer(faults=lambda _: Fault(text=lambda _: SAID)) as server, listening(heard.append):
            completion = await client(server).complete(asked())
        assert len(heard) > 2
        assert "".join(heard) == completion.text == SAID
        assert completion.finish_reason == "stop"
        assert completion.usage.completion_tokens == 13
        assert completion.usage.cost == pytest.approx(completion.usage.prompt_tokens * 2.5e-6 + 13 * 1e-5)

    async def test_one_with_a_schema_is_not_streamed(self):
        heard = []
        with FaultServer(faults=lambda _: Fault(text=lambda _: "{}")) as server, listening(heard.append):
            completion = await client(server).complete(asked({"type": "object", "properties": {}}))
            assert (completion.text, heard) == ("{}", [])
            assert not server.calls[0].request.raw.get("stream")

    async def test_what_failed_before_the_first_piece_is_made_again(self):
        def once(call):
            return Fault(status=500) if call.number == 1 else Fault(text=lambda _: SAID)

        heard = []
        with FaultServer(faults=once) as server, listening(heard.append):
            retrying = RetryingClient(client(server), RetryPolicy(attempts=2, base=0.0))
            await retrying.complete(asked())
        assert "".join(heard) == SAID
