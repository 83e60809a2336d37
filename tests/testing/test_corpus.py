"""The corpus is a test for others, so it is checked itself: form, closed lists, lengths, distinct texts."""

import json
from collections import Counter
from importlib.resources import files

import pytest
from tests.case_tables import each_of

from magistrate.testing.corpus import KINDS, TASKS, load_corpus
from magistrate.verdict import IssueCode, ParseStatus, resolve_scale

LANGUAGES = {"en", "zh", "ja", "ko", "es", "de", "fr", "it", "pt", "ru", "ar", "hi"}
FINISH_REASONS = {"stop", "length", "content_filter", "refusal", None}
COMMON = {"id", "task", "kind", "language", "why", "finish_reason", "raw", "expect"}
OWN = {
    "verdicts": {"scale", "statements"},
    "score": {"range"},
    "statements": set(),
    "label": {"choices"},
    "object": {"schema"},
}
ANSWER = {"verdicts": "verdicts", "score": "value", "statements": "statements", "label": "label", "object": "value"}

CASES = load_corpus()


def rows(task):
    text = files("magistrate.testing.corpus").joinpath("data", f"{task}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


class TestSize:
    def test_every_task_language_scale_kind_and_finish_reason_has_a_share(self):
        tasks, languages = (Counter(getattr(case, name) for case in CASES) for name in ("task", "language"))
        assert (set(tasks), set(languages)) == (set(TASKS), LANGUAGES)
        assert min(tasks.values()) >= 40
        assert min(languages.values()) >= 5
        assert {case.scale for case in load_corpus("verdicts")} == {"binary", "ternary", "graded"}
        assert {case.finish_reason for case in CASES} == FINISH_REASONS
        assert {case.kind for case in CASES} == set(KINDS)

    def test_the_kinds_are_described_in_one_short_line(self):
        assert all(text and "\n" not in text and len(text) <= 90 for text in KINDS.values())
        assert len(set(KINDS.values())) == len(KINDS)


class TestForm:
    @pytest.mark.parametrize("task", TASKS)
    def test_rows_have_the_fields_of_their_task_and_no_others(self, task):
        for row in rows(task):
            assert set(row) == COMMON | OWN[task], row["id"]
            assert set(row["expect"]) - {"accept", "issues"} == {"status", ANSWER[task]}, row["id"]

    def test_ids_are_unique_slugs_and_no_two_replies_are_the_same(self):
        names = [case.id for case in CASES]
        assert len(set(names)) == len(names) == len({case.raw for case in CASES})
        assert all(name == name.lower() and name.replace("-", "").isalnum() for name in names)

    @each_of(CASES)
    def test_the_case_speaks_the_vocabulary(self, case):
        assert case.kind in KINDS
        assert case.language in LANGUAGES
        assert case.finish_reason in FINISH_REASONS
        assert case.expect.statuses <= {status.value for status in ParseStatus}
        assert case.expect.status not in case.expect.accept
        assert set(case.expect.issues) <= {code.value for code in IssueCode}
        assert case.why.endswith(".")
        assert len(case.why.split()) >= 4


class TestReadings:
    @each_of(load_corpus("verdicts"))
    def test_verdicts_fit_the_statements_the_scale_and_the_status(self, case):
        verdicts = case.expect.verdicts
        assert len(verdicts) == len(case.statements)
        assert {v for v in verdicts if v} <= {v.value for v in resolve_scale(case.scale).verdicts}
        assert len(set(case.statements)) == len(case.statements)
        if case.expect.status == "ok":
            assert None not in verdicts
        elif case.expect.status == "partial":
            assert None in verdicts
            assert any(verdicts)
        else:
            assert not any(verdicts)

    @each_of(load_corpus("score"))
    def test_a_score_is_on_its_range_or_none(self, case):
        assert case.low < case.high
        assert (case.expect.status == "ok") == (case.expect.value is not None)
        if case.expect.value is not None:
            assert case.low <= case.expect.value <= case.high

    @each_of(load_corpus("statements"))
    def test_claims_are_not_blank(self, case):
        assert all(claim.strip() for claim in case.expect.statements)
        assert case.expect.statements or case.expect.status != "ok"

    @each_of(load_corpus("label"))
    def test_a_label_is_one_of_the_choices_or_none(self, case):
        assert len(set(case.choices)) == len(case.choices) >= 2
        assert (case.expect.status == "ok") == (case.expect.label is not None)
        assert case.expect.label in (*case.choices, None)

    @each_of(load_corpus("object"))
    def test_an_object_has_the_properties_of_its_schema_or_is_none(self, case):
        assert case.schema["type"] == "object"
        assert (case.expect.status == "ok") == (case.expect.value is not None)
        if case.expect.value is not None:
            assert set(case.schema["required"]) <= set(case.expect.value) <= set(case.schema["properties"])


class TestLoadCorpus:
    def test_filters_by_task_and_kind(self):
        cases = load_corpus("score", "percent")
        assert cases
        assert {(case.task, case.kind) for case in cases} == {("score", "percent")}

    def test_a_kind_without_cases_under_the_task_gives_none(self):
        assert load_corpus("label", "final-line") == ()

    @pytest.mark.parametrize(
        ("given", "said"), [({"task": "verdict"}, "task 'verdict'"), ({"kind": "fences"}, "kind 'fences'")]
    )
    def test_names_what_is_unknown(self, given, said):
        with pytest.raises(ValueError, match=f"unknown {said}"):
            load_corpus(**given)

    def test_the_order_is_stable_and_the_cases_are_shared(self):
        assert load_corpus() == CASES
        assert load_corpus("score")[0] is load_corpus("score")[0]
