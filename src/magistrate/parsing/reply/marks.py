"""Marks around an answer: tags and tokens of thinking, of channels, of turns; fences, and which hold program code."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

_THINK_NAMES: Final = (
    r"(?:antml:|seed:|mm:)?(?:think(?:ing|_never_used_\w+)?|thoughts?|reasoning|reflection|scratchpad"
    r"|inner_?(?:monologue|thoughts?)"
    r"|internal_?(?:monologue|thoughts?)|cot|chain_?of_?thought|deliberation|ponder)"
)
MARK: Final = re.compile(
    rf"[<\[\u25c1](?:(?<=<)(?i:(?P<open>{_THINK_NAMES}(?:\s[^<>]{{0,80}})?>|\|(?:begin_of_thought|start_thinking"
    rf"|begin_thought)\|>)"
    rf"|(?P<close>/{_THINK_NAMES}\s{{0,9}}>|\|(?:end_of_thought|end_thinking|end_thought)\|>)"
    r"|\|channel\|>\s{0,9}(?P<channel>\w{1,20}+)(?:[^<]{0,80}<\|message\|>|(?<!commentary)|$)"
    r"|(?P<end>\|(?:im_end|END_RESPONSE|end_response|end_of_solution|eot_id|eom_id|endoftext|end_of_text|end|return|call|eos)\|>|/s>|end_of_turn>"
    r"|\uff5cend\u2581of\u2581sentence\uff5c>)"
    r"|(?P<begin>\|(?i:start_response|start_of_response|begin_of_solution)\|>)"
    r"|(?P<start>\|(?:start|im_start|start_header_id)\|>\s{0,9}(?P<who>\w{1,20}))"
    r"|(?P<turn>\|user\|>))"
    r"|(?<=\[)(?:(?P<open_b>THINK\])|(?P<close_b>/THINK\]))"
    r"|(?<=\u25c1)(?:(?P<open_k>think\u25b7)|(?P<close_k>/think\u25b7)))"
)
SPECIAL: Final = re.compile(
    r"<[|\uff5c][\w\u2581 .:-]{1,40}[|\uff5c]>|\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]|</?s>|<"
    r"(?:pad|unk|bos|eos)>"
    r"|functions\.\w{1,40}:\d{1,3}(?=\s*(?:[{<\ue000]|\Z))"
)
"""Tokens of a model's own that got into its reply: they part nothing and say nothing."""
_MARK_WORDS: Final = tuple(
    "think thought reason reflect scratch monolog <cot /cot chain deliberat ponder <| </s> end_of_turn <\uff5c".split()
)
"""What every mark holds; most replies hold none of them."""
TURN: Final = re.compile(
    r"\n[ \t]{0,20}(?i:(?:\*\*|#{1,4}[ \t])?(?:user|human|instruction|question from the user)(?:\*\*)?[ \t]{0,4}:"
    r"|\[INST\])"
)
_TURN_WORDS: Final = ("user", "human", "instruction", "[inst]")
_TURN_SIGN: Final = re.compile(r"[ \t]*+(?:[*#uUhHiIqQ]|\[[iI])").match
_FEW_LINES: Final = 12
"""Lines whose first sign is looked at; in longer texts, a search for words takes less time."""
Span = tuple[int, int]
_FENCE: Final = re.compile(r"(?P<mark>``+|~~~+)[ \t]*(?P<language>[\w+#.-]{0,20})[^\n]*$", re.MULTILINE)
_BEGINS: Final = re.compile(
    r"(?:^|(?<=\|>)|(?<=think>)|(?<=[\ufeff\u200b\u2060\x00]))[ \t>]*+\Z",
    re.MULTILINE,
)
"""A fence begins its line, or follows a mark of no width or the one that opens the answer."""
_CODE: Final = frozenset(
    "python py csharp cs c cpp c++ java javascript js typescript ts go rust sql bash sh shell ruby php kotlin swift "
    "r html css vue jsx tsx think thinking thought thoughts reasoning scratchpad draft".split()
)
"""Languages in which nothing is an answer: program code, and thinking in a fence of its own."""


def opens(mark: re.Match[str]) -> bool:
    """Whether a mark opens thinking."""
    return bool(mark["open"] or mark["open_b"] or mark["open_k"])


def closes(mark: re.Match[str]) -> bool:
    """Whether a mark closes thinking."""
    return bool(mark["close"] or mark["close_b"] or mark["close_k"])


def may_hold_marks(text: str) -> tuple[bool, bool]:
    """A quick look whether the slow searches can find anything: marks, and turns of an invented dialogue."""
    # nearly every reply that is not clean JSON passes here, and each search takes time
    marks, turns = "<" in text or "THINK]" in text or "\u25c1" in text, "\n" in text
    if marks:
        lowered = text.lower()
        marks = any(word in lowered for word in _MARK_WORDS)
    if turns:
        lines = text.split("\n", _FEW_LINES)
        if len(lines) <= _FEW_LINES:
            turns = any(map(_TURN_SIGN, lines[1:]))
        else:
            lowered = text.lower()
            turns = any(mark in lowered for mark in _TURN_WORDS)
    return marks, turns


def fence_lines(text: str, spans: Sequence[Span]) -> list[re.Match[str]]:
    """The fence lines in some parts of a text, in order."""
    spans = spans if "``" in text or "~~~" in text else ()
    return [fence for start, end in spans for fence in fences_in(text, start, end)]


def fences_in(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The fence lines between two places."""
    for fence in _FENCE.finditer(text, start, end):
        if _BEGINS.search(text, max(start, text.rfind("\n", start, fence.start()) + 1), fence.start()):
            yield fence


def ends_open(fences: Sequence[re.Match[str]]) -> bool:
    """Whether the last block is never closed."""
    opened = False
    for fence in fences:
        opened = not opened or bool(fence["language"])
    return opened


def program_blocks(fences: Sequence[re.Match[str]]) -> list[Span]:
    """Where blocks of program code stand, without their fences."""
    blocks: list[Span] = []
    opened: re.Match[str] | None = None
    for fence in fences:
        if opened is None or fence["language"]:
            opened = fence
        else:
            if opened["language"].casefold() in _CODE:
                blocks.append((opened.end(), fence.start()))
            opened = None
    return blocks


def language_of(fences: Sequence[re.Match[str]]) -> str:
    """The language of the first fence that names one."""
    return next((fence["language"].casefold() for fence in fences if fence["language"]), "")
