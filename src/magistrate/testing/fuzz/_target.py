"""What is fuzzed: a function found by name, its answers in one form; and the replies, with their right reading."""

import asyncio
import importlib
import inspect
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from hypothesis import strategies as st

from magistrate.errors import ConfigurationError, MissingExtraError
from magistrate.testing.corpus import load_corpus
from magistrate.testing.strategies import SLIPS, cut, damaged, planted, replies
from magistrate.user_code import USER_FAULTS, load_object, takes
from magistrate.verdict import BINARY, Verdict, resolve_scale

_WORDS: Final[Mapping[Any, str | None]] = {
    **{word: verdict.value for verdict in Verdict for word in (verdict.value, verdict.value.replace("_", " "))},
    **dict.fromkeys(("yes", "true", "1", "pass", "faithful", "correct"), "supported"),
    **dict.fromkeys(("no", "false", "0", "fail", "unfaithful", "incorrect", "not supported"), "unsupported"),
    **dict.fromkeys(("idk", "unknown", "neutral", "nei"), "not_enough_info"),
    **dict.fromkeys(("", "none", "null"), None),
}
_FURTHER: Final = ("scale", "contexts", "finish_reason", "choices", "low", "high")
"""Parts of a question that a target gets where it names them."""
_STEP: Final = re.compile(r"([^.\[\]]+)|\[(\*|\d{1,9})\]")


ANY: Final = "any"
"""In a right reading: nobody could tell, so any reading will do."""
OR: Final = " or "
"""Between two verdicts of which either is right."""
_NO: Final = {Verdict.CONTRADICTED.value, Verdict.NOT_ENOUGH_INFO.value, Verdict.UNSUPPORTED.value}
"""Where one of two verdicts is the plain "no", the other may be a finer one: both say no."""


@dataclass(frozen=True, slots=True)
class Question:
    """A reply and its right reading."""

    task: str
    kind: str
    reply: str
    expect: tuple[Any, ...]
    statements: tuple[str, ...] = ()
    scale: str = "binary"
    finish_reason: str | None = None
    contexts: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    case: str = ""
    why: str = ""

    @property
    def asked(self) -> str:
        """What the reply was to choose from, where that does not go without saying."""
        if self.low is not None and self.high is not None:
            return f"a number from {self.low:g} to {self.high:g}"
        words = self.choices if self.scale == BINARY.name else resolve_scale(self.scale).verdicts
        return f"one of {', '.join(words)}" if words else ""

    def outcome(self, read: Sequence[Any] | None) -> str:
        """What a reading is, slow or not; None where there was an exception."""
        if read is None:
            return "crash"
        if any(word is not None for word in read[len(self.expect) :]):
            return "wrong"
        places = list(zip_longest(self.expect, read[: len(self.expect)]))
        if any(not _may_be(meant, word, self.task) for meant, word in places if word is not None and meant != ANY):
            return "wrong"
        withheld = any(word is None and meant not in {None, ANY} for meant, word in places)
        return "withheld" if withheld else "right"


def _may_be(meant: Any, word: Any, task: str) -> bool:
    if meant is None:
        return False
    if task == "score":
        return abs(float(meant) - float(word)) < 1e-9  # noqa: PLR2004 - the same number
    if task == "label":  # a target that is not told the choices cannot know how they are spelt
        return str(word).casefold() == str(meant).casefold()
    both = {word, meant}
    return word in meant.split(OR) or (Verdict.UNSUPPORTED.value in both and both <= _NO)


class Unreadable(Exception):  # noqa: N818 - says what it is about, like the standard library's StopIteration
    """What the target gave back is no reading."""


