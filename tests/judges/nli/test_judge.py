"""The NLI judge, with a tiny model that is trained here."""

import asyncio
import copy
import os
import pickle
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto
from tests.case_tables import cases_of, tables_of
from tests.running import ran
from tests.tiny_nli import WORDS
from tokenizers import Tokenizer, normalizers

from magistrate.errors import ConfigurationError
from magistrate.judges import resolve_judge
from magistrate.judges.nli import NLIJudge
from magistrate.verdict import IssueCode, Status, Verdict

cases = cases_of(__file__)

FACTS = tables_of(__file__)["judge: facts"]
CONTEXTS = [" ".join(FACTS[:2]), FACTS[2], FACTS[3]]
SUPPORTED = "The cooper stores seven barrels."
DENIED = "The widow never counts nine jars."
OTHER = "The gardener sells green apples at the market."
UNRELATED = "The lodger paints white hives at the chapel."
STATEMENTS = [SUPPORTED, DENIED, OTHER, UNRELATED]


def verdicts(reply):
    return [entry.verdict for entry in reply]


def codes(entry):
    return [issue.code for issue in entry.issues]


class TestTheJudge:
    def test_tells_supported_contradicted_and_neither(self, judge):
        reply = judge.verify_sync(STATEMENTS, CONTEXTS)
        assert reply.status is Status.SCORED
        assert verdicts(reply) == ["supported", "contradicted", "contradicted", "not_enough_info"]
        assert [entry.id for entry in reply] == ["s1", "s2", "s3", "s4"]
        assert [entry.statement for entry in reply] == STATEMENTS
        assert reply[0].probability >= 0.9
        assert all(entry.probability < 0.1 for entry in reply[1:])

    def test_decides_by_its_threshold(self, orchard, judge):
        chance = judge.verify_sync([SUPPORTED], CONTEXTS)[0].probability
        for threshold, verdict in ((chance, Verdict.SUPPORTED), (chance + 1e-6, Verdict.NOT_ENOUGH_INFO)):
            own = NLIJudge(orchard, window_sentences=1, threshold=threshold)
            assert verdicts(own.verify_sync([SUPPORTED], CONTEXTS)) == [verdict]


class TestLabels:
    @pytest.mark.parametrize("labels", [("entailment", "not_entailment"), ("not_entailment", "entailment")], ids=str)
    def test_of_two_never_tell_contradicted(self, make_judge, labels):
        reply = make_judge(labels=labels).verify_sync(STATEMENTS, CONTEXTS)
        assert verdicts(reply) == [Verdict.SUPPORTED, *[Verdict.NOT_ENOUGH_INFO] * 3]

    def test_can_be_given_where_the_configuration_has_none(self, make_folder, make_judge, judge):
        folder = make_folder()
        (folder / "config.json").unlink()
        with pytest.raises(ConfigurationError, match=r"config\.json has no id2label"):
            NLIJudge(folder)
        own = make_judge(folder, judge={"labels": ("entailment", "neutral", "contradiction")})
        assert own.verify_sync(STATEMENTS, CONTEXTS) == judge.verify_sync(STATEMENTS, CONTEXTS)


@cases("judge: shapes of a model")
def test_shapes_give_the_same_verdicts(make_judge, judge, shape, batch_size):
    reply = make_judge(judge={"batch_size": batch_size}, **shape).verify_sync(STATEMENTS, CONTEXTS)
    expected = judge.verify_sync(STATEMENTS, CONTEXTS)
    assert verdicts(reply) == verdicts(expected)
    assert [e.probability for e in reply] == pytest.approx([e.probability for e in expected], abs=1e-6)
    assert [e.evidence for e in reply] == [e.evidence for e in expected]


