"""`magistrate eval` with a panel or a cascade of judges, or an entailment model in a folder."""

import json

import pytest
from tests.case_tables import cases_of
from tests.tiny_nli import write_tiny_nli

from magistrate.evaluation.believing.trials import read_cascade
from magistrate.evaluation.runs.run import load_run
from magistrate.verdict import Verdict

cases = cases_of(__file__)

SECOND = "judge:tests.judges.test_several:contrary"
ROWS = [{"answer": f"The sea is blue on day {n}.", "contexts": [f"The sea is blue on day {n}."]} for n in range(60)]


def test_a_panel_keeps_every_vote(magistrate, dataset, tmp_path):
    done = magistrate("eval", dataset(ROWS[:3]), "--model", f"panel:offline+{SECOND}", "--run", tmp_path / "r")
    assert done.code == 3
    first = json.loads((tmp_path / "r" / "report.json").read_text())["cases"][0]["metrics"]["faithfulness"]
    assert [vote["judge"] for vote in first["verdicts"][0]["votes"]] == ["offline", "contrary"]
    assert first["verdicts"][0]["issues"][0]["code"] == "split-panel"
    assert not any(word in done.out for word in ("accuracy", "effective", "better"))


def test_a_cascade_says_what_it_saved(magistrate, dataset, tmp_path):
    model = "cascade:offline,judge:tests.cli.test_several:agreeing"
    done = magistrate("eval", dataset(ROWS), "--model", model, "--pairs", "50", "--run", tmp_path / "r")
    assert done.code == 0
    assert "50 cases were judged by all" in done.err
    assert "saved 16.7%" in done.err
    again = magistrate("eval", dataset(ROWS), "--model", model, "--pairs", "50", "--run", tmp_path / "r", "--resume")
    assert "50 cases were judged by all" in again.err


def test_workers_share_what_was_found_out(magistrate, dataset, tmp_path):
    model = "cascade:offline,judge:tests.cli.test_several:agreeing"
    path = dataset(ROWS)
    options = ("--model", model, "--pairs", "50", "--run", tmp_path / "r")
    assert magistrate("eval", path, *options, "--shard", "1/2").code == 0
    assert magistrate("eval", path, *options, "--shard", "2/2").code == 0
    assert magistrate("merge", tmp_path / "r").code == 0
    found = json.loads((tmp_path / "r" / "report.json").read_text())["cases"]
    votes = [len(case["metrics"]["faithfulness"]["verdicts"][0]["votes"]) for case in found]
    assert votes == [1] * 60


def through(server, *cheap):
    """Options of a cascade whose models are behind the server."""
    models = ",".join((*cheap, "openai/gpt-4o-mini", "openai/gpt-4o"))
    return "--model", f"cascade:{models}", "--api-base", server.openai_url, "--pairs", "50"


def test_three_judges_the_last_two_behind_a_server(magistrate, dataset, server, tmp_path):
    done = magistrate("eval", dataset(ROWS), *through(server, "offline"), "--run", tmp_path / "r")
    assert done.code == 0
    settled = read_cascade(tmp_path / "r")
    assert settled.fit.saved == 1.0
    assert settled.usage.calls == server.stats.calls == 100
    results = load_run(tmp_path / "r").results
    votes = [[vote.judge for vote in verdict.votes] for result in results for verdict in result.verdicts]
    assert votes.count(["offline", "openai/gpt-4o-mini", "openai/gpt-4o"]) == 50
    assert votes.count(["offline"]) == 10
    assert all(result.verdicts[0].verdict is Verdict.SUPPORTED for result in results)


def test_models_that_say_nothing_of_how_sure_they_are_save_nothing(magistrate, dataset, server, tmp_path):
    done = magistrate("eval", dataset(ROWS), *through(server), "--run", tmp_path / "r")
    assert (done.code, "not worth it" in done.err) == (0, True)
    found = read_cascade(tmp_path / "r").fit
    assert (found.threshold, found.saved, found.limit) == (None, 0.0, 1.0)
    assert "how sure" in found.why


def test_shards_have_what_the_pairs_left_of_the_limit(magistrate, dataset, server, tmp_path):
    options = ("--max-calls", "220", "--shard", "1/1", "--run", tmp_path / "r")
    assert magistrate("eval", dataset(ROWS), *through(server), *options).code == 4
    assert 150 <= server.stats.calls <= 220


