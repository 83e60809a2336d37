"""Phoenix with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_phoenix.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their evaluator with our provider
from phoenix.evals import LLM
from phoenix.evals.metrics import FaithfulnessEvaluator

from magistrate.integrations.phoenix import MagistrateEvaluator  # registers the provider too

theirs = FaithfulnessEvaluator(LLM(provider="magistrate", model="gpt-4o"))  # before: provider="openai"
for case in cases:
    context = "\n\n".join(case["contexts"])  # theirs takes one text
    print(case["id"], theirs.evaluate({"input": case["question"], "output": case["answer"], "context": context}))

# %% An evaluator of ours among theirs: a verdict for each statement
ours = MagistrateEvaluator("gpt-4o", threshold=0.8)
for case in cases:
    print(case["id"], ours.evaluate({"input": case["question"], "output": case["answer"], "context": case["contexts"]}))
