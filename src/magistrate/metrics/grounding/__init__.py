"""Metrics that count claims borne out by passages or by a reference answer."""