class TestLongContexts:
    @pytest.mark.parametrize("options", [{"window_sentences": 3}, {"window_sentences": None}, {"window_tokens": 12}])
    def test_are_read_to_the_end(self, orchard, options):
        own = NLIJudge(orchard, **options)
        for place in (0, 57, 119):
            sentences = ["The miller opens the yard."] * 120
            sentences[place] = FACTS[1]
            context = " ".join(sentences)
            (entry,) = own.verify_sync([SUPPORTED], [context])
            assert entry.verdict is Verdict.SUPPORTED
            (evidence,) = entry.evidence
            assert FACTS[1] in evidence.quote == context[evidence.start : evidence.end]

    def test_without_an_end_of_a_sentence_are_read_too(self, judge):
        context = "the miller opens the yard and " * 300 + "the cooper stores seven barrels and " + "a mill and " * 300
        (entry,) = judge.verify_sync([SUPPORTED], [context])
        assert entry.verdict is Verdict.SUPPORTED
        (evidence,) = entry.evidence
        assert "stores seven barrels" in evidence.quote == context[evidence.start : evidence.end]

    def test_that_cannot_be_read_whole_leave_no_verdict(self, make_folder, make_judge):
        folder = make_folder(max_tokens=32)
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.normalizer = normalizers.Sequence([normalizers.Replace("§", "the " * 40), normalizers.Lowercase()])
        tokenizer.save(str(folder / "tokenizer.json"))
        judge = make_judge(folder)
        reply = judge.verify_sync([UNRELATED], ["§"])
        assert reply.status is Status.CONTEXT_TRUNCATED
        assert codes(reply[0]) == [IssueCode.CONTEXT_TRUNCATED]
        assert "context 1" in reply[0].issues[0].message
        assert verdicts(judge.verify_sync([SUPPORTED], ["§", FACTS[1]])) == [Verdict.SUPPORTED]

    def test_of_blanks_and_marks_hold_nothing(self, judge):
        (entry,) = judge.verify_sync([SUPPORTED], ["", "  \n", FACTS[1]])
        assert entry.evidence[0].context == 2


class TestAStatementWithoutAVerdict:
    @cases("judge: statements without a verdict")
    def test_says_why(self, judge, statement, code, message):
        reply = judge.verify_sync([SUPPORTED, statement], CONTEXTS)
        assert (reply.status, reply[1].verdict, codes(reply[1])) == (Status.PARTIAL, None, [code])
        assert message in reply[1].issues[0].message
        assert reply[1].issues[0].index == 1

    @cases("judge: nothing to judge")
    def test_is_all_there_is_where_there_is_nothing_to_judge(self, judge, statements, contexts, status):
        reply = judge.verify_sync(statements, contexts)
        assert (reply.status, verdicts(reply)) == (status, [None] * len(statements))
        assert all(entry.issues for entry in reply)

    def test_may_have_unknown_words_and_a_verdict(self, judge):
        (entry,) = judge.verify_sync(["The cooper stores seven zebra barrels."], CONTEXTS)
        assert entry.verdict is not None
        assert "zebra" in entry.issues[0].message
        assert codes(entry)[-1] is IssueCode.LOW_CONFIDENCE

    def test_stands_where_no_context_is_in_known_words(self, judge):
        (entry,) = judge.verify_sync([SUPPORTED], ["Zebras dance quietly under okapis."])
        assert codes(entry) == [IssueCode.LANGUAGE_MISMATCH]


class TestAModelThatFails:
    @pytest.fixture
    def broken(self, make_judge, judge, spoiled):
        """A judge whose model cannot be run on hives, and gives no number for nets."""
        hives, nets = (judge._model.read(word).encoding.ids[0] for word in ("hives", "nets"))

        def change(nodes, logits):
            far = nodes.add("Mul", [nodes.holds(hives), nodes.constant(np.float32(9))])
            place = nodes.add("Cast", [far], to=TensorProto.INT64)
            zero = nodes.add("Gather", [nodes.constant(np.zeros(2, np.float32)), place])
            none = nodes.add("Cast", [nodes.holds(nets)], to=TensorProto.BOOL)
            return nodes.add("Where", [none, nodes.constant(np.float32("nan")), nodes.add("Add", [logits, zero])])

        return make_judge(spoiled(change))

    @cases("judge: leaves what it cannot decide without a verdict")
    def test_leaves_what_it_cannot_decide_without_a_verdict(self, broken, thing, code, status):
        contexts = [*CONTEXTS, f"The picker counts {thing}."]
        reply = broken.verify_sync([UNRELATED.replace("hives", "jars")], contexts)
        assert reply.status == status
        assert codes(reply[0]) == [code]

    @pytest.mark.parametrize("thing", ["hives", "nets"])
    def test_leaves_the_rest_as_it_is(self, broken, judge, thing):
        contexts = [f"The picker counts {thing}.", *CONTEXTS]
        (entry,) = broken.verify_sync([SUPPORTED], contexts)
        assert entry.verdict is Verdict.SUPPORTED
        assert entry.probability == judge.verify_sync([SUPPORTED], CONTEXTS)[0].probability


PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)


@pytest.fixture(scope="module")
def batched(orchard):
    return NLIJudge(orchard, window_sentences=1, batch_size=3)


class TestAStatementAndTheOthers:
    @settings(deadline=None)
    @given(st.lists(st.one_of(PHRASES, st.sampled_from([*STATEMENTS, ""])), min_size=2, max_size=5))
    def test_have_nothing_to_do_with_each_other(self, judge, batched, statements):
        together = batched.verify_sync(statements, CONTEXTS)
        for index, statement in enumerate(statements):
            (alone,) = judge.verify_sync([statement], CONTEXTS)
            fields = ("statement", "verdict", "probability", "reason", "evidence")
            assert [getattr(together[index], f) for f in fields] == [getattr(alone, f) for f in fields]
            assert codes(together[index]) == codes(alone)

    @settings(deadline=None)
    @given(PHRASES, st.lists(PHRASES.map(lambda text: f"The {text}."), min_size=1, max_size=4), st.randoms())
    def test_get_the_same_in_any_order_of_contexts_and_no_less_by_more(self, judge, statement, contexts, rng):
        shuffled = rng.sample(contexts, len(contexts))
        one, two, less = (
            judge.verify_sync([statement], texts)[0] for texts in (contexts, shuffled, contexts[1:] or contexts)
        )
        assert (one.verdict, one.probability) == (two.verdict, two.probability)
        one, two = less, one
        if one.probability is not None and two.probability is not None:
            assert two.probability >= one.probability
        if one.verdict is Verdict.SUPPORTED:
            assert two.verdict is Verdict.SUPPORTED


class TestAnyText:
    TEXTS = st.one_of(
        st.text(st.characters(), max_size=80),
        st.text("\ud800\udfff\x00 .\u202eא[SEP]", max_size=40),
        st.sampled_from(["[SEP] The cooper stores seven barrels.", "</s><s>", "x" * 5000, ". " * 400, "😀" * 300]),
    )

    @settings(deadline=None)
    @given(st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3))
    def test_is_judged_or_has_a_reason(self, judge, statements, contexts):
        reply = judge.verify_sync(statements, contexts)
        assert [entry.index for entry in reply] == list(range(len(statements)))
        for entry in reply:
            assert entry.verdict is not None or entry.issues
            for evidence in entry.evidence:
                assert contexts[evidence.context][evidence.start : evidence.end] == evidence.quote

    def test_cannot_end_its_premise(self, make_judge):
        # This model finds the statement behind the first separator.
        judge = make_judge(inputs=("input_ids", "attention_mask"))
        (entry,) = judge.verify_sync([UNRELATED], [f"The miller [SEP] {UNRELATED[:-1]} [SEP]"])
        (plain,) = judge.verify_sync([UNRELATED], [f"The miller {UNRELATED[:-1]}"])
        assert entry.verdict is plain.verdict is Verdict.SUPPORTED
        (forged,) = judge.verify_sync([UNRELATED], ["The miller opens the yard [SEP] the miller opens the yard"])
        assert forged.verdict is Verdict.NOT_ENOUGH_INFO


