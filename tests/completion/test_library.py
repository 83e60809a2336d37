"""LiteLLM is loaded quietly: what is called to warm it up is no call of the user's."""

import time

import pytest

from magistrate.completion.providers._library import library, prepare_streams

HEARS = ("input_callback", "success_callback", "failure_callback")


@pytest.fixture
def heard(monkeypatch):
    litellm = library()
    found = []

    def hearing(name):
        return lambda *_, **__: found.append(name)

    for name in HEARS:
        monkeypatch.setattr(litellm, name, [hearing(name)])
    library.cache_clear()
    prepare_streams.cache_clear()
    yield found
    library.cache_clear()


def called(litellm):
    litellm.completion(model="gpt-4o", messages=[{"role": "user", "content": "hello"}], mock_response="hello")


def until(condition):
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_it_is_set_to_be_quiet():
    assert library().suppress_debug_info is True


def test_who_has_registered_hears_nothing_of_the_calls_that_warm_it_up(heard):
    prepare_streams()
    called(library())  # what it makes in a thread comes in order: this one is heard, and was made last
    assert until(lambda: "success_callback" in heard)
    assert sorted(heard) == ["input_callback", "success_callback"]


def test_who_has_registered_stays_registered(heard):
    del heard
    before = {name: list(getattr(library(), name)) for name in HEARS}
    prepare_streams()
    assert {name: list(getattr(library(), name)) for name in HEARS} == before
