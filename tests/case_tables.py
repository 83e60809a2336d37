"""Tables of tests as data: `cases.yaml` beside a test holds, under a name, its parameters and then a row a case."""

from functools import cache
from pathlib import Path

import pytest
import yaml


@cache
def tables_of(test: str):
    """What the tables beside a file of tests hold, by name."""
    text = Path(test).with_name("cases.yaml").read_text(encoding="utf-8")
    halves = "\\ud" in text.lower()  # of pairs, which the quick loader refuses
    return yaml.load(text, Loader=yaml.SafeLoader if halves else getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506


def cases_of(test: str):
    """What parametrizes the tests of a file by the tables beside it."""
    tables = tables_of(test)

    def cases(name):
        names, *rows = tables[name]
        return pytest.mark.parametrize(",".join(names), rows)

    return cases


def each_of(cases):
    """Make one test of a check of many cases; what fails is named by its case."""

    def decorate(check):
        def test(*instance):
            for case in cases:
                try:
                    check(*instance, case)
                except AssertionError as error:
                    raise AssertionError(f"{case.id}: {error}") from error

        test.__name__ = check.__name__
        return test

    return decorate
