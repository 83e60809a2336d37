import pytest
from hypothesis import given
from hypothesis import strategies as st

from magistrate.text import is_about_the_source, text_runs


def about_the_source(text, language):
    return is_about_the_source(text_runs(text), language)


class TestWhatASourceLacks:
    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "The passage doesn't mention the fee."),
            ("en", "The opening date is not specified in the given context."),
            ("en", "There is no information about the keeper."),
            ("en", "No fee is named in the excerpts."),
            ("en", "The documents contain no details on this."),
            ("es", "El contexto no proporciona la fecha."),
            ("es", "No hay información sobre el precio."),
            ("de", "Im Text wird das Datum nicht erwähnt."),
            ("de", "Der Kontext enthält keine Angaben zum Preis."),
            ("fr", "Le document n'indique pas la date."),
            ("fr", "Il n'y a aucune information sur le prix."),
            ("it", "Il documento non indica la data."),
            ("it", "Non ci sono informazioni sul prezzo."),
            ("pt", "O contexto não informa nem menciona a data."),
            ("pt", "Não há informações sobre o preço."),
            ("ru", "В документе не упоминается дата."),
            ("ru", "Нет информации о цене."),
            ("ar", "لا يحدد النص التاريخ."),
            ("ar", "لا توجد معلومات عن السعر."),
            ("hi", "दस्तावेज़ में तारीख का उल्लेख नहीं है।"),
            ("hi", "कीमत के बारे में कोई जानकारी नहीं है।"),
            ("zh", "上下文没有说明日期。"),
            ("zh", "資料中沒有提到價格。"),
            ("ja", "文章では価格について言及されていません。"),
            ("ko", "문서에는 가격 정보가 없습니다."),
        ],
    )
    def test_is_known_in_twelve_languages(self, language, text):
        assert about_the_source(text, language)

    @pytest.mark.parametrize(
        "text",
        ["I don't know.", "I could not find the fee.", "No lo sé.", "Ich weiß nicht.", "Je ne sais pas.", "Я не знаю."],
    )
    def test_what_one_does_not_know_oneself_is_known_in_any(self, text):
        assert about_the_source(text, None)


class TestWhatTheWorldLacks:
    @pytest.mark.parametrize(
        ("language", "text"),
        [
            ("en", "The fee is not refundable."),
            ("en", "The company shares no information with third parties."),
            ("en", "The authorities found no evidence of poison."),
            ("en", "The duty does not cover information that is public."),
            ("en", "The article was published in 1874."),
            ("de", "Die Gebühr wird nicht erstattet."),
            ("es", "El museo no abre los lunes."),
            ("fr", "Le musée n'est pas ouvert le lundi."),
            ("it", "Il museo non apre il lunedì."),
            ("pt", "O museu não abre às segundas."),
            ("ru", "Музей не работает по понедельникам."),
            ("ar", "المتحف لا يفتح يوم الاثنين."),
            ("hi", "संग्रहालय सोमवार को नहीं खुलता।"),
            ("zh", "博物馆周一不开放。"),
            ("ja", "美術館は月曜日は開いていません。"),
            ("ko", "박물관은 월요일에 열지 않습니다."),
        ],
    )
    def test_is_a_statement_like_any_other(self, language, text):
        assert not about_the_source(text, language)


@given(st.text(), st.sampled_from(["en", "de", "zh", "ja", "xx", None]))
def test_any_text_is_read_without_error(text, language):
    assert about_the_source(text, language) in (True, False)
