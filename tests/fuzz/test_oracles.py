"""What the fuzzer holds a reading against."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from fuzz.findings import KEPT
from fuzz.inputs import FINISH_REASONS, HEADER, RANGES, SCALES, STATEMENTS, Request, decode, encode
from fuzz.oracles import ORACLES, BrokenRuleError, check, check_verdicts
from fuzz.seeds import seeds, write_seeds
from fuzz.structured import Example, replay, run
from magistrate.parsing import VerdictReading, parse_verdicts
from magistrate.verdict import Issue, IssueCode, ParseStatus, StatementVerdict, Verdict

cases = cases_of(__file__)


class TestInputs:
    @given(
        text=st.text(),
        scale=st.sampled_from(SCALES),
        asked=st.integers(0, len(STATEMENTS)),
        end=st.sampled_from(FINISH_REASONS),
        span=st.integers(0, len(RANGES) - 1),
    )
    def test_a_seed_decodes_to_what_it_was_made_of(self, text, scale, asked, end, span):
        request = decode(encode(text, scale=scale, asked=asked, finish_reason=end, span=span))
        assert (request.text, request.scale, request.finish_reason) == (text, scale, end)
        assert request.statements == (STATEMENTS[asked] if asked < len(STATEMENTS) else None)
        assert request.range == RANGES[span]

    @given(data=st.binary(max_size=200))
    def test_any_bytes_are_a_request(self, data):
        assert isinstance(decode(data), Request)
        assert decode(data).text.encode("utf-8", "surrogateescape") == data[HEADER:]


@pytest.mark.slow
class TestSeeds:
    @pytest.mark.parametrize("target", list(ORACLES))
    def test_every_rule_holds_of_every_reply_of_the_corpus(self, target):
        count = 0
        for data in seeds(target):
            ORACLES[target](data)
            count += 1
        assert count > 50

    def test_they_are_written_a_file_each(self, tmp_path):
        count = write_seeds("labels", tmp_path)
        assert len(list(tmp_path.iterdir())) == count == len(set(seeds("labels")))


class TestRules:
    """Each rule fails where a reading breaks it."""

    REQUEST = Request("1. yes", statements=("The kiln was fired twice.",))

    def broken(self, *verdicts, status=ParseStatus.OK):
        found = [verdict.verdict for verdict in verdicts]
        reading = VerdictReading(status, found, lambda: [dict(one) for one in verdicts], self.REQUEST.statements)
        with pytest.raises(BrokenRuleError) as caught:
            check_verdicts(self.REQUEST, reading)
        return caught.value.args[0]

    def made(self, **changes):
        fields = {"index": 0, "id": "s1", "statement": self.REQUEST.statements[0], "verdict": Verdict.SUPPORTED}
        return StatementVerdict.model_construct(**{**fields, "span": (0, 6), **changes})

    def test_a_sound_reading_breaks_none(self):
        check_verdicts(self.REQUEST, parse_verdicts(self.REQUEST.text, self.REQUEST.statements))

    @cases("oracles: an entry that breaks one")
    def test_an_entry_that_breaks_one(self, changes, rule):
        if rule.startswith("1 "):
            with pytest.raises(ValueError, match=rule):
                self.broken(self.made(**changes))
        else:
            assert self.broken(self.made(**changes)) == rule

    def test_entries_and_a_status_that_do_not_fit(self):
        none = self.made(verdict=None, issues=(Issue(IssueCode.MISSING_VERDICT),))
        assert self.broken(self.made(), self.made()) == "one entry for each statement"
        assert self.broken(self.made(index=1)) == "entries in order"
        assert self.broken(self.made(statement="Another.")) == "the statement as asked"
        assert self.broken(self.made(), status=ParseStatus.PARTIAL) == "ok where all is known"
        assert self.broken(none, status=ParseStatus.PARTIAL) == "partial where some is"

    def test_check_raises_with_the_rule_and_what_it_is_about(self):
        check("holds", holds=True)
        with pytest.raises(BrokenRuleError, match="broken"):
            check("broken", None, 3)


def test_kept_inputs_and_examples_that_once_broke_a_rule_break_none():
    for path in sorted(KEPT.glob("*/*.bin")):
        ORACLES[path.parent.name](path.read_bytes())
    assert replay(KEPT / "structured.jsonl") == []


ASKED = ("The gate is open.", "The gate is green.")


def example(text, *allowed, **fields):
    return Example("the rule", text, ASKED, "binary", allowed, **fields)


class TestExample:
    def test_a_right_reading_and_one_that_is_missing_are_fine(self):
        example("1. yes\n2. no", "supported", "unsupported", needed=True, pieces=True).run()
        example("1. yes", "supported", "unsupported").run()
        example("1. yes\n2. no", "*", "unsupported").run()

    @pytest.mark.parametrize(
        ("found", "rule"),
        [
            (example("1. yes\n2. yes", "supported", "unsupported"), "the rule"),
            (example("1. yes", "supported", "unsupported", needed=True), "the rule: none"),
            (example("1. yes\n2. yes\n2. no", "supported", "unsupported", pieces=True), "the rule: in pieces"),
        ],
    )
    def test_a_wrong_one_breaks_the_rule(self, found, rule):
        with pytest.raises(BrokenRuleError) as caught:
            found.run()
        assert caught.value.args[0] == rule
        assert Example.of_json(caught.value.args[-1]) == found

    def test_kept_examples_are_run_and_those_that_fail_told(self, tmp_path):
        path = tmp_path / "kept.jsonl"
        good, bad = example("1. yes", "supported", "*"), example("1. yes", "unsupported", "*")
        path.write_text(f"{good.as_json()}\n{bad.as_json()}\n")
        assert len(replay(path)) == 1


@pytest.mark.slow
def test_any_bytes_are_an_example_or_none_and_most_seeds_are_one():
    chance = random.Random(3)  # noqa: S311 - the same choices in every run
    assert sum(run(chance.randbytes(300)) is not None for _ in range(40)) > 20
    assert sum(run(data) is not None for data in list(seeds("structured"))[:60]) > 40
