"""Processes of this machine."""

import os
import signal
from pathlib import Path

import pytest

from magistrate.engines import ENGINES, Processes, Task, open_engine
from magistrate.errors import ConfigurationError


def double(number, _):
    return number * 2


def die_once(path, _):
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Path(path).name


def fail(number, _):
    raise ValueError(str(number))


@pytest.mark.slow
class TestProcesses:
    def test_every_item_is_taken_once(self):
        assert sorted(Processes().run(Task(double, range(5)), 2)) == [0, 2, 4, 6, 8]

    def test_a_call_whose_process_dies_is_made_again(self, tmp_path):
        items = [str(tmp_path / name) for name in "ab"]
        assert sorted(Processes().run(Task(die_once, items), 2)) == ["a", "b"]

    def test_what_a_call_raises_is_raised(self):
        with pytest.raises(ValueError, match="7"):
            list(Processes().run(Task(fail, [7]), 1))

    def test_once_stopped_nothing_is_begun(self):
        engine = Processes()
        engine.stop()
        assert list(engine.run(Task(double, [1, 2]), 1)) == []


def test_an_unknown_engine_is_named_with_those_that_there_are():
    with pytest.raises(ConfigurationError, match=" or ".join(ENGINES)):
        open_engine("dask")
