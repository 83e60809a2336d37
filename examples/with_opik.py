"""Opik with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_opik.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their metric with our judge
from opik.evaluation.metrics import Hallucination

from magistrate.integrations.opik import MagistrateMetric, MagistrateModel

theirs = Hallucination(model=MagistrateModel("gpt-4o"), track=False)  # before: model="gpt-4o"
for case in cases:
    found = theirs.score(input=case["question"], output=case["answer"], context=case["contexts"])
    print(case["id"], found.value, found.reason)

# %% A metric of ours among theirs: a verdict for each statement
ours = MagistrateMetric("gpt-4o", threshold=0.8)
for case in cases:
    found = ours.score(input=case["question"], output=case["answer"], context=case["contexts"])
    print(case["id"], found.value, found.reason)
