"""What tests of judges need, for this package's tests and for yours: a server that plays a model, scripted judges.

Everything loads on first use, so that importing this costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from magistrate.testing.faults import FAULTS, seeded_faults
    from magistrate.testing.fuzz_test import fuzz_judge
    from magistrate.testing.oracle import Oracle
    from magistrate.testing.scripted import FakeClient, ScriptedJudge
    from magistrate.testing.server import Call, Fault, FaultServer, ServerStats

_HOME_OF = {
    "FAULTS": "magistrate.testing.faults",
    "Call": "magistrate.testing.server",
    "FakeClient": "magistrate.testing.scripted",
    "Fault": "magistrate.testing.server",
    "FaultServer": "magistrate.testing.server",
    "Oracle": "magistrate.testing.oracle",
    "ScriptedJudge": "magistrate.testing.scripted",
    "ServerStats": "magistrate.testing.server",
    "fuzz_judge": "magistrate.testing.fuzz_test",
    "seeded_faults": "magistrate.testing.faults",
}

__all__ = [
    "FAULTS",
    "Call",
    "FakeClient",
    "Fault",
    "FaultServer",
    "Oracle",
    "ScriptedJudge",
    "ServerStats",
    "fuzz_judge",
    "seeded_faults",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'magistrate.testing' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
