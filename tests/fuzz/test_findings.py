"""Findings: kept by kind, shrunk, counted."""

import pytest

from fuzz.ablate import parts, worth
from fuzz.findings import Recorder, kind_of, shrink
from fuzz.oracles import check
from fuzz.progress import read_progress
from fuzz.stored import Stored
from magistrate.verdict import resolve_scale

LOG = """INFO: seed corpus: files: 9 min: 4b max: 90b total: 400b rss: 60Mb
#10	INITED cov: 100 ft: 120 corp: 9/400b exec/s: 0 rss: 60Mb
#500	NEW    cov: 140 ft: 190 corp: 12/460b lim: 90 exec/s: 250 rss: 61Mb L: 40/90 MS: 1 ChangeByte-
#700	REDUCE cov: 140 ft: 190 corp: 12/440b lim: 90 exec/s: 233 rss: 61Mb L: 20/90 MS: 1 EraseBytes-
#950	NEW    cov: 147 ft: 200 corp: 13/470b lim: 90 exec/s: 237 rss: 61Mb L: 30/90 MS: 1 CopyPart-
Done 1000 runs in 4 second(s)
"""


def fussy(data):
    check("no x before y", not (b"x" in data and b"y" in data[data.index(b"x") :]), data)
    if b"!" in data:
        resolve_scale("quinary")


def test_kind_a_broken_rule_is_its_name_and_a_crash_its_place_in_the_package():
    with pytest.raises(AssertionError) as caught:
        fussy(b"xy")
    assert kind_of(caught.value) == "no x before y"
    with pytest.raises(ValueError, match="quinary") as crashed:
        fussy(b"!")
    assert kind_of(crashed.value).startswith("ConfigurationError at verdict.py:")


class TestShrink:
    def test_what_is_not_needed_goes_and_the_header_stays(self):
        found = shrink(b"abc12x345y6", lambda data: b"x" in data and b"y" in data, keep=3)
        assert found == b"abcxy"

    def test_time_is_bounded(self):
        assert shrink(b"abcdef", bool, seconds=0.0) == b"abcdef"


class TestRecorder:
    def test_a_run_goes_on_after_a_finding_and_keeps_a_few_of_each_kind(self, tmp_path):
        record = Recorder(fussy, tmp_path)
        for number in range(20):
            record(b"%dx..y" % number)
        record(b"wow!")
        record(b"fine")
        kinds = [path.read_text().partition("\n")[0] for path in tmp_path.glob("*.txt")]
        assert sorted({kind.split(":")[0] for kind in kinds}) == ["ConfigurationError at verdict.py", "no x before y"]
        assert record.seen["no x before y"] == 20
        assert {path.read_bytes() for path in tmp_path.glob("*.bin")} == {b"xy", b"!"}

    def test_choices_are_kept_as_they_are(self, tmp_path):
        Recorder(fussy, tmp_path, shrinks=False)(b"..x..y..")
        assert [path.read_bytes() for path in tmp_path.glob("*.bin")] == [b"..x..y.."]


@pytest.mark.parametrize(
    ("log", "found"), [(LOG, (1000, 4, 147, 7)), (LOG + LOG, (1950, 8, 147, 0)), ("", (0, 0, 0, 0))]
)
def test_progress_is_executions_edges_and_what_was_new_in_the_last_third(tmp_path, log, found):
    (tmp_path / "log").write_text(log)  # runs that were started again add up
    read = read_progress(tmp_path / "log")
    assert (read.executions, read.seconds, read.edges, read.late) == found
    assert read.rate == found[0] / max(found[1], 1)


TWO = {"statements": ["The mill grinds rye.", "It was built in 1804."]}
LIST = Stored("list", "parse_verdicts", "1. yes\n2. no", TWO, ["supported", "unsupported"])
TABLE = Stored(
    "table", "parse_verdicts", "| # | Verdict |\n|---|---|\n| 1 | yes |\n| 2 | no |", TWO, ["supported", "unsupported"]
)


def test_every_layout_rule_and_group_of_words_has_a_name():
    named = parts()
    assert {"layout:table", "layout:items", "rule:lead-in", "words:yes", "words:negation"} <= set(named)
    assert len(named) == len(set(named))


def test_a_reply_needs_the_layout_it_stands_in_which_is_on_again_afterwards():
    found = worth("layout:table", [LIST, TABLE])
    assert (found.lost, found.wrong) == (("table",), ())
    assert found.is_needed
    assert TABLE.allows(TABLE.read()[0])


def test_a_part_that_no_reply_needs_is_named_so():
    found = worth("layout:table", [LIST])
    assert not found.is_needed
    assert "no reply needs it" in str(found)
