"""The verdict in plain text about one statement."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import Verdict

Tell = Callable[..., tuple[str, ...]]

STATEMENTS = [
    "The ferry leaves at six.",
    "The harbour freezes in May.",
    "Gulls nest on the pier.",
    "The keeper paints the rail.",
]


class TestOneStatement:
    @pytest.mark.parametrize(
        ("reply", "told"),
        [
            ("Score: 1", ("ok text", "s1: supported 7-8")),
            (
                "| 1 |",
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
            ("It is dry. Therefore, the statement is supported.", ("ok text", "s1: supported 22-48")),
            (
                "It is supported. It is not supported.",
                (
                    "unparseable None",
                    "s1: None 0-36 text",
                    "conflicting-verdicts 1: 'It is supported. It is not supported' says more than one thing",
                ),
            ),
            ("The text contradicts the claim.", ("ok text", "s1: unsupported 0-30")),
            (
                "yes\nno",
                (
                    "unparseable None",
                    "s1: None 0-6 words",
                    "conflicting-verdicts 1: 'yes\\nno' says more than one thing",
                ),
            ),
            ("The ferry leaves at six. - yes", ("ok numbered", "s1: supported 0-30")),
            (
                "1. yes\n2. no",
                (
                    "ok numbered",
                    "s1: supported 0-6",
                    "extra unsupported",
                    "unknown-statement: 1 verdicts are for no statement that was asked about",
                    "count-mismatch: 2 verdicts for 1 statements",
                ),
            ),
            ('The answer is "yes".', ("ok label", "s1: supported 15-19")),
            ("| yes |", ("ok text", "s1: supported 0-7")),
            ("| 1 | yes |", ("ok text", "s1: supported 6-9")),
            ("verdict: yes (confidence: 0)", ("ok label", "s1: supported 9-13")),
            (
                "Some of the statement is supported.",
                (
                    "unparseable None",
                    "s1: None",
                    "count-mismatch: 0 verdicts for 1 statements",
                    "missing-verdict 1: the reply says nothing of this statement",
                ),
            ),
        ],
    )
    def test_labels_leads_ends_and_sentences(self, reply: str, told: tuple[str, ...], tell_verdicts: Tell) -> None:
        assert tell_verdicts(reply, STATEMENTS[:1]) == told


class TestDenials:
    @pytest.mark.parametrize(
        "reply",
        [
            "So the statement is supported. However, it is not.",
            "It is supported. But it is not!",
            "It is so. Therefore the statement is supported; in fact, the claim is not",
        ],
    )
    def test_what_is_denied_after_it_was_said_is_no_verdict(self, reply: str) -> None:
        reading = parse_verdicts(reply, STATEMENTS[:1])
        assert list(reading.found) == [None]
        assert reading.issues

    @pytest.mark.parametrize("reply", ["No, it is not.", "Not supported. It is not.", "No; it is not."])
    def test_a_denial_that_agrees_takes_nothing_away(self, reply: str) -> None:
        assert list(parse_verdicts(reply, STATEMENTS[:1]).found) == [Verdict.UNSUPPORTED]


class TestJudged:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("Verdict: yes", ("supported labelled 9-12",)),
            ("verdict is no", ("unsupported labelled 11-13",)),
            ("The verdict: no because", ("unsupported labelled 13-23",)),
            ("Verdict - yes", ("supported labelled 10-13",)),
            ("Verdict → no", ("unsupported labelled 10-12",)),
            ("Verdict = yes", ("supported labelled 10-13",)),
            ("My final verdict is: yes", ("supported labelled 21-24",)),
            ("Overall verdict: no", ("unsupported closing 17-19", "unsupported labelled 17-19")),
            ("In total verdict: no", ("unsupported closing 18-20", "unsupported labelled 18-20")),
            ("Verdict: maybe", ("nothing",)),
            ("Verdict:\nyes", ("supported labelled 9-12",)),
            ("Verdict: **yes**", ("supported closing 11-14",)),
            ("**Verdict**: no", ("unsupported labelled 13-15",)),
            ('Verdict: "yes"', ("supported closing 10-13",)),
            ("Verdict:", ("nothing",)),
            ("verdicts: yes", ("supported closing 10-13",)),
            ("Verdict: yes\nVerdict: no", ("conflicting-verdicts labelled 9-24",)),
            ("Verdict: yes. Verdict: yes", ("supported labelled 9-12",)),
            ("Verdict: yes\nNo, wait.\nVerdict: no", ("conflicting-verdicts labelled 9-34",)),
            ("Verdict: yes\nCorrection: Verdict: no", ("unsupported closing 34-36, taken back",)),
            ("yes\nVerdict: no", ("conflicting-verdicts leading 0-15",)),
            ("no, but Verdict: yes", ("conflicting-verdicts leading 0-20",)),
            ("x" * 90 + " Verdict: yes", ("supported labelled 100-103",)),
            ("Reason: verdict of no kind", ("nothing",)),
            ("The label is yes", ("supported labelled 13-16",)),
            ("label: no", ("unsupported labelled 7-9",)),
            ("Answer: yes", ("supported labelled 8-11",)),
            ("- no: it is dry", ("unsupported leading 2-4",)),
            ("- yes\nmore", ("supported closing 0-5",)),
            ("| yes | dry |", ("nothing",)),
            ("| 1 | yes |", ("supported closing 6-9",)),
            ("# 1", ("nothing",)),
            ("#1 yes", ("nothing",)),
            ("1. yes", ("supported closing 3-6", "supported leading 3-6")),
            ("1. yes - dry", ("nothing", "supported leading 3-6")),
            ("Statement 1: no", ("unsupported closing 13-15", "unsupported leading 13-15")),
            ("1: 0", ("nothing",)),
            ("it: 0", ("nothing",)),
            ("Verdict: 0", ("unsupported labelled 9-10",)),
            ("so: 1", ("nothing",)),
            ("score: 1", ("supported closing 7-8",)),
            ('"x": 1', ("nothing",)),
            ("x 1", ("nothing",)),
            ("It is dry. Yes.", ("supported closing 11-14",)),
            ("It is dry; yes", ("supported closing 11-14",)),
            ("It is dry (no)", ("unsupported closing 11-13",)),
            ("It is dry → no", ("unsupported closing 12-14",)),
            ("It is dry - yes", ("supported closing 12-15",)),
            ("It is dry\nyes", ("supported closing 10-13",)),
            ("It is dry, yes", ("supported closing 11-14",)),
            ("dry yes", ("nothing",)),
            ("It is dry. ✅", ("supported closing 11-12",)),
            ("✅ It is dry", ("supported leading 0-11",)),
            ("It is dry ❌\nmore", ("nothing",)),
            ("It is dry: not supported", ("unsupported closing 11-24",)),
            ("It is dry: supported by it", ("nothing",)),
            ("It is supported", ("supported pronoun 0-15",)),
            ("It is not supported.", ("unsupported pronoun 0-19",)),
            ("This is supported by the text", ("supported pronoun 0-17",)),
            ("The statement is supported", ("supported sentence 0-26",)),
            ("The statement is not supported", ("unsupported sentence 0-30",)),
            ("The claim was clearly contradicted", ("unsupported sentence 0-34",)),
            ("The statement 2 above is supported", ("supported sentence 0-34",)),
            ("The statement is not", ("nothing",)),
            ("The statement is not. The claim is supported.", ("conflicting-verdicts sentence 0-44",)),
            ("The statement is not dry. The claim is supported.", ("conflicting-verdicts sentence 0-48",)),
            ("The statement is not dry. The claim is unsupported.", ("unsupported sentence 26-50",)),
            ("The statement is supported. The statement is unsupported.", ("conflicting-verdicts sentence 0-56",)),
            ("The statement is supported; but the claim is not supported", ("unsupported sentence 32-58",)),
            ("If the statement is supported, fine", ("nothing",)),
            ("It would be wrong to say the statement is supported", ("nothing",)),
            ("Part of the statement is supported", ("nothing",)),
            ("The statement is supported but only in part", ("nothing",)),
            ("The statement is supported, and more", ("supported sentence 0-26",)),
            ("The statement is either supported or not", ("nothing",)),
            ("Therefore, the statement is supported. The claim is dry.", ("supported sentence 11-37",)),
            ("The statement is unsupported. So the statement is supported", ("supported sentence 33-59",)),
            ("The statement is supported. Thus, the claim is unsupported.", ("unsupported sentence 34-58",)),
            ("The context supports the statement", ("supported sentence 0-34",)),
            ("The text does not support this claim.", ("unsupported sentence 0-36",)),
            ("The context supports it because it says so", ("supported sentence 0-23",)),
            ("The context supports the idea", ("nothing",)),
            ("The context never mentions it", ("out-of-range aside 0-29",)),
            ("The source contradicts this", ("unsupported sentence 0-27",)),
            ("The source does not contradict this", ("nothing",)),
            ("The documents refute the claim", ("unsupported sentence 0-30",)),
            ("The text fails to confirm this", ("unsupported sentence 0-30",)),
            ("whether the context supports it", ("nothing",)),
            ("The evidence backs this statement", ("supported sentence 0-33",)),
            ("yes. The statement is unsupported.", ("conflicting-verdicts leading 0-33",)),
            ("yes. Therefore the statement is unsupported.", ("conflicting-verdicts leading 0-43",)),
            ("no. It is supported.", ("unsupported leading 0-2",)),
            ("Verdict: yes. However, the statement is not supported.", ("conflicting-verdicts labelled 9-53",)),
            ("Verdict: yes. So the statement is not supported.", ("conflicting-verdicts labelled 9-47",)),
            ("[yes", ("nothing",)),
            ('{"verdict": yes', ("supported labelled 12-15",)),
            ("<yes>", ("supported leading 0-5",)),
            ("Verdict: <yes", ("supported labelled 9-13",)),
            ("yes]", ("supported leading 0-3",)),
            ("x ] yes", ("supported closing 4-7",)),
            ("yes (1)", ("supported leading 0-4",)),
            ("no reason to doubt: yes", ("supported closing 20-23",)),
            ("No reason to doubt.", ("nothing",)),
            ("yes" + " " * 80 + "x", ("nothing",)),
            ("1", ("supported leading 0-1",)),
            ("0.", ("unsupported leading 0-2",)),
            ("1 yes", ("nothing",)),
            ("Yes: 1", ("supported leading 0-3",)),
            ("→ 1", ("supported closing 2-3",)),
            ("Verdict (1): 0", ("unsupported closing 13-14",)),
            ("The verdict is 1", ("supported labelled 15-16",)),
            ("verdict 1", ("nothing",)),
            ("verdict no", ("nothing",)),
            ("Supported: yes", ("supported leading 0-9",)),
            ("supported? no", ("unsupported leading 0-9",)),
            ("is it so? yes", ("supported closing 10-13",)),
            ("yes?", ("unknown-label leading 0-4",)),
            ("- ", ("nothing",)),
            ("", ("nothing",)),
            ("\n\nyes\n\n", ("supported leading 2-5",)),
            ("yes\n\nno", ("conflicting-verdicts leading 0-7",)),
            ("yes, I say", ("supported leading 0-3",)),
            ("It is true", ("supported pronoun 0-10",)),
            ("Judging:\nyes", ("supported closing 9-12",)),
            ("Here is my verdict:\n\nno", ("unsupported closing 21-23",)),
            ("Here is the text:\n\nno", ("unsupported closing 19-21",)),
            ("Verdict: yes:no", ("conflicting-verdicts labelled 9-15",)),
            ("Verdict: yes | no", ("conflicting-verdicts labelled 9-17",)),
            ("Verdict = yes = no", ("conflicting-verdicts labelled 10-18",)),
        ],
    )
    def test_where_it_is_said(self, text: str, told: tuple[str, ...], tell_judge: Tell) -> None:
        assert tell_judge(text) == told

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("The context does not mention this.", ("not_enough_info sentence 0-33",)),
            ("The context mentions this.", ("nothing",)),
            ("The text refutes this.", ("contradicted sentence 0-21",)),
            ("The text does not refute this.", ("nothing",)),
            ("The text does not support this.", ("out-of-range sentence 0-30",)),
            ("The text supports this.", ("supported sentence 0-22",)),
            ("The text contradicts this.", ("contradicted sentence 0-25",)),
            ("The statement is not.", ("nothing",)),
            ("no", ("contradicted leading 0-2",)),
            ("Verdict: no", ("contradicted labelled 9-11",)),
            ("Verdict: unknown", ("not_enough_info labelled 9-16",)),
        ],
    )
    def test_where_it_is_said_on_a_scale_of_three(self, text: str, told: tuple[str, ...], tell_judge: Tell) -> None:
        assert tell_judge(text, "ternary") == told


class TestASentenceBeforeALabel:
    @pytest.mark.parametrize(
        ("reply", "verdict"),
        [
            ("The statement is supported. Verdict: no", None),
            ("The statement is supported. Verdict: yes", Verdict.SUPPORTED),
            ("The statement is supported at first sight. However, the fare differs. Verdict: no", Verdict.UNSUPPORTED),
            ("It is possible that the statement is supported. Verdict: no", Verdict.UNSUPPORTED),
        ],
    )
    def test_counts_unless_it_is_turned_round(self, reply: str, verdict: Verdict | None) -> None:
        assert [*parse_verdicts(reply, ["The ferry leaves at six."]).found] == [verdict]


class TestReasonsBesideAWord:
    @pytest.mark.parametrize(
        ("reply", "scale", "verdict"),
        [
            ("No, the context does not mention this.", "binary", Verdict.UNSUPPORTED),
            ("This contradicts the passage.", "ternary", Verdict.CONTRADICTED),
            ("If this contradicts the passage, it is wrong.", "ternary", None),
        ],
    )
    def test_agree_with_it(self, reply: str, scale: str, verdict: Verdict | None) -> None:
        assert [*parse_verdicts(reply, ["The ferry leaves at six."], scale=scale).found] == [verdict]
