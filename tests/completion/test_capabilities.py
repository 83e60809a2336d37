"""What refused requests teach."""

import pytest

from magistrate.completion.models import checked_address, checked_parameters
from magistrate.completion.providers._capabilities import MODES, Accepted, Capabilities
from magistrate.errors import ConfigurationError

SENT = {"max_tokens": 6200, "temperature": 0.0, "seed": 7, "api_version": "x"}
NO_TEMPERATURE = Accepted(dropped=frozenset({"temperature"}))


def learned(message, start=None):
    known = Capabilities(start or Accepted())
    return known.accepted if known.learn(message, known.accepted, SENT) else None


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        ("Unknown parameter: response_format.json_schema.strict", Accepted(strict=False)),
        ("Unsupported value: 'temperature' does not support 0.0 with this model.", NO_TEMPERATURE),
        ("UnsupportedParamsError: openai does not support parameters: ['temperature'], for o3", NO_TEMPERATURE),
        ("`temperature` may only be set to 1, other values are deprecated", NO_TEMPERATURE),
        ("Unrecognized request argument supplied: seed", Accepted(dropped=frozenset({"seed"}))),
        (
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            Accepted(limit_name="max_completion_tokens"),
        ),
        ("max_tokens: 6200 > 4096, which is the maximum allowed number; at most 4096", Accepted(limit=4096)),
        ("System role not supported", Accepted(system=False)),
        ("This model does not support the system message", Accepted(system=False)),
        ("Conversation roles must alternate user/assistant/...; invalid", Accepted(system=False)),
        ("invalid api_version", None),  # what carries keys and addresses is never dropped
        ("your request is not supported on weekends", None),
        ("unsupported: seeds, my_temperature_scale", None),
    ],
)
def test_a_refusal_teaches_what_it_names(said, accepted):
    assert learned(said) == accepted


def test_a_refused_schema_steps_down_one_mode_at_a_time():
    accepted = Accepted()
    seen = []
    while accepted is not None:
        seen.append(accepted.mode)
        accepted = learned("response_format of type json_schema is not supported by this model", accepted)
    assert seen == list(MODES)


def test_what_another_call_learned_meanwhile_is_worth_a_try():
    known = Capabilities()
    before = known.accepted
    assert known.learn("unsupported: temperature", before, SENT)
    assert known.learn("unsupported: temperature", before, SENT)
    assert known.accepted == NO_TEMPERATURE


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
