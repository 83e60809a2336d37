"""Who carries out tasks that need nothing of one another: processes of this machine, or a cluster."""

from magistrate.engines.base import Engine, Task
from magistrate.engines.processes import Processes

__all__ = ["Engine", "Processes", "Task"]
