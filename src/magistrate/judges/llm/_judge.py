"""A judge that is a language model: how it is set up and closed, and its methods for code that is not async."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from magistrate.completion.cache import CachedClient, CompletionCache, load_or_make_key
from magistrate.completion.models import checked_parameters
from magistrate.completion.traffic import Pace
from magistrate.errors import ConfigurationError
from magistrate.judges._questions import Question
from magistrate.judges.base import BaseJudge
from magistrate.judges.llm._asking import Asker
from magistrate.judges.llm._requests import Asking
from magistrate.judges.llm._schemas import MAX_STATEMENTS
from magistrate.judges.llm.examples import Example, load_examples
from magistrate.prompts import Prompt, replacing
from magistrate.redact import without_secrets
from magistrate.sync import run_sync

if TYPE_CHECKING:
    from magistrate.completion.base import CompletionClient
    from magistrate.completion.batches.client import Batching
    from magistrate.completion.budget import Budget
    from magistrate.completion.providers._client import LiteLLMClient
    from magistrate.completion.retry import RetryPolicy
    from magistrate.judges.llm._dry_run import EstimatingJudge


_PROMPTS = ("extract-claims", "extract-truths", "grade", "verify", "verify-and-extract")
_PROCESS_KEY = secrets.token_bytes(32)


class LLMJudge(BaseJudge):
    """Judges with any model that LiteLLM reaches.

    What is wrong with the data, a reply or a call is a status of what comes back. What ends a run is raised:
    `JudgeAuthError`, `JudgeNotFoundError`, `ConfigurationError`, `BudgetExceededError`.

    Use it as an async context manager, or call `close()`, to close its connections.

    Args:
        model: A short name ("gpt-4o", "claude-3-haiku"), any LiteLLM name, or "local:PATH" for a GGUF file
            (needs `magistrate[local]`).
        api_base: The address of the server, where it is not the provider's own.
        api_key: The key, where it is not in the environment. It is never written anywhere.
        params: Further parameters of each call (api_version, extra_headers, seed, num_ctx, ...); part of the cache key,
            save `timeout`, which stands for the argument.
        quotes: Whether to ask for quotes from the passages; each is looked up in them.
        reasons: Whether to ask for a reason before each verdict.
        reason_words: Most words of a reason.
        batch_size: Most statements of one request, 1 to 50.
        map_contexts: Whether contexts that are longer than the model takes are judged in parts, and the verdicts
            merged: one part that supports a statement is enough, a contradiction anywhere is kept and reported. Such
            a reply has the issue `context-split`.
        token: Whether replies must carry a request token. Without one, an answer that somebody planted in the data can
            no longer be told from the judge's own, nor a prompt whose head was dropped: only for a judge that never
            repeats it.
        prompts: A folder with prompts that stand for ours of the same names, or the prompts.
        instructions: Rules of a domain, added to each prompt.
        examples: Labelled examples that the judge is shown: `Example`s, or a file of them.
        rephrase_refusals: Whether a question that the model or the provider refused is put once more in other words
            (`prompts/rephrase.md`). Without it, and where that is refused too, the status is `refused`.
        cache: A folder, or an open cache, to keep raw completions in; None for none.
        client: What answers the requests, instead of a provider; then no name is looked up, no call retried.
        max_tokens: Most tokens of a reply; None to compute it from what is asked.
        temperature: Sampling temperature; None to leave it to the provider.
        timeout: Seconds until a call is given up.
        retry: How often and how patiently failed calls are made again.
        budget: What may be spent.
        prices: US dollars per million prompt and completion tokens; None for LiteLLM's price map.
        repeat: Number of the repetition, to judge the same thing several times with a cache.
        max_concurrency: Most calls at a time to the provider. Fewer are made while it turns calls away (429): their
            number is halved then, and grows again while calls succeed.
        rpm: Most calls a minute, or a pace that is kept with others; None for no limit.
        tpm: Most tokens a minute, prompt and reply together; None for no limit.
        batching: The batches of a run: calls are put into them instead of being made (`PendingError`).

    Raises:
        UnknownModelError: If no provider is known for the name.
        MissingExtraError: If "local:PATH" is asked for and its extra is not installed.
        ConfigurationError: If an argument is out of range, or the key is missing.
        StoreError: If the cache cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        params: Mapping[str, Any] | None = None,
        quotes: bool = False,
        reasons: bool = True,
        reason_words: int = 12,
        batch_size: int = 25,
        map_contexts: bool = True,
        token: bool = True,
        prompts: str | Path | Mapping[str, Prompt] | None = None,
        instructions: str | None = None,
        examples: str | Path | Sequence[Example] = (),
        rephrase_refusals: bool = False,
        cache: str | Path | CompletionCache | None = None,
        client: CompletionClient | None = None,
        max_tokens: int | None = None,
        temperature: float | None = 0.0,
        timeout: float = 120.0,
        retry: RetryPolicy | None = None,
        budget: Budget | None = None,
        prices: tuple[float, float] | None = None,
        repeat: int = 0,
        max_concurrency: int = 500,
        rpm: float | Pace | None = None,
        tpm: float | Pace | None = None,
        batching: Batching | None = None,
    ) -> None:
        if not 1 <= batch_size <= MAX_STATEMENTS:
            raise ConfigurationError(f"batch_size is {batch_size}, and must be 1 to {MAX_STATEMENTS}")
        if reason_words < 1 or (max_tokens is not None and max_tokens < 1) or timeout <= 0 or repeat < 0:
            raise ConfigurationError("reason_words, max_tokens and timeout must be positive, repeat 0 or more")
        further, timeout = checked_parameters(params, timeout=timeout)
        self.name = model
        self._own_cache = None if cache is None or isinstance(cache, CompletionCache) else CompletionCache(cache)
        self.budget = budget
        self._cache = cache if isinstance(cache, CompletionCache) else self._own_cache
        target, spare = model, 0
        self._pricer: LiteLLMClient | None = None
        if client is None:
            from magistrate.completion.stack import open_model  # noqa: PLC0415 - a client of one's own needs no provider

            client, self._pricer, api_base, spare = open_model(
                model,
                api_base=api_base,
                api_key=api_key,
                params=further,
                timeout=timeout,
                retry=retry,
                budget=budget,
                prices=prices,
                most_calls=max_concurrency,
                rpm=rpm,
                tpm=tpm,
                batching=batching,
            )
            target = self._pricer.model.name
        asking = Asking(
            target,
            _PROCESS_KEY if self._cache is None else load_or_make_key(self._cache.folder),
            temperature=temperature,
            params=further,
            max_tokens=max_tokens,
            spare_tokens=spare,
            reason_words=reason_words if reasons else 0,
            quotes=quotes,
            repeat=repeat,
            rephrase=rephrase_refusals,
            with_token=token,
            prompts=replacing(prompts),
            instructions=" ".join((instructions or "").split("\n")).strip(),
            examples=load_examples(examples) if isinstance(examples, str | Path) else tuple(examples),
        )
        if self._cache is not None:
            client = CachedClient(client, self._cache, api_base=api_base)
        self._asker = Asker(asking, client, api_base, batch_size, map_contexts)

    async def ask(self, question: Question[Any], /) -> Any:
        """Answer a question; what is missing in a reply is asked for again, twice at most."""
        asking = getattr(self._asker, question.method, None)
        return await (super().ask(question) if asking is None else asking(question))

    def __repr__(self) -> str:
        return f"LLMJudge({self.name!r})"

    @property
    def prompts(self) -> Mapping[str, Prompt]:
        """The prompts that stand for ours."""
        return self._asker.asking.prompts

    @property
    def dropped_calls(self) -> frozenset[str]:
        """Cache keys of calls that lost a part of their prompt, as became known only after they were answered."""
        return frozenset(self._asker.rates.dropped)

    @property
    def caches(self) -> bool:
        """Whether raw completions are kept."""
        return self._cache is not None

    def describe(self) -> dict[str, Any]:
        """Return what decides this judge's verdicts, for a run's header: no key, and of headers only their names."""
        asking = self._asker.asking
        prompts = (*_PROMPTS, "rephrase") if asking.rephrase else _PROMPTS
        return {
            "name": self.name,
            "model": asking.model,
            "api_base": without_secrets(self._asker.api_base),
            "params": without_secrets(asking.params),
            "temperature": asking.temperature,
            "max_tokens": asking.max_tokens,
            "quotes": asking.quotes,
            "reason_words": asking.reason_words,
            "batch_size": self._asker.batch_size,
            **({} if self._asker.map_contexts else {"map_contexts": False}),
            "repeat": asking.repeat,
            "prompts": {name: asking.prompt(name).fingerprint for name in dict.fromkeys((*prompts, *asking.prompts))},
            **({} if asking.with_token else {"token": False}),
            **({"instructions": asking.instructions} if asking.instructions else {}),
            **({"examples": [one.fingerprint for one in asking.examples]} if asking.examples else {}),
        }

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections of this event loop, and the cache if the judge opened it."""
        await self._asker.client.close()
        if self._own_cache is not None:
            self._own_cache.close()

    def repeated(self, number: int) -> LLMJudge:
        """Return this judge for another repetition: a cache keeps its completions apart; all else is shared.

        Args:
            number: Number of the repetition, from 0; 0 is this judge itself.
        """
        other = copy.copy(self)
        asking = self._asker.asking
        other._asker = replace(self._asker, asking=replace(asking, repeat=asking.repeat + number))  # noqa: SLF001 - one of us
        return other

    def estimating(self, *, cached: bool = True) -> EstimatingJudge:
        """Return a judge that makes this one's requests without sending any, and adds up what they would cost.

        Args:
            cached: Whether there will be a cache: then the same request is paid for once.
        """
        from magistrate.judges.llm._dry_run import EstimatingClient, EstimatingJudge  # noqa: PLC0415 - seldom needed

        base = self._asker.api_base
        client = EstimatingClient(self._pricer, self._cache, api_base=base, once=cached)
        other = copy.copy(self)
        other._asker = replace(self._asker, client=client, map_contexts=False)  # noqa: SLF001 - one of us
        return EstimatingJudge(other, client)

    def close_sync(self) -> None:
        """Close what the `..._sync` methods opened."""
        run_sync(self.close())
