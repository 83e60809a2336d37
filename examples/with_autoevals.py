"""Autoevals with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_autoevals.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their scorers with our client
from autoevals import init
from autoevals.ragas import Faithfulness

from magistrate import as_openai_client
from magistrate.integrations.autoevals import MagistrateScorer

init(client=as_openai_client("gpt-4o"), default_model="gpt-4o")  # the line that changes
theirs = Faithfulness(model="gpt-4o")
for case in cases:
    found = theirs.eval(output=case["answer"], context=case["contexts"], input=case["question"])
    print(case["id"], found.score)

# %% A scorer of ours among theirs: status, bounds and verdicts are in its metadata
ours = MagistrateScorer("gpt-4o", threshold=0.8)
for case in cases:
    found = ours.eval(output=case["answer"], context=case["contexts"], input=case["question"])
    print(case["id"], found.score, found.metadata)
