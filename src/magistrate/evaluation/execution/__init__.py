"""Carry out a run: bounded concurrency, constant memory, a clean end whatever happens."""
