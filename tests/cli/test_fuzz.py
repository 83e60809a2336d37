"""`magistrate fuzz`: exit codes, files, known failures."""

import json
from pathlib import Path

import pytest

from magistrate.testing.fuzz import FuzzReport


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "cli_fuzz_judge.py").write_text(
        "def silent(reply, statements):\n    return None\n"
        "def yes(reply, statements):\n    return ['ok'] * len(statements)\n"
        "def broken(reply, statements):\n    raise KeyError('verdict')\n"
    )
    monkeypatch.chdir(tmp_path)
    return "cli_fuzz_judge"


class TestExitCodes:
    @pytest.mark.slow
    def test_0_where_nothing_is_wrong(self, magistrate):
        said = magistrate("fuzz", "magistrate", "--count", "30")
        assert said.code == 0
        assert "30 replies" in said.out
        assert said.out.endswith(": nothing wrong\n")

    def test_1_where_nothing_at_all_is_read(self, magistrate, module):
        said = magistrate("fuzz", f"{module}:silent", "--count", "30")
        assert (said.code, "not one reply was read" in said.out) == (1, True)
        assert magistrate("fuzz", f"{module}:broken", "--count", "5", "--raises", "KeyError").code == 1

    def test_1_where_more_is_wrong_than_allowed(self, magistrate, module):
        options = ("fuzz", f"{module}:yes", "--count", "30", "--labels", "ok=supported")
        said = magistrate(*options)
        assert said.code == 1
        assert "silently wrong, 0 allowed" in said.out
        allowed = magistrate(*options, "--max-wrong", "30")
        assert allowed.code == 0
        assert "silently wrong, all of it known or allowed" in allowed.out

    def test_1_where_anything_crashes(self, magistrate, module):
        assert magistrate("fuzz", f"{module}:broken", "--count", "5", "--max-wrong", "30").code == 1

    @pytest.mark.parametrize(
        "wrong",
        [
            ("no_such_module:read",),
            ("json:loads",),
            ("json:loads", "--labels", "yes"),
            ("json:loads", "--task", "poems"),
            ("json:loads", "--accept", "missing.json"),
        ],
    )
    def test_2_on_usage(self, magistrate, module, wrong):
        del module
        said = magistrate("fuzz", *wrong)
        assert said.code == 2
        assert said.err.startswith("magistrate: ")


class TestFiles:
    def test_known_failures_do_not_fail(self, magistrate, module):
        options = ("fuzz", f"{module}:yes", "--count", "30", "--labels", "ok=supported")
        written = magistrate(*options, "--write-accept", "known.json")
        assert (written.code, "known.json" in written.out) == (0, True)
        assert json.loads(Path("known.json").read_text())["kinds"]
        known = magistrate(*options, "--accept", "known.json")
        assert known.code == 0
        assert "silently wrong, all of it known or allowed" in known.out
        Path("known.json").write_text('{"kinds": []}')
        assert magistrate(*options, "--accept", "known.json").code == 1

    def test_a_count_is_reached_however_slow_the_machine(self, magistrate, module, monkeypatch):
        given = []
        monkeypatch.setattr(
            "magistrate.testing.fuzz.fuzz",
            lambda target, *, seconds, **_: given.append(seconds) or FuzzReport(target, 0),
        )
        for options in (("--count", "9"), (), ("--count", "9", "--time", "5")):
            assert magistrate("fuzz", f"{module}:silent", *options).code == 0
        assert given == [600, 30, 5]

    def test_reports_are_json_and_junit(self, magistrate, module):
        magistrate("fuzz", f"{module}:broken", "--count", "5", "--json", "r.json", "--junit", "r.xml")
        assert json.loads(Path("r.json").read_text())["totals"]["crash"] == 5
        assert "<failure" in Path("r.xml").read_text()
