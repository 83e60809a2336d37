"""Verdicts from letters."""

from magistrate.verdict import Issue, IssueCode, StatementVerdict, Verdict

_LETTERS = {
    "S": Verdict.SUPPORTED,
    "P": Verdict.PARTIALLY_SUPPORTED,
    "C": Verdict.CONTRADICTED,
    "N": Verdict.NOT_ENOUGH_INFO,
    "U": Verdict.UNSUPPORTED,
    "-": None,
}


def words(letters):
    """S(upported), P(artially), C(ontradicted), N(ot enough info), U(nsupported), - for none."""
    return [_LETTERS[letter] for letter in letters]


def statements(verdicts, probabilities=None):
    return [
        StatementVerdict(
            index=index,
            id=f"s{index + 1}",
            statement=f"Statement {index + 1}.",
            verdict=verdict,
            probability=None if probabilities is None else probabilities[index],
            issues=(Issue(IssueCode.MISSING_VERDICT, index=index),) if verdict is None else (),
        )
        for index, verdict in enumerate(verdicts)
    ]


def spell(letters):
    return statements(words(letters))
