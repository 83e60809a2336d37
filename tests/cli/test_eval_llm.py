"""`magistrate eval` with a model behind real HTTP: litellm and instructor as they are."""

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from magistrate.evaluation.runs.run import load_run
from magistrate.records import Usage
from magistrate.testing import FaultServer, seeded_faults
from magistrate.testing.server import Fault

PASSAGE = "Lockers are cleared every 90 days. The key is kept by the porter. Bicycles stand in the yard."


def cases(count):
    answers = [
        "Lockers are cleared every 90 days. The key is kept by the porter.",
        "Lockers are cleared every 30 days. Bicycles stand in the yard.",
        "Trams stop at midnight.",
    ]
    return [
        {
            "answer": answers[n % 3],
            "contexts": [PASSAGE, f"Floor {n}."],
            "category": f"k{n % 3}",
            "question": f"Question {n}?",
        }
        for n in range(count)
    ]


def twins(count):
    """Cases of which each two neighbours ask the same, word for word."""
    return [
        {**case, "category": f"k{n % 2}"} for n, case in enumerate(c for one in cases(count // 2) for c in (one, one))
    ]


def model(server):
    return ("--model", "openai/gpt-4o", "--api-base", server.openai_url)


class TestJudging:
    def test_the_verdicts_are_the_models(self, magistrate, dataset, server):
        said = magistrate("eval", dataset(cases(3)), *model(server), "--run", "r", "--threshold", "0.9")
        assert said.code == 1
        run = load_run("r")
        assert [result.score for result in run] == [1.0, 0.5, 0.0]
        assert [entry.verdict for entry in run.results[1].verdicts] == ["contradicted", "supported"]
        assert server.stats.by_kind == {"claims": 3, "verify": 3}
        assert "judge openai/gpt-4o" in said.out
        assert "OFFLINE" not in said.out

    def test_the_lines_on_calls_add_up_to_what_the_server_heard(self, magistrate, dataset, monkeypatch):
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        with FaultServer(faults=seeded_faults(["503"], rate=0.4, seed=1)) as server:
            said = magistrate("eval", dataset(cases(6)), *model(server), "--run", "r")
        by_model = [int(line.split()[0]) for line in said.out.splitlines() if re.match(r"\d+ calls? to ", line)]
        assert by_model == [server.stats.calls]
        assert f"\n{server.stats.calls} calls, " in said.out
        assert "repeated after a fault" in said.out

    def test_reparse_gives_the_same_verdicts(self, magistrate, dataset, server):
        options = {"batched": ("--quotes",), "single": ("--mode", "single"), "two-sided": ("--truths-limit", "5")}
        for mode, further in options.items():
            magistrate("eval", dataset(cases(6)), *model(server), *further, "--run", mode)
            before = server.stats.calls
            said = magistrate("reparse", mode, "--save", f"again-{mode}")
            assert said.out.endswith("0 of the verdicts changed\n")
            assert server.stats.calls == before
            old, new = load_run(mode), load_run(f"again-{mode}")
            assert [r.verdicts for r in new] == [r.verdicts for r in old]
            assert [(r.status, r.score, r.reason, r.only().calls) for r in new] == [
                (r.status, r.score, r.reason, r.only().calls) for r in old
            ]

    def test_reparse_says_what_another_reading_changes(self, magistrate, dataset, server):
        magistrate("eval", dataset(cases(3)), *model(server), "--run", "r")
        results = Path("r/results.jsonl")
        text = results.read_text()
        assert '\\"contradicted\\"' in text
        results.write_text(text.replace('\\"contradicted\\"', '\\"not_enough_info\\"'))
        said = magistrate("reparse", "r")
        assert "c1 s1: contradicted -> not_enough_info" in said.out
        assert said.out.endswith("1 of the verdicts changed\n")


class TestFailures:
    def test_a_wrong_key_ends_the_run_with_code_2_and_keeps_what_was_finished(self, magistrate, dataset, server):
        server.faults = lambda call: (
            Fault(status=401, message="Incorrect API key provided") if call.number > 4 else None
        )
        said = magistrate("eval", dataset(cases(10)), *model(server), "--run", "r", "--concurrency", "1")
        assert said.code == 2
        assert "Traceback" not in said.err
        assert "very-secret" not in said.err
        run = load_run("r")
        assert run.state == "failed"
        assert [result.status.value for result in run] == ["scored"] * 2 + ["not_run"] * 8
        server.faults = None
        assert magistrate("eval", dataset(cases(10)), *model(server), "--run", "r", "--resume").code == 0
        assert [result.score for result in load_run("r")] == [[1.0, 0.5, 0.0][n % 3] for n in range(10)]

    @pytest.mark.filterwarnings("always::magistrate.completion.models.RetiredModelWarning")
    def test_a_retired_model_is_warned_of_once_in_a_line(self, magistrate, dataset, server):
        said = magistrate(
            "eval", dataset(cases(1)), "--model", "claude-3-haiku", "--api-base", server.url, "--quiet", "--run", "r"
        )
        assert said.code == 0
        assert said.err.startswith("magistrate: warning: claude-3-haiku-20240307 is retired by its vendor;")
        assert said.err.count("\n") == 1

    def test_a_server_that_is_not_there_ends_the_run_and_is_told_once(self, magistrate, dataset, monkeypatch):
        monkeypatch.setattr("magistrate.completion.retry.RetryPolicy.wait", lambda *_: 0.0)
        with FaultServer() as gone:
            address = gone.url
        said = magistrate(
            "eval", dataset(cases(3)), "--model", "ollama_chat/llama3.1", "--api-base", address, "--run", "r"
        )
        assert said.code == 3
        assert "The run did not complete, the judge cannot be reached" in " ".join(said.out.split())
        assert said.out.count("ollama serve") == 1
        assert load_run("r").state == "judge_down"


class TestAProviderThatIsDown:
    def test_ends_the_run_with_code_3_and_one_message_and_keeps_what_was_finished(self, magistrate, dataset, server):
        quota = Fault(status=429, message="You exceeded your current quota", code="insufficient_quota")
        server.faults = lambda call: quota if call.number > 4 else None
        path = dataset(cases(10))
        said = magistrate("eval", path, *model(server), "--run", "r", "--concurrency", "1", "--threshold", "0.5")
        assert said.code == 3
        assert "the judge cannot be reached: openai at" in said.out
        assert "the quota or credit for openai/gpt-4o is used up" in said.out
        run = load_run("r")
        assert run.state == "judge_down"
        assert [r.status.value for r in run] == ["scored"] * 2 + ["judge_error"] * 2 + ["not_run"] * 6
        assert server.stats.calls == 5
        server.faults = None
        magistrate("eval", path, *model(server), "--run", "r", "--threshold", "0.5", "--resume")
        assert load_run("r").state == "complete"
        assert len([r for r in load_run("r") if r.score is not None]) == 10

    def test_says_so_on_standard_error_when_nothing_else_is_printed(self, magistrate, dataset, server):
        server.faults = lambda _: Fault(status=429, message="insufficient_quota")
        said = magistrate("eval", dataset(cases(5)), *model(server), "--quiet", "--concurrency", "1")
        assert (said.code, said.out) == (3, "")
        assert "takes no further call" in said.err


class TestLimits:
    def test_max_calls_is_a_hard_stop_that_loses_nothing(self, magistrate, dataset, server):
        path = dataset(cases(10))
        said = magistrate("eval", path, *model(server), "--max-calls", "7", "--run", "r", "--concurrency", "1")
        assert said.code == 4
        assert server.stats.calls == 7
        run = load_run("r")
        assert [result.status.value for result in run] == ["scored"] * 3 + ["over_budget"] + ["not_run"] * 6
        assert "the budget was spent: the limit of 7 calls is reached" in said.out
        assert magistrate("eval", path, *model(server), "--run", "r", "--resume").code == 0
        assert server.stats.calls == 20
        assert load_run("r").state == "complete"

    @pytest.mark.parametrize("concurrency", ["1", "4"])
    def test_every_report_over_a_resume_shows_what_was_paid(self, concurrency, magistrate, dataset, server):
        path = dataset(cases(10))
        for limit in (("--max-calls", "7"), ("--max-calls", "6"), ()):
            magistrate("eval", path, *model(server), *limit, "--run", "r", "--resume", "--concurrency", concurrency)
            usage = load_run("r").summary.usage
            assert usage.calls == server.stats.calls
            assert usage.cached == 0
        assert server.stats.calls == 20
        magistrate("eval", path, *model(server), "--run", "whole")
        whole = load_run("whole").summary.usage
        assert (usage.prompt_tokens, usage.completion_tokens) == (whole.prompt_tokens, whole.completion_tokens)
        assert usage.cost == pytest.approx(whole.cost)

    def test_a_budget_in_dollars_is_never_exceeded(self, magistrate, dataset, server):
        said = magistrate(
            "eval", dataset(cases(30)), *model(server), "--budget", "0.02", "--run", "r", "--concurrency", "8"
        )
        assert said.code == 4
        spent = load_run("r").summary.usage.cost
        assert 0 < spent <= 0.02


class TestCache:
    def test_a_second_run_costs_nothing_and_finds_the_same(self, magistrate, dataset, server):
        path = dataset(cases(4))
        magistrate("eval", path, *model(server), "--run", "r")
        first, calls = list(load_run("r")), server.stats.calls
        said = magistrate("eval", path, *model(server), "--run", "r")
        assert server.stats.calls == calls
        assert "from the cache" in said.out
        assert [r.verdicts for r in load_run("r")] == [r.verdicts for r in first]

    def test_without_one_no_completion_is_kept_and_all_in_the_folder_is_private(self, magistrate, dataset, server):
        magistrate("eval", dataset(cases(1)), *model(server), "--no-cache", "--run", "r")
        assert sorted(path.name for path in Path("r").glob("[!.]*")) == ["report.json", "results.jsonl"]
        magistrate("eval", dataset(cases(1)), *model(server), "--run", "r")
        assert {oct(path.stat().st_mode & 0o077) for path in Path("r").iterdir()} == {"0o0"}


@pytest.mark.slow
class TestKill:
    CONCURRENCY = 4

    @pytest.mark.parametrize(
        ("rows", "distinct"), [pytest.param(cases, 4, id="distinct"), pytest.param(twins, 2, id="shared-prompts")]
    )
    def test_kill_and_resume_give_the_report_of_an_uninterrupted_run(self, rows, distinct, magistrate, dataset, server):
        """The whole program, killed twice in the middle: the same verdicts, scores, calls, tokens and cost."""
        count = 24
        path = dataset(rows(count))
        assert magistrate("eval", path, *model(server), "--run", "whole").code == 0
        uninterrupted = server.stats.calls
        assert load_run("whole").summary.usage.calls == uninterrupted
        Path("cut").mkdir()
        shutil.copy("whole/token.key", "cut/token.key")  # request tokens, and so raw replies, can be compared
        server.reset()
        unheard = sum(self.kill(path, server, answered=answered, hanging=distinct) for answered in (5, 2))
        killed = load_run("cut")
        assert len(killed) < count
        # Paid, answered and kept, and in no result: the case was not finished.
        assert killed.summary.usage.calls < server.stats.calls - unheard
        assert magistrate("eval", path, *model(server), "--run", "cut", "--resume").code == 0

        cut, whole = load_run("cut"), load_run("whole")
        assert cut.state == "complete"
        assert self.judged(cut) == self.judged(whole)
        assert self.spent(cut.summary.usage) == self.spent(whole.summary.usage)
        assert self.calls(cut) == self.calls(whole)
        assert cut.summary.call_latency.n == uninterrupted
        # The server counts what the report cannot know: a call under way at a kill, answered with nobody left to hear
        # it. Only those were made again.
        assert unheard <= server.stats.calls - uninterrupted <= 2 * self.CONCURRENCY

    @staticmethod
    def command(path, folder, server, *options):
        script = "from magistrate.cli import main; main()"
        return [
            sys.executable,
            "-c",
            script,
            "eval",
            str(path),
            *model(server),
            "--run",
            folder,
            "--concurrency",
            str(TestKill.CONCURRENCY),
            *options,
        ]

    def kill(self, path, server, *, answered, hanging):
        """Kill the program when so many verdicts were given, and so many calls wait for a reply that never comes.

        Returns:
            The calls that were waiting.
        """
        verdicts, waiting = itertools.count(), []

        def hang(call):
            if call.task.kind != "verify" or next(verdicts) < answered:
                return None
            waiting.append(call.number)
            return Fault(http=lambda reply: replace(reply, hang=True))

        server.faults = hang
        process = subprocess.Popen(self.command(path, "cut", server, "--resume"), stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and process.poll() is None and len(waiting) < hanging:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        server.faults = None
        return len(waiting)

    @staticmethod
    def judged(run):
        """The results without times, and without what a case paid: of two that share a call, either may have."""
        return [
            replace(
                result,
                metrics={
                    name: replace(metric, latency_ms=0.0, usage=Usage(), calls=())
                    for name, metric in result.metrics.items()
                },
            )
            for result in run
        ]

    @staticmethod
    def spent(usage):
        return replace(usage, latency_ms=0.0, cost=None if usage.cost is None else round(usage.cost, 9))

    @staticmethod
    def calls(run):
        """Every call that was paid for: its request, its raw reply, and what that cost."""
        return Counter(
            repr(replace(call, completion=replace(call.completion, usage=replace(call.completion.usage, latency_ms=0))))
            for result in run
            for call in result.only().calls
            if call.completion is not None and not call.completion.cached
        )


@pytest.mark.slow
def test_interrupt_a_second_interrupt_ends_at_once(dataset, server):
    server.latency = 30
    process = subprocess.Popen(
        TestKill.command(dataset(cases(8)), "r", server),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "160"},
    )
    deadline = time.monotonic() + 300
    while server.stats.calls < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 4, err
    assert "Traceback" not in err
    run = load_run("r")
    assert run.state == "interrupted"
    assert {result.status.value for result in run} == {"not_run"}


def test_warnings_what_was_handled_is_summed_up_in_one_line(magistrate, dataset, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with FaultServer(faults=seeded_faults(["one-short"], rate=1.0)) as server:
        said = magistrate("eval", dataset(cases(2)), *model(server), "--run", "r")
        shown = magistrate("eval", dataset(cases(2)), *model(server), "--run", "s", "--log-level", "warning")
    [line] = [line for line in said.err.splitlines() if "warnings:" in line]
    assert "without a verdict for every statement" in line
    assert "verdicts.mismatch" not in said.err
    assert shown.err.count("event=verdicts.mismatch") > 1
    assert "warnings:" not in shown.err
