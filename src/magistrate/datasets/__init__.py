"""The bundled evaluation dataset: 23 documents, 100 queries, the answers of three systems, and gold verdicts.

Invented companies, studies and products throughout. `data/README.md` says how the verdicts were given.
"""

from magistrate.datasets.bundled import DOMAINS, SYSTEMS, load_bundled

__all__ = ["DOMAINS", "SYSTEMS", "load_bundled"]
