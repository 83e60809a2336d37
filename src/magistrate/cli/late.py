"""What commands need of the other rooms, loaded when first used, as `late.pyi` says: `--help` loads next to nothing."""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