@dataclass(frozen=True)
class Target:
    """A function that reads replies.

    Args:
        name: What reports call it.
        call: Takes (reply, statements), and of `scale`, `contexts`, `finish_reason`, `choices`, `low` and `high` what
            it names; may be async.
        labels: What its words mean: {"yes": "supported"}.
        path: Where in its answer the verdicts stand: "items[*].verdict".
        raises: Names of the exceptions by which it says that it cannot read a reply.

    Attributes:
        unknown: Words it gave that mean no verdict that is known: withheld, until `labels` say what they mean.
    """

    name: str
    call: Callable[..., Any]
    labels: Mapping[str, str] = field(default_factory=dict)
    path: str | None = None
    raises: frozenset[str] = frozenset()
    unknown: set[str] = field(default_factory=set, compare=False)

    def accepts(self, parameter: str) -> bool:
        """Whether the function has a parameter of this name, or takes any."""
        try:
            parameters = inspect.signature(self.call).parameters
        except (TypeError, ValueError):  # a builtin that does not say
            return False
        return parameter in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())

    def check(self, task: str) -> None:
        """Check that the function can be called for a task, as far as its signature tells.

        Raises:
            ConfigurationError: If it cannot.
        """
        further = {name: None for name in _FURTHER if self.accepts(name)}
        if not takes(self.call, 2 if task == "verdicts" else 1, **further):
            given = "(reply, statements)" if task == "verdicts" else "(reply)"
            raise ConfigurationError(
                f"{self.name} takes {inspect.signature(self.call)}, so it cannot be called with {given}: wrap it in a "
                "function that can; with --task score or --task label it gets the reply alone"
            )

    def read(self, question: Question) -> tuple[Any, ...]:
        """Have a reply read: a verdict's value, a score or a label per place, None where there is none.

        Raises:
            Unreadable: If the answer is none of the forms that are understood.
            Exception: Whatever the target raises, unless it stands in `raises`.
        """
        further = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in ((name, getattr(question, name)) for name in _FURTHER)
            if self.accepts(name)
        }
        places = (list(question.statements),) if question.task == "verdicts" else ()
        try:
            answer = self.call(question.reply, *places, **further)
            if inspect.iscoroutine(answer):
                answer = asyncio.run(answer)
        except USER_FAULTS as error:
            if {kind.__name__ for kind in type(error).__mro__} & self.raises:
                return (None,) * len(question.expect)
            raise
        if self.path is not None and answer is not None:
            answer = _at(answer, self.path)
        if question.task == "verdicts":
            return self._verdicts(answer, len(question.statements))
        return (self._single(answer, question.task),)

    def _verdicts(self, answer: Any, count: int) -> tuple[Any, ...]:
        if answer is None:
            return (None,) * count
        for name in ("verdicts", "statements"):
            if not isinstance(answer, str | Sequence) and hasattr(answer, name):
                answer = getattr(answer, name)
        if isinstance(answer, Mapping) and isinstance(answer.get("verdicts"), Sequence):
            answer = answer["verdicts"]
        if isinstance(answer, str | bytes) or not isinstance(answer, Sequence):
            raise _unreadable(answer, "list of verdicts")
        read = tuple(self._verdict(item) for item in answer)
        return read + (None,) * (count - len(read))

    def _verdict(self, item: Any) -> str | None:
        if isinstance(item, Mapping) and "verdict" in item:
            item = item["verdict"]
        elif hasattr(item, "verdict"):
            item = item.verdict
        if item is None:
            return None
        word = str(getattr(item, "value", item)).strip()
        if word in self.labels:
            return None if self.labels[word] == "none" else self.labels[word]
        if (folded := word.casefold()) in _WORDS:
            return _WORDS[folded]
        self.unknown.add(word[:60])
        return None

    def _single(self, answer: Any, task: str) -> Any:
        answer = getattr(answer, "value" if task == "score" else "label", answer)
        if answer is None or (isinstance(answer, float) and math.isnan(answer)):
            return None
        if task == "label":
            answer = getattr(answer, "value", answer)  # of an enumeration
            if not isinstance(answer, str | int | float):
                raise _unreadable(answer, task)
            return self.labels.get(str(answer), str(answer))
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            raise _unreadable(answer, "number")
        return float(answer)


def _unreadable(answer: Any, wanted: str) -> Unreadable:
    form = type(answer).__name__
    return Unreadable(
        f"the target returned {form}, not a {wanted}: say where in it with --path, or with --task that it is one"
    )


