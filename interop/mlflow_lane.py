"""MLflow's own `make_judge`, at OpenAI's address and at that of `magistrate proxy`. Run by `make interop NAME=mlflow`.

A row has one value: there is no list of statements to shorten or to reorder. Then our scorer, which judges statements,
under the faults of lists.
"""

from __future__ import annotations

import logging
import random
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any

from faults import LABEL_FAULTS
from table import OUTCOMES, Result, Run, main, outcome

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from mlflow.exceptions import MlflowException  # noqa: E402
from mlflow.genai.judges import make_judge  # noqa: E402

from magistrate.integrations._common import Backend  # noqa: E402
from magistrate.integrations.mlflow import MagistrateScorer  # noqa: E402
from magistrate.integrations.proxy import Proxy  # noqa: E402
from magistrate.testing import Call, Fault, FaultServer  # noqa: E402
from magistrate.testing.faults import TEXT_DAMAGE  # noqa: E402

TOKEN = "token"  # noqa: S105 - of a server on this machine, for the time of a run
DAMAGE = {
    "fence with prose": "fence-with-prose",
    "single quotes": "single-quotes",
    "one short": "one-short",
    "reordered": "reordered",
    "refusal": "refusal-text",
    "truncated": "cut",
}


def rows(numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The data of an evaluation."""
    return [
        {
            "inputs": {
                "question": f"Who keeps lighthouse {number}?",
                "context": [f"Lighthouse {number} has been kept by two sisters since {1900 + number}."],
            },
            "outputs": f"Lighthouse {number} is kept by two sisters. They sell honey {number} days a year.",
        }
        for number in numbers
    ]


def evaluated(scorer: Any, numbers: Sequence[int], name: str) -> list[Result]:
    """Run a scorer as `mlflow.genai.evaluate` does, sixteen rows at once, without its database."""

    def one(row: Mapping[str, Any]) -> Result:
        try:
            given = scorer.run(**row)
        except MlflowException as error:
            return Result(error=str(error), explicit=True)
        except Exception as error:  # noqa: BLE001 - this is what is counted
            return Result(error=repr(error))
        (found,) = [each for each in (given if isinstance(given, list) else [given]) if each.name == name]
        if found.error is not None:
            return Result(error=found.error.error_message, explicit=True)
        # A word in place of a yes or no is handed on, and so counts as a wrong value.
        return Result(float(found.value) if isinstance(found.value, bool | float | int) else -1.0)

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(one, rows(numbers)))


def judged(address: str, token: str, numbers: Sequence[int]) -> list[Result]:
    """Judge the rows; what a user changes is the address and the token."""
    judge = make_judge(
        "fit",
        "Does {{ outputs }} answer {{ inputs }}?",
        model="openai:/gpt-4o",
        base_url=f"{address}/chat/completions",
        extra_headers={"Authorization": f"Bearer {token}"},
        feedback_value_type=bool,
    )
    return evaluated(judge, numbers, "fit")


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Judge the rows, on our side through a proxy."""
    proxy = Proxy(Backend("gpt-4o", api_base=url), TOKEN).server() if side == "magistrate" else None
    with proxy or nullcontext():
        return judged(f"{proxy.url}/v1" if proxy else url, TOKEN, numbers)


@contextmanager
def clocked(url: str) -> Iterator[Run]:
    """The same with `magistrate proxy` in a process of its own, as users have it: what is timed."""
    command = [Path(sys.executable).with_name("magistrate"), "proxy", "--model", "gpt-4o", "--api-base", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:  # noqa: S603 - our own
        try:
            told = dict(line.split(":", 1) for _, line in zip(range(3), proxy.stdout or (), strict=False))
            address, token = told["base_url"].strip(), told["api_key"].strip()
            yield lambda side, url, numbers: judged(address if side == "magistrate" else url, token, numbers)
        finally:
            proxy.terminate()


def statements() -> list[str]:
    """Our scorer, under the faults of lists; those under which it is silently wrong."""
    print("\nMagistrateScorer, 100 cases, every reply about statements damaged\n")
    print("| fault | right | silently wrong | explicit | crashed |\n|---|---|---|---|---|")
    reference: list[float] = []
    wrong: list[str] = []
    for kind in ("none", *DAMAGE):

        def fault(call: Call, kind: str = kind) -> Fault | None:
            if kind == "none" or call.task.kind != "verify":
                return None
            damage = TEXT_DAMAGE[DAMAGE[kind]]
            seed = call.task.statements[0]
            finish = "length" if kind == "truncated" else None
            return Fault(text=lambda text: damage(text, random.Random(seed)), finish_reason=finish)  # noqa: S311

        with FaultServer(faults=fault, keep=1) as server:
            scorer = MagistrateScorer("gpt-4o", api_base=server.openai_url)
            found = evaluated(scorer, range(100), "faithfulness")
        reference = reference or [-1.0 if one.score is None else one.score for one in found]
        counts = Counter(outcome(one, right) for one, right in zip(found, reference, strict=True))
        print(f"| {kind} | {' | '.join(str(counts.get(what, 0)) for what in OUTCOMES)} |", flush=True)
        if counts["silently wrong"]:
            wrong.append(f"MagistrateScorer: {kind}")
    return wrong


if __name__ == "__main__":
    main(
        f"mlflow {version('mlflow')}, make_judge",
        run,
        statements,
        clocked=clocked,
        kinds=[kind for kind in LABEL_FAULTS if kind != "out of range"],
    )
