"""From decoded data to candidates: one walk, and what each of the parsing functions looks for on it."""
