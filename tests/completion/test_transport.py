"""What an answer must not be: a redirect, a flood, a drip."""

import json
import ssl
import zlib
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trustme
from aiohttp import web

from magistrate.completion.batches._providers import provider_of
from magistrate.completion.models import ResolvedModel, resolve_model
from magistrate.completion.providers._client import LiteLLMClient
from magistrate.errors import JudgeConnectionError, JudgeError, JudgeServerError
from magistrate.http_server import HttpReply, HttpServer

MODELS = ["openai/some-model", "anthropic/some-model", "ollama_chat/llama3.1"]
FINE = json.dumps(
    {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "fine"}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
).encode()


def zipped(pieces):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(piece) for piece in pieces), packer.flush()])


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def served(handler):
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def ask(handler, request, name=MODELS[0], seconds=30.0):
    async with served(handler) as port:
        model = resolve_model(name, api_base=f"http://127.0.0.1:{port}", api_key="a-secret-key")
        client = LiteLLMClient(model, timeout=seconds)
        try:
            return await client.complete(request)
        finally:
            await client.close()


@asynccontextmanager
async def redirecting():
    """What redirects to another host, and what that one received."""
    received = []

    async def other(request):
        received.append(request)
        return web.Response(body=FINE, content_type="application/json")

    async with served(other) as port:

        async def redirect(request):
            return web.Response(status=307, headers={"Location": f"http://localhost:{port}{request.path}"})

        yield redirect, received


@pytest.mark.parametrize("name", MODELS)
async def test_a_redirect_is_refused_and_nothing_reaches_the_other_host(name, request_):
    async with redirecting() as (redirect, received):
        with pytest.raises(JudgeConnectionError, match="redirect") as caught:
            await ask(redirect, request_, name)
    assert not caught.value.retryable
    assert not received


@pytest.mark.parametrize("provider", ["openai", "azure", "xai"])
async def test_no_batch_goes_to_where_a_redirect_points(provider, tmp_path):
    async with redirecting() as (redirect, received), served(redirect) as first:
        model = ResolvedModel("m", f"{provider}/m", provider, f"http://127.0.0.1:{first}/v1", "a-secret-key")
        batches = provider_of(model)
        (tmp_path / "calls.jsonl").write_text("{}\n")
        with pytest.raises(JudgeConnectionError, match="redirect"):
            await batches.submit(tmp_path / "calls.jsonl", "tag")
        with pytest.raises(JudgeConnectionError, match="redirect"):
            await batches.find(None, "tag", frozenset())
    assert not received


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("form", ["zipped", "plain"])
async def test_an_answer_of_many_megabytes_is_given_up(name, form, request_):
    bomb, plain = zipped([b" " * (1 << 20)] * 64), FINE + b" " * (16 << 20)

    async def flood(_):
        headers = {"Content-Type": "application/json"} | ({"Content-Encoding": "gzip"} if form == "zipped" else {})
        return web.Response(body=bomb if form == "zipped" else plain, headers=headers)

    with pytest.raises(JudgeServerError, match="too large") as caught:
        await ask(flood, request_, name)
    assert not caught.value.retryable


@pytest.mark.parametrize("packed", ["deflate", "br", "zstd", "gzip, gzip"])
async def test_only_gzip_is_asked_for_and_unpacked(packed, request_):
    asked = []

    async def packs(request):
        asked.append(request.headers["Accept-Encoding"])
        return web.Response(body=FINE, headers={"Content-Type": "application/json", "Content-Encoding": packed})

    with pytest.raises(JudgeServerError, match="too large"):
        await ask(packs, request_)
    assert asked == ["gzip"]


async def test_a_zipped_answer_is_read(request_):
    async def zips(_):
        return web.Response(
            body=zipped([FINE]), headers={"Content-Type": "application/json", "Content-Encoding": "gzip"}
        )

    assert (await ask(zips, request_)).text == "fine"


async def ask_through(request, api_base):
    client = LiteLLMClient(ResolvedModel("m", "openai/m", "openai", api_base, "unused"), timeout=10)
    try:
        with pytest.raises(JudgeError) as caught:
            await client.complete(replace(request, model="openai/m"))
    finally:
        await client.close()
    return caught.value.message


async def test_calls_go_through_https_proxy(monkeypatch, request_):
    seen = []

    async def proxy(request):
        seen.append((request.method, request.path))
        return HttpReply(502)

    with HttpServer(proxy) as server:
        monkeypatch.setenv("HTTPS_PROXY", server.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        await ask_through(request_, "https://provider.invalid/v1")
    assert ("CONNECT", "provider.invalid:443") in seen


async def test_ssl_cert_file_is_what_certificates_are_checked_against(monkeypatch, request_, tmp_path):
    authority, roots = trustme.CA(), tmp_path / "roots.pem"
    authority.cert_pem.write_to_path(str(roots))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)

    async def provider(_):
        return HttpReply(418, b'{"error": {"message": "reached"}}')

    with HttpServer(provider, tls=context) as server:
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        assert "certificate" in (await ask_through(request_, f"{server.url}/v1")).casefold()
        monkeypatch.setenv("SSL_CERT_FILE", str(roots))
        assert "reached" in await ask_through(request_, f"{server.url}/v1")
