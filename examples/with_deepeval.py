"""DeepEval with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_deepeval.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their metric with our judge: a verdict that is missing is asked for again, and is an error if it stays missing
from deepeval.metrics import FaithfulnessMetric
from deepeval.test_case import LLMTestCase

from magistrate.integrations.deepeval import MagistrateMetric, MagistrateModel

tests = [
    LLMTestCase(input=case["question"], actual_output=case["answer"], retrieval_context=case["contexts"])
    for case in cases
]
theirs = FaithfulnessMetric(model=MagistrateModel("gpt-4o"))  # before: model="gpt-4o"
for case, test in zip(cases, tests, strict=True):
    print(case["id"], theirs.measure(test, _show_indicator=False), theirs.reason)

# %% A metric of ours among theirs: .score, .error, .score_breakdown
ours = MagistrateMetric("gpt-4o", threshold=0.8)
for case, test in zip(cases, tests, strict=True):
    print(case["id"], ours.measure(test), ours.reason)
