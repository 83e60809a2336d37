"""Who carries out tasks that need nothing of one another: processes of this machine, or a cluster."""

from magistrate.engines.base import Engine, Task
from magistrate.engines.processes import Processes
from magistrate.errors import ConfigurationError

__all__ = ["ENGINES", "Engine", "Processes", "Task", "open_engine"]

ENGINES = ("processes", "ray")


def open_engine(name: str) -> Engine:
    """The engine of this name."""
    if name == "processes":
        return Processes()
    if name == "ray":
        from magistrate.engines.ray import RayCluster  # noqa: PLC0415 - an extra

        return RayCluster()
    raise ConfigurationError(f"no engine {name[:40]!r}: use {' or '.join(ENGINES)}")
