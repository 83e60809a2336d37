"""Panels and cascades: several judges that answer as one."""

import asyncio

import pytest
from tests.case_tables import cases_of
from tests.judging import ScriptedJudge as RuleJudge

from magistrate import evaluate
from magistrate.errors import ConfigurationError
from magistrate.evaluation.believing.trials import read_cascade, work_of
from magistrate.evaluation.runs.derived import derive, read_again
from magistrate.evaluation.runs.store import describe
from magistrate.judges import BaseJudge, Verify, makes_calls, resolve_judge
from magistrate.judges.cascade import CascadeJudge
from magistrate.judges.llm import LLMJudge
from magistrate.judges.offline import OfflineJudge
from magistrate.judges.several import MajorityJudge, PanelJudge, Sample, repetitions
from magistrate.testing.scripted import FakeClient, ScriptedJudge
from magistrate.trust import CascadeFit
from magistrate.verdict import IssueCode, Status, Verdict

cases = cases_of(__file__)

S, C, N = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_ENOUGH_INFO


def named(name, verdicts, **options):
    return ScriptedJudge(verdicts, name=name, **options)


def by_rule(name, rule):
    """A judge that says what a rule says of a statement, and how sure it is."""
    judge = RuleJudge(
        lambda statement, _: dict(zip(("verdict", "confidence"), rule(statement), strict=True)),
        claims=lambda text: [text],
    )
    judge.name = name
    return judge


def asked_about(judge):
    return sum(map(len, judge.batches()))


def say(*verdicts, judge=MajorityJudge, **options):
    """What judges say together that each give one of the verdicts."""
    judges = [named(f"j{k}", {"It rains.": verdict}) for k, verdict in enumerate(verdicts)]
    return asyncio.run(judge(judges, **options).verify(["It rains."], ["text"]))


class TestPanel:
    @cases("several: votes and a split is an issue")
    def test_votes_and_a_split_is_an_issue(self, verdicts, rule, expected):
        reply = say(*verdicts, judge=PanelJudge, rule=rule)
        (found,) = reply
        assert (found.verdict, reply.usage.calls) == (expected, len(verdicts))
        assert [(vote.judge, vote.verdict) for vote in found.votes] == [(f"j{k}", v) for k, v in enumerate(verdicts)]
        split = len(set(verdicts)) > 1 and verdicts.count(None) < 2
        assert (IssueCode.SPLIT_PANEL in {issue.code for issue in found.issues}) == split

    def test_a_verdict_with_votes_survives_being_stored(self, tmp_path):
        judge = resolve_judge("panel:offline+judge:tests.judges.test_several:contrary")
        made = evaluate([{"answer": "It rains.", "contexts": ["It rains."]}], judge=judge, run=tmp_path / "r")
        assert [len(verdict.votes) for verdict in made.results[0].verdicts] == [2]
        assert made.results[0].verdicts[0].issues[0].code is IssueCode.SPLIT_PANEL

    def test_what_a_panel_made_is_not_read_again_as_if_one_judge_had(self):
        judges = [LLMJudge(f"fake-{k}", client=FakeClient(["1. supported\n2. contradicted"] * 4)) for k in range(2)]
        made = evaluate(
            [{"answer": "x", "statements": ["It rains.", "It snows."], "contexts": ["It rains."]}],
            judge=PanelJudge(judges),
        )
        again = derive(made, read_again)
        before, after = ([v.verdict for v in run.results[0].verdicts] for run in (made, again))
        assert after == before
        assert "cache" in again.results[0].only().details["not_read_again"]

    def test_the_header_of_a_run_describes_every_judge(self):
        found = describe(PanelJudge([named("a", {}), named("b", {})], rule="unanimous"))
        assert (found["name"], found["rule"], len(found["judges"])) == ("panel:a+b", "unanimous", 2)

    @cases("several: what is no panel is refused")
    def test_what_is_no_panel_is_refused(self, name, options, said):
        with pytest.raises(ConfigurationError, match=said):
            resolve_judge(name, **options)

    def test_what_makes_calls_is_told_by_its_members(self):
        assert not makes_calls("panel:offline+nli:x")
        assert makes_calls("cascade:offline,gpt-4o")


def contrary():
    """A judge that finds nothing supported."""
    return named("contrary", {}, default=N)


def cascade(cheap, dear, *, threshold, against="last"):
    made = CascadeJudge([cheap, dear], against=against)
    if threshold is not None:
        made.settle(CascadeFit(threshold=threshold, risk=0.05, pairs=50, saved=0.5, limit=0.04, why=""))
    return made


ASKED = Verify(["a", "b"], ["text"])


def sure(name, verdict):
    """A judge that is sure of the first statement alone."""
    return by_rule(name, lambda said: (verdict, {"a": 0.99, "b": 0.6}[said]))


