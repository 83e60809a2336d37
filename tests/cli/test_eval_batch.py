"""`magistrate eval --batch`: the same results as direct calls at half the price, and never a request paid for twice."""

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

from magistrate.cli.runs import parts
from magistrate.completion.batches import _providers, rounds
from magistrate.testing import FaultServer
from magistrate.testing.batches import BATCH_FAULTS
from magistrate.testing.server import Fault

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
"""LiteLLM leaves the clients with which it sends files to the collector of garbage."""
KEY = "sk-test-a-very-secret-key-1234"
CLAUDE = "anthropic/claude-sonnet-4-5"
ALL = frozenset(BATCH_FAULTS) - {"failed"}


def cases(count=4):
    return [
        {
            "question": f"Question {n}?",
            "answer": f"Staff receive {n} days. The porter has the key.",
            "contexts": [f"Staff receive {n} days of leave. The porter has the key to floor {n}."],
        }
        for n in range(count)
    ]


@pytest.fixture(autouse=True)
def _keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setattr(parts, "_POLL_SECONDS", 0.0)


@pytest.fixture
def serve():
    servers = []

    def start(**options):
        servers.append(FaultServer(**{"batch_polls": 2, **options}).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def options(server, model="gpt-4o"):
    base = server.url if model == CLAUDE else server.openai_url
    return ["--model", model, "--api-base", base, "--prices", "1,10", "--decompose", "sentences", "-q"]


def report(folder):
    return json.loads(Path(folder, "report.json").read_text())


def to_the_end(magistrate, *arguments, resume=False):
    """Go on until no batch is under way; the exit codes."""
    codes = []
    while not codes or (codes[-1] in (2, 3, 5) and len(codes) < 30):
        further = ["--resume"] if codes or resume else []
        codes.append(magistrate("eval", *arguments, "--run", "R", "--batch", *further).code)
    return codes


def asked_twice(server):
    """Requests that were put into a batch again after they were answered."""
    counts = Counter(key for batch in server.batches for key in batch.answered)
    return [key for key, count in counts.items() if count > 1]


@pytest.mark.parametrize("model", ["gpt-4o", CLAUDE])
@pytest.mark.parametrize(
    "faults", [ALL, pytest.param(frozenset({"failed"}), marks=pytest.mark.slow)], ids=["all", "failed"]
)
def test_batches_find_what_direct_calls_find_at_half_the_price(model, faults, magistrate, dataset, serve):
    server = serve(batch_faults=lambda number: faults if number <= 2 else ())
    arguments = [dataset(cases(8)), *options(server, model)]
    assert magistrate("eval", *arguments, "--run", "D").code == 0
    codes = to_the_end(magistrate, *arguments)
    assert codes[-1] == 0
    assert 5 in codes
    assert (3 if "lost" in faults else 2) in codes  # what answers 500 is down; what refuses them all is to be mended
    direct, batched = report("D"), report("R")
    assert batched["results_digest"] == direct["results_digest"]
    assert batched["summary"]["usage"]["calls"] == direct["summary"]["usage"]["calls"] == 8
    assert batched["summary"]["usage"]["cost"] <= 0.501 * direct["summary"]["usage"]["cost"]
    assert not asked_twice(server)


def test_a_run_may_wait_for_its_batches(magistrate, dataset, serve):
    server = serve(batch_polls=3)
    assert magistrate("eval", dataset(cases()), *options(server), "--run", "R", "--batch", "--wait").code == 0
    assert [len(batch.keys) for batch in server.batches] == [4]


def test_until_its_batch_has_ended_a_run_says_that_it_is_pending(magistrate, dataset, serve):
    server = serve(batch_polls=100)
    arguments = ["eval", dataset(cases()), *options(server), "--run", "R"]
    assert magistrate(*arguments, "--batch").code == 5
    assert magistrate(*arguments, "--batch", "--resume").code == 5
    statuses = {line["metrics"]["faithfulness"]["status"] for line in _results("R") if line["type"] == "case"}
    assert statuses == {"pending"}
    said = magistrate("batch", "status", "R")
    assert (said.code, "4 requests to gpt-4o" in said.out) == (0, True)
    for refused in (arguments, [*arguments, "--resume"], [*arguments, "--batch"]):
        said = magistrate(*refused)
        assert (said.code, "--batch --resume" in said.err) == (2, True)
    assert server.stats.calls == 4


def _results(folder):
    return [json.loads(line) for line in Path(folder, "results.jsonl").read_bytes().splitlines()]


def test_what_the_first_batch_left_open_can_be_asked_at_once(magistrate, dataset, serve):
    server = serve(batch_faults=lambda _: {"expired"})
    arguments = [dataset(cases()), *options(server), "--finish-direct"]
    assert to_the_end(magistrate, *arguments) == [5, 0]
    assert (len(server.batches), server.stats.calls) == (1, 4)


def test_a_form_of_request_that_is_refused_is_learned_from(magistrate, dataset, serve):
    def refuse(call):
        return (
            Fault(status=400, message="response_format json_schema is not supported")
            if call.request.mode == "json_schema"
            else None
        )

    server = serve(faults=refuse)
    assert to_the_end(magistrate, dataset(cases(3)), *options(server)) == [5, 5, 0]
    assert [len(batch.keys) for batch in server.batches] == [3, 3]


def test_an_answer_that_cannot_be_used_is_asked_for_again(magistrate, dataset, serve):
    server = serve(faults=lambda call: Fault(no_choices=True) if call.number == 2 else None)
    assert to_the_end(magistrate, dataset(cases(3)), *options(server)) == [5, 5, 0]
    assert [len(batch.keys) for batch in server.batches] == [3, 1]


def test_the_budget_holds_for_what_is_put_into_a_batch(magistrate, dataset, serve):
    server = serve()
    arguments = [dataset(cases()), *options(server)]
    assert magistrate("eval", *arguments, "--run", "R", "--batch", "--max-calls", "3", "--concurrency", "1").code == 4
    assert [len(batch.keys) for batch in server.batches] == [3]
    assert to_the_end(magistrate, *arguments, resume=True)[-1] == 0
    assert not asked_twice(server)


def test_large_rounds_are_several_files(magistrate, dataset, serve, monkeypatch):
    monkeypatch.setattr(rounds, "MOST_REQUESTS", 3)
    server = serve()
    assert to_the_end(magistrate, dataset(cases()), *options(server)) == [5, 0]
    assert [len(batch.keys) for batch in server.batches] == [3, 1]
    monkeypatch.setattr(rounds, "MOST_BYTES", 10)
    assert magistrate("eval", dataset(cases(2), "two.jsonl"), *options(server), "--run", "S", "--batch").code == 5
    assert [len(batch.keys) for batch in server.batches][2:] == [1, 1]


def cover(text):
    return text.replace("porter", "[role]")


def test_texts_are_redacted_before_they_are_exported(magistrate, dataset, serve):
    redact = f"{__name__}:cover"
    server = serve()
    assert magistrate("eval", dataset(cases()), *options(server), "--run", "R", "--batch", "--redact", redact).code == 5
    assert "porter" not in json.dumps([dict(call.request.raw) for call in server.calls])
    kept = b"".join(path.read_bytes() for path in Path("R").rglob("*") if path.is_file())
    assert b"[role]" in kept
    assert b"porter" not in kept
    assert KEY.encode() not in kept


def test_a_baseline_that_is_no_run_is_refused_before_anything_is_sent(magistrate, dataset, serve):
    server = serve()
    arguments = ["eval", dataset(cases(1)), *options(server), "--run", "R", "--batch", "--baseline"]
    said = magistrate(*arguments, dataset(cases(2), "other.jsonl"))
    assert (said.code, "--baseline RUN" in said.err, len(server.calls)) == (2, True, 0)


@pytest.mark.parametrize(
    "refused",
    [["--no-store"], ["--no-cache"], ["--workers", "2"], ["--shard", "1/2"], ["--model", "offline"], ["--laws"]],
    ids=" ".join,
)
def test_what_does_not_go_with_batches_is_a_usage_error(refused, magistrate, dataset):
    assert magistrate("eval", dataset(cases(1)), "--model", "gpt-4o", "--run", "R", "--batch", *refused).code == 2
    assert magistrate("eval", dataset(cases(1)), "--model", "gpt-4o", "--run", "R", "--wait").code == 2


def test_files_go_to_openai_by_hand(magistrate, dataset, serve, monkeypatch, tmp_path):
    """No key is needed; OpenAI's own client takes the file and brings its results."""
    server = serve(
        batch_faults=lambda number: {"shuffled", "error", "unknown"} if number == 1 else {"doubled"}, batch_polls=1
    )
    assert magistrate("eval", dataset(cases()), *options(server), "--run", "D").code == 0
    monkeypatch.delenv("OPENAI_API_KEY")
    arguments = ["eval", dataset(cases()), "--model", "gpt-4o", *options(server)[4:], "--run", "R", "--batch"]
    said = magistrate(*arguments)
    assert (said.code, "batch export R" in said.err) == (5, True)
    import openai

    with openai.OpenAI(api_key=KEY, base_url=server.openai_url) as client:
        while said.code == 5:
            assert magistrate("batch", "export", "R", "-o", "requests.jsonl").code == 0
            file = client.files.create(file=tmp_path / "requests.jsonl", purpose="batch")
            batch = client.batches.create(
                input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"a": "b"}
            )
            assert [one.metadata for one in client.batches.list(limit=1)][:1] == [{"a": "b"}]
            done = client.batches.retrieve(batch.id)
            assert done.status == "completed"
            files = []
            for name in filter(None, (done.output_file_id, done.error_file_id)):
                files.append(tmp_path / name)
                files[-1].write_bytes(client.files.content(name).content)
            assert magistrate("batch", "import", "R", *files).code == 0
            said = magistrate(*arguments, "--resume")
    assert report("R")["results_digest"] == report("D")["results_digest"]


