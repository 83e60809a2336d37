"""The pytest plugin: a fixture that fuzzes a judge function. It imports nothing until a test asks for it."""

from collections.abc import Callable

import pytest


@pytest.fixture
def fuzz_judge() -> Callable[..., None]:
    """A function that fuzzes a judge function, and fails the test with the smallest examples.

    def test_my_judge(fuzz_judge):
        fuzz_judge(my_judge, seconds=10)
    """
    from magistrate.testing.fuzz_test import check_judge  # noqa: PLC0415 - loads when a test asks for it

    return check_judge
