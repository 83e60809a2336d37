"""Mutation testing: change the parser or the scoring in one place at a time, and see whether a test notices."""
