"""Whose words a piece of a reply is, and what takes back what stood before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from magistrate.parsing import parse_label, parse_score, parse_verdicts
from magistrate.parsing.envelope import open_envelope
from magistrate.parsing.voices import QUOTED, Voice, judged, slips, voice_of
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]


class TestVoices:
    @pytest.mark.parametrize(
        ("before", "after", "told"),
        [
            ("The text says: ", "", ("foreign",)),
            ("The author writes ", "", ("foreign",)),
            ("My verdict: ", "", ("judge",)),
            ("For example: ", "", ("foreign",)),
            ("For example, it is so. ", "", ("judge",)),
            ("For example\n\n", "", ("foreign",)),
            ("Example! ", "", ("judge",)),
            ("Example? ", "", ("judge",)),
            ("Example; ", "", ("judge",)),
            ("Beispiel。", "", ("judge",)),
            ("Example:\n```json\n", "\n```", ("foreign",)),
            ("Output format:\n", "", ("foreign",)),
            ("First attempt: ", "", ("draft",)),
            ("At first I thought ", "", ("judge",)),
            ("Perhaps ", "", ("draft",)),
            ("At first. Now: ", "", ("judge",)),
            ("## Context\n", "", ("foreign",)),
            ("## Context\n\nIt is so.\n\n", "", ("judge",)),
            ("## Verdict\n", "", ("judge",)),
            ("<!-- ", " -->", ("foreign",)),
            ("<!-- x --> ", "", ("judge",)),
            ("", " (which I ignored)", ("judge",)),
            ("", ", which I ignore", ("foreign",)),
            ("", ". That is only an example.", ("foreign",)),
            ("", " is it", ("judge",)),
            ("", "\n```\nThis is just an example", ("foreign",)),
            ("The quoted verdict: ", "", ("foreign",)),
            ("My answer, not what the text says: ", "", ("foreign",)),
            ("The user said so. My verdict: ", "", ("judge",)),
            ('"', '"', ("judge",)),
            ('the text "', '"', ("foreign",)),
            ("the phrase: ", "", ("foreign",)),
            ("The context states that the ferry leaves. ", "", ("judge",)),
            ("The context states that ", "", ("foreign",)),
            ("the context-says ", "", ("judge",)),
            ("Draft: ", "", ("draft",)),
            ("下書き：", "", ("draft",)),
            ("例：", "", ("foreign",)),
            ("For example: " + "x" * 500, "", ("judge",)),
            ("The text says: " + "x" * 100, "", ("judge",)),
            ("template ", "", ("foreign",)),
            ("Schema: ", "", ("foreign",)),
            ("I roughly judge ", "", ("judge",)),
        ],
    )
    def test_the_words_that_lead_in_tell_whose_they_are(
        self, before: str, after: Any, told: tuple[str, ...], tell_voice: Tell
    ) -> None:
        assert tell_voice(before, "yes", after) == told


class TestWithdrawals:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("Correction: yes", ("withdraws True", "slips False", "by number False")),
            ("I must correct my answer", ("withdraws True", "slips False", "by number False")),
            ("Wait", ("withdraws None", "slips False", "by number False")),
            ("Wait, 2 should be no", ("withdraws None", "slips True", "by number True")),
            ("Sorry, I meant no", ("withdraws False", "slips True", "by number False")),
            ("Sorry, I meant no for 1", ("withdraws False", "slips True", "by number True")),
            ("I meant no", ("withdraws False", "slips True", "by number False")),
            ("On second thought", ("withdraws True", "slips False", "by number False")),
            ("The list above is wrong", ("withdraws True", "slips False", "by number False")),
            ("The list above is long", ("withdraws False", "slips False", "by number False")),
            ("my mistake", ("withdraws True", "slips False", "by number False")),
            ("Actually, it is so", ("withdraws None", "slips False", "by number False")),
            ("Actually, 3 is wrong", ("withdraws None", "slips True", "by number True")),
            ("no, wait", ("withdraws None", "slips False", "by number False")),
            ("Hold on", ("withdraws None", "slips False", "by number False")),
            ("Scratch that", ("withdraws True", "slips False", "by number False")),
            ("Ignore the above answer", ("withdraws True", "slips False", "by number False")),
            ("I misread it", ("withdraws True", "slips False", "by number False")),
            ("Ich korrigiere", ("withdraws True", "slips False", "by number False")),
            ("Corrección: no", ("withdraws True", "slips False", "by number False")),
            ("更正：否", ("withdraws True", "slips False", "by number False")),
            ("It is so.", ("withdraws False", "slips False", "by number False")),
            ("", ("withdraws False", "slips False", "by number False")),
            ("Oops, the second must be no", ("withdraws False", "slips True", "by number False")),
            ("(Wait, 1 is actually no)", ("withdraws None", "slips False", "by number True")),
            ("- Sorry, 2: no", ("withdraws False", "slips False", "by number True")),
            ("Sorry, typo in 2", ("withdraws False", "slips True", "by number True")),
            ("The 2 was a typo", ("withdraws False", "slips True", "by number False")),
            ("That is a slip of the pen", ("withdraws False", "slips True", "by number False")),
            ("The page has a typo in its title", ("withdraws False", "slips False", "by number False")),
            ("sorry about that", ("withdraws False", "slips False", "by number False")),
            ("Wait, that is wrong.", ("withdraws True", "slips True", "by number False")),
            ("Corrected:", ("withdraws True", "slips False", "by number False")),
            ("**Revised version:**\n1. yes", ("withdraws True", "slips False", "by number False")),
            ("Revised verdicts", ("withdraws True", "slips False", "by number False")),
            ("Corrected: it is 5 m high.", ("withdraws False", "slips False", "by number False")),
            ("No, that is wrong.", ("withdraws False", "slips False", "by number False")),
            ("The revised text is longer.", ("withdraws False", "slips False", "by number False")),
            ("He meant no", ("withdraws False", "slips False", "by number False")),
        ],
    )
    def test_are_told_from_slips_and_doubt(self, text: str, told: tuple[str, ...], tell_back: Tell) -> None:
        assert tell_back(text) == told


FOREIGN = "Example of the format"
"""What makes a piece foreign, if it stands in the same sentence."""


class TestSentences:
    @pytest.mark.parametrize(
        "mark", ["\n\n", ". ", "! ", "? ", "。", "！", "？", ".\n", "; ", ";\n\n", ". x. ", ". \n\nx! "], ids=repr
    )
    def test_what_stands_in_the_sentence_before_does_not_lead_in(self, mark: str) -> None:
        text = f"{FOREIGN}{mark}so: "
        assert voice_of(text + "yes", len(text), len(text) + 3) is Voice.JUDGE

    @pytest.mark.parametrize("mark", ["\n", ", ", ": ", " - ", " "], ids=repr)
    def test_what_stands_in_the_same_sentence_does(self, mark: str) -> None:
        text = f"{FOREIGN}{mark}"
        assert voice_of(text + "yes", len(text), len(text) + 3) is Voice.FOREIGN

    @pytest.mark.parametrize("sign", list(" \t\r\n:`\"'“«„「『([{*_#>-–—"))
    def test_signs_between_a_lead_in_and_its_piece_say_nothing(self, sign: str) -> None:
        text = f"The line.{sign}"
        assert voice_of(f"the line{sign}{sign}yes", 10, 13) is Voice.FOREIGN
        assert voice_of(text + "yes", len(text), len(text) + 3) is Voice.JUDGE

    def test_a_break_at_the_beginning_is_one(self) -> None:
        assert voice_of(f"。{FOREIGN}: yes", 24, 27) is Voice.FOREIGN
        assert voice_of("\n\nmy example: yes", 14, 17) is Voice.JUDGE

    def test_a_quotation_that_was_led_up_to_is_the_end_of_it(self) -> None:
        for blanks in ("", " ", "\t", " \t "):
            text = f"{FOREIGN}: {QUOTED}\n\n{blanks}"
            assert voice_of(text + "yes", len(text), len(text) + 3) is Voice.JUDGE
        text = f"{FOREIGN}: {QUOTED}\n"
        assert voice_of(text + "yes", len(text), len(text) + 3) is Voice.FOREIGN


class TestPlaces:
    def test_what_stands_before_the_floor_does_not_count(self) -> None:
        text = f"{FOREIGN}: yes"
        assert voice_of(text, len(text) - 3, len(text)) is Voice.FOREIGN
        assert voice_of(text, len(text) - 3, len(text), floor=len(text) - 5) is Voice.JUDGE

    def test_what_stands_behind_the_ceiling_does_not_count(self) -> None:
        text = "yes, which is only an example"
        assert voice_of(text, 0, 3) is Voice.FOREIGN
        assert voice_of(text, 0, 3, ceiling=4) is Voice.JUDGE

    @pytest.mark.parametrize("between", ["`", "\n", " ", "```\n", "\n\n"], ids=repr)
    def test_fences_and_blanks_stand_between_a_piece_and_what_follows(self, between: str) -> None:
        assert voice_of(f"yes{between}that is only an example", 0, 3) is Voice.FOREIGN

    def test_a_comment_holds_it_from_the_first_character_on(self) -> None:
        assert voice_of("<!--yes", 4, 7) is Voice.FOREIGN
        assert voice_of("<!--a-->yes", 8, 11) is Voice.JUDGE
        assert voice_of("<!--" + " " * 1_996 + "yes", 2_000, 2_003) is Voice.FOREIGN
        assert voice_of("<!--" + " " * 1_997 + "yes", 2_001, 2_004) is Voice.JUDGE


class TestJudged:
    @pytest.mark.parametrize(
        ("text", "own"),
        [
            ('{"a": 1}', ['{"a": 1}']),
            ('{"a": 1}\n\n{"b": 2}', ['{"a": 1}', '{"b": 2}']),
            ('Example:\n{"a": 1}\n\nAnswer:\n{"b": 2}', ['{"b": 2}']),
            ('{"a": 1}, which is only an example.\n{"b": 2}', ['{"b": 2}']),
            ('{"a": 1}\n{"b": 2}, which I ignore.', ['{"a": 1}']),
            ('Example:\n{"a": 1} {"b": 2}\n', ['{"b": 2}']),
            ('```python\nf({"a": 1})\n```\n{"b": 2}', ['{"b": 2}']),
            ('<row><reason>{"a": 1}</reason><verdict>yes</verdict></row>\n{"b": 2}', ['{"b": 2}']),
        ],
    )
    def test_data_that_the_judge_gives_as_its_own(self, text: str, own: list[str]) -> None:
        found = [text[one.start : one.end] for one in judged(open_envelope(text))]
        assert found == own


class TestSlips:
    @pytest.mark.parametrize(
        "text", ["Typo in the second verdict.", "A slip in the last.", "Typo in 2.", "The 2 was a typo."]
    )
    def test_of_the_judge_are_about_its_answer(self, text: str) -> None:
        assert slips(text)

    @pytest.mark.parametrize("text", ["Two slips in the second paragraph.", "One typo in the last line."])
    def test_in_a_part_of_what_is_judged_are_none_of_its_own(self, text: str) -> None:
        assert not slips(text)


OTHERS = [
    "The previous judge said:",
    "The other model answered:",
    "Expected answers:",
    "Ground truth:",
    "Verdicts of the old model:",
    "If the well were dry, my verdicts would be:",
    "Before I read the log I would have said:",
    "Yesterday I said:",
    "Hypothetically:",
    "Do not answer like this:",
    "I was told to say:",
    "The user wants me to answer:",
    "Someone might answer:",
    "The opposite of my verdicts:",
    "These are not my verdicts:",
    "A wrong answer would be:",
    "Here is an example:",
    "Here is the format I was asked to use:",
    "Without the context:",
    "The candidate wrote:",
]
OWN = [
    "Here are my verdicts:",
    "I was asked to judge two claims. My verdicts:",
    "My verdicts in the format I was asked to use:",
    "As you told me to use a list:",
    "These were answered as follows:",
    "Verdicts for the earlier document:",
    "I do not need to say more than this.\nVerdicts:",
]
WELL = ["The well is deep.", "It is dry."]


class TestAnswersThatAreAnnounced:
    """A line above an answer tells whose it is, in every form of an answer."""

    @pytest.mark.parametrize("lead", OTHERS)
    @pytest.mark.parametrize(
        "answer",
        ["1. yes\n2. no", '[{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]', '```\n["yes", "no"]\n```'],
    )
    def test_as_somebody_elses_are_none(self, answer: str, lead: str) -> None:
        assert parse_verdicts(f"{lead}\n{answer}", WELL).found == [None, None]

    @pytest.mark.parametrize("lead", OTHERS)
    @pytest.mark.parametrize("between", [" ", "\n", "\n\n"])
    def test_nor_are_single_ones(self, between: str, lead: str) -> None:
        assert parse_verdicts(f"{lead}{between}yes", WELL[:1]).found == [None]
        assert parse_verdicts(f'{lead}{between}{{"verdict": "yes"}}', WELL[:1]).found == [None]
        assert parse_score(f'{lead}{between}{{"score": 4}}', 1, 5).value is None
        assert parse_label(f'{lead}{between}{{"label": "A"}}', ["A", "B"]).label is None

    @pytest.mark.parametrize("lead", OTHERS)
    @pytest.mark.parametrize("between", ["\n", "\n\n"])
    def test_nor_scores_and_labels_in_words(self, between: str, lead: str) -> None:
        for score in ("4", "Score: 4", "4/5", "[[4]]"):
            assert parse_score(f"{lead}{between}{score}", 1, 5).value is None
        for label in ("A", "Label: A", "[[A]]"):
            assert parse_label(f"{lead}{between}{label}", ["A", "B"]).label is None

    @pytest.mark.parametrize("lead", OWN)
    def test_as_the_judges_own_count(self, lead: str) -> None:
        assert parse_verdicts(f"{lead}\n1. yes\n2. no", WELL).found == [Verdict.SUPPORTED, Verdict.UNSUPPORTED]
        assert parse_score(f"{lead}\nScore: 4", 1, 5).value == 4.0
        assert parse_label(f"{lead}\nLabel: A", ["A", "B"]).label == "A"

    def test_a_line_that_announces_nothing_does_not_matter(self) -> None:
        assert parse_score("The reply could be shorter\nScore: 4", 1, 5).value == 4.0
        assert parse_score("The candidate wrote:\nIt is deep.\n\nScore: 4", 1, 5).value == 4.0
