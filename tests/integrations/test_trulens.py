"""TruLens itself, with our judge behind its feedback and our metrics among its own."""

import json

import pytest
from trulens.core.metric.metric import GroundednessConfigs

from magistrate.integrations.trulens import JudgeFailureError, MagistrateProvider, magistrate_metric
from magistrate.testing import Fault
from magistrate.verdict import Status

SOURCE = "The mill grinds on Mondays."
ANSWER = "The mill grinds on Mondays. It has two stones."


def judged(score):
    return json.dumps({"criteria": "c", "supporting_evidence": "e: 7 of 9", "score": score})


class TestProvider:
    def relevance(self, replies, *texts):
        replies.texts = list(texts)
        provider = MagistrateProvider("gpt-4o", api_base=replies.url)
        return provider.relevance_with_cot_reasons("When does the mill grind?", ANSWER)

    def test_a_reply_in_a_fence_counts(self, replies):
        score, told = self.relevance(replies, f"So:\n```json\n{judged(2)}\n```")
        assert score == pytest.approx(2 / 3)
        assert "e: 7 of 9" in told["reason"]

    @pytest.mark.parametrize("text", ["I'm sorry, but I can't help with that.", judged("many"), judged(2)[:-4]])
    def test_what_cannot_be_read_is_an_error_with_its_status(self, replies, text):
        with pytest.raises(JudgeFailureError) as caught:
            self.relevance(replies, text)
        assert isinstance(caught.value, RuntimeError)
        assert caught.value.status in {Status.REFUSED, Status.UNPARSEABLE, Status.TRUNCATED}

    def test_a_refusal_is_not_repeated(self, replies):
        with pytest.raises(JudgeFailureError):
            self.relevance(replies, "I'm sorry, but I can't help with that.")
        assert len(replies.calls) == 1

    def test_a_rating_off_its_scale_is_no_score(self, replies):
        with pytest.raises(JudgeFailureError, match=r"^out_of_range: .*score: 7"):
            self.relevance(replies, judged(7))

    def test_a_rating_off_its_scale_is_asked_for_again(self, replies):
        assert self.relevance(replies, judged(7), judged(3))[0] == 1.0

    def test_text_that_was_cut_off_is_no_text(self, replies):
        replies.texts, replies.finish = ["Key Point 1: It grinds.\nKey Poi"], "length"
        with pytest.raises(JudgeFailureError) as caught:
            MagistrateProvider("gpt-4o", api_base=replies.url).comprehensiveness_with_cot_reasons(SOURCE, ANSWER)
        assert caught.value.status is Status.TRUNCATED

    def test_usage_is_counted(self, replies):
        replies.texts = [judged(3)]
        provider = MagistrateProvider("gpt-4o", api_base=replies.url)
        assert provider.relevance_with_cot_reasons("q", "a")[0] == 1.0
        assert provider.usage.calls == 1


class TestGroundedness:
    """It asks for the sentences, for those worth judging, then for a score of each."""

    THREE = f"{ANSWER} Glad to help!"
    SPLIT = "The mill grinds on Mondays.\nIt has two stones.\nGlad to help!"

    def measure(self, replies, *texts):
        replies.texts = list(texts)
        provider = MagistrateProvider("gpt-4o", api_base=replies.url, rpm=6000)
        configs = GroundednessConfigs(use_sent_tokenize=False, filter_trivial_statements=True)
        return provider.groundedness_measure_with_cot_reasons(SOURCE, self.THREE, groundedness_configs=configs)

    @staticmethod
    def sifted(*trivial):
        return json.dumps({"statements": {str(at): {"trivial": each} for at, each in enumerate(trivial, 1)}})

    def test_the_statements_worth_judging_are_scored(self, replies):
        score, told = self.measure(replies, self.SPLIT, self.sifted(False, False, True), judged(3))
        assert score == 1.0
        assert [each["criteria"] for each in told["reasons"]] == ["The mill grinds on Mondays.", "It has two stones."]

    @pytest.mark.parametrize(
        "said", ["Sure:\nThe mill grinds on Mondays.\nGlad to help!", "I'm sorry, but I can't help with that."]
    )
    def test_no_sentence_is_lost_or_added_by_the_split(self, replies, said):
        _, told = self.measure(replies, said, self.sifted(False, False, False), judged(3))
        assert " ".join(each["criteria"] for each in told["reasons"]) == self.THREE

    def test_a_statement_that_the_judge_left_out_is_asked_about(self, replies):
        again = json.dumps({"statements": {"3": {"trivial": True}}})
        _, told = self.measure(replies, self.SPLIT, self.sifted(False, False), again, judged(3))
        assert len(told["reasons"]) == 2

    @pytest.mark.parametrize("said", ["__import__('os').abort()", "['Made up.']", "I'm sorry, but I can't help."])
    def test_what_names_no_statement_is_an_error_and_never_run(self, replies, said):
        with pytest.raises(JudgeFailureError, match="selection of statements"):
            self.measure(replies, self.SPLIT, said)


