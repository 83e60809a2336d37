"""Plain answers to something else than whether the statement is supported."""

from __future__ import annotations

import json

import pytest

from magistrate.parsing import parse_label, parse_verdicts
from magistrate.parsing.questions import (
    asks_otherwise,
    asks_the_contrary,
    heads_the_contrary,
    is_bare_answer,
    other_name,
    other_question,
    tells_another_order,
    turns_the_scale,
)
from magistrate.verdict import Verdict

PUMP = ["The pump runs on steam.", "It was built in Leeds."]
YES, NO = Verdict.SUPPORTED, Verdict.UNSUPPORTED


class TestBareAnswers:
    @pytest.mark.parametrize("value", ["yes", "No.", "**true**", "1", "0", "no - it is brass", 1, True, "否", "नहीं"])
    def test_say_nothing_without_their_question(self, value: object) -> None:
        assert is_bare_answer(value)

    @pytest.mark.parametrize("value", ["supported", "not supported", "nothing", "1995", "yesterday", None, [], 0.5])
    def test_other_words_name_what_they_answer(self, value: object) -> None:
        assert not is_bare_answer(value)


class TestNames:
    @pytest.mark.parametrize("name", ["Risk", "Issue found", "Needs correction", "Missing from the page", "Checked"])
    def test_may_ask_something_else(self, name: str) -> None:
        assert asks_otherwise(name)
        assert parse_verdicts(f"1. {name}: no\n2. {name}: yes", PUMP).found == [None, None]

    @pytest.mark.parametrize("name", ["Steam", "Supported", "Verdict", "The risk of fire in summer is low", ""])
    def test_or_the_statement_or_its_topic(self, name: str) -> None:
        assert not asks_otherwise(name)

    @pytest.mark.parametrize("asked", ["Any error? {}", "error? {}", "Contradicts the plate: {}", "Invented: {}"])
    def test_and_questions_do_too(self, asked: str) -> None:
        reply = f"1. {asked.format('no')}\n2. {asked.format('yes')}"
        assert parse_verdicts(reply, PUMP).found == [None, None]

    @pytest.mark.parametrize("asked", ["hallucination - {}", "Wrong: {}", "unsupported - {}"])
    def test_a_denial_that_is_denied_is_none(self, asked: str) -> None:
        assert parse_verdicts(asked.format("no"), PUMP[:1]).found == [None]

    def test_take_nothing_from_a_word_that_names_itself(self) -> None:
        assert parse_verdicts("1. Issue: unsupported\n2. Issue: supported", PUMP).found == [NO, YES]


class TestKeys:
    @pytest.mark.parametrize("key", ["hallucinated", "errors", "is_hallucination", "flags", "needsCorrection"])
    def test_of_a_list_may_ask_for_the_contrary(self, key: str) -> None:
        assert asks_the_contrary(key)
        assert parse_verdicts(json.dumps({key: [False, True]}), PUMP).found == [None, None]
        rows = [{"id": 1, "verdict": "yes"}, {"id": 2, "verdict": "no"}]
        assert parse_verdicts(json.dumps({key: rows}), PUMP).found == [YES, NO]

    @pytest.mark.parametrize("key", ["verdicts", "supported", "results", "answers"])
    def test_or_for_support(self, key: str) -> None:
        assert not asks_the_contrary(key)
        assert parse_verdicts(json.dumps({key: [False, True]}), PUMP).found == [NO, YES]

    @pytest.mark.parametrize(
        "table",
        [
            "| Statement | Error |\n|---|---|\n| {} | no |\n| {} | yes |",
            "id\tcontradicts\n1\tno\n2\tyes",
        ],
    )
    def test_of_a_column_may_as_well(self, table: str) -> None:
        assert parse_verdicts(table.format(*PUMP), PUMP).found == [None, None]

    def test_a_column_beside_the_verdicts_takes_nothing_from_them(self) -> None:
        table = "| # | Verdict | Errors |\n|---|---|---|\n| 1 | yes | no |\n| 2 | no | yes |"
        assert parse_verdicts(table, PUMP).found == [YES, NO]


