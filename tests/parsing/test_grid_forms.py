"""Tables of every form: across, with rivals of a column, as groups, without bars; and what is no table of verdicts."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

MILL = ["The mill grinds rye.", "It was built in 1804.", "Its wheel is oak."]
_LETTERS = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U"}
RULE = "|---|---|---|\n"


def _said(reply: str, count: int = 2) -> str:
    return "".join(_LETTERS[one] for one in parse_verdicts(reply, MILL[:count]).found)


def _format(reply: str, count: int = 2) -> str | None:
    return parse_verdicts(reply, MILL[:count]).format


class TestAcross:
    @pytest.mark.parametrize("name", ["", "#", "ID", "Statement"])
    def test_statements_may_stand_side_by_side(self, name: str) -> None:
        assert _said(f"| {name} | 2 | 1 |\n{RULE}| Verdict | yes | no |") == "US"

    def test_with_their_reasons_below(self) -> None:
        reply = f"| ID | 2 | 1 |\n{RULE}| Verdict | yes | no |\n| Reason | The ledger. | The map. |"
        assert [one.reason for one in parse_verdicts(reply, MILL[:2]).verdicts] == ["The map.", "The ledger."]


class TestRivals:
    @pytest.mark.parametrize("name", ["Final verdict", "Judge 2", "Decision", "Label"])
    def test_two_columns_of_verdicts_must_agree(self, name: str) -> None:
        assert _said(f"| Statement | Verdict | {name} |\n{RULE}| 1 | yes | no |\n| 2 | no | no |") == "-U"

    @pytest.mark.parametrize("name", ["Initial verdict", "First verdict", "Draft verdict"])
    def test_a_draft_is_none(self, name: str) -> None:
        assert _said(f"| Statement | {name} | Verdict |\n{RULE}| 1 | yes | no |\n| 2 | no | no |") == "UU"

    def test_a_row_may_lack_it(self) -> None:
        assert _said(f"| Statement | Verdict | Judge 2 |\n{RULE}| 1 | yes | yes |\n| 2 | no |") == "SU"


class TestHeads:
    @pytest.mark.parametrize("name", ["#", "№", "No.", "ID", "Case"])
    def test_of_numbers(self, name: str) -> None:
        assert _said(f"| {name} | Verdict |\n|---|---|\n| 2 | yes |\n| 1 | no |") == "US"

    @pytest.mark.parametrize("name", ["Verdict", "Verdict?", "Check", "OK", "Pass/Fail", "Y/N"])
    def test_of_verdicts(self, name: str) -> None:
        assert _said(f"| # | {name} |\n|---|---|\n| 2 | yes |\n| 1 | no |") == "US"

    def test_alone_say_nothing(self) -> None:
        assert _said("| Statement | Verdict |\n|---|---|", 1) == "-"

    @pytest.mark.parametrize("rule", ["|---|---|\n", ""])
    def test_that_ask_for_the_contrary_give_none(self, rule: str) -> None:
        assert _said(f"| Statement | Hallucinated |\n{rule}| 1 | yes |\n| 2 | no |") == "--"
        assert _said(f"| Statement | Hallucinated |\n{rule}| 1 | yes |", 1) == "-"


class TestGroups:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("| Supported | 1, 3 |\n|---|---|\n| Unsupported | 2 |", "SUS"),
            ("| Supported | 1, 2, 3 |\n|---|---|\n| Unsupported | - |", "SSS"),
            ("| Supported | — |\n|---|---|\n| Unsupported | 1-3 |", "UUU"),
            ("| Supported | Unsupported |\n|---|---|\n| 1-3 | – |", "SSS"),
        ],
    )
    def test_list_the_statements_of_each_verdict(self, reply: str, said: str) -> None:
        assert _said(reply, 3) == said
        assert _format(reply, 3) == "groups"

    def test_that_list_none_say_nothing(self) -> None:
        assert _said("| Supported | - |\n|---|---|\n| Unsupported | — |", 3) == "---"


class TestWithoutBars:
    @pytest.mark.parametrize(
        ("reply", "form"),
        [
            ("statement,verdict\n2,yes\n1,no", "csv"),
            ("case,verdict\n2,yes\n1,no", "csv"),
            ("id\tverdict\n2\tyes\n1\tno", "table"),
            ("id  verdict\n2   yes\n1   no", "table"),
            (f"statement,verdict\n{MILL[1]},yes\n{MILL[0]},no", "csv"),
        ],
    )
    def test_a_head_of_known_names_makes_a_table(self, reply: str, form: str) -> None:
        assert (_said(reply), _format(reply)) == ("US", form)

    @pytest.mark.parametrize("reply", ["topic,verdict\n1804,yes\nrye,no", "a,b,verdict\nx,y,yes\nz,w,no"])
    def test_unknown_names_do_not(self, reply: str) -> None:
        assert _said(reply) == "--"


class TestSeveral:
    def test_tables_are_put_together(self) -> None:
        head = "| # | Verdict |\n|---|---|\n"
        assert _said(f"{head}| 1 | yes |\n\n{head}| 2 | no |") == "SU"

    def test_a_row_of_another_kind_ends_one(self) -> None:
        assert _said("| # | Verdict |\n|---|---|\n| 1 | yes |\n2\tno") == "SU"


class TestRepeatedStatements:
    @pytest.mark.parametrize(
        "reply",
        [
            f"| # | Statement | Verdict |\n{RULE}| 1 | {MILL[1]} | yes |\n| 2 | {MILL[0]} | no |",
            f"| Claim | Verdict |\n|---|---|\n| 1. {MILL[1]} | yes |\n| 2. {MILL[0]} | no |",
            f"| Claim | Verdict |\n|---|---|\n| “{MILL[1]}” | yes |\n| “{MILL[0]}” | no |",
        ],
    )
    def test_count_before_the_numbers_of_the_rows(self, reply: str) -> None:
        assert _said(reply) == "US"


class TestTicks:
    HEAD = f"| Statement | Supported | Unsupported |\n{RULE}"

    @pytest.mark.parametrize(("tick", "cross"), [("✓", "✗"), ("✔", "✘"), ("✓", "x"), ("☑", "☒")])
    def test_a_cross_beside_a_tick_denies(self, tick: str, cross: str) -> None:
        assert _said(f"{self.HEAD}| 1 | {tick} |  |\n| 2 | {cross} |  |") == "S-"
        assert _said(f"{self.HEAD}| 1 | {tick} | {cross} |\n| 2 | {cross} | {tick} |") == "SU"
        assert _said(f"{self.HEAD}| 1 | {tick} |  |\n| 2 | {cross} | {cross} |") == "S-"

    @pytest.mark.parametrize("cross", ["✗", "✘"])
    def test_a_slanted_cross_in_the_column_of_support_alone_is_none(self, cross: str) -> None:
        assert _said(f"{self.HEAD}| 1 | {cross} |  |", 1) == "-"
        assert _said(f"{self.HEAD}| 1 |  | {cross} |", 1) == "U"

    @pytest.mark.parametrize("cross", ["x", "☒", "✗"])
    def test_crosses_that_choose_between_the_columns_are_ticks(self, cross: str) -> None:
        assert _said(f"{self.HEAD}| 1 | {cross} |  |\n| 2 |  | {cross} |") == "SU"


class TestOptionsOneBelowTheOther:
    @pytest.mark.parametrize(
        ("chosen", "left"), [("1", "0"), ("✓", "-"), ("x", ""), ("yes", "no"), ("100%", "0%"), ("1", "none")]
    )
    @pytest.mark.parametrize("rule", ["|---|---|\n", ""])
    def test_are_no_head_and_row(self, chosen: str, left: str, rule: str) -> None:
        assert _said(f"| Supported | {chosen} |\n{rule}| Unsupported | {left} |", 1) == "-"

    @pytest.mark.parametrize("head", ["Supported | Reason", "Supported | #"])
    def test_a_column_named_beside_the_first_makes_a_head(self, head: str) -> None:
        assert _said(f"| {head} |\n|---|---|\n| unsupported | 1 |", 1) == "U"

    def test_plain_answers_below_a_word_are_its_answers(self) -> None:
        assert _said("| Supported | Page |\n|---|---|\n| no | dull |", 1) == "U"
