"""A reply's text to data: strict JSON, repaired JSON, YAML, tags, Python literals; each value with its place."""
