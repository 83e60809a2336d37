"""Exceptions of providers become ours; what a model cannot do. Real libraries: test_litellm_client.py."""

import pickle

import pytest
from tests.case_tables import cases_of

from magistrate import errors
from magistrate.completion.models import ResolvedModel, checked_address, checked_parameters
from magistrate.completion.providers._capabilities import MODES, Accepted, Capabilities
from magistrate.completion.providers._errors import retry_after_seconds, translate
from magistrate.errors import ConfigurationError, JudgeAuthError, JudgeRateLimitError, JudgeServerError

cases = cases_of(__file__)


class Raised(Exception):  # noqa: N818 - stands for any library's exception
    """An exception with a status, as the libraries have it."""

    def __init__(self, message, status_code=None, headers=None):
        super().__init__(message)
        self.status_code = status_code
        self.litellm_response_headers = headers


def become(error, **known):
    return translate(error, ResolvedModel("m", "m", "openai", **known))


class TestTheMessage:
    def test_says_who_what_and_where(self):
        error = become(Raised("quite broken", 500), api_base="http://127.0.0.1:1/v1")
        assert type(error) is JudgeServerError
        assert str(error) == "openai at http://127.0.0.1:1/v1 failed (500): quite broken"

    def test_is_bounded_and_on_one_line(self):
        error = become(Raised("word\n" * 10_000, 500))
        assert len(error.message) < 400
        assert "\n" not in error.message

    def test_holds_no_password_of_the_address(self):
        error = become(Raised("no", 500), api_base="http://me:swordfish@host/v1")
        assert "swordfish" not in error.message

    def test_of_a_missing_key_names_the_variable(self):
        error = become(Raised("no", 401), key_variable="OPENAI_API_KEY")
        assert type(error) is JudgeAuthError
        assert "OPENAI_API_KEY" in error.message


def ring():
    one, two = Raised("one", 500), Raised("two")
    one.__cause__, two.__cause__ = two, one
    return one


RAISED = {each.__name__: each for each in (Raised, ring, TimeoutError, ConnectionResetError, ConnectionRefusedError)}


@cases("provider_errors: what each becomes")
def test_what_each_becomes(raised, given, kind, details):
    error = pickle.loads(pickle.dumps(become(RAISED[raised](*given))))
    assert type(error) is getattr(errors, kind)
    assert {name: getattr(error, name) for name in details} == details


class TestLimits:
    @cases("provider_errors: a limited rate may be tried again after what the message says")
    def test_a_limited_rate_may_be_tried_again_after_what_the_message_says(self, message, wait):
        error = become(Raised(message, 429))
        assert (type(error), error.retryable, error.retry_after) == (JudgeRateLimitError, True, wait)

    @cases("provider_errors: a used up quota may not whatever its status")
    @pytest.mark.parametrize("status", [400, 402, 429])
    def test_a_used_up_quota_may_not_whatever_its_status(self, message, status):
        error = become(Raised(message, status))
        assert (type(error), error.retryable) == (JudgeRateLimitError, False)
        assert "used up" in error.message

    @cases("provider_errors: without a way in no call is made again")
    @pytest.mark.parametrize("status", [None, 401, 500])
    def test_without_a_way_in_no_call_is_made_again(self, message, status):
        error = become(Raised(message, status), key_variable="WAY_IN")
        assert (type(error), error.retryable) == (JudgeAuthError, False)
        assert "WAY_IN" in error.message
        assert "Traceback" not in error.message

    @pytest.mark.parametrize("status", [429, 503])
    @pytest.mark.parametrize("wait", ["86400", "1e300"])
    def test_how_long_it_asks_to_wait_is_said_in_few_characters(self, status, wait):
        message = become(Raised("busy", status, {"retry-after": wait})).message
        assert f"asks to wait {float(wait):.6g} s" in message
        assert len(message) < 400


class TestRetryAfter:
    @cases("provider_errors: is read in seconds and a date counts from now")
    def test_is_read_in_seconds_and_a_date_counts_from_now(self, headers, clock, seconds):
        assert retry_after_seconds(headers, **clock) == seconds


SENT = {"max_tokens": 6200, "temperature": 0.0, "seed": 7, "api_version": "x"}


def learned(message, start=None):
    known = Capabilities(start or Accepted())
    return known.accepted if known.learn(message, known.accepted, SENT) else None


@cases("provider_errors: a refusal teaches what it names")
def test_a_refusal_teaches_what_it_names(said, accepted):
    """What carries keys and addresses is never dropped."""
    found = accepted and {name: frozenset(value) if name == "dropped" else value for name, value in accepted.items()}
    assert learned(said) == (accepted and Accepted(**found))


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
    assert known.accepted == Accepted(dropped=frozenset({"temperature"}))


class TestParameters:
    def test_what_only_the_model_understands_goes_along(self):
        given = {"seed": 7, "num_ctx": 4096, "extra_headers": {"X-Team": "search"}, "api_version": "2026-01-01"}
        assert checked_parameters(given, timeout=120.0) == (given, 120.0)

    def test_a_timeout_stands_for_the_argument_and_what_was_given_stays(self):
        given = {"timeout": 300, "seed": 1}
        assert checked_parameters(given, timeout=120.0) == ({"seed": 1}, 300.0)
        assert given == {"timeout": 300, "seed": 1}

    @cases("provider_errors: what cannot be a parameter is refused")
    def test_what_cannot_be_one_is_refused(self, given, said):
        with pytest.raises(ConfigurationError, match=said):
            checked_parameters(given, timeout=120.0)


class TestAddresses:
    @pytest.mark.parametrize("address", ["http://localhost:8000/v1", "https://example.org", "HTTP://127.0.0.1:1", None])
    def test_an_address_is_itself_and_none_the_providers_own(self, address):
        assert checked_address(address) == address

    @pytest.mark.parametrize("address", ["", " ", "localhost:8000/v1", "nowhere", "ftp://x", "http://", "http:///"])
    def test_what_nothing_can_be_called_at_is_refused(self, address):
        with pytest.raises(ConfigurationError, match="is no address: expected one such as http://"):
            checked_address(address)

    def test_the_user_of_an_address_is_not_repeated(self):
        with pytest.raises(ConfigurationError) as caught:
            checked_address("ftp://me:planted-secret@host")
        assert "planted-secret" not in str(caught.value)
