"""Magistrate inside other frameworks, a module each, which imports its framework: `backend`s, metrics, evaluators."""
