"""Whether a call has a reply to read, and whether the judge saw all of its prompt.

A provider whose window is too small answers as ever, after dropping a part of the prompt. Two signs: the provider
counts fewer tokens than what was sent must have, and the reply repeats the last word of the request token but not the
first. The first sign needs a prompt of some length, as providers count in their own ways; the second holds for prompts
of any length, and where nothing is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from magistrate.completion.tokens import FLOOR, lower_bound
from magistrate.judges.llm._request_token import head_unseen
from magistrate.records import TOO_LONG, CallRecord, CompletionRequest
from magistrate.verdict import Issue, IssueCode, ParseStatus, Status

ERROR = "error"
"""Status of a call that brought no completion."""
CUT_PROMPT = Status.CONTEXT_TRUNCATED.value
"""Status of a call whose provider counts fewer tokens than were sent: it would do so again."""
HEAD_UNSEEN = "head_unseen"
"""Status of a call whose reply repeats only the last word of its token: it may be the judge that is careless."""
STATUS_OF: Mapping[str, Status] = {
    ParseStatus.REFUSAL.value: Status.REFUSED,
    ParseStatus.EMPTY.value: Status.UNPARSEABLE,
    ParseStatus.TRUNCATED.value: Status.TRUNCATED,
    ParseStatus.UNPARSEABLE.value: Status.UNPARSEABLE,
    ParseStatus.OUT_OF_RANGE.value: Status.OUT_OF_RANGE,
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
_OWN_SHARE = 0.6
"""Part of the lower bound that counts for prompts of a caller's own: they may be JSON or code for the most part, of
which a count by characters makes fewer tokens than a tokenizer does."""


def without_reply(call: CallRecord, texts: Sequence[str], *, floor: int = FLOOR) -> tuple[str, Issue] | None:
    """Say why a call has no reply to read.

    Args:
        call: The call.
        texts: The untrusted part of its prompt; none for a prompt of the caller's own, which was looked at before.
        floor: Tokens that this part must have at least for the provider's count to be a sign.

    Returns:
        The status of the call and an issue; None where there is a reply.
    """
    done = call.completion
    if done is None or call.status == CUT_PROMPT:
        code, message = _CODE_OF.get(call.status, (IssueCode.JUDGE_ERROR, "the call failed"))
        return call.status if call.status in STATUS_OF else ERROR, Issue(code, call.error or message)
    seen, least = done.usage.prompt_tokens, sum(map(lower_bound, texts))
    if seen and least >= floor and seen < least:
        return CUT_PROMPT, _truncated(f"the judge saw {seen} tokens, fewer than the prompt has")
    if head_unseen(call.token, done.text):
        return HEAD_UNSEEN, _truncated(
            "the judge repeats the token at the end of the prompt and not the one at its head"
        )
    return None


def _truncated(message: str) -> Issue:
    return Issue(IssueCode.CONTEXT_TRUNCATED, message)


def noted_cut(call: CallRecord, request: CompletionRequest) -> CallRecord:
    """Note in a call with a prompt of the caller's own, which carries no token, that a part of it was dropped."""
    if call.completion is None or not call.completion.usage.prompt_tokens:
        return call
    seen = call.completion.usage.prompt_tokens
    least = _OWN_SHARE * sum(lower_bound(message.content) for message in request.messages)
    if least < FLOOR or seen >= least:
        return call
    return replace(call, status=CUT_PROMPT, error=f"the judge saw {seen} tokens, fewer than the prompt has")