class TestHeadings:
    @pytest.mark.parametrize(
        "heading",
        [
            "Unsupported?",
            "Hallucinated (yes/no):",
            "Is the statement contradicted by the page?",
            "**Not supported:**",
            "I looked twice. Any errors?",
        ],
    )
    def test_that_ask_for_the_contrary_leave_plain_answers_unread(self, heading: str) -> None:
        assert heads_the_contrary(heading + "\n")
        assert parse_verdicts(f"{heading}\n1. yes\n2. no", PUMP).found == [None, None]
        assert parse_verdicts(f"{heading}\n1. supported\n2. not supported", PUMP).found == [YES, NO]

    @pytest.mark.parametrize(
        "heading",
        ["Supported?", "True or false:", "My verdicts:", "The list is wrong. Corrected:", "Unsupported"],
    )
    def test_that_ask_for_support_do_not(self, heading: str) -> None:
        assert not heads_the_contrary(heading + "\n")


class TestLegends:
    @pytest.mark.parametrize(
        "legend",
        [
            "0 = supported, 1 = unsupported",
            "(1 = hallucinated, 0 = faithful)",
            "1 means not supported and 0 means supported.",
            "yes = contradicted",
        ],
    )
    def test_that_turn_the_scale_leave_plain_answers_unread(self, legend: str) -> None:
        assert turns_the_scale(legend)
        assert parse_verdicts(f"{legend}\n1. 0\n2. 1", PUMP).found == [None, None]

    @pytest.mark.parametrize(
        "legend", ["1 = supported, 0 = unsupported", "yes = supported, no = unsupported", "0 = supported", "1 = wrong"]
    )
    def test_that_do_not_are_passed_over(self, legend: str) -> None:
        assert not turns_the_scale(legend)


class TestOneStatement:
    @pytest.mark.parametrize(
        "question",
        ["Is the engine in Leeds?", "Can it be disputed?", "Was the context sufficient?", "Did I check the table?"],
    )
    def test_another_question_is_not_answered_by_it(self, question: str) -> None:
        assert other_question(question + " ", PUMP[0])
        assert parse_verdicts(f"{question} Yes.", PUMP[:1]).found == [None]

    @pytest.mark.parametrize(
        "question",
        [
            "Is it supported?",
            "Does the page confirm this?",
            "Does the pump run on steam?",
            "Does steam drive the pump?",
        ],
    )
    def test_its_own_is(self, question: str) -> None:
        assert not other_question(question + " ", PUMP[0])
        assert parse_verdicts(f"{question} Yes.", PUMP[:1]).found == [YES]

    def test_a_yes_apart_from_something_is_less_than_one(self) -> None:
        assert parse_verdicts("Yes, apart from the year.", PUMP[:1]).found == [None]


class TestLabels:
    @pytest.mark.parametrize("reply", ["FAIL: 0\nPASS: 9", "Pass: no", "PASS: 0.3\nFAIL: 0.7", "PASS (worse)"])
    def test_with_how_much_of_them_there_is_are_no_answer(self, reply: str) -> None:
        assert parse_label(reply, ["PASS", "FAIL"]).label is None

    def test_with_a_reason_they_are(self) -> None:
        assert parse_label("PASS: no test fails", ["PASS", "FAIL"]).label == "PASS"


