"""The grader behind promptfoo's own assertions. MAGISTRATE_API_BASE sends it elsewhere, such as to a test server."""

from magistrate.integrations.promptfoo import call_api

__all__ = ["call_api"]
