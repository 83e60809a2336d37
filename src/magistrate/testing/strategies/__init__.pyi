# The names and their homes: what `__init__.py` loads on first use.

from magistrate.testing.strategies._reply import FORMATS as FORMATS, Format as Format
from magistrate.testing.strategies._reply import (
    PLANTED as PLANTED,
    SLIPS as SLIPS,
    WORDS as WORDS,
    WRAPPINGS as WRAPPINGS,
    Reply as Reply,
)
from magistrate.testing.strategies._strategies import (
    cut as cut,
    damaged as damaged,
    planted as planted,
    replies as replies,
    statement_lists as statement_lists,
    with_token as with_token,
)

__all__: list[str]
