"""Questions put to a model that replies by a table (replies.yaml), and what is found in its replies."""

import logging
from pathlib import Path

import pytest
import yaml

from magistrate import errors
from magistrate.judges import Extract, ExtractAndVerify, Grade, SingleReply, Structured, Verify
from magistrate.judges.llm import LLMJudge
from magistrate.judges.llm.itemized_schema import Rows
from magistrate.records import Completion, Usage
from magistrate.testing import FakeClient

_TABLE = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text("utf-8"))
_KINDS = {kind.method: kind for kind in (Extract, Verify, ExtractAndVerify, Grade, Structured)}


def replies(*sections):
    """What parametrizes a test by the rows of sections of the table."""
    rows = {name: row for section in sections for name, row in _TABLE[section].items()}
    return pytest.mark.parametrize("row", rows.values(), ids=rows)


def completion(reply, token=None):
    """A reply of the table: a text, the fields of a completion, or an error by its name."""
    if not isinstance(reply, dict):
        return reply
    if "error" in reply:
        return getattr(errors, reply["error"])("it is down", **reply.get("details", {}))
    text = reply.get("text") and reply["text"].replace("{token}", token or "")
    return Completion(
        text, reply.get("end", "stop"), refusal=reply.get("refusal"), usage=Usage(*reply.get("usage", [1]))
    )


def question(ask="verify", **given):
    """A question about the texts of the table, where no others are given."""
    fields = {**_TABLE["given"][ask], **given}
    if "rows" in fields:
        fields["rows"] = Rows(**fields["rows"])
    return _KINDS[ask](**fields)


def row_of(section, name):
    return _TABLE[section][name]


async def put(row, caplog=None):
    """Put a row's question, and hold what is found against all that the row tells."""
    if caplog:
        caplog.set_level(logging.DEBUG, "magistrate")
    said = row.get("replies")
    script = iter(said) if isinstance(said, list) else None
    client = FakeClient(None if said is None else lambda sent: completion(next(script) if script else said, sent.token))
    judge = LLMJudge("some-model", client=client, **row.get("judge", {}))
    reply = await judge.ask(question(row.get("ask", "verify"), **row.get("given", {})))
    found = _found(reply, client, caplog, row["found"])
    assert found == row["found"], f"found {found}"


def _found(reply, client, caplog, told):
    statements = list(reply.statements) if isinstance(reply, SingleReply) else getattr(reply, "statements", ())
    main = reply.verdicts if isinstance(reply, SingleReply) else reply
    verdicts = getattr(main, "verdicts", ())
    last = "\n".join(message.content for sent in client.requests[-1:] for message in sent.messages)
    looks = {
        "statements": lambda: list(statements),
        "verdicts": lambda: [verdict.verdict for verdict in verdicts],
        "each": lambda: [[issue.code for issue in verdict.issues] for verdict in verdicts],
        "codes": lambda: sorted({issue.code for issue in main.issues}),
        "about": lambda: sorted(list(call.statements) for call in main.calls),
        "calls": lambda: [call.status for call in main.calls],
        "extra": lambda: list(main.extra),
        "missing": lambda: list(main.missing),
        "requests": lambda: len(client.requests),
        "schema": lambda: client.requests[0].schema,
        "asked": lambda: list(client.requests[-1].schema["properties"]["statements"]["properties"]),
        "asks": lambda: list(client.requests[0].schema["properties"]),
        "prompt": lambda: {text: text in last for text in told["prompt"]},
        "hinted": lambda: {text: text in client.requests[0].hint for text in told["hinted"]},
        "errors": lambda: {text: text in str(main.errors) for text in told["errors"]},
        "quotes": lambda: [[quote.context, quote.quote] for verdict in verdicts for quote in verdict.evidence],
        "usage": lambda: [main.usage.calls, main.usage.cost],
        "events": lambda: _events(caplog),
        "first": lambda: _events(caplog)[0],
        "warnings": lambda: [event for event in _events(caplog) if event[1] == "warning"],
    }
    return {name: looks[name]() if name in looks else getattr(main, name) for name in told}


def _events(caplog):
    """Each event of the verdicts: name, level, expected, actual."""
    lines = [record.getMessage() for record in caplog.records if "event=verdicts." in record.getMessage()]
    found = [dict(part.split("=", 1) for part in line.split() if "=" in part) for line in lines]
    return [
        [one["event"].removeprefix("verdicts."), one["level"], int(one["expected"]), int(one["actual"])]
        for one in found
    ]
