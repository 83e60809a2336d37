"""The words of judges: data of each language, and the expressions, scales and keys that are built from them."""
