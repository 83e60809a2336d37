import pytest
from tests.judging import ScriptedJudge

from magistrate.text import split_sentences


def in_text(statement, text):
    return "supported" if statement in text else "not_enough_info"


@pytest.fixture(scope="session")
def rule_judge():
    """Makes judges that follow rules: a verdict from a statement and the contexts, a grade from the graded fields."""
    return lambda verdict=in_text, **options: ScriptedJudge(verdict, claims=split_sentences, **options)
