"""Coverage-guided fuzzing of the parser. `make fuzz`, or `python -m fuzz --help`; how it works stands in README.md."""
