"""Fuzzing a target: how it is called, how its answers are taken, what is counted."""

import json
import signal
import sys
import time
import xml.etree.ElementTree as ET
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from types import SimpleNamespace

import pytest
from tests.case_tables import cases_of

from magistrate.errors import ConfigurationError, MissingExtraError
from magistrate.parsing import parse_label, parse_score, parse_verdicts
from magistrate.testing import fuzz_judge
from magistrate.testing.corpus import load_corpus
from magistrate.testing.fuzz import FuzzReport, Target, fuzz, load_target
from magistrate.testing.fuzz._report import Example
from magistrate.testing.fuzz._target import ADAPTERS, Question, Unreadable, load_adapter
from magistrate.testing.fuzz.model import names_model

cases = cases_of(__file__)

COUNT = 120


class Grade(Enum):
    PASSED = "PASS"


def question(statements=2, scale="binary"):
    asked = tuple(f"Item {n} is red." for n in range(statements))
    return Question("verdicts", "plain", "the reply", ("supported",) * statements, asked, scale)


def read(answer, **options):
    return Target("t", lambda _reply, _statements: answer, **options).read(question())


def deep(value):
    """A value whose maps are objects."""
    if isinstance(value, dict):
        return SimpleNamespace(**{key: deep(item) for key, item in value.items()})
    return [*map(deep, value)] if isinstance(value, list) else value


class TestAnswers:
    @cases("fuzz: answers in many forms")
    def test_are_taken_in_many_forms_and_may_lie_deeper(self, answer, options, words):
        assert read(answer, **options) == tuple(words)
        assert read(deep(answer), **options) == tuple(words)

    def test_of_our_own_are_taken_as_they_are(self):
        target = Target("ours", parse_verdicts)
        asked = Question("verdicts", "k", '["yes", "no"]', ("supported", "unsupported"), ("A is red.", "B is red."))
        assert target.read(asked) == ("supported", "unsupported")

    @pytest.mark.parametrize("scale", ["binary", "ternary"])
    def test_that_say_no_more_or_less_finely_are_right(self, scale):
        asked = replace(question(1, scale), expect=("unsupported" if scale == "binary" else "contradicted",))
        words = ("contradicted", "unsupported", "supported")
        assert [asked.outcome((word,)) for word in words] == ["right", "right", "wrong"]

    def test_deep_where_there_is_no_list_are_unreadable(self):
        with pytest.raises(Unreadable, match="dict where"):
            read({"items": {"a": 1}}, path="items[*].verdict")

    @cases("fuzz: with an unknown word are withheld and named and those that say nothing are crashes")
    def test_with_an_unknown_word_are_withheld_and_named_and_those_that_say_nothing_are_crashes(self, answer, outcome):
        report = fuzz(lambda _reply, _statements: answer, count=3, seconds=20)
        assert (report.total(outcome), report.total()) == (3, 3)
        if outcome == "withheld":
            assert "unknown word" in report.text()
            assert report.row()["unknown_words"] == [str(answer[0])]
        else:
            assert "the target returned" in (report.examples[0].error or "")

    @pytest.mark.parametrize(
        ("answer", "outcome"),
        [("pass", "right"), (Grade.PASSED, "right"), ("fail", "wrong"), (str.upper, "crash"), (["pass"], "crash")],
    )
    def test_that_are_labels_may_be_spelt_in_another_case_and_must_be_words(self, answer, outcome):
        def judge(reply):
            return answer if reply == "PASS" else None

        report = fuzz(judge, task="label", seconds=20)
        found = {name: report.total(name) for name in ("right", "wrong", "crash")}
        nothing = fuzz(lambda _: None, task="label", seconds=20).total("right")
        assert found == {"right": nothing, "wrong": 0, "crash": 0} | {outcome: found[outcome]}
        assert found[outcome] == (nothing + 1 if outcome == "right" else 1)


class TestCalls:
    def test_pass_what_the_function_names(self):
        seen = {}

        def judge(reply, statements, *, scale, contexts):
            seen.update(reply=reply, statements=statements, scale=scale, contexts=contexts)

        Target("t", judge).read(question(scale="ternary"))
        items = ["Item 0 is red.", "Item 1 is red."]
        assert seen == {"reply": "the reply", "statements": items, "scale": "ternary", "contexts": []}

    def test_may_be_async(self):
        async def judge(_reply, _statements):
            return [True, False]

        assert Target("t", judge).read(question()) == ("supported", "unsupported")

    def test_an_exception_is_a_crash_unless_it_means_that_nothing_was_read(self):
        def judge(_reply, _statements):
            raise KeyError("verdict")

        assert fuzz(judge, count=5, seconds=20).total("crash") == 5
        assert fuzz(judge, count=5, seconds=20, raises=["LookupError"]).total("crash") == 0

    @pytest.mark.parametrize("code", [0, 1, "cannot be read"])
    def test_an_exit_is_a_crash_and_ends_nothing(self, code):
        report = fuzz(lambda _reply, _statements: sys.exit(code), count=5, seconds=20)
        assert report.total("crash") == report.total() == 5
        assert report.failures()


