"""The shape of a request: the schema of the reply as a provider takes it, what carries it, and the messages.

Instructor shapes the request and makes no call: nothing that it makes of a reply is used. Where it leaves the messages
alone, it is asked once for each schema, which halves what it costs.
"""

import importlib
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model

from magistrate.errors import JudgeError
from magistrate.records import CompletionRequest


@lru_cache(maxsize=256)
def _response_class(base: type[BaseModel], name: str, text: str) -> type[BaseModel]:
    """A response class that carries a schema, as it is; without `ResponseSchema` each call would make one."""

    class Carrier(base):  # type: ignore[misc, valid-type]
        model_config = ConfigDict(extra="allow")

        @classmethod
        def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
            del args, kwargs
            return json.loads(text)  # type: ignore[no-any-return]  # a new one each time: libraries change what they get

    return create_model(name, __base__=Carrier)


def as_messages(request: CompletionRequest, *, system: bool, enforced: bool) -> list[dict[str, Any]]:
    """The messages as sent: the schema in words unless enforced, a system message where the model takes one."""
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    if request.hint and not enforced:
        messages[0]["content"] += f"\n{request.hint}"
    if not system and len(messages) > 1 and messages[0]["role"] == "system":
        first, second, *rest = messages
        messages = [{"role": second["role"], "content": f"{first['content']}\n\n{second['content']}"}, *rest]
    images = dict(image for message in request.messages for image in message.images)
    return [{**message, "content": _with_images(message["content"], images)} for message in messages]


def _with_images(text: str, images: Mapping[str, str]) -> str | list[dict[str, Any]]:
    marks = [mark for mark in images if mark and mark in text]
    if not marks:
        return text
    parts: list[dict[str, Any]] = []
    for piece in re.split("(" + "|".join(map(re.escape, marks)) + ")", text):
        if piece in images:
            parts.append({"type": "image_url", "image_url": {"url": images[piece]}})
        elif piece.strip():
            parts.append({"type": "text", "text": piece})
    return parts


Messages = Sequence[Mapping[str, Any]]

_PROBES: Sequence[Messages] = (
    [{"role": "user", "content": "a"}],
    [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}],
    [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
)


def prepare_shaping(mode: str, quiet: Callable[[logging.LogRecord], bool]) -> None:
    _client(mode)
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "instructor"]:
        logging.getLogger(name).addFilter(quiet)  # a filter that is there already stays there once


def shaped(mode: str, name: str, schema: Mapping[str, Any], messages: Messages) -> dict[str, Any]:
    """Return the messages and parameters of a request for an object."""
    model = _response_class(importlib.import_module("instructor").ResponseSchema, name, json.dumps(schema))
    parameters = _parameters(mode, model)
    if parameters is None:
        return _asked(mode, model, messages)
    return {"messages": list(messages), **json.loads(parameters)}  # new ones each time: libraries change what they get


@lru_cache(maxsize=256)
def _parameters(mode: str, model: type[Any]) -> str | None:
    """The parameters, as JSON, where they and the messages do not depend on each other; else None."""
    found = []
    for probe in _PROBES:
        made = _asked(mode, model, probe)
        if made.pop("messages") != probe:
            return None
        found.append(json.dumps(made))
    return found[0] if len(set(found)) == 1 else None


def _asked(mode: str, model: type[Any], messages: Messages) -> dict[str, Any]:
    made: dict[str, Any] = {}
    with suppress(Exception):  # it wraps the error that ends the request
        _client(mode).create(
            response_model=model,
            messages=[dict(message) for message in messages],
            max_retries=0,
            strict=False,
            magistrate_shape=made.update,
        )
    if "messages" not in made:
        raise JudgeError(f"the request could not be made: Instructor cannot shape one in mode {mode}")
    return made


def _take(*, magistrate_shape: Callable[[Mapping[str, Any]], None], **request: Any) -> Any:
    """What Instructor calls in a provider's place: it keeps the request, and nothing is sent."""
    magistrate_shape(request)
    raise NotImplementedError  # caught where Instructor was asked


@lru_cache(maxsize=3)
def _client(mode: str) -> Any:
    instructor: Any = importlib.import_module("instructor")
    return instructor.from_litellm(_take, mode=instructor.Mode[mode.upper()])
