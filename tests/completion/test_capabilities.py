"""What refused requests teach."""

import pytest

from magistrate.completion.providers._capabilities import MODES, Accepted, Capabilities

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
