"""Usage adds up, and what is unknown stays unknown."""

from hypothesis import given
from hypothesis import strategies as st

from magistrate.records import Usage

usages = st.builds(
    Usage,
    calls=st.integers(0, 100),
    cached=st.integers(0, 100),
    prompt_tokens=st.none() | st.integers(0, 10**6),
    completion_tokens=st.none() | st.integers(0, 10**6),
    cost=st.none() | st.integers(0, 10**6).map(lambda n: n / 4),
    latency_ms=st.integers(0, 10**6).map(float),
)


class TestUsage:
    @given(usages, usages, usages)
    def test_adds_in_any_order_and_grouping(self, a, b, c):
        assert (a + b) + c == a + (b + c)
        assert a + b == b + a

    @given(usages)
    def test_nothing_added_changes_nothing(self, usage):
        assert usage + Usage() == usage

    @given(usages)
    def test_an_unknown_cost_stays_unknown(self, usage):
        assert (usage + Usage(cost=None)).cost is None
        assert (usage + Usage(prompt_tokens=None)).prompt_tokens is None
