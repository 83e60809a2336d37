# The names and their homes: what `__init__.py` loads on first use.

from magistrate.testing.fuzz._report import Example as Example, FuzzReport as FuzzReport, read_known as read_known
from magistrate.testing.fuzz._run import fuzz as fuzz
from magistrate.testing.fuzz._target import Target as Target, load_target as load_target
from magistrate.testing.fuzz.model import fuzz_model as fuzz_model

__all__: list[str]
