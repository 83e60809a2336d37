"""What Instructor makes of a request for an object: the parameters that carry the schema, or words in the messages.

Instructor shapes the request and makes no call: nothing that it makes of a reply is used. Where it leaves the messages
alone, it is asked once for each schema, which halves what it costs.
"""

from __future__ import annotations

import importlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from magistrate.completion.providers._request_schema import response_class
from magistrate.errors import JudgeError

Messages = Sequence[Mapping[str, Any]]

_PROBES: Sequence[Messages] = (
    [{"role": "user", "content": "a"}],
    [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}],
    [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
)


class _ShapedError(Exception):
    """Ends a request of Instructor's before it is made."""


def prepare_shaping(mode: str, quiet: Callable[[logging.LogRecord], bool]) -> None:
    """Import Instructor."""
    _client(mode)
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "instructor"]:
        logging.getLogger(name).addFilter(quiet)  # a filter that is there already stays there once


def shaped(mode: str, name: str, schema: Mapping[str, Any], messages: Messages) -> dict[str, Any]:
    """Return the messages and parameters of a request for an object."""
    model = response_class(importlib.import_module("instructor").ResponseSchema, name, schema)
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
    """Let Instructor shape a request."""
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
    magistrate_shape(request)
    raise _ShapedError


@lru_cache(maxsize=3)
def _client(mode: str) -> Any:
    """Return the Instructor client that shapes requests for a mode."""
    instructor: Any = importlib.import_module("instructor")
    return instructor.from_litellm(_take, mode=instructor.Mode[mode.upper()])
