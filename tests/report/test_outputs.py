"""Which report a file name asks for, and files that appear whole or not at all."""

import json
import os
import xml.etree.ElementTree as ET

import pytest

from magistrate import Case, evaluate
from magistrate.errors import ConfigurationError, StoreError
from magistrate.evaluation.files import check_target, replacing
from magistrate.report.outputs import KINDS, check_outputs, report_kind, write_reports
from magistrate.report.view import RunView

PASSAGE = "The archive opens at nine. The reading room has forty seats."


@pytest.fixture
def run():
    return evaluate([Case(id="c1", answer="The archive opens at nine. Lunch is free.", contexts=[PASSAGE])])


class TestReportKind:
    @pytest.mark.parametrize(("name", "kind"), [("a.JSON", "json"), ("x/b.xml", "junit"), ("c.statements.csv", "csv")])
    def test_the_ending_decides_in_any_case(self, name, kind):
        assert report_kind(name) == kind

    @pytest.mark.parametrize("name", ["report", "report.pdf", ".csv"])
    def test_a_name_that_does_not_say_is_refused_with_the_endings(self, name):
        with pytest.raises(ConfigurationError, match=r"\.json, \.xml"):
            report_kind(name)


class TestCheckOutputs:
    def test_what_can_be_written_passes_and_nothing_is_made(self, tmp_path):
        check_outputs([tmp_path / "new" / f"report{suffix}" for suffix in KINDS])
        assert list(tmp_path.iterdir()) == []

    def test_a_file_named_twice_is_refused(self, tmp_path):
        with pytest.raises(ConfigurationError, match="twice"):
            check_outputs([tmp_path / "a.md", tmp_path / "a.md"])

    def test_a_folder_is_refused(self, tmp_path):
        (tmp_path / "a.md").mkdir()
        with pytest.raises(StoreError, match="is a folder"):
            check_outputs([tmp_path / "a.md"])


class TestWriteReports:
    def test_each_kind_is_written_and_named(self, run, tmp_path):
        paths = [tmp_path / f"report{suffix}" for suffix in KINDS]
        assert write_reports(RunView(run), paths) == dict(zip(KINDS.values(), paths, strict=True))
        assert json.loads((tmp_path / "report.json").read_text())["cases"][0]["case"]["id"] == "c1"
        assert ET.fromstring((tmp_path / "report.xml").read_text()).tag == "testsuites"
        assert (tmp_path / "report.parquet").read_bytes()[:4] == b"PAR1"
        assert (tmp_path / "report.svg").read_text().startswith("<svg")
        assert "faithfulness" in (tmp_path / "report.md").read_text()

    @pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
    def test_what_holds_texts_is_for_its_owner_alone(self, run, tmp_path):
        for kind, path in write_reports(RunView(run), [tmp_path / f"report{suffix}" for suffix in KINDS]).items():
            if kind != "badge":
                assert path.stat().st_mode & 0o077 == 0, kind


class TestReplacing:
    def test_the_file_appears_at_the_end_with_the_folders_on_the_way(self, tmp_path):
        path = tmp_path / "a" / "b" / "report.txt"
        with replacing(path) as file:
            file.write(b"all of it")
            assert not path.exists()
        assert path.read_bytes() == b"all of it"
        assert [p.name for p in path.parent.iterdir()] == ["report.txt"]

    def test_only_its_owner_may_read_it_unless_it_is_public(self, tmp_path):
        with replacing(tmp_path / "private"):
            pass
        with replacing(tmp_path / "public", private=False):
            pass
        assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "public").stat().st_mode & 0o400

    def test_a_failure_leaves_the_older_file_and_no_draft(self, tmp_path):
        path = tmp_path / "report.txt"
        path.write_text("old")

        def write():
            with replacing(path) as file:
                file.write(b"half")
                raise RuntimeError("stop")

        with pytest.raises(RuntimeError, match="stop"):
            write()
        assert path.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 1

    def test_a_full_disk_is_an_error_that_names_the_file(self, tmp_path):
        def write():
            with replacing(tmp_path / "report.txt"):
                raise OSError(28, "No space left on device")

        with pytest.raises(StoreError, match=r"report\.txt: cannot be written: No space left on device"):
            write()


class TestCheckTarget:
    def test_a_folder_is_no_file(self, tmp_path):
        with pytest.raises(StoreError, match="is a folder: name a file, such as"):
            check_target(tmp_path)
