"""Magistrate inside other frameworks, a module each: `backend` for their metrics, or a metric of their kind.

Importing one imports its framework; nothing else in the package does.
"""
