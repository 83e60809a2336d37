"""OpenTelemetry spans, by its conventions for generative AI: of calls, inside those of metrics; they hold no text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from magistrate.errors import ConfigurationError, JudgeError, MissingExtraError

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

_tracer: Tracer | None = None


def enable(tracer_provider: TracerProvider | None = None) -> None:
    """Make spans from now on, in this process.

    Args:
        tracer_provider: Where the spans go; None for the provider that is set for the whole process, now or later.

    Raises:
        MissingExtraError: If OpenTelemetry is not installed.
    """
    global _tracer  # noqa: PLW0603 - one setting a process, as the log's
    _tracer = _api().get_tracer("magistrate", tracer_provider=tracer_provider)


def disable() -> None:
    """Make no further spans."""
    global _tracer  # noqa: PLW0603
    _tracer = None


def require_provider() -> None:
    """Make sure that spans would go somewhere: without a provider for the process they vanish without a word."""
    api = _api()
    # The API keeps a stand-in until a provider is set; one that does nothing has no way to add an exporter either.
    if isinstance(api.get_tracer_provider(), api.ProxyTracerProvider | api.NoOpTracerProvider):
        raise ConfigurationError(
            "no OpenTelemetry tracer provider is set, so no span would arrive anywhere: start it with "
            "`opentelemetry-instrument magistrate ...` (pip install opentelemetry-distro opentelemetry-exporter-otlp)"
        )


def _api() -> Any:
    try:
        from opentelemetry import trace  # noqa: PLC0415 - an extra, and only once it is asked for
    except ImportError as error:
        raise MissingExtraError.needed(f"OpenTelemetry is needed for spans: {error}", "otel") from None
    return trace


def metric_span(metric: str, case: str | None) -> AbstractContextManager[Span | None]:
    """Stand around the evaluation of a metric on a case."""
    attributes = {"magistrate.metric.name": metric, "magistrate.case.id": case}
    return nullcontext() if _tracer is None else _span(_tracer, f"evaluate {metric}", "INTERNAL", attributes)


def chat_span(
    model: str, *, provider: str, api_base: str | None = None, request: Any = None
) -> AbstractContextManager[Span | None]:
    """Stand around a call to a model of a provider, named as the conventions do."""
    if _tracer is None:
        return nullcontext()
    host = port = None
    with suppress(ValueError):  # no address: the call itself will say so
        parts = urlsplit(api_base or "")
        host, port = parts.hostname, parts.port
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.request.max_tokens": getattr(request, "max_tokens", None),
        "gen_ai.request.temperature": getattr(request, "temperature", None),
        "server.address": host,
        "server.port": port,
        "magistrate.call.purpose": getattr(request, "purpose", None),
    }
    return _span(_tracer, f"chat {model}", "CLIENT", attributes)


@contextmanager
def _span(tracer: Tracer, name: str, kind: str, attributes: Mapping[str, Any]) -> Iterator[Span | None]:
    trace = _api()
    # An exception's message may quote what the provider said, and that may quote the prompt: its type alone is told.
    with tracer.start_as_current_span(
        name,
        kind=trace.SpanKind[kind],
        attributes={key: value for key, value in attributes.items() if value is not None},
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_status(trace.StatusCode.ERROR)
            status = error.provider_status if isinstance(error, JudgeError) else None
            set_attributes(span, {"error.type": type(error).__name__, "http.response.status_code": status})
            raise


def set_attributes(span: Span | None, attributes: Mapping[str, Any]) -> None:
    """Add attributes to a span; those that are None are left out."""
    if span is not None:
        span.set_attributes({key: value for key, value in attributes.items() if value is not None})