def test_a_guarantee_against_people_leaves_the_rest_to_them(magistrate, dataset, tmp_path):
    wrong = "Whales sing in the deep ocean at midnight."
    rows = [{"answer": row["answer"] if n % 4 else wrong, "contexts": row["contexts"]} for n, row in enumerate(ROWS)]
    path = dataset(rows)
    assert magistrate("eval", path, "--run", tmp_path / "r", "-q").code == 0
    people, drawn = tmp_path / "r" / "labels.jsonl", {"stratum": "drawn", "by": "anna"}
    labels = [
        {"case_id": f"c{n}", "statement_id": "s1", "statement": row["answer"], "label": bool(n % 4), **drawn}
        for n, row in enumerate(rows)
    ]
    people.write_text("".join(json.dumps(label) + "\n" for label in labels))
    model = ("--model", "cascade:offline,judge:tests.cli.test_several:agreeing", "--against", people)
    done = magistrate("eval", path, *model, "--risk", "0.1", "--pairs", "60", "--run", tmp_path / "c")
    assert "left to people" in done.err
    found = json.loads((tmp_path / "c" / "cascade.json").read_text())["fit"]
    assert found["threshold"] is not None
    few = magistrate("eval", path, *model, "--risk", "0.02", "--pairs", "120", "--run", tmp_path / "d")
    assert (few.code, "114 are needed" in few.err) == (2, True)
    chosen = [{**label, "stratum": ""} for label in labels], [{**d, "place": 2 * n + 1} for n, d in enumerate(labels)]
    for some in chosen:  # by hand, and every other one of the draw
        people.write_text("".join(json.dumps(label) + "\n" for label in some))
        refused = magistrate("eval", path, *model, "--risk", "0.1", "--pairs", "60", "--run", tmp_path / "e")
        assert (refused.code, "somebody chose" in refused.err) == (2, True)


def test_of_a_case_that_people_labelled_in_part_nothing_is_certified(magistrate, dataset, tmp_path):
    said = ["the red apple is ripe", "the red apple is sweet"]
    path = dataset([{"answer": ". ".join(said), "statements": said, "contexts": said[:1]}] * 60)
    lines = [
        json.dumps({"case_id": f"c{n}", "statement_id": "s1", "statement": said[0], "label": True, "stratum": "x"})
        for n in range(60)
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    model = ("--model", "cascade:offline,judge:tests.cli.test_several:agreeing", "--against", tmp_path / "labels.jsonl")
    done = magistrate("eval", path, *model, "--risk", "0.1", "--run", tmp_path / "c")
    assert (done.code, "0 pairs" in done.err) == (2, True)


@cases("several: what does not fit is refused")
def test_what_does_not_fit_is_refused(magistrate, dataset, options):
    assert magistrate("eval", dataset(ROWS), *options).code == 2


def agreeing():
    """A judge that finds everything supported."""
    from magistrate.testing.scripted import ScriptedJudge

    return ScriptedJudge(name="agreeing")


SUPPORTED = {"answer": "the red apple is ripe", "contexts": ["the red apple is ripe"]}


@pytest.fixture
def folder(tmp_path):
    pytest.importorskip("onnxruntime")
    return write_tiny_nli(tmp_path / "model")


def test_run_the_model_judges_and_says_how_sure_it_is(magistrate, dataset, folder):
    said = magistrate("eval", dataset([SUPPORTED]), "--model", f"nli:{folder}", "--run", "r")
    assert said.code == 0, said.err
    [result] = load_run("r")
    [verdict] = result.verdicts
    assert verdict.verdict is Verdict.SUPPORTED
    assert verdict.probability >= 0.7
    assert result.usage.calls == 0


@pytest.mark.parametrize("option", [("--api-base", "http://127.0.0.1:9"), ("--model-arg", "seed=7")])
def test_errors_what_only_a_call_can_use_is_refused(magistrate, dataset, folder, option):
    said = magistrate("eval", dataset([SUPPORTED]), "--model", f"nli:{folder}", *option)
    assert said.code == 2
    assert option[0] in said.err
