import pytest

from magistrate.metrics.base import compose_reason
from magistrate.verdict import Issue, IssueCode, StatementVerdict, Status, Verdict


def said(index, verdict, reason=None, *issues):
    return StatementVerdict(
        index=index,
        id=f"s{index + 1}",
        statement="The ferry is free.",
        verdict=verdict,
        reason=reason,
        issues=tuple(Issue(code) for code in issues),
    )


def all_of(verdict, count):
    return [said(index, verdict) for index in range(count)]


class TestComposeReason:
    def test_counts_the_supported_and_names_the_others_with_the_judges_reason(self):
        verdicts = [
            said(0, Verdict.SUPPORTED, "The timetable says so."),
            said(1, Verdict.CONTRADICTED, "The fare is 3 EUR."),
            said(2, Verdict.NOT_ENOUGH_INFO),
        ]
        assert (
            compose_reason(Status.SCORED, verdicts)
            == "supported 1 of 3; s2 contradicted: The fare is 3 EUR.; s3 not enough info"
        )

    def test_says_only_the_count_where_all_are_supported(self):
        assert compose_reason(Status.SCORED, all_of(Verdict.SUPPORTED, 4)) == "supported 4 of 4"

    def test_a_statement_without_verdict_is_named_with_its_issues_each_once(self):
        codes = (IssueCode.CONFLICTING_VERDICTS, IssueCode.MISSING_VERDICT, IssueCode.CONFLICTING_VERDICTS)
        verdicts = [said(0, Verdict.PARTIALLY_SUPPORTED), said(1, None, None, *codes)]
        assert (
            compose_reason(Status.PARTIAL, verdicts)
            == "supported 0 of 2; s1 partially supported; s2 without verdict: conflicting-verdicts, missing-verdict"
        )

    def test_names_three_and_counts_the_rest(self):
        assert (
            compose_reason(Status.SCORED, all_of(Verdict.UNSUPPORTED, 3))
            == "supported 0 of 3; s1 unsupported; s2 unsupported; s3 unsupported"
        )
        assert (
            compose_reason(Status.SCORED, all_of(Verdict.UNSUPPORTED, 5))
            == "supported 0 of 5; s1 unsupported; s2 unsupported; s3 unsupported; and 2 more"
        )

    def test_a_reason_is_one_line(self):
        verdicts = [said(0, Verdict.CONTRADICTED, "  The fare\n\n is\t3 EUR.\r\n")]
        assert compose_reason(Status.SCORED, verdicts) == "supported 0 of 1; s1 contradicted: The fare is 3 EUR."

    def test_a_blank_reason_is_left_out(self):
        assert (
            compose_reason(Status.SCORED, [said(0, Verdict.CONTRADICTED, " \n")]) == "supported 0 of 1; s1 contradicted"
        )

    def test_a_long_reason_is_cut(self):
        prefix = "supported 0 of 1; s1 contradicted: "
        exact = compose_reason(Status.SCORED, [said(0, Verdict.CONTRADICTED, "x" * 200)])
        assert exact == prefix + "x" * 200
        cut = compose_reason(Status.SCORED, [said(0, Verdict.CONTRADICTED, "x" * 198 + " yy")])
        assert cut == prefix + "x" * 198 + "…"
        cut = compose_reason(Status.SCORED, [said(0, Verdict.CONTRADICTED, "x" * 201)])
        assert cut == prefix + "x" * 199 + "…"
        assert len(compose_reason(Status.SCORED, [said(0, Verdict.CONTRADICTED, "ab " * 400_000)])) <= len(prefix) + 200

    @pytest.mark.parametrize(
        ("status", "reason"),
        [
            (Status.VACUOUS, "no statements to judge"),
            (Status.NO_CONTEXT, "no context to judge against"),
            (Status.NO_ANSWER, "no answer to judge"),
            (Status.REFUSED, "the judge refused"),
            (Status.TRUNCATED, "the judge's reply was cut off"),
            (Status.CONTEXT_TRUNCATED, "the judge may not have seen the whole prompt"),
            (Status.UNPARSEABLE, "the judge's reply could not be read"),
            (Status.OUT_OF_RANGE, "the judge's verdicts are off the scale"),
            (Status.JUDGE_ERROR, "the call to the judge failed"),
            (Status.OVER_BUDGET, "the budget was spent"),
            (Status.MISSING_INPUT, "the case lacks an input of the metric"),
            (Status.NOT_RUN, "the case was not reached"),
        ],
    )
    def test_says_why_there_is_no_verdict(self, status, reason):
        assert compose_reason(status, all_of(Verdict.SUPPORTED, 2)) == reason

    def test_every_status_has_words(self):
        assert all(compose_reason(status) for status in Status)

    def test_quotes_the_first_message_where_there_is_no_verdict(self):
        issues = [
            Issue(IssueCode.REPAIRED_JSON),
            Issue(IssueCode.JUDGE_ERROR, "timed out\nafter 30 s"),
            Issue(IssueCode.JUDGE_ERROR, "again"),
        ]
        assert compose_reason(Status.JUDGE_ERROR, (), issues) == "the call to the judge failed (timed out after 30 s)"
        assert compose_reason(Status.SCORED, all_of(Verdict.SUPPORTED, 1), issues) == "supported 1 of 1"

    def test_says_how_much_of_the_answer_was_not_judged(self):
        left = Issue(
            IssueCode.SENTENCE_WITHOUT_STATEMENT, "1 of 3 sentences of the answer have no statement: 'It is old.'"
        )
        reason = compose_reason(Status.SCORED, all_of(Verdict.SUPPORTED, 2), [left])
        assert reason == "supported 2 of 2; 1 of 3 sentences of the answer have no statement: 'It is old.'"
