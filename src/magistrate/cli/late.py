"""What commands need of the other rooms, loaded when it is first used: `--help` loads next to nothing.

The names and their homes stand in `late.pyi`.
"""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
