import pickle
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.judges.lexical._verdicts import UNSURE
from magistrate.judges.offline import OfflineJudge
from magistrate.records import Usage
from magistrate.verdict import BINARY, GRADED, TERNARY, IssueCode, Scale, Status, Verdict

cases = cases_of(__file__)

JUDGE = OfflineJudge()
DATA = tomllib.loads((Path(__file__).parents[1] / "data" / "offline_stories.toml").read_text("utf-8"))
STORIES = {code: SimpleNamespace(**story) for code, story in DATA.items()}
LANGUAGES = pytest.mark.parametrize("story", [pytest.param(story, id=code) for code, story in STORIES.items()])
ENGLISH = STORIES["en"]


def verdict(statement, *contexts, scale=TERNARY):
    (found,) = JUDGE.verify_sync([statement], contexts or [ENGLISH.context], scale=scale)
    return found


def codes(found):
    return [issue.code for issue in found.issues]


class TestInTwelveLanguages:
    @LANGUAGES
    def test_what_the_context_says_is_supported_and_quoted_from_it(self, story):
        contexts = ["", story.context]
        found = verdict(story.supported, *contexts)
        assert found.verdict is Verdict.SUPPORTED
        (evidence,) = found.evidence
        assert evidence.context == 1
        assert contexts[1][evidence.start : evidence.end] == evidence.quote
        assert "1874" in evidence.quote

    @LANGUAGES
    def test_what_it_says_nothing_of_is_not_and_a_number_that_is_not_there_is_named(self, story):
        elsewhere, wrong = (verdict(text, story.context) for text in (story.elsewhere, story.wrong_number))
        assert elsewhere.verdict is wrong.verdict is Verdict.NOT_ENOUGH_INFO
        assert elsewhere.probability < 0.2
        assert "numbers not there: 58" in wrong.reason
        silent = verdict(story.silent, story.context)  # that the source is silent is not judged
        assert (silent.verdict, silent.probability, codes(silent)) == (None, None, [IssueCode.MISSING_VERDICT])

    @LANGUAGES
    def test_another_language_is_not_judged_and_leaves_it_open_in_a_context(self, story):
        for other in STORIES.values():
            if other is not story:
                answer = [story.supported, story.elsewhere, story.wrong_number]
                reply = JUDGE.verify_sync(answer, [other.context])
                assert reply.status is Status.REFUSED
                assert [codes(found) for found in reply] == [[IssueCode.LANGUAGE_MISMATCH]] * 3
        contexts = [story.context, (ENGLISH if story is not ENGLISH else STORIES["de"]).context]
        assert verdict(story.supported, *contexts).verdict is Verdict.SUPPORTED
        assert codes(verdict(story.elsewhere, *contexts)) == [IssueCode.LANGUAGE_MISMATCH]


@cases("offline: verdicts of a statement")
def test_verdicts_of_a_statement(statement, given, told):
    scale = Scale("truth", [*map(Verdict, given["offers"])]) if "offers" in given else given.get("scale", TERNARY)
    found = verdict(statement, *given.get("contexts", ()), scale=scale)
    looks = {
        "codes": codes(found),
        "verdict": found.verdict,
        "unsure": UNSURE[0] <= (found.probability or 0) <= UNSURE[1],
    }
    looks["says"] = {text: text in str(found.reason) for text in told.get("says", ())}
    assert {name: looks[name] for name in told} == told


@cases("offline: marks of layout and citation and courtesies")
def test_marks_of_layout_and_citation_and_courtesies_do_not_count(dressed):
    plain, found = verdict(ENGLISH.supported), verdict(dressed.format(ENGLISH.supported))
    assert (found.verdict, found.probability, found.reason) == (plain.verdict, plain.probability, plain.reason)


@pytest.mark.parametrize("contexts", [[], [""], [" \n", "\t"]])
def test_without_a_context_there_is_no_verdict(contexts):
    reply = JUDGE.verify_sync([ENGLISH.supported, ""], contexts)
    assert reply.status is Status.NO_CONTEXT
    assert [found.verdict for found in reply] == [None, None]
    assert all(found.issues for found in reply)


class TestTheOtherQuestions:
    @cases("offline: statements of a text")
    async def test_extract_gives_the_sentences_of_truths_so_many_as_are_wanted(self, text, options, statements, status):
        reply = await JUDGE.extract(text, **options)
        assert (list(reply), reply.status) == (statements, status)

    async def test_grade_is_refused(self):
        reply = await JUDGE.grade("Is it polite?", {"answer": "Hello!"}, low=0, high=1)
        assert (reply.value, reply.status) == (None, Status.REFUSED)
        assert [issue.code for issue in reply.issues] == [IssueCode.REFUSAL]

    def test_on_nothing_are_vacuous_also_in_another_process(self):
        assert pickle.loads(pickle.dumps(JUDGE)).verify_sync([], [ENGLISH.context]).status is Status.VACUOUS


MARKS = ("The text does not say.", "[1]", "\n- ", "12,5 %", "...", "not ", "🙂", "\x00", "\ud800")
PIECES = st.sampled_from([*(text for story in DATA.values() for text in story.values()), *MARKS])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=4).map(" ".join))


@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4), st.sampled_from([BINARY, TERNARY, GRADED]))
def test_every_statement_gets_a_verdict_of_the_scale_or_a_named_reason(statements, contexts, scale):
    reply = JUDGE.verify_sync(statements, contexts, scale=scale)
    assert [found.statement for found in reply] == statements
    assert [(found.index, found.id) for found in reply] == [(at, f"s{at + 1}") for at in range(len(statements))]
    assert (reply.usage, reply.calls, reply.extra) == (Usage(), (), ())
    for found in reply:
        assert all(issue.index == found.index for issue in found.issues)
        assert found.verdict in (None, Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO, Verdict.UNSUPPORTED)
        assert found.verdict is None or found.verdict in scale.verdicts
        assert (found.verdict is None) <= bool(found.issues)
        for evidence in found.evidence:
            assert contexts[evidence.context][evidence.start : evidence.end] == evidence.quote


@given(st.sampled_from(sorted(STORIES)), st.text(alphabet=" \n\t", max_size=5))
def test_a_context_is_supported_by_itself(code, padding):
    context = STORIES[code].context
    sentence = context.replace("。", "。 ").replace("।", "। ").split(". ")[0]
    assert verdict(sentence, padding + context + padding).verdict is Verdict.SUPPORTED
