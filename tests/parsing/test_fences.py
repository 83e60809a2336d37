"""Fenced blocks, and which of them hold program code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.parsing import parse_verdicts
from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.fences import fence_lines, in_programs, program_blocks
from magistrate.verdict import Verdict

DATA = '{"verdicts": ["yes", "no"]}'


def blocks(text: str) -> list[str]:
    return [text[start:end] for start, end in program_blocks(fence_lines(text, [(0, len(text))]))]


def code(text: str) -> list[str]:
    """The data of a text that stands in program code, by the words before it."""
    envelope = open_envelope(text)
    inside = in_programs(text, envelope.prose, envelope.documents)
    return [text[max(0, at - 4) : at] for at in sorted(inside)]


class TestBlocks:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("```python\nx = 1\n```", ["\nx = 1\n"]),
            ("```Python\nx\n```", ["\nx\n"]),
            ("~~~js\nx\n~~~", ["\nx\n"]),
            ("``sql\nx\n``", ["\nx\n"]),
            ("````c++\nx\n````", ["\nx\n"]),
            ("> ```go\n> x\n> ```", ["\n> x\n"]),
            ("``` rust title=main.rs\nx\n```", ["\nx\n"]),
            ("```thinking\nx\n```", ["\nx\n"]),
            ("```draft\nx\n```\n```json\ny\n```\n```bash\nz\n```", ["\nx\n", "\nz\n"]),
            ("```python\nx\n```python\ny\n```", ["\ny\n"]),
        ],
    )
    def test_of_code_and_thinking_are_found(self, text: str, found: list[str]) -> None:
        assert blocks(text) == found

    @pytest.mark.parametrize(
        "text",
        ["```json\nx\n```", "```\nx\n```", "```python\nx", "`python`", "~~python\nx\n~~", "say ```python\nx\n```", "x"],
    )
    def test_of_data_or_without_an_end_are_none(self, text: str) -> None:
        assert blocks(text) == []

    def test_are_looked_for_where_one_says(self) -> None:
        text = "```python\nx\n```\n"
        assert [line.start() for line in fence_lines(text, [(0, 12), (12, len(text))])] == [0, 12]
        assert fence_lines(text, [(3, 10)]) == []


class TestDataInCode:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            (f"```python\nif late:\n    a = {DATA}\n```", ["a = "]),
            (f"```python\na = {DATA}\nsave(a)\n```", ["a = "]),
            (f"```python\na = {DATA}\nb = {DATA}\n```", ["a = ", "b = "]),
            (f"~~~python\nf({DATA})\n~~~", ["n\nf("]),
            (f"{DATA}\n```python\nf({DATA})\n```\n{DATA}", ["n\nf("]),
            (f"```python\nx = 1\n```\n```python\nf({DATA})\n```", ["n\nf("]),
            (f"```python\nf({DATA})\n```\nso\n```python\ng({DATA})\n```", ["n\nf(", "n\ng("]),
        ],
    )
    def test_is_part_of_the_program(self, text: str, found: list[str]) -> None:
        assert code(text) == found

    @pytest.mark.parametrize(
        "text",
        [
            f"```python\n{DATA}\n```",
            f"```python\nresult = {DATA}\n```",
            f"```python\nresult: dict[str, list] = {DATA}\nprint(result)\n```",
            f"```js\nconst result = {DATA};\n```",
            f"```json\nf({DATA})\n```",
            f"f({DATA})",
            f"```python\nx = 1\n```\n{DATA}",
            "```python\nx = 1\n```",
        ],
    )
    def test_is_an_answer_where_it_is_all_there_is(self, text: str) -> None:
        assert code(text) == []


class TestWhereAFenceBegins:
    @pytest.mark.parametrize("before", ["", "\ufeff", "\u200b", "<|channel|>final<|message|>", "<think>Hm.</think>"])
    @pytest.mark.parametrize("rest", ["y", "yaml\nverdicts:\n  - id: 1\n    verdict: no"])
    def test_a_block_that_is_never_closed_is_known_to_be_cut_whatever_stands_before_it(
        self, before: str, rest: str
    ) -> None:
        assert parse_verdicts(f"{before}```{rest}", ["The kiln is hot."], scale="graded").found == [None]

    @pytest.mark.parametrize("before", ["", "\ufeff", "<|channel|>final<|message|>", "<think>Hm.</think>"])
    def test_one_that_is_closed_is_read(self, before: str) -> None:
        reply = before + "```yaml\nverdicts:\n  - id: 1\n    verdict: yes\n```"
        assert parse_verdicts(reply, ["The kiln is hot."]).found == [Verdict.SUPPORTED]


class TestWhereMarksAreRare:
    @settings(derandomize=True, deadline=None)
    @given(
        st.lists(
            st.sampled_from(
                [
                    "```",
                    "``",
                    "`",
                    "~~~",
                    "\n",
                    " ",
                    "\t",
                    ">",
                    "|>",
                    "<|message|>",
                    "think>",
                    "\ufeff",
                    "\u200b",
                    "json",
                    "|",
                ]
            ),
            max_size=14,
        ).map("".join)
    )
    def test_the_same_fences_are_found_as_where_they_are_many(self, text: str) -> None:
        many, few = f"{text}\n", f"{text}\n{'x' * 50 * len(text)}"
        assert [fence.span() for fence in fence_lines(few, [(0, len(few))])] == [
            fence.span() for fence in fence_lines(many, [(0, len(many))])
        ]
