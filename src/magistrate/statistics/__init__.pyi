# The names and their homes: what `__init__.py` loads on first use.

from magistrate.statistics._bootstrap import Bootstrap as Bootstrap, change_interval as change_interval
from magistrate.statistics._bootstrap import mean_interval as mean_interval
from magistrate.statistics._bootstrap import relative_change_interval as relative_change_interval
from magistrate.statistics._compare import Comparison as Comparison, Flips as Flips, Pair as Pair
from magistrate.statistics._compare import compare_paired as compare_paired
from magistrate.statistics._compare import McNemarTest as McNemarTest, SignedRankTest as SignedRankTest
from magistrate.statistics._compare import mcnemar_test as mcnemar_test
from magistrate.statistics._compare import minimum_detectable_effect as minimum_detectable_effect
from magistrate.statistics._compare import signed_rank_test as signed_rank_test
from magistrate.statistics._repeats import Majority as Majority, NoiseFloor as NoiseFloor, RunStability as RunStability
from magistrate.statistics._repeats import flip_rate as flip_rate, majority as majority, noise_floor as noise_floor
from magistrate.statistics._repeats import run_stability as run_stability
from magistrate.statistics.intervals import percentile as percentile
from magistrate.statistics.intervals import Interval as Interval, difference as difference
from magistrate.statistics.intervals import format_change as format_change, relative_change as relative_change
from magistrate.statistics.intervals import wilson_limits as wilson_limits

__all__: list[str]
