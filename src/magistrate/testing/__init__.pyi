# The names and their homes: what `__init__.py` loads on first use.

from magistrate.testing.faults import (
    FAULTS as FAULTS,
    scripted_faults as scripted_faults,
    seeded_faults as seeded_faults,
)
from magistrate.testing.fuzz_test import fuzz_judge as fuzz_judge
from magistrate.testing.oracle import LEARNERS as LEARNERS, Oracle as Oracle
from magistrate.testing.scripted import FakeClient as FakeClient, ScriptedJudge as ScriptedJudge
from magistrate.testing.server import (
    Call as Call,
    Fault as Fault,
    FaultServer as FaultServer,
    ServerStats as ServerStats,
)

__all__: list[str]
