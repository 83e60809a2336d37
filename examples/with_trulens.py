"""TruLens with a provider of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_trulens.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their feedback functions with our provider
from magistrate.integrations.trulens import MagistrateProvider, magistrate_metric

provider = MagistrateProvider("gpt-4o")  # before: LiteLLM(model_engine="gpt-4o")
for case in cases:
    print(case["id"], provider.relevance_with_cot_reasons(case["question"], case["answer"]))

# %% A metric of ours: a verdict for each statement
ours = magistrate_metric("gpt-4o", threshold=0.8)
for case in cases:
    print(case["id"], ours(question=case["question"], answer=case["answer"], contexts=case["contexts"]))
