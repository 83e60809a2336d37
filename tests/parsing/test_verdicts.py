"""parse_verdicts: what the stages promise together."""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_label, parse_object, parse_score, parse_verdicts
from magistrate.verdict import BINARY, IssueCode, ParseStatus, Verdict

PIERS = ("The pier has three lamps.", "The pier is closed on Mondays.", "The pier is made of oak.")
YES, NO, NONE = Verdict.SUPPORTED, Verdict.UNSUPPORTED, None


def found(text: str, asked: int = 1, **request):
    return list(parse_verdicts(text, PIERS[:asked], **request).found)


class TestEndSignal:
    """Saying that a reply was cut only takes away."""

    TORN = '{"1": "정보 부족", "2": "모순", "3"{"statement_ids": [3, 1, 2], "verdicts": ["no", "no",'

    @pytest.mark.parametrize(
        ("reply", "kept"), [("1. yes\n2. yes\n\n2. no", [YES, NONE]), ("1. yes\n2. no\n1. no", [NONE, NO])]
    )
    def test_an_earlier_verdict_that_a_torn_one_would_contradict_is_none(self, reply, kept):
        cut = parse_verdicts(reply, PIERS[:2], finish_reason="length")
        assert (list(cut.found), cut.status) == (kept, ParseStatus.PARTIAL)
        assert IssueCode.TRUNCATED in {note.code for note in cut.verdicts[kept.index(None)].issues}

    def test_a_verdict_that_would_be_another_one_in_a_whole_reply_is_none(self):
        whole = parse_verdicts(self.TORN, PIERS, scale="graded")
        cut = parse_verdicts(self.TORN, PIERS, scale="graded", finish_reason="length")
        for index, (one, other) in enumerate(zip(whole.found, cut.found, strict=True)):
            assert None in {one, other} or one is other
            assert other is not None or cut.verdicts[index].issues
        assert whole.found[0] is Verdict.NOT_ENOUGH_INFO
        assert cut.found[0] is None
        assert IssueCode.TRUNCATED in {note.code for note in cut.verdicts[0].issues}

    @pytest.mark.parametrize("text", ["1. yes\n2. no\n3. yes\n", '{"1": "yes", "2": "no", "3": "yes"}'])
    def test_verdicts_that_stand_either_way_stay(self, text):
        assert found(text, 3, finish_reason="length")[:2] == [YES, NO]


class TestInventedTurns:
    """What comes after a turn that the judge made up neither replaces nor disputes its answer."""

    @pytest.mark.parametrize("who", ["User", "Human", "Instruction", "**User**", "## Human"])
    def test_the_answer_before_it_stands(self, who):
        assert found(f"Verdict: no\n\n{who}: Check this one too.\nVerdict: yes") == [NO]
        assert found(f"1. yes\n2. no\n\n{who}: next\n1. no\n2. no", 2) == [YES, NO]
        assert parse_score(f"Score: 7\n\n{who}: And this?\n\nAssistant: Score: 2", 0, 10).value == 7
        assert parse_label(f"Grade: A\n\n{who}: And this one?\nGrade: B", ["A", "B"]).label == "A"

    @pytest.mark.parametrize("head", ["Question: What next?", "### User\nRate this.", "assistant"])
    def test_a_heading_that_may_be_the_judges_own_makes_a_conflict(self, head):
        assert parse_score(f"7\n\n{head}\nScore: 2", 0, 10).value is None
        assert found(f"no\n\n{head}\nVerdict: yes") == [NONE]

    def test_an_answer_is_not_sought_behind_a_turn_that_follows_mere_words(self):
        assert parse_score("The answer is fine.\nUser: thanks\nScore: 3", 0, 10).value is None
        assert found("Let me see.\nHuman: the pier\nVerdict: yes") == [NONE]


class TestAbbreviatedNumbers:
    """ "No. 2" names a statement; "No." alone is a word."""

    def test_a_number_is_no_verdict(self):
        assert found("Final verdict: No. 2 is supported.") == [NONE]
        assert found("Final verdict: No. 2 is supported.", 2) == [NONE, YES]
        assert found("No. 2 of the lamps is out.") == [NONE]
        assert found("1. No. 4 on the list confirms it: yes.\n2. no", 2) == [NONE, NO]

    def test_a_word_before_a_sentence_is_one(self):
        assert found("Final verdict: No. The page counts 2 lamps.") == [NO]
        assert found("No. 2 lamps are not mentioned anywhere: Verdict: no") in ([NO], [NONE])


class TestRefusalSignal:
    """A refusal is one only if nothing was answered: all functions hold to it."""

    @pytest.mark.parametrize("end", ["refusal", "content_filter", "length"])
    def test_what_was_answered_counts(self, end):
        assert found('{"verdict": "yes"}', finish_reason=end) == [YES]
        assert parse_score('{"score": 1}', 0, 1, finish_reason=end).value == 1
        assert parse_label('{"label": "A"}', ["A", "B"], finish_reason=end).label == "A"
        schema = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"]}
        assert parse_object('{"verdict": "yes"}', schema, finish_reason=end).value == {"verdict": "yes"}

    def test_what_was_not_is_refused(self):
        schema = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"]}
        reading = parse_object('{"verd', schema, finish_reason="refusal")
        assert (reading.value, reading.status) == (None, ParseStatus.REFUSAL)


