"""The HTML report as its reader meets it: in Chromium, with mouse, keyboard and paper."""

import json
import os
import shutil
from dataclasses import replace

import pytest
from tests.case_tables import cases_of
from tests.making import make_call, make_result, make_run

from magistrate.evaluation.believing.labels import Task
from magistrate.evaluation.comparison import compare_with
from magistrate.evaluation.gate import Gate, check
from magistrate.evaluation.laws import LawResult, exact_laws
from magistrate.judges import Verify
from magistrate.judges.llm.reading import read_verdicts
from magistrate.records import Completion, Usage
from magistrate.report.html.page import MAX_CASES, write_html, write_label_page
from magistrate.report.view import RunView
from magistrate.scoring import score_verdicts

cases = cases_of(__file__)

pytestmark = pytest.mark.browser

CONTEXTS = (
    "The archive opens at nine. The reading room has forty seats, six of them for visitors with a card.",
    "Copies cost thirty cents a page. Maps larger than A2 are not copied.",
)
ROOM = ("The reading room has forty seats.", "supported", "The first passage says so.", CONTEXTS[0][27:62])
COPY = ("Copies cost fifty cents a page.", "contradicted", "The passage says thirty.", CONTEXTS[1][:32])
LUNCH = ("Lunch is served on Sundays.", "not_enough_info", "Nothing about lunch.", None)
EVIL = "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'></script><b>bold</b>"
WIDTHS = (1440, 900, 390)


def judged(index, rows, *, answer=None, refused=False, **case):
    """A case with the reply that a judge gave on it, read as any reply is."""
    statements = tuple(row[0] for row in rows)
    given = [
        {"id": f"s{i}", "verdict": verdict, "reason": reason, "quotes": [quote] if quote else []}
        for i, (_, verdict, reason, quote) in enumerate(rows, 1)
    ]
    text = "I am sorry, but I cannot help with that." if refused else json.dumps({"verdicts": given})
    call = make_call(Completion(text, "stop", usage=Usage(1, 0, 10, 10, 0.001, 5.0)), tuple(range(len(rows))))
    fields = {"id": f"case-{index}", "question": "When is it open?", "contexts": CONTEXTS, **case}
    read = read_verdicts([call], Verify(statements, fields["contexts"]))
    score = score_verdicts(read.verdicts, status=read.status)
    metric = {"statements": statements, "issues": read.issues, "calls": read.calls, "usage": read.usage}
    found = {"verdicts": read.verdicts, "bounds": score.bounds, "metric": metric}
    fields["answer"] = " ".join(statements) if answer is None else answer
    return make_result(index, score.value, read.status, **found, **fields)


def plain_run(n=40, *, better=False):
    results = []
    for index in range(n):
        bad = index % 3 == 1 and not (better and index % 2)
        rows = [ROOM, COPY, LUNCH] if bad else [ROOM]
        category = ("hours", "fees")[index % 2]
        results.append(judged(index, rows, refused=index % 10 == 5, category=category, id=f"case-{index:04d}"))
    return make_run(results)


def hostile_run():
    rows = [(EVIL, "contradicted", EVIL, EVIL), ("x", "supported", "long " * 200_000, None)]
    rtl = [("\u202eevil \u05e9\u05dc\u05d5\u05dd", "supported", "\u0645\u0631\u062d\u0628\u0627", None)]
    return make_run(
        [
            judged(0, rows, id=EVIL, question=EVIL, category=EVIL, contexts=(EVIL, "x")),
            judged(1, rtl, id="rtl", question="\u202egnorw \x1b[31m", category="__proto__"),
            judged(2, [ROOM], id="a/b?c#d%&=é", question="in an address"),
        ]
    )


