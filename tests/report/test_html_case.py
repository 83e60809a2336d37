"""A case as the HTML report holds it."""

import json

from hypothesis import given
from hypothesis import strategies as st
from tests.making import make_result

from magistrate.evaluation.runs.results import CaseResult
from magistrate.judges.llm.reading import read_verdicts
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.report.html.page import case_data, units
from magistrate.verdict import TERNARY

STATEMENTS = ("The mill has two wheels.", "It grinds rye.")
PASSAGE = "\U0001f33e The mill has two wheels. It grinds wheat."


def reply(*verdicts, first=0):
    rows = [
        {"id": f"s{first + i + 1}", "verdict": verdict, "quotes": ["The mill has two wheels"]}
        for i, verdict in enumerate(verdicts)
    ]
    return "\U0001f600 " + json.dumps({"verdicts": rows})


def call(text, *statements, key="", shared=False):
    return CallRecord(
        "verify",
        PromptRef("verify", "1", "0"),
        "model",
        Completion(text),
        statements=statements,
        scale="ternary",
        key=key,
        shared=shared,
    )


ANSWER = " ".join(STATEMENTS)


def judged(*calls, verdicts=None, formula="", answer=ANSWER):
    verdicts = verdicts or read_verdicts(calls, STATEMENTS, [PASSAGE], scale=TERNARY).verdicts
    metric = {"formula": formula, "statements": STATEMENTS, "calls": calls}
    return make_result(0, None, verdicts=verdicts, metric=metric, answer=answer, contexts=(PASSAGE,))


def cut(text, place):
    """What a browser cuts out of a text."""
    return text.encode("utf-16-le")[2 * place[0] : 2 * place[1]].decode("utf-16-le")


class TestUnits:
    @given(text=st.text(), data=st.data())
    def test_a_place_is_counted_as_utf_16_counts(self, text, data):
        at = data.draw(st.integers(0, len(text)))
        assert units(text, at) == len(text[:at].encode("utf-16-le")) // 2


class TestCaseData:
    def test_evidence_is_where_a_browser_finds_it(self):
        found = case_data(judged(call(reply("supported", "contradicted"), 0, 1)), raw=True)
        quote = found["metrics"]["faithfulness"]["verdicts"][0]["evidence"][0]
        assert quote["context"] == 0
        assert cut(PASSAGE, (quote["start"], quote["end"])) == "The mill has two wheels"

    def test_the_row_that_was_read_is_marked_in_the_reply_of_its_call(self):
        text = reply("supported", "contradicted")
        found = case_data(judged(call(text, 0, 1)), raw=True)
        verdict = found["metrics"]["faithfulness"]["verdicts"][1]
        assert found["calls"][verdict["call"]]["text"] == text
        assert '"s2"' in cut(text, verdict["span"])
        assert '"s1"' not in cut(text, verdict["span"])

    def test_of_several_calls_the_one_is_marked_that_gave_the_verdict(self):
        calls = (call("I cannot say." + " " * 300, 0, 1), call(reply("supported", "contradicted"), 0, 1))
        found = case_data(judged(*calls), raw=True)
        assert [verdict["call"] for verdict in found["metrics"]["faithfulness"]["verdicts"]] == [1, 1]

    def test_a_call_about_other_statements_is_not_marked(self):
        verdicts = judged(call(reply("supported", "contradicted"), 0, 1)).verdicts
        found = case_data(judged(call("x" * 500, 0, 1), verdicts=verdicts, formula="own"), raw=True)
        assert [verdict["span"] for verdict in found["metrics"]["faithfulness"]["verdicts"]] == [None, None]

    def test_statements_are_found_in_the_answer(self):
        answer = f"\U0001f600 {STATEMENTS[1]} And more."
        found = case_data(judged(call(reply("supported", "contradicted"), 0, 1), answer=answer), raw=True)
        first, second = (verdict["at"] for verdict in found["metrics"]["faithfulness"]["verdicts"])
        assert first is None
        assert cut(answer, second) == STATEMENTS[1]

    def test_without_raw_no_reply_is_in_it_and_none_is_marked(self):
        found = case_data(judged(call(reply("supported", "contradicted"), 0, 1)), raw=False)
        assert found["calls"][0]["text"] is None
        assert found["metrics"]["faithfulness"]["verdicts"][0]["span"] is None

    def test_a_call_that_two_metrics_share_is_in_it_once(self):
        whole = judged(call(reply("supported", "contradicted"), 0, 1, key="k"))
        first = whole.metrics["faithfulness"]
        other = judged(call(reply("supported", "contradicted"), 0, 1, key="k", shared=True)).metrics["faithfulness"]
        result = CaseResult(index=0, case=whole.case, metrics={"faithfulness": first, "other": other})
        found = case_data(result, raw=True)
        assert len(found["calls"]) == 1
        assert found["metrics"]["other"]["calls"] == [0]