class TestOtherLanguages:
    @pytest.mark.parametrize(
        ("heading", "one", "other"),
        [
            ("Halluziniert?", "ja", "nein"),
            ("¿Alucinación?", "sí", "no"),
            ("是否存在幻觉？", "是", "否"),
            ("矛盾がありますか？", "いいえ", "はい"),
            ("Противоречит?", "нет", "да"),
            ("환각 여부:", "예", "아니오"),
        ],
    )
    def test_headings_may_ask_for_the_contrary(self, heading: str, one: str, other: str) -> None:
        assert parse_verdicts(f"{heading}\n1. {one}\n2. {other}", PUMP).found == [None, None]

    @pytest.mark.parametrize("reply", ["1. Fehler: nein\n2. Fehler: ja", "1. 矛盾：否\n2. 矛盾：是"])
    def test_names_may(self, reply: str) -> None:
        assert parse_verdicts(reply, PUMP).found == [None, None]

    @pytest.mark.parametrize(
        "reply",
        ["Ist die Pumpe elektrisch? Ja.", "La source contredit-elle l'énoncé ? Non.", "¿Está en Leeds la bomba? Sí."],
    )
    def test_questions_may(self, reply: str) -> None:
        assert parse_verdicts(reply, ["Die Maschine läuft mit Dampf."]).found == [None]

    def test_questions_for_support_are_answered(self) -> None:
        assert parse_verdicts("Ist die Aussage belegt? Nein.", PUMP[:1]).found == [NO]
        assert parse_verdicts("¿Está respaldada? Sí.", PUMP[:1]).found == [YES]
        assert parse_verdicts("水泵用蒸汽运行吗？是。", ["水泵用蒸汽运行。"]).found == [YES]


class TestNamesBeforeOneAnswer:
    @pytest.mark.parametrize(
        "name", ["Country", "Judge B", "v2", "Fake", "Rumour", "Contains a date", "Evidence against"]
    )
    def test_that_have_nothing_to_do_with_the_statement_ask_something_else(self, name: str) -> None:
        assert parse_verdicts(f"{name}: no", PUMP[:1]).found == [None]

    @pytest.mark.parametrize(
        "name", ["Verdict", "So", "Final answer", "Runs on steam", "is_supported", "I think", "s1", "Answer (yes/no)"]
    )
    def test_of_a_verdict_or_of_its_topic_are_passed(self, name: str) -> None:
        assert not other_name(f"{name}: ", PUMP[0])
        assert parse_verdicts(f"{name}: no", PUMP[:1]).found == [NO]


class TestOrder:
    @pytest.mark.parametrize(
        "reply",
        ["yes\nno\n\n(in reverse order)", "The verdicts, last first: no, yes", "Order: 2, 1\nno\nyes"],
    )
    def test_another_than_that_of_the_statements_leaves_no_place(self, reply: str) -> None:
        assert tells_another_order(reply) == "places"
        assert parse_verdicts(reply, PUMP).found == [None, None]

    def test_of_numbers_leaves_no_number(self) -> None:
        reply = "1. yes\n2. no\n\nNote that I numbered the statements in reverse order."
        assert tells_another_order(reply) == "numbers"
        assert parse_verdicts(reply, PUMP).found == [None, None]

    @pytest.mark.parametrize("reply", ["1. yes\n2. no\n\n(in reverse order)", "Order: 1, 2\nyes\nno"])
    def test_takes_nothing_from_numbers_that_stand(self, reply: str) -> None:
        assert parse_verdicts(reply, PUMP).found == [YES, NO]

    def test_is_that_of_the_statements_that_are_repeated(self) -> None:
        reply = f"Verdict: no ({PUMP[1]})\nVerdict: yes ({PUMP[0]})"
        assert parse_verdicts(reply, PUMP).found == [YES, NO]

    @pytest.mark.parametrize("reply", ["yes,,no", "yes; ; no"])
    def test_with_a_gap_in_it_is_none(self, reply: str) -> None:
        assert parse_verdicts(reply, PUMP).found == [None, None]


class TestLegendsInWords:
    @pytest.mark.parametrize("sign", ["=", "means", "stands for", "indicates"])
    def test_turn_the_scale_whatever_their_verb(self, sign: str) -> None:
        assert turns_the_scale(f"0 {sign} supported, 1 {sign} unsupported")
        assert turns_the_scale(f"Yes {sign} unsupported")
        assert not turns_the_scale(f"1 {sign} supported, 0 {sign} unsupported")


