"""Calls that a provider answers in a batch, within a day and at half the price: files of requests and results."""

from magistrate.completion.batches.rounds import Part, Round, Rounds, is_under_way

__all__ = ["Part", "Round", "Rounds", "is_under_way"]
