"""What a program does with Magistrate: runs, results, a judge and a metric of one's own. Needs no key.

`make lint` has mypy read it, `make types` pyright, as an editor does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from magistrate import (
    BaseJudge,
    Case,
    CaseResult,
    Faithfulness,
    MetricResult,
    Run,
    Scale,
    StatementsReply,
    StatementVerdict,
    Status,
    Verdict,
    VerdictsReply,
    aevaluate,
    evaluate,
    metric,
    score_verdicts,
)
from magistrate.parsing import VerdictReading, parse_score, parse_verdicts

# %% A run, and what is in it
cases = [
    Case(question="When does it open?", answer="It opens at nine.", contexts=["The shop opens at nine."]),
    Case(question="Who owns it?", answer="", contexts=["The shop opens at nine."]),
]
run: Run = evaluate(cases, metrics=[Faithfulness(threshold=0.8)])
for result in run.results:
    found: MetricResult = result.metrics["faithfulness"]
    score: float | None = found.score
    bounds: tuple[float, float] | None = found.bounds
    print(result.id, found.status.value, score, bounds, [verdict.verdict for verdict in found.verdicts])


# %% A judge of one's own
class WordJudge(BaseJudge):
    """Takes a statement for supported if a context holds it as it stands."""

    name = "words"

    async def extract(
        self, text: str, *, question: str | None = None, kind: str = "claims", limit: int | None = None
    ) -> StatementsReply:
        """One statement a sentence."""
        return StatementsReply(tuple(part.strip() for part in text.split(".") if part.strip())[:limit])

    async def verify(
        self,
        statements: Sequence[str],
        contexts: Sequence[str],
        *,
        question: str | None = None,
        scale: Scale | str = "ternary",
    ) -> VerdictsReply:
        """One verdict a statement."""
        verdicts = []
        for index, text in enumerate(statements):
            known = any(text in context for context in contexts)
            verdict = Verdict.SUPPORTED if known else Verdict.NOT_ENOUGH_INFO
            verdicts.append(StatementVerdict(index=index, id=f"s{index + 1}", statement=text, verdict=verdict))
        return VerdictsReply(tuple(verdicts))


# %% A metric of one's own
LONGEST = 60


@metric(threshold=1.0)
def short(case: Case) -> float:
    """Whether an answer is short."""
    return float(len(case.answer or "") < LONGEST)


async def streamed() -> list[CaseResult]:
    """Results as they come."""
    return [result async for result in aevaluate(cases, [Faithfulness(), short], WordJudge(), stream=True)]


print(sorted((result.index, result.metrics["short"].score) for result in asyncio.run(streamed())))

# %% Replies that you have
reading: VerdictReading = parse_verdicts('{"verdicts": [{"id": 1, "verdict": "yes"}]}', ["A.", "B."])
scored = score_verdicts(reading.verdicts, status=Status.PARTIAL, policy="ragas")
print(reading.status, [verdict.verdict for verdict in reading.verdicts], scored.value)
value: float | None = parse_score("Score: 4/5", 1, 5).value
row: dict[str, Any] = run.results[0].to_dict()
print(value, sorted(row))
