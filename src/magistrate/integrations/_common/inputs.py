"""What frameworks hand over, in our terms: themselves, messages with their images, and the parts of a case."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from magistrate.case import TEXT_KEYS, Case
from magistrate.completion.base import MODELS_MISSING
from magistrate.errors import MissingExtraError
from magistrate.records import Message

_ROLES = {"assistant": "assistant", "ai": "assistant", "model": "assistant", "system": "system", "developer": "system"}
_at_hand: list[str] = []
_J = TypeVar("_J")


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Import a framework inside of this."""
    try:
        yield
        _at_hand.append(extra)
    except ImportError as error:
        raise MissingExtraError.needed(f"magistrate.integrations.{extra.replace('-', '_')}: {error}", extra) from None


def made(make: Callable[..., _J], *given: Any, **options: Any) -> _J:
    """Make a judge. What calls models comes with the extras of the frameworks at hand, so that both fit together."""
    try:
        return make(*given, **options)
    except MissingExtraError as error:
        if error.extra != "models" or not _at_hand:
            raise
        raise MissingExtraError.needed(MODELS_MISSING, ",".join(sorted(set(_at_hand)))) from None


def message_of(role: Any, content: Any) -> Message:
    """A message of a chat as OpenAI writes it; a role that is not known is the user's."""
    named = _ROLES.get(str(getattr(role, "value", role)), "user")
    return joined(named, [content] if isinstance(content, str) else map(_piece, content or ()))


def messages_of(given: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    return tuple(message_of(each["role"], each.get("content")) for each in given)


def joined(role: str, pieces: Iterable[str | tuple[str]]) -> Message:
    """A message of texts and images: a mark in the text says where each image stands."""
    texts: list[str] = []
    images: list[tuple[str, str]] = []
    for piece in pieces:
        if isinstance(piece, tuple):
            images.append((f"[[image {len(images) + 1} of this message]]", piece[0]))
        texts.append(images[-1][0] if isinstance(piece, tuple) else piece)
    return Message(role, "\n".join(texts), tuple(images))


def _piece(part: Any) -> str | tuple[str]:
    address = None if isinstance(part, str) else part.get("image_url")
    if address is not None:
        return (address["url"] if isinstance(address, Mapping) else str(address),)
    return part if isinstance(part, str) else str(part.get("text", ""))


def case_of(question: Any, answer: Any, contexts: str | Sequence[Any] | None, *, reference: Any = None) -> Case:
    """Make a case of what a framework has; what is no text becomes one, documents become their texts."""
    passages = [contexts] if isinstance(contexts, str) else list(contexts or ())
    return Case(
        question=_text(question),
        answer=_text(answer),
        contexts=tuple(text for text in map(_passage, passages) if text is not None),
        reference=_text(reference),
    )


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _passage(value: Any) -> str | None:
    held = (value.get(name) if isinstance(value, dict) else getattr(value, name, None) for name in TEXT_KEYS)
    return _text(next((text for text in held if isinstance(text, str)), value))


_QUESTIONS = ("question", "input", "query")
_ANSWERS = ("answer", "output", "response", "content")
_CONTEXTS = ("context", "contexts", "documents", "retrieved_contexts")


def case_in(
    inputs: Any,
    outputs: Any,
    reference: Any,
    given: Mapping[str, Any],
    named: Sequence[str | None] = (None, None, None),
) -> Case:
    """The case in a user's inputs and outputs, under the keys named for question, answer, contexts, or usual ones."""
    usual = (_QUESTIONS, _ANSWERS, _CONTEXTS)
    questions, answers, contexts = ((name,) if name else keys for name, keys in zip(named, usual, strict=True))
    places = (given, outputs, inputs, reference)
    passages = next((found for place in places if (found := _held(place, contexts)) is not None), None)
    asked, answered = _part(inputs, questions, passages), _part(outputs, answers, passages)
    return case_of(asked, answered, passages, reference=_part(reference, answers, passages))


def _held(place: Any, keys: Sequence[str]) -> Any:
    held = place if isinstance(place, Mapping) else {}
    return next((held[key] for key in keys if held.get(key) is not None), None)


def _part(place: Any, keys: Sequence[str], passages: Any) -> Any:
    """The text that stands under one of some keys; else the only one there is, beside the passages."""
    if not isinstance(place, Mapping):
        return place
    found = _held(place, keys)
    if found is not None:
        return found
    messages = place.get("messages")
    if isinstance(messages, list) and messages:
        last = messages[-1]
        return last.get("content") if isinstance(last, Mapping) else getattr(last, "content", None)
    others = [value for value in place.values() if value is not None and value is not passages]
    return others[0] if len(others) == 1 and isinstance(others[0], str) else None
