"""Files that fsspec reaches: `s3://`, `gs://`, `az://`, `memory://` and others, read as they are needed."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from magistrate.errors import DatasetError, MissingExtraError


def is_remote(source: object) -> bool:
    """Whether a source is an address: it has a scheme."""
    scheme, mark, _ = str(source).partition("://")
    return bool(mark) and scheme.isidentifier()


class RemoteFile:
    """A file at an address, with what a `Path` has for those who read it."""

    def __init__(self, url: str) -> None:
        try:
            import fsspec  # type: ignore[import-untyped]  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtraError(f'{url} needs fsspec: pip install "magistrate[remote]"', extra="remote") from None
        try:
            self._files, self._path = fsspec.core.url_to_fs(url)
        except ImportError as error:
            raise MissingExtraError(f"{url}: {error}", extra="remote") from None
        except ValueError as error:
            raise DatasetError(f"{url}: {error}", path=url) from None
        self._url = url
        self.name = posixpath.basename(self._path)
        self.suffixes = PurePosixPath(self.name).suffixes
        self.suffix = PurePosixPath(self.name).suffix

    def __str__(self) -> str:
        return self._url

    def __lt__(self, other: RemoteFile) -> bool:
        return self._url < str(other)

    def open(self, mode: str = "rb") -> BinaryIO:
        """Open it; parts of it are fetched as they are read."""
        return self._files.open(self._path, mode)  # type: ignore[no-any-return]

    def exists(self) -> bool:
        """Whether it is there."""
        return bool(self._files.exists(self._path))

    def is_file(self) -> bool:
        """Whether it is a file."""
        return bool(self._files.isfile(self._path))

    def is_dir(self) -> bool:
        """Whether it is a folder."""
        return bool(self._files.isdir(self._path))

    def resolve(self) -> RemoteFile:
        """It, as it is."""
        return self

    def found(self, pattern: str | None = None) -> list[RemoteFile]:
        """The files of this folder and those below it, or those of this pattern, in order."""
        paths = self._files.find(self._path) if pattern is None else self._files.glob(self._path)
        return sorted(RemoteFile(self._files.unstrip_protocol(path)) for path in paths if self._files.isfile(path))

    def version(self) -> tuple[int, str]:
        """Its size, and what changes with its bytes: the store's tag, or when it was written."""
        info: dict[str, Any] = self._files.info(self._path)
        known = (info.get(name) for name in ("ETag", "etag", "md5Hash", "mtime", "LastModified", "created"))
        return int(info["size"]), str(next((value for value in known if value), ""))
