"""Commands that judge cases, and those that read a stored run."""
