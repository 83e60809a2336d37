"""The verdict in plain text about one statement."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.parsing.verdict_text import _gives_value, closing_label, judge_text, lead_in, numbers_a_row
from magistrate.parsing.vocabulary import vocabulary_of
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
            ("no. It is supported.", ("conflicting-verdicts leading 0-2",)),
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


class TestWordsOfOneStatement:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("It is not supported. Therefore the statement is supported.", ("supported sentence 31-57",)),
            ("The claim is not supported. So, the statement is supported.", ("supported sentence 32-58",)),
            ("The claim is not supported! Thus the statement is supported.", ("supported sentence 33-59",)),
            ("The claim is not supported? Hence the statement is supported.", ("supported sentence 34-60",)),
            ("The claim is not supported\nOverall, the statement is supported.", ("supported sentence 36-62",)),
            ("Therefore the claim is supported. Verdict: no", ("conflicting-verdicts sentence 10-45",)),
            ("Verdict: no, so the claim is supported", ("conflicting-verdicts labelled 9-38",)),
            ("Therefore the claim is supported. However, verdict: no", ("unsupported labelled 52-54",)),
            ("Thus, the claim is supported; verdict: yes", ("supported labelled 39-42",)),
            ("The document supports the claim. The text does not support it.", ("conflicting-verdicts sentence 0-61",)),
            ("The document supports the claim. The statement is not clear.", ("conflicting-verdicts sentence 0-59",)),
            ("The document supports it. In conclusion the text does not support it.", ("unsupported sentence 40-68",)),
            ("The claim is therefore supported. But no: verdict no", ("nothing",)),
        ],
    )
    def test_a_conclusion_counts_for_what_led_to_it(self, text: str, told: tuple[str, ...], tell_judge: Tell) -> None:
        assert tell_judge(text) == told

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("The statement is supported.", ("supported sentence 0-26",)),
            ("This claim is clearly supported by it.", ("supported sentence 0-31",)),
            ("The given statement 3 above is not supported.", ("unsupported sentence 4-44",)),
            ("That is supported.", ("supported pronoun 0-17",)),
            ("It was supported.", ("supported pronoun 0-16",)),
            ("The answer can be considered supported.", ("supported sentence 0-38",)),
            ("The summary appears to be not supported.", ("unsupported sentence 0-39",)),
            ("The claim remains unsupported.", ("unsupported sentence 0-29",)),
            ("If the statement is supported, fine.", ("nothing",)),
            ("It may be that the claim is supported.", ("nothing",)),
            ("Part of the statement is supported.", ("nothing",)),
            ("The idea that the claim is supported is odd.", ("nothing",)),
            ("Rather than say the claim is supported, wait.", ("nothing",)),
            ("I do not say that the claim is supported.", ("nothing",)),
            ("The claim is supported but only in part.", ("nothing",)),
            ("The claim is supported, except for six.", ("nothing",)),
            ("The claim is supported or not.", ("nothing",)),
            ("The claim is supported although only just.", ("nothing",)),
            ("The statement is not.", ("nothing",)),
            ("It is not.", ("nothing",)),
            ("The statement is not good.", ("nothing",)),
            ("The text supports this.", ("supported sentence 0-22",)),
            ("The text clearly supports the claim.", ("supported sentence 0-35",)),
            ("The document does not support that statement.", ("unsupported sentence 0-44",)),
            ("The passage fails to confirm it.", ("unsupported sentence 0-31",)),
            ("The evidence never mentions the claim.", ("out-of-range aside 0-37",)),
            ("The source contradicts this claim because it says seven.", ("unsupported sentence 0-33",)),
            ("The context does not contradict it.", ("nothing",)),
            ("The article refutes the assertion.", ("unsupported sentence 0-33",)),
            ("The context backs the sentence.", ("supported sentence 0-30",)),
            ("The excerpt entails it.", ("supported sentence 0-22",)),
            ("The text supports the claim that ferries leave.", ("nothing",)),
            ("The context's passages support it.", ("supported sentence 4-33",)),
            ("Their context supports it.", ("supported sentence 6-25",)),
        ],
    )
    def test_a_sentence_is_read_where_it_is_the_judge_that_says_it(
        self, text: str, told: tuple[str, ...], tell_judge: Tell
    ) -> None:
        assert tell_judge(text) == told

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("Verdict: yes", ("supported labelled 9-12",)),
            ("Verdict : yes", ("supported labelled 10-13",)),
            ("Verdict = no", ("unsupported labelled 10-12",)),
            ("Verdict -> no", ("unsupported labelled 11-13",)),
            ("Verdict → no", ("unsupported labelled 10-12",)),
            ("Verdict ⇒ no", ("unsupported labelled 10-12",)),
            ("Verdict — no", ("unsupported labelled 10-12",)),
            ("Verdict – no", ("unsupported labelled 10-12",)),
            ("Verdict - no", ("unsupported labelled 10-12",)),
            ("Verdict is no", ("unsupported labelled 11-13",)),
            ("Verdict：no", ("unsupported labelled 8-10",)),
            ("Verdict: **no**", ("unsupported closing 11-13",)),
            ("**Verdict**: no", ("unsupported labelled 13-15",)),
            ('Verdict: "no"', ("unsupported closing 10-12",)),
            ("Verdict:\nno", ("unsupported labelled 9-11",)),
            ("Verdict:\n\nno", ("unsupported closing 10-12",)),
            ("Verdict: no, it leaves at seven", ("unsupported labelled 9-11",)),
            ("Verdict: no; so", ("unsupported labelled 9-11",)),
            ("Verdict: no (see 2)", ("unsupported labelled 9-12",)),
            ("Verdict: no | 2", ("unsupported labelled 9-12",)),
            ("My verdict therefore is: no", ("unsupported labelled 25-27",)),
            ("Verdict for this statement: no", ("unsupported labelled 28-30",)),
            ("Final verdict for the claim: no", ("unsupported labelled 29-31",)),
            ("Overall verdict: no", ("unsupported closing 17-19", "unsupported labelled 17-19")),
            ("Total verdict: no", ("unsupported closing 15-17", "unsupported labelled 15-17")),
            ("The verdicts: no", ("unsupported closing 14-16",)),
            ("Non-verdict: no", ("unsupported closing 13-15",)),
            ("Verdict: hm", ("nothing",)),
            ("Verdict: 1", ("supported labelled 9-10",)),
            ("Verdict: 0", ("unsupported labelled 9-10",)),
            ("Verdict: 2", ("out-of-range labelled 9-10",)),
            ("Verdict: 10", ("out-of-range labelled 9-11",)),
            ("Verdict: 1. It says so", ("nothing",)),
            ("Verdict: No. 2 is supported", ("conflicting-verdicts labelled 9-11",)),
            ("Verdict: nr. 3 is so", ("nothing",)),
            ("Das Urteil ist: nein", ("unsupported labelled 16-20",)),
            ("El veredicto es no", ("unsupported labelled 16-18",)),
            ("Le verdict est : non", ("unsupported labelled 15-20",)),
            ("Verdict: yes\nVerdict: no", ("conflicting-verdicts labelled 9-24",)),
            ("Verdict: yes\nVerdict: yes", ("supported labelled 9-12",)),
            ("Verdict: no\nI take that back.\nVerdict: yes", ("supported closing 39-42, taken back",)),
        ],
    )
    def test_a_label_is_followed_by_its_verdict(self, text: str, told: tuple[str, ...], tell_judge: Tell) -> None:
        assert tell_judge(text) == told

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("no", ("unsupported leading 0-2",)),
            ("no.", ("unsupported leading 0-3",)),
            ("(no)", ("unsupported leading 0-4",)),
            ("[no]", ("unsupported leading 0-4",)),
            ("{no}", ("nothing",)),
            ("<no>", ("unsupported leading 0-4",)),
            ("**no**", ("unsupported leading 0-6",)),
            ("- no", ("unsupported leading 0-4",)),
            ("> no", ("unsupported leading 2-4",)),
            ("no - it leaves at seven", ("unsupported leading 0-2",)),
            ("no, it leaves", ("unsupported leading 0-2",)),
            ("no it leaves", ("nothing",)),
            ("1", ("supported leading 0-1",)),
            ("1.", ("supported leading 0-2", "nothing")),
            ("0", ("unsupported leading 0-1",)),
            ("2", ("out-of-range leading 0-1",)),
            ("-1", ("out-of-range leading 0-2",)),
            ("# 1", ("nothing",)),
            ("| 1 |", ("nothing",)),
            ("| 1 | no |", ("unsupported closing 6-8",)),
            ("1. no - so", ("nothing", "unsupported leading 3-5")),
            ("1. It leaves at seven: no", ("unsupported closing 23-25",)),
            ("Statement 1: no", ("unsupported closing 13-15", "unsupported leading 13-15")),
            ("Here are my verdicts:\nno", ("unsupported closing 22-24",)),
            ("Here is the list:\nno", ("unsupported closing 18-20",)),
            ("It leaves at seven. No.", ("unsupported closing 20-22",)),
            ("It leaves at seven; no", ("unsupported closing 20-22",)),
            ("It leaves at seven: no!", ("unsupported closing 20-22",)),
            ("It leaves at seven (no)", ("unsupported closing 20-22",)),
            ("It leaves at seven → no", ("unsupported closing 21-23",)),
            ("It leaves at seven, no", ("unsupported closing 20-22",)),
            ("It leaves at seven，no", ("unsupported closing 19-21",)),
            ("It leaves at seven。no。", ("unsupported closing 19-21",)),
            ("It leaves at seven？ no？", ("nothing",)),
            ("It leaves at seven - no", ("unsupported closing 21-23",)),
            ("It leaves at seven-no", ("nothing",)),
            ("It leaves = no", ("unsupported closing 12-14",)),
            ("It leaves, and no", ("nothing",)),
            ("It leaves at seven: 0", ("nothing",)),
            ("Verdict on it: 0", ("nothing",)),
            ("Gate: 1", ("nothing",)),
            ("It leaves → 1", ("supported closing 12-13",)),
            ("(see 3) 1", ("nothing",)),
            ("It leaves.\nno\nbecause", ("nothing",)),
            ("no\nbecause it leaves\nat seven", ("unsupported leading 0-2",)),
            ("It leaves: ❌", ("unsupported closing 11-12",)),
            ("It leaves ❌ at seven", ("nothing",)),
            ("❌ at seven", ("unsupported leading 0-10",)),
            ("✔ so", ("supported leading 0-4",)),
            ("yes and no", ("conflicting-verdicts leading 0-10",)),
            ("[no", ("nothing",)),
            ('{"a": no', ("nothing",)),
            ("yes [see", ("nothing",)),
            ('It leaves: "no"', ("unsupported closing 12-14",)),
            ("It leaves: ‘no’", ("nothing",)),
            ('The "no" of it', ("nothing",)),
        ],
    )
    def test_a_word_leads_or_closes(self, text: str, told: tuple[str, ...], tell_judge: Tell) -> None:
        assert tell_judge(text) == told


class TestFarAway:
    def test_a_label_stands_near_its_sign(self, tell_judge: Tell) -> None:
        assert tell_judge("x" * 78 + " verdict: no") == ("unsupported labelled 88-90",)
        assert tell_judge("verdict " + "x" * 90 + ": no") == ("unsupported closing 100-102",)

    def test_a_closing_word_follows_a_sign_that_is_near(self, tell_judge: Tell) -> None:
        assert tell_judge("It leaves at seven. " + "x" * 170 + " no") == ("nothing",)
        assert tell_judge("It leaves at seven. " + "x" * 170 + ". no") == ("unsupported closing 192-194",)


class TestReasons:
    @pytest.mark.parametrize(
        ("reason", "verdict"),
        [
            ("It says so. VERDICT: yes", Verdict.SUPPORTED),
            ("It says seven\nFinal verdict: no", Verdict.UNSUPPORTED),
            ("It says seven; so the answer = no", Verdict.UNSUPPORTED),
            ("Conclusion: **not supported**", Verdict.UNSUPPORTED),
            ("那里写着七点。结论：不支持", Verdict.UNSUPPORTED),
            ("Verdict: yes. It says so", None),
            ("Verdict: hm", None),
            ("It says so", None),
            ("", None),
            ("The verdicts: yes", None),
            ("Verdict: yes" + " " * 100, Verdict.SUPPORTED),
            ("Verdict: yes" + " " * 201, None),
            ("Verdict: " + "x" * 60, None),
        ],
    )
    def test_may_close_with_a_verdict(self, reason: str, verdict: Verdict | None) -> None:
        assert closing_label(reason, vocabulary_of("binary")) is verdict


class TestRowNumbers:
    @pytest.mark.parametrize("text", ["# 1", "| 1 |", "1 |", "№ 3", "- # 12", "**#1**", "| **1** |", "#1|", "> | 7"])
    def test_say_which_row(self, text: str) -> None:
        assert numbers_a_row(text)

    @pytest.mark.parametrize("text", ["1", "1.", "# 12345", "| 1 | no", "# one", "", "1 no", "|"])
    def test_anything_else_says_more(self, text: str) -> None:
        assert not numbers_a_row(text)


class TestLeadIn:
    @pytest.mark.parametrize(
        ("text", "at"),
        [
            ("Here are my verdicts:\nno", 22),
            ("My judgments：\n\nno", 15),
            ("\n**Verdicts:**\n  no", 17),
            ("Here is the list:\nno", 0),
            ("Verdicts: no", 0),
            ("no", 0),
            ("v" * 201 + " verdict:\nno", 0),
        ],
    )
    def test_a_first_line_announces_verdicts(self, text: str, at: int) -> None:
        assert lead_in(text) == at


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "part"),
        [
            ("Verdict: no, it leaves at seven", "no"),
            ("no, it leaves at seven", "no"),
            ("It leaves at seven. No.", "No"),
            ("So: the claim is not supported by it", "the claim is not supported"),
            ("It says that. The text does not support the claim.", "The text does not support the claim"),
            (
                "The claim is supported. The statement is not clear.",
                "The claim is supported. The statement is not clear",
            ),
            ("  no ", "no"),
            ("It is supported. However, it is not.", "It is supported. However, it is not"),
        ],
    )
    def test_are_those_in_the_reply(self, text: str, part: str) -> None:
        for offset in (0, 1_000):
            said, _ = judge_text(text, offset, vocabulary_of("binary"))
            assert said is not None
            assert text[said.span[0] - offset : said.span[1] - offset] == part

    def test_what_is_taken_back_stands_between_the_two_words(self) -> None:
        text = "Verdict: no\nI take that back.\nVerdict: yes, it says so"
        for offset in (0, 1_000):
            said, taken_back = judge_text(text, offset, vocabulary_of("binary"))
            assert said is not None
            assert taken_back
            assert text[said.span[0] - offset : said.span[1] - offset] == "yes"
        assert judge_text(f"I take that back. {text[:11]}\n{text[30:]}", 0, vocabulary_of("binary"))[1] is False


class TestNumbers:
    @pytest.mark.parametrize(
        "before",
        [
            *(
                "Verdict:",
                "Verdict =",
                "**Verdict**:",
                "Verdict：",
                "It leaves →",
                "Gate →",
                ":",
                "It is so. :",
                "So?:",
            ),
            *(
                "Well!:",
                "It (says):",
                'The "verdict":',
                "Label:",
                "My verdict therefore is:",
                "x\nVerdict:",
                "(verdict:",
            ),
        ],
    )
    def test_behind_the_sign_of_a_verdict_are_its_value(self, before: str) -> None:
        assert _gives_value(before + "1", len(before))

    @pytest.mark.parametrize(
        "before",
        [
            "",
            "Gate:",
            "Gate 3:",
            "Verdict",
            "Verdict;",
            "see",
            "Verdict\nGate:",
            "Verdict: no. Gate:",
            "Verdict: gate =",
        ],
    )
    def test_behind_any_other_sign_say_which(self, before: str) -> None:
        assert not _gives_value(before + "1", len(before))


class TestALabelOnALineOfItsOwn:
    def test_gives_the_word_that_the_next_line_begins_with(self) -> None:
        statements = ["The ferry leaves at six."]
        behind = "Final verdict:\nNo. The log of the harbour gives another hour for each of the six days of the week."
        assert [*parse_verdicts(behind, statements).found] == [Verdict.UNSUPPORTED]
        assert [*parse_verdicts("Final verdict:\nYes. It is.\n\n" + behind, statements).found] == [None]

    def test_of_a_scale_that_is_explained_gives_none(self) -> None:
        reply = "A score of 0 means that the statement is not supported."
        assert [*parse_verdicts(reply, ["The ferry leaves at six."]).found] == [None]


class TestTheNameOfWhatIsAsked:
    @pytest.mark.parametrize(
        "no", ["Supported: no", "supported: False", "is_supported: no", "**Faithful:** No.", "Supported? No."]
    )
    def test_before_a_plain_no_is_no_yes(self, no: str) -> None:
        assert parse_verdicts(no, ["The lock is iron."]).found == [Verdict.UNSUPPORTED]

    @pytest.mark.parametrize("yes", ["Supported: yes", "is_supported: True", "Entailed: yes", "Supported? Yes."])
    def test_before_a_plain_yes_agrees(self, yes: str) -> None:
        assert parse_verdicts(yes, ["The lock is iron."]).found == [Verdict.SUPPORTED]

    @pytest.mark.parametrize(
        "reply",
        [
            "Unsupported: false",
            "Contradicted: no",
            "Supported: none",
            "Supported: 0 of 1",
            "Unsupported? No.",
            "true: no",
            "Supported: yes, contradicted: yes",
            "Yes? No.",
            "Supported? Yes or no?",
        ],
    )
    def test_which_names_the_contrary_or_a_count_gives_none(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The lock is iron."]).found == [None]

    def test_in_a_list_counts_for_each_item(self) -> None:
        reply = "1. Supported: No\n2. Supported: Yes"
        assert parse_verdicts(reply, ["The lock is iron.", "The key is brass."]).found == [
            Verdict.UNSUPPORTED,
            Verdict.SUPPORTED,
        ]


class TestOptionsBeforeTheOneThatIsChosen:
    @pytest.mark.parametrize("reply", ["True/False: False", "**Yes/No:** No", "Supported or unsupported: unsupported"])
    def test_say_nothing_themselves(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The lock is iron."]).found == [Verdict.UNSUPPORTED]
        assert parse_verdicts("yes/no: " * 500, ["The lock is iron."]).found == [None]

    @pytest.mark.parametrize("reply", ["True/False:", "True/False: True/False", "yes/no: maybe"])
    def test_and_nothing_is_chosen_where_nothing_else_is_said(self, reply: str) -> None:
        assert parse_verdicts(reply, ["The lock is iron."]).found == [None]
