"""The command line as a whole: help, usage errors, errors without tracebacks."""

import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from tests.case_tables import cases_of
from tests.running import ran

import magistrate as package
from magistrate import cli
from magistrate.cli import late
from magistrate.scoring import POLICIES

cases = cases_of(__file__)

COMMANDS = [["eval"], ["score"], ["reparse"], ["report"], ["show"], ["policies"], ["dataset"], ["dataset", "validate"]]


class TestHelp:
    @pytest.mark.parametrize("command", [[], *COMMANDS])
    def test_every_command_and_every_option_has_help(self, magistrate, command):
        said = magistrate(*command, "--help")
        assert said.code == 0
        assert "Usage: magistrate" in said.out
        options = said.out.partition("Options:")[2].partition("\n\n")[0].splitlines()[1:]
        for number, line in enumerate(options):
            if line.startswith("  -"):
                described = line.split("  ", 2)[2:] or options[number + 1 : number + 2]
                assert " ".join(described).strip(), line

    def test_version(self, magistrate):
        assert magistrate("--version").out == f"magistrate {package.__version__}\n"

    @pytest.mark.parametrize("command", [[], ["dataset"]])
    def test_without_arguments_help_is_shown_as_a_usage_error(self, magistrate, command):
        said = magistrate(*command)
        assert said.code == 2
        assert "Commands:" in said.err


class TestUsageErrors:
    @cases("main: one line that says what is wrong and code 2")
    def test_one_line_that_says_what_is_wrong_and_code_2(self, magistrate, arguments, message):
        said = magistrate(*arguments)
        assert said.code == 2
        assert message in said.err
        assert said.err.count("\n") == 1
        assert said.out == ""

    @cases("main: options that do not fit are refused before anything runs")
    def test_options_that_do_not_fit_are_refused_before_anything_runs(self, magistrate, dataset, options, message):
        said = magistrate("eval", dataset([{"answer": "a", "contexts": ["a"]}]), *options)
        assert said.code == 2
        assert message in said.err
        assert not Path(".magistrate").exists()


@cases("main: what a command answers")
def test_what_a_command_answers(magistrate, *, files, arguments, code, said, unsaid, absent):
    for name, text in files.items():
        Path(name).write_text(text)
    done = magistrate(*arguments)
    told = done.out + done.err
    assert done.code == code
    assert [part for part in said if part not in told and part not in " ".join(told.split())] == []
    assert [part for part in unsaid if part in told] == []
    assert [name for name in absent if Path(name).exists()] == []


class TestErrors:
    @pytest.mark.parametrize(("file", "shown"), [("/lib/site-packages/pydantic/x.py", False), ("mine.py", True)])
    def test_warnings_of_libraries_are_not_shown_those_of_a_user_are(self, magistrate, monkeypatch, file, shown):
        def warned(name):
            warnings.warn_explicit("of a field", UserWarning, file, 1)
            return POLICIES[name]

        monkeypatch.setattr(late, "get_policy", warned)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            magistrate("policies", "strict")
        assert bool(seen) is shown

    def test_a_fault_of_ours_is_one_line_with_a_code_of_its_own(self, magistrate, monkeypatch):
        monkeypatch.setattr(late, "POLICIES", None)
        said = magistrate("policies")
        assert said.code == cli.INTERNAL_ERROR
        assert "internal error: AttributeError" in said.err
        assert "Traceback" not in said.err

    def test_a_ctrl_c_before_the_work_begins_is_told(self, magistrate, monkeypatch):
        class Stopped(dict):
            def values(self):
                raise KeyboardInterrupt

            __iter__ = items = values

        monkeypatch.setattr(late, "POLICIES", Stopped())
        said = magistrate("policies")
        assert (said.code, said.err) == (4, "magistrate: interrupted\n")

    def test_a_ctrl_c_before_the_first_case_says_so(self, magistrate, monkeypatch, tmp_path):
        (tmp_path / "cases.jsonl").write_text('{"answer": "a", "contexts": ["c"]}')

        def interrupted(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr(late, "make_plan", interrupted)
        said = magistrate("eval", tmp_path / "cases.jsonl")
        assert (said.code, "before anything was judged" in said.err) == (4, True)
        assert "judged" not in magistrate("eval", "--help").err

    @pytest.mark.slow
    @pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM"])
    def test_a_signal_while_the_program_is_loaded_is_told_without_a_traceback(self, signal_name):
        script = (
            "import os, signal, sys, time\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # whoever began the tests may ignore it
            "class Loading:\n"
            "    def find_spec(self, name, *_):\n"
            "        if name == 'magistrate.cli.app':\n"
            f"            os.kill(os.getpid(), signal.{signal_name})\n"
            "            try:\n"
            "                time.sleep(30)\n"
            "            except KeyboardInterrupt:\n"  # as libraries do now and then
            "                time.sleep(30)\n"
            "sys.meta_path.insert(0, Loading())\n"
            "sys.argv = ['magistrate', 'policies']\n"
            "from magistrate.cli import main\n"
            "main()"
        )
        done = ran(sys.executable, "-c", script, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (4, "", "magistrate: interrupted\n")

    def test_hostile_words_on_the_command_line_come_back_inert(self, magistrate):
        said = magistrate("eval", "\x1b[31mfile\x07")
        assert "\x1b" not in said.err
        assert said.code == 2

    @pytest.mark.slow
    def test_a_reader_that_goes_away_is_no_error_and_no_gate_passed(self):
        script = "from magistrate.cli import main; import sys; sys.argv = ['magistrate', 'policies', '--json']; main()"
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        _, err = process.communicate(timeout=120)
        assert process.returncode == 141
        assert err == b""

    @pytest.mark.slow
    def test_the_installed_script_answers(self):
        done = ran(sys.executable, "-m", "magistrate", "--version", check=True)
        assert done.stdout == f"magistrate {package.__version__}\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device that is always full is Linux's")
def test_a_full_disk_is_told_and_no_fault_of_ours():
    script = "from magistrate.cli import main; main()"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", script, "policies"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "magistrate: the output cannot be written: No space left on device\n"
