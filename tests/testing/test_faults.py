"""Faults by name: each does what it says, on every wire, and the choice is seeded."""

import http.client
import json
import random

import pytest
from tests.testing.wires import CHAT, chat_body, messages, post, responses_body

from magistrate.errors import ConfigurationError
from magistrate.judges import Verify
from magistrate.judges.llm._requests import Asking, Attempt, verify_request
from magistrate.parsing import parse_verdicts
from magistrate.testing import FAULTS, FaultServer, seeded_faults
from magistrate.testing.faults import TEXT_DAMAGE
from magistrate.verdict import TERNARY

CONTEXTS = ("The kiln fires at 1240 degrees and holds 60 bowls. " + "The glaze is mixed by hand every morning. " * 60,)
STATEMENTS = ("The kiln holds 60 bowls.", "The kiln holds 75 bowls.", "The potter was born in spring.")
REQUEST = verify_request(Asking("test", b"k" * 32), Verify(STATEMENTS, CONTEXTS, scale=TERNARY), Attempt())
RIGHT = {"s1": "supported", "s2": "contradicted", "s3": "not_enough_info"}
TEXT = json.dumps({"token": "t", "s1_why": "It says so.", "s1": "supported", "s2_why": "No.", "s2": "contradicted"})
LIST = json.dumps({"verdicts": [{"id": 1, "verdict": "supported"}, {"id": 2, "verdict": "contradicted"}]})
NUMBERED = json.dumps({"verdicts": {"1": {"verdict": "supported"}, "2": {"verdict": "contradicted"}}})
DELIVERY = {"slow", "hang", "reset", "cut-body", "drip"}
ERRORS = {"429": 429, "429-retry-after": 429, "500": 500, "502": 502, "503": 503, "529": 529, "context-too-long": 400}
ERRORS |= {"throttled-400": 400, "redirect": 307}


def plain_anthropic(request):
    """Without a tool: the answer is text."""
    system, user = messages(request)
    return {"model": "test", "system": system["content"], "messages": [user], "max_tokens": 400}


def under(name, path=CHAT, body=chat_body, timeout=5):
    """What comes back when every call has this fault."""
    with FaultServer(faults=seeded_faults([name], rate=1.0)) as server:
        return post(server, path, body(REQUEST), timeout)


@pytest.mark.parametrize(("name", "status"), ERRORS.items())
def test_statuses_are_sent_with_an_error_body(name, status):
    found, headers, body = under(name)
    assert found == status
    assert json.loads(body)["error"]["message"]
    assert ("retry-after" in headers) is (name == "429-retry-after")


class TestDelivery:
    @pytest.mark.parametrize(
        ("name", "error"),
        [("reset", ConnectionError), ("cut-body", http.client.IncompleteRead), ("hang", TimeoutError)],
    )
    def test_breaks_below_http(self, name, error):
        with pytest.raises(error):
            under(name, timeout=0.1 if name == "hang" else 5)

    def test_an_invalid_body_is_no_completion(self):
        status, _, body = under("invalid-body")
        assert status == 200
        assert b'"message"' not in body


class TestWhatTheModelSays:
    @pytest.mark.parametrize(
        ("name", "ended", "holds"),
        [
            ("refusal-field", "stop", lambda said: said["content"] is None and said["refusal"]),
            (
                "refusal-text",
                "stop",
                lambda said: said["content"] and parse_verdicts(said["content"], STATEMENTS).status == "refusal",
            ),
            ("content-filter", "content_filter", lambda said: not said["content"]),
            ("truncated-length", "length", lambda said: not said["content"].endswith("}")),
            ("truncated-stop", "stop", lambda said: not said["content"].endswith("}")),  # it lies
            ("lying-length", "length", lambda said: RIGHT.items() <= json.loads(said["content"]).items()),
        ],
    )
    def test_an_answer_may_be_refused_filtered_or_cut_and_say_so_or_lie(self, name, ended, holds):
        choice = json.loads(under(name)[2])["choices"][0]
        assert choice["finish_reason"] == ended
        assert holds(choice["message"])

    def test_a_cut_prompt_gives_other_verdicts_and_few_tokens(self):
        body = json.loads(under("context-cut")[2])
        assert json.loads(body["choices"][0]["message"]["content"])["s1"] == "not_enough_info"
        assert body["usage"]["prompt_tokens"] < 200

    def test_a_prompt_without_its_middle_has_fewer_tokens_and_both_ends(self):
        whole, cut = (json.loads(under(name)[2]) for name in ("unknown-end", "middle-cut"))
        share = cut["usage"]["prompt_tokens"] / whole["usage"]["prompt_tokens"]
        assert 0.6 < share < 0.9
        assert json.loads(cut["choices"][0]["message"]["content"])["token"] == REQUEST.token

    def test_choices_may_be_empty(self):
        assert json.loads(under("no-choices")[2])["choices"] == []