def checked_run(name="case"):
    """A run that was judged three times, held against gates, laws and two baselines, as `write_html` takes it."""
    results = []
    for index in range(12):
        scores = [1.0, 0.5, 1.0] if index == 4 else [1.0] * 3 if index % 3 else [1 / 3] * 3
        one = judged(index, [ROOM] if index % 3 else [ROOM, COPY, LUNCH], id=f"{name}-{index:02d}", refused=index == 11)
        outcomes = ["pass" if score >= 0.7 else "fail" for score in scores]
        repeats = {
            "n": 3,
            "scores": scores,
            "statuses": ["scored"] * 3,
            "outcomes": outcomes,
            "flip_rate": 2 / 3 if len(set(outcomes)) > 1 else 0.0,
            "verdict_flip_rate": 0.0,
        }
        metric = replace(one.metrics["faithfulness"], details={"repeats": repeats})
        results.append(replace(one, metrics={"faithfulness": metric}))
    run = make_run(results, repeat=3)
    worse = make_run([judged(i, [ROOM, COPY], id=f"{name}-{i:02d}") for i in range(12)])
    better = make_run([judged(i, [ROOM], id=f"{name}-{i:02d}") for i in range(12)])
    baselines = [compare_with(run, better, f"better {name}"), compare_with(run, worse, f"worse {name}")]
    broken = LawResult(law="contradiction", kind="measured", tolerance=0.05)
    broken.count(f"{name}-01", kept=False, detail=f"s1 not_enough_info -> supported: {name}")
    broken.count(f"{name}-02", kept=True, detail="")
    gates = [Gate(threshold=0.9, min_coverage=0.95, max_drop=0.05)]
    checks = check(run.summary, gates, baselines[0])
    return {"run": run, "checks": checks, "baselines": baselines, "laws": [*exact_laws(run.results), broken]}


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    named = os.environ.get("MAGISTRATE_CHROMIUM")
    path = named or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


