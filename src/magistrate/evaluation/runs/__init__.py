"""A run: its results, how they are kept, and what can be made of them later without a call."""
