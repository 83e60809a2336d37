"""Whether the judge saw all of its prompt. A provider whose window is too small answers as ever, after dropping a part.

Two signs: the provider counts fewer tokens than what was sent must have, and the reply repeats the last word of the
request token but not the first. The first sign needs a prompt of some length, as providers count in their own ways; the
second holds for prompts of any length, and where nothing is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from magistrate.completion.tokens import FLOOR, lower_bound
from magistrate.judges.tokens import head_unseen
from magistrate.records import CallRecord, Completion, CompletionRequest
from magistrate.verdict import Status

__all__ = ["CUT_PROMPT", "HEAD_UNSEEN", "noted_cut", "prompt_was_cut", "sign_of_cut"]

CUT_PROMPT = Status.CONTEXT_TRUNCATED.value
"""Status of a call whose provider counts fewer tokens than were sent: it would do so again."""
HEAD_UNSEEN = "head_unseen"
"""Status of a call whose reply repeats only the last word of its token: it may be the judge that is careless."""
_OWN_SHARE = 0.6
"""Part of the lower bound that counts for prompts of a caller's own: they may be JSON or code for the most part, of
which a count by characters makes fewer tokens than a tokenizer does."""


def prompt_was_cut(completion: Completion, texts: Sequence[str], *, floor: int = FLOOR) -> bool:
    """Whether the provider counts fewer tokens than the untrusted part of the prompt alone must have.

    Args:
        completion: What came back.
        texts: The untrusted part of the prompt.
        floor: Tokens that the part must have at least to be checked.
    """
    seen = completion.usage.prompt_tokens
    if not seen:
        return False
    least = sum(map(lower_bound, texts))
    return least >= floor and seen < least


def sign_of_cut(call: CallRecord, texts: Sequence[str], *, floor: int = FLOOR) -> tuple[str, str] | None:
    """Look for signs that a part of a prompt was dropped.

    Args:
        call: The call.
        texts: The untrusted part of its prompt.
        floor: Tokens that this part must have at least for the provider's count to be a sign.

    Returns:
        The status of the call and what to say; None where there is no sign.
    """
    if call.completion is None:
        return None
    if prompt_was_cut(call.completion, texts, floor=floor):
        return CUT_PROMPT, f"the judge saw {call.completion.usage.prompt_tokens} tokens, fewer than the prompt has"
    if head_unseen(call.token, call.completion.text):
        return HEAD_UNSEEN, "the judge repeats the token at the end of the prompt and not the one at its head"
    return None


def noted_cut(call: CallRecord, request: CompletionRequest) -> CallRecord:
    """Note in a call with a prompt of the caller's own, which carries no token, that a part of it was dropped."""
    if call.completion is None or not call.completion.usage.prompt_tokens:
        return call
    seen = call.completion.usage.prompt_tokens
    least = _OWN_SHARE * sum(lower_bound(message.content) for message in request.messages)
    if least < FLOOR or seen >= least:
        return call
    return replace(call, status=CUT_PROMPT, error=f"the judge saw {seen} tokens, fewer than the prompt has")
