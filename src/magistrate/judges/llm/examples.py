"""Labelled examples for a judge's prompt."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from magistrate.errors import ConfigurationError
from magistrate.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Example:
    """A statement whose verdict is known, as a judge is shown it.

    Args:
        statement: The statement.
        verdict: Its verdict; shown where the scale offers it.
        contexts: The passages that it was judged by.
        reason: Why, in a few words.
    """

    statement: str
    verdict: Verdict
    contexts: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def text(self) -> str:
        """What stands in the prompt."""
        because = f" ({self.reason})" if self.reason else ""
        return "\n".join((*self.contexts, f"Statement: {self.statement}", f"Verdict: {self.verdict.value}{because}"))

    @property
    def fingerprint(self) -> str:
        """First 16 hex digits of SHA-256 over the text: what serves as an example can be told from it."""
        return hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()[:16]


def load_examples(path: str | Path) -> tuple[Example, ...]:
    """Read labelled examples: JSON Lines with statement, verdict and, if wanted, contexts and reason."""
    read = TypeAdapter(Example).validate_json
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"the examples in {path} cannot be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(read(line))
            except ValidationError as error:
                why = "; ".join(f"{'.'.join(map(str, one['loc']))} {one['msg']}" for one in error.errors()[:3])
                raise ConfigurationError(f"{path}:{number} is no example with statement and verdict: {why}") from None
    return tuple(found)
