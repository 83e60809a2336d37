"""Everything that goes wrong with a provider, by name, and the choice of what goes wrong with which call.

The choice depends on a seed and the call's number alone, so that a run with the same calls meets the same faults.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from magistrate.errors import ConfigurationError, meant
from magistrate.http_server import HttpReply
from magistrate.testing.damage import TEXT_DAMAGE, Damage
from magistrate.testing.server import Call, Fault

Maker = Callable[[random.Random], Fault]


def _error(status: int, message: str, **headers: str) -> Maker:
    return lambda _: Fault(status=status, message=message, headers={k.replace("_", "-"): v for k, v in headers.items()})


def _text(damage: Damage, *, finish_reason: str | None = None) -> Maker:
    def make(rng: random.Random) -> Fault:
        return Fault(text=lambda text: damage(text, rng), finish_reason=finish_reason)

    return make


def _delivered(change: Callable[[HttpReply, random.Random], HttpReply]) -> Maker:
    return lambda rng: Fault(http=lambda reply: change(reply, rng))


def _cut_body(reply: HttpReply, rng: random.Random) -> HttpReply:
    return replace(reply, cut=rng.randrange(len(reply.body)) if reply.body else 0)


async def _drip(body: bytes) -> AsyncGenerator[bytes, None]:
    for at in range(len(body)):
        yield body[at : at + 1]
        await asyncio.sleep(1.0)


def _message(change: Callable[[dict[str, Any], Call], Any]) -> Maker:
    """Change the message of a reply in OpenAI's format; others stay as they are."""

    def changed(body: dict[str, Any], call: Call) -> dict[str, Any]:
        for choice in body.get("choices", ()):
            choice["message"] = change(choice["message"], call)
        return body

    return lambda _: Fault(change=changed)


