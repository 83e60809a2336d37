# The names and their homes: what `__init__.py` loads on first use.

from magistrate.scoring._policy import POLICIES as POLICIES, POLICY_ALIASES as POLICY_ALIASES
from magistrate.scoring._policy import get_policy as get_policy
from magistrate.scoring._policy import Cell as Cell, DEFAULT_THRESHOLD as DEFAULT_THRESHOLD, Extra as Extra
from magistrate.scoring._policy import Missing as Missing, Policy as Policy
from magistrate.scoring._score import Score as Score, score_plain as score_plain, score_verdicts as score_verdicts
from magistrate.scoring._score import tally as tally

__all__: list[str]