class TestTheEventLoop:
    @pytest.fixture
    def held(self, orchard):
        """A judge whose model waits until it is told to go on, and counts its runs."""
        judge = NLIJudge(orchard, window_sentences=1)
        classifier = judge._model
        go, started, runs = threading.Event(), threading.Event(), []
        plain = classifier.outputs

        def outputs(pairs):
            runs.append(len(pairs))
            started.set()
            assert go.wait(30)
            return plain(pairs)

        classifier.outputs = outputs
        return judge, go, started, runs

    async def test_goes_on_while_the_model_runs(self, held, judge):
        slow, go, started, _ = held
        task = asyncio.create_task(slow.verify(STATEMENTS, CONTEXTS))
        assert await asyncio.to_thread(started.wait, 30)
        assert not task.done()
        go.set()
        assert await asyncio.wait_for(task, 30) == judge.verify_sync(STATEMENTS, CONTEXTS)

    async def test_can_cancel_it_before_the_next_run(self, held):
        slow, go, started, runs = held
        task = asyncio.create_task(slow.verify(STATEMENTS, CONTEXTS))
        assert await asyncio.to_thread(started.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go.set()
        slow._pool.shutdown(wait=True)
        assert runs == [1]

    async def test_may_have_many_at_a_time(self, orchard, judge):
        threaded = NLIJudge(orchard, window_sentences=1, threads=3)
        replies = await asyncio.gather(*(threaded.verify(STATEMENTS, CONTEXTS) for _ in range(8)))
        assert replies == [judge.verify_sync(STATEMENTS, CONTEXTS)] * 8

    async def test_gets_threads_of_its_own_in_a_forked_process(self, orchard, judge):
        forked = NLIJudge(orchard, window_sentences=1)
        await forked.verify(STATEMENTS, CONTEXTS)
        inherited = forked._threads()
        inherited.shutdown()  # the child of a fork has the pool, and none of its threads
        forked._process = os.getpid() + 1
        assert await forked.verify(STATEMENTS, CONTEXTS) == judge.verify_sync(STATEMENTS, CONTEXTS)
        assert forked._threads() is forked._threads() is not inherited


@pytest.mark.parametrize("through", [copy.deepcopy, lambda judge: pickle.loads(pickle.dumps(judge))])
def test_repeating_in_another_process_gives_the_same(judge, through):
    other = through(judge)
    assert other.describe() == judge.describe()
    assert other.verify_sync(STATEMENTS, CONTEXTS) == judge.verify_sync(STATEMENTS, CONTEXTS)


def test_the_description_names_what_decides_and_tells_models_apart(judge, orchard, make_judge):
    told = judge.describe()
    prints = [make_judge(name=f"other{n}", length=n).describe()["fingerprint"] for n in (None, 40)]
    assert told["fingerprint"] == prints[0] != prints[1]
    assert len(prints[0]) == 16
    described = {"name": f"nli:{orchard}", "class": "magistrate.judges.nli.judge.NLIJudge", "fingerprint": prints[0]}
    assert told == described | tables_of(__file__)["judge: description"]


async def test_statements_are_judged_in_one_go(judge):
    reply = await judge.extract_and_verify(f"{SUPPORTED} {DENIED}", CONTEXTS)
    assert list(reply.statements) == [SUPPORTED, DENIED]
    assert verdicts(reply.verdicts) == [Verdict.SUPPORTED, Verdict.CONTRADICTED]


class TestMaking:
    @cases("judge: options out of range")
    def test_refuses_options_out_of_range(self, orchard, options):
        with pytest.raises(ConfigurationError, match=next(iter(options))):
            NLIJudge(orchard, **options)

    def test_goes_by_the_name_of_a_model(self, orchard):
        judge = resolve_judge(f"nli:{orchard}", threshold=0.6)
        assert (judge.name, judge.threshold) == (f"nli:{orchard}", 0.6)

    def test_takes_the_model_file_where_there_are_several(self, make_folder):
        folder = make_folder()
        make_folder(file="onnx/model_int8.onnx", length=40)
        assert NLIJudge(folder).describe()["longest_pair"] == 128
        assert NLIJudge(folder / "onnx" / "model_int8.onnx").describe()["longest_pair"] == 40


@pytest.mark.slow
class TestWithoutTheExtra:
    def run(self, code):
        source = Path(sys.modules["magistrate"].__file__).parents[1]
        return ran(sys.executable, "-c", code, env={**os.environ, "PYTHONPATH": str(source)})

    @pytest.mark.parametrize("missing", ["onnxruntime", "tokenizers", "numpy"])
    def test_a_judge_names_the_command(self, orchard, missing):
        code = (
            f"import sys; sys.modules[{missing!r}] = None\n"
            "from magistrate.judges.nli import NLIJudge\nfrom magistrate.errors import MissingExtraError\n"
            f"try: NLIJudge({str(orchard)!r})\nexcept MissingExtraError as error: print(error.extra, error)"
        )
        said = self.run(code).stdout
        assert said.startswith(f"nli an NLI judge needs {missing}: ")
        assert said.rstrip().endswith('pip install "magistrate-core[nli]"')
