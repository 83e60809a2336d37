"""Metrics: what is measured in a case, with an injected judge."""
