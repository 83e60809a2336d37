"""Decoding: strictly, else mended, else with a layer of escaping taken off."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Tell = Callable[..., tuple[str, ...]]


class TestDecoding:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('{"a": 1}', ("0-8 {'a': 1} a (6, 7)", "not wrapped", "as text {'a': 1}")),
            ('[1, {"b": "c"}]', ("0-15 [1, {'b': 'c'}] 0 (1, 2) 1 (4, 14)", "not wrapped", "as text [1, {'b': 'c'}]")),
            ('{"a": 1, "a": 2}', ("0-16 {'a': 1 | 2} a (6, 7)", "not wrapped", "as text {'a': 1}")),
            ('{"a": ', ("0-6 {'a': <cut> cut dangling a (6, 6)", "missing-bracket 6", "not wrapped", "as text None")),
            ("x", ("none, goes on at 2", "not wrapped", "as text None")),
            (
                "{&quot;a&quot;: &quot;b&quot;}",
                ("none, goes on at 1", "0-30 {'a': 'b'} a (16, 29)", "html-entities 0", "as text None"),
            ),
            (
                "{&#34;a&#34;: &#39;b&#39;}",
                (
                    "none, goes on at 1",
                    "0-26 {'a': 'b'} a (14, 25)",
                    "html-entities 0",
                    "single-quotes 14",
                    "as text None",
                ),
            ),
            (
                '{\\"a\\": \\"x\\\\\\"y\\"}',
                ("none, goes on at 1", "0-19 {'a': 'x\"y'} a (8, 18)", "over-escaped 0", "as text None"),
            ),
            (
                "{&quot;a&quot;: &quot;" + "x" * 5000 + "&quot;, &quot;b&quot;: 1}",
                (
                    "none, goes on at 1",
                    "0-5047 {'a': '" + "x" * 46 + " ... xx', 'b': 1} a (16, 5028) b (5045, 5046)",
                    "html-entities 0",
                    "as text None",
                ),
            ),
        ],
    )
    def test_strict_first_then_mended_then_unwrapped(self, text: str, told: tuple[str, ...], tell_decode: Tell) -> None:
        assert tell_decode(text) == told
