"""How far a judge can be believed: people's labels, as numbers.

Pure functions above `magistrate.statistics`: labels and verdicts in, numbers out; no file, no clock, no network. A
number is given with what it is worth, or not at all; a missing verdict is a stratum of its own; nothing is guessed from
a missing label. What takes a run lives in `magistrate.evaluation`.
"""

from magistrate._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
