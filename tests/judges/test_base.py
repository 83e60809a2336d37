"""What every judge takes."""

import asyncio
import sys

import pytest

from magistrate.errors import ConfigurationError
from magistrate.judges import (
    BaseJudge,
    Extract,
    Grade,
    Judge,
    ScoreReply,
    StatementsReply,
    VerdictsReply,
    Verify,
    WrappedJudge,
    as_judge,
    list_of_texts,
    makes_calls,
    resolve_judge,
)
from magistrate.judges.llm import LLMJudge
from magistrate.judges.offline import OfflineJudge
from magistrate.testing import FakeClient
from magistrate.verdict import BINARY, StatementVerdict, Status, Verdict

TEXT = "The ferry leaves at noon."
WRONG = [TEXT, None, 5, b"ferry"]


@pytest.mark.parametrize("texts", [[TEXT], (TEXT,), iter([TEXT]), {TEXT: 1}])
def test_whatever_holds_texts_is_a_list_of_them(texts):
    assert list_of_texts(texts, "contexts") == (TEXT,)


@pytest.mark.parametrize("wrong", [*WRONG, [TEXT, 5], [None]])
@pytest.mark.parametrize("make", [OfflineJudge, lambda: LLMJudge("scripted", client=FakeClient([]))])
def test_no_judge_judges_a_text_letter_by_letter_nor_what_holds_no_texts(make, wrong):
    judge = make()
    for ask, given in (
        (judge.verify, ([TEXT], wrong)),
        (judge.verify, (wrong, [TEXT])),
        (judge.extract_and_verify, (TEXT, wrong)),
    ):
        with pytest.raises(TypeError, match=r"is a list of texts|is a text, not"):
            asyncio.run(ask(*given))
    with pytest.raises(TypeError, match="statements"):
        judge.verify_sync(wrong, [TEXT])


def verdicts(statements):
    """That all of them are supported."""
    return VerdictsReply(
        tuple(
            StatementVerdict(index=at, id=f"s{at + 1}", statement=one, verdict=Verdict.SUPPORTED)
            for at, one in enumerate(statements)
        )
    )


class OneMethod(BaseJudge):
    name = "one"

    async def ask(self, question, /):
        match question:
            case Extract(text=text):
                return StatementsReply((text,))
            case Verify(statements=statements):
                return verdicts(statements)
            case Grade(high=high):
                return ScoreReply(high)


class ThreeMethods(BaseJudge):
    name = "three"

    async def extract(self, text, **_):
        return StatementsReply((text,))

    async def verify(self, statements, _contexts, **_):
        return verdicts(statements)

    async def grade(self, _rubric, _fields, *, high, **_):
        return ScoreReply(high)


class Foreign:
    """Derives from nothing."""

    name = "foreign"
    can_grade = False
    ask = OneMethod.ask


class ForeignMethods:
    name = "foreign methods"
    extract, verify, grade = ThreeMethods.extract, ThreeMethods.verify, ThreeMethods.grade


class TestAJudgeOfOnesOwn:
    @pytest.fixture(params=[OneMethod, ThreeMethods, Foreign, ForeignMethods])
    def judge(self, request):
        return request.param()

    def test_answers_questions_and_methods_alike(self, judge):
        made = WrappedJudge(as_judge(judge))
        assert isinstance(made, Judge)
        assert made.name == judge.name
        questions = [
            (Extract(TEXT), made.extract_sync(TEXT)),
            (Verify([TEXT], ["c"]), made.verify_sync([TEXT], ["c"], scale="binary")),
            (Grade("r", {"a": "x"}, low=0, high=4), made.grade_sync("r", {"a": "x"}, low=0, high=4)),
        ]
        for question, reply in questions:
            assert asyncio.run(made.ask(question)) == reply
        assert resolve_judge(judge) is judge

    def test_can_do_what_the_judge_can_that_is_wrapped(self):
        assert as_judge(Foreign()).can_grade is False

    @pytest.mark.parametrize("base", [OneMethod, ThreeMethods, OfflineJudge])
    def test_that_derives_from_another_may_override_a_method_and_call_the_one_below(self, base):
        class Derived(base):
            async def verify(self, statements, contexts, **options):
                reply = await super().verify(statements, contexts, **options)
                return VerdictsReply(reply.verdicts, Status.PARTIAL)

        for judge in (Derived(), WrappedJudge(Derived()), type("Again", (Derived,), {})()):
            assert asyncio.run(judge.ask(Verify([TEXT], [TEXT]))).status is Status.PARTIAL
            assert asyncio.run(judge.verify([TEXT], [TEXT])).verdicts[0].verdict is Verdict.SUPPORTED
            assert asyncio.run(judge.extract(TEXT)).statements == (TEXT,)

    def test_that_lacks_a_method_is_named_with_it(self):
        with pytest.raises(ConfigurationError, match="'three' has no method 'extract_and_verify'"):
            asyncio.run(WrappedJudge(ThreeMethods()).extract_and_verify(TEXT, ["c"]))
        with pytest.raises(ConfigurationError, match="'foreign methods' has no method 'structured'"):
            asyncio.run(as_judge(ForeignMethods()).text("prompt"))


class TestQuestions:
    def test_that_are_equal_are_one_key(self):
        assert len({Verify([TEXT], ["c"]), Verify((TEXT,), ("c",)), Verify([TEXT], ["c"], scale=BINARY)}) == 2
        assert len({Grade("r", {"a": "x"}, low=0, high=h) for h in (1, 2, 1)}) == 2

    @pytest.mark.parametrize("wrong", [lambda: Extract(TEXT, limit=0), lambda: Grade("r", {}, low=1, high=1)])
    def test_out_of_range_are_refused(self, wrong):
        with pytest.raises(ConfigurationError):
            wrong()


class TestNames:
    @pytest.mark.parametrize("name", [None, "offline", " Offline "])
    def test_the_offline_judge(self, name):
        assert isinstance(resolve_judge(name), OfflineJudge)
        with pytest.raises(ConfigurationError, match="api_base"):
            resolve_judge(name, api_base="http://127.0.0.1")

    def test_a_model(self):
        judge = resolve_judge("gpt-4o", client=FakeClient([]), quotes=True)
        assert isinstance(judge, LLMJudge)
        assert judge.describe()["quotes"]

    @pytest.mark.parametrize("name", ["JUDGE", "Own", "make"])
    def test_a_judge_of_ones_own(self, name, tmp_path, monkeypatch):
        module = f"own_judge_{name.lower()}"
        made = "class Own(BaseJudge):\n    name = 'own'\nJUDGE = Own()\ndef make(): return Own()\n"
        (tmp_path / f"{module}.py").write_text(f"from magistrate import BaseJudge\n{made}")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", [*sys.path])
        assert resolve_judge(f"judge:{module}:{name}").name == "own"

    @pytest.mark.parametrize(
        "wrong", [object(), OfflineJudge, 5, "nli: ", "nli:nowhere", "judge:no_such_module:Name", "judge:os:path"]
    )
    def test_what_is_no_judge_is_refused(self, wrong):
        with pytest.raises(ConfigurationError):
            resolve_judge(wrong)

    def test_which_make_calls(self):
        names = ("offline", "nli:folder", "judge:module:Name", "local:a.gguf", "gpt-4o")
        assert [makes_calls(name) for name in names] == [False, False, False, True, True]
