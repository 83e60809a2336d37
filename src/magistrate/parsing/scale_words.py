"""What a sense, and what a number, says on a scale."""

from __future__ import annotations

from magistrate.parsing.languages import Sense
from magistrate.verdict import IssueCode, Scale, Verdict

__all__ = ["numbers_of", "verdict_of"]


def verdict_of(sense: Sense, offered: frozenset[Verdict]) -> Verdict | IssueCode:
    """What a sense is on a scale with these verdicts; OUT_OF_RANGE where the scale cannot hold it."""
    contradicted, unsupported = Verdict.CONTRADICTED in offered, Verdict.UNSUPPORTED in offered
    candidates = {
        Sense.YES: (Verdict.SUPPORTED,),
        # Where a scale has one denial, any denial is that one. Where it has both, a plain no may be either.
        Sense.NO: () if contradicted and unsupported else (Verdict.CONTRADICTED, Verdict.UNSUPPORTED),
        Sense.LACK: (Verdict.UNSUPPORTED,),
        Sense.CONTRA: (Verdict.CONTRADICTED, Verdict.UNSUPPORTED),
        Sense.UNKNOWN: (Verdict.NOT_ENOUGH_INFO,),
        Sense.PARTLY: (Verdict.PARTIALLY_SUPPORTED,),
        Sense.OFF: (),
    }[sense]
    return next((verdict for verdict in candidates if verdict in offered), IssueCode.OUT_OF_RANGE)


def numbers_of(scale: Scale, offered: frozenset[Verdict]) -> dict[float, Verdict]:
    """1 and 0 mean something on a two-valued scale only."""
    if len(offered) == 2 and Verdict.SUPPORTED in offered:  # noqa: PLR2004 - a yes and a no
        denial = next(verdict for verdict in scale.verdicts if verdict is not Verdict.SUPPORTED)
        if denial in {Verdict.UNSUPPORTED, Verdict.CONTRADICTED}:
            return {1: Verdict.SUPPORTED, 0: denial}
    return {}
