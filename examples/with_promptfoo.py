"""promptfoo's assertion by Magistrate, as promptfoo calls it, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_promptfoo.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% What assertion.py of docs/integrations/promptfoo.md gives promptfoo: pass, score, reason, a component a statement
from magistrate.integrations.promptfoo import get_assert

for case in cases:
    options = {
        "vars": {"context": case["contexts"], "query": case["question"]},
        "config": {"model": "gpt-4o", "threshold": 0.8},
    }
    found = get_assert(case["answer"], options)
    print(case["id"], found["pass"], found["score"], found["reason"])

# %% What grader.py gives to promptfoo's own assertions
from magistrate.integrations.promptfoo import call_api

print(call_api("Is 28 more than 20? Answer yes or no.", {"config": {"model": "gpt-4o"}}, {}))
