"""Whether a call has a reply to read, and whether the judge saw all of its prompt.

A provider whose window is too small answers as ever, after dropping a part of the prompt. Three signs: it counts fewer
tokens than what was sent must have (of prompts of some length), or than prompts like it have (to the same model, in the
same language); the reply repeats the last word of the request token but not the first.
"""

import base64
import hashlib
import hmac
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median, quantiles
from typing import NamedTuple

from magistrate.completion.tokens import FLOOR, lower_bound, word_tokens
from magistrate.parsing.reply.source import ending
from magistrate.prompts import feed
from magistrate.records import TOO_LONG, CallRecord, Completion, CompletionRequest
from magistrate.text import detect_language, main_script, text_runs
from magistrate.verdict import STATUS_OF, Issue, IssueCode, ParseStatus, Status

_CHARS = 5
_JOIN = "-"


def request_token(key: bytes, parts: Sequence[str]) -> str:
    """Make the token that a reply must repeat: two words of five letters and digits, of an HMAC over what is asked.

    Nothing in the contexts can know it, so an answer planted there does not carry it. Requests about the same contexts
    share it, which keeps the beginning of their prompts equal and so in the provider's prompt cache.
    """
    digest = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        feed(digest, part)
    text = base64.b32encode(digest.digest()).decode().lower()
    return _JOIN.join((text[:_CHARS], text[_CHARS : 2 * _CHARS]))


def first_and_last(token: str) -> tuple[str, str]:
    """The word that stands at the head of the data, and the one at the end; the same one for a token of one word."""
    first, _, last = token.partition(_JOIN)
    return first, last or first


def head_unseen(token: str | None, text: str | None) -> bool:
    """Whether a reply repeats the last word of its token and not the first: the judge did not see where that stands."""
    if token is None or not text:
        return False
    first, last = first_and_last(token)
    text = text.casefold()
    return last in text and first not in text


ERROR = "error"
"""Status of a call that brought no completion."""
CUT_PROMPT = Status.CONTEXT_TRUNCATED.value
"""Status of a call whose provider counts fewer tokens than were sent: it would do so again."""
HEAD_UNSEEN = "head_unseen"
"""Status of a call whose reply repeats only the last word of its token: it may be the judge that is careless."""
STATUS_OF_CALL: Mapping[str, Status] = STATUS_OF | {
    CUT_PROMPT: Status.CONTEXT_TRUNCATED,
    HEAD_UNSEEN: Status.CONTEXT_TRUNCATED,
    TOO_LONG: Status.CONTEXT_TRUNCATED,
    ERROR: Status.JUDGE_ERROR,
}
"""What the status of a call without what was asked for makes of the reply."""
_CODE_OF = {
    ParseStatus.REFUSAL.value: (IssueCode.REFUSAL, "the provider refused"),
    TOO_LONG: (IssueCode.CONTEXT_TRUNCATED, "the prompt is too long for the model"),
    CUT_PROMPT: (IssueCode.CONTEXT_TRUNCATED, "a part of the prompt was dropped"),
}
_FEWEST_TOKENS = 500
"""Prompts with fewer are not held against others: what stands around them counts too much."""
_FEWEST_CALLS = 20
_MOST_CALLS = 100
_LEAST_SHARE = 0.8
_SAMPLE = 700
_HEAD = 60
_OWN_SHARE = 0.6
"""Part of the lower bound that counts for prompts of a caller's own: they may be JSON or code for the most part, of
which a count by characters makes fewer tokens than a tokenizer does."""


class Unread(NamedTuple):
    """A call without a reply to read, with the status that says so, and why."""

    call: CallRecord
    issue: Issue


def reply_in(call: CallRecord, texts: Sequence[str], *, floor: int = FLOOR) -> Completion | Unread:
    """The reply that a call brought, if the judge saw all of `texts`, the untrusted part of its prompt."""
    done = call.completion
    if done is None or call.status == CUT_PROMPT:
        code, message = _CODE_OF.get(call.status, (IssueCode.JUDGE_ERROR, "the call failed"))
        status = call.status if call.status in STATUS_OF_CALL else ERROR
        return Unread(replace(call, status=status), Issue(code, call.error or message))
    seen, least, lost = done.usage.prompt_tokens, sum(map(lower_bound, texts)), IssueCode.CONTEXT_TRUNCATED
    if seen and least >= floor and seen < least:
        why = f"the judge saw {seen} tokens, fewer than the prompt has"
        return Unread(replace(call, status=CUT_PROMPT), Issue(lost, why))
    if head_unseen(call.token, done.text):
        why = "the judge repeats the token at the end of the prompt and not the one at its head"
        return Unread(replace(call, status=HEAD_UNSEEN), Issue(lost, why))
    if done.reasoning and not (done.text or "").strip() and not done.refusal and ending(done.finish_reason) is None:
        why = "the reply holds reasoning alone: the model, or its server, puts no answer into the content"
        return Unread(replace(call, status=ParseStatus.EMPTY.value), Issue(IssueCode.EMPTY_REPLY, why))
    return done


def noted_cut(call: CallRecord, request: CompletionRequest) -> CallRecord:
    """Note in a call with a prompt of the caller's own, which carries no token, that a part of it was dropped."""
    seen = call.completion.usage.prompt_tokens if call.completion else None
    least = _OWN_SHARE * sum(lower_bound(message.content) for message in request.messages)
    if not seen or least < FLOOR or seen >= least:
        return call
    return replace(call, status=CUT_PROMPT, error=f"the judge saw {seen} tokens, fewer than the prompt has")


@dataclass(slots=True)
class TokenRates:
    """The tokens that a provider counts a likely token, by model and language; one judge's calls share it.

    A caller's own prompts are held against those that begin alike: JSON has other rates than prose. Some providers
    count the schema of the reply too, others do not: what makes the calls more alike is taken for true.
    """

    dropped: set[str] = field(default_factory=set)
    _seen: defaultdict[tuple[str | None, ...], dict[str, tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def lost_a_part(self, request: CompletionRequest, key: str, counted: int | None) -> bool:
        """Take what a provider counts of a request; say whether it is too little for one that arrived whole."""
        sent = "\n".join(message.content for message in request.messages)
        if not counted or any(message.images for message in request.messages) or len(sent) < _FEWEST_TOKENS:
            return False
        likely, schema = word_tokens(sent), word_tokens(json.dumps(request.schema or ""))
        if max(counted, likely + schema) < _FEWEST_TOKENS:
            return False
        sample = sent[len(sent) // 3 :][:_SAMPLE]
        script = main_script(sample)
        template = sent[:_HEAD] if request.prompt.name == "structured" else None
        seen = self._seen[request.model, script, detect_language(script, text_runs(sample)), template]
        rates = counted / likely, counted / (likely + schema)
        if len(seen) < _MOST_CALLS:
            seen[key] = rates
        if len(seen) < _FEWEST_CALLS:
            return False
        spreads = []
        for at in (0, 1):  # how far nine tenths of them lie from the lowest tenth, as a part of their median
            tenths = quantiles((one[at] for one in seen.values()), n=10)
            spreads.append((tenths[-1] - tenths[0]) / median(one[at] for one in seen.values()))
        way = spreads.index(min(spreads))
        least = _LEAST_SHARE * median(one[way] for one in seen.values())
        if len(seen) == _FEWEST_CALLS:
            self.dropped |= {one for one, before in seen.items() if before[way] < least and one != key}
        return rates[way] < least
