"""Rows of Ray Data and Daft, parsed, audited and judged as they are elsewhere."""

import pytest

from magistrate import evaluate
from magistrate.audit import VerdictsTask
from magistrate.parsing import parse_verdicts

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("default")]  # what the engines warn of is not ours
REPLIES = ['{"verdicts": [{"verdict": "yes"}]}', "I cannot help with that.", "", None]
ROWS = [
    {
        "question": "Which?",
        "answer": f"The lamp is {n}." if n else "",
        "contexts": [f"The lamp is {n}."],
        "reply": REPLIES[n],
        "statements": ["a"],
        "score": 1.0,
    }
    for n in range(4)
]
FIELDS = {"reply": "reply", "statements": "statements", "score": "score"}
TASK = VerdictsTask(scale="binary", policy="strict")


def expected():
    judged = evaluate(ROWS).results
    return {
        "status": [parse_verdicts(reply, ["a"]).status.value for reply in REPLIES],
        "faithfulness_score": [one.score for one in judged],
        "faithfulness_status": [one.status.value for one in judged],
    }


def check(found):
    assert {name: found[name] for name in expected()} == expected()
    assert len(found["standing"]) == len(ROWS)
    assert all(found["finding"])


def test_columns_of_arrow_tables():
    """What Ray Data hands over; that needs no cluster."""
    import pyarrow as pa

    from magistrate.integrations.ray_data import AuditReplies, JudgeCases, ParseVerdicts

    table = pa.Table.from_pylist(ROWS)
    made = [ParseVerdicts()(table), AuditReplies(TASK, FIELDS)(table), JudgeCases("offline")(table)]
    check({name: one[name].to_pylist() for one in made for name in one.column_names})


def test_batches_of_ray_data():
    import ray

    from magistrate.engines import open_engine
    from magistrate.integrations.ray_data import JudgeCases

    open_engine("ray")
    cases = ray.data.from_items(ROWS)
    judged = cases.map_batches(
        JudgeCases, fn_constructor_kwargs={"judge": "offline"}, num_cpus=0.5, concurrency=1, batch_format="pyarrow"
    ).take_all()
    assert sorted(row["faithfulness_status"] for row in judged) == sorted(expected()["faithfulness_status"])


def test_columns_of_daft():
    import daft
    from daft import col

    from magistrate.integrations.daft import audit_replies, judge_cases, parse_verdicts

    frame = daft.from_pylist(ROWS)
    made = frame.select(
        parse_verdicts(col("reply"), col("statements")).alias("parsed"),
        audit_replies(TASK, reply=col("reply"), statements=col("statements"), score=col("score")).alias("audited"),
        judge_cases("offline", **{name: col(name) for name in ("answer", "contexts", "statements")}).alias("judged"),
    ).to_pydict()
    check({name: [row[name] for row in rows] for rows in made.values() for name in rows[0]})