class TestCascade:
    @pytest.mark.parametrize(
        ("cheap", "threshold", "verdicts", "votes"),
        [
            (sure("cheap", S), 0.9, [S, C], [["cheap"], ["cheap", "dear"]]),
            (named("cheap", {"a": S, "b": S}), 0.5, [C, C], [["cheap", "dear"]] * 2),  # without a confidence
        ],
    )
    def test_what_the_cheap_judge_is_sure_of_stands_and_the_rest_goes_on(self, cheap, threshold, verdicts, votes):
        reply = asyncio.run(cascade(cheap, named("dear", {"a": C, "b": C}), threshold=threshold).ask(ASKED))
        assert [verdict.verdict for verdict in reply] == verdicts
        assert [[vote.judge for vote in verdict.votes] for verdict in reply] == votes
        assert [verdict.index for verdict in reply] == [0, 1]

    def test_before_anything_is_known_the_last_judge_answers(self):
        cheap, dear = by_rule("cheap", lambda _: (S, 1.0)), named("dear", {"a": C, "b": C})
        assert [v.verdict for v in asyncio.run(cascade(cheap, dear, threshold=None).ask(ASKED))] == [C, C]
        assert cheap.asked == []

    def test_against_people_what_nobody_is_sure_of_has_no_verdict(self):
        dear = by_rule("dear", lambda _: (C, 0.7))
        reply = asyncio.run(cascade(sure("cheap", S), dear, threshold=0.9, against="labels").ask(ASKED))
        assert [verdict.verdict for verdict in reply] == [S, None]
        assert reply.status is Status.PARTIAL
        assert IssueCode.LOW_CONFIDENCE in {issue.code for issue in reply[1].issues}

    @pytest.mark.parametrize(("risk", "needed"), [(0.05, 45), (0.02, 114)])
    def test_too_few_pairs_are_refused_with_the_number_needed(self, risk, needed):
        with pytest.raises(ConfigurationError, match=str(needed)):
            CascadeJudge([named("a", {}), named("b", {})], risk=risk, pairs=needed - 1)


def hard(statement):
    return int(statement.split()[1].strip(".")) % 4 == 3


def cheap_and_dear():
    """One is right on the first three of four, and says so; the other differs where that one is not sure."""
    cheap = by_rule("cheap", lambda statement: (S, 0.5 if hard(statement) else 0.97))
    return cheap, by_rule("dear", lambda statement: (C if hard(statement) else S, None))


CASES = [{"id": f"c{k}", "answer": f"Fact {k}.", "contexts": ["text"]} for k in range(120)]


class TestCascadeInARun:
    def test_pairs_are_judged_by_all_first_and_the_rest_by_who_is_sure_enough(self, tmp_path):
        cheap, dear = cheap_and_dear()
        judge = CascadeJudge([cheap, dear], pairs=60)
        run = evaluate(CASES, judge=judge, run=tmp_path / "r")
        settled = read_cascade(tmp_path / "r")
        assert settled.fit.certified
        assert len(settled.cases) == 60
        assert 0.6 <= settled.fit.saved <= 0.9
        assert settled.curve["0.01"] is None
        assert settled.curve["0.05"] == settled.fit.saved
        assert [r.verdicts[0].verdict for r in run.results] == [C if k % 4 == 3 else S for k in range(120)]
        assert asked_about(cheap) == 120
        assert asked_about(dear) == 60 + sum(k % 4 == 3 for k in range(120) if f"c{k}" not in settled.cases)
        assert work_of(run) == {"": 120, "people": 0, "cheap": 120, "dear": asked_about(dear)}

    def test_the_same_seed_draws_the_same_pairs_and_a_run_that_goes_on_takes_what_was_found_out(self, tmp_path):
        found = []
        for name in ("a", "b"):
            evaluate(CASES[:60], judge=CascadeJudge(cheap_and_dear(), pairs=50), run=tmp_path / name, seed=3)
            found.append(read_cascade(tmp_path / name))
        assert found[0].cases == found[1].cases
        cheap, dear = cheap_and_dear()
        judge = CascadeJudge([cheap, dear], pairs=50)
        evaluate(CASES[:60], judge=judge, run=tmp_path / "a", resume=True, seed=3)
        assert (cheap.asked, dear.asked) == ([], [])
        assert judge.fit == found[0].fit

    def test_a_pair_gets_the_verdict_that_it_gets_in_a_run_that_goes_on(self, tmp_path):
        """The cheap judge is sure of one pair and differs from the dear one, as the risk allows."""
        found = []
        for name in ("a", "b"):
            cheap = by_rule("cheap", lambda statement: (S, 0.5 if hard(statement) else 0.97))
            dear = by_rule(
                "dear", lambda statement: (C if hard(statement) or "5." in statement.split()[1:] else S, None)
            )
            run = evaluate(CASES, judge=CascadeJudge([cheap, dear], pairs=110), run=tmp_path / name, resume=name == "b")
            found.append((run.summary.digest, run.find("c5")[0].verdicts[0].verdict, asked_about(dear)))
            (tmp_path / "b").mkdir(exist_ok=True)
            (tmp_path / "b" / "cascade.json").write_bytes((tmp_path / name / "cascade.json").read_bytes())
        assert "c5" in read_cascade(tmp_path / "a").cases
        assert found[0][:2] == found[1][:2]
        assert found[0][1] is S
        assert found[1][2] < found[0][2]

    def test_fewer_cases_than_can_certify_anything_are_refused_before_a_question(self):
        cheap, dear = cheap_and_dear()
        with pytest.raises(ConfigurationError, match="45 are needed"):
            evaluate(CASES[:44], judge=CascadeJudge([cheap, dear], pairs=60))
        assert cheap.asked == []


