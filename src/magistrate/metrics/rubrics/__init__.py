"""Metrics that a judge grades by a rubric, and what words alone tell where it cannot."""
