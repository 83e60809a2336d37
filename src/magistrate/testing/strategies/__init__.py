"""Hypothesis strategies for what judges reply: texts with their right reading, for tests of any parser.

A reply is written down from the verdicts it means, so its right reading is known without any parser:

    from hypothesis import given
    from magistrate.testing.strategies import replies

    @given(replies())
    def test_my_parser(reply):
        assert not reply.wrong(my_parser(reply.text, reply.statements))

`replies` combines formats, wrappings, languages and slips of notation; `damaged` and `cut` take a reply further;
`planted` and `with_token` bring in answers that are none. Everything shrinks to a short reply that can be read.

Hypothesis is needed: `pip install magistrate[testing]`. Nothing here looks at how this package reads a reply.
"""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
