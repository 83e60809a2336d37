"""Inspect with a judge of Magistrate's, cell by cell.

Needs a key in OPENAI_API_KEY: python examples/with_inspect_ai.py
"""

# %% Cases: what was asked, what your system answered, what it had read
import json
from pathlib import Path

cases = [json.loads(line) for line in (Path(__file__).parent / "handbook.jsonl").open(encoding="utf-8")][:3]

# %% Their grader with our model, a scorer of ours beside it; "mockllm" plays the system that is evaluated
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import model_graded_qa

from magistrate.integrations.inspect_ai import magistrate_scorer

samples = [
    Sample(input=case["question"], target=case["answer"], metadata={"context": case["contexts"]}) for case in cases
]
system = get_model(
    "mockllm/model", custom_outputs=[ModelOutput.from_content("mockllm/model", case["answer"]) for case in cases]
)
grader = model_graded_qa(model="magistrate/gpt-4o")  # before: model="openai/gpt-4o"
ours = magistrate_scorer("gpt-4o")
log = eval(Task(dataset=samples, scorer=[grader, ours]), model=system, display="none")[0]

# %% What came of it
for sample in log.samples or []:
    print(sample.id, {name: score.value for name, score in (sample.scores or {}).items()})
