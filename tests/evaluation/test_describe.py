"""Descriptions identify a configuration, and hold no secret."""

from __future__ import annotations

from typing import Any

import pytest

from magistrate.evaluation.configuration import config_hash, describe, differences
from magistrate.redact import without_secrets
from magistrate.verdict import TERNARY, Scale


class Part:
    def __init__(
        self, name: str, scale: Scale = TERNARY, api_key: str | None = None, cache: str = "", depth: int = 1
    ) -> None:
        self.name, self.scale, self.api_key, self.cache, self.depth = name, scale, api_key, cache, depth
        self.calls_so_far = 0


class TestDescribe:
    def test_it_is_what_the_part_was_made_with(self):
        assert describe(Part("n", depth=3)) == {
            "class": f"{__name__}.Part",
            "name": "n",
            "scale": "ternary",
            "depth": 3,
        }

    def test_what_changes_in_use_and_where_things_are_kept_does_not_count(self):
        one, two = Part("n", cache="/a"), Part("n", cache="/b")
        two.calls_so_far = 9
        assert describe(one) == describe(two)

    def test_a_part_may_describe_itself(self):
        class Own:
            def describe(self) -> dict[str, Any]:
                return {"model": "m", "api_key": "sk-1"}

        assert describe(Own()) == {"model": "m"}


class TestSecrets:
    @pytest.mark.parametrize(
        "name", ["api_key", "Authorization", "x-api-key", "client_secret", "auth_token", "password", "azure_ad_token"]
    )
    def test_what_is_named_like_a_secret_is_left_out(self, name: str):
        assert without_secrets({"a": {name: "v"}, "b": [{name: "v"}]}) == {"a": {}, "b": [{}]}

    @pytest.mark.parametrize("name", ["max_tokens", "token_limit", "seed", "api_base", "keep"])
    def test_what_is_not_stays(self, name: str):
        assert without_secrets({name: "v"}) == {name: "v"}

    def test_user_and_password_of_an_address_are_left_out(self):
        assert without_secrets("https://me:pw@host/v1") == "https://host/v1"


class TestHashAndDifferences:
    def test_equal_configurations_have_equal_hashes_whatever_their_order(self):
        assert config_hash({"a": 1, "b": 2}) == config_hash({"b": 2, "a": 1})
        assert config_hash({"a": 1}) != config_hash({"a": 2})

    def test_differences_name_the_path_and_both_values(self):
        old = {"judge": {"name": "a", "n": 1}, "metrics": [{"policy": "strict"}]}
        new = {"judge": {"name": "b", "n": 1}, "metrics": [{"policy": "ragas-0.4"}], "x": 1}
        assert differences(old, new) == [
            "judge.name: 'a' -> 'b'",
            "metrics.0.policy: 'strict' -> 'ragas-0.4'",
            "x: None -> 1",
        ]
        assert differences(old, old) == []
