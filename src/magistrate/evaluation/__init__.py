"""Evaluation: from a dataset of cases to stored results, their aggregates and a gate."""
