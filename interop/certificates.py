"""One certificate in place of all: what a client of plain HTTP loads for nothing when it is made."""

from __future__ import annotations

import atexit
import tempfile
from pathlib import Path

import certifi

__all__ = ["one_authority"]

_END = "-----END CERTIFICATE-----\n"


def one_authority() -> str:
    """The path of a bundle with one certificate, for SSL_CERT_FILE.

    The server of the lanes speaks plain HTTP, and yet most clients load the certificates of all authorities when they
    are made. DeepEval makes a client for each call and has its event loop stand still meanwhile, 0.1 s each: the lane
    would measure little else.
    """
    bundle = Path(certifi.where()).read_text(encoding="utf-8")
    with tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False, encoding="utf-8") as file:
        file.write(bundle[bundle.index("-----BEGIN") : bundle.index(_END) + len(_END)])
    atexit.register(Path(file.name).unlink, missing_ok=True)
    return file.name
