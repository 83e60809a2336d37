"""Requests as the providers' clients write them, and one call to a server that plays a model."""

import http.client
import json

CHAT = "/v1/chat/completions"


def post(server, path, body, timeout=10, method="POST"):
    """Send a body: the status, the headers and the bytes of the answer."""
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=timeout)
    try:
        connection.request(method, path, json.dumps(body))
        response = connection.getresponse()
        return response.status, {key.lower(): value for key, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def messages(request):
    return [{"role": message.role, "content": message.content} for message in request.messages]


def shaped(schema, name="reply"):
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}


def chat_body(request):
    return {"model": "test", "messages": messages(request), "response_format": shaped(request.schema)}


def responses_body(request):
    system, user = messages(request)
    shape = {"type": "json_schema", "name": "reply", "schema": request.schema}
    return {"model": "test", "instructions": system["content"], "input": [user], "text": {"format": shape}}