@pytest.mark.slow
def test_files_go_to_anthropic_by_hand(magistrate, dataset, serve, monkeypatch):
    """A run whose model has one shape may be answered in another: here that of Anthropic, by its own client."""
    server = serve(batch_faults=lambda _: {"shuffled"}, batch_polls=1)
    assert magistrate("eval", dataset(cases()), *options(server, CLAUDE), "--run", "D").code == 0
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    arguments = ["eval", dataset(cases()), "--model", CLAUDE, *options(server, CLAUDE)[4:], "--run", "R", "--batch"]
    assert magistrate(*arguments).code == 5
    assert magistrate("batch", "export", "R", "-o", "requests.jsonl").code == 0
    requests = [json.loads(line) for line in Path("requests.jsonl").read_bytes().splitlines()]
    import anthropic

    with anthropic.Anthropic(api_key=KEY, base_url=server.url) as client:
        batch = client.messages.batches.create(requests=requests)
        assert next(iter(client.messages.batches.list())).id == batch.id
        assert client.messages.batches.retrieve(batch.id).processing_status == "ended"
        results = [one.model_dump_json() for one in client.messages.batches.results(batch.id)]
    Path("output.jsonl").write_text("\n".join(results))
    assert magistrate("batch", "import", "R", "output.jsonl").code == 0
    assert magistrate(*arguments, "--resume").code == 0
    assert report("R")["results_digest"] == report("D")["results_digest"]


