"""OpenTelemetry spans: one a call, inside one a metric of a case; names and numbers, no texts."""

import sys

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from tests.running import ran
from tests.serving import judge_of, served

from magistrate import Case, evaluate, tracing
from magistrate.completion.models import ResolvedModel
from magistrate.completion.stack import TracedClient
from magistrate.errors import MissingExtraError
from magistrate.integrations._common import Evaluator
from magistrate.records import Completion, CompletionRequest, Message, PromptRef, Usage
from magistrate.testing import Fault, FaultServer

CONTEXTS = ["The ferry leaves at 7 and costs 4 euros."]
STATEMENTS = ["The ferry leaves at 7.", "The ferry costs 9 euros."]
CASES = [{"id": "c1", "answer": " ".join(STATEMENTS), "contexts": CONTEXTS}]


@pytest.fixture(autouse=True)
def _as_it_was(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-a-very-secret-key-1234")
    yield
    tracing.disable()


@pytest.fixture
def spans():
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.enable(provider)
    return exporter


async def verified(faults=None, **options):
    async with served("openai/gpt-4o", serve={"faults": faults}, **options) as (judge, server):
        return await judge.verify(STATEMENTS, CONTEXTS), server


def named(spans, name):
    return [span for span in spans.get_finished_spans() if span.name == name]


class TestCalls:
    async def test_each_has_a_span_of_the_conventions_for_generative_ai(self, spans):
        _, server = await verified()
        (span,) = spans.get_finished_spans()
        assert span.name == "chat gpt-4o"
        assert span.kind is SpanKind.CLIENT
        assert span.status.status_code is StatusCode.UNSET
        told = dict(span.attributes or {})
        assert told.pop("gen_ai.request.max_tokens") > 0
        assert told.pop("gen_ai.usage.input_tokens") > 0
        assert told.pop("gen_ai.usage.output_tokens") > 0
        assert told == {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "gpt-4o",
            "gen_ai.request.temperature": 0.0,
            "gen_ai.response.model": "gpt-4o",
            "gen_ai.response.finish_reasons": ("stop",),
            "server.address": "127.0.0.1",
            "server.port": int(server.url.rpartition(":")[2]),
            "magistrate.call.purpose": "verify",
        }

    async def test_one_that_fails_has_the_type_of_its_error_and_each_attempt_a_span(self, spans):
        fault = Fault(status=429, message="slow down: The ferry leaves at 7")
        await verified(lambda call: fault if call.number == 1 else None)
        failed, right = spans.get_finished_spans()
        assert failed.status.status_code is StatusCode.ERROR
        assert failed.attributes["error.type"] == "JudgeRateLimitError"
        assert failed.attributes["http.response.status_code"] == 429
        assert "gen_ai.usage.input_tokens" not in failed.attributes
        assert "error.type" not in right.attributes

    async def test_one_that_the_cache_answers_has_none(self, spans, tmp_path):
        with FaultServer() as server:
            for _ in range(2):
                async with judge_of(server, "openai/gpt-4o", cache=tmp_path) as asked:
                    reply = await asked.verify(STATEMENTS, CONTEXTS)
            assert reply.usage.cached == 1
            assert server.stats.calls == 1
        assert len(spans.get_finished_spans()) == 1

    async def test_providers_have_the_names_of_the_conventions(self, spans):
        class Silent:
            async def complete(self, request):
                del request
                return Completion(None, usage=Usage(1, 0, None, None, None))

            async def close(self): ...

        request = CompletionRequest("m", (Message("user", "hello"),), PromptRef("p", "1", "0"))
        for provider in ("bedrock", "groq"):
            client = TracedClient(Silent(), ResolvedModel(f"{provider}/m", f"{provider}/m", provider))
            await client.complete(request)
        told = [span.attributes or {} for span in spans.get_finished_spans()]
        assert [one["gen_ai.provider.name"] for one in told] == ["aws.bedrock", "groq"]
        assert not [name for one in told for name in one if name.startswith(("gen_ai.usage", "server", "gen_ai.resp"))]


class TestMetrics:
    def test_calls_stand_below_the_metric_of_the_case_that_makes_them(self, spans):
        with FaultServer() as server:
            evaluate(CASES, judge=judge_of(server, "openai/gpt-4o"))
        (metric,) = named(spans, "evaluate faithfulness")
        calls = named(spans, "chat gpt-4o")
        assert len(calls) == 2
        assert {span.parent.span_id for span in calls if span.parent} == {metric.context.span_id}
        assert dict(metric.attributes or {}) == {
            "magistrate.metric.name": "faithfulness",
            "magistrate.case.id": "c1",
            "magistrate.status": "scored",
            "magistrate.outcome": "fail",
            "magistrate.score": 0.5,
        }

    async def test_a_framework_that_evaluates_a_case_has_one_too(self, spans):
        await Evaluator("offline").evaluate(Case(id="c2", answer=STATEMENTS[0], contexts=CONTEXTS))
        (metric,) = spans.get_finished_spans()
        assert (metric.name, (metric.attributes or {})["magistrate.case.id"]) == ("evaluate faithfulness", "c2")


class TestPrivacy:
    def test_no_text_and_no_key_is_in_any_span(self, spans):
        fault = Fault(status=400, message=f"cannot take {CONTEXTS[0]} with sk-test-a-very-secret-key-1234")
        with FaultServer(faults=lambda call: fault if call.number == 2 else None) as server:
            evaluate(CASES, judge=judge_of(server, "openai/gpt-4o"))
        written = "".join(span.to_json() for span in spans.get_finished_spans())
        assert "chat gpt-4o" in written
        for hidden in ("ferry", "euros", "sk-test", "passage"):
            assert hidden not in written


class TestSwitch:
    async def test_nothing_is_made_before_it_is_enabled_nor_after_it_is_disabled(self, spans):
        tracing.disable()
        await verified()
        assert not spans.get_finished_spans()

    def test_without_the_extra_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "opentelemetry", None)
        with pytest.raises(MissingExtraError, match=r'pip install "magistrate-core\[otel\]"'):
            tracing.enable()


COMMAND = """
import sys
from magistrate.cli import run
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
code = run(["eval", "cases.jsonl", "--quiet", *sys.argv[1:]])
print(code, [span.name for span in exporter.get_finished_spans()])
"""


@pytest.mark.slow
class TestCommandLine:
    @pytest.fixture(autouse=True)
    def _cases(self, tmp_path, monkeypatch):
        (tmp_path / "cases.jsonl").write_text('{"id": "c1", "answer": "It rains.", "contexts": ["It rains."]}\n')
        monkeypatch.chdir(tmp_path)
        for name in ("OTEL_PYTHON_TRACER_PROVIDER", "OTEL_SDK_DISABLED"):
            monkeypatch.delenv(name, raising=False)

    @pytest.mark.parametrize(
        ("options", "expected"), [(["--trace"], "0 ['evaluate faithfulness']"), ([], "0 []")], ids=["asked", "not"]
    )
    def test_trace_sends_spans_to_the_provider_of_the_process(self, options, expected):
        done = ran(sys.executable, "-c", COMMAND, *options, check=True)
        assert done.stdout.strip() == expected

    def test_trace_is_refused_where_spans_would_go_nowhere(self):
        code = "import sys; from magistrate.cli import run; sys.exit(run(['eval', 'cases.jsonl', '--trace']))"
        done = ran(sys.executable, "-c", code)
        assert done.returncode == 2
        assert "opentelemetry-instrument" in done.stderr
