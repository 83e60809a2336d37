"""Everything that goes wrong with a provider, by name, and the choice of what goes wrong with which call.

The choice depends on a seed and the call's number alone, so that a run with the same calls meets the same faults.
"""

import asyncio
import gzip
import json
import random
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from magistrate.errors import ConfigurationError, meant
from magistrate.http_server import HttpReply
from magistrate.testing.damage import TEXT_DAMAGE, Damage
from magistrate.testing.server import Call, Fault

Maker = Callable[[random.Random], Fault]


def _given(fields: dict[str, Any]) -> Callable[[str], Fault]:
    """A fault from its fields as JSON holds them; it is made for a request's token."""
    text = fields.pop("text", None)
    fault = Fault(**fields)
    return lambda token: fault if text is None else replace(fault, text=lambda _: text.replace("{token}", token))


def _text(damage: Damage, *, finish_reason: str | None = None) -> Maker:
    return lambda rng: Fault(text=lambda text: damage(text, rng), finish_reason=finish_reason)


def _delivered(change: Callable[[HttpReply, random.Random], HttpReply]) -> Maker:
    return lambda rng: Fault(http=lambda reply: change(reply, rng))


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


def _in_calls(message: dict[str, Any], call: Call) -> dict[str, Any]:
    """The answer in the second of two calls of tools."""
    calls = [
        {"id": f"call_{call.number}_{at}", "type": "function", "function": {"name": f"tool_{at}", "arguments": text}}
        for at, text in enumerate(("{}", message["content"] or ""))
    ]
    return {**message, "content": None, "tool_calls": calls}


_BODIES: Final = (b"", b"<html><body>Bad gateway</body></html>", b'{"choices": [', b"null", b"upstream")
_bomb = cache(lambda: gzip.compress(bytes(64 * 1024 * 1024)))

_MAKERS: Final[Mapping[str, Maker]] = {
    "slow": _delivered(lambda reply, rng: replace(reply, delay=reply.delay + rng.uniform(0.2, 1.0))),
    "hang": _delivered(lambda reply, _: replace(reply, hang=True)),
    "reset": _delivered(lambda reply, _: replace(reply, reset=True)),
    "cut-body": _delivered(lambda reply, rng: replace(reply, cut=rng.randrange(len(reply.body)) if reply.body else 0)),
    "invalid-body": lambda rng: Fault(body=rng.choice(_BODIES)),
    "null-content": lambda _: Fault(text=lambda _text: None),
    "refusal-stop": lambda _: Fault(text=lambda _text: None, finish_reason="refusal"),
    "truncated-length": _text(TEXT_DAMAGE["cut"], finish_reason="length"),
    "truncated-stop": _text(TEXT_DAMAGE["cut"]),
    "drip": _delivered(lambda reply, _: replace(reply, stream=_drip(reply.body))),
    "too-large": lambda _: Fault(body=b'{"choices":[],"more":"' + b"x" * (9 * 1024 * 1024) + b'"}'),
    "gzip-bomb": lambda _: Fault(body=_bomb(), headers={"content-encoding": "gzip"}),
    "content-parts": _message(
        lambda message, _: {**message, "content": [{"type": "text", "text": message["content"]}]}
    ),
    "null-message": _message(lambda _message, _call: None),
    "answer-in-reasoning": _message(
        lambda message, _: {**message, "content": None, "reasoning_content": message["content"]}
    ),
    "second-tool-call": _message(_in_calls),
    "key-echoed": _message(
        lambda message, call: {
            **message,
            "reasoning_content": f"The request came with {call.headers.get('authorization', 'no key')}.",
        }
    ),
    **{name: _text(damage) for name, damage in TEXT_DAMAGE.items()},
}
_LISTED: Final = json.loads(files(__package__).joinpath("faults.json").read_text("utf-8"))

ABOUT_FAULTS: Final[Mapping[str, str]] = {name: fields.pop("about") for name, fields in _LISTED.items()}
"""What each fault does, in a line."""


def _constant(fields: dict[str, Any]) -> Maker:
    made = _given(fields)
    return lambda _: made("")


FAULTS: Final[Mapping[str, Maker]] = {
    name: _constant(fields) if fields else _MAKERS[name] for name, fields in _LISTED.items()
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
    return _given(given)
