"""LangSmith and openevals with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_langsmith.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their judge with our client, an evaluator of ours beside it; nothing is uploaded
from uuid import uuid4

from langsmith import evaluate
from langsmith.schemas import Example
from openevals.llm import create_llm_as_judge

from magistrate import as_openai_client
from magistrate.integrations.langsmith import as_evaluator

theirs = create_llm_as_judge(
    prompt="Rate from 0.0 to 1.0 how well {outputs} answers {inputs}.",
    continuous=True,
    judge=as_openai_client("gpt-4o"),  # the line that changes
    model="gpt-4o",
)
ours = as_evaluator("gpt-4o", threshold=0.8)
data = [Example(id=uuid4(), inputs={"question": case["question"], "context": case["contexts"]}) for case in cases]
answers: dict[str, str] = {case["question"]: case["answer"] for case in cases}


def target(inputs: dict[str, str]) -> dict[str, str]:
    """Stands for your system."""
    return {"answer": answers[inputs["question"]]}


# %% What came of it
for row in evaluate(target, data=data, evaluators=[theirs, ours], upload_results=False):
    print([(found.key, found.score, found.comment) for found in row["evaluation_results"]["results"]])