def _at(answer: Any, path: str) -> Any:
    """Follow a path like "result.items[*].verdict"; "result" may also stand for the answer itself."""
    named = "result" in answer if isinstance(answer, Mapping) else hasattr(answer, "result")
    steps = _STEP.findall(path if named else path.removeprefix("result."))
    found = [*_along(answer, steps, path)]
    return found if any(index == "*" for _, index in steps) else found[0]


def _along(value: Any, steps: Sequence[tuple[str, str]], path: str) -> Iterator[Any]:
    for at, (name, index) in enumerate(steps):
        if index == "*":
            if isinstance(value, str | bytes) or not isinstance(value, Sequence | None):
                raise Unreadable(f"what the target returned has {type(value).__name__} where {path!r} says a list")
            for item in value or ():
                yield from _along(item, steps[at + 1 :], path)
            return
        try:
            value = value[int(index)] if index else value[name] if isinstance(value, Mapping) else getattr(value, name)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise Unreadable(f"what the target returned has no {name or index!r} of {path!r}") from None
    yield value


def load_target(
    found: str | Callable[..., Any],
    *,
    labels: Mapping[str, str] | None = None,
    path: str | None = None,
    raises: Sequence[str] = (),
) -> Target:
    """Find a target: a function, "module:function", importable from the working directory, or a parser by its name.

    Args:
        found: The function, "module:function", or the name of a parser (a key of `ADAPTERS`).
        labels: What its words mean.
        path: Where in its answer the verdicts stand.
        raises: Names of the exceptions by which it says that it cannot read a reply.

    Raises:
        ConfigurationError: If there is none of that name, or a label means no verdict.
        MissingExtraError: If a framework whose parser is asked for is not installed.
    """
    for word, verdict in (labels or {}).items():
        if verdict not in {*Verdict, "none"}:
            raise ConfigurationError(f"labels, {word}={verdict}: use {', '.join(Verdict)} or none")
    name = found if isinstance(found, str) else getattr(found, "__qualname__", type(found).__name__)
    known: Sequence[str] = ()
    if isinstance(found, str) and ":" not in found:
        found, known = load_adapter(found)
    elif isinstance(found, str):
        found = load_object(found)
        if not callable(found):
            module, _, function = name.partition(":")
            raise ConfigurationError(f"{module!r} has no function {function!r}")
    return Target(name, found, labels or {}, path, frozenset({*raises, *known}))


def corpus_questions(task: str) -> Iterator[Question]:
    """Give the cases of the corpus that set a task."""
    for case in load_corpus(task):
        said = case.expect
        expect: tuple[Any, ...] = (said.value,) if task == "score" else (said.label,)
        if task == "verdicts":
            expect = said.verdicts or (None,) * len(case.statements)
        asked = (case.statements, case.scale or "binary", case.finish_reason, (), case.choices, case.low, case.high)
        if expect:
            yield Question(task, case.kind, case.raw, expect, *asked, case.id, case.why)


@st.composite
def generated(draw: st.DrawFn, *, ends: bool = False) -> Question:
    """Replies in every format, wrapping and language; with slips, damage, planted answers, cut off."""
    variant = draw(st.sampled_from(["as meant", "as meant", "with a slip", "damaged", "cut off", "planted"]))
    slips = tuple(SLIPS) if variant == "with a slip" else ()
    reply = draw(replies(slips=slips, plant=planted() if variant == "planted" else None))
    expect: tuple[Any, ...] = tuple(verdict.value for verdict in reply.verdicts)
    finish = "stop"
    if variant == "damaged":
        broken, at, how = draw(damaged(reply))
        touched = reply.touched(how, at)
        expect = tuple(ANY if index in touched else word for index, word in enumerate(expect))
        reply = broken
    elif variant == "cut off" and (reply.closed or ends):
        reply, _ = draw(cut(reply))
        finish = "length"
    kind = f"{reply.format}, {variant}" + (f" ({', '.join(reply.slips)})" if reply.slips else "")
    return Question("verdicts", kind, reply.text, expect, reply.statements, reply.scale.name, finish, reply.contexts)


