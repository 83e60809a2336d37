"""Rows that take themselves back, rivals beside them, and texts about other statements."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label, parse_verdicts
from magistrate.verdict import Verdict

STATEMENTS = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U"}


def _said(reply: str, count: int = 1) -> str:
    return "".join(_LETTERS.get(one, "N") for one in parse_verdicts(reply, STATEMENTS[:count]).found)


class TestFlags:
    @pytest.mark.parametrize(
        "flag", ["abstain", "abstained", "cannot_determine", "unknown", "not_applicable", "refused"]
    )
    def test_a_flag_takes_the_verdict_back(self, flag: str) -> None:
        assert _said(f'{{"{flag}": true, "verdict": "yes"}}') == "-"
        assert _said(f'{{"{flag}": false, "verdict": "yes"}}') == "S"

    def test_in_its_own_row_only(self) -> None:
        rows = '[{"id": 1, "abstain": true, "verdict": "yes"}, {"id": 2, "abstain": false, "verdict": "no"}]'
        assert _said(rows, 2) == "-U"

    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ('{"error": "timeout", "verdict": "yes"}', "-"),
            ('{"error": null, "verdict": "yes"}', "S"),
            ('{"error": "None", "verdict": "yes"}', "S"),
            ('{"error": "The hour is off.", "factuality": false}', "U"),
            ('{"faithful": true, "score": 0}', "-"),
            ('{"faithful": true, "score": 1}', "S"),
            ('{"verdict": "yes", "verdict": {"a": 1}}', "-"),
            ('{"status": "ok"}', "-"),
            ('{"binary_score": "no"}', "U"),
            ('{"has_hallucination": false}', "S"),
            ('{"hallucination": "yes"}', "U"),
            ('{"factuality": true}', "S"),
            ('{"accuracy": 4}', "-"),
        ],
    )
    def test_what_stands_beside_it(self, reply: str, said: str) -> None:
        assert _said(reply) == said

    @pytest.mark.parametrize(
        "reply", ['[["body", 1]]', '{"detail": [{"loc": ["body", 1], "msg": "no"}]}', "0 supported", "1:", "1)"]
    )
    def test_paths_counts_and_marks_of_lists_are_no_verdicts(self, reply: str) -> None:
        assert _said(reply, 2) == "--"
        assert _said(reply) == "-"


class TestRivals:
    @pytest.mark.parametrize(
        "heads", ["Verdict A | Verdict B", "Verdict | Final verdict", "Verdict | Verdict (after review)"]
    )
    def test_two_columns_of_verdicts_must_agree(self, heads: str) -> None:
        assert _said(f"| # | {heads} |\n|---|---|---|\n| 1 | yes | yes |\n| 2 | no | yes |", 2) == "S-"

    def test_a_draft_beside_the_final_one_is_none(self) -> None:
        assert (
            _said("| # | Draft verdict | Final verdict |\n|---|---|---|\n| 1 | yes | no |\n| 2 | no | no |", 2) == "UU"
        )

    def test_a_list_for_one_statement_and_a_word_against_it(self) -> None:
        assert _said("The verdict: no\n1. yes\n2. no") == "-"
        assert _said("Here is the list:\n1. yes\n2. no") == "S"


class TestOthers:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("All but the second are supported.", "---"),
            ("Neither the first nor the second is supported.", "---"),
            ("The first but not the second is supported.", "---"),
            ("Statement 1 might be supported. Statement 2 is not supported.", "-U-"),
            ("1. Statement 2 is supported.\n2. Statement 1 is not supported.", "US-"),
            ("Statement 1 is supported, but statement 2 is not.", "SU-"),
            ("1. yes\n2 and 3. no", "SUU"),
            ("1+2: yes\n3: no", "SSU"),
            ("Explanation: six. Verdict: Yes. Explanation: red. Verdict: No. Explanation: tea. Verdict: No.", "SUU"),
        ],
    )
    def test_a_sentence_is_about_what_it_names(self, reply: str, said: str) -> None:
        assert _said(reply, 3) == said

    def test_a_verdict_before_each_repeated_statement(self) -> None:
        reply = "\n".join(f"{word}: {text}" for word, text in zip(("Yes", "No", "No"), STATEMENTS, strict=True))
        assert _said(reply, 3) == "SUU"


class TestLabels:
    @pytest.mark.parametrize(
        ("reply", "label"),
        [
            ("My vote: B", "B"),
            ("I think it is B", "B"),
            ("I think it is B, but A is close.", None),
            ("### Decision - A", "A"),
            ("[Answer] B", "B"),
            ("ANSWER: $B$", "B"),
            ("GRADE\u200b: B", "B"),
            ("A/B: B", "B"),
            ("Weaker response: B", None),
            ("The worse response is B.", None),
            ("First \\boxed{A}. But then \\boxed{B}.", None),
            ("Label: A\nI take that back.", None),
        ],
    )
    def test_ways_to_name_one(self, reply: str, label: str | None) -> None:
        assert parse_label(reply, ["A", "B"]).label == label

    def test_a_truth_value_where_it_is_a_choice(self) -> None:
        assert parse_label('{"is_correct": false}', ["true", "false"]).label == "false"
        assert parse_label('{"is_correct": false}', ["A", "B"]).label is None
