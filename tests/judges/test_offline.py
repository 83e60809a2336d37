import pickle
import tomllib
from pathlib import Path
from typing import NamedTuple

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


class Story(NamedTuple):
    context: str
    supported: str
    elsewhere: str
    """Nothing of it is in the context."""
    wrong_number: str
    silent: str
    """That the source says nothing about something."""


DATA = tomllib.loads((Path(__file__).parents[1] / "data" / "offline_stories.toml").read_text("utf-8"))
STORIES = {code: Story(**story) for code, story in DATA.items()}
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

    @LANGUAGES
    def test_that_the_source_is_silent_is_not_judged(self, story):
        found = verdict(story.silent, story.context)
        assert (found.verdict, found.probability, codes(found)) == (None, None, [IssueCode.MISSING_VERDICT])

    @LANGUAGES
    def test_an_answer_in_another_language_is_not_judged(self, story):
        for other in STORIES.values():
            if other is not story:
                answer = [story.supported, story.elsewhere, story.wrong_number]
                reply = JUDGE.verify_sync(answer, [other.context])
                assert reply.status is Status.REFUSED
                assert [codes(found) for found in reply] == [[IssueCode.LANGUAGE_MISMATCH]] * 3

    @LANGUAGES
    def test_a_context_in_another_language_leaves_it_open(self, story):
        other = ENGLISH if story is not ENGLISH else STORIES["de"]
        contexts = [story.context, other.context]
        assert verdict(story.supported, *contexts).verdict is Verdict.SUPPORTED
        assert codes(verdict(story.elsewhere, *contexts)) == [IssueCode.LANGUAGE_MISMATCH]


class TestTraditionalAndSimplifiedChinese:
    def test_are_not_compared(self):
        context = "這座燈塔由工程師海倫·馬什於1874年建造，燈光在30公里外都能看到。"
        assert codes(verdict("这座灯塔由工程师海伦·马什于1874年建造。", context)) == [IssueCode.LANGUAGE_MISMATCH]


class TestScales:
    @pytest.mark.parametrize(("scale", "no"), [(BINARY, Verdict.UNSUPPORTED), (GRADED, Verdict.NOT_ENOUGH_INFO)])
    def test_what_is_not_found_is_called_as_the_scale_has_it(self, scale, no):
        assert verdict(ENGLISH.elsewhere, scale=scale).verdict is no
        assert verdict(ENGLISH.supported, scale=scale).verdict is Verdict.SUPPORTED

    def test_a_scale_without_a_word_for_it_gets_no_verdict(self):
        scale = Scale("truth", (Verdict.SUPPORTED, Verdict.CONTRADICTED))
        found = verdict(ENGLISH.elsewhere, scale=scale)
        assert found.verdict is None
        assert codes(found) == [IssueCode.MISSING_VERDICT]
        assert "truth" in found.issues[0].message


POINT = "The lighthouse on Skerry Point is"


class TestDoubt:
    def test_is_flagged_in_the_middle(self):
        found = verdict("The lamp of the lighthouse can be rented by engineers.")
        assert UNSURE[0] <= found.probability <= UNSURE[1]
        assert codes(found) == [IssueCode.LOW_CONFIDENCE]

    @pytest.mark.parametrize(
        ("statement", "context", "issues"),
        [
            # Words cannot tell; that is why it is flagged: one side alone denies, a number stands elsewhere.
            (f"{POINT} open in winter.", f"{POINT} not open in winter.", [IssueCode.LOW_CONFIDENCE]),
            (
                f"{POINT} 58 metres tall.",
                f"{POINT} 42 metres tall. The lighthouse on Gull Rock is 58 metres tall.",
                [IssueCode.LOW_CONFIDENCE],
            ),
            (ENGLISH.supported, ENGLISH.context, []),
        ],
    )
    def test_is_flagged_where_words_agree_and_what_they_say_may_not(self, statement, context, issues):
        found = verdict(statement, context)
        assert (found.verdict, codes(found)) == (Verdict.SUPPORTED, issues)


