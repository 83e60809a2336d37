"""One span for each call that is made: inside the retries and the cache, so that what is not sent has none."""

from __future__ import annotations

from dataclasses import dataclass

from magistrate.completion.base import CompletionClient
from magistrate.completion.models import ResolvedModel
from magistrate.records import Completion, CompletionRequest
from magistrate.tracing import chat_span, set_attributes


@dataclass(frozen=True, slots=True)
class TracedClient:
    """Makes a span of each call, once `magistrate.tracing.enable` was called."""

    inner: CompletionClient
    model: ResolvedModel

    async def complete(self, request: CompletionRequest) -> Completion:
        """Answer one request, inside a span."""
        with chat_span(
            self.model.name,
            provider=self.model.provider,
            api_base=self.model.api_base,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            purpose=request.purpose,
        ) as span:
            completion = await self.inner.complete(request)
            set_attributes(
                span,
                {
                    "gen_ai.response.model": completion.model,
                    "gen_ai.response.finish_reasons": completion.finish_reason and (completion.finish_reason,),
                    "gen_ai.usage.input_tokens": completion.usage.prompt_tokens,
                    "gen_ai.usage.output_tokens": completion.usage.completion_tokens,
                },
            )
            return completion

    async def close(self) -> None:
        """Close the inner client."""
        await self.inner.close()