class Reader:
    """Somebody in front of the report.

    Args:
        page: The page of the browser.
        file: The report.
    """

    def __init__(self, page, file):
        self.page = page
        self.address = file.as_uri()
        self.trouble = []
        self.clicks = 0
        page.on("console", lambda message: self.trouble.append(message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("dialog", lambda dialog: self.trouble.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: request.url.startswith("file:") or self.trouble.append(request.url))

    def open(self, where=""):
        self.page.goto("about:blank")
        self.page.goto(self.address + where)
        self.page.wait_for_selector("#overview:not([hidden]), #detail > *", state="attached")
        return self

    def click(self, selector):
        self.clicks += 1
        self.page.locator(selector).first.click()

    def see(self, selector):
        found = self.page.locator(selector).first
        found.wait_for()
        return found

    def count(self):
        self.page.wait_for_timeout(250)
        return str(self.page.locator("#found").inner_text())


@pytest.fixture
def reader(browser, tmp_path):
    pages = []

    def read(run, *, width=1440, scheme="light", most=MAX_CASES, **given):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        pages.append(Reader(page, write_html(RunView(run, **given), tmp_path / f"report-{len(pages)}.html", most=most)))
        return pages[-1]

    yield read
    for each in pages:
        each.page.close()
    assert [trouble for each in pages for trouble in each.trouble] == []


@pytest.fixture
def compared(reader):
    run = plain_run()
    return reader(run, baselines=[compare_with(run, plain_run(better=True), "older")])


class TestSixTasksInThreeClicksEach:
    def test_the_worst_statement(self, compared):
        compared.open()
        compared.click(".worst a")
        assert "Copies cost fifty cents" in compared.see(".statement.chosen").inner_text()
        assert compared.clicks <= 3

    def test_its_evidence(self, compared):
        compared.open()
        compared.click(".worst a")
        compared.click(".statement.chosen .quote button")
        assert compared.see(".context .evidence.on").inner_text() == COPY[3]
        assert compared.see(".context .evidence.on").is_visible()
        assert compared.clicks <= 3

    def test_why_a_case_has_no_score(self, compared):
        compared.open()
        compared.click("a:text-is('refused')")
        compared.click(".row")
        assert "refused to answer" in compared.see(".headline").inner_text()
        assert compared.clicks <= 3

    def test_which_cases_flipped(self, compared):
        compared.open()
        named = compared.page.locator(".flips a").all_inner_texts()
        compared.click("a:text('filter the cases by these')")
        assert compared.count() == f"{len(named)} of 40 cases"
        assert compared.page.locator(".row .id").all_inner_texts() == named
        assert compared.clicks <= 3

    def test_the_raw_reply_with_what_was_read_from_it(self, compared):
        compared.open()
        compared.click(".worst a")
        compared.click("#replies summary")
        marked = compared.see("#replies .parsed.v-contradicted")
        assert json.loads(marked.inner_text())["id"] == "s2"
        assert compared.clicks <= 3

    def test_the_failures_of_one_category(self, compared):
        compared.open()
        compared.click("a[aria-label$='fail, fees, faithfulness']")
        compared.see(".row")
        assert set(compared.page.locator(".row .cat").all_inner_texts()) == {"fees"}
        assert set(compared.page.locator(".row .chip").all_inner_texts()) == {"fail"}
        assert compared.clicks <= 3


class TestChecks:
    @pytest.fixture
    def checked(self, reader):
        return reader(**checked_run()).open()

    def test_a_gate_that_fails_names_its_cases_and_leads_to_them(self, checked):
        gate = checked.see(".gates li:has-text('faithfulness drop')")
        assert "fail" in gate.inner_text()
        checked.click(".gates li:has-text('faithfulness drop') summary")
        assert "case-00" in gate.inner_text()
        checked.click(".gates li:has-text('faithfulness drop') .flips a")
        assert checked.see("#case-title").inner_text() == "case-00"
        assert checked.clicks <= 3

    def test_laws_are_shown_with_their_rate_and_the_cases_that_broke_them(self, checked):
        laws = checked.see("section:has(h2:text('Laws of the evaluation'))")
        cells = laws.locator("tr:has-text('contradiction'):has-text('of the judge') > *").all_inner_texts()
        assert cells == ["contradiction", "fail", "of the judge", "1 of 2", "50 %", "5 %", "0"]
        assert laws.locator("tr:has-text('of scoring') .o-pass").count() == 6
        checked.click("summary:has-text('contradiction, measured: 1 violation')")
        checked.click(".offences a")
        assert checked.see("#case-title").inner_text() == "case-01"

    def test_stability_is_shown_with_flip_rates_noise_and_the_unstable_cases(self, checked):
        section = checked.see("section:has(h2:text('Stability of the judge'))")
        row = section.locator("tbody tr").inner_text()
        assert "3 times" in row
        assert "\u00b1 0." in row
        checked.click("summary:has-text('the outcome of 1 case is unstable')")
        assert "case-04 flips 66.7 %" in section.inner_text()
        checked.open("#/case/case-04")
        assert "Judged 3 times: 1.000, 0.500, 1.000" in checked.see(".headline").inner_text()

    def test_flips_can_be_filtered_by_each_of_several_baselines(self, checked):
        names = checked.page.locator("#f-flip option").all_inner_texts()
        assert names[3:] == [f"now {verb}: {name} case" for name in ("better", "worse") for verb in ("fails", "passes")]
        checked.open("#/cases?flip=lost-1")
        assert checked.count() == "4 of 12 cases"
        checked.open("#/cases?flip=lost-2")
        assert checked.count() == "0 of 12 cases"
        checked.page.select_option("#f-flip", "gained-2")
        assert checked.count() == "7 of 12 cases"
        checked.page.select_option("#f-flip", "lost")
        assert checked.count() == "4 of 12 cases"

    def test_names_are_texts_there_too(self, reader):
        report = reader(**checked_run(EVIL)).open()
        report.page.evaluate("document.querySelectorAll('details').forEach((node) => (node.open = true))")
        assert "<script>window" in report.see("#overview").inner_text()
        report.open("#/cases?flip=lost-1")
        assert report.count() == "4 of 12 cases"
        assert report.page.evaluate("typeof window.pwned") == "undefined"
        assert report.page.locator("#app img, #app script, #app b").count() == 0


def test_evidence_of_two_statements_on_the_same_words_each_leads_to_their_context(reader):
    other = ("Copies are free.", "contradicted", "They cost money.", COPY[3])
    report = reader(make_run([judged(0, [COPY, other])])).open("#/case/case-0?s=s1")
    report.click("#st-1 .quote button")
    assert "Copies cost thirty" in report.see(".context:focus, .context .evidence:focus").inner_text()


class TestFilters:
    @cases("html_in_browser: each leaves the cases it names")
    def test_each_leaves_the_cases_it_names(self, compared, name, value, expected):
        compared.open("#/cases")
        figures = {
            "outcome": lambda: sum(r.score == 1.0 for r in plain_run().results),
            "verdict": lambda: sum(len(r.verdicts) > 1 and r.score is not None for r in plain_run().results),
        }
        if value in {"pass", "contradicted"}:
            expected = f"{figures[name]()} of 40 cases"
        compared.page.select_option(f"#f-{name}", value)
        assert compared.count() == expected

    def test_filters_are_in_the_address_and_come_back_with_it(self, compared):
        compared.open("#/cases")
        compared.page.select_option("#f-category", "fees")
        compared.page.select_option("#f-outcome", "fail")
        compared.count()
        again = compared.page.url.removeprefix(compared.address)
        expected = compared.count()
        compared.open(again)
        assert compared.count() == expected
        assert compared.page.input_value("#f-category") == "fees"


class TestLinks:
    def test_one_leads_to_a_statement(self, compared):
        compared.open("#/case/case-0001?s=s2")
        assert "s2" in compared.see(".statement.chosen .sid").inner_text()

    def test_an_id_may_hold_anything(self, reader):
        report = reader(hostile_run()).open("#/cases?q=address")
        report.click(".row")
        assert report.see("#case-title").inner_text() == "a/b?c#d%&=é"
        report.open(report.page.url.removeprefix(report.address))
        assert report.see("#case-title").inner_text() == "a/b?c#d%&=é"


def test_keyboard_a_case_is_found_and_opened_without_a_mouse(compared):
    compared.open()
    keys = compared.page.keyboard
    keys.press("/")
    compared.see("#f-q:focus")
    compared.page.focus("#rows")
    for key in ("Home", "ArrowDown", "ArrowDown", "Enter"):
        keys.press(key)
    assert compared.see("#case-title").inner_text() == "case-0002"
    keys.press("j")
    compared.see("#case-title:text-is('case-0003')")
    keys.press("k")
    compared.see("#case-title:text-is('case-0002')")
    keys.press("Escape")
    compared.see("body[data-view=cases]")
    keys.press("o")
    compared.see("#overview .tile")


class TestHostileText:
    def test_it_is_shown_and_does_nothing(self, reader):
        report = reader(hostile_run())
        for where in ("", "#/cases", "#/cases?q=pwned"):
            report.open(where)
        report.click(".row")
        assert report.see("#case-title").inner_text() == EVIL
        assert EVIL in report.see(".statement").inner_text()
        report.click("#replies summary")
        assert report.page.evaluate("typeof window.pwned") == "undefined"
        assert report.page.locator("#app img, #app script, #app b").count() == 0

    def test_marks_that_turn_text_around_are_seen_and_turn_nothing(self, reader):
        report = reader(hostile_run()).open("#/case/rtl")
        text = report.see(".statement .text").inner_text()
        assert "\u202e" not in text
        assert text.startswith("\u2426evil")
        assert report.page.locator("#app").inner_text().count("\x1b") == 0


class TestLargeRuns:
    def test_of_five_thousand_rows_only_those_in_sight_are_there(self, reader):
        report = reader(plain_run(5000)).open("#/cases")
        assert report.count() == "5,000 cases"
        assert report.page.locator(".row").count() < 60
        report.page.focus("#rows")
        report.page.keyboard.press("End")
        assert report.see("[aria-selected=true] .id").inner_text() == "case-4999"
        report.page.keyboard.press("Enter")
        assert report.see("#case-title").inner_text() == "case-4999"

    def test_a_case_whose_texts_were_left_out_says_where_they_are(self, reader):
        report = reader(plain_run(), most=20).open("#/case/case-0039")
        assert "magistrate show" in report.see(".case .notice").inner_text()


class TestPaper:
    def test_the_list_becomes_a_table_and_what_is_folded_opens(self, compared):
        compared.open("#/cases")
        compared.count()
        compared.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert compared.page.locator("#paper tbody tr").count() == 40
        compared.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert compared.page.locator("#paper tbody tr").count() == 0

    @pytest.mark.parametrize("where", ["", "#/cases", "#/case/case-0001"])
    def test_every_view_can_be_printed(self, compared, where):
        compared.open(where)
        compared.page.wait_for_timeout(200)
        assert compared.page.pdf()[:5] == b"%PDF-"
        compared.page.emulate_media(media="print")
        assert not compared.page.locator(".views, .pane").first.is_visible()

    @pytest.mark.parametrize("where", ["", "#/case/case-00"])
    def test_it_is_dark_on_light_however_the_screen_is(self, reader, where):
        report = reader(scheme="dark", width=720, **checked_run()).open(where)
        report.page.evaluate("document.documentElement.dataset.theme = 'dark'")
        report.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        report.page.emulate_media(media="print")
        style = "getComputedStyle(document.querySelector('.chip.o-fail')).backgroundColor"
        assert report.page.evaluate(style) == "rgb(251, 218, 218)"
        assert report.page.evaluate("document.documentElement.scrollWidth") <= 720


class TestLayoutAndAccess:
    @pytest.mark.parametrize("width", WIDTHS)
    @pytest.mark.parametrize("where", ["", "#/cases", "#/case/case-00?s=s2&show=raw"])
    def test_nothing_sticks_out_sideways(self, reader, width, where):
        report = reader(width=width, **checked_run()).open(where)
        report.page.wait_for_timeout(200)
        assert report.page.evaluate("document.documentElement.scrollWidth") <= width

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize(
        ("width", "where"), [(1440, ""), (1440, "#/case/case-00?s=s2&show=raw"), (390, "#/cases"), (390, "")]
    )
    def test_axe_finds_no_violation(self, reader, scheme, width, where):
        from axe_playwright_python.sync_playwright import Axe

        report = reader(width=width, scheme=scheme, **checked_run()).open(where)
        report.page.evaluate("document.querySelectorAll('details').forEach((node) => (node.open = true))")
        report.page.wait_for_timeout(300)
        # axe's script comes in through the debugging protocol, which the page's policy does not bind.
        found = Axe().run(report.page)
        assert found.violations_count == 0, found.generate_report()


class TestLabelPage:
    @pytest.fixture
    def page(self, browser, tmp_path, request):
        width, scheme = request.param
        task = Task(
            case_id="case-1",
            question=EVIL,
            contexts=("A passage. " * 60, "unbroken" * 60),
            statements=(("s1", "The shop opens at nine."), ("s2", EVIL)),
            stratum=None,
            fingerprint="f",
        )
        write_label_page([task], tmp_path / "label.html")
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.goto((tmp_path / "label.html").as_uri())
        yield page
        page.close()

    @pytest.mark.parametrize("page", [(390, "light"), (390, "dark"), (1440, "light")], indirect=True)
    def test_it_is_whole_on_a_phone_and_axe_finds_no_violation(self, page):
        from axe_playwright_python.sync_playwright import Axe

        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        assert page.locator(".statement").inner_text() == "The shop opens at nine."
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.keyboard.press("y")
        assert page.locator(".statement").inner_text() == EVIL

    @pytest.mark.parametrize("page", [(720, "dark")], indirect=True)
    def test_printed_it_is_dark_on_light_and_without_keys(self, page):
        page.emulate_media(media="print")
        assert not page.locator(".keys").is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
