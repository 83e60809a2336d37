"""Every stored reply has its right reading: value, status, the codes of its issues.

`replies/*.yaml` are curated, one reply in one place. `frozen/` holds the calls of the tests of version 0.1.0 with the
reading of that version, right until `frozen/changed.jsonl` says otherwise, with one of the reasons of
`frozen/reasons.yaml`.
"""

from __future__ import annotations

import pytest
import yaml

from fuzz.stored import FUNCTIONS, REPLIES, Stored, changes, curated, frozen

FROZEN = REPLIES / "frozen"
CURATED = [*curated(), *curated(REPLIES.parent.parent / "docs")]
GROUPS: dict[str, list[Stored]] = {}
for _one in CURATED:
    GROUPS.setdefault(_one.name.rpartition("-")[0], []).append(_one)


class TestCurated:
    @pytest.mark.parametrize("group", GROUPS)
    def test_a_reply_is_read_as_it_is_meant(self, group: str) -> None:
        strays = []
        for stored in GROUPS[group]:
            value, status, issues = stored.read()
            right = stored.allows(value) and (not stored.statuses or status in stored.statuses)
            if not right or (stored.issues is not None and issues != stored.issues):
                strays.append(f"{stored.name}: {value} {status} {issues}, not {stored}")
        assert strays == []

    def test_one_reply_stands_in_one_place(self) -> None:
        seen: dict[str, str] = {}
        # a word may be the same in two languages
        listed = [one for one in CURATED if not one.name.startswith("languages-")]
        pairs = [(one.name, seen.setdefault(one.key(), one.name)) for one in listed]
        assert [pair for pair in pairs if pair[0] != pair[1]] == []


class TestFrozen:
    @pytest.mark.slow
    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_a_reading_is_as_it_was_or_the_change_is_listed(self, function: str) -> None:
        listed, strays = changes(), []
        for stored in frozen(function):
            value, status, _ = stored.read()
            expected = listed.get(stored.key(), {})
            right = (expected.get("value", stored.value), expected.get("status", stored.statuses[0]))
            if (value, status) != right:
                strays.append(f"{stored.name} {stored.key()}: {value} {status}, not {right}: {stored.reply!r:.200}")
        assert strays[:20] == [], f"{len(strays)} readings changed"

    def test_every_change_has_a_reason(self) -> None:
        reasons = yaml.safe_load((FROZEN / "reasons.yaml").read_text(encoding="utf-8"))
        assert {row["why"] for row in changes().values()} == set(reasons)
