"""Exceptions of providers become ours. What real providers' libraries raise is in test_litellm_client.py."""

import pickle

import pytest
from tests.case_tables import cases_of

from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._errors import retry_after_seconds, translate
from magistrate.errors import (
    JudgeAuthError,
    JudgeConnectionError,
    JudgeContextError,
    JudgeError,
    JudgeRateLimitError,
    JudgeServerError,
    JudgeTimeoutError,
)

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


@pytest.mark.parametrize(
    ("raised", "kind", "details"),
    [
        *((Raised("no", status), JudgeServerError, {}) for status in ("500", 500, 500.0)),
        (Raised("down", 503), JudgeServerError, {"retryable": True, "billable": False}),
        (ring(), JudgeServerError, {}),
        (Raised("odd", "none"), JudgeError, {"retryable": False}),
        (TimeoutError(), JudgeTimeoutError, {"billable": True}),
        (ConnectionResetError("reset"), JudgeConnectionError, {"billable": True, "absent": False}),
        (ConnectionRefusedError("Connection refused"), JudgeConnectionError, {"billable": False, "absent": True}),
        (Raised("busy", 429), JudgeRateLimitError, {"retryable": True, "billable": False}),
        (Raised("ThrottlingException: Too many tokens, please wait", 400), JudgeRateLimitError, {"retryable": True}),
        (Raised("Sorry", 402), JudgeRateLimitError, {"retryable": False}),
        (Raised("This model's maximum context length is 8192 tokens", 400), JudgeContextError, {"limit": 8192}),
        (Raised("prompt is too long: 210000 tokens > 200000 maximum", 400), JudgeContextError, {"limit": 200_000}),
        (Raised("exceeds the available context size (4096 tokens)", 400), JudgeContextError, {"limit": 4096}),
        (Raised("input is too long", 400), JudgeContextError, {"limit": None}),
    ],
)
def test_what_each_becomes(raised, kind, details):
    error = pickle.loads(pickle.dumps(become(raised)))
    assert type(error) is kind
    assert {name: getattr(error, name) for name in details} == details


class TestLimits:
    @cases("provider_errors: a limited rate may be tried again after what the message says")
    def test_a_limited_rate_may_be_tried_again_after_what_the_message_says(self, message, wait):
        error = become(Raised(message, 429))
        assert (type(error), error.retryable, error.retry_after) == (JudgeRateLimitError, True, wait)

    @pytest.mark.parametrize(
        "message",
        [
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
            "Your credit balance is too low",
            "Insufficient Balance",
        ],
    )
    @pytest.mark.parametrize("status", [400, 402, 429])
    def test_a_used_up_quota_may_not_whatever_its_status(self, message, status):
        error = become(Raised(message, status))
        assert (type(error), error.retryable) == (JudgeRateLimitError, False)
        assert "used up" in error.message

    @pytest.mark.parametrize(
        "message",
        [
            "Missing credentials. Please pass one of `api_key`, `azure_ad_token`",
            "No module named 'google.auth' Traceback (most recent call last): File ...",
            "Your default credentials were not found.",
        ],
    )
    @pytest.mark.parametrize("status", [None, 500])
    def test_without_a_way_in_no_call_is_made_again(self, message, status):
        error = become(Raised(message, status))
        assert (type(error), error.retryable) == (JudgeAuthError, False)
        assert "Traceback" not in error.message

    @pytest.mark.parametrize("status", [429, 503])
    @pytest.mark.parametrize("wait", ["86400", "1e300"])
    def test_how_long_it_asks_to_wait_is_said_in_few_characters(self, status, wait):
        message = become(Raised("busy", status, {"retry-after": wait})).message
        assert f"asks to wait {float(wait):.6g} s" in message
        assert len(message) < 400


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({"retry-after": "3"}, 3.0),
            ({"retry-after": "0.5"}, 0.5),
            ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
            ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
            ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
            ({"retry-after": "-1"}, None),
            ({"retry-after": "inf"}, None),
            ({"retry-after": "nan"}, None),
            ({}, None),
        ],
    )
    def test_without_a_clock_is_read_in_seconds(self, headers, seconds):
        assert retry_after_seconds(headers) == seconds

    def test_a_date_counts_from_now(self):
        headers = {"retry-after": "Thu, 01 Jan 2026 00:01:00 GMT"}
        assert retry_after_seconds(headers, now=1767225600.0) == 60.0
        assert retry_after_seconds(headers, now=1767225700.0) == 0.0

    @pytest.mark.parametrize("odd", ["soon", "Thu, 99 Foo 2026", "9" * 400, "Thu, 01 Jan 9999999 00:00:00 GMT"])
    def test_what_is_no_date_says_nothing(self, odd):
        assert retry_after_seconds({"retry-after": odd}, now=0.0) is None
