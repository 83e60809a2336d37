"""Several judges that answer as one, and the panel among them, which votes."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any, Final, Self

from magistrate.errors import ConfigurationError
from magistrate.judges._questions import Extract, Grade, Question, Verify
from magistrate.judges.base import BaseJudge, Judge, as_judge, can_grade, name_of, never_says, together
from magistrate.judges.repeated import combined
from magistrate.records import Usage
from magistrate.verdict import Verdict

RULES: Final = ("majority", "unanimous")


class SeveralJudges(BaseJudge):
    """What judges made of others have in common: the others are closed, described, repeated and estimated with them."""

    def __init__(self, name: str, judges: Sequence[Judge]) -> None:
        self.name = name
        self.members = tuple(map(as_judge, judges))
        names = [member.name for member in self.members]
        if len(names) < 2 or len(set(names)) < len(names):  # noqa: PLR2004 - two at least
            raise ConfigurationError(f"{name}: two judges or more are needed, each named once")

    @property
    def caches(self) -> bool:
        """Whether one of the judges keeps raw completions."""
        return any(getattr(member, "caches", False) for member in self.members)

    @property
    def budget(self) -> Any:
        """What the judges may spend together; None where nothing is said."""
        return next((found for member in self.members if (found := getattr(member, "budget", None))), None)

    @property
    def usage(self) -> Usage:
        """What all questions would cost, where the judges only estimate."""
        return sum((getattr(member, "usage", Usage()) for member in self.members), Usage())

    @property
    def never_says(self) -> frozenset[Verdict]:
        """The verdicts that none of the judges ever gives."""
        return frozenset.intersection(*map(never_says, self.members))

    def describe(self) -> dict[str, Any]:
        """What identifies it, beside its judges."""
        return {"name": self.name}

    def repeated(self, number: int) -> Self:
        """The same with every judge for another repetition."""
        return self._with([m.repeated(number) if hasattr(m, "repeated") else m for m in self.members])

    def estimating(self, *, cached: bool = True) -> Self:
        """The same with judges that make no call and add up what theirs would cost."""
        return self._with([m.estimating(cached=cached) if hasattr(m, "estimating") else m for m in self.members])

    def _with(self, members: Sequence[Any]) -> Self:
        other = copy.copy(self)
        other.members = tuple(members)
        return other

    async def close(self) -> None:
        """Close the judges that can be closed."""
        for member in self.members:
            closing = getattr(member, "close", None)
            made = closing() if callable(closing) else None
            if inspect.isawaitable(made):
                await made

    async def ask_all(self, question: Question[Any]) -> list[Any]:
        """The reply of each judge, asked at the same time."""
        return await together([member.ask(question) for member in self.members])


class PanelJudge(SeveralJudges):
    """Judges that vote on each statement; every vote is kept, and one that is split has the issue `split-panel`.

    Statements are those that the first judge finds. A grade is the median of the grades.

    Args:
        judges: Two or more.
        rule: "majority": the verdict of more than half, none without such; "unanimous": the verdict of all, or none.

    Raises:
        ConfigurationError: If there is no such rule, or the judges are fewer.
    """

    def __init__(self, judges: Sequence[Judge], *, rule: str = "majority") -> None:
        super().__init__(f"panel:{'+'.join(map(name_of, judges))}", judges)
        if rule not in RULES:
            raise ConfigurationError(f"a panel's rule is {' or '.join(RULES)}, not {rule!r}")
        self.rule = rule

    @property
    def can_grade(self) -> bool:
        """Whether all of them can."""
        return all(map(can_grade, self.members))

    def describe(self) -> dict[str, Any]:
        """What identifies it, beside its judges."""
        return {**super().describe(), "rule": self.rule}

    async def ask(self, question: Question[Any], /) -> Any:
        """Ask all for verdicts and grades, the first for statements."""
        match question:
            case Extract():
                return await self.members[0].ask(question)
            case Verify() | Grade():
                replies = await self.ask_all(question)
            case _:
                raise ConfigurationError(f'{self.name} gives verdicts and grades alone: mode="batched"')
        names = [member.name for member in self.members]
        return combined(replies, question, names, unanimous=self.rule == "unanimous")
