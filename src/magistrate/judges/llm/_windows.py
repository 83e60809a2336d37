"""Contexts longer than a model takes: cut into windows that fit, and what the verdicts of the windows say together.

A window is a tuple of spans (index of the context, first character, one past the last); the empty one is all contexts.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from magistrate.completion.tokens import likely_tokens
from magistrate.verdict import Issue, IssueCode, Scale, StatementVerdict, Verdict

Window = tuple[tuple[int, int, int], ...]

SMALLEST = 100
"""Tokens below which contexts are not cut any further: the prompt around them is what is too long."""
_MOST_WINDOWS = 100
"""About as many windows as contexts are cut into at most."""
_PART = 0.6
"""Most of a window's tokens that a part of it holds: a little over half, as whole passages seldom make two halves."""
_SHARE = 0.9
"""Part of a known limit to fill: the tokens of a text are only estimated."""
_OVERLAP = 300
"""Most characters of the piece before that a piece begins with, so that no sentence is seen only in halves."""
_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"(?<=[.!?])\s|(?<=[。！？])"), re.compile(r"\s"))
"""Where a text may be cut, the best places first: paragraphs, lines, sentences, words."""


def spans_of(contexts: Sequence[str], window: Window) -> Window:
    """The window with every span said; blank contexts are left out."""
    return window or tuple((index, 0, len(text)) for index, text in enumerate(contexts) if text.strip())


def texts_of(contexts: Sequence[str], window: Window) -> tuple[str, ...]:
    """The contexts as a window shows them: one text a context, so that each keeps its number; blank outside of it."""
    if not window:
        return tuple(contexts)
    texts = [""] * len(contexts)
    for index, start, end in window:
        if 0 <= index < len(texts):
            texts[index] = contexts[index][start:end]
    return tuple(texts)


def split_window(contexts: Sequence[str], window: Window, most: int | None = None) -> list[Window]:
    """Cut a window that was too long into smaller ones, each of at most 60 % of its tokens."""
    spans = spans_of(contexts, window)
    total = sum(likely_tokens(contexts[index][start:end]) for index, start, end in spans)
    least = max(SMALLEST, math.ceil(sum(map(likely_tokens, contexts)) / _MOST_WINDOWS))
    if total < 2 * least:
        return []
    room = math.ceil(total * _PART)
    if most is not None and most >= least:
        room = max(least, min(room, math.floor(most * _SHARE)))
    windows: list[Window] = []
    held: list[tuple[int, int, int]] = []
    filled = 0
    for index, first, last in spans:
        for start, end in _pieces(contexts[index], first, last, room):
            tokens = likely_tokens(contexts[index][start:end])
            # Two pieces of a context would stand in one passage with a gap or twice the same sentence.
            if held and (filled + tokens > room or held[-1][0] == index):
                windows.append(tuple(held))
                held, filled = [], 0
            held.append((index, start, end))
            filled += tokens
    windows.append(tuple(held))
    return windows if len(windows) > 1 else []


def _pieces(text: str, start: int, end: int, room: int) -> Iterable[tuple[int, int]]:
    """A stretch in pieces that fit: each as long as the room reaches, to the best place of its last half."""
    while (tokens := likely_tokens(text[start:end])) > room:
        reach = max(start + 1, start + math.floor((end - start) * room / tokens))
        while reach > start + 1 and likely_tokens(text[start:reach]) > room:
            reach -= max(1, (reach - start) // 16)
        cut = _last_end(text, start + (reach - start) // 2, reach, _ENDS) or reach
        yield start, cut
        # The next one begins with the last sentence of this one, where that is short.
        earliest = max(cut - _OVERLAP, start + (cut - start) // 2)
        start = _last_end(text, earliest, max(earliest, cut - 1), _ENDS[:3]) or cut
    yield start, end


def _last_end(text: str, start: int, end: int, places: Sequence[re.Pattern[str]]) -> int | None:
    """Where the last place of the best kind ends that there is in a stretch."""
    ends = ([match.end() for match in place.finditer(text, start, end)] for place in places)
    return next((found[-1] for found in ends if found), None)


def leaves(windows: Iterable[Window], contexts: Sequence[str]) -> list[Window]:
    """The windows that were not cut any further."""
    asked = list(windows)
    if len(asked) <= 1:
        return asked
    spans = [spans_of(contexts, window) for window in asked]
    return [
        window
        for at, window in enumerate(asked)
        if not any(other != at and _inside(spans[other], spans[at]) for other in range(len(asked)))
    ]


def _inside(inner: Window, outer: Window) -> bool:
    return inner != outer and all(any(i == k and a <= s and e <= b for k, a, b in outer) for i, s, e in inner)


def merge_windows(found: Sequence[StatementVerdict], scale: Scale) -> StatementVerdict:
    """What the verdicts on one statement say together, each given on another window of the contexts.

    One that supports the statement is enough. A contradiction is kept and reported: it is the verdict, or where another
    window supports the statement, an issue beside it. For anything less every window has to be known.
    """
    index, count = found[0].index, len(found)
    known = [verdict for verdict in found if verdict.verdict is not None]
    against = [verdict for verdict in known if verdict.verdict is Verdict.CONTRADICTED]
    supporting = [verdict for verdict in known if verdict.verdict is Verdict.SUPPORTED]
    missing = [verdict for verdict in found if verdict.verdict is None]
    notes: list[Issue] = []
    if supporting:
        chosen = supporting[0]
        for other in against:
            message = f"another part of the contexts contradicts it{f': {other.reason}' if other.reason else ''}"
            notes.append(Issue(IssueCode.CONFLICTING_VERDICTS, message, index))
    elif against:
        chosen = against[0]
    elif missing:
        chosen = missing[0]
    else:
        chosen = min(known, key=lambda verdict: scale.verdicts.index(verdict.verdict))
    if missing and chosen.verdict is not None:
        message = f"{len(missing)} of {count} parts of the contexts gave no verdict"
        notes.append(Issue(IssueCode.CONTEXT_SPLIT, message, index))
    elif chosen.verdict not in {None, Verdict.SUPPORTED}:
        message = f"each of {count} parts of the contexts was judged on its own: what they say together was not seen"
        notes.append(Issue(IssueCode.CONTEXT_SPLIT, message, index))
    evidence = tuple(quote for verdict in known if verdict.verdict is chosen.verdict for quote in verdict.evidence)
    return chosen.model_copy(
        update={"issues": (*chosen.issues, *notes), "evidence": tuple(dict.fromkeys(evidence)) or chosen.evidence}
    )


def moved(verdict: StatementVerdict, window: Window) -> StatementVerdict:
    """The verdict on a window with the places of its quotes in the whole contexts."""
    starts = {index: start for index, start, _ in window}
    if not verdict.evidence or not any(starts.values()):
        return verdict
    evidence = tuple(
        replace(quote, start=quote.start + starts[quote.context], end=quote.end + starts[quote.context])
        if quote.context in starts and quote.start is not None and quote.end is not None
        else quote
        for quote in verdict.evidence
    )
    return verdict.model_copy(update={"evidence": evidence})