class TestAnswerability:
    """It asks of each statement whether it abstains, and of one that does whether the question can be answered."""

    REFUSAL = "I'm sorry, but I can't help with that."
    ABSTAINS = "I do not know how many stones it has."

    @pytest.fixture
    def provider(self, replies):
        return MagistrateProvider("gpt-4o", api_base=replies.url, rpm=6000)

    @staticmethod
    def says(replies, *, abstains, answerable=""):
        """Answer by what is asked; a score of groundedness is 3 of 3."""

        def reply(call):
            asked = str(call.request.raw["messages"])
            kinds = {"ABSTENTION classifier": abstains, "ANSWERABILITY classifier": answerable}
            text = next((said for kind, said in kinds.items() if kind in asked), judged(3))
            return Fault(text=lambda _: text)

        replies.server.faults = reply

    @staticmethod
    def rated(score):
        return json.dumps({"score": score})

    def measure(self, provider, answer=ABSTAINS):
        configs = GroundednessConfigs(use_sent_tokenize=False, filter_trivial_statements=False)
        return provider.groundedness_measure_with_cot_reasons_consider_answerability(
            SOURCE, answer, question="How many stones has it?", groundedness_configs=configs
        )[0]

    @pytest.mark.parametrize(("answerable", "score"), [(0, 1.0), (1, 0.0)])
    def test_an_abstention_is_right_where_the_question_has_no_answer(self, replies, provider, answerable, score):
        self.says(replies, abstains=self.rated(1), answerable=self.rated(answerable))
        assert self.measure(provider) == score

    def test_what_does_not_abstain_is_held_against_the_source(self, replies, provider):
        self.says(replies, abstains=self.rated(0))
        assert self.measure(provider, ANSWER) == 1.0

    @pytest.mark.parametrize(
        ("said", "status"),
        [
            (REFUSAL, Status.REFUSED),
            ('{"score": 7}', Status.OUT_OF_RANGE),
            ('{"score": "many"}', Status.UNPARSEABLE),
            ('{"score": null}', Status.UNPARSEABLE),
        ],
    )
    def test_no_number_where_it_is_not_known_whether_a_statement_abstains(self, replies, provider, said, status):
        self.says(replies, abstains=said)
        with pytest.raises(JudgeFailureError) as caught:
            self.measure(provider, ANSWER)
        assert caught.value.status is status

    def test_no_number_where_it_is_not_known_whether_the_question_has_an_answer(self, replies, provider):
        self.says(replies, abstains=self.rated(1), answerable=self.REFUSAL)
        with pytest.raises(JudgeFailureError, match="refused"):
            self.measure(provider)

    def test_a_failure_is_that_of_its_own_measurement(self, replies, provider):
        self.says(replies, abstains=self.REFUSAL)
        with pytest.raises(JudgeFailureError):
            self.measure(provider)
        self.says(replies, abstains=self.rated(0))
        assert self.measure(provider) == 1.0
        assert provider.usage.calls > 0


class TestMetric:
    def test_the_score_comes_with_its_verdicts(self):
        score, told = magistrate_metric("offline")(question="q", answer=ANSWER, contexts=[SOURCE])
        assert 0 <= score <= 1
        assert told["status"] == "scored"
        assert len(told["verdicts"]) == 2

    def test_no_score_is_the_mark_that_trulens_skips(self):
        score, told = magistrate_metric("offline")(question="q", answer=ANSWER, contexts=[])
        assert score == -1.0
        assert told["reason"].startswith("no_context: ")

    def test_it_reads_a_record_by_default(self):
        metric = magistrate_metric("offline", name="grounded")
        assert metric.name == "grounded"
        assert set(metric.selectors) == {"question", "answer", "contexts"}
