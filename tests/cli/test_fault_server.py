"""`magistrate fault-server`: a model for other people's tests."""

from __future__ import annotations

import json


class TestFaultServer:
    def test_serves_for_the_given_time_and_counts(self, magistrate) -> None:
        said = magistrate("fault-server", "--for", "0.1", "--fault", "429", "--rate", "0.5")
        address, counts = said.out.splitlines()
        assert said.code == 0
        assert "http://127.0.0.1:" in address
        assert json.loads(counts)["calls"] == 0

    def test_lists_its_faults(self, magistrate) -> None:
        assert {"429", "truncated-stop", "planted-json"} <= set(magistrate("fault-server", "--list").out.split())

    def test_an_unknown_fault_is_a_usage_error(self, magistrate) -> None:
        said = magistrate("fault-server", "--fault", "flood", "--for", "0")
        assert said.code == 2
        assert "unknown fault 'flood'" in said.err