@pytest.mark.parametrize(
    ("shape", "keys"),
    [
        ("openai", {"custom_id", "method", "url", "body"}),
        ("anthropic", {"custom_id", "params"}),
        ("mistral", {"custom_id", "body"}),
    ],
)
def test_requests_are_written_in_the_shape_of_a_provider(shape, keys, magistrate, dataset, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    arguments = ["eval", dataset(cases(2)), "--model", "gpt-4o", "--run", "R", "--batch", "--decompose", "sentences"]
    assert magistrate(*arguments).code == 5
    assert magistrate("batch", "export", "R", "-o", "out.jsonl", "--shape", shape).code == 0
    lines = [json.loads(line) for line in Path("out.jsonl").read_bytes().splitlines()]
    assert [set(line) for line in lines] == [keys, keys]
    body = lines[0].get("body") or lines[0]["params"]
    assert body["model"] == "gpt-4o"
    assert {len(line["custom_id"]) for line in lines} == {64}


def test_files_that_cannot_be_taken_change_nothing(magistrate, dataset, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    arguments = ["eval", dataset(cases(2)), "--model", "gpt-4o", "--run", "R", "--batch", "--decompose", "sentences"]
    assert magistrate(*arguments).code == 5
    key = json.loads(Path("R/batches/round-1/requests-000.jsonl").read_bytes().splitlines()[0])["custom_id"]
    line = json.dumps({"custom_id": key, "response": {"status_code": 200, "body": {}}, "error": None})
    before = Path("R/batches/round-1/batch.json").read_bytes()
    for text in (f"{line}\n{line[:-9]}", "words\n", json.dumps({"custom_id": "0" * 64, "response": None, "error": {}})):
        Path("output.jsonl").write_text(text)
        assert magistrate("batch", "import", "R", "output.jsonl").code == 2
    assert Path("R/batches/round-1/batch.json").read_bytes() == before
    assert magistrate("batch", "status", "nothing").code == 2
    assert magistrate("batch", "export", "R", "-o", "x", "--shape", "odd").code == 2


class Killed(BaseException):
    """Ends the process where it stands."""


@pytest.mark.slow
@pytest.mark.parametrize("model", ["gpt-4o", CLAUDE])
def test_a_kill_at_any_step_puts_no_request_into_two_batches(model, magistrate, dataset, serve, tmp_path):
    data = dataset(cases(3))
    for step in itertools.count(1):
        server = serve()
        folder = tmp_path / f"R{step}"
        arguments = ["eval", data, *options(server, model), "--run", folder, "--batch"]
        killed = False
        with pytest.MonkeyPatch.context() as patch:
            _kill_at(step, patch)
            try:
                for resume in ([], ["--resume"], ["--resume"]):
                    magistrate(*arguments, *resume)
            except Killed:
                killed = True
        codes = [5]
        while codes[-1] == 5:
            codes.append(magistrate(*arguments, *(["--resume"] if folder.exists() else [])).code)
        assert codes[-1] == 0, step
        assert [len(batch.keys) for batch in server.batches] == [3], step
        server.stop()
        if not killed:
            assert step > 10
            return


def _kill_at(step, patch):
    """Kill before and after each thing that is written down, and each call to the provider."""
    ticks = itertools.count(1)

    def tick():
        if next(ticks) == step:
            raise Killed

    def stepped(owner, name, *, waits=False):
        usual = getattr(owner, name)

        def done(*arguments, **keywords):
            tick()
            result = usual(*arguments, **keywords)
            tick()
            return result

        async def awaited(*arguments, **keywords):
            tick()
            result = await usual(*arguments, **keywords)
            tick()
            return result

        patch.setattr(owner, name, awaited if waits else done)

    stepped(rounds.Round, "save")
    stepped(rounds.Rounds, "close_round")
    stepped(rounds.Rounds, "take")
    stepped(_providers._LiteLLM, "_call", waits=True)
    stepped(_providers._Anthropic, "_call", waits=True)
