"""Byte streams between a file and its reader: one that is closed elsewhere, one that comes in another encoding."""

from __future__ import annotations

import io
from typing import Any

PEEK = 1 << 16
"""Bytes that are looked at to tell what a file is."""


class Unclosed(io.RawIOBase):
    """A stream that somebody else closes."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Whether the stream below is."""
        return bool(self._stream.seekable())

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place in the stream below."""
        return int(self._stream.seek(offset, whence))

    def tell(self) -> int:
        """The place in the stream below."""
        return int(self._stream.tell())

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as a single read does."""
        read = getattr(self._stream, "read1", self._stream.read)
        data = read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class Recoded(io.RawIOBase):
    """A text stream as UTF-8 bytes."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self._left = b""

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as a single read does."""
        if not self._left:
            self._left = self._text.read(PEEK).encode()
        data, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)