class TestAMajority:
    @cases("several: a majority")
    def test_gives_the_verdict_and_says_where_it_is_not_of_one_mind(self, verdicts, expected, issue):
        (found,) = say(*verdicts)
        assert (found.verdict, [one.code for one in found.issues[:1]]) == (expected, issue)

    def test_extracts_once(self):
        judges = [ScriptedJudge() for _ in range(3)]
        reply = asyncio.run(MajorityJudge(judges).extract("It rains. It pours."))
        assert (len(reply), [len(judge.asked) for judge in judges]) == (2, [1, 0, 0])

    @pytest.mark.parametrize(
        ("grades", "expected"), [((1, 4, 3), 3), ((2, 3), 2.5), ((4, None, 4), 4), ((4, None), None), ((None,), None)]
    )
    def test_of_grades_is_their_median(self, grades, expected):
        judges = [ScriptedJudge(score=grade) for grade in grades]
        reply = asyncio.run(MajorityJudge(judges).grade("rubric", {"a": "x"}, low=0, high=4))
        assert reply.value == expected
        assert (reply.status is Status.SCORED) == (expected is not None)

    def test_cannot_be_had_in_a_single_call(self):
        for judge in (MajorityJudge([ScriptedJudge()]), Sample(ScriptedJudge(), ScriptedJudge())):
            with pytest.raises(ConfigurationError, match="batched"):
                asyncio.run(judge.extract_and_verify("It rains.", ["text"]))


class Positional(BaseJudge):
    """Takes whatever comes first for supported, and the rest for contradicted."""

    def __init__(self):
        self.seen = []

    async def verify(self, statements, contexts, **options):
        self.seen.append((statements, contexts))
        return await ScriptedJudge({statements[0]: S}, default=C).verify(statements, contexts, **options)


class TestASwappedRepetition:
    CONTEXTS = ("Tea is grown here.", "It rains in the hills.", "The road is closed.")
    STATEMENTS = ("It rains in the hills.", "", "The bridge is open.", "Tea is grown here.")

    def test_of_a_judge_that_order_does_not_matter_to_says_the_same(self):
        judge = OfflineJudge()
        plain, swapped = (
            asyncio.run(one.verify(self.STATEMENTS, self.CONTEXTS)) for one in repetitions(judge, 2, swap=True)
        )
        assert swapped.verdicts == plain.verdicts
        assert (swapped.status, swapped.issues) == (plain.status, plain.issues)

    def test_of_a_judge_that_goes_by_position_leaves_no_verdict(self):
        judges = repetitions(Positional(), 2, swap=True)
        reply = asyncio.run(MajorityJudge(judges).verify(["It rains.", "It pours."], ["text"]))
        assert [verdict.verdict for verdict in reply.verdicts] == [None, None]

    def test_sees_the_other_order(self):
        judge = Positional()
        asyncio.run(repetitions(judge, 2, swap=True)[1].verify(["a", "b"], ["x", "y"]))
        assert judge.seen == [(("b", "a"), ("y", "x"))]


class TestRepetitions:
    def test_of_a_model_have_numbers_of_their_own_and_share_the_rest(self):
        client = FakeClient()
        judges = repetitions(LLMJudge("gpt-4o", client=client), 3)
        assert [judge.describe()["repeat"] for judge in judges] == [0, 1, 2]
        for judge in judges:
            asyncio.run(judge.verify(["It rains."], ["It rains."]))
        assert [request.repeat for request in client.requests] == [0, 1, 2]

    def test_of_a_judge_without_chance_are_the_judge_itself(self):
        judge = OfflineJudge()
        assert repetitions(judge, 3) == [judge] * 3
