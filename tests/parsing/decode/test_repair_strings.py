"""Where a string ends whose quotation marks cannot be trusted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Tell = Callable[..., tuple[str, ...]]


class TestWhereAStringEnds:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                '{"r": "he said "no", then left", "v": "yes"}',
                (
                    "{'r': 'he said \"no\", then left', 'v': 'yes'} 0-44 closed",
                    "unescaped-quote 15, unescaped-quote 18",
                    "r 6-31, v 38-43",
                ),
            ),
            (
                '{"r": "he said "no" and "yes", "v": 1}',
                (
                    "{'r': 'he said \"no\" and \"yes', 'v': 1} 0-38 closed",
                    "unescaped-quote 15, unescaped-quote 18, unescaped-quote 24",
                    "r 6-29, v 36-37",
                ),
            ),
            (
                '[{"r": "x "y" z"}, {"r": "p "q""}]',
                (
                    "[{'r': 'x \"y\" z'}, {'r': 'p \"q\"'}] 0-34 closed",
                    "unescaped-quote 10, unescaped-quote 12, unescaped-quote 28, unescaped-quote 30",
                    "0 1-17, 1 19-33",
                ),
            ),
            ('{"r": "x, "v": "yes"}', ("{'r': 'x', 'v': 'yes'} 0-21 closed", "missing-quote 8", "r 6-8, v 15-20")),
            (
                '[{"r": "x"}, {"r": "y}]',
                ("[{'r': 'x'}, {'r': 'y'}] 0-23 closed", "missing-quote 21", "0 1-11, 1 13-22, 1.r 19-21"),
            ),
            (
                '{"a": ["x, "y"], "b": 1}',
                ("{'a': ['x, \"y'], 'b': 1} 0-24 closed", "unescaped-quote 11", "a 6-15, a.0 7-14, b 22-23"),
            ),
            (
                '{"r": “a "b" c”, "v": 1}',
                (
                    "{'r': 'a \"b\" c', 'v': 1} 0-24 closed",
                    "smart-quotes 6, unescaped-quote 9, unescaped-quote 11",
                    "r 6-15, v 22-23",
                ),
            ),
            (
                '{"r": "open "q, "v": "w"}',
                (
                    "{'r': 'open \"q, \"v\": \"w'} 0-25 closed",
                    "unescaped-quote 12, unescaped-quote 16, unescaped-quote 18, unescaped-quote 21",
                    "r 6-24",
                ),
            ),
            (
                '{"r": "one "two", "three": four", "v": 1}',
                (
                    "{'r': 'one \"two\", \"three\": four', 'v': 1} 0-41 closed",
                    "unescaped-quote 11, unescaped-quote 15, unescaped-quote 18, unescaped-quote 24",
                    "r 6-32, v 39-40",
                ),
            ),
            ('["a\\"b", "c"d"]', ("['a\"b', 'c\"d'] 0-15 closed", "unescaped-quote 11", "0 1-7, 1 9-14")),
            ('{"a": \\"x\\", "b": \\"y \\\\ z\\"}', ("{'a': 'x', 'b': 'y \\\\ z'} 0-29 closed", "a 6-11, b 18-28")),
            (
                '{"r": "ends in space  , "v": 1}',
                ("{'r': 'ends in space', 'v': 1} 0-31 closed", "missing-quote 20", "r 6-22, v 29-30"),
            ),
        ],
    )
    def test_it_is_where_the_grammar_goes_on(self, text: str, told: tuple[str, ...], tell_mend: Tell) -> None:
        assert tell_mend(text) == told