class TestFinding:
    def test_a_function_by_name_from_here(self, tmp_path, monkeypatch):
        (tmp_path / "my_own_judge.py").write_text("def read(reply, statements):\n    return None\n")
        monkeypatch.chdir(tmp_path)
        assert load_target("my_own_judge:read").read(question()) == (None, None)

    @cases("fuzz: says what there is not")
    def test_says_what_there_is_not(self, name, message):
        assert name == "nothing" or not names_model(name)
        with pytest.raises(ConfigurationError, match=message):
            load_target(name)

    @pytest.mark.parametrize("task", ["verdicts", "score", "label"])
    def test_a_function_that_cannot_be_called_is_refused_and_not_told_as_crashes(self, task):
        def judge(_reply, *, model):
            return model

        with pytest.raises(ConfigurationError, match=r"cannot be called with \(reply.*: wrap it.*--task"):
            fuzz(judge, task=task, seconds=1)

    def test_a_label_must_mean_a_verdict(self):
        with pytest.raises(ConfigurationError, match="use supported"):
            load_target("json:loads", labels={"yes": "good"})


@pytest.mark.parametrize("name", ADAPTERS)
def test_adapters_read_a_plain_reply_or_say_what_to_install(name):
    try:
        call, raises = load_adapter(name)
    except MissingExtraError as error:
        assert "pip install" in str(error)  # noqa: PT017 - which of them are installed differs
        return
    text = '{"verdicts": [{"verdict": "yes"}, {"verdict": "no"}]}'
    if name == "promptfoo":
        text = "Final verdict for each statement in order: Yes. No."
    asked = Question("verdicts", "k", text, ("supported", "unsupported"), ("A is red.", "B is red."))
    assert Target(name, call, raises=frozenset(raises)).read(asked) == ("supported", "unsupported")


class TestSlow:
    @pytest.mark.parametrize("clock", [time.thread_time, time.monotonic], ids=["computes", "waits"])
    def test_is_what_computes_or_each_time_waits_too_long(self, clock):
        def slow(reply, statements):
            del reply, statements
            started = clock()
            while clock() - started < 0.06:
                time.sleep(0.0 if clock is time.thread_time else 0.06)
            return []

        assert fuzz(slow, seconds=30, count=2, slow=0.05).total("slow") == 2

    @pytest.mark.skipif(
        not hasattr(signal, "setitimer"),
        reason="Windows has no such timer: loops go on there",
    )
    def test_an_endless_loop_is_ended_and_the_reply_shown(self):
        before = signal.getsignal(signal.SIGVTALRM)

        def loops(_reply, statements):
            while statements:
                with suppress(Exception):
                    time.thread_time()

        report = fuzz(loops, seconds=60, count=2, slow=0.02)
        assert report.total("slow") == report.total() == 2
        assert "no answer" in report.text()
        assert signal.getsignal(signal.SIGVTALRM) is before

    @pytest.mark.slow
    def test_is_not_what_other_programs_held_up_once(self):
        seen = set()

        def stalls(reply, statements):
            del statements
            if reply not in seen:
                time.sleep(0.6)
            seen.add(reply)
            return []

        report = fuzz(stalls, seconds=30, count=2, slow=0.5)
        assert (report.total("slow"), report.total()) == (0, 2)


@pytest.mark.slow
class TestOurParser:
    def test_is_never_silently_wrong(self):
        report = fuzz("magistrate", seconds=120, count=1200, seed=3)
        assert report.failures() == [], report.text()
        assert report.total("right") > report.total("withheld")

    def test_of_scores_and_labels_neither(self):
        for task, reader in (("score", parse_score), ("label", parse_label)):
            assert fuzz(_single(reader, task), task=task, seconds=60).failures() == []


def _single(reader, task):
    if task == "score":
        return lambda reply, low, high, finish_reason: reader(reply, low, high, finish_reason=finish_reason)
    return lambda reply, choices, finish_reason: reader(reply, choices, finish_reason=finish_reason)


