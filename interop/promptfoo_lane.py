"""promptfoo's own faithfulness, with its OpenAI provider as grader and with ours; then our assertion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from faults import Faults
from table import Result, main

from magistrate.testing import FaultServer

HERE = Path(__file__).parent
PROMPTFOO = HERE.parent / "build/interop/promptfoo/node_modules/.bin/promptfoo"
_OFFLINE = {
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_CACHE_ENABLED": "false",
    "PROMPTFOO_PYTHON": sys.executable,
    "PROMPTFOO_PYTHON_WORKERS": "1",
    "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
    "PROMPTFOO_REQUEST_BACKOFF_MS": "10",
    "PROMPTFOO_RETRY_5XX": "false",
}


def grader(side: str, url: str) -> dict[str, Any]:
    """What a user changes: the grader."""
    if side == "theirs":
        return {"id": "openai:chat:gpt-4o", "config": {"apiBaseUrl": url, "apiKey": "unused"}}
    return {"id": f"python:{HERE}/promptfoo/grader.py", "config": {"model": "gpt-4o", "api_base": url}}


def case(number: int) -> dict[str, Any]:
    """The variables of one test."""
    return {
        "query": f"Who keeps lighthouse {number}?",
        "context": f"Lighthouse {number} has been kept by two sisters since 19{number % 90 + 10}.",
        "said": f"Lighthouse {number} is kept by two sisters. They took it over in 19{number % 90 + 10}.",
    }


def evaluate(grading: dict[str, Any], tests: Sequence[dict[str, Any]], assertions: Sequence[Any]) -> list[Any]:
    """Run `promptfoo eval` on a configuration as a user writes it; give its results, in the order of the tests.

    The grader comes by --grader, so that promptfoo starts it once: one of `defaultTest` it starts for each test.
    """
    config = {
        "prompts": ["{{said}}"],
        "providers": ["echo"],
        "defaultTest": {"assert": list(assertions)},
        "tests": [{"vars": values} for values in tests],
    }
    options = ["-c", "promptfooconfig.json", "--grader", "file://grader.json", "-o", "out.json", "--no-cache"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "promptfooconfig.json").write_text(json.dumps(config))
        (Path(folder) / "grader.json").write_text(json.dumps(grading))
        environment = {**os.environ, **_OFFLINE, "PROMPTFOO_CONFIG_DIR": folder}
        done = subprocess.run(  # noqa: S603 - promptfoo, as it was installed
            [PROMPTFOO, "eval", *options, "--no-table", "-j", "2"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        out = Path(folder) / "out.json"
        if not out.exists():
            raise SystemExit(f"promptfoo failed: {done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        results = json.loads(out.read_text())["results"]["results"]
    return sorted(results, key=lambda result: int(result["testIdx"]))


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Evaluate the cases with promptfoo's assertion."""
    tests = [case(number) for number in numbers]
    found = evaluate(grader(side, url), tests, [{"type": "context-faithfulness", "threshold": 0}])
    return [_result(result) for result in found]


def _result(result: dict[str, Any]) -> Result:
    """Promptfoo's score is 0 for a grader's error too: its reason tells the two apart."""
    (graded,) = (result.get("gradingResult") or {}).get("componentResults") or [{}]
    reason = str(graded.get("reason") or result.get("error") or "")
    if reason.startswith("Faithfulness "):
        return Result(float(graded["score"]))
    return Result(error=reason or "no grade", explicit=bool(reason))


def _kind(part: dict[str, Any]) -> str:
    return str((part.get("assertion") or {}).get("type"))


def three_cases() -> list[str]:
    """Our grader behind two of promptfoo's assertions, and our assertion, on three cases."""
    assertions = [
        {"type": "context-faithfulness", "threshold": 0.5},
        {"type": "llm-rubric", "value": "The answer names somebody."},
        {
            "type": "python",
            "value": f"file://{HERE}/promptfoo/assertion.py",
            "config": {"model": "offline", "threshold": 0.3},
        },
    ]
    with FaultServer(faults=Faults("fence with prose"), keep=1) as server:
        found = evaluate(grader("magistrate", server.openai_url), [case(number) for number in range(3)], assertions)
    print("\nour grader and our assertion, replies in a fence\n")
    failed = []
    for number, result in enumerate(found, 1):
        # Promptfoo shows an assertion's components beside the assertion itself.
        judged = [part for part in result["gradingResult"]["componentResults"] if _kind(part) == "python"]
        if len(judged) != 3:
            failed.append(f"case {number}: {len(judged) - 1} components for two statements")
        for part in result["gradingResult"]["componentResults"]:
            kind = _kind(part)
            print(f"case {number}: {kind}: {'pass' if part['pass'] else 'fail'} {part['score']:.2f}: {part['reason']}")
            if "no verdict" in part["reason"] or "magistrate:" in part["reason"]:
                failed.append(f"case {number}: {kind}: {part['reason']}")
    return failed


if __name__ == "__main__":
    version = json.loads((PROMPTFOO.parent.parent / "promptfoo/package.json").read_text())["version"]
    main(f"promptfoo {version}, context-faithfulness", run, three_cases, timed=False)
