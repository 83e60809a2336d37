"""The grader behind promptfoo's own assertions; which model it asks is in the provider's `config`."""

from magistrate.integrations.promptfoo import call_api

__all__ = ["call_api"]
