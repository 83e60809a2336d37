"""Describe a judge or a metric for a run's header, so that equal configurations are found equal, without secrets."""

import contextlib
import hashlib
import inspect
import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

from magistrate.judges.calibrated import CalibratedJudge
from magistrate.judges.several import SeveralJudges
from magistrate.redact import without_secrets

_NOT_IDENTITY = frozenset({"cache", "budget", "concurrency", "client"})


def describe(part: Any) -> dict[str, Any]:
    """What identifies a judge or metric, as JSON holds it: what it says itself, else the arguments it was made with.

    Those are the constructor's parameters which the object keeps under the same name, as far as JSON holds them; a
    `Scale` or a `Policy` counts by its name. What is named like a secret is left out, and so is what decides where
    completions are kept and how many may be made: a run goes on with another cache or budget.
    """
    found: dict[str, Any] = {"class": f"{type(part).__module__}.{type(part).__qualname__}"}
    if callable(own := getattr(part, "describe", None)):
        found = dict(own())
        if isinstance(part, SeveralJudges | CalibratedJudge):
            found["judges"] = [describe(each) for each in part.members]
    else:
        names = ["name", "policy", "threshold"]
        with contextlib.suppress(TypeError, ValueError):  # a class without a readable signature
            names += [name for name in inspect.signature(type(part)).parameters if not name.startswith("_")]
        for name in dict.fromkeys(names):
            plain, value = _plain(getattr(part, name, None))
            if plain and value is not None and name not in _NOT_IDENTITY:
                found[name] = value
    as_json: dict[str, Any] = json.loads(json.dumps(without_secrets(found), default=str))
    return as_json


def _plain(value: Any) -> tuple[bool, Any]:
    match value:
        case Enum():
            return True, value.value
        case None | bool() | int() | float() | str():
            return True, value
        case list() | tuple():
            items = [_plain(item) for item in value]
            return all(ok for ok, _ in items), [item for _, item in items]
        case Mapping():
            pairs = {str(key): _plain(item) for key, item in value.items()}
            return all(ok for ok, _ in pairs.values()), {key: item for key, (_, item) in pairs.items()}
        case _:
            name = getattr(value, "name", None)  # a Scale, a Policy
            return isinstance(name, str), name


def config_hash(config: Mapping[str, Any]) -> str:
    """First 12 hex digits of SHA-256 over the configuration."""
    text = json.dumps(config, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def differences(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> list[str]:
    """Name what differs between two configurations: "judge.name: 'gpt-4o' -> 'offline'"."""
    found: list[str] = []
    for key in dict.fromkeys([*old, *new]):
        left, right = old.get(key), new.get(key)
        here = f"{path}{key}"
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            found.extend(differences(left, right, f"{here}."))
        elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            before, after = ({str(at): one for at, one in enumerate(side)} for side in (left, right))
            found.extend(differences(before, after, f"{here}."))
        elif left != right:
            found.append(f"{here}: {left!r} -> {right!r}")
    return found
