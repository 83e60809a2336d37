import pytest

from magistrate.verdict import Issue, IssueCode, StatementVerdict, Verdict

LETTERS = {
    "S": Verdict.SUPPORTED,
    "P": Verdict.PARTIALLY_SUPPORTED,
    "C": Verdict.CONTRADICTED,
    "N": Verdict.NOT_ENOUGH_INFO,
    "U": Verdict.UNSUPPORTED,
    "-": None,
}


def _spell(letters):
    return tuple(
        StatementVerdict(
            index=index,
            id=f"s{index + 1}",
            statement=f"Statement {index + 1}.",
            verdict=LETTERS[letter],
            issues=(Issue(IssueCode.MISSING_VERDICT, index=index),) if letter == "-" else (),
        )
        for index, letter in enumerate(letters)
    )


@pytest.fixture(scope="session")
def spell():
    """Verdicts from letters: S(upported), P(artially), C(ontradicted), N(ot enough info), U(nsupported), - for none."""
    return _spell


@pytest.fixture(scope="session")
def words():
    """Extra verdicts from the same letters."""
    return lambda letters: tuple(verdict for letter in letters if (verdict := LETTERS[letter]) is not None)
