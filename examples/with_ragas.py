"""Ragas with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_ragas.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their metric with our judge: a verdict that is missing is asked for again, and is an error if it stays missing
from ragas.metrics.collections import Faithfulness

from magistrate.integrations.ragas import MagistrateLLM, MagistrateMetric

theirs = Faithfulness(llm=MagistrateLLM("gpt-4o"))  # before: llm_factory("gpt-4o", client=AsyncOpenAI())
for case in cases:
    found = theirs.score(user_input=case["question"], response=case["answer"], retrieved_contexts=case["contexts"])
    print(case["id"], found.value)

# %% A metric of ours among theirs: with a reason and a verdict for each statement
ours = MagistrateMetric("gpt-4o")
for case in cases:
    found = ours.score(user_input=case["question"], response=case["answer"], retrieved_contexts=case["contexts"])
    print(case["id"], found.value, found.reason)