Adapter = Callable[..., Any]
"""Does with a reply what its project does, and says of each statement what that would count; it checks nothing."""


def _rows(value: Any) -> list[Any]:
    """Take the verdicts of a decoded reply as the frameworks do: the list under "verdicts", one after another."""
    if isinstance(value, Mapping):
        value = value.get("verdicts", value.get("statements"))
    if not isinstance(value, list):
        return []
    return [_word(item.get("verdict") if isinstance(item, Mapping) else item) for item in value]


def _word(item: Any) -> str | None:
    if isinstance(item, bool | int | float):
        return "yes" if item == 1 else "no" if item == 0 else None
    word = str(item).strip().casefold()
    known = {"yes", "no", "idk", "true", "false", "supported", "contradicted", "not_enough_info", "unsupported"}
    return word if word in known else None


def _magistrate(
    reply: str, statements: Sequence[str], *, scale: str, contexts: Sequence[str], finish_reason: str | None
) -> Any:
    from magistrate.parsing import parse_verdicts  # noqa: PLC0415

    return parse_verdicts(reply, statements, scale=scale, contexts=contexts, finish_reason=finish_reason)


_FINAL: Final = "final verdict for each statement in order:"


def _promptfoo(reply: str, statements: Sequence[str]) -> list[str]:
    """Read as promptfoo's context-faithfulness does: sentences without a yes after its final line, or the noes."""
    text = reply.lower().strip()
    if _FINAL in text:
        rest = text[text.index(_FINAL) + len(_FINAL) :]
        parts = [part.strip() for part in rest.split(".") if part.strip()]
        return ["yes" if "yes" in part else "no" for part in parts]
    found = re.findall(r"verdict:\s*(yes|no)", text)
    if len(found) == len(statements):
        return list(found)
    noes = text.count("verdict: no")
    return ["no"] * noes + ["yes"] * (len(statements) - noes)


_DECODERS: Final[Mapping[str, tuple[str, str, str, bool]]] = {
    "json": ("", "json", "loads", False),
    "json_repair": ("json_repair", "json_repair", "loads", False),
    "instructor": ("instructor", "instructor.utils.core", "extract_json_from_codeblock", True),
    "langchain": ("langchain-core", "langchain_core.output_parsers", "JsonOutputParser().parse", False),
    "deepeval": ("deepeval", "deepeval.metrics.utils", "trimAndLoadJson", False),
    "ragas": ("ragas", "ragas.prompt.utils", "extract_json", True),
}
"""By name the package, the module, the function in it, and whether that only finds the JSON in a reply."""

ADAPTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "magistrate": (),
    "json": ("ValueError",),
    "json_repair": (),
    "instructor": ("ValueError",),
    "langchain": ("OutputParserException", "ValueError"),
    "deepeval": ("ValueError", "DeepEvalError"),
    "ragas": ("ValueError",),
    "promptfoo": (),
}
"""By name the exceptions by which a project says that it cannot read a reply."""


def _decoder(package: str, module: str, name: str, *, finds: bool) -> Adapter:
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        message = f"{package} is needed to fuzz its parser: pip install {package} ({error})"
        raise MissingExtraError(message) from error
    kind, made, method = name.partition("().")
    load = getattr(getattr(found, kind)(), method) if made else getattr(found, name)
    return lambda reply, statements: _rows(json.loads(load(reply)) if finds else load(reply))[: len(statements) + 1]


def load_adapter(name: str) -> tuple[Adapter, tuple[str, ...]]:
    """Return a parser by its name, and the exceptions by which it says that it cannot read a reply."""
    if name not in ADAPTERS:
        raise ConfigurationError(f"{name!r} is neither module:function nor one of {', '.join(ADAPTERS)}")
    if name in _DECODERS:
        *where, finds = _DECODERS[name]
        return _decoder(*where, finds=finds), ADAPTERS[name]
    return (_magistrate if name == "magistrate" else _promptfoo), ADAPTERS[name]
