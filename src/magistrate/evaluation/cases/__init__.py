"""From a dataset to cases: rows become cases, with what is wrong with them as data."""
