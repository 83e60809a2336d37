"""The prompts: loaded from their files, filled in one pass (what is filled in is no slot), fenced, hashed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magistrate.errors import PromptError
from magistrate.records import Message, PromptRef

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FENCE = "~~~"
TOKEN_MASK = "<token>"  # noqa: S105 - stands for a request token in hashes
_PIECE = 2000
_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")
_SECTION = re.compile(r"^## (system|user|changelog)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """Untrusted text for a prompt, under a label of ours.

    Args:
        label: What the text is ("passage 1", "answer"): trusted, one line.
        text: The text, sent as it is.
    """

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file.

    Args:
        name: The file's name without its ending.
        version: The version its front matter states; it changes with every change of the wording.
        system: Template of the system message; empty for none.
        user: Template of the user message.
        wordings: What else the front matter holds, such as the meaning of each verdict.
    """

    name: str
    version: str
    system: str
    user: str
    wordings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reask(self) -> tuple[str, ...]:
        """The notes that a second and a third attempt add, in their order."""
        return tuple(self.wordings.get("reask", ()))

    @property
    def fingerprint(self) -> str:
        """The version and the first 16 hex digits of SHA-256 over the wording: another wording has another one."""
        digest = hashlib.sha256()
        for part in (self.system, self.user, json.dumps(dict(self.wordings), sort_keys=True, default=str)):
            feed(digest, part)
        return f"{self.version}-{digest.hexdigest()[:16]}"

    def slots(self) -> frozenset[str]:
        """The names of the slots in both templates."""
        return frozenset(_SLOT.findall(self.system + self.user))


def shipped_folder(name: str = "prompts") -> Traversable:
    """A folder that the package ships: inside an installed wheel, or beside the sources of an editable install."""
    packaged = files("magistrate") / f"_{name}"
    if packaged.is_dir():
        return packaged
    source = Path(__file__).resolve().parents[2] / name
    if source.is_dir():
        return source
    raise PromptError(f"no {name} found, neither at {packaged} nor at {source}: reinstall magistrate")


@lru_cache(maxsize=32)
def load_prompt(name: str) -> Prompt:
    """Load the prompt of that name."""
    if not re.fullmatch(r"[a-z][a-z-]*", name):
        raise PromptError(f"{name!r} is no prompt name: lower-case letters and hyphens only")
    source = shipped_folder() / f"{name}.md"
    try:
        text = source.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PromptError(f"there is no prompt {name!r} at {source}") from None
    return parse_prompt(text, str(source), name)


def prompt_names() -> list[str]:
    """The names of our prompts."""
    return sorted(one.name.removesuffix(".md") for one in shipped_folder().iterdir() if one.name.endswith(".md"))


def prompt_text(name: str) -> str:
    """The file of a prompt of ours."""
    load_prompt(name)
    return (shipped_folder() / f"{name}.md").read_text(encoding="utf-8")


def replacing(prompts: str | Path | Mapping[str, Prompt] | None) -> Mapping[str, Prompt]:
    """Read the prompts of a folder that are to stand for ours, each under the name of one of ours."""
    if isinstance(prompts, str | Path):
        files = sorted(Path(prompts).glob("*.md"))
        if not files:
            raise PromptError(f"there are no prompts in {prompts}: `magistrate prompts copy {prompts}` makes some")
        try:
            texts = {path: path.read_text(encoding="utf-8") for path in files}
            prompts = {path.stem: parse_prompt(text, str(path), path.stem) for path, text in texts.items()}
        except (OSError, UnicodeError) as error:
            raise PromptError(f"the prompts in {prompts} cannot be read: {error}") from None
    for name, prompt in (prompts or {}).items():
        _check_like(prompt, name)
    return dict(prompts or {})


def _check_like(prompt: Prompt, name: str) -> None:
    if name not in prompt_names():
        raise PromptError(f"prompt {name!r} stands for none of ours: {', '.join(prompt_names())}")
    ours = load_prompt(name)
    kinds = (("slot", prompt.slots(), ours.slots()), ("wording", frozenset(prompt.wordings), frozenset(ours.wordings)))
    for kind, its, wanted in kinds:
        if its != wanted:
            one = min(its ^ wanted)
            raise PromptError(f"prompt {name!r} {'has an unknown' if one in its else 'lacks the'} {kind} {one!r}")
    for key, wording in ours.wordings.items():
        slots = set(_SLOT.findall(str(wording)))
        if slots != set(_SLOT.findall(str(prompt.wordings[key]))) or type(prompt.wordings[key]) is not type(wording):
            shown = ", ".join(f"{{{{{slot}}}}}" for slot in sorted(slots)) or "no slots"
            raise PromptError(f"prompt {name!r}: {key!r} is to be of our kind, with {shown}")


