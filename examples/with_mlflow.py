"""MLflow with a scorer of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_mlflow.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% A scorer of ours among theirs
import mlflow

from magistrate.integrations.mlflow import MagistrateScorer

mlflow.set_tracking_uri("sqlite:///mlflow.db")
rows = [
    {"inputs": {"question": case["question"], "context": case["contexts"]}, "outputs": case["answer"]} for case in cases
]
found = mlflow.genai.evaluate(data=rows, scorers=[MagistrateScorer("gpt-4o", threshold=0.8)])

# %% The figures: the mean, and how many cases it speaks of
print({name: value for name, value in found.metrics.items() if name.startswith("faithfulness")})
