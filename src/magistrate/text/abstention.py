"""Statements about what a source lacks: "The passage does not say when", "There is no information about fees".

Whether such a statement holds cannot be seen from words the two share: the fewer they share, the truer it is. So a
lexical judge has to know them, in every language it judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from magistrate.text.fold import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(fold(text).split())


@dataclass(frozen=True, slots=True)
class _Language:
    """The words of one language.

    Attributes:
        sources: What a text calls what it was given.
        denials: Words that deny.
        says: Beginnings of the verbs of saying and holding.
        matters: Beginnings of the words for what may be given: "information".
        exists: Words around "no information": "there is", "contains".
        behind: How many words behind a denial a verb of saying may stand.
        ahead: How many words ahead of it.
    """

    sources: frozenset[str]
    denials: frozenset[str]
    says: tuple[str, ...]
    matters: tuple[str, ...]
    exists: frozenset[str]
    behind: int = 4
    ahead: int = 0


_LANGUAGES: Final = {
    "en": _Language(
        _words("""context contexts passage passages text texts document documents article articles source sources
        excerpt
            excerpts snippet snippets transcript transcripts documentation paragraph paragraphs"""),
        _words("not t no nor never neither nothing"),
        _listed("""mention say stat specif nam contain includ provid giv discuss address indicat cover explain reveal
        disclos
            describ clarif answer offer list identif detail explicit direct thorough apparent elaborat present
            clear"""),
        _listed("information mention detail data answer"),
        _words("is are was were there contains contain provides provide includes include have has had gives find"),
        ahead=1,
    ),
    "es": _Language(
        _words(
            """texto textos pasaje pasajes contexto contextos documento documentos artículo artículos fuente fuentes
            fragmento información documentación material materiales extracto informe"""
        ),
        _words("no ni tampoco ninguna ningún sin"),
        _listed(
            """mencion dice dicen especific indic proporcion inclu contien ofrec abord da dan aclar explic describ
            detall encontr encuentr señal figur consta"""
        ),
        _listed("información informacion mención dato detall referenci respuesta"),
        _words(
            "hay existe existen contiene contienen proporciona ofrece incluye encontró encuentra tengo dispongo aporta"
        ),
    ),
    "de": _Language(
        _words(
            """text texte textes kontext kontexte kontextes kontexten dokument dokumente dokumenten dokuments artikel
            artikeln quelle quellen passage passagen abschnitt auszug textstelle textausschnitt informationen unterlagen
            material bericht dokumentation"""
        ),
        _words("nicht kein keine keinen keinerlei keiner weder nirgends nichts"),
        _listed(
            """erwähn enthält enthalten nennt genannt sagt gesagt gibt geb angegeb angab beschreib beschrieb spezifi
            liefer macht find gefunden steht hervor erläut bericht beantwort thematis"""
        ),
        _listed("information angab hinweis detail auskunft auskünfte daten antwort erwähnung"),
        _words("gibt enthält enthalten liegen sind finden finde habe haben liefert liefern macht bietet"),
        behind=4,
        ahead=8,
    ),
    "fr": _Language(
        _words(
            """texte textes passage passages contexte contextes document documents article articles source sources
            extrait extraits informations documentation rapport matériel"""
        ),
        _words("ne n pas aucun aucune rien ni sans"),
        _listed(
            """mentionn dit disent précis indiqu fourni conti contenu incl offr abord donn expliqu décri évoqu trouv
            figur spécifi clarifi répond aucun"""
        ),
        _listed("information mention donnée détail indication précision référence réponse"),
        _words("a y il contient contiennent fournit donne existe trouve comporte ai dispose trouvé"),
    ),
    "it": _Language(
        _words(
            """testo testi brano brani passaggio passaggi contesto contesti documento documenti articolo articoli fonte
            fonti estratto informazioni documentazione materiale rapporto"""
        ),
        _words("non né nessuna nessun alcuna alcun senza nulla"),
        _listed(
            """menzion dice dicono specific indic fornisc fornit conten conti includ offr affront dà danno spieg descri
            trov riport chiar cita citat precisa"""
        ),
        _listed("informazion menzion dat dettagl riferiment indicazion risposta"),
        _words("sono è esiste esistono contiene contengono fornisce fornita fornite offre trovo ho dispongo ci"),
    ),
    "pt": _Language(
        _words(
            """texto textos passagem passagens trecho trechos contexto contextos documento documentos artigo artigos
            fonte fontes informações documentação material relatório"""
        ),
        _words("não nem nenhuma nenhum sem tampouco nada"),
        _listed(
            """mencion diz dizem especific indic forne inclu cont oferec abord dá dão explic descrev encontr esclarec
            traz apresent cita"""
        ),
        _listed("informaç menção dado detalhe referência indicaç resposta"),
        _words("há existe existem contém contêm fornece oferece tenho encontrei possui traz"),
    ),
    "ru": _Language(
        _words(
            """текст тексте тексты текстах контекст контексте контекста отрывок отрывке документ документе документы
            документах статья статье статьи источник источнике источники источниках фрагмент фрагменте информация
            материал материале материалах"""
        ),
        _words("не нет ни отсутствует отсутствуют"),
        _listed(
            """упомин упомян говор сказан указ содерж сообща опис привод привед уточн обсужд предостав раскры дает
            отсутств затрагива"""
        ),
        _listed("информаци упоминан данн сведени детал ответ"),
        _words("нет содержит содержат имеется дает приводит"),
    ),
    "ar": _Language(
        _words(
            """النص نص السياق سياق المقطع مقطع الوثيقة الوثائق المستند المستندات المقال المقالة المصدر المصادر الفقرة
            المعلومات المقدمة المادة التقرير"""
        ),
        _words("لا لم ليس ليست دون بدون غير"),
        _listed(
            """يذكر تذكر ذكر مذكور يحدد تحدد محدد يوضح توضح يحتوي تحتوي يتضمن تتضمن يقدم تقدم يشير تشير يتناول يتطرق يرد
            ترد يوفر توفر يتوفر متوفر"""
        ),
        _listed("معلوم ذكر تفاصيل بيان اشار اجاب"),
        _words("توجد يوجد هناك تتوفر يحتوي تحتوي يقدم لدي يتضمن لا"),
    ),
    "hi": _Language(
        _words("पाठ पाठ्य संदर्भ सन्दर्भ दस्तावेज़ दस्तावेज दस्तावेज़ों लेख गद्यांश अनुच्छेद स्रोत स्रोतों जानकारी सामग्री अंश"),
        _words("नहीं नही न कोई"),
        _listed("उल्लेख बताय बताता बताती कहा कहता स्पष्ट जानकारी दिया दी शामिल निर्दिष्ट वर्ण चर्चा मिल"),
        _listed("जानकारी उल्लेख सूचना विवरण"),
        _words("कोई"),
        behind=2,
        ahead=4,
    ),
}
_EAST_ASIAN: Final = {
    "zh": (
        _listed("""文中 文章 上下文 文本 资料 資料 提供的信息 提供的資訊 文档 文檔 文件 段落 材料 原文 本文 内容 来源
        來源 背景 信息中"""),
        _listed("""没有提到 没有提及 沒有提到 沒有提及 未提及 未提到 没提到 没有说明 沒有說明 未说明 未說明 没有提供
        沒有提供 未提供 没有给出 未给出 没有包含 未包含 没有明确 沒有明確 未明确 未明確 没有涉及 未涉及 没有描述 未描述
        没有指出 未指出 无法确定 無法確定 无法得知 無法得知 没有相关 沒有相關 没有关于 沒有關於 未具体"""),
        _listed("""没有相关信息 没有关于 沒有相關資訊 没有足够的信息 没有足够信息 信息不足 資訊不足 无法回答 無法回答
        我没有 我无法 无相关信息"""),
    ),
    "ja": (
        _listed("文章 文脈 コンテキスト 資料 本文 記事 文書 文中 情報 テキスト パッセージ ドキュメント 出典 内容"),
        _listed("""記載されていません 記載されていない 記載がありません 記載はありません 言及されていません
        言及されていない 言及していません 言及がありません 言及はありません 述べられていません 述べられていない
        述べていません 書かれていません 書かれていない 示されていません 示されていない 含まれていません 含まれていない
        触れられていません 触れていません 説明されていません 説明はありません 明記されていません 明記されていない
        提供されていません 情報がありません 情報はありません 情報は含まれて 分かりません わかりません 不明です"""),
        _listed("""情報がありません 情報はありません 情報が不足 情報不足 回答できません 答えられません 情報を持って
        判断できません"""),
    ),
    "ko": (
        _listed("문맥 본문 지문 문서 기사 자료 텍스트 정보 글 단락 출처 내용 컨텍스트 맥락"),
        _listed("""언급되지않 언급되어있지않 언급하지않 언급하고있지않 언급이없 언급은없 나와있지않 나오지않
        포함되어있지않 포함되지않 포함하고있지않 명시되지않 명시되어있지않 명시하지않 제공되지않 제공하지않
        제공하고있지않 설명하지않 설명되어있지않 기재되어있지않 정보가없 정보는없 알수없 적혀있지않 다루지않
        다루고있지않"""),
        _listed("정보가없습니다 정보는없습니다 정보가부족 답변할수없 알수없습니다 관련정보가없"),
    ),
}
# Said of oneself, or without naming a source; folded, words apart by one space.
_PHRASES: Final = tuple(
    " ".join(fold(phrase).replace("'", " ").replace("-", " ").split())
    for phrase in """
    i do not know | i don't know | i could not find | i couldn't find | i cannot find | i can't find
    | i am unable to | i'm unable to | i cannot answer | i can't answer | i cannot determine | i cannot provide | i have
    no information | not enough information | insufficient information | not enough context | insufficient context |
    cannot be determined | can't be determined | cannot be answered | cannot be inferred | unable to determine | no
    relevant information | no information is | no information was | no specific information | i do not see any | i was
    unable to | do not have that information | don't have that information | no tengo información | no dispongo de
    información | no puedo responder | información insuficiente | no hay suficiente información | no se puede determinar
    | no es posible determinar | no sé | no lo sé | ich habe keine information | ich verfüge nicht über | nicht genügend
    information | nicht genug information | lässt sich nicht bestimmen | kann nicht bestimmt werden | ich weiß nicht |
    ich kann diese frage nicht | ich kann die frage nicht | je n ai pas d information | je ne dispose pas | informations
    insuffisantes | pas assez d informations | il n est pas possible de déterminer | je ne sais pas | je ne peux pas
    répondre | aucune information n | non ho informazioni | non dispongo di | informazioni insufficienti | non è
    possibile determinare | non posso rispondere | non lo so | não tenho informaç | não disponho | informações
    insuficientes | não é possível determinar | não posso responder | não sei | у меня нет информации | у меня нет
    данных | недостаточно информации | недостаточно данных | невозможно определить | я не знаю | не могу ответить | ليس
    لدي | لا توجد معلومات كافية | معلومات غير كافية | لا يمكن تحديد | لا اعرف | لا استطيع الاجابة | لا يمكنني | मेरे पास
    इस | मेरे पास जानकारी | पर्याप्त जानकारी नहीं | निर्धारित नहीं किया जा सकता | मुझे नहीं पता | मैं उत्तर नहीं
    """.split("|")
)
# How near the words have to be to each other, in words.
_NEAR: Final = 9
_BESIDE: Final = 3


def is_about_the_source(runs: Sequence[str], language: str | None) -> bool:
    """Whether a statement says that a source lacks something, or that its speaker does not know.

    Args:
        runs: The runs of the statement, folded (`text_runs`).
        language: Its language; None where it is not known, and then only set phrases count.
    """
    if language in _EAST_ASIAN:
        return _east_asian("".join(runs), *_EAST_ASIAN[language])
    line = " ".join(runs)
    if any(phrase in line for phrase in _PHRASES):
        return True
    words = _LANGUAGES.get(language or "")
    if words is None:
        return False
    denials = [index for index, run in enumerate(runs) if run in words.denials]
    return any(_denies_saying(runs, index, words) or _denies_matter(runs, index, words) for index in denials)


def _east_asian(text: str, sources: Sequence[str], denials: Sequence[str], phrases: Sequence[str]) -> bool:
    if any(phrase in text for phrase in phrases):
        return True
    return any(source in text for source in sources) and any(denial in text for denial in denials)


def _denies_saying(runs: Sequence[str], index: int, words: _Language) -> bool:
    """Whether a denial is one of saying: "The passage does not say", "Der Text erwähnt das nicht"."""
    if words.sources.isdisjoint(runs[max(0, index - _NEAR) : index + _NEAR + 1]):
        return False
    verbs = runs[max(0, index - words.ahead) : index + 1 + words.behind]
    return any(run.startswith(words.says) and run not in words.sources for run in verbs)


def _denies_matter(runs: Sequence[str], index: int, words: _Language) -> bool:
    """Whether a denial is one of matter: "There is no information", "Es gibt keine Angaben"."""
    around = runs[max(0, index - _BESIDE) : index + _BESIDE]
    behind = runs[index + 1 : index + 1 + _BESIDE]
    return not words.exists.isdisjoint(around) and any(run.startswith(words.matters) for run in behind)
