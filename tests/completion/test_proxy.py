"""Proxies and certificate files of the environment are honoured."""

import ssl
from dataclasses import replace

import pytest
import trustme

from magistrate.completion.models import ResolvedModel
from magistrate.completion.providers._client import LiteLLMClient
from magistrate.errors import JudgeError
from magistrate.http_server import HttpReply, HttpServer


async def ask(request, api_base):
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
        await ask(request_, "https://provider.invalid/v1")
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
        assert "certificate" in (await ask(request_, f"{server.url}/v1")).casefold()
        monkeypatch.setenv("SSL_CERT_FILE", str(roots))
        assert "reached" in await ask(request_, f"{server.url}/v1")
