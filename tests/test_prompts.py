"""The prompt files, and how they are filled."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.errors import PromptError
from magistrate.prompts import Block, Prompt, fence_for, load_prompt, message_digest, parse_prompt, prompt_ref, render
from magistrate.records import Message
from magistrate.verdict import Verdict

cases = cases_of(__file__)

NAMES = ["extract-claims", "extract-truths", "grade", "structured", "verify", "verify-and-extract"]
FILE = """---
name: sample
version: "2"
note: kept
---
## system
Be brief.

## user
{{text}}

## changelog
- 2: x.
"""


def small(user, system=""):
    return Prompt("small", "1", system, user)


class TestTheFiles:
    @pytest.mark.parametrize("name", NAMES)
    def test_each_loads_with_its_name_version_and_a_note_for_each_way_of_asking_again(self, name):
        prompt = load_prompt(name)
        assert prompt.name == name
        assert prompt.version
        assert len(prompt.reask) == 4

    def test_the_judging_ones_explain_every_verdict_that_a_scale_may_offer(self):
        for name in ("verify", "verify-and-extract"):
            assert set(load_prompt(name).wordings["verdicts"]) == {verdict.value for verdict in Verdict}

    def test_those_with_data_begin_with_one_word_of_the_token_and_end_with_the_other(self):
        for name in ("verify", "verify-and-extract", "grade", "extract-claims", "extract-truths"):
            user = load_prompt(name).user
            assert user.startswith("Token: {{first}}\n")
            assert user.endswith("\nToken: {{last}}")

    @pytest.mark.parametrize(
        ("name", "said"), [("../verify", "no prompt name"), ("absent", r"no prompt 'absent' at .*absent\.md")]
    )
    def test_a_name_that_is_a_path_or_unknown_is_refused(self, name, said):
        with pytest.raises(PromptError, match=said):
            load_prompt(name)


class TestReadingAFile:
    def test_front_matter_and_sections_are_told_apart(self):
        prompt = parse_prompt(FILE, "sample.md", "sample")
        assert (prompt.version, prompt.system, prompt.user) == ("2", "Be brief.", "{{text}}")
        assert prompt.wordings == {"note": "kept"}
        assert prompt.slots() == {"text"}
        assert parse_prompt(FILE.replace("\n", "\r\n"), "sample.md", "sample").user == "{{text}}"

    @cases("prompts: a malformed file is refused by name")
    def test_a_malformed_file_is_refused_by_name(self, old, new, says):
        with pytest.raises(PromptError, match=re.escape(says)) as caught:
            parse_prompt(FILE.replace(old, new, 1), "sample.md", "sample")
        assert "sample.md" in str(caught.value)


class TestFilling:
    @cases("prompts: untrusted text is never read as a slot")
    def test_untrusted_text_is_never_read_as_a_slot(self, prompt, slots, filled):
        (message,) = render(small(prompt), slots)
        assert message.content == filled

    def test_blocks_stand_between_fences_under_their_labels(self):
        blocks = [Block("1", "one"), Block("2", "two")]
        (message,) = render(small("{{texts}}\n{{fence}}"), {"texts": blocks})
        assert message.content == "~~~ 1\none\n~~~ 2\ntwo\n~~~"

    def test_a_system_message_comes_first_where_the_prompt_has_one(self):
        messages = render(small("{{x}}", system="Be {{x}}."), {"x": "kind"})
        assert messages == (Message("system", "Be kind."), Message("user", "kind"))

    @pytest.mark.parametrize("slots", [{}, {"x": "", "y": ""}])
    def test_missing_and_unknown_slots_are_errors(self, slots):
        with pytest.raises(PromptError, match="prompt small"):
            render(small("{{x}}"), slots)

    @given(st.lists(st.text(alphabet="~a\n "), min_size=1))
    def test_the_fence_occurs_in_no_text(self, texts):
        fence = fence_for(texts)
        assert all(fence not in text for text in texts)
        (message,) = render(small("{{texts}}\n{{fence}}"), {"texts": [Block("x", text) for text in texts]})
        assert message.content.count(fence) == len(texts) + 1


class TestHashing:
    def test_the_request_token_does_not_count(self):
        one = message_digest([Message("user", "a tok1 b")], "tok1")
        other = message_digest([Message("user", "a tok2 b")], "tok2")
        assert one == other != message_digest([Message("user", "a tok1 b")])

    def test_where_a_message_ends_counts_and_long_ones_count_to_their_end(self):
        texts = (["ab", "c"], ["a", "bc"], ["x" * 10_000], ["x" * 9_999 + "y"])
        assert len({message_digest([Message("user", text) for text in each]) for each in texts}) == 4

    def test_a_reference_names_the_prompt_its_version_and_16_digits(self):
        ref = prompt_ref(small("x"), [Message("user", "x")])
        assert (ref.name, ref.version) == ("small", "1")
        assert re.fullmatch(r"[0-9a-f]{16}", ref.hash)
