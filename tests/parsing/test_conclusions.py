"""The verdict that a reason gives in so many words."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.conclusions import conclusion_of, may_conclude
from magistrate.parsing.vocabulary import vocabulary_of
from magistrate.verdict import IssueCode, Verdict

BINARY = vocabulary_of("binary")
HIVE = ["The hive holds nine frames."]


class TestConclusionOf:
    @pytest.mark.parametrize(
        ("reason", "verdict"),
        [
            ("The statement is not supported by the log.", Verdict.UNSUPPORTED),
            ("The log says ten. The claim is false.", Verdict.UNSUPPORTED),
            ("Therefore the verdict is no.", Verdict.UNSUPPORTED),
            ("The log says nine, so the answer is: supported", Verdict.SUPPORTED),
            ("The context contradicts the statement.", Verdict.UNSUPPORTED),
            ("This is stated in the log, so it is supported.", Verdict.SUPPORTED),
            ("The log names nine frames. Verdict: yes", Verdict.SUPPORTED),
        ],
    )
    def test_whole_sentences_about_the_statement_conclude(self, reason: str, verdict: Verdict) -> None:
        assert conclusion_of(reason, BINARY) is verdict

    @pytest.mark.parametrize(
        "reason",
        [
            "",
            "The log names nine frames.",
            "The log says that the statement is false in part.",
            "At first sight the statement is not supported. However, page two names nine frames.",
            "If the log is right, the statement is supported.",
            "The statement is supported. The statement is not supported.",
            "Nothing in the log supports this.",
        ],
    )
    def test_others_do_not(self, reason: str) -> None:
        assert conclusion_of(reason, BINARY) is None

    @pytest.mark.parametrize("sign", [":", "=", " = ", "："])
    def test_a_label_at_the_end_has_a_sign(self, sign: str) -> None:
        assert conclusion_of(f"The log names nine frames. Verdict{sign}yes", BINARY) is Verdict.SUPPORTED

    @pytest.mark.parametrize("lead", ['"', "(", "- ", "**", "            ", "Therefore, I conclude that "])
    def test_what_stands_before_the_sentence_does_not_matter(self, lead: str) -> None:
        assert conclusion_of(f"{lead}the statement is false.", BINARY) is Verdict.UNSUPPORTED

    @pytest.mark.parametrize("sentence", ["The answer is 7.", "The verdict is unclear.", "The statement is unclear."])
    def test_no_word_of_the_scale_is_no_conclusion(self, sentence: str) -> None:
        assert conclusion_of(sentence, BINARY) is None

    def test_a_clause_far_behind_another_subject_is_none(self) -> None:
        assert conclusion_of("The claim names nine frames and the page is all about hives, it is true", BINARY) is None

    @pytest.mark.parametrize(
        "reason", ["The claim is false.", "In sum the verdict is no.", "This statement was refuted.", "Answer: no"]
    )
    def test_where_something_is_concluded_the_quick_test_says_so(self, reason: str) -> None:
        assert may_conclude(reason)

    @pytest.mark.parametrize(
        "reason", ["", "Nine frames.", "The hive is old.", "A claim of nine frames.", "A claim on it is made."]
    )
    def test_where_nothing_can_be_the_quick_test_mostly_says_that(self, reason: str) -> None:
        assert not may_conclude(reason)

    def test_a_quick_test_comes_first(self) -> None:
        assert may_conclude("The statement is not supported.")
        assert may_conclude("Verdict: no")
        assert not may_conclude("The log names nine frames.")


class TestReasonsOfRows:
    @pytest.mark.parametrize("wrap", ["{}", "Here it is, as asked for:\n{}", "```json\n{}\n```"])
    def test_a_reason_that_concludes_otherwise_leaves_no_verdict(self, wrap: str) -> None:
        row = {"verdict": "yes", "reason": "The statement is not supported by the log."}
        reading = parse_verdicts(wrap.replace("{}", json.dumps(row)), HIVE)
        assert reading.found == [None]
        assert IssueCode.REASON_CONTRADICTS in {issue.code for issue in reading.issues}

    def test_one_that_agrees_leaves_it(self) -> None:
        row = {"verdict": "no", "reason": "The statement is not supported by the log."}
        assert parse_verdicts(json.dumps(row), HIVE).found == [Verdict.UNSUPPORTED]
