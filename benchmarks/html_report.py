"""How fast the HTML report of 10,000 cases opens in headless Chromium, and how large it is.

    python benchmarks/html_report.py [--cases 10000] [--rounds 5]

Opened is: the overview is drawn and every case has been read by the browser (its load event). The floor in the same run
is the same page with one case, which is the time Chromium takes to open any page. The bound is 2 s.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from magistrate.case import Case
from magistrate.evaluation.runs.results import CaseResult
from magistrate.evaluation.runs.run import Run
from magistrate.evaluation.runs.store import RunHeader
from magistrate.judges import Verify
from magistrate.judges.llm.reading import read_verdicts
from magistrate.metrics.base import MetricResult, apply_policy
from magistrate.records import CallRecord, Completion, PromptRef
from magistrate.report.html.page import write_html
from magistrate.report.view import RunView
from magistrate.scoring import get_policy

BOUND = 2.0
LINE = "the keeper of the lighthouse writes every ship that passes into a book which lies open on the table"
WORDS = LINE.split()
VERDICTS = ("supported", "supported", "contradicted", "not_enough_info")


def sentence(seed: int) -> str:
    """Twelve words and a number: no two seeds give the same."""
    return " ".join(WORDS[(seed * 7 + i * (seed % 5 + 1)) % len(WORDS)] for i in range(12)) + f" {seed}."


def result(index: int) -> CaseResult:
    """A case with five statements, three contexts of about 1,500 characters, and the reply of a judge."""
    contexts = tuple(" ".join(sentence(index * 60 + part * 20 + i) for i in range(20)) for part in range(3))
    statements = tuple(sentence(index * 60 + i * 3) for i in range(5))
    rows = [
        {"id": f"s{i + 1}", "verdict": VERDICTS[(index + i) % 4], "reason": sentence(i), "quotes": [text]}
        for i, text in enumerate(statements)
    ]
    text = json.dumps({"verdicts": rows})
    call = CallRecord("verify", PromptRef("verify", "1", "0"), "model", Completion(text), statements=(0, 1, 2, 3, 4))
    read = read_verdicts([call], Verify(statements, contexts))
    settled = apply_policy(get_policy("strict"), 0.7, status=read.status, verdicts=read.verdicts, extra=())
    fields = {"status": read.status, "verdicts": read.verdicts, "calls": read.calls, **settled}
    metric = MetricResult(metric="faithfulness", statements=statements, **fields)
    case = Case(id=f"case-{index}", question=sentence(index), answer=" ".join(statements), contexts=contexts)
    return CaseResult(index=index, case=case, metrics={"faithfulness": metric})


def write(folder: Path, cases: int) -> Path:
    """Write the report of a run of so many cases."""
    header = RunHeader(config={"dataset": {"name": "log"}}, magistrate="0", created="2026-01-01T00:00:00+00:00")
    run = Run([result(index) for index in range(cases)], header)
    started = time.perf_counter()
    path = write_html(RunView(run), folder / f"{cases}.html")
    print(f"{cases:,} cases: written in {time.perf_counter() - started:.1f} s, {path.stat().st_size / 1e6:.1f} MB")
    return path


def opening(page: Page, path: Path, rounds: int) -> tuple[float, float]:
    """Median seconds until the overview is drawn, and until all of the page is there."""
    drawn, done = [], []
    for _ in range(rounds):
        page.goto("about:blank")
        started = time.perf_counter()
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector(".tile")
        drawn.append(time.perf_counter() - started)
        page.wait_for_load_state("load")
        done.append(time.perf_counter() - started)
    return statistics.median(drawn), statistics.median(done)


def searching(page: Page, path: Path) -> float:
    """Seconds that the first search through all texts takes."""
    page.goto(path.as_uri() + "#/cases")
    page.wait_for_selector(".row")
    started = time.perf_counter()
    page.fill("#f-q", "lighthouse 4242.")
    page.locator("#found", has_text=" of ").wait_for()
    return time.perf_counter() - started


def main() -> int:
    """Open both reports in turn."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    named = os.environ.get("MAGISTRATE_CHROMIUM")
    chromium = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        small, large = write(Path(folder), 1), write(Path(folder), options.cases)
        floor = opening(page, small, options.rounds)
        found = opening(page, large, options.rounds)
        search = searching(page, large)
        browser.close()
    print(f"one case:    overview {floor[0]:.2f} s, loaded {floor[1]:.2f} s")
    ratio = found[1] / floor[1]
    print(f"{options.cases:,} cases: overview {found[0]:.2f} s, loaded {found[1]:.2f} s ({ratio:.1f} times one case)")
    print(f"first search through all texts: {search:.2f} s")
    print(f"bound {BOUND:g} s: {'kept' if found[1] < BOUND else 'BROKEN'}")
    return int(found[1] >= BOUND)


if __name__ == "__main__":
    sys.exit(main())
