"""What of a text is the judge's wording: echoes, quotations, fences, drafts and data are covered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.prose import JSON, mask
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]
STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestEchoes:
    @pytest.mark.parametrize(
        ("reply", "statements", "told"),
        [
            ("The ferry leaves at six. yes", STATEMENTS[:2], ("Ⓔ. yes 0", "repeats 1 at 0")),
            (
                '"The ferry leaves at ..." yes\n"The harbour fre..." no',
                STATEMENTS[:2],
                ('"Ⓔ" yes 0', '"Ⓔ" no 30', "repeats 1 at 1", "repeats 2 at 31"),
            ),
            ('"The ..." yes', STATEMENTS[:2], ('"The ..." yes 0',)),
            ("Gulls. yes", ["Gulls."], ("Gulls. yes 0",)),
            ("冰是冷的: 是", ["冰是冷的。"], ("Ⓔ: 是 0", "repeats 1 at 0")),
            ("冰: 是", ["冰。"], ("冰: 是 0",)),
            ("Ice melts fast today. x", ["Ice melts fast today.", "Ice melts fast."], ("Ⓔ. x 0", "repeats 1 at 0")),
        ],
    )
    def test_statements_that_are_repeated_are_no_wording(
        self, reply: str, statements: Any, told: tuple[str, ...], tell_mask: Tell
    ) -> None:
        assert tell_mask(reply, statements) == told


class TestQuotations:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('He said "it is not so" here. yes', ("He said Ⓠ here. yes 0",)),
            ('Verdict: "not supported"', ('Verdict: "not supported" 0',)),
            ('"It is a long sentence of his."', ('"It is a long sentence of his." 0',)),
            ('yes.\n"It is a long sentence of his."\nno', ("yes. 0", '"It is a long sentence of his." 5', "no 37")),
            ("“no such thing as that” he said", ("Ⓠ he said 0",)),
            ("a «non è vero» b", ("a Ⓠ b 0",)),
            ('"a" "b c d e f g"', ('"a" Ⓠ 0',)),
            ('x: "one two three four five six"', ("x: Ⓠ 0",)),
        ],
    )
    def test_quoted_text_is_no_wording(self, reply: str, told: tuple[str, ...], tell_mask: Tell) -> None:
        assert tell_mask(reply, STATEMENTS[:2]) == told


class TestParts:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("```json\n[1, 2]\n```\nyes", (" 0", " 7", "Ⓙ 8", " 15", " 18", "yes 19", "in json")),
            ("```yaml\na: b\n```", (" 0", " 7", "a: b 8", " 13", " 16", "in yaml")),
            ("```python\nx = 1\n```\nyes", (" 0", " 9", " 16", " 19", "yes 20", "in python")),
            ("a\n\nExample:\n1. no\n2. no\n\n1. yes", ("a 0", " 2", " 3", " 23", " 24", "1. yes 25")),
            ("## Draft\n1. no\n## Final\n1. yes", (" 0", "## Final 15", "1. yes 24")),
            ("a<br>b<br/>c", ("a 0", "b 5", "c 11")),
            ("1. a\\n2. b", ("1. a 0", "2. b 6")),
            ("1. a\\n2. b\nc", ("1. a\\n2. b 0", "c 11")),
            ("> quoted\n> more\nyes", (" 0", " 8", " 9", " 15", "yes 16")),
            ("<think>x</think>yes", (" 0", "yes 16")),
            ("a" + " " * 100 + "b", ("a         b 0",)),
            ("", (" 0",)),
            ("x" * 200000 + " y", (" 0", "overlong")),
            ("- x\n" * 2_000, (" 0", "overlong")),
            ("① yes\n② no", ("1.yes 0", "2.no 6")),
        ],
    )
    def test_fences_drafts_and_data_are_covered(self, reply: str, told: tuple[str, ...], tell_mask: Tell) -> None:
        assert tell_mask(reply, STATEMENTS[:2]) == told


_THREE = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")


def _said(reply: str, statements: tuple[str, ...] = _THREE, scale: str = "binary") -> str:
    """One letter a statement: S(upported), U(nsupported), C(ontradicted), N(ot enough), dash for none."""
    letters = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}
    return "".join(letters.get(one, "N") for one in parse_verdicts(reply, statements, scale=scale).found)


class TestDraftsUnderPlainHeadings:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("Draft:\n1. yes\n2. yes\n3. yes\n\nFinal answer:\n1. yes\n2. no\n3. yes", "SUS"),
            ("First pass:\n1. yes\n2. yes\n3. yes\n\nFinal:\n1. no\n2. no\n3. no", "UUU"),
            ("Draft:\n1. yes\n2. yes\n3. yes", "---"),
            ("Final answer:\n1. yes\n2. no\n3. yes\n\nDraft:\n1. no\n2. no\n3. no", "-U-"),
        ],
    )
    def test_count_for_nothing_where_the_final_answer_follows(self, reply: str, said: str) -> None:
        assert _said(reply) == said


class TestShortStatements:
    def test_are_known_at_the_head_of_an_item(self) -> None:
        statements = ("A one.", "B two.", "C three.")
        reply = "- A one.: Supported\n- B two.: Refuted\n- C three.: Not Enough Information"
        assert _said(reply, statements, "ternary") == "SCN"

    def test_are_not_looked_for_in_the_midst_of_text(self) -> None:
        assert _said("It says that A one is fine: Supported", ("A one.", "B two.")) == "--"


class TestMoreParts:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("## Draft\nno\n## Answer\nyes", (" 0", "## Answer 12", "yes 22")),
            ("## Answer\nyes\n## Draft\nno", ("## Answer 0", "yes 10", "## Draft 14", "no 23")),
            ("## Draft\nno\n## Notes\nhm\n## Answer\nyes", (" 0", "## Notes 12", "hm 21", "## Answer 24", "yes 34")),
            (
                "## Notes\nhm\n## Draft\nno\n## Final\nyes\n## More\nso",
                ("## Notes 0", "hm 9", " 12", "## Final 24", "yes 33", "## More 37", "so 45"),
            ),
            ("## Draft\nno\n## Draft\nhm\n**Verdict**\nyes", (" 0", " 12", "**Verdict** 24", "yes 36")),
            ("## Draft\nno", ("## Draft 0", "no 9")),
            ("Example:\nno\n\nyes", (" 0", " 11", " 12", "yes 13")),
            ("Example:\nno\nyes", (" 0", " 15")),
            ("yes\n\nExamples:\nno", ("yes 0", " 4", " 5", " 17")),
            ("yes\r\nno\r\n", ("yes 0", "no 5", " 9")),
            ('a "one two three four five" b', ("a Ⓠ b 0",)),
            ('a "one two" b', ("a Ⓠ b 0",)),
            ('a: "one two three four" b', ('a: "one two three four" b 0',)),
            ('a "one" b', ('a "one" b 0',)),
            ('a "one: two" b', ("a Ⓠ b 0",)),
            ('a "one：" b', ("a Ⓠ b 0",)),
            ('a "yes:" b', ("a Ⓠ b 0",)),
            ('"One two three four five."', ('"One two three four five." 0',)),
            ('So. "One two three four five." \n', ('So. "One two three four five."  0', " 32")),
            ('So, "one two three four five."\n', ("So, Ⓠ 0", " 31")),
            ('"One two three four five" so', ("Ⓠ so 0",)),
            ('x\n**"One two three four five"**\nso', ("x 0", '**"One two three four five"** 2', "so 32")),
            ('Reason: "it is not supported by this" yes', ("Reason: Ⓠ yes 0",)),
            ('label="not supported" x', ('label="not supported" x 0',)),
            ('verdict: "not supported"', ('verdict: "not supported" 0',)),
            ('the verdict is "not supported" here', ("the verdict is Ⓠ here 0",)),
            ("The ferry leaves at six: yes", ("Ⓔ: yes 0", "repeats 1 at 0")),
            ("The ferry leaves at six! yes", ("Ⓔ! yes 0", "repeats 1 at 0")),
            ('"The ferry leaves, ..." yes', ('"Ⓔ" yes 0', "repeats 1 at 1")),
            ('"The ferry leaves…" yes', ('"Ⓔ" yes 0', "repeats 1 at 1")),
            ('"The harbour f..." and "The harbour f..." no', ('"Ⓔ" and "Ⓔ" no 0', "repeats 2 at 1", "repeats 2 at 24")),
            ('"The ferry leaves at six. ..." yes', ('"Ⓔ. ..." yes 0', "repeats 1 at 1")),
        ],
    )
    def test_sections_lines_and_quotation_marks(self, reply: str, told: tuple[str, ...], tell_mask: Tell) -> None:
        assert tell_mask(reply, STATEMENTS[:2]) == told

    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("渡轮六点出发：是", ("Ⓔ：是 0", "repeats 1 at 0")),
            ("港五月冰 否", ("Ⓔ 否 0", "repeats 2 at 0")),
            ("船 是", ("船 是 0",)),
            ("渡轮六点出发！是", ("Ⓔ！是 0", "repeats 1 at 0")),
            ("渡轮六点出发。港五月冰。", ("Ⓔ。Ⓔ。 0", "repeats 1 at 0", "repeats 2 at 7")),
        ],
    )
    def test_dense_scripts_repeat_a_statement_in_few_signs(
        self, reply: str, told: tuple[str, ...], tell_mask: Tell
    ) -> None:
        assert tell_mask(reply, ["渡轮六点出发。", "港五月冰。", "船。"]) == told

    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ('"The ferry leaves ..." yes', ("Ⓠ yes 0",)),
            ('"The ferry leaves at s..." yes', ("Ⓠ yes 0",)),
            ('"The ferry leaves at se..." yes', ('"Ⓔ" yes 0', "repeats 2 at 1")),
            ("The ferry leaves at six. The ferry leaves at seven.", ("Ⓔ. Ⓔ. 0", "repeats 1 at 0", "repeats 2 at 25")),
        ],
    )
    def test_a_shortened_statement_is_one_only(self, reply: str, told: tuple[str, ...], tell_mask: Tell) -> None:
        assert tell_mask(reply, ["The ferry leaves at six.", "The ferry leaves at seven."]) == told

    def test_too_much_to_look_for_repeats_nothing(self) -> None:
        statements = [f"The ferry number {at} leaves at six." for at in range(2_000)]
        reply = f"{statements[7]} yes\n" + "It is so.\n" * 1_000
        assert mask(open_envelope(reply), statements[:20]).echoes == {0: 7}
        assert mask(open_envelope(reply * 3), statements).echoes == {}

    def test_places_are_those_of_the_reply(self) -> None:
        prose = mask(open_envelope('a {"b": 1} c'), [])
        assert prose.text == f"a {JSON} c"
        assert [prose.place(at) for at in range(6)] == [0, 1, 2, 10, 11, 12]
        assert prose.span(2, 3) == (2, 10)
        assert prose.span(4, 4) == (11, 11)
        assert prose.span(4, 5) == (11, 12)

    def test_a_line_knows_its_end(self) -> None:
        lines = mask(open_envelope("a\r\nbc"), []).lines()
        assert [(line.text, line.start, line.end) for line in lines] == [("a", 0, 1), ("bc", 3, 5)]

    def test_the_language_is_that_of_the_first_fence_that_names_one(self) -> None:
        assert mask(open_envelope("```\na\n```\n```YAML\nb\n```\n```toml\nc\n```"), []).language == "yaml"
        assert mask(open_envelope("```\na\n```"), []).language == ""