class TestReasons:
    def test_name_what_is_missing_as_it_is_written(self):
        reason = verdict("The lighthouse was designed by Olaf Berg in 1901.").reason
        assert "names not there: Olaf, Berg" in reason
        assert "numbers not there: 1901" in reason
        assert "words not there: designed" in reason

    def test_of_a_long_list_show_the_first(self):
        statement = "Gulls, seals, crabs, herrings, puffins, mussels, otters and cormorants live near the lighthouse."
        assert verdict(statement).reason.endswith("...")

    def test_of_chinese_show_the_characters_that_are_missing(self):
        assert "红色" in verdict("灯塔高42米红色", STORIES["zh"].context).reason


class TestWhatDoesNotCount:
    @cases("offline: marks of layout and citation and courtesies")
    def test_marks_of_layout_and_citation_and_courtesies(self, dressed):
        plain = verdict(ENGLISH.supported)
        found = verdict(dressed.format(ENGLISH.supported))
        assert (found.verdict, found.probability, found.reason) == (plain.verdict, plain.probability, plain.reason)

    def test_how_a_number_is_written(self):
        assert verdict(
            "The harbour earned 1.2 million euros.", "The harbour earned 1,200,000 euros in all."
        ).verdict is (Verdict.SUPPORTED)


class TestNoVerdict:
    @cases("offline: on what states nothing")
    def test_on_what_states_nothing(self, statements, code):
        for found in JUDGE.verify_sync(statements, [ENGLISH.context]):
            assert (found.verdict, codes(found)) == (None, [code])

    @pytest.mark.parametrize("contexts", [[], [""], [" \n", "\t"]])
    def test_without_a_context(self, contexts):
        reply = JUDGE.verify_sync([ENGLISH.supported, ""], contexts)
        assert reply.status is Status.NO_CONTEXT
        assert [found.verdict for found in reply] == [None, None]
        assert all(found.issues for found in reply)

    @cases("offline: on what its speaker does not know")
    def test_on_what_its_speaker_does_not_know(self, statement):
        assert verdict(statement, "The fee is 12 euros. La tarifa. Der Preis. Le prix.").verdict is None

    @pytest.mark.parametrize(
        "statement", ["The harbour does not open on Mondays.", "The ferry company has no ships.", "No ship may enter."]
    )
    def test_but_a_denial_is_judged(self, statement):
        assert verdict(statement).verdict is not None


class TestNames:
    def test_a_list_of_names_is_judged_in_any_script(self):
        assert verdict("Skerry Point", "灯塔在 Skerry Point 上，由 Helen Marsh 设计。").verdict is Verdict.SUPPORTED

    def test_a_declined_name_is_the_same_name(self):
        context = "В 1874 году маяк построила Мария Маршова из Осло."
        assert "names not there" not in verdict("Маяк был построен Марией Маршовой.", context).reason


class TestReplies:
    def test_on_nothing_are_vacuous(self):
        assert JUDGE.verify_sync([], [ENGLISH.context]).status is Status.VACUOUS


class TestExtract:
    @pytest.mark.parametrize("options", [{"kind": "claims"}, {"kind": "truths", "limit": 1}])
    async def test_gives_the_sentences_of_truths_so_many_as_are_wanted(self, options):
        reply = await JUDGE.extract("Hello! The lamp is lit. It is old.", **options)
        assert list(reply) == ["The lamp is lit.", "It is old."][: options.get("limit")]
        assert reply.status is Status.SCORED

    @pytest.mark.parametrize("text", ["", " ", "Thank you!", "---"])
    async def test_of_nothing_stated_is_vacuous(self, text):
        reply = await JUDGE.extract(text)
        assert (reply.statements, reply.status) == ((), Status.VACUOUS)


class TestGrade:
    async def test_is_refused(self):
        reply = await JUDGE.grade("Is it polite?", {"answer": "Hello!"}, low=0, high=1)
        assert (reply.value, reply.status) == (None, Status.REFUSED)
        assert [issue.code for issue in reply.issues] == [IssueCode.REFUSAL]
        assert "cannot grade" in reply.issues[0].message


class TestTheJudge:
    def test_travels_between_processes(self):
        assert pickle.loads(pickle.dumps(JUDGE)).name == "offline"


PIECES = st.sampled_from(
    [
        *(text for story in STORIES.values() for text in story),
        "The text does not say.",
        "[1]",
        "\n- ",
        "12,5 %",
        "...",
        "not ",
        "🙂",
        "\x00",
        "\ud800",
    ]
)
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
