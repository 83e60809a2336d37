"""The verdict that a reason gives in so many words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.parsing import parse_verdicts
from magistrate.parsing.conclusions import conclusion_of, may_conclude
from magistrate.parsing.hints import names_another
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
            ("The log names nine frames. So yes.", Verdict.SUPPORTED),
            ("Ten frames, thus unsupported", Verdict.UNSUPPORTED),
            ("Nine. Make that ten. Or rather: not supported.", Verdict.UNSUPPORTED),
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


OPENINGS = [
    "",
    "So ",
    "Therefore, ",
    "Thus, so ",
    "I conclude that ",
    "- (",
    "In conclusion: ",
    "Finally, we conclude that ",
]
SUBJECTS = (
    "the claim|This statement|the second sentence|The log|the context|the given source|it|My verdict|the final answer"
    "|the label|the assertion|This summary|The provided text|my conclusion|Claim 2|fact #3"
).split("|")
PREDICATES = (
    "is supported|was false|must be no|contradicts the claim|does not support it|refutes this statement|remains true"
    "|can be considered unsupported|is yes|: no|= no|would be no|names nine frames|is dated 3.5, so it is false"
    "|is old, and thus the claim is false|is long; which means that the verdict is no"
    "|names ten, so no|says so.  Hence unsupported"
    "|is new. I mean no|is red! No, wait: it's a no"
).split("|")
BREAKS = ["", ".", "!)", " ", ". ", "!  ", "\n", ".\n\n", ", so ", ", and hence, ", "; therefore that ", "。 ", " \x1c"]
SENTENCES = st.builds("".join, st.tuples(*map(st.sampled_from, (OPENINGS, SUBJECTS, [" ", "  ", "\t"], PREDICATES))))
REASONS = st.lists(st.tuples(SENTENCES | st.text(max_size=30), st.sampled_from(BREAKS)), min_size=1, max_size=4).map(
    lambda parts: "".join(sentence + stop for sentence, stop in parts)
)


class TestQuickTest:
    """What is not looked at closely concludes nothing."""

    @given(st.lists(REASONS, min_size=1, max_size=3))
    def test_is_true_wherever_one_of_the_reasons_concludes(self, reasons: list[str]) -> None:
        if any(conclusion_of(reason, BINARY) is not None for reason in reasons):
            assert may_conclude("\n".join(reasons))

    @given(st.lists(REASONS, min_size=1, max_size=3))
    def test_is_true_wherever_one_of_the_reasons_begins_with_the_number_of_another_statement(
        self, reasons: list[str]
    ) -> None:
        if names_another(reasons):
            assert may_conclude("\n".join(reasons))

    @pytest.mark.parametrize("reason", ["half a \ud83d sign", "\udc80"])
    def test_is_true_of_what_it_cannot_read(self, reason: str) -> None:
        assert may_conclude(reason)

    @pytest.mark.parametrize(
        "reason",
        [
            "Am Rand steht: neun Rähmchen, und das steht dort seit vielen Jahren, wie jeder im Dorf weiß.",
            "巣箱は古い。",
        ],
    )
    def test_is_false_of_other_languages_too(self, reason: str) -> None:
        assert not may_conclude(reason)

    @pytest.mark.parametrize("beyond", [0, 1])
    def test_what_is_cut_off_at_the_front_of_a_long_reason_is_no_sentence(self, beyond: int) -> None:
        reason = "x" * (100 * beyond) + "The claim is false" + " and so on" * 198 + ". Nine."
        assert conclusion_of(reason[-2000 - beyond :], BINARY) is None


CONTRARY = [
    "So the answer is no.",
    "The claim was false.",
    "The context contradicts the claim.",
    "The assertion is false.",
    "My conclusion is no.",
    "This sentence is not supported.",
    "The log says ten, so it is false.",
    "The source refutes this claim.",
    "The passage does not support this claim.",
    "The summary is not supported.",
    "The verdict must be no.",
    "The log names ten frames. Verdict=no",
    "The log names ten frames. So no.",
    "The log names ten frames, hence unsupported",
    "The log names ten. Therefore: it is not supported.",
    "Nine, says the log. No wait, it's not supported.",
    "Nine, says the log... I mean no!",
    "(Thus no.)",
]


class TestReasonsOfRows:
    @pytest.mark.parametrize("reason", CONTRARY)
    @pytest.mark.parametrize("before", ["", "Verdicts below. "])
    def test_a_reply_is_read_alike_with_a_word_before_it_and_without(self, reason: str, before: str) -> None:
        reading = parse_verdicts(before + json.dumps({"verdict": "yes", "reason": reason}), HIVE)
        assert [*reading.found] == [None]

    @pytest.mark.parametrize("reason", CONTRARY)
    def test_and_the_sixth_reply_of_a_form_as_the_first(self, reason: str) -> None:
        frames = [*HIVE, "The hive is blue."]
        for number in range(6):
            said = reason if number in {0, 5} else f"Page {number}."
            rows = [{"verdict": "yes", "reason": said}, {"verdict": "no", "reason": "Page 9."}]
            found = [*parse_verdicts(json.dumps(rows), frames).found]
            assert found == [None if number in {0, 5} else Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_a_reason_that_is_another_statement_is_taken_for_it_in_any_reply_of_a_form(self) -> None:
        frames = [*HIVE, "The hive is blue."]
        for number in range(6):
            rows = [
                {"verdict": "yes", "reason": frames[1] if number in {0, 5} else f"Page {number}."},
                {"verdict": "no", "reason": frames[0] if number in {0, 5} else "Page 9."},
            ]
            found = [*parse_verdicts(json.dumps(rows), frames).found]
            right = [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
            assert found == (right[::-1] if number in {0, 5} else right)

    @pytest.mark.parametrize("wrap", ["{}", "Here it is, as asked for:\n{}", "```json\n{}\n```"])
    def test_a_reason_that_concludes_otherwise_leaves_no_verdict(self, wrap: str) -> None:
        row = {"verdict": "yes", "reason": "The statement is not supported by the log."}
        reading = parse_verdicts(wrap.replace("{}", json.dumps(row)), HIVE)
        assert reading.found == [None]
        assert IssueCode.REASON_CONTRADICTS in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize("drawn", ["So no.", "Therefore: not supported.", "No wait, it's no."])
    def test_what_the_last_words_of_an_item_draw_leaves_it_without_a_verdict(self, drawn: str) -> None:
        reading = parse_verdicts(f"1. yes - The log names ten. {drawn}\n2. no", [*HIVE, "It is old."])
        assert [*reading.found] == [None, Verdict.UNSUPPORTED]

    def test_one_that_agrees_leaves_it(self) -> None:
        row = {"verdict": "no", "reason": "The statement is not supported by the log."}
        assert parse_verdicts(json.dumps(row), HIVE).found == [Verdict.UNSUPPORTED]