def _usage(prompt: Any, completion: Any) -> Maker:
    def changed(body: dict[str, Any], _: Call) -> dict[str, Any]:
        return {**body, "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt}}

    return lambda _: Fault(change=changed)


def _in_calls(message: dict[str, Any], call: Call) -> dict[str, Any]:
    """The answer in the second of two calls of tools."""
    texts = ("{}", message["content"] or "")
    calls = [
        {"id": f"call_{call.number}_{at}", "type": "function", "function": {"name": f"tool_{at}", "arguments": text}}
        for at, text in enumerate(texts)
    ]
    return {**message, "content": None, "tool_calls": calls}


def _with_key(message: dict[str, Any], call: Call) -> dict[str, Any]:
    return {**message, "reasoning_content": f"The request came with {call.headers.get('authorization', 'no key')}."}


def _invalid_body(rng: random.Random) -> Fault:
    return Fault(
        body=rng.choice([b"", b"<html><body>Bad gateway</body></html>", b'{"choices": [', b"null", b"upstream"])
    )


_TOO_LARGE = 9 * 1024 * 1024


@cache
def _bomb() -> bytes:
    return gzip.compress(bytes(64 * 1024 * 1024))


FAULTS: Final[Mapping[str, Maker]] = {
    "429": _error(429, "Rate limit reached"),
    "429-retry-after": _error(429, "Rate limit reached", retry_after="0.2"),
    "500": _error(500, "The server had an error"),
    "502": _error(502, "Bad gateway"),
    "503": _error(503, "Service unavailable"),
    "529": _error(529, "Overloaded"),
    "context-too-long": lambda _: Fault(
        status=400,
        message="Your input exceeds the context window of this model. Please adjust your input and try again.",
        code="context_length_exceeded",
    ),
    "slow": _delivered(lambda reply, rng: replace(reply, delay=reply.delay + rng.uniform(0.2, 1.0))),
    "hang": _delivered(lambda reply, _: replace(reply, hang=True)),
    "reset": _delivered(lambda reply, _: replace(reply, reset=True)),
    "cut-body": _delivered(_cut_body),
    "invalid-body": _invalid_body,
    "no-choices": lambda _: Fault(no_choices=True),
    "null-content": lambda _: Fault(text=lambda _text: None),
    "refusal-field": lambda _: Fault(refusal="I cannot help with judging this."),
    "refusal-stop": lambda _: Fault(text=lambda _text: None, finish_reason="refusal"),
    "content-filter": lambda _: Fault(text=lambda _text: "", finish_reason="content_filter"),
    "truncated-length": _text(TEXT_DAMAGE["cut"], finish_reason="length"),
    "truncated-stop": _text(TEXT_DAMAGE["cut"]),
    "lying-length": lambda _: Fault(finish_reason="length"),
    "reasoning-only": lambda _: Fault(text=lambda _text: "", reasoning="The passages say this, so it is supported."),
    "context-cut": lambda _: Fault(unseen=True),
    "middle-cut": lambda _: Fault(dropped=1 / 3),
    "throttled-400": _error(400, "ThrottlingException: Too many tokens, please wait before trying again."),
    "redirect": _error(307, "Temporary Redirect", location="http://localhost:9/v1/chat/completions"),
    "drip": _delivered(lambda reply, _: replace(reply, stream=_drip(reply.body))),
    "too-large": lambda _: Fault(body=b'{"choices":[],"more":"' + b"x" * _TOO_LARGE + b'"}'),
    "gzip-bomb": lambda _: Fault(body=_bomb(), headers={"content-encoding": "gzip"}),
    "usage-missing": lambda _: Fault(usage=(None, 0)),
    "usage-negative": _usage(-1000, -20),
    "usage-words": _usage("1000", "20"),
    "content-parts": _message(
        lambda message, _: {**message, "content": [{"type": "text", "text": message["content"]}]}
    ),
    "null-message": _message(lambda _message, _call: None),
    "answer-in-reasoning": _message(
        lambda message, _: {**message, "content": None, "reasoning_content": message["content"]}
    ),
    "second-tool-call": _message(_in_calls),
    "key-echoed": _message(_with_key),
    "unknown-end": lambda _: Fault(finish_reason="waiting_for_host"),
    "broken-off": lambda _: Fault(finish_reason="network_error"),
    **{name: _text(damage) for name, damage in TEXT_DAMAGE.items() if name != "cut"},
}
"""By name what may go wrong with a call; each is made with a source of chance of its own."""


def seeded_faults(
    names: Iterable[str] = tuple(FAULTS), *, rate: float = 0.2, seed: int = 0
) -> Callable[[Call], Fault | None]:
    """Choose faults for the calls of a `FaultServer`.

    Args:
        names: Names of `FAULTS` to choose from.
        rate: The part of the calls that go wrong, 0 to 1.
        seed: Seed of the choice. The fault of a call depends on it and on the call's number.

    Raises:
        ConfigurationError: If a name is unknown, none is given, or the rate is not within 0 to 1.
    """
    chosen = list(dict.fromkeys(names))
    unknown = [name for name in chosen if name not in FAULTS]
    if unknown or not chosen:
        problem = f"unknown fault {unknown[0]!r}.{meant(unknown[0], FAULTS, 3)}" if unknown else "no fault is named."
        raise ConfigurationError(f"{problem} There are: {', '.join(FAULTS)}")
    if not 0 <= rate <= 1:
        raise ConfigurationError(f"the rate of faults is {rate}, and must be 0 to 1")

    def fault(call: Call) -> Fault | None:
        rng = random.Random(f"{seed}/{call.number}")  # noqa: S311 - faults, not secrets
        if rng.random() >= rate:
            return None
        return FAULTS[rng.choice(chosen)](rng)

    return fault


_SCRIPTED: Final = frozenset({"text", "finish_reason", "refusal", "reasoning", "status", "message"})


def scripted_faults(path: Path) -> Callable[[Call], Fault | None]:
    """Play the replies of a file, one a call, the last one from then on.

    Args:
        path: A `.jsonl` file, in which a line is a text, null (the right answer), or an object with `text`,
            `finish_reason`, `refusal`, `reasoning`, `status` or `message`; any other file is one text. "{token}" in a
            text stands for the request's token.

    Raises:
        ConfigurationError: If it cannot be read as that.
    """
    try:
        content = path.read_text(encoding="utf-8")
        lines = content.splitlines() if path.suffix == ".jsonl" else [json.dumps(content)]
        replies = [_scripted(json.loads(line)) for line in lines if line.strip()]
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from None
    except (ValueError, TypeError) as error:
        raise ConfigurationError(
            f"{path}: expected a text, null or an object with {', '.join(sorted(_SCRIPTED))} a line: {error}"
        ) from None
    if not replies:
        raise ConfigurationError(f"{path}: there is no reply in it")
    return lambda call: replies[min(call.number, len(replies)) - 1](call.task.token or "")


def _scripted(reply: Any) -> Callable[[str], Fault | None]:
    if reply is None:
        return lambda _: None
    given = {"text": reply} if isinstance(reply, str) else reply
    if not isinstance(given, dict) or not given or not given.keys() <= _SCRIPTED:
        raise TypeError(f"not {json.dumps(reply)[:80]}")
    text = given.pop("text", None)
    fault = Fault(**given)
    return lambda token: fault if text is None else replace(fault, text=lambda _: text.replace("{token}", token))
