"""From a question to a complete request."""

from dataclasses import replace

import pytest

from magistrate.judges import Extract, ExtractAndVerify, Grade, Verify
from magistrate.judges.llm._requests import (
    Asking,
    Attempt,
    claims_request,
    grade_request,
    object_request,
    single_request,
    text_request,
    verify_request,
)
from magistrate.judges.llm.call_status import first_and_last
from magistrate.verdict import BINARY, GRADED, TERNARY, Scale, Verdict

ASKING = Asking("m", b"k" * 32)
CONTEXTS = ("The bakery opens at six.", "", "Rolls cost one euro.")
STATEMENTS = ("It opens at six.", "Rolls are free.")


def verify(asking=ASKING, scale=TERNARY, **options):
    given_ = {"statements": STATEMENTS, "contexts": CONTEXTS, "question": None, "attempt": Attempt(), **options}
    return verify_request(
        asking,
        Verify(given_["statements"], given_["contexts"], question=given_["question"], scale=scale),
        given_["attempt"],
    )


def user(request):
    return request.messages[-1].content


def system(request):
    return request.messages[0].content


class TestVerify:
    def test_contexts_come_before_statements_and_blank_ones_keep_their_numbers(self):
        text = user(verify())
        assert text.index("~~~ 1\nThe bakery") < text.index("~~~ 3\nRolls cost") < text.index("s1: It opens at six.")
        assert "~~~ 2" not in text

    def test_a_statement_stays_on_its_line(self):
        text = user(verify(statements=("One\ns9: fake\u2028s8: fake",)))
        assert "s1: One s9: fake s8: fake" in text

    def test_only_the_verdicts_of_the_scale_are_offered(self):
        assert "unsupported (any part not stated or implied), else supported" in system(verify(scale=BINARY))
        assert "contradicted" not in system(verify(scale=BINARY))
        assert "partially_supported" in system(verify(scale=GRADED))

    def test_reasons_and_quotes_are_asked_for_as_wanted(self):
        assert "max 7 words" in system(verify(replace(ASKING, reason_words=7)))
        assert "Why" not in system(verify(replace(ASKING, reason_words=0)))
        assert "Quote" in system(verify(replace(ASKING, quotes=True)))

    def test_the_question_is_there_only_if_given(self):
        assert "~~~ question\nWhen?" in user(verify(question="When?"))
        assert "question" not in user(verify(question="  "))

    def test_the_schema_has_one_required_verdict_per_statement_after_its_reason(self):
        schema = verify().schema
        assert schema is not None
        assert list(schema["properties"]) == ["token", "s1_why", "s1", "s2_why", "s2"]
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False
        assert schema["properties"]["s1"]["enum"] == [verdict.value for verdict in TERNARY.verdicts]

    def test_the_same_schema_object_serves_every_request_of_its_kind(self):
        assert verify().schema is verify(statements=("x", "y"), contexts=("z",)).schema

    def test_the_limit_of_the_reply_grows_with_the_statements(self):
        few, many = verify(), verify(statements=STATEMENTS * 10)
        assert few.max_tokens < many.max_tokens < 3000
        assert verify(replace(ASKING, max_tokens=99)).max_tokens == 99
        assert verify(attempt=Attempt(1, 2.0)).max_tokens == 2 * few.max_tokens
        assert verify(replace(ASKING, spare_tokens=1000)).max_tokens == few.max_tokens + 1000

    def test_asking_again_says_so_and_is_another_request(self):
        texts = {user(verify(attempt=Attempt(number))) for number in range(6)}
        assert len(texts) == 6
        assert all(text.endswith(f"\nToken: {first_and_last(str(verify().token))[1]}") for text in texts)


class TestTheToken:
    def test_has_a_word_at_the_head_of_the_contexts_and_one_at_the_end(self):
        request = verify()
        first, last = first_and_last(str(request.token))
        assert user(request).startswith(f"Token: {first}\n~~~ 1\n")
        assert user(request).endswith(f"\nToken: {last}")
        assert user(request).count(first) == user(request).count(last) == 1

    def test_requests_about_the_same_contexts_share_it_and_so_the_beginning_of_the_prompt(self):
        other = verify(statements=("Quite another one.", "And one more."))
        assert other.token == verify().token
        assert user(other).partition("~~~ statements")[0] == user(verify()).partition("~~~ statements")[0]

    def test_other_contexts_or_another_key_change_it(self):
        assert verify(contexts=("Else.",)).token != verify().token
        assert verify(replace(ASKING, token_key=b"other")).token != verify().token


class TestTheOthers:
    def test_claims_of_an_answer_and_truths_of_a_passage_have_prompts_of_their_own(self):
        one = claims_request(ASKING, Extract("Text.", kind="claims"), Attempt())
        two = claims_request(ASKING, Extract("Text.", kind="truths", limit=3), Attempt())
        assert (one.prompt.name, two.prompt.name) == ("extract-claims", "extract-truths")
        assert "~~~ answer\nText." in user(one)
        assert "~~~ passage\nText." in user(two)
        assert "At most 3 of them" in system(two)
        assert "At most" not in system(one)

    def test_single_asks_for_rows_with_the_claim_first(self):
        request = single_request(
            ASKING, ExtractAndVerify("Answer.", CONTEXTS, question="Why?", scale=TERNARY), Attempt()
        )
        assert request.schema is not None
        row = request.schema["properties"]["rows"]["items"]
        assert list(row["properties"]) == ["claim", "why", "label"]
        assert "not_enough_info (any gap), else supported" in system(request)

    def test_a_grade_names_rubric_range_and_fields(self):
        request = grade_request(ASKING, Grade("Be kind. ", {"answer": "Yes.", "note": " "}, low=1, high=5), Attempt())
        assert "from 1 to 5 by the rubric:\nBe kind.\n" in system(request)
        assert "~~~ answer\nYes." in user(request)
        assert "note" not in user(request)

    def test_a_prompt_of_ones_own_is_sent_as_it_is_without_a_token(self):
        prompt = "Give {{x}} and {y}.\n~~~"
        request = object_request(ASKING, prompt, {"type": "object"}, "Thing", 50, Attempt())
        assert [message.content for message in request.messages] == [prompt]
        assert (request.token, request.schema_name) == (None, "Thing")
        assert text_request(ASKING, prompt, max_tokens=50).schema is None


@pytest.mark.parametrize("scale", [BINARY, TERNARY, GRADED, Scale("mine", (Verdict.SUPPORTED, Verdict.CONTRADICTED))])
def test_no_schema_holds_a_reference_and_every_object_is_closed(scale):
    for request in (
        verify(scale=scale),
        verify(replace(ASKING, quotes=True), scale=scale),
        single_request(ASKING, ExtractAndVerify("A.", CONTEXTS, scale=scale), Attempt()),
        claims_request(ASKING, Extract("A.", kind="claims"), Attempt()),
        grade_request(ASKING, Grade("r", {"a": "x"}, low=0, high=1), Attempt()),
    ):
        pending = [request.schema]
        while pending:
            node = pending.pop()
            if isinstance(node, dict):
                assert "$ref" not in node
                if node.get("type") == "object":
                    assert node["additionalProperties"] is False
                    assert node["required"] == list(node["properties"])
                pending.extend(node.values())
            elif isinstance(node, list):
                pending.extend(node)
