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
WRONG = [
    (TEXT, "is a list of texts, not one text"),
    (None, "is a list of texts, not None"),
    (5, "is a list of texts, not int"),
    (b"ferry", "is a list of texts, not bytes"),
]


class TestListOfTexts:
    @pytest.mark.parametrize("texts", [[TEXT], (TEXT,), iter([TEXT]), {TEXT: 1}])
    def test_whatever_holds_texts_is_a_list_of_them(self, texts):
        assert list_of_texts(texts, "contexts") == (TEXT,)

    @pytest.mark.parametrize(("texts", "said"), [*WRONG, ([TEXT, 5], "s[1] is a text, not int"), ([None], "s[0] is a")])
    def test_a_text_alone_and_what_holds_no_texts_is_refused(self, texts, said):
        with pytest.raises(TypeError) as caught:
            list_of_texts(texts, "contexts")
        assert said in str(caught.value)


class TestJudges:
    @pytest.fixture(params=["offline", "llm"])
    def judge(self, request):
        return OfflineJudge() if request.param == "offline" else LLMJudge("scripted", client=FakeClient([]))

    @pytest.mark.parametrize("texts", [texts for texts, _ in WRONG])
    def test_none_judges_a_text_letter_by_letter(self, judge, texts):
        for statements, contexts in (([TEXT], texts), (texts, [TEXT])):
            with pytest.raises(TypeError, match="is a list of texts"):
                judge.verify_sync(statements, contexts)
            with pytest.raises(TypeError, match="is a list of texts"):
                asyncio.run(judge.verify(statements, contexts))
        with pytest.raises(TypeError, match="contexts is a list of texts"):
            asyncio.run(judge.extract_and_verify(TEXT, texts))


def verdicts(statements):
    entries = [
        StatementVerdict(index=at, id=f"s{at + 1}", statement=text, verdict=Verdict.SUPPORTED)
        for at, text in enumerate(statements)
    ]
    return VerdictsReply(tuple(entries))


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

    def test_a_folder_of_an_entailment_model(self):
        with pytest.raises(ConfigurationError, match="there is no folder nowhere"):
            resolve_judge("nli:nowhere")

    def test_a_model(self):
        judge = resolve_judge("gpt-4o", client=FakeClient([]), quotes=True)
        assert isinstance(judge, LLMJudge)
        assert judge.describe()["quotes"]

    @pytest.mark.parametrize("name", ["JUDGE", "Own", "make"])
    def test_a_judge_of_ones_own(self, name, tmp_path, monkeypatch):
        module = f"own_judge_{name.lower()}"
        made = "class Own(BaseJudge):\n    name = 'own'\nJUDGE = Own()\ndef make(): return Own()\n"
        text = f"from magistrate import BaseJudge\n{made}"
        (tmp_path / f"{module}.py").write_text(text)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", [*sys.path])
        assert resolve_judge(f"judge:{module}:{name}").name == "own"

    @pytest.mark.parametrize(
        "wrong", [object(), OfflineJudge, 5, "nli: ", "judge:no_such_module:Name", "judge:os:path"]
    )
    def test_what_is_no_judge_is_refused(self, wrong):
        with pytest.raises(ConfigurationError):
            resolve_judge(wrong)

    def test_which_make_calls(self):
        names = ("offline", "nli:folder", "judge:module:Name", "local:a.gguf", "gpt-4o")
        assert [makes_calls(name) for name in names] == [False, False, False, True, True]