class TestOtherWires:
    def test_openai_responses_carry_the_right_answer(self):
        with FaultServer() as server:
            body = json.loads(post(server, "/v1/responses", responses_body(REQUEST))[2])
        part = body["output"][0]["content"][0]
        assert (body["status"], part["type"]) == ("completed", "output_text")
        assert {key: json.loads(part["text"])[key] for key in RIGHT} == RIGHT

    def test_openai_responses_say_how_they_ended(self):
        body = json.loads(under("truncated-length", "/v1/responses", responses_body)[2])
        assert (body["status"], body["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
        body = json.loads(under("refusal-field", "/v1/responses", responses_body)[2])
        assert body["output"][0]["content"][0]["type"] == "refusal"

    @pytest.mark.parametrize(
        ("name", "stop"), [("refusal-stop", "refusal"), ("truncated-length", "max_tokens"), ("blank", "end_turn")]
    )
    def test_anthropic_messages_have_their_own_stop_reasons(self, name, stop):
        assert json.loads(under(name, "/v1/messages", plain_anthropic)[2])["stop_reason"] == stop

    @pytest.mark.parametrize(
        ("path", "body"), [("/v1/responses", responses_body), ("/v1/messages", plain_anthropic), (CHAT, chat_body)]
    )
    def test_every_fault_is_served_on_every_wire(self, path, body):
        names = [name for name in FAULTS if name not in DELIVERY]

        def fault(call):
            return FAULTS[names[call.number - 1]](random.Random(4))  # noqa: S311 - faults, not secrets

        with FaultServer(faults=fault) as server:
            found = {name: post(server, path, body(REQUEST))[0] for name in names}
        assert found == {name: ERRORS.get(name, 200) for name in names}


class TestTextDamage:
    def test_takes_any_text_is_seeded_and_changes_an_answer(self):
        for name, damage in TEXT_DAMAGE.items():
            for text in (TEXT, LIST, "no JSON at all", "", "[]", '{"a": 1}', '["yes", "no"]', "3"):
                made = [damage(text, random.Random(4)) for _ in range(2)]  # noqa: S311 - faults, not secrets
                assert made[0] == made[1], (name, text)
            assert name == "reordered" or damage(TEXT, random.Random(4)) != TEXT, name  # noqa: S311

    def test_a_reordered_answer_says_the_same(self):
        made = {TEXT_DAMAGE["reordered"](TEXT, random.Random(seed)) for seed in range(9)}  # noqa: S311
        assert len(made) > 1
        assert all(json.loads(text) == json.loads(TEXT) for text in made)

    @pytest.mark.parametrize(
        ("name", "text", "verdicts"),
        [
            *(("one-short", text, 1) for text in (TEXT, LIST, NUMBERED)),
            *(("duplicate-id", text, 3) for text in (TEXT, LIST)),
        ],
    )
    def test_one_short_has_one_verdict_less_and_a_duplicate_one_more(self, name, text, verdicts):
        made = TEXT_DAMAGE[name](text, random.Random(1))  # noqa: S311 - faults, not secrets
        assert sum(made.count(word) for word in ("supported", "contradicted", "not_enough_info")) == verdicts


def test_the_choice_names_what_there_is():
    with pytest.raises(ConfigurationError, match=r"unknown fault 'flood'.*There are: 429"):
        seeded_faults(["flood"])
    with pytest.raises(ConfigurationError, match="0 to 1"):
        seeded_faults(["429"], rate=2)
