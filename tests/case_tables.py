"""Tables of tests as data: `cases.yaml` beside a test holds, under a name, its parameters and then a row a case."""

from pathlib import Path

import pytest
import yaml


def cases_of(test: str):
    """What parametrizes the tests of a file by the tables beside it."""
    tables = yaml.safe_load(Path(test).with_name("cases.yaml").read_text(encoding="utf-8"))

    def cases(name):
        names, *rows = tables[name]
        return pytest.mark.parametrize(",".join(names), rows)

    return cases
