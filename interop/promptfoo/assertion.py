"""An assertion of ours: one component per statement."""

from magistrate.integrations.promptfoo import get_assert

__all__ = ["get_assert"]
