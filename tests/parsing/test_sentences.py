"""Sentences about statements by their number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]
STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestSentences:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            (
                "Statement 1 is supported, statement 2 is not, and statement 3 is supported.",
                ("ok sentences", "s1: supported 0-55", "s2: unsupported 26-75", "s3: supported 50-75"),
            ),
            (
                "Statements 1, 3 are supported. Statement 2 is not supported.",
                ("ok sentences", "s1: supported 0-60", "s2: unsupported 31-60", "s3: supported 0-60"),
            ),
            (
                "Statements 1 and 3 are supported; statement 2 is contradicted.",
                ("ok sentences", "s1: supported 0-32", "s2: unsupported 34-62", "s3: supported 0-32"),
            ),
            (
                "Statements 2-1 are supported. Statement 3 is unsupported.",
                (
                    "partial sentences",
                    "s1: None",
                    "s2: None",
                    "s3: unsupported 30-57",
                    "count-mismatch: 1 verdicts for 3 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                ),
            ),
            (
                "The first and third statements are supported. The second is not supported.",
                ("ok sentences", "s1: supported 0-74", "s2: unsupported 46-74", "s3: supported 0-74"),
            ),
            (
                "The first is supported. The second is not. The third is supported.",
                ("ok sentences", "s1: supported 0-53", "s2: unsupported 24-66", "s3: supported 43-66"),
            ),
            (
                "All of the statements are supported, apart from statements 1 and 3.",
                ("ok sentences", "s1: unsupported 0-66", "s2: supported 0-66", "s3: unsupported 0-66"),
            ),
            (
                "Almost all statements are supported.",
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "s3: None",
                    "count-mismatch: 0 verdicts for 3 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                    "missing-verdict 3: the reply says nothing of this statement",
                ),
            ),
            (
                "Statement 2 is unsupported. The others are supported.",
                ("ok sentences", "s1: supported 28-53", "s2: unsupported 0-53", "s3: supported 28-53"),
            ),
            (
                "Statement 2 is unsupported. All others are supported.",
                ("ok sentences", "s1: supported 28-53", "s2: unsupported 0-53", "s3: supported 28-53"),
            ),
            (
                "Statement 2 is unsupported. The rest are supported.",
                ("ok sentences", "s1: supported 28-51", "s2: unsupported 0-51", "s3: supported 28-51"),
            ),
            (
                "If statement 1 is supported, statement 2 is unsupported.",
                (
                    "unparseable None",
                    "s1: None",
                    "s2: None",
                    "s3: None",
                    "count-mismatch: 0 verdicts for 3 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                    "missing-verdict 2: the reply says nothing of this statement",
                    "missing-verdict 3: the reply says nothing of this statement",
                ),
            ),
            (
                "**Supported**: statements 1, 3\n**Unsupported**: statement 2",
                ("ok groups", "s1: supported 0-30", "s2: unsupported 31-59", "s3: supported 0-30"),
            ),
            (
                "Supported - 1, 3\nUnsupported - 2",
                ("ok groups", "s1: supported 0-16", "s2: unsupported 17-32", "s3: supported 0-16"),
            ),
        ],
    )
    def test_about_many_by_number(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:3]) == told


_THREE = ("The ferry leaves at six.", "The pier is painted green.", "Tea is sold on board.")


def _said(reply: str, statements: tuple[str, ...] = _THREE, scale: str = "binary") -> str:
    """One letter a statement: S(upported), U(nsupported), C(ontradicted), N(ot enough), dash for none."""
    letters = {None: "-", Verdict.SUPPORTED: "S", Verdict.UNSUPPORTED: "U", Verdict.CONTRADICTED: "C"}
    return "".join(letters.get(one, "N") for one in parse_verdicts(reply, statements, scale=scale).found)


class TestSeveralSubjects:
    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("Statements 1 and 3 are supported, but statement 2 is not.", "SUS"),
            ("Statement 1 is supported, while statements 2 and 3 are not supported.", "SUU"),
            ("All statements are supported except statement 2.", "SUS"),
            ("All statements except 1 and 3 are supported.", "USU"),
            ("All statements except perhaps 1 are supported.", "---"),
            ("Nearly all statements except 1 are supported.", "---"),
            ("Statements 1 and 3: supported. Statement 2: not supported.", "SUS"),
            ("Supported: 1, 3. Unsupported: 2.", "SUS"),
            ("Supported: 1, 3. Unsupported: perhaps 2.", "---"),
        ],
    )
    def test_each_is_told_what_is_said_of_it(self, reply: str, said: str) -> None:
        assert _said(reply) == said

    def test_not_mentioned_anywhere_is_not_mentioned(self) -> None:
        reply = "Statement 1 is entailed by the text, whereas statement 2 is not mentioned anywhere."
        assert _said(reply, scale="ternary") == "SN-"