class TestRoughScores:
    """A rough number counts, as it is the one the judge names, and is reported; a bound is no number."""

    @pytest.mark.parametrize(
        "text", ["Score: ~7", "Score: \u22487", "~7", "Score: about 7", "Rating: around 7", "Score: approximately 7/10"]
    )
    def test_a_rough_number_is_reported(self, text):
        reading = parse_score(text, 0, 10)
        assert reading.value == 7
        assert [note.code for note in reading.issues] == [IssueCode.LOW_CONFIDENCE]

    @pytest.mark.parametrize(
        "text", ["Score: >7", "Score: <7", "Score: > 7", "Score: 7+", "Score: \u22657", "Score: at least 7"]
    )
    def test_a_bound_is_no_score(self, text):
        assert parse_score(text, 0, 10).value is None

    @pytest.mark.parametrize(
        "text", ["<7>", "Score -> 7", "Score => 7", "<score>7</score>", "Score: 7", "**Score:** 7"]
    )
    def test_other_signs_are_neither(self, text):
        reading = parse_score(text, 0, 10)
        assert (reading.value, reading.issues) == (7, ())


class TestArguments:
    """What is asked about, how it is named, and in what form the reply comes."""

    REPLY = "1. yes\n2. no"

    def test_bytes_are_read_as_their_text_is(self):
        assert parse_verdicts(self.REPLY.encode(), PIERS[:2]).found == parse_verdicts(self.REPLY, PIERS[:2]).found
        assert found('{"1": "yes", "2": "no"}'.encode("utf-16"), 2) == [YES, NO]
        assert found(None) == [NONE]

    def test_a_declared_scale_is_read_as_its_name_is(self):
        assert found(self.REPLY, 2, scale=BINARY) == found(self.REPLY, 2, scale="binary") == [YES, NO]

    @pytest.mark.parametrize("reply", ["q1: yes\nq2: no", '{"q1": "yes", "q2": "no"}', "q2. no\nq1. yes"])
    def test_the_ids_of_the_prompt_name_the_statements(self, reply):
        reading = parse_verdicts(reply, PIERS[:2], ids=["q1", "q2"])
        assert [(one.id, one.verdict) for one in reading.verdicts] == [("q1", YES), ("q2", NO)]

    def test_as_many_ids_as_statements_are_asked_for(self):
        with pytest.raises(ValueError, match="1 ids for 2 statements"):
            parse_verdicts(self.REPLY, PIERS[:2], ids=["p1"])
        with pytest.raises(ValueError, match="0 ids for 2 statements"):
            parse_verdicts(self.REPLY, PIERS[:2], ids=[])

    def test_one_text_is_no_list_of_statements(self):
        with pytest.raises(TypeError, match="a list of texts"):
            parse_verdicts(self.REPLY, PIERS[0])


class TestStatementsOfTheReply:
    """Without statements asked about, those of the reply are taken, from its one answer."""

    def test_are_taken_with_their_verdicts(self):
        reading = parse_verdicts('[{"statement": "The pier is long.", "verdict": "yes"}]', None)
        assert [(one.statement, one.verdict) for one in reading.verdicts] == [("The pier is long.", YES)]

    def test_a_single_row_without_one_says_nothing(self):
        reading = parse_verdicts('[{"verdict": "yes"}]', None)
        assert list(reading.found) == [NONE]
        assert IssueCode.BLANK_STATEMENT in {note.code for note in reading.issues}

    @pytest.mark.parametrize("draft", ["First attempt: ", "Draft: "])
    def test_a_draft_before_the_answer_does_not_count(self, draft):
        row = '[{"statement": "The pier is long.", "verdict": "%s"}]'
        reading = parse_verdicts(f"{draft}{row % 'no'}\n\nFinal answer: {row % 'yes'}", None)
        assert [(one.statement, one.verdict) for one in reading.verdicts] == [("The pier is long.", YES)]


class TestProviderSignals:
    """A complete answer stands whatever the provider says of its end; an unclosed one is called cut."""

    @pytest.mark.parametrize("end", ["length", "content_filter"])
    @pytest.mark.parametrize(
        "reply", ["{'verdicts': ['yes', 'no']", "[{'id': 1, 'verdict': 'yes'}, {'id': 2, 'verdict': 'no'"]
    )
    def test_what_was_cut_is_said_to_be(self, reply, end):
        codes = {note.code for note in parse_verdicts(reply, PIERS[:2], finish_reason=end).issues}
        assert IssueCode.TRUNCATED in codes
        assert IssueCode.UNCERTAIN_END not in codes
        assert IssueCode.UNCERTAIN_END in {note.code for note in parse_verdicts(reply, PIERS[:2]).issues}

    def test_a_broken_character_is_replaced_either_way(self):
        reply = '[{"id": 1, "verdict": "yes", "reason": "a \ud83d b"}, {"id": 2, "verdict": "no"}]'
        for end in (None, "content_filter", "stop"):
            reading = parse_verdicts(reply, PIERS[:2], finish_reason=end)
            assert (reading.verdicts[0].verdict, reading.verdicts[0].reason) == (YES, "a \ufffd b")