def prompt_for(judge: object, name: str) -> Prompt:
    """The prompt of that name that a judge is to be asked with: the user's, else ours."""
    own = getattr(judge, "prompts", None)
    found = own.get(name) if isinstance(own, Mapping) else None
    return found if isinstance(found, Prompt) else load_prompt(name)


def parse_prompt(text: str, source: str, name: str) -> Prompt:
    """Read a prompt file's text."""
    import yaml  # noqa: PLC0415 - only loaded with the first prompt

    parts = re.split(r"^---[ \t]*$", text.replace("\r\n", "\n"), maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3:  # noqa: PLR2004 - before, between and after the two fences
        raise PromptError(f"{source}: no front matter between two --- lines")
    if parts[0].strip():
        raise PromptError(f"{source}: the file must begin with its front matter (---)")
    try:
        meta = yaml.safe_load(parts[1])
    except yaml.YAMLError as error:
        raise PromptError(f"{source}: the front matter is no YAML: {error}") from None
    if not isinstance(meta, dict):
        raise PromptError(f"{source}: the front matter must be a mapping")
    if meta.get("name") != name:
        raise PromptError(f"{source}: the front matter says name {meta.get('name')!r}, expected {name!r}")
    version = meta.get("version")
    if not isinstance(version, str) or not version:
        raise PromptError(f'{source}: the front matter needs a version, quoted: version: "1"')
    parts = _SECTION.split(parts[2])
    sections = dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    if not sections.get("user"):
        raise PromptError(f"{source}: a '## user' section is missing")
    if f"- {version}:" not in sections.get("changelog", ""):
        raise PromptError(f"{source}: the changelog has no entry '- {version}: ...'")
    wordings = {key: value for key, value in meta.items() if key not in {"name", "version"}}
    return Prompt(name, version, sections.get("system", ""), sections["user"], wordings)


def fence_for(texts: Sequence[str]) -> str:
    """Return a fence of tildes, longer than any run of tildes in the texts."""
    longest = max((len(run) for text in texts if FENCE in text for run in re.findall(r"~+", text)), default=0)
    return "~" * max(len(FENCE), longest + 1)


def render(prompt: Prompt, slots: Mapping[str, str | Sequence[Block]]) -> tuple[Message, ...]:
    """Fill a prompt.

    A line that is nothing but a slot is left out where the slot is empty. The slot `fence` is filled here, with the
    fence that this prompt's blocks stand between.
    """
    wanted = prompt.slots() - {"fence"}
    if wanted != set(slots):
        missing, unknown = sorted(wanted - set(slots)), sorted(set(slots) - wanted)
        raise PromptError(f"prompt {prompt.name}: missing slots {missing}, unknown slots {unknown}")
    fence = fence_for([block.text for value in slots.values() if not isinstance(value, str) for block in value])
    filled = {"fence": fence} | {
        name: value if isinstance(value, str) else "\n".join(f"{fence} {block.label}\n{block.text}" for block in value)
        for name, value in slots.items()
    }
    messages = [Message("system", fill(prompt.system, filled))] if prompt.system else []
    return (*messages, Message("user", fill(prompt.user, filled)))


def fill(template: str, values: Mapping[str, str]) -> str:
    """Fill the slots of a template; lone surrogates, which no provider can be sent, become question marks."""
    lines = []
    for line in template.split("\n"):
        alone = _SLOT.fullmatch(line)
        if alone and not values[alone[1]]:
            continue
        lines.append(_SLOT.sub(lambda match: values[match[1]], line))
    return "\n".join(lines).encode("utf-8", "replace").decode()


def message_digest(messages: Sequence[Message], token: str | None = None) -> str:
    """Return SHA-256 over the messages as they are sent, hex.

    The request token is masked: it depends on a key of this machine, and equal prompts have equal digests anywhere.
    """
    digest = hashlib.sha256()
    for message in messages:
        content = message.content
        for word in token.split("-") if token else ():
            content = content.replace(word, TOKEN_MASK)
        for part in (message.role, content, *(part for image in message.images for part in image)):
            feed(digest, part)
    return digest.hexdigest()


def swap_token(text: str, old: str, new: str) -> str:
    """Put another request token in the place of the one that a reply carries, word by word."""
    for word, other in zip(old.split("-"), new.split("-"), strict=False):
        text = text.replace(word, other)
    return text


def feed(digest: Any, part: str) -> None:
    """Feed a text to a hash, with its length before it: so no two lists of texts feed the same."""
    data = part.encode("utf-8", "replace")
    digest.update(b"%d:" % len(data))
    for at in range(0, len(data), _PIECE):  # hashlib hands the interpreter to other threads for longer ones
        digest.update(data[at : at + _PIECE])


def prompt_ref(prompt: Prompt, messages: Sequence[Message], token: str | None = None) -> PromptRef:
    """Say which prompt was sent: its name, its version, and the digest of what it became."""
    return PromptRef(prompt.name, prompt.version, message_digest(messages, token)[:16])
