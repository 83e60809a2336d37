"""Other ways to write the same: what a reply shows and does not say, counters, printed objects, event streams."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.decode.python_literals import as_json, may_be_python
from magistrate.parsing.notation import plain
from magistrate.verdict import Verdict


class TestPlain:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("\x1b[1;32myes\x1b[0m", "       yes    "),
            ("a ~~no~~ b", "a        b"),
            ("a <!-- no --> b", "a             b"),
            ("a <!-- no\nmore", "a        \n    "),
            ("\\boxed{yes}", "result:yes "),
            ("$\\boxed{\\text{no}}$", "\nresult:      no   "),
            ("\\fbox{7}", "esult:7 "),
            ("1️⃣ yes", "1.  yes"),
            ('<a href="x">y</a>', "            y</a>"),
            ("<a>y</a>", "<a>y</a>"),
            ("- id: 'a' # note", "- id: 'a'       "),
            ('x: "y"  # z', 'x: "y"     '),
            ("x: y # z\nw", "x: y    \nw"),
            ("x # y", "x # y"),
        ],
    )
    def test_what_is_shown_and_not_said_is_blanked_out_in_its_place(self, text: str, told: str) -> None:
        assert plain(text) == told
        assert len(told) == len(text)

    @pytest.mark.parametrize(
        ("text", "count", "told"),
        [
            ("① yes\n② no", 2, "1.yes\n2.no"),
            ("① yes", 2, "1.yes"),
            ("① yes", 1, "① yes"),
            ("② no\n① yes", 2, "② no\n① yes"),
            ("一、是\n二、否", 2, "1.是\n2.否"),
            ("1/2: yes\n2/2: no", 2, " 1.: yes\n 2.: no"),
            ("(1/2) yes\n(2/2) no", 2, "   1. yes\n   2. no"),
            ("1/3 yes\n2/3 no", 2, " 1. yes\n 2. no"),
            ("First: yes\nSecond: no", 2, "    1. yes\n     2. no"),
            (
                "the first statement: yes\nthe second statement: no",
                2,
                "                  1. yes\n                   2. no",
            ),
            ("first - yes\nthird - no", 2, "first - yes\nthird - no"),
            ("I. yes\nII. no", 2, "1. yes\n 2. no"),
            ("(i) yes\n(ii) no", 2, " 1. yes\n  2. no"),
            ("a) yes\nb) no", 2, "1. yes\n2. no"),
            ("A. yes\nB. no\nC. yes", 2, "A. yes\nB. no\nC. yes"),
            ("a) yes\nb) no", 3, "a) yes\nb) no"),
            ("a) yes\nc) no", 2, "a) yes\nc) no"),
            ("2.1 yes\n2.2 no", 2, " 1. yes\n 2. no"),
            ("2.1. yes\n2.2. no", 2, " 1.. yes\n 2.. no"),
            ("- a) yes\n- b) no", 2, "- 1. yes\n- 2. no"),
            ("x) yes\ny) no", 2, "x) yes\ny) no"),
            ("1. yes\n2. no", 2, "1. yes\n2. no"),
            ("tenth: yes", 2, "tenth: yes"),
        ],
    )
    def test_counters_are_figures_where_they_count_from_the_first(self, text: str, count: int, told: str) -> None:
        assert plain(text, count) == told
        assert len(told) == len(text)


class TestPrintedObjects:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("V(a=1)", " {a:1}"),
            ("[(1, 'yes'), (2, 'no')]", "[[1, 'yes'], [2, 'no']]"),
            ("R(v=['a', 'b'])", " {v:['a', 'b']}"),
            ("{'1': <V.YES: 'yes'>}", "{'1':         'yes' }"),
            ("see f(verdict='yes') here", "see  {verdict:'yes'} here"),
            ("V(verdict='a (b) = c')", " {verdict:'a (b) = c'}"),
            ("V(a=(1, 2))", " {a:[1, 2]}"),
            ("V(a=f(b=1))", " {a: {b:1}}"),
            ('data: {"a": 1}\n\ndata: [DONE]', '      {"a": 1}\n\n            '),
            ("event: x\ndata: [1]\nid: 3\nretry: 5", "        \n      [1]\n     \n       5"),
            ("V(verdict='yes')\nW(verdict='no')", " {verdict:'yes'}\n {verdict:'no'}"),
            ("dict(verdict='yes')", "    {verdict:'yes'}"),
            ("V(verdict=<V.A: 1>)", " {verdict:      1 }"),
            ('V(verdict="it\'s")', ' {verdict:"it\'s"}'),
            ("V(verdict='it\\'s')", " {verdict:'it\\'s'}"),
            ("V(verdict={'a': [1]})", " {verdict:{'a': [1]}}"),
        ],
    )
    def test_are_written_as_data_of_the_same_length(self, text: str, told: str) -> None:
        assert as_json(text) == told
        assert len(told) == len(text)

    @pytest.mark.parametrize(
        "text",
        [
            "x == f(a)",
            "f(x)",
            "f(a=1) and text",
            "see f(size=1) here",
            "V(verdict='a",
            "V((1, 2))",
            "[(1, 'yes')",
            "data: [1]\nother",
            "data: x",
            "a)b",
            "<V.A: 'x'>",
            "V(" * 70 + "a=1" + ")" * 70,
        ],
    )
    def test_are_told_from_calls_and_other_text(self, text: str) -> None:
        assert as_json(text) is None

    def test_are_looked_for_only_where_there_may_be_some(self) -> None:
        assert [may_be_python(text) for text in ("V(a=1)", "[(1, 2)]", "{1: <V.A: 2>}")] == [True] * 3
        assert [may_be_python(text) for text in ("f(x)", "a == b", "a < b", "x = (1)")] == [False] * 4


class TestHeadingsOfFields:
    @pytest.mark.parametrize(
        ("name", "said", "verdict"),
        [("verdict", "yes", Verdict.SUPPORTED), ("is_supported", "False", Verdict.UNSUPPORTED)],
    )
    def test_name_a_verdict_below_them(self, name: str, said: str, verdict: Verdict) -> None:
        reply = f"[[ ## reasoning ## ]]\nThe diary names May.\n\n[[ ## {name} ## ]]\n{said}\n\n[[ ## completed ## ]]"
        assert parse_verdicts(reply, ["The well dried up in May."]).found == [verdict]

    def test_stand_before_data_as_well(self) -> None:
        reply = '[[ ## verdicts ## ]]\n["yes", "no"]\n\n[[ ## completed ## ]]'
        assert parse_verdicts(reply, ["The well is deep.", "It dried up."]).found == [
            Verdict.SUPPORTED,
            Verdict.UNSUPPORTED,
        ]
