"""From all answers of a reply to one verdict per statement, and why there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_label, parse_score, parse_verdicts
from magistrate.verdict import IssueCode, Verdict

Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestSeveral:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '["yes", "no"]\n["yes", "no"]',
                (
                    "ok json",
                    "s1: supported 1-6",
                    "s2: unsupported 8-12",
                    "duplicate-verdict 1: the verdict is given 2 times",
                    "duplicate-verdict 2: the verdict is given 2 times",
                ),
            ),
            (
                '["yes", "no"]\n["no", "no"]',
                (
                    "partial json",
                    "s1: None 1-6",
                    "s2: unsupported 8-12",
                    "conflicting-verdicts 1: the reply gives different verdicts",
                    "duplicate-verdict 2: the verdict is given 2 times",
                ),
            ),
            (
                '["yes", "no"]\nCorrection:\n["no", "no"]',
                (
                    "ok json",
                    "s1: unsupported 27-31",
                    "s2: unsupported 33-37",
                    "conflicting-verdicts 1: the judge withdrew an earlier verdict",
                ),
            ),
            (
                '["yes", "no"]\nCorrection: statement 2 is supported.',
                (
                    "ok json",
                    "s1: supported 1-6",
                    "s2: supported 26-51",
                    "conflicting-verdicts 2: the judge corrected an earlier verdict",
                ),
            ),
            (
                '["yes", "no"]\nStatement 2 is supported.',
                (
                    "partial json",
                    "s1: supported 1-6",
                    "s2: None 8-12",
                    "conflicting-verdicts 2: the text after the list says otherwise",
                ),
            ),
            (
                '["yes", "no"]\nSorry, I meant yes for 2.',
                (
                    "partial json",
                    "s1: supported 1-6",
                    "s2: None 8-12",
                    "conflicting-verdicts 2: the judge says that something before was a slip",
                ),
            ),
            (
                '["yes", "no"]\nI made a mistake in statement 1.',
                (
                    "partial json",
                    "s1: None 1-6",
                    "s2: unsupported 8-12",
                    "conflicting-verdicts 1: the judge takes something back and does not say what instead",
                ),
            ),
            ('["yes", "no"]\nStatement 1 is supported.', ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            (
                '1. yes\n2. no\n\n{"verdicts": ["yes", "no"]}',
                ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12"),
            ),
            (
                '{"id": 1, "verdict": "yes"}\n{"id": 2, "verdict": "no"}',
                ("ok json", "s1: supported 0-27", "s2: unsupported 28-54"),
            ),
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 1, "verdict": "maybe"}, {"id": 2, "verdict": "no"}]',
                (
                    "partial json",
                    "s1: None 1-28",
                    "s2: unsupported 61-87",
                    "conflicting-verdicts 1: the reply gives a verdict and something else",
                ),
            ),
            (
                '[{"id": 1, "verdict": "yes"}, {"id": 1}, {"id": 2, "verdict": "no"}]',
                ("ok json", "s1: supported 1-28", "s2: unsupported 41-67"),
            ),
            (
                '[{"id": 1, "verdict": "perhaps"}, {"id": 2, "verdict": 7}]',
                (
                    "unparseable None",
                    "s1: None 1-32 json",
                    "s2: None 34-57 json",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "unknown-label 1: 'perhaps' is no word of any scale",
                    "out-of-range 2: 7 is not on the scale",
                ),
            ),
            (
                (
                    '[{"id": 1, "verdict": "yes", "reason": "It says so. Verdict: no"}, {"id": 2, "verdict": '
                    '"no", "reason": "So. Verdict: no"}]'
                ),
                (
                    "partial json",
                    "s1: None 1-65 because 'It says so. Verdict: no'",
                    "s2: unsupported 67-122 because 'So. Verdict: no'",
                    "conflicting-verdicts 1: 'yes' says more than one thing",
                    "reason-contradicts 1: its reason ends in another verdict",
                ),
            ),
            (
                "1. yes\n2. no\n\nThe list above is wrong.\n\n1. no\n2. no",
                (
                    "ok numbered",
                    "s1: unsupported 40-45",
                    "s2: unsupported 46-51",
                    "conflicting-verdicts 1: the judge withdrew an earlier verdict",
                ),
            ),
            (
                'Example: ["no", "no"]\n\nMine: ["yes", "no"]',
                ("ok json", "s1: supported 30-35", "s2: unsupported 37-41"),
            ),
            (
                'First attempt: ["no", "no"]\n\nFinal: ["yes", "no"]',
                ("ok json", "s1: supported 37-42", "s2: unsupported 44-48"),
            ),
            ('["yes", "no"]\n\nThe text says ["no", "no"].', ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            ('["yes", "no"] Wait, actually both hold.', ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
        ],
    )
    def test_answers_agree_or_give_none(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestWhyNone:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "I cannot help with that.",
                (
                    "refusal None",
                    "s1: None",
                    "s2: None",
                    "refusal: the judge refused",
                    "count-mismatch: 0 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                '[{"id": 1, "verdict": "yes"}',
                (
                    "partial repaired-json",
                    "s1: supported 1-28",
                    "s2: None",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "repaired-json: the reply had to be mended: missing-bracket",
                    "uncertain-end: the answer is complete, but its closing brackets are missing",
                    "missing-verdict 2: the reply says nothing of this statement",
                    "missing-bracket 28",
                ),
            ),
        ],
    )
    def test_the_status_says_what_is_missing(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2]) == told


class TestNoStatements:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('["yes"]', ("empty None", "extra supported", "count-mismatch: 1 verdicts for 0 statements")),
        ],
    )
    def test_none_asked_and_none_read(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:0]) == told


class TestEnds:
    @pytest.mark.parametrize(
        ("reply", "finish_reason", "told"),
        [
            ('["yes", "no"]', "length", ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            (
                "1. yes\n2. no",
                "length",
                (
                    "partial numbered",
                    "s1: supported 0-6",
                    "s2: None 7-12",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "truncated: the reply was cut off",
                    "truncated 2: the verdict was cut off",
                ),
            ),
            (
                "",
                "length",
                (
                    "empty None",
                    "s1: None",
                    "s2: None",
                    "truncated: the reply was cut off",
                    "empty-reply: the reply holds no answer",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                "yes",
                "length",
                (
                    "truncated None",
                    "s1: None",
                    "s2: None",
                    "truncated: the reply was cut off",
                    "count-mismatch: 0 verdicts for 2 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                "Final verdict for each statement in order: Yes. No.",
                "length",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50", "truncated: the reply was cut off"),
            ),
            (
                "yes\nno",
                "length",
                (
                    "partial words",
                    "s1: supported 0-3",
                    "s2: None",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "truncated: the reply was cut off",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                "1: yes, 2: no",
                "length",
                (
                    "partial numbered",
                    "s1: supported 3-7",
                    "s2: None",
                    "count-mismatch: 1 verdicts for 2 statements",
                    "truncated: the reply was cut off",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            ("| 1 | yes |\n| 2 | no |", "length", ("ok table", "s1: supported 1-10", "s2: unsupported 13-21")),
            (
                "1. yes - it is so, as the text says\n2. no - it sa",
                "length",
                ("ok numbered", "s1: supported 0-35", "s2: unsupported 36-49"),
            ),
            ('["yes", "no"]', "content_filter", ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            (
                "",
                "content_filter",
                (
                    "refusal None",
                    "s1: None",
                    "s2: None",
                    "truncated: the reply was cut off",
                    "refusal: the judge refused",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            ("| 1 | yes |\n| 2 | no |", "content_filter", ("ok table", "s1: supported 1-10", "s2: unsupported 13-21")),
            (
                "1. yes - it is so, as the text says\n2. no - it sa",
                "content_filter",
                ("ok numbered", "s1: supported 0-35", "s2: unsupported 36-49"),
            ),
            ('["yes", "no"]', "stop", ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            ("1. yes\n2. no", "stop", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("1. yes\n2. no.", "stop", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-13")),
            ("1. yes\n2. no\n", "stop", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            (
                "Final verdict for each statement in order: Yes. No",
                "stop",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50"),
            ),
            (
                "Final verdict for each statement in order: Yes. No.",
                "stop",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50"),
            ),
            ("verdicts:\n- yes\n- no", "stop", ("ok legacy-final", "s1: supported 10-15", "s2: unsupported 16-20")),
            ("yes\nno", "stop", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6")),
            ("yes\nno\n", "stop", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6")),
            ("1: yes, 2: no", "stop", ("ok numbered", "s1: supported 3-7", "s2: unsupported 11-13")),
            ("| 1 | yes |\n| 2 | no |", "stop", ("ok table", "s1: supported 1-10", "s2: unsupported 13-21")),
            (
                "1. yes - it is so, as the text says\n2. no - it sa",
                "stop",
                ("ok numbered", "s1: supported 0-35", "s2: unsupported 36-49"),
            ),
            ('["yes", "no"]', "refusal", ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
            ("1. yes\n2. no", "refusal", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            ("1. yes\n2. no.", "refusal", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-13")),
            ("1. yes\n2. no\n", "refusal", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-12")),
            (
                "Final verdict for each statement in order: Yes. No",
                "refusal",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50"),
            ),
            (
                "Final verdict for each statement in order: Yes. No.",
                "refusal",
                ("ok legacy-final", "s1: supported 43-46", "s2: unsupported 48-50"),
            ),
            ("verdicts:\n- yes\n- no", "refusal", ("ok legacy-final", "s1: supported 10-15", "s2: unsupported 16-20")),
            ("yes\nno", "refusal", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6")),
            ("yes\nno\n", "refusal", ("ok words", "s1: supported 0-3", "s2: unsupported 4-6")),
            ("1: yes, 2: no", "refusal", ("ok numbered", "s1: supported 3-7", "s2: unsupported 11-13")),
            ("| 1 | yes |\n| 2 | no |", "refusal", ("ok table", "s1: supported 1-10", "s2: unsupported 13-21")),
            (
                "1. yes - it is so, as the text says\n2. no - it sa",
                "refusal",
                ("ok numbered", "s1: supported 0-35", "s2: unsupported 36-49"),
            ),
        ],
    )
    def test_the_end_signal_is_read_first(
        self, reply: str, finish_reason: Any, told: tuple[str, ...], tell_verdicts: Tell
    ) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2], finish_reason=finish_reason) == told


class TestRefusal:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('["yes", "no"]', ("ok json", "s1: supported 1-6", "s2: unsupported 8-12")),
        ],
    )
    def test_the_providers_word_counts_where_nothing_was_answered(
        self, reply: str, told: tuple[str, ...], tell_verdicts: Tell
    ) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2], refusal="I will not.") == told


class TestToken:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                '{"token": "k7Q", "verdicts": ["yes", "no"]}',
                ("ok json", "s1: supported 30-35", "s2: unsupported 37-41"),
            ),
            (
                '{"token": "zzz", "verdicts": ["yes", "no"]}',
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "token-missing: no answer in the reply carries the request token",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                '{"verdicts": ["yes", "no"]}',
                (
                    "ok json",
                    "s1: supported 14-19",
                    "s2: unsupported 21-25",
                    "token-missing: no answer in the reply carries the request token",
                ),
            ),
            (
                '{"verdicts": ["no", "no"]}\n{"token": "k7Q", "verdicts": ["yes", "no"]}',
                ("ok json", "s1: supported 57-62", "s2: unsupported 64-68"),
            ),
            ("1. yes\n2. no\nk7Q", ("ok numbered", "s1: supported 0-6", "s2: unsupported 7-16")),
            ('{"token": "k7Q", "1": "yes", "2": "no"}', ("ok json", "s1: supported 22-27", "s2: unsupported 34-38")),
            (
                '{"token": "k7Q", "verdicts": ["yes", "no"]}\nCorrection: statement 2 is supported.',
                ("ok json", "s1: supported 30-35", "s2: unsupported 37-41"),
            ),
        ],
    )
    def test_only_what_carries_it_counts(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:2], token="k7Q") == told


class TestTakenBack:
    @pytest.mark.parametrize(
        "words", ["I take that back.", "I take it back", "I have to take this back.", "Wait. I took my list back."]
    )
    def test_what_the_judge_takes_back_in_words_is_no_verdict(self, words: str) -> None:
        reading = parse_verdicts(f'["yes", "no"]\n\n{words}', STATEMENTS[:2])
        assert list(reading.found) == [None, None]
        assert {issue.code for issue in reading.issues} == {IssueCode.CONFLICTING_VERDICTS}

    def test_nor_a_score_or_a_label(self) -> None:
        for reply in ('{"score": 4}\n\nI take that back.', '{"score": 4}\nOn second thought:\n{"score": 3'):
            assert parse_score(reply, 1, 5).value is None
        assert parse_label('{"winner": "A"}\nI take it back.', ["A", "B"]).label is None
        assert parse_score("Score: 4\nReason: upon review, it is dry.", 1, 5).value == 4.0


class TestCorrectedLists:
    FIRST = "1. yes\n2. no\n"
    STATEMENTS = ("The ferry runs at noon.", "The pier is made of oak.")

    @pytest.mark.parametrize(
        "words",
        [
            "Wait, that is wrong. Corrected:",
            "Corrected:",
            "**Corrected:**",
            "Correction:",
            "Corrected verdicts:",
            "Revised verdicts:",
            "Let me redo this.",
            "Here is the corrected list:\n",
        ],
    )
    @pytest.mark.parametrize("form", ["numbered", "json"])
    def test_the_later_counts_where_words_of_correction_stand_between(self, words: str, form: str) -> None:
        first, second = self.FIRST, self.FIRST.replace("no", "yes")
        if form == "json":
            first, second = '{"1": "yes", "2": "no"}\n', '{"1": "yes", "2": "yes"}'
        for gap in ("", "\n"):
            reading = parse_verdicts(f"{first}{gap}{words}\n{second}", self.STATEMENTS)
            assert [one.verdict for one in reading.verdicts] == [Verdict.SUPPORTED] * 2
            assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}

    @pytest.mark.parametrize("words", ["", "So:", "Wait:", "Verdicts:", "No, that is wrong, said the mayor."])
    def test_without_such_words_they_conflict(self, words: str) -> None:
        reading = parse_verdicts(f"{self.FIRST}\n{words}\n{self.FIRST.replace('no', 'yes')}", self.STATEMENTS)
        assert reading.verdicts[1].verdict is None

    @pytest.mark.parametrize(
        "words", ["I take that back.", "Wait, that is wrong.", "I made a mistake in the list.", "Scratch that."]
    )
    def test_a_list_that_is_taken_back_right_below_it_is_none(self, words: str) -> None:
        assert parse_verdicts(f"{self.FIRST}{words}", self.STATEMENTS).found == [None, None]

    @pytest.mark.parametrize("words", ["Correction: it was built of pine.", "  I take it that pine was used."])
    def test_a_reason_below_its_last_item_takes_nothing_back(self, words: str) -> None:
        found = parse_verdicts(f"{self.FIRST}{words}", self.STATEMENTS).found
        assert found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]

    def test_words_between_two_items_take_back_the_one_before(self) -> None:
        reply = self.FIRST.replace("\n", "\nWait, that is wrong.\n", 1)
        assert parse_verdicts(reply, self.STATEMENTS).found == [None, Verdict.UNSUPPORTED]
