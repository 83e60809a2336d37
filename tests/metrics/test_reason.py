import pytest

from magistrate.metrics.base import compose_reason
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict

S, P, C, N, U = Verdict
TIMED_OUT = Issue(IssueCode.JUDGE_ERROR, "timed out\nafter 30 s")
LEFT_OUT = Issue(IssueCode.SENTENCE_WITHOUT_STATEMENT, "1 of 3 sentences of the answer have no statement")


def composed(status, *said, issues=()):
    """What is composed of verdicts, each with a reason where it is a pair, or without where it is a tuple of codes."""
    verdicts = []
    for index, one in enumerate(said):
        verdict, reason = one if isinstance(one, tuple) else (one, None)
        codes = reason if verdict is None else ()
        verdicts.append(
            StatementVerdict(
                index=index,
                id=f"s{index + 1}",
                statement="The ferry is free.",
                verdict=verdict,
                reason=None if verdict is None else reason,
                issues=tuple(map(Issue, codes)),
            )
        )
    return compose_reason(status, verdicts, issues)


class TestComposeReason:
    @pytest.mark.parametrize(
        ("said", "reason"),
        [
            ((S, S, S, S), "supported 4 of 4"),
            (
                ((S, "It says so."), (C, "The fare\n\n is\t3 EUR.\r\n"), N),
                "supported 1 of 3; s2 contradicted: The fare is 3 EUR.; s3 not enough info",
            ),
            ((P, (C, " \n")), "supported 0 of 2; s1 partially supported; s2 contradicted"),
            ((S, (None, [IssueCode.MISSING_VERDICT] * 2)), "supported 1 of 2; s2 without verdict: missing-verdict"),
            ((U,) * 5, "supported 0 of 5; s1 unsupported; s2 unsupported; s3 unsupported; and 2 more"),
        ],
    )
    def test_counts_the_supported_and_names_three_others_each_in_a_line(self, said, reason):
        assert composed(Status.PARTIAL, *said) == reason

    def test_a_long_reason_is_cut(self):
        for length in (200, 201, 1_000_000):
            shown = composed(Status.SCORED, (C, "x" * length)).partition("contradicted: ")[2]
            assert (len(shown), shown.endswith("…")) == (200, length > 200)

    def test_every_status_without_verdicts_has_words_of_its_own(self):
        words = {composed(status, S) for status in set(Status) - {Status.SCORED, Status.PARTIAL}}
        assert len(words) == len(Status) - 2
        assert all(words)

    def test_quotes_the_first_message_where_there_is_no_verdict_and_what_was_not_judged_where_there_is(self):
        assert "timed out after 30 s" in composed(
            Status.JUDGE_ERROR, issues=[Issue(IssueCode.REPAIRED_JSON), TIMED_OUT]
        )
        assert composed(Status.SCORED, S, issues=[TIMED_OUT]) == "supported 1 of 1"
        assert LEFT_OUT.message in composed(Status.SCORED, S, issues=[LEFT_OUT])
