"""Parameters of one's own: what may be set, and what would fail in every call."""

import pytest

from magistrate.completion.models import checked_address, checked_parameters
from magistrate.errors import ConfigurationError


class TestParameters:
    def test_what_only_the_model_understands_goes_along(self):
        given = {"seed": 7, "num_ctx": 4096, "extra_headers": {"X-Team": "search"}, "api_version": "2026-01-01"}
        assert checked_parameters(given, timeout=120.0) == (given, 120.0)

    def test_a_timeout_stands_for_the_argument(self):
        assert checked_parameters({"timeout": 300, "seed": 1}, timeout=120.0) == ({"seed": 1}, 300.0)

    @pytest.mark.parametrize("seconds", ["abc", "30", 0, -1, True, None, float("inf"), float("nan")])
    def test_a_timeout_that_is_no_time_is_refused(self, seconds):
        with pytest.raises(ConfigurationError, match="must be seconds, such as 300"):
            checked_parameters({"timeout": seconds}, timeout=120.0)

    @pytest.mark.parametrize(
        "name", ["model", "messages", "stream", "n", "response_format", "tools", "api_base", "max_retries", "hooks"]
    )
    def test_what_decides_which_question_goes_where_is_not_the_callers(self, name):
        with pytest.raises(ConfigurationError, match=f"the parameter {name} cannot be set: "):
            checked_parameters({name: "x"}, timeout=120.0)

    @pytest.mark.parametrize("headers", ["{bad", ["X-Team"], {"X-Team": 5}, {5: "x"}])
    def test_headers_are_texts_by_their_names(self, headers):
        with pytest.raises(ConfigurationError, match="extra_headers must be an object of texts"):
            checked_parameters({"extra_headers": headers}, timeout=120.0)

    def test_what_was_given_stays_as_it_was(self):
        given = {"timeout": 5}
        checked_parameters(given, timeout=1.0)
        assert given == {"timeout": 5}


class TestAddresses:
    @pytest.mark.parametrize("address", ["http://localhost:8000/v1", "https://example.org", "HTTP://127.0.0.1:1"])
    def test_an_address_is_itself(self, address):
        assert checked_address(address) == address

    def test_none_is_the_providers_own(self):
        assert checked_address(None) is None

    @pytest.mark.parametrize("address", ["", " ", "localhost:8000/v1", "nowhere", "ftp://x", "http://", "http:///"])
    def test_what_nothing_can_be_called_at_is_refused(self, address):
        with pytest.raises(ConfigurationError, match="is no address: expected one such as http://"):
            checked_address(address)

    def test_the_user_of_an_address_is_not_repeated(self):
        with pytest.raises(ConfigurationError) as caught:
            checked_address("ftp://me:planted-secret@host")
        assert "planted-secret" not in str(caught.value)