class TestQuestionsOfOtherThings:
    @pytest.mark.parametrize("question", ["Is the boiler electric?", "So: was the wheel painted?"])
    def test_are_answered_by_a_plain_word_that_says_nothing_of_the_statement(self, question: str) -> None:
        assert other_question(f"{question} ", PUMP[0])

    @pytest.mark.parametrize(
        "question",
        [
            "Is the statement supported?",
            "Does the pump run on steam?",
            "Is it true?",
            "Does the log say so?",
            "It runs",
        ],
    )
    def test_questions_of_the_statement_and_of_support_are_none(self, question: str) -> None:
        assert not other_question(f"{question} ", PUMP[0])

    @pytest.mark.parametrize("question", ["Gibt es einen Widerspruch?", "¿Hay contradicción?", "是否矛盾？"])
    def test_a_question_of_contradiction_in_another_language_is_another_one(self, question: str) -> None:
        assert other_question(question, PUMP[0])

    @pytest.mark.parametrize("question", ["Ist die Aussage belegt?", "¿Está respaldada?"])
    def test_one_of_support_is_not(self, question: str) -> None:
        assert not other_question(question, PUMP[0])


class TestPlaces:
    @pytest.mark.parametrize("reply", ["Norway (NO)", "Oslo, Norway (NO)", "It is made in Norway (NO)."])
    def test_the_code_of_one_is_no_answer(self, reply: str) -> None:
        assert parse_verdicts(reply, PUMP[:1]).found == [None]

    @pytest.mark.parametrize("reply", ["Answer (NO)", "Verdict (NO)", "(NO)", "not supported (NO)", "Unsupported (NO)"])
    def test_an_answer_in_capitals_is_one(self, reply: str) -> None:
        assert parse_verdicts(reply, PUMP[:1]).found == [Verdict.UNSUPPORTED]


class TestLegendsOfMarks:
    @pytest.mark.parametrize(
        "legend",
        [
            "❌ marks claims without errors, ✅ claims with errors.",
            "❌ = supported, ✅ = unsupported",
            "(✅ means an error was found)",
            "✗ means correct, ✓ means wrong",
            "✔️ denotes a contradiction",
            "👍 = not supported",
        ],
    )
    def test_that_turn_the_scale_leave_marks_without_a_verdict(self, legend: str) -> None:
        assert turns_the_scale(legend)
        assert parse_verdicts(f"{legend}\n1. ❌\n2. ✅", PUMP).found == [None, None]

    @pytest.mark.parametrize(
        "legend",
        [
            "✅ = supported, ❌ = unsupported",
            "✅ = no error, ❌ = error",
            "✅ means free of errors; ❌ means with errors",
            "✅ = without any error, ❌ = not supported",
        ],
    )
    def test_that_say_what_is_usual_do_not(self, legend: str) -> None:
        assert parse_verdicts(f"{legend}\n1. ❌\n2. ✅", PUMP).found == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]


class TestLegendsInData:
    @pytest.mark.parametrize("legend", ["0 = supported, 1 = not supported", "1 = unsupported, 0 = supported"])
    def test_that_turn_the_scale_leave_figures_without_a_verdict(self, legend: str) -> None:
        reply = json.dumps({"scale": legend, "verdicts": [0, 1]})
        assert parse_verdicts(reply, PUMP).found == [None, None]

    def test_that_say_what_is_usual_do_not(self) -> None:
        reply = json.dumps({"scale": "1 = supported, 0 = not supported", "verdicts": [0, 1]})
        assert parse_verdicts(reply, PUMP).found == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]


class TestTwoAnswersForOneStatement:
    @pytest.mark.parametrize(
        "reply", ["As a language model, I have no access to the page. 1. yes 2. no", "Verdicts below. 1) no, 2) yes"]
    )
    def test_are_none_of_it(self, reply: str) -> None:
        assert parse_verdicts(reply, PUMP[:1]).found == [None]

    @pytest.mark.parametrize("reply", ["Answer: 1. yes 2. no", "1. yes 2. no"])
    def test_on_one_line_are_none_either(self, reply: str) -> None:
        assert parse_verdicts(reply, PUMP[:1]).found == [None]
        assert len(set(parse_verdicts(reply, PUMP).found)) == len(PUMP)
