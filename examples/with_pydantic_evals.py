"""Pydantic Evals with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_pydantic_evals.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their judge with our model, an evaluator of ours beside it
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import LLMJudge, OutputConfig

from magistrate.integrations.pydantic_evals import MagistrateEvaluator, MagistrateModel

theirs = LLMJudge("It answers the question.", model=MagistrateModel("gpt-4o"), score=OutputConfig())
ours = MagistrateEvaluator("gpt-4o", threshold=0.8)  # faithfulness to metadata["context"]
dataset = Dataset(
    name="handbook",
    cases=[Case(name=case["id"], inputs=case["question"], metadata={"context": case["contexts"]}) for case in cases],
    evaluators=[theirs, ours],
)
answers: dict[str, str] = {case["question"]: case["answer"] for case in cases}


def task(question: str) -> str:
    """Stands for your system."""
    return answers[question]


# %% What came of it
dataset.evaluate_sync(task, progress=False).print(include_reasons=True)
