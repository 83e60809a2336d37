"""Proxies and certificate files of the environment are honoured."""

from __future__ import annotations

import ssl
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._client import LiteLLMClient
from magistrate.errors import JudgeError
from magistrate.http_server import HttpReply, HttpRequest, HttpServer
from magistrate.records import CompletionRequest


async def ask(request: CompletionRequest, api_base: str) -> str:
    client = LiteLLMClient(ResolvedModel("m", "openai/m", "openai", api_base, "unused"), timeout=10)
    try:
        with pytest.raises(JudgeError) as caught:
            await client.complete(replace(request, model="openai/m"))
    finally:
        await client.close()
    return caught.value.message


async def test_calls_go_through_https_proxy(monkeypatch: pytest.MonkeyPatch, request_: CompletionRequest) -> None:
    seen: list[tuple[str, str]] = []

    async def proxy(request: HttpRequest) -> HttpReply:
        seen.append((request.method, request.path))
        return HttpReply(502)

    with HttpServer(proxy) as server:
        monkeypatch.setenv("HTTPS_PROXY", server.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        await ask(request_, "https://provider.invalid/v1")
    assert ("CONNECT", "provider.invalid:443") in seen


async def test_ssl_cert_file_is_what_certificates_are_checked_against(
    monkeypatch: pytest.MonkeyPatch, request_: CompletionRequest, tmp_path: Path
) -> None:
    authority, roots = trustme.CA(), tmp_path / "roots.pem"
    authority.cert_pem.write_to_path(str(roots))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)

    async def provider(_: HttpRequest) -> HttpReply:
        return HttpReply(418, b'{"error": {"message": "reached"}}')

    with HttpServer(provider, tls=context) as server:
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        assert "certificate" in (await ask(request_, f"{server.url}/v1")).casefold()
        monkeypatch.setenv("SSL_CERT_FILE", str(roots))
        assert "reached" in await ask(request_, f"{server.url}/v1")
