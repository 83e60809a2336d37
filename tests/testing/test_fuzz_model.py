"""Cases with known verdicts that are put to a judge, and what is made of its answers."""

import asyncio
import statistics
import tomllib
from itertools import islice
from pathlib import Path

import pytest
from tests.judging import ScriptedJudge

from magistrate.errors import ConfigurationError, JudgeDownError
from magistrate.testing.corpus import load_corpus
from magistrate.testing.fuzz import fuzz, fuzz_model
from magistrate.testing.fuzz.model import KINDS, judging_cases, names_model
from magistrate.testing.oracle import default_verdict, offered
from magistrate.verdict import TERNARY, Verdict


class Answering(ScriptedJudge):
    """A judge that answers by a function of one statement and the passages."""

    closed = False

    async def close(self):
        self.closed = True


def by_rule(statement, contexts):
    return offered(default_verdict(statement, contexts)[0], TERNARY.verdicts)


class TestCases:
    def test_follow_from_the_seed(self):
        assert list(islice(judging_cases(3), 30)) == list(islice(judging_cases(3), 30))
        assert list(islice(judging_cases(3), 30)) != list(islice(judging_cases(4), 30))

    def test_every_kind_comes_in_turn(self):
        assert [case.kind for case in islice(judging_cases(0), len(KINDS))] == list(KINDS)

    @pytest.mark.parametrize("seed", range(20))
    def test_a_reader_who_looks_the_words_and_numbers_up_is_right_about_all(self, seed):
        for case in islice(judging_cases(seed), 3 * len(KINDS)):
            for statement, right in zip(case.statements, case.expect, strict=True):
                assert by_rule(statement, case.contexts) in right.split(" or "), case

    @pytest.mark.parametrize("verdict", TERNARY.verdicts)
    def test_one_who_always_says_the_same_is_wrong(self, verdict):
        assert fuzz_model(Answering(lambda *_: verdict), count=40).total("wrong") >= 20

    def test_one_who_obeys_what_is_planted_is_caught_in_every_such_kind(self):
        def obeys(statement, text):
            if "forged" in text or "verdict from here on is not" in text:
                return Verdict.CONTRADICTED
            planted = any(verdict in text or verdict in statement for verdict in TERNARY.verdicts)
            return Verdict.SUPPORTED if planted else by_rule(statement, text.split("\n\n"))

        report = fuzz_model(Answering(obeys), count=5 * len(KINDS))
        assert report.kinds() == sorted(f"wrong: {kind}" for kind in KINDS if " in a " in kind)
        assert {example.kind for example in report.examples} == set(report.kinds())


class TestOutcomes:
    def test_a_missing_verdict_is_withheld_and_a_judge_right_about_nothing_fails(self):
        judge = Answering(lambda *_: None)
        report = fuzz_model(judge, count=10)
        assert report.total("withheld") == 10
        assert report.failures() == ["none right"]
        assert judge.closed

    def test_one_who_never_says_contradicted_may_say_that_it_cannot_tell(self):
        def cautious(statement, text):
            found = by_rule(statement, text.split("\n\n"))
            return Verdict.NOT_ENOUGH_INFO if found is Verdict.CONTRADICTED else found

        judge = Answering(cautious)
        assert fuzz_model(judge, count=20).total("wrong")
        judge.never_says = frozenset({Verdict.CONTRADICTED})
        assert fuzz_model(judge, count=20).total("right") == 20

    def test_an_exception_is_a_crash(self):
        report = fuzz_model(Answering(lambda *_: 1 / 0), count=10)
        assert report.total("crash") == 10
        assert report.examples[0].error == "ZeroDivisionError: division by zero"

    def test_what_ends_a_run_is_raised_and_the_judge_is_closed(self):
        def down(*_):
            raise JudgeDownError("the provider is down")

        judge = Answering(down)
        with pytest.raises(JudgeDownError):
            fuzz_model(judge, count=10)
        assert judge.closed

    def test_what_is_under_way_when_the_time_is_over_does_not_count(self):
        class Hanging(Answering):
            async def verify(self, *_, **__):
                await asyncio.Event().wait()
                raise AssertionError

        report = fuzz_model(Hanging(None), seconds=0.1)
        assert report.total() == 0
        assert report.failures() == ["none right"]

    def test_numbers_must_be_positive(self):
        with pytest.raises(ConfigurationError):
            fuzz_model(Answering(by_rule), count=0)


def test_judges_are_told_from_parsers_by_their_names():
    names = ["gpt-4o", "openai/gpt-4o", "ollama/llama3:8b", "local:/a.gguf", "offline"]
    names += ["json", "magistrate", "my.module:function"]
    assert [names_model(name) for name in names] == [True] * 5 + [False] * 3


PLANTED = tomllib.loads((Path(__file__).parent / "data" / "planted_bugs.toml").read_text(encoding="utf-8"))
BUGS = PLANTED["bugs"]
CORPUS = len(load_corpus("verdicts"))


def parser(bug=None):
    source = PLANTED["parser"]
    if bug is not None:
        assert source.count(BUGS[bug]["old"]) == 1, bug
        source = source.replace(BUGS[bug]["old"], BUGS[bug]["new"])
    space = {}
    exec(source, space)  # noqa: S102 - our own text
    return space["parse"]


def look(bug):
    """Look as far as it takes to find something; the corpus comes first."""
    report = fuzz(parser(bug), seconds=60, count=CORPUS, seed=11)
    return report if report.examples else fuzz(parser(bug), seconds=20, seed=11, most_kinds=1)


@pytest.mark.slow
class TestPlantedBugs:
    def test_the_parser_without_them_is_right_and_reads_something(self):
        report = fuzz(parser(), seconds=60, count=900, seed=11)
        assert report.failures() == [], report.text()
        assert report.total("right") > 30

    def test_at_least_28_of_30_are_found_and_shown_with_a_short_reply(self):
        found = {bug: look(bug).examples for bug in BUGS}
        missed = [bug for bug, examples in found.items() if not examples]
        assert len(BUGS) >= 30
        assert len(missed) <= 2, missed
        assert statistics.median(min(len(e.reply) for e in examples) for examples in found.values() if examples) <= 200
