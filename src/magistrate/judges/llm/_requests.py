"""From a question of a metric to a complete request: prompt, token, schema, limits. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from magistrate.completion.tokens import likely_tokens, upper_bound
from magistrate.judges._questions import Extract, ExtractAndVerify, Grade, Verify
from magistrate.judges.llm._schemas import (
    STATEMENTS,
    in_words,
    score_schema,
    single_schema,
    verdicts_schema,
    without_token,
)
from magistrate.judges.llm.call_status import CUT_PROMPT, ERROR, first_and_last, request_token
from magistrate.judges.llm.examples import Example
from magistrate.judges.llm.itemized_schema import Rows, items_list
from magistrate.prompts import Block, Prompt, fill, load_prompt, prompt_ref, render
from magistrate.records import REPHRASED, TOO_LONG, CallRecord, CompletionRequest, Message
from magistrate.verdict import ParseStatus, Scale

Slots = Mapping[str, str | Sequence[Block]]

_ATTEMPTS = 3
"""A first call and at most two rounds of asking again."""
_MORE_ROOM = 2.0
"""Factor on the reply's limit after one that was cut off."""
_MOST_ROOM = 4.0
_LOST_ATTEMPTS = 6
"""Calls in all while replies are lost on their way."""
_TOKEN_SLOT = re.compile(r"\{\{(?:first|last)\}\}")
_JSON_PART = re.compile(r'[{}\[\]]|"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)
_FULL = 0.9
"""Part of its limit from which on a reply is taken to have been cut off by it: tokens are counted in several ways."""
_TOKENS_PER_WORD = 5
"""A word of a reason costs at most about this many tokens, in scripts that tokenizers know badly."""
_TOKENS_PER_ROW = 30
_TOKENS_PER_QUOTES = 160
_TOKENS_AROUND = 80
_FEWEST_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Asking:
    """How a judge asks: what all its requests have in common."""

    model: str
    token_key: bytes = field(repr=False)
    temperature: float | None = 0.0
    params: Mapping[str, Any] = field(default_factory=dict)
    max_tokens: int | None = None
    spare_tokens: int = 0
    reason_words: int = 12
    quotes: bool = False
    repeat: int = 0
    rephrase: bool = False
    with_token: bool = True
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    instructions: str = ""
    examples: tuple[Example, ...] = ()

    def prompt(self, name: str) -> Prompt:
        return self.prompts.get(name) or load_prompt(name)

    def schema(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        return schema if self.with_token else without_token(schema)

    @property
    def first(self) -> Attempt:
        return Attempt(may_rephrase=self.rephrase)


@dataclass(frozen=True, slots=True)
class Attempt:
    number: int = 0
    room: float = 1.0
    may_rephrase: bool = False
    rephrased: bool = False


def next_attempt(attempt: Attempt, call: CallRecord, *, usable: bool, limit: int) -> Attempt | None:
    """Return the next attempt; None where the reply will do, or asking again cannot help.

    There are two rounds of asking again. A reply that was lost on its way, before its limit was reached, is no answer
    that a judge gave: it is asked for again like one whose body was cut, up to six calls in all.
    """
    refused = call.status == ParseStatus.REFUSAL.value
    if refused and not usable and attempt.may_rephrase and attempt.number + 1 < _ATTEMPTS:
        return Attempt(attempt.number + 1, attempt.room, rephrased=True)
    most = _LOST_ATTEMPTS if _lost(call, limit) else _ATTEMPTS
    settled = {ERROR, TOO_LONG, ParseStatus.REFUSAL.value, CUT_PROMPT}
    if usable or attempt.number + 1 >= most or call.status in settled:
        return None
    room = min(attempt.room * _MORE_ROOM, _MOST_ROOM) if _cut(call) else attempt.room
    return replace(attempt, number=attempt.number + 1, room=room)


def _cut(call: CallRecord) -> bool:
    return call.completion is not None and (
        call.status == ParseStatus.TRUNCATED.value or call.completion.finish_reason == "length"
    )


def _lost(call: CallRecord, limit: int) -> bool:
    """Whether a reply is blank, or was cut off while it had room left: what happens on the way, not in the model."""
    done = call.completion
    if done is None or done.refusal:
        return False
    text, counted = done.text or "", done.usage.completion_tokens or 0
    if done.finish_reason == "length" and not counted:
        return False
    broke_off = _cut(call) or not text.strip() or _left_open(text)
    return broke_off and max(counted, likely_tokens(text)) < _FULL * limit


def _left_open(text: str) -> bool:
    """Whether a reply that is JSON from its first character on ends before its first bracket is closed."""
    depth = 0
    for found in _JSON_PART.finditer(text) if text.lstrip().startswith(("{", "[")) else ():
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
        if not depth:
            return False
    return depth > 0


class Expected(NamedTuple):
    """The reply that a request asks for: its JSON schema (None for plain text), the same in words, its length."""

    schema: Mapping[str, Any] | None
    hint: str
    tokens: int
    name: str = "reply"


def claims_request(asking: Asking, asked: Extract, attempt: Attempt) -> CompletionRequest:
    prompt, text = asking.prompt(f"extract-{asked.kind}"), asked.text
    limit = "" if asked.limit is None else str(prompt.wordings["limit"]).replace("{{limit}}", str(asked.limit))
    slots: Slots = {
        "limit": limit,
        "instructions": asking.instructions,
        "question": _blocks("question", asked.question),
        "text": _blocks("answer" if asked.kind == "claims" else "passage", text),
    }
    tokens = math.ceil(upper_bound(text) * 1.5) + _FEWEST_TOKENS
    return _request(
        asking, prompt, slots, [text], _expected(prompt, asking.schema(STATEMENTS), tokens), "extract", attempt
    )


def verify_request(asking: Asking, asked: Verify, attempt: Attempt) -> CompletionRequest:
    prompt, count, scale = asking.prompt("verify"), len(asked.statements), asked.scale
    lines = "\n".join(f"s{number}: {' '.join(text.split())}" for number, text in enumerate(asked.statements, 1))
    slots = _grounding_slots(asking, prompt, asked) | {"statements": _blocks("statements", lines)}
    schema = verdicts_schema(count, scale, reason_words=asking.reason_words, quotes=asking.quotes)
    one = verdicts_schema(1, scale, reason_words=asking.reason_words, quotes=asking.quotes)
    following = "s2_why" if asking.reason_words else "s2_quotes" if asking.quotes else "s2"
    shown = in_words(asking.schema(one), more=following if count > 1 else None)
    reply = _expected(prompt, asking.schema(schema), _row_tokens(asking) * count, shown)
    return _request(asking, prompt, slots, asked.contexts, reply, "verify", attempt)


def single_request(asking: Asking, asked: ExtractAndVerify, attempt: Attempt) -> CompletionRequest:
    prompt, answer, scale = asking.prompt("verify-and-extract"), asked.answer, asked.scale
    slots = _grounding_slots(asking, prompt, asked) | {"text": _blocks("answer", answer)}
    schema = asking.schema(single_schema(scale, reason_words=asking.reason_words, quotes=asking.quotes))
    # A claim is seldom shorter than 40 characters.
    rows = max(4, math.ceil(len(answer) / 40))
    tokens = upper_bound(answer) + _row_tokens(asking) * rows
    return _request(asking, prompt, slots, asked.contexts, _expected(prompt, schema, tokens), "single", attempt)


def _grounding_slots(
    asking: Asking, prompt: Prompt, asked: Verify | ExtractAndVerify
) -> dict[str, str | Sequence[Block]]:
    passages = [Block(str(at), text.strip()) for at, text in enumerate(asked.contexts, 1) if text.strip()]
    examples = [Block("example", one.text) for one in asking.examples if one.verdict in asked.scale.verdicts]
    return {
        "verdicts": _verdicts(prompt, asked.scale),
        "how": _how(prompt, asking),
        "instructions": asking.instructions,
        "examples": examples,
        "contexts": passages,
        "question": _blocks("question", asked.question),
    }


def grade_request(asking: Asking, asked: Grade, attempt: Attempt) -> CompletionRequest:
    prompt, fields = asking.prompt("grade"), asked.fields
    slots: Slots = {
        "low": f"{asked.low:g}",
        "high": f"{asked.high:g}",
        "rubric": asked.rubric.strip(),
        "how": _how(prompt, asking),
        "instructions": asking.instructions,
        "fields": [Block(" ".join(name.split()), text) for name, text in fields.items() if text.strip()],
    }
    schema = asking.schema(score_schema(asked.low, asked.high, reason_words=asking.reason_words))
    reply = _expected(prompt, schema, max(_FEWEST_TOKENS, _row_tokens(asking)))
    return _request(asking, prompt, slots, list(fields.values()), reply, "grade", attempt)


def own_request(  # noqa: PLR0917 - the parts of a request, each of its own type
    asking: Asking,
    text: str | Sequence[Message],
    schema: Mapping[str, Any] | None,
    name: str,
    max_tokens: int,
    attempt: Attempt,
    rows: tuple[Rows, Sequence[int]] | None = None,
) -> CompletionRequest:
    """A request with a prompt of the caller's own: for an object, or without a schema for plain text."""
    prompt, note = asking.prompt("structured"), ""
    if rows is not None:
        listed, pending = rows
        items = {"count": str(len(pending)), "items": items_list(listed, pending)}
        wording = prompt.wordings["rows" if len(pending) == len(listed.items) else "rows_left"]
        note = fill(str(wording), {"field": listed.field, "noun": listed.noun, **items})
    reply = Expected(None, "", max_tokens)
    if schema is not None:
        shown = json.dumps(schema, separators=(",", ":"), ensure_ascii=False)
        reply = _expected(prompt, schema, max_tokens, shown)._replace(name=name)
    *earlier, last = (Message("user", text),) if isinstance(text, str) else tuple(text)
    made = _request(asking, prompt, {"prompt": last.content, "rows": note}, None, reply, "structured", attempt)
    if not earlier and last == Message("user", last.content):
        return made
    messages = (*earlier, replace(last, content=made.messages[-1].content))
    return replace(made, messages=messages, prompt=replace(made.prompt, hash=prompt_ref(prompt, messages).hash))


def _request(  # noqa: PLR0917 - the parts of a request, each of its own type
    asking: Asking,
    prompt: Prompt,
    slots: Slots,
    head: Sequence[str] | None,
    reply: Expected,
    purpose: str,
    attempt: Attempt,
) -> CompletionRequest:
    note = prompt.reask[min(attempt.number, len(prompt.reask)) - 1] if attempt.number else ""
    if attempt.number > len(prompt.reask):
        note += f" ({attempt.number})"  # another request: a cache would give the reply that was lost
    sent = prompt
    if attempt.rephrased:
        other = asking.prompt("rephrase")
        note, sent = other.user, replace(prompt, version=f"{prompt.version}{REPHRASED}{other.version}")
    filled: dict[str, str | Sequence[Block]] = dict(slots)
    token = None
    if head is not None and not asking.with_token:  # the lines that the token stands in are left out
        lines = (line for line in prompt.user.split("\n") if not _TOKEN_SLOT.search(line))
        prompt = replace(prompt, user="\n".join(lines))
        filled["token"] = ""
    elif head is not None:
        fixed = [value for value in slots.values() if isinstance(value, str)]
        token = request_token(asking.token_key, [prompt.name, prompt.version, *fixed, *head])
        filled["first"], filled["last"] = first_and_last(token)
        filled["token"] = str(prompt.wordings["token"])
        if attempt.number:  # the whole token, where only who sees the head of the data can copy it
            filled["first"] = token
            note = f"{note} {prompt.wordings.get('whole_token', '')}".rstrip()
    messages = render(prompt, {**filled, "note": note})
    limit = asking.max_tokens or reply.tokens + _TOKENS_AROUND + asking.spare_tokens
    return CompletionRequest(
        model=asking.model,
        messages=messages,
        prompt=prompt_ref(sent, messages, token),
        schema=reply.schema,
        schema_name=reply.name,
        hint=reply.hint,
        max_tokens=math.ceil(limit * attempt.room),
        temperature=asking.temperature,
        params=asking.params,
        repeat=asking.repeat,
        token=token,
        purpose=purpose,
    )


def _expected(prompt: Prompt, schema: Mapping[str, Any], tokens: int, shown: str | None = None) -> Expected:
    return Expected(schema, str(prompt.wordings["hint"]).replace("{{reply}}", shown or in_words(schema)), tokens)


def _row_tokens(asking: Asking) -> int:
    quotes = _TOKENS_PER_QUOTES if asking.quotes else 0
    return _TOKENS_PER_ROW + asking.reason_words * _TOKENS_PER_WORD + quotes


def _blocks(label: str, text: str | None) -> Sequence[Block]:
    return [Block(label, text.strip())] if text and text.strip() else []


def _verdicts(prompt: Prompt, scale: Scale) -> str:
    """List the verdicts on offer with what each means; which goes before which follows from their order in the file."""
    meanings: Mapping[str, str] = prompt.wordings["verdicts"]
    words = [
        f"{name} ({meaning})" if meaning else name
        for name, meaning in meanings.items()
        if name in {verdict.value for verdict in scale.verdicts}
    ]
    return ", else ".join(words)


def _how(prompt: Prompt, asking: Asking) -> str:
    parts = []
    if asking.reason_words:
        parts.append(str(prompt.wordings["reason"]).replace("{{words}}", str(asking.reason_words)))
    if asking.quotes and "quotes" in prompt.wordings:
        parts.append(str(prompt.wordings["quotes"]))
    return " ".join(parts)
