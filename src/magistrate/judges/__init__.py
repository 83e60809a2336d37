"""Judges: what answers a metric's questions about statements and contexts."""
