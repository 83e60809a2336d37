"""What refused requests teach."""

from __future__ import annotations

import pytest

from magistrate.completion.providers._capabilities import MODES, Accepted, Capabilities, capabilities_of

SENT = {"max_tokens": 6200, "temperature": 0.0, "seed": 7, "api_version": "x"}


def learned(message: str, start: Accepted | None = None) -> Accepted | None:
    known = Capabilities(start or Accepted())
    return known.accepted if known.learn(message, known.accepted, SENT) else None


class TestModes:
    def test_a_refused_schema_steps_down_one_mode_at_a_time(self) -> None:
        said = "response_format of type json_schema is not supported by this model"
        accepted: Accepted | None = Accepted()
        seen = []
        while accepted is not None:
            seen.append(accepted.mode)
            accepted = learned(said, accepted)
        assert seen == list(MODES)

    def test_a_refused_strict_schema_is_tried_as_a_plain_one_first(self) -> None:
        accepted = learned("Unknown parameter: response_format.json_schema.strict")
        assert accepted == Accepted(strict=False)


class TestParameters:
    @pytest.mark.parametrize(
        ("said", "dropped"),
        [
            ("Unsupported value: 'temperature' does not support 0.0 with this model.", "temperature"),
            (
                "litellm.UnsupportedParamsError: openai does not support parameters: ['temperature'], for o3",
                "temperature",
            ),
            ("`temperature` may only be set to 1, other values are deprecated", "temperature"),
            ("Unrecognized request argument supplied: seed", "seed"),
        ],
    )
    def test_a_rejected_one_is_dropped(self, said: str, dropped: str) -> None:
        accepted = learned(said)
        assert accepted is not None
        assert accepted.dropped == {dropped}

    def test_the_limit_of_tokens_takes_the_name_that_is_asked_for(self) -> None:
        accepted = learned(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        assert accepted == Accepted(limit_name="max_completion_tokens")

    def test_the_limit_is_lowered_to_the_number_that_is_named(self) -> None:
        accepted = learned(
            "max_tokens: 6200 > 4096, which is the maximum allowed number of output tokens; at most 4096"
        )
        assert accepted == Accepted(limit=4096)

    def test_what_carries_keys_and_addresses_is_never_dropped(self) -> None:
        assert learned("invalid api_version") is None

    def test_a_refusal_that_names_nothing_teaches_nothing(self) -> None:
        assert learned("your request is not supported on weekends") is None

    def test_a_parameter_inside_a_longer_name_is_not_named(self) -> None:
        assert learned("unsupported: seeds, my_temperature_scale") is None


class TestSystemMessages:
    @pytest.mark.parametrize(
        "said",
        [
            "System role not supported",
            "This model does not support the system message",
            "Conversation roles must alternate user/assistant/user/assistant/...; invalid",
        ],
    )
    def test_a_model_without_them_gets_none(self, said: str) -> None:
        assert learned(said) == Accepted(system=False)

    def test_they_are_given_up_once(self) -> None:
        assert learned("System role not supported", Accepted(system=False)) is None


class TestSharing:
    def test_what_another_call_learned_meanwhile_is_worth_a_try(self) -> None:
        known = Capabilities()
        before = known.accepted
        assert known.learn("unsupported: temperature", before, SENT)
        assert known.learn("unsupported: temperature", before, SENT)
        assert known.accepted.dropped == {"temperature"}

    def test_one_memory_per_model_and_address(self) -> None:
        assert capabilities_of("a", None) is capabilities_of("a", None)
        assert capabilities_of("a", None) is not capabilities_of("a", "http://127.0.0.1")
