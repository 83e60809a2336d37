"""Files of a report appear whole, private, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from magistrate.errors import StoreError
from magistrate.report.outputs import check_target, replacing


class TestReplacing:
    def test_the_file_appears_at_the_end_with_the_folders_on_the_way(self, tmp_path: Path):
        path = tmp_path / "a" / "b" / "report.txt"
        with replacing(path) as file:
            file.write(b"all of it")
            assert not path.exists()
        assert path.read_bytes() == b"all of it"
        assert [p.name for p in path.parent.iterdir()] == ["report.txt"]

    def test_only_its_owner_may_read_it_unless_it_is_public(self, tmp_path: Path):
        with replacing(tmp_path / "private"):
            pass
        with replacing(tmp_path / "public", private=False):
            pass
        assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "public").stat().st_mode & 0o400

    def test_a_failure_leaves_the_older_file_and_no_draft(self, tmp_path: Path):
        path = tmp_path / "report.txt"
        path.write_text("old")

        def write() -> None:
            with replacing(path) as file:
                file.write(b"half")
                raise RuntimeError("stop")

        with pytest.raises(RuntimeError, match="stop"):
            write()
        assert path.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 1

    def test_a_full_disk_is_an_error_that_names_the_file(self, tmp_path: Path):
        def write() -> None:
            with replacing(tmp_path / "report.txt"):
                raise OSError(28, "No space left on device")

        with pytest.raises(StoreError, match=r"report\.txt: cannot be written: No space left on device"):
            write()


class TestCheckTarget:
    def test_a_folder_is_no_file(self, tmp_path: Path):
        with pytest.raises(StoreError, match="is a folder: name a file, such as"):
            check_target(tmp_path)