def all_supported(_reply, statements):
    return ["yes"] * len(statements)


@pytest.fixture(scope="module")
def report():
    return fuzz(all_supported, count=COUNT, seconds=60)


class TestReports:
    def test_count_by_kind_and_know_what_is_known(self, report):
        assert report.total() == COUNT
        assert report.failures()
        assert report.failures(accepted=report.kinds()) == []
        assert report.failures(max_wrong=COUNT) == []

    def test_all_of_a_count_is_read_whatever_was_found_before(self):
        count = len(load_corpus("verdicts")) + 20  # so that some are generated
        assert fuzz(all_supported, count=count, seconds=600, most_kinds=1).total() == count

    def test_show_what_is_new_and_which_known_kinds_are_gone(self):
        report = FuzzReport("t", 0)
        for kind in ("json", "corpus: fence"):
            report.note(kind, "wrong")
            report.keep(Example(f"wrong: {kind}", "wrong", kind, f"reply of {kind}", ["A"], "binary", ["yes"], ["no"]))
        said = report.text(["wrong: json", "crash: corpus: garbage"])
        assert "reply of corpus: fence" in said
        assert "reply of json" not in said
        assert said.splitlines()[-2].endswith("1; gone: crash: corpus: garbage")
        assert "--write-accept drops it" in said
        assert "reply of json" in report.text()

    def test_a_known_kind_of_the_corpus_has_known_replies_and_another_that_fails_is_new(self):
        replies = [case.raw for case in load_corpus("label") if case.kind == "label-line"]

        def reads(*wrong):
            return fuzz(lambda reply: "nonsense" if reply in wrong else None, task="label", seconds=20)

        before, after = reads(replies[0]), reads(*replies[:2])
        assert before.kinds() == after.kinds() == ["wrong: corpus: label-line"]
        assert before.failures(accepted=before.known()) == []
        assert after.failures(accepted=before.known()) == ["1 silently wrong, 0 allowed"]
        assert after.failures(accepted=before.kinds()) == []  # a kind that is known as a whole
        said = after.text(before.known())
        assert after.examples[0].why
        assert [example.why in said for example in after.examples] == [
            one.reply == replies[1] for one in after.examples
        ]

    @cases("fuzz: say what a reply was to choose from")
    def test_say_what_a_reply_was_to_choose_from(self, task, asked):
        def judge(_reply, *statements):
            return ["unsupported"] * 99 if statements else 99

        rows = fuzz(judge, task=task, seconds=60, count=500, most_kinds=1).row()["examples"]
        assert any(asked in row.get("asked", "") for row in rows)

    def test_are_junit_and_json_too(self, report):
        suite = ET.fromstring(report.junit())  # noqa: S314 - our own text
        assert int(suite.attrib["failures"]) == len(suite.findall(".//failure")) > 0
        assert report.row()["totals"]["wrong"] == report.total("wrong")

    def test_hold_any_text_and_show_what_nobody_sees(self):
        report = FuzzReport("t", 0)
        report.note("odd <kind> \x00\ud800", "crash")
        ET.fromstring(report.junit())  # noqa: S314 - our own text
        example = Example("wrong: x", "wrong", "x", "\u200fyes\x1b", ["A"], "binary", ["yes"], ["no"])
        assert "    | \\u200fyes\\x1b" in example.lines()


class TestAsATest:
    def test_the_decorator_makes_a_test_without_arguments(self):
        @fuzz_judge(seconds=60, count=30)
        def test_of_ours(reply, statements, scale, finish_reason):
            """It reads."""
            return parse_verdicts(reply, statements, scale=scale, finish_reason=finish_reason)

        assert (test_of_ours.__name__, test_of_ours.__doc__) == ("test_of_ours", "It reads.")
        test_of_ours()

    def test_it_fails_with_the_smallest_examples(self):
        with pytest.raises(AssertionError, match=r"silently wrong, 0 allowed"):
            fuzz_judge(seconds=60, count=COUNT)(all_supported)()

    def test_a_file_says_what_is_known(self, report, tmp_path):
        file = tmp_path / "known.json"
        file.write_text(json.dumps({"kinds": report.known()}))
        fuzz_judge(seconds=60, count=COUNT, accepted=file)(all_supported)()
        for text in ("", "[]", "{}", '{"kinds": {}}'):
            file.write_text(text)
            with pytest.raises(ConfigurationError, match=r"known\.json is no file of"):
                fuzz_judge(count=1, accepted=str(file))(all_supported)()
