"""The offline judge: lexical grounding without a key, a model or a call."""

from magistrate.judges._questions import Verify
from magistrate.judges._replies import VerdictsReply, unjudged
from magistrate.judges._sentences import SentenceJudge, reply_of
from magistrate.judges.lexical import judge_statements, read_contexts
from magistrate.verdict import IssueCode, Verdict


class OfflineJudge(SentenceJudge):
    """A judge that compares words: no key, no model, no call, the same answer every time.

    It says `supported` where the contexts hold most of a statement's terms in much the same order, all its numbers and
    all its names; else `not_enough_info` (`unsupported` on a binary scale). Each verdict carries P(supported), the
    sentence of the contexts that holds most of the statement, and what is missing.

    What it does not do: see contradiction ("opens at 9" against "opens at 10" is a missing number to it, "is not open"
    against "is open" is support, flagged `low-confidence`), read meaning, or grade by a rubric. It gives no verdict,
    and says why, where words cannot settle it: a statement in another language than the contexts (`language-mismatch`),
    and one about what the source lacks ("the passage does not say when").

    Measured on nine labelled English sets (benchmarks/fit_grounding.py, each set with constants fitted on the others):
    mean AUC 0.80, from 0.53 (contradictions made by small edits) and 0.61 (experts on cited claims) to 0.93. Treat it
    as a smoke test.
    """

    name = "offline"
    never_says = frozenset({Verdict.CONTRADICTED, Verdict.PARTIALLY_SUPPORTED})
    _no_grade = "the offline judge compares words and cannot grade by a rubric; choose a model"

    def _judge_all(self, asked: Verify) -> VerdictsReply:
        read, none = read_contexts(asked.contexts), "there is no context to look the statement up in"
        if read.texts:
            return reply_of([*judge_statements(asked.statements, read, asked.scale)], without_context=False)
        missing = [unjudged(at, text, IssueCode.MISSING_VERDICT, none) for at, text in enumerate(asked.statements)]
        return reply_of(missing, without_context=True)
