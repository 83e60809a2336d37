"""Contexts cut into windows, and the verdicts of windows merged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.completion.tokens import likely_tokens
from magistrate.judges.llm._windows import SMALLEST, leaves, merge_windows, moved, spans_of, split_window
from magistrate.verdict import BINARY, GRADED, TERNARY, Evidence, Issue, IssueCode, StatementVerdict, Verdict

SUPPORTED, CONTRADICTED, UNKNOWN = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO
PARTLY = Verdict.PARTIALLY_SUPPORTED
PARAGRAPH = "The lock keeper counts the barges. Each pays by its length. Timber goes free in spring.\n\n"


def said(verdict, reason=None):
    issues = () if verdict else (Issue(IssueCode.TRUNCATED, "cut", 0),)
    return StatementVerdict(index=0, id="s1", statement="One.", verdict=verdict, reason=reason, issues=issues)


def merged(*verdicts, scale=TERNARY):
    return merge_windows([said(verdict, f"part {at}") for at, verdict in enumerate(verdicts, 1)], scale)


def codes(verdict):
    return [issue.code for issue in verdict.issues]


class TestSplitWindow:
    def test_whole_contexts_stay_whole_where_they_fit(self):
        contexts = [PARAGRAPH * 3, PARAGRAPH * 3, "", PARAGRAPH * 3]
        windows = split_window(contexts, (), 150)
        assert [[span[0] for span in window] for window in windows] == [[0, 1], [3]] or windows == [
            ((index, 0, len(contexts[index])),) for index in (0, 1, 3)
        ]

    def test_a_long_context_is_cut_between_paragraphs(self):
        text = PARAGRAPH * 20
        windows = split_window([text], (), 200)
        assert len(windows) > 2
        assert all(text[:end].endswith("\n\n") for ((_, _, end),) in windows[:-1])
        assert all(text[start:].startswith(("The lock", "Each pays", "Timber")) for ((_, start, _),) in windows)

    def test_without_a_known_limit_it_is_halved(self):
        assert len(split_window([PARAGRAPH * 8, PARAGRAPH * 8], ())) == 2

    def test_too_little_to_cut_is_not_cut(self):
        assert split_window(["A short passage."], ()) == []

    def test_a_window_is_cut_further(self):
        contexts = [PARAGRAPH * 10, PARAGRAPH * 10]
        first = split_window(contexts, ())[0]
        for part in split_window(contexts, first):
            assert {span[0] for span in part} == {span[0] for span in first}

    @given(
        contexts=st.lists(st.text(max_size=1200), min_size=1, max_size=5),
        most=st.none() | st.integers(-50, 400),
    )
    def test_windows_hold_every_character_in_order_and_each_is_smaller(self, contexts, most):
        windows = split_window(contexts, (), most)
        whole = spans_of(contexts, ())
        if not windows:
            assert sum(likely_tokens(contexts[i][s:e]) for i, s, e in whole) < 2 * SMALLEST + len(contexts)
            return
        seen = [set[int]() for _ in contexts]
        for window in windows:
            assert window != whole
            assert len({index for index, _, _ in window}) == len(window)
            for index, start, end in window:
                assert 0 <= start < end <= len(contexts[index])
                seen[index].update(range(start, end))
        assert all(seen[index] == set(range(len(contexts[index]))) for index, _, _ in whole)
        flat = [span for window in windows for span in window]
        assert flat == sorted(flat)

    @pytest.mark.parametrize("most", [None, 60, 1])
    def test_no_prompt_makes_thousands_of_windows(self, most):
        contexts = ["word " * 20_000]
        uncut, ends = [()], 0
        while uncut:
            parts = split_window(contexts, uncut.pop(), most)
            uncut += parts
            ends += not parts
        assert ends <= 200


class TestLeaves:
    def test_a_window_that_was_cut_further_counts_no_more(self):
        contexts = ["a" * 10, "b" * 10]
        first, second = ((0, 0, 10),), ((1, 0, 10),)
        part, rest = ((1, 0, 6),), ((1, 5, 10),)
        assert leaves([(), first, second, part, rest], contexts) == [first, part, rest]


APART, CONFLICT = [IssueCode.CONTEXT_SPLIT], [IssueCode.CONFLICTING_VERDICTS]


class TestMergeWindows:
    @pytest.mark.parametrize(
        ("verdicts", "scale", "verdict", "part", "issues"),
        [
            ((UNKNOWN, SUPPORTED, UNKNOWN), TERNARY, SUPPORTED, 2, []),  # in any window
            ((None, SUPPORTED, UNKNOWN), TERNARY, SUPPORTED, 2, APART),
            ((UNKNOWN, SUPPORTED, None), TERNARY, SUPPORTED, 2, APART),
            ((UNKNOWN, CONTRADICTED, UNKNOWN), TERNARY, CONTRADICTED, 2, APART),  # anywhere
            ((SUPPORTED, CONTRADICTED), TERNARY, SUPPORTED, 1, CONFLICT),
            ((UNKNOWN, UNKNOWN), TERNARY, UNKNOWN, 1, APART),
            ((UNKNOWN, PARTLY, UNKNOWN), GRADED, PARTLY, 2, APART),  # the best of the scale
            ((Verdict.UNSUPPORTED,) * 2, BINARY, Verdict.UNSUPPORTED, 1, APART),
            # For less than support every window must be known.
            ((UNKNOWN, None), GRADED, None, 2, [IssueCode.TRUNCATED]),
            ((None, UNKNOWN, UNKNOWN), GRADED, None, 1, [IssueCode.TRUNCATED]),
            ((PARTLY, None), GRADED, None, 2, [IssueCode.TRUNCATED]),
            ((None, None), GRADED, None, 1, [IssueCode.TRUNCATED]),
        ],
    )
    def test_what_windows_say_together(self, verdicts, scale, verdict, part, issues):
        found = merged(*verdicts, scale=scale)
        assert (found.verdict, found.reason, codes(found)) == (verdict, f"part {part}", issues)

    def test_a_contradiction_beside_support_is_reported_with_its_reason(self):
        assert "part 2" in merged(SUPPORTED, CONTRADICTED).issues[0].message

    @given(st.lists(st.sampled_from([SUPPORTED, CONTRADICTED, UNKNOWN, PARTLY, None]), min_size=2, max_size=6))
    def test_the_order_of_the_windows_never_decides(self, verdicts):
        assert merged(*verdicts, scale=GRADED).verdict is merged(*reversed(verdicts), scale=GRADED).verdict


class TestMoved:
    def test_quotes_stand_where_they_stand_in_the_whole_context(self):
        quote = Evidence("toll", 1, 4, 8, 1.0)
        verdict = said(SUPPORTED).model_copy(update={"evidence": (quote, Evidence("gone"))})
        found = moved(verdict, ((1, 100, 200),))
        assert (found.evidence[0].start, found.evidence[0].end) == (104, 108)
        assert found.evidence[1] == Evidence("gone")
