"""Labels of people for a run, and what they say of its figures."""

import pytest
from tests.case_tables import cases_of

from magistrate.case import Case
from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.api import evaluate
from magistrate.evaluation.believing.labels import (
    append_labels,
    judged,
    label_tasks,
    matching,
    read_labels,
    truth_labels,
)
from magistrate.evaluation.believing.report import trust
from magistrate.metrics import Faithfulness
from magistrate.testing.scripted import ScriptedJudge
from magistrate.trust import Label
from magistrate.verdict import Verdict

tables = cases_of(__file__)

GOOD = "The lighthouse is 31 metres tall."
WRONG = "Whales sing in the deep ocean at midnight."


def cases(n=40):
    """Every fourth answer is wrong; the truth stands in the metadata, and the judge sees it."""
    return [
        Case(
            id=f"c{i}",
            answer=f"{GOOD} {GOOD if i % 4 else WRONG}",
            contexts=(GOOD,),
            category="a" if i % 2 else "b",
            metadata={"truth": [True, bool(i % 4)], "seen": bool(i % 4)},
            statements=(GOOD, "The lighthouse is tall." if i % 4 else WRONG),
        )
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def run():
    return evaluate(cases(), judge="offline")


@pytest.fixture
def labels(run):
    return truth_labels(run, judged(run), "truth")


class TestJudged:
    def test_every_statement_has_a_row(self, run):
        found = judged(run)
        assert len(found.rows) == 80
        assert found.without == 0
        assert sum(bool(row.positive) for row in found.rows) == 70
        assert all(0.0 <= row.confidence <= 1.0 for row in found.rows)

    def test_the_fingerprint_is_the_judges_and_not_the_policys(self, run):
        other = evaluate(cases(4), metrics=[Faithfulness(policy="ragas", threshold=0.5)], judge="offline")
        scale = evaluate(cases(4), metrics=[Faithfulness(scale="binary")], judge="offline")
        assert judged(other).fingerprint == judged(run).fingerprint
        assert judged(scale).fingerprint != judged(run).fingerprint

    def test_two_cases_with_one_id_are_refused(self):
        double = evaluate([cases(1)[0], cases(1)[0]], judge="offline")
        with pytest.raises(ConfigurationError, match="c0"):
            judged(double)


class TestLabelFiles:
    def test_what_is_written_is_read(self, tmp_path):
        path = tmp_path / "labels.jsonl"
        written = [
            Label(case_id="1", statement_id="s1", label=True, statement="A.", by="anna", at="2026-01-01", stratum="x"),
            Label(case_id="2", label=None, by="anna"),
        ]
        append_labels(path, written[:1])
        append_labels(path, written[1:])
        assert read_labels(path) == written
        assert path.stat().st_mode & 0o077 == 0

    @pytest.mark.parametrize("between", [",", ";", "\t"])
    def test_a_table_of_three_columns_is_enough(self, tmp_path, between):
        path = tmp_path / "labels.csv"
        path.write_text("case_id,statement_id,label\n1,s1,yes\n1,s2,contradicted\n2,,?\n".replace(",", between))
        assert [(label.key, label.label) for label in read_labels(path)] == [
            (("1", "s1"), True),
            (("1", "s2"), False),
            (("2", None), None),
        ]

    @tables("believing: a line that is no label is named")
    def test_a_line_that_is_no_label_is_named(self, tmp_path, name, text, where):
        (tmp_path / name).write_text(text)
        with pytest.raises(DatasetError, match=where.replace(".", r"\.")):
            read_labels(tmp_path / name)

    def test_a_field_of_the_dataset_needs_a_value_for_each_statement(self, run):
        with pytest.raises(DatasetError, match=r"1 values for 2 statements.*\[true, false\]"):
            truth_labels(run, judged(run), "seen")
        with pytest.raises(DatasetError, match="truth"):
            truth_labels(run, judged(run), "gold")

    @pytest.mark.parametrize("cell", ["[True, False]", "[true, false]"])
    def test_a_list_in_a_cell_of_a_table_is_read(self, cell):
        run = evaluate([case.model_copy(update={"metadata": {"truth": cell}}) for case in cases(1)], judge="offline")
        assert [label.label for label in truth_labels(run, judged(run), "truth")] == [True, False]

    def test_labels_of_the_statements_of_a_row_are_of_no_others(self, labels):
        others = [case.model_copy(update={"statements": ("Another one.", GOOD)}) for case in cases()]
        fitting, foreign = matching(labels, judged(evaluate(others, judge="offline")))
        assert {label.key[1] for label in fitting} == {"s2"}
        assert (len(fitting), foreign) == (40, 40)

    @pytest.mark.parametrize("none", [None, float("nan"), ""])
    def test_a_case_without_a_value_in_the_field_has_no_labels(self, none):
        half = [
            case if n < 20 else case.model_copy(update={"metadata": {"truth": none}}) for n, case in enumerate(cases())
        ]
        partly = evaluate(half, judge="offline")
        given = truth_labels(partly, judged(partly), "truth")
        assert {label.case_id for label in given} == {f"c{n}" for n in range(20)}
        assert trust(partly, given).corrected is None
        assert trust(partly, given, assume_random=True).rate.labelled == 40

    def test_a_label_goes_with_its_text_and_not_with_its_number(self, run):
        found = judged(run)
        text = found.said["c0", "s2"].statement
        moved = Label(case_id="c0", statement_id="s1", label=True, statement=text)
        gone = Label(case_id="c0", statement_id="s1", label=True, statement="Something else.")
        fitting, foreign = matching([moved, gone], found)
        assert [label.key for label in fitting] == [("c0", "s2")]
        assert foreign == 1


class TestTrust:
    def test_a_judge_that_is_right_is_found_right(self, run, labels):
        found = trust(run, labels)
        assert found.rate.judge == pytest.approx(0.875)
        assert found.rate.corrected == pytest.approx(0.875)
        assert 0.875 in found.corrected
        assert found.agreement.kappa == pytest.approx(1.0)
        assert found.mean.corrected == pytest.approx(0.875)
        assert found.disagreements == ()
        assert repr(found).startswith("<faithfulness: corrected 0.88 [")

    def test_each_mean_is_corrected_in_its_own_direction_or_not_at_all(self):
        def corrected(name):
            run = evaluate(cases(), name, "offline")
            return trust(run, truth_labels(run, judged(run), "truth"))

        rate, other = corrected("hallucination_rate"), corrected(Faithfulness(policy="deepeval-4"))
        assert (rate.mean.judge, rate.mean.people, rate.mean.corrected) == pytest.approx((0.125, 0.125, 0.125))
        assert rate.rate.corrected == pytest.approx(0.875)
        assert not rate.of_support
        assert other.mean is None
        assert any("not corrected" in note for note in other.notes)

    def test_what_cannot_be_said_shows_why(self, run, labels):
        assert repr(trust(run, labels[:3])).startswith("<faithfulness: nothing can be said: ")

    def test_a_judge_that_is_wrong_is_corrected_and_the_statements_are_named(self, run, labels):
        from dataclasses import replace

        said = [replace(one, label=False) if int(one.case_id[1:]) % 4 == 1 else one for one in labels]
        found = trust(run, said)
        assert found.rate.corrected == pytest.approx(0.625)
        assert found.agreement.specificity == pytest.approx(1 / 3)
        assert len(found.disagreements) == 20
        assert {each.judge for each in found.disagreements} == {"supported"}

    def test_labels_that_name_no_statement_are_said_to_hang_on_the_run(self, run, labels):
        from dataclasses import replace

        named = [replace(one, statement=run.results[int(one.case_id[1:])].verdicts[0].statement) for one in labels[:1]]
        bare = [replace(one, statement=None) for one in labels[:1]]
        assert len(trust(run, bare).notes) == len(trust(run, named).notes) + 1

    def test_a_judge_that_always_says_the_same_adds_nothing(self, labels):
        same = evaluate([case for case in cases() if case.metadata["seen"]], judge="offline")
        said = [
            Label(case_id=one.case_id, statement_id=one.statement_id, label=n % 3 > 0) for n, one in enumerate(labels)
        ]
        assert any("adds nothing" in note for note in trust(same, said).notes)

    def test_each_part_has_its_figure(self, run, labels):
        found = trust(run, labels, group="category")
        assert found.groups["a"].corrected == pytest.approx(1.0)
        assert found.groups["b"].corrected == pytest.approx(0.75)
        with pytest.raises(ConfigurationError, match="nothing-such"):
            trust(run, labels, group="nothing-such")

    def test_what_more_labels_bring_is_planned(self, run, labels):
        some = [one for one in labels if int(one.case_id[1:]) < 20]
        found = trust(run, some, assume_random=True, target=0.9)
        assert found.wanted.labels == 0
        assert (found.next.labels, found.next.cases) == (40, 20)
        assert found.next == found.full
        low = trust(run, some, assume_random=True, target=0.01)
        assert low.wanted is None
        assert low.full.half_width < (low.corrected.high - low.corrected.low) / 2
        assert trust(run, labels).next.labels == 0


class TestTasks:
    def test_whole_cases_are_drawn_and_go_on_where_they_stopped(self, run):
        first = label_tasks(run, [], n=10, by="anna")
        assert len(first) == 10
        assert all(len(task.statements) == 2 and task.stratum for task in first)
        given = [first[0].label(0, True, "anna"), *(first[1].label(k, True, "anna") for k in (0, 1))]
        left = label_tasks(run, given, n=10, by="anna")
        assert [task.case_id for task in left] == [task.case_id for task in first if task is not first[1]]
        assert len(left[0].statements) == 1

    def test_a_seed_draws_the_same_cases_whichever_run_judged_them(self, run):
        again = evaluate(cases(), judge="offline")
        one, two, other = (
            [task.case_id for task in label_tasks(judged_run, [], n=10, seed=seed)]
            for judged_run, seed in ((run, 1), (again, 1), (run, 2))
        )
        assert one == two != other

    def test_a_drawn_label_can_be_believed(self, run):
        given = [
            task.label(k, "Whales" not in text, "anna")
            for task in label_tasks(run, [], n=20, by="anna")
            for k, (_, text) in enumerate(task.statements)
        ]
        found = trust(run, given)
        assert found.rate.cases == 20
        assert 0.875 in found.corrected

    def test_of_another_judge_peoples_answers_hold_and_what_was_learned_of_the_first_does_not(self, run):
        given = [
            t.label(k, "Whales" not in t.statements[k][1], "anna") for t in label_tasks(run, [], n=20) for k in (0, 1)
        ]
        other = evaluate(cases(), judge=ScriptedJudge(default=Verdict.SUPPORTED))
        first, second = trust(run, given), trust(other, given)
        assert (first.rate.labelled, second.rate.labelled) == (40, 40)
        assert first.rate.people == second.rate.people
        assert (first.agreement.accuracy, second.agreement.accuracy) == (1.0, first.rate.people)
        assert ["another judge" in " ".join(found.notes) for found in (first, second)] == [False, True]

    @pytest.mark.parametrize(("left_out", "told", "noted"), [(0, True, False), (2, True, True), (3, False, True)])
    def test_cases_that_were_chosen_among_those_drawn_are_noticed(self, run, tmp_path, left_out, told, noted):
        tasks = label_tasks(run, [], n=20)
        given = [t.label(k, True, "anna") for t in tasks[left_out:] for k in range(2)]
        append_labels(tmp_path / "l.jsonl", given)
        for labels in (given, read_labels(tmp_path / "l.jsonl")):
            found = trust(run, labels)
            assert (found.corrected is not None) == told
            assert any(f"labels: {left_out};" in note for note in (*found.notes, found.verdict or "")) == noted
            assert trust(run, labels, assume_random=True).corrected is not None

    def test_who_stops_amid_a_draw_has_chosen_nothing(self, run):
        given = [t.label(k, True, "anna") for t in label_tasks(run, [], n=30)[:10] for k in range(2)][:-1]
        found = trust(run, given)
        assert found.corrected is not None
        assert not any("draw" in note for note in found.notes)

    def test_statements_that_were_chosen_are_noticed(self, run):
        given = [t.label(0, True, "anna") for t in label_tasks(run, [], n=20)]
        assert trust(run, given).corrected is None

    def test_a_second_person_labels_a_share_of_the_first_ones(self, run):
        given = [task.label(0, True, "anna") for task in label_tasks(run, [], n=10, by="anna")]
        again = label_tasks(run, given, by="bob", second=0.2)
        assert len(again) == 2
        assert {task.case_id for task in again} <= {label.case_id for label in given}
        both = [*given, *(task.label(0, True, "bob") for task in again)]
        assert trust(run, both, assume_random=True).people_agree == 1.0
