"""The HTML report: a page of its own that holds a run, drawn by its script."""
