"""Every requirement of the designs this package follows has a test that is named after it.

S0 is RagaliQ's design record, S1 VERA ADR-0036, S2 DeepEvalEx's faithfulness, S3 the plan for promptfoo issue 2468, S4
ADR 0003 on citations. C are the contradictions between them, I what holds whatever they say. The tests of S3 are here,
beside the parser (S3.1 to S3.5) and beside the judge.
"""

import re
from pathlib import Path

import pytest

IDS = (
    *(f"S0.{n}" for n in range(1, 13)),
    *(f"S1.{n}" for n in range(1, 18)),
    *(f"S2.{n}" for n in range(1, 10)),
    *(f"S3.{n}" for n in range(1, 14)),
    *(f"S4.{n}" for n in range(1, 8)),
    "S4.open",
    *(f"C{n}" for n in range(1, 15)),
    *(f"I{n}" for n in range(1, 13)),
)

_NAME = re.compile(r"^\s*(?:async )?def test_(s\d+_(?:\d+|open)|[ci]\d+)_\w+\(", re.MULTILINE)
TESTS = [
    name
    for path in sorted(Path(__file__).parents[1].rglob("test_*.py"))
    for name in _NAME.findall(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("identifier", IDS)
def test_the_requirement_has_a_test_of_its_name(identifier):
    assert identifier.casefold().replace(".", "_") in TESTS


def test_no_test_is_named_after_a_requirement_that_is_not_there():
    known = {identifier.casefold().replace(".", "_") for identifier in IDS}
    assert set(TESTS) <= known
