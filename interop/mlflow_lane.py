"""MLflow's own `make_judge`, at OpenAI's address and at that of `magistrate proxy`. Run by `make interop NAME=mlflow`.

A row has one value: there is no list of statements to shorten or to reorder. Then our scorer, which judges statements,
under the faults of lists.
"""

from __future__ import annotations

import logging
import os
import random
import tempfile
import warnings
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from io import StringIO
from typing import Any

from faults import LABEL_FAULTS
from table import OUTCOMES, Result, main, outcome

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
FOLDER = tempfile.mkdtemp()
os.environ.update(
    MLFLOW_TRACKING_URI=f"sqlite:///{FOLDER}/mlflow.db", MLFLOW_GENAI_EVAL_MAX_WORKERS="16", TQDM_DISABLE="1"
)

os.chdir(FOLDER)  # it keeps artifacts where it is started
os.environ.pop("OTEL_SDK_DISABLED", None)  # MLflow keeps an evaluation's table as traces

import mlflow  # noqa: E402
from mlflow.genai.judges import make_judge  # noqa: E402

from magistrate.integrations.backend import Backend  # noqa: E402
from magistrate.integrations.mlflow import MagistrateScorer  # noqa: E402
from magistrate.integrations.proxy import Proxy  # noqa: E402
from magistrate.testing import Call, Fault, FaultServer  # noqa: E402
from magistrate.testing.damage import TEXT_DAMAGE  # noqa: E402
from magistrate.testing.http import HttpServer  # noqa: E402

TOKEN = "token"  # noqa: S105 - of a server on this machine, for the time of a run
DAMAGE = {
    "fence": "fence-with-prose",
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
    """Run `mlflow.genai.evaluate`, and read its table."""
    with redirect_stdout(StringIO()):
        table = mlflow.genai.evaluate(data=rows(numbers), scorers=[scorer]).result_df
    asked = [str(request) for request in table["request"]]
    place = {number: next(at for at, text in enumerate(asked) if f"lighthouse {number}?" in text) for number in numbers}
    errors = table[f"{name}/error_message"] if f"{name}/error_message" in table else [None] * len(asked)
    found = list(zip(table[f"{name}/value"], errors, strict=True))
    return [result(*found[place[number]]) for number in numbers]


def result(value: Any, error: Any) -> Result:
    """What the table says of a row."""
    if isinstance(error, str) and error:
        return Result(error=error, explicit=True)
    # A word in place of a yes or no is handed on, and so counts as a wrong value.
    return Result(float(value) if isinstance(value, bool | float | int) else -1.0)


def run(side: str, url: str, numbers: Sequence[int]) -> list[Result]:
    """Judge the rows; what a user changes is the address."""
    proxy = HttpServer(Proxy(Backend("gpt-4o", api_base=url), TOKEN)) if side == "magistrate" else None
    with proxy or nullcontext():
        judge = make_judge(
            "fit",
            "Does {{ outputs }} answer {{ inputs }}?",
            model="openai:/gpt-4o",
            base_url=f"{proxy.url}/v1/chat/completions" if proxy else f"{url}/chat/completions",
            extra_headers={"Authorization": f"Bearer {TOKEN}"},
            feedback_value_type=bool,
        )
        return evaluated(judge, numbers, "fit")


def statements() -> None:
    """Our scorer, under the faults of lists."""
    print("\nMagistrateScorer, 100 cases, every reply about statements damaged\n")
    print("| fault | right | silently wrong | explicit | crashed |\n|---|---|---|---|---|")
    reference: list[float] = []
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
            raise SystemExit("silently wrong through magistrate")


if __name__ == "__main__":
    main(
        "mlflow 3.17.2, make_judge",
        run,
        statements,
        kinds=[kind for kind in LABEL_FAULTS if kind != "out of range"],
    )
