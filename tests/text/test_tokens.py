import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.case_tables import cases_of

from magistrate.text import fold, token_runs, token_spans, token_texts

cases = cases_of(__file__)


class TestTokenTexts:
    @cases("tokens: in any script")
    def test_in_any_script(self, text, tokens):
        assert token_texts(text) == tokens

    def test_no_mark_is_torn_from_its_letter(self):
        for text in ("हिन्दी", "বাংলা", "தமிழ்", "مُدَرِّس", "क़लम", "naïve", "e\u0301te\u0301"):
            assert len(token_spans(text)) == 1, text


class TestTokenSpans:
    def test_say_where_the_text_has_them(self):
        text = "Die Gebühr: １２,５０ € — «sofort»!"
        assert [text[t.start : t.end] for t in token_spans(text)] == ["Die", "Gebühr", "１２,５０", "€", "sofort"]

    def test_can_be_asked_for_a_part(self):
        assert [token.text for token in token_spans("a b c d", 1, 3)] == ["b", "c"]

    @given(st.text())
    def test_are_the_token_texts_with_places(self, text):
        spans = token_spans(text)
        assert [token.text for token in spans] == token_texts(text)
        assert all(token.start < token.end for token in spans)
        assert all(one.end <= other.start for one, other in pairwise(spans))

    @given(st.text())
    def test_hold_every_letter_and_digit(self, text):
        outside = list(text)
        for token in token_spans(text):
            outside[token.start : token.end] = " " * (token.end - token.start)
        assert not [c for c in outside if unicodedata.category(c) in {"Lu", "Ll", "Lo", "Nd"}]

    @given(st.text())
    def test_no_token_holds_a_space(self, text):
        assert all(token and " " not in token for token in token_texts(text) if token_texts(text))


class TestTokenRuns:
    def test_keep_runs_of_scripts_without_spaces_whole(self):
        assert token_runs("灯塔 built 등대ที่นี่") == ["灯塔", "built", "등대ที่นี่"]

    def test_keep_thousands_set_apart_by_spaces_together(self):
        assert token_runs("1 234 567 visitors") == ["1 234 567", "visitors"]
        assert token_runs("in 1874 300 men") == ["in", "1874", "300", "men"]

    @given(st.text())
    def test_cover_what_tokens_cover(self, text):
        folded = fold(text)
        letters = "".join(token_runs(folded)).replace(" ", "")
        assert letters == "".join(token_texts(folded))
