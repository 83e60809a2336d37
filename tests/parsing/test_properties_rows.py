"""Promise 7: rows with ids in any order say the same; rows that disagree say nothing; rows that agree say it once."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magistrate.parsing import parse_verdicts
from magistrate.verdict import TERNARY, IssueCode, ParseStatus, Verdict

MANY = settings()  # of the profile: see CONTRIBUTING.md

VERDICTS = st.lists(st.sampled_from(TERNARY.verdicts), min_size=1, max_size=8)


def statements(count: int) -> list[str]:
    return [f"Shelf {chr(65 + at)} holds {at + 4} jars of plums." for at in range(count)]


def row(at: int, verdict: Verdict) -> dict[str, object]:
    return {"id": at + 1, "verdict": verdict.value}


KINDS = ["list", "lines", "table", "numbered", "xml"]


@st.composite
def written(draw: st.DrawFn, rows: list[dict[str, object]]) -> str:
    """Rows in one of the ways that name their statement; maps cannot hold one twice."""
    return written_as(draw(st.sampled_from(KINDS)), rows)


def written_as(kind: str, rows: list[dict[str, object]]) -> str:
    if kind == "list":
        return json.dumps({"verdicts": rows})
    if kind == "lines":
        return "\n".join(json.dumps(one) for one in rows)
    if kind == "table":
        return "| id | verdict |\n|---|---|\n" + "\n".join(f"| {one['id']} | {one['verdict']} |" for one in rows)
    if kind == "xml":
        items = "".join(f'<item id="{one["id"]}"><verdict>{one["verdict"]}</verdict></item>' for one in rows)
        return f"<verdicts>{items}</verdicts>"
    return "\n".join(f"{one['id']}. {one['verdict']}" for one in rows)


class TestOrder:
    """None is no answer here: each of these ways is read in its order, so it must be read in any other."""

    @pytest.mark.parametrize("kind", [*KINDS, "map", "side by side", "yaml", "numbered with statements", "sentences"])
    def test_any_order_of_rows_with_ids_says_the_same(self, kind: str) -> None:
        @MANY
        @given(VERDICTS, st.data())
        def holds(verdicts: list[Verdict], data: st.DataObject) -> None:
            rows = data.draw(st.permutations([row(at, verdict) for at, verdict in enumerate(verdicts)]))
            asked = statements(len(verdicts))
            said = [(one["id"], one["verdict"], asked[int(str(one["id"])) - 1]) for one in rows]
            if kind == "map":
                text = json.dumps({f"s{number}": word for number, word, _ in said})
            elif kind == "side by side":
                pairs = [{f"s{number}_why": "See the label.", f"s{number}": word} for number, word, _ in said]
                text = json.dumps({key: value for pair in pairs for key, value in pair.items()})
            elif kind == "yaml":
                text = "verdicts:\n" + "".join(f"  - id: {number}\n    verdict: {word}\n" for number, word, _ in said)
            elif kind == "numbered with statements":
                text = "\n".join(f"{number}. {statement} - {word}" for number, word, statement in said)
            elif kind == "sentences":
                text = "\n".join(f"Statement {number}: {word}." for number, word, _ in said)
            else:
                text = written_as(kind, rows)
            assert tuple(parse_verdicts(text, asked, scale="ternary").found) == tuple(verdicts)

        holds()

    @MANY
    @given(VERDICTS, st.data())
    def test_any_order_of_repeated_statements_does_too(self, verdicts: list[Verdict], data: st.DataObject) -> None:
        asked = statements(len(verdicts))
        rows = [{"statement": one, "verdict": verdict.value} for one, verdict in zip(asked, verdicts, strict=True)]
        text = json.dumps(data.draw(st.permutations(rows)))
        assert tuple(parse_verdicts(text, asked, scale="ternary").found) == tuple(verdicts)


class TestConflict:
    @MANY
    @given(VERDICTS, st.data())
    def test_two_verdicts_on_one_statement_are_none(self, verdicts: list[Verdict], data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(verdicts) - 1))
        other = data.draw(st.sampled_from([one for one in TERNARY.verdicts if one is not verdicts[at]]))
        rows = [row(index, verdict) for index, verdict in enumerate(verdicts)]
        rows.insert(data.draw(st.integers(0, len(rows))), row(at, other))
        reading = parse_verdicts(data.draw(written(rows)), statements(len(verdicts)), scale="ternary")
        assert reading.found[at] is None
        assert all(one in {None, verdict} for one, verdict in zip(reading.found, verdicts, strict=True))
        assert reading.status is not ParseStatus.OK

    @MANY
    @given(VERDICTS, st.data())
    def test_two_answers_that_disagree_leave_no_verdict_there(
        self, verdicts: list[Verdict], data: st.DataObject
    ) -> None:
        at = data.draw(st.integers(0, len(verdicts) - 1))
        other = data.draw(st.sampled_from([one for one in TERNARY.verdicts if one is not verdicts[at]]))
        second = [*verdicts]
        second[at] = other
        pair = [
            json.dumps({"verdicts": [row(index, one) for index, one in enumerate(list_)]})
            for list_ in (verdicts, second)
        ]
        between = data.draw(st.sampled_from(["\n", "\n\n", "\n\nAnd:\n\n", "\n```\n```json\n"]))
        text = between.join(pair)
        if "```" in between:
            text = f"```json\n{text}\n```"
        reading = parse_verdicts(text, statements(len(verdicts)), scale="ternary")
        assert reading.found[at] is None
        assert IssueCode.CONFLICTING_VERDICTS in {issue.code for issue in reading.issues}
        assert all(one in {None, verdict} for one, verdict in zip(reading.found, verdicts, strict=True))


class TestDuplicates:
    @MANY
    @given(VERDICTS, st.data())
    def test_rows_that_agree_count_and_are_reported(self, verdicts: list[Verdict], data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(verdicts) - 1))
        rows = [row(index, verdict) for index, verdict in enumerate(verdicts)]
        rows.insert(data.draw(st.integers(0, len(rows))), row(at, verdicts[at]))
        reading = parse_verdicts(json.dumps(rows), statements(len(verdicts)), scale="ternary")
        assert tuple(reading.found) == tuple(verdicts)
        assert IssueCode.DUPLICATE_VERDICT in {issue.code for issue in reading.issues}

    @MANY
    @given(VERDICTS)
    def test_an_answer_given_twice_counts_once(self, verdicts: list[Verdict]) -> None:
        one = json.dumps({"verdicts": [row(at, verdict) for at, verdict in enumerate(verdicts)]})
        reading = parse_verdicts(f"{one}\n\nIn short:\n\n{one}", statements(len(verdicts)), scale="ternary")
        assert tuple(reading.found) == tuple(verdicts)


class TestCounts:
    @MANY
    @given(
        st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=7),
        st.integers(2, 7),
        st.sampled_from(["json", "lines", "final"]),
    )
    def test_words_that_do_not_fit_the_count_give_no_verdict(self, words: list[str], count: int, kind: str) -> None:
        text = {
            "json": json.dumps(words),
            "lines": "\n".join(words),
            "final": "Final verdict for each statement in order: " + ". ".join(words) + ".",
        }[kind]
        reading = parse_verdicts(text, statements(count), finish_reason="stop")
        if len(words) == count:
            meant = {"yes": Verdict.SUPPORTED, "no": Verdict.UNSUPPORTED}
            assert tuple(reading.found) == tuple(meant[word] for word in words)
        else:
            assert tuple(reading.found) == (None,) * count
            assert IssueCode.COUNT_MISMATCH in {issue.code for issue in reading.issues}

    @MANY
    @given(st.lists(st.sampled_from(["yes", "no"]), min_size=2, max_size=7), st.sampled_from(["\n", ". ", "\n- "]))
    def test_words_that_differ_say_nothing_of_one_statement(self, words: list[str], between: str) -> None:
        reading = parse_verdicts(between.join(words), statements(1), finish_reason="stop")
        assert reading.found[0] is None or len(set(words)) == 1

    @MANY
    @given(VERDICTS, st.integers(1, 3))
    def test_rows_about_nothing_that_was_asked_change_nothing(self, verdicts: list[Verdict], more: int) -> None:
        rows = [row(at, verdict) for at, verdict in enumerate(verdicts)]
        rows += [row(len(verdicts) + extra, TERNARY.verdicts[0]) for extra in range(more)]
        reading = parse_verdicts(json.dumps(rows), statements(len(verdicts)), scale="ternary")
        assert tuple(reading.found) == tuple(verdicts)
        assert IssueCode.UNKNOWN_STATEMENT in {issue.code for issue in reading.issues}

    @MANY
    @given(st.lists(st.sampled_from(TERNARY.verdicts), min_size=2, max_size=8))
    def test_ids_from_zero_are_read_as_such(self, verdicts: list[Verdict]) -> None:
        rows = [{"id": at, "verdict": verdict.value} for at, verdict in enumerate(verdicts)]
        reading = parse_verdicts(json.dumps(rows), statements(len(verdicts)), scale="ternary")
        assert tuple(reading.found) == tuple(verdicts)
