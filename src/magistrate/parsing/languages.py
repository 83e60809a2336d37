"""The words judges use, language by language: a table of data and nothing else.

Each word stands for a `Sense`; which verdict a sense is depends on the scale (`vocabulary`). A word that means
different things in two languages is left out. Write words in lower case, with blanks where models write blanks, hyphens
or underscores.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

__all__ = ["SENSES", "Sense", "merge"]


class Sense(StrEnum):
    """What a word says, before a scale gives it a verdict."""

    YES = "yes"
    """Supported, in so many words or by a plain yes."""
    NO = "no"
    """A plain no, or false: the denial where a scale has one, the contradiction where it tells the two apart."""
    LACK = "lack"
    """Not supported: contradicted or not mentioned, it does not say which."""
    CONTRA = "contra"
    """The contexts say otherwise."""
    UNKNOWN = "unknown"
    """The contexts do not tell."""
    PARTLY = "partly"
    """Supported in part."""
    OFF = "off"
    """An answer that is on no scale, such as "not applicable"."""


_PACKS: Final[Mapping[str, Mapping[Sense, str]]] = {
    "en": {
        Sense.YES: (
            "yes, y, yep, yeah, true, t, supported, fully supported, is supported, support, supports, directly "
            "supported, clearly supported, well supported, completely supported, entirely supported, strongly "
            "supported, explicitly supported, faithful, grounded, fully grounded, well grounded, correct, right, "
            "accurate, factual, factually correct, consistent, factually consistent, fully consistent, "
            "entailment, entailed, entails, entail, attributable, fully attributable, attributed, verified, "
            "confirmed, substantiated, valid, pass, passed, passes, met, satisfied, affirmative, agree, agrees, "
            "positive, justified, backed, backed up, evidenced, covered, present, in line, ok, okay"
        ),
        Sense.NO: (
            "no, n, nope, false, f, incorrect, wrong, untrue, not true, not correct, inaccurate, not accurate, negative"
        ),
        Sense.LACK: (
            "unsupported, not supported, is not supported, isn't supported, not support, not at all supported, "
            "does not support, doesn't support, no support, unfaithful, not faithful, "
            "ungrounded, not grounded, hallucinated, hallucination, is a hallucination, inconsistent, not "
            "consistent, factually inconsistent, factually incorrect, not factually consistent, not entailed, not "
            "entailment, non entailment, unattributable, not attributable, not attributed, unverified, not "
            "verified, unconfirmed, not confirmed, unsubstantiated, not substantiated, invalid, not valid, fail, "
            "failed, fails, not met, unmet, not satisfied, fabricated, unjustified, not justified, not backed, "
            "not factual, disagree, not ok, not okay"
        ),
        Sense.CONTRA: (
            "contradicted, contradiction, contradicts, contradictory, contradict, is contradicted, refuted, "
            "refutes, refute, disproved, disproven, conflicting with the context, directly contradicted, clearly "
            "contradicted, contradicted by the context"
        ),
        Sense.UNKNOWN: (
            "not enough info, not enough information, not enough evidence, not enough data, not enough context, "
            "nei, neutral, unknown, idk, i don't know, i do not know, don't know, dont know, not known, unsure, "
            "not sure, uncertain, undetermined, undecided, unclear, not clear, cannot be determined, can't be "
            "determined, cannot determine, can't determine, cannot say, can't say, cannot tell, can't tell, "
            "cannot be verified, can't be verified, could not be verified, not verifiable, unverifiable, cannot "
            "verify, can't verify, insufficient, insufficient information, insufficient info, insufficient "
            "evidence, insufficient data, insufficient context, no information, no info, lack of information, not "
            "mentioned, is not mentioned, unmentioned, not stated, not specified, unspecified, not addressed, not "
            "covered, not found, not in context, not in the context, not present, inconclusive, borderline, "
            "baseless, extrinsic, neither, no evidence"
        ),
        Sense.PARTLY: (
            "partially supported, partly supported, partial, partially, partly, partial support, supported in "
            "part, in part, somewhat supported, mostly supported, largely supported, half supported, mixed, "
            "partially correct, partly correct, partially true, partly true, half true, mostly true, mostly "
            "correct, mostly false, largely correct, somewhat, partially faithful, partially grounded, partially "
            "consistent, partially entailed, partially accurate, partially attributable, mostly accurate, mostly, "
            "not entirely, not completely supported, not fully supported, not entirely supported, partially "
            "unsupported, partly "
            "unsupported, partially contradicted, partly contradicted, partially met, partially verified, weakly "
            "supported"
        ),
        Sense.OFF: (
            "n/a, na, not applicable, does not apply, not relevant, irrelevant, not a claim, skip, skipped, "
            "pending, not assessed, not evaluated, no verdict, not judged, no answer"
        ),
    },
    "zh": {
        Sense.YES: (
            "是, 是的, 对, 对的, 正确, 真, 支持, 得到支持, 被支持, 有支持, 完全支持, 属实, 一致, 蕴含, 忠实, 符合, "
            "通过, 成立, 有依据, 有据, 對, 正確, 支援, 屬實, "
            "得到支援, 通過, 有依據, 蘊含, 忠實"
        ),
        Sense.NO: "否, 不是, 不对, 错, 错误, 假, 不正确, 不對, 錯, 錯誤, 不正確, 有误, 有誤",
        Sense.LACK: (
            "不支持, 未得到支持, 不被支持, 没有得到支持, 无支持, 不受支持, 没有支持, 不一致, 不忠实, 不符合, 不通过, "
            "未通过, 不成立, 无依据, 没有依据, 不属实, 不支援, 無依據, "
            "沒有依據, 不屬實, 不通過, 未獲支持, 未获支持, 缺乏支持"
        ),
        Sense.CONTRA: "矛盾, 相矛盾, 相反, 被反驳, 反驳, 被否定, 存在矛盾, 與原文矛盾, 与原文矛盾",
        Sense.UNKNOWN: (
            "信息不足, 资料不足, 证据不足, 未知, 不确定, 无法判断, 无法确定, 不知道, 未提及, 没有提及, 没有提到, "
            "未提到, 中立, 中性, 无法验证, 不清楚, 資訊不足, 資料不足, "
            "證據不足, 不確定, 無法判斷, 無法確定, 無法驗證, 信息不够, 没有足够信息, 没有足够的信息"
        ),
        Sense.PARTLY: "部分支持, 部分正确, 部分属实, 部分, 部分成立, 部分正確, 部分支援, 基本支持",
        Sense.OFF: "不适用, 不適用, 无关, 無關",
    },
    "ja": {
        Sense.YES: "はい, 正しい, 真, 支持, 支持される, 支持されている, 支持されます, 支持されています, "
        "裏付けられている, 裏付けあり, 根拠あり, 含意, 忠実, 一致, 一致する, 合格, 正, 肯定",
        Sense.NO: "いいえ, 偽, 誤り, 誤, 間違い, 正しくない, 否, 否定",
        Sense.LACK: "支持されない, 支持されていない, 支持されません, 支持されていません, 不支持, 裏付けられていない, "
        "裏付けなし, 根拠なし, 不一致, 一致しない, 不合格, 忠実でない, 含意しない",
        Sense.CONTRA: "矛盾, 矛盾する, 矛盾している, 反する, 反証, 反証される, 矛盾します",
        Sense.UNKNOWN: (
            "情報不足, 不明, わからない, 分からない, わかりません, 分かりません, 判断できない, 判断不能, "
            "判断できません, 記載なし, 言及なし, 言及されていない, 中立, 証拠不足, "
            "情報が不足, 未確認"
        ),
        Sense.PARTLY: "部分的に支持, 一部支持, 部分的, 部分的に正しい, 一部正しい, 部分的に支持される",
        Sense.OFF: "該当なし, 対象外",
    },
    "ko": {
        Sense.YES: (
            "예, 네, 맞음, 참, 지지, 지지됨, 지지된다, 지지합니다, 지지됩니다, 뒷받침됨, 뒷받침된다, 뒷받침됩니다, "
            "사실, 일치, 일치함, 함의, 정확, 정확함, 옳음, 맞습니다, "
            "그렇습니다, 통과, 근거 있음"
        ),
        Sense.NO: "아니요, 아니오, 아뇨, 거짓, 틀림, 틀렸습니다, 부정확, 부정확함, 아닙니다",
        Sense.LACK: (
            "지지되지 않음, 지지되지 않습니다, 지지하지 않음, 뒷받침되지 않음, 뒷받침되지 않습니다, 뒷받침되지 "
            "않는다, 불일치, 일치하지 않음, 사실이 아님, 사실 아님, 근거 없음, "
            "불통과, 미지지"
        ),
        Sense.CONTRA: "모순, 모순됨, 모순된다, 반박, 반박됨, 상충, 상충됨, 모순됩니다",
        Sense.UNKNOWN: (
            "정보 부족, 정보부족, 알 수 없음, 알수없음, 모름, 모르겠음, 불명, 불확실, 판단 불가, 판단할 수 없음, "
            "언급 없음, 언급되지 않음, 중립, 증거 부족, 확인 불가, 정보가 "
            "부족함"
        ),
        Sense.PARTLY: "부분적으로 지지됨, 부분 지지, 부분적, 일부 지지, 부분적으로 사실, 일부 사실",
        Sense.OFF: "해당 없음, 해당없음",
    },
    "es": {
        Sense.YES: (
            "sí, si, verdadero, verdadera, cierto, correcto, correcta, respaldado, respaldada, apoyado, apoyada, "
            "sustentado, sustentada, confirmado, confirmada, soportado, soportada, fiel, implicación, "
            "consistente, aprobado"
        ),
        Sense.NO: "no, no es cierto, falso, falsa, incorrecto, incorrecta, erróneo, errónea",
        Sense.LACK: (
            "no respaldado, no respaldada, no apoyado, no apoyada, no sustentado, no sustentada, no confirmado, "
            "no confirmada, no soportado, no soportada, sin respaldo, sin apoyo, no fiel, infiel, inconsistente, "
            "no está respaldado, no está respaldada, sin fundamento"
        ),
        Sense.CONTRA: (
            "contradicho, contradicha, contradicción, contradice, contradictorio, contradictoria, refutado, "
            "refutada, desmentido, desmentida"
        ),
        Sense.UNKNOWN: (
            "información insuficiente, no hay suficiente información, no hay información suficiente, "
            "insuficiente, desconocido, desconocida, no se sabe, no sé, incierto, incierta, no mencionado, no "
            "mencionada, no se menciona, neutral, neutro, indeterminado, indeterminada, sin información "
            "suficiente, sin información, no concluyente, no se puede determinar, evidencia insuficiente, no lo "
            "sé"
        ),
        Sense.PARTLY: (
            "parcialmente respaldado, parcialmente respaldada, parcial, parcialmente, en parte, parcialmente "
            "cierto, parcialmente correcto, parcialmente correcta, parcialmente verdadero, parcialmente apoyado, "
            "parcialmente apoyada"
        ),
        Sense.OFF: "no aplica, no aplicable, no procede",
    },
    "de": {
        Sense.YES: (
            "ja, wahr, richtig, korrekt, zutreffend, trifft zu, gestützt, belegt, unterstützt, bestätigt, "
            "gedeckt, nachgewiesen, stimmt, konsistent, wird gestützt, wird unterstützt, wird belegt, bestanden, "
            "erfüllt"
        ),
        Sense.NO: "nein, falsch, unwahr, inkorrekt, nicht korrekt, nicht richtig, unrichtig, stimmt nicht",
        Sense.LACK: (
            "nicht gestützt, nicht belegt, nicht unterstützt, nicht bestätigt, nicht gedeckt, unbelegt, nicht "
            "nachgewiesen, inkonsistent, ungestützt, trifft nicht zu, nicht zutreffend, unzutreffend, wird nicht "
            "gestützt, wird nicht unterstützt, wird nicht belegt, nicht bestanden, nicht erfüllt"
        ),
        Sense.CONTRA: "widersprochen, widerspruch, widerspricht, widersprüchlich, widerlegt, im widerspruch, "
        "wird widerlegt",
        Sense.UNKNOWN: (
            "nicht genug information, nicht genug informationen, nicht genügend informationen, zu wenig "
            "information, zu wenig informationen, unzureichende informationen, unbekannt, unklar, weiß nicht, "
            "weiss nicht, nicht erwähnt, neutral, unentschieden, nicht feststellbar, keine angabe, keine "
            "information, keine informationen, unbestimmt, nicht überprüfbar, nicht entscheidbar, wird nicht "
            "erwähnt, ungewiss"
        ),
        Sense.PARTLY: (
            "teilweise gestützt, teilweise belegt, teilweise unterstützt, teilweise, teils, zum teil, teilweise "
            "richtig, teilweise korrekt, teilweise wahr, teilweise zutreffend, überwiegend belegt"
        ),
        Sense.OFF: "nicht anwendbar, entfällt",
    },
    "fr": {
        Sense.YES: (
            "oui, vrai, vraie, exact, exacte, soutenu, soutenue, étayé, étayée, appuyé, appuyée, confirmé, "
            "confirmée, fidèle, fondé, fondée, cohérent, cohérente, juste, vérifié, vérifiée, corroboré, "
            "corroborée, supporté, supportée, attesté, attestée"
        ),
        Sense.NO: "non, faux, fausse, pas vrai, pas vraie, inexact, inexacte, erroné, erronée, incorrecte",
        Sense.LACK: (
            "non soutenu, non soutenue, non étayé, non étayée, non confirmé, non confirmée, non fondé, non "
            "fondée, non appuyé, non appuyée, pas soutenu, pas soutenue, pas étayé, pas étayée, infidèle, "
            "incohérent, incohérente, non supporté, non supportée, non vérifié, non vérifiée, infondé, infondée, "
            "non corroboré, non corroborée, n'est pas soutenu, n'est pas étayé"
        ),
        Sense.CONTRA: "contredit, contredite, contradictoire, réfuté, réfutée, démenti, démentie",
        Sense.UNKNOWN: (
            "pas assez d'informations, pas assez d'information, informations insuffisantes, information "
            "insuffisante, inconnu, inconnue, ne sait pas, je ne sais pas, non mentionné, non mentionnée, pas "
            "mentionné, pas mentionnée, neutre, indéterminé, indéterminée, incertain, incertaine, insuffisant, "
            "preuves insuffisantes, non précisé, non précisée, invérifiable"
        ),
        Sense.PARTLY: (
            "partiellement soutenu, partiellement soutenue, partiellement, partiel, partielle, en partie, "
            "partiellement vrai, partiellement étayé, partiellement étayée, partiellement confirmé"
        ),
        Sense.OFF: "sans objet, non applicable",
    },
    "it": {
        Sense.YES: (
            "sì, si', vero, vera, corretto, corretta, supportato, supportata, sostenuto, sostenuta, confermato, "
            "confermata, fedele, fondato, fondata, coerente, verificato, verificata, esatto, esatta"
        ),
        Sense.NO: "scorretto, scorretta, errato, errata, sbagliato, sbagliata, non corretto, non vero",
        Sense.LACK: (
            "non supportato, non supportata, non sostenuto, non sostenuta, non confermato, non confermata, "
            "infedele, infondato, infondata, non fondato, non fondata, incoerente, non verificato, non "
            "verificata, non è supportato, non è supportata"
        ),
        Sense.CONTRA: (
            "contraddetto, contraddetta, contraddizione, contraddittorio, contraddittoria, contraddice, smentito, "
            "smentita, confutato, confutata"
        ),
        Sense.UNKNOWN: (
            "informazioni insufficienti, informazione insufficiente, non abbastanza informazioni, sconosciuto, "
            "sconosciuta, non so, non menzionato, non menzionata, neutrale, incerto, incerta, indeterminato, "
            "indeterminata, insufficiente, non specificato, non determinabile, prove insufficienti, non "
            "verificabile, ignoto"
        ),
        Sense.PARTLY: (
            "parzialmente supportato, parzialmente supportata, parzialmente, parziale, in parte vero, "
            "parzialmente vero, parzialmente corretto, parzialmente sostenuto, parzialmente confermato"
        ),
        Sense.OFF: "non applicabile",
    },
    "pt": {
        Sense.YES: (
            "sim, verdadeiro, verdadeira, correto, correta, suportado, suportada, apoiado, apoiada, sustentada, "
            "confirmada, certo, fundamentado, fundamentada, respaldado, comprovado, comprovada, coerente, "
            "aprovado"
        ),
        Sense.NO: "não, nao, incorreto, incorreta, errado, errada, não é verdade",
        Sense.LACK: (
            "não suportado, não suportada, não apoiado, não apoiada, não sustentado, não sustentada, não "
            "confirmado, não confirmada, sem suporte, sem apoio, infundado, infundada, não fundamentado, não "
            "fundamentada, incoerente, não comprovado, não comprovada, reprovado, nao suportado, nao suportada"
        ),
        Sense.CONTRA: "contradito, contradita, contradição, contraditório, contraditória, contradiz, desmentido",
        Sense.UNKNOWN: (
            "informação insuficiente, informações insuficientes, desconhecido, desconhecida, não sei, não "
            "mencionado, não mencionada, neutro, incerto, incerta, indeterminado, indeterminada, não há "
            "informação suficiente, não há informações suficientes, não especificado, inconclusivo, evidência "
            "insuficiente, não é possível determinar"
        ),
        Sense.PARTLY: (
            "parcialmente suportado, parcialmente suportada, parcialmente, parcial, em parte, parcialmente "
            "correto, parcialmente verdadeiro, parcialmente apoiado, parcialmente apoiada"
        ),
        Sense.OFF: "não aplicável, não se aplica",
    },
    "ru": {
        Sense.YES: (
            "да, верно, истина, истинно, правда, подтверждено, подтверждается, подтверждён, подтвержден, "
            "подтверждена, поддерживается, поддержано, правильно, соответствует, обосновано, корректно, "
            "подтверждаются"
        ),
        Sense.NO: "нет, неверно, не верно, ложь, ложно, неправда, неправильно, некорректно",
        Sense.LACK: (
            "не подтверждено, не подтверждается, не подтверждён, не подтвержден, не подтверждена, не "
            "поддерживается, не поддержано, не соответствует, не обосновано, необоснованно, неподтверждено, не "
            "подтверждаются"
        ),
        Sense.CONTRA: "противоречит, противоречие, опровергнуто, опровергается, опровергнут, опровергнута",
        Sense.UNKNOWN: (
            "недостаточно информации, недостаточно данных, неизвестно, не знаю, неясно, не упоминается, не "
            "упомянуто, нейтрально, не определено, нет информации, нет данных, невозможно определить, "
            "неопределённо, неопределенно, нельзя определить"
        ),
        Sense.PARTLY: (
            "частично подтверждено, частично, частично подтверждается, частично верно, отчасти, частично поддерживается"
        ),
        Sense.OFF: "неприменимо, не применимо",
    },
    "ar": {
        Sense.YES: "نعم, صحيح, صحيحة, مدعوم, مدعومة, مؤيد, مؤيدة, مؤكد, مؤكدة, صواب, أجل, متسق, متسقة, مثبت, مثبتة",
        Sense.NO: "لا, خطأ, خاطئ, خاطئة, غير صحيح, غير صحيحة, كلا",
        Sense.LACK: (
            "غير مدعوم, غير مدعومة, ليس مدعوما, ليست مدعومة, "
            " غير مؤيد, غير مؤيدة, غير مؤكد, غير مؤكدة, غير متسق, غير متسقة, غير مثبت, غير "
            "مثبتة, لا أساس له"
        ),
        Sense.CONTRA: "متناقض, متناقضة, تناقض, يتناقض, تتناقض, مناقض, مدحوض",
        Sense.UNKNOWN: (
            "معلومات غير كافية, لا توجد معلومات كافية, غير معروف, غير معروفة, لا أعرف, لا أعلم, غير مذكور, غير "
            "مذكورة, محايد, محايدة, غير واضح, غير محدد, لا يمكن التحديد, غير كاف, أدلة غير كافية"
        ),
        Sense.PARTLY: "مدعوم جزئيا, مدعوم جزئيًا, جزئيا, جزئيًا, جزئي, صحيح جزئيا, صحيح جزئيًا, مدعومة جزئيًا",
        Sense.OFF: "لا ينطبق, غير قابل للتطبيق",
    },
    "hi": {
        Sense.YES: "हाँ, हां, जी हाँ, सही, सत्य, समर्थित, सच, प्रमाणित, पुष्ट, ठीक, समर्थित है, सही है",
        Sense.NO: "नहीं, जी नहीं, गलत, ग़लत, असत्य, झूठ, सही नहीं, गलत है",
        Sense.LACK: "असमर्थित, समर्थित नहीं, समर्थित नहीं है, अप्रमाणित, अपुष्ट, प्रमाणित नहीं, पुष्ट नहीं",
        Sense.CONTRA: "विरोधाभास, खंडित, विरोधाभासी, खंडन, विपरीत",
        Sense.UNKNOWN: (
            "पर्याप्त जानकारी नहीं, अपर्याप्त जानकारी, अज्ञात, पता नहीं, मालूम नहीं, उल्लेख नहीं, तटस्थ, "
            "अनिश्चित, अस्पष्ट, जानकारी अपर्याप्त, जानकारी नहीं, पर्याप्त जानकारी नहीं है"
        ),
        Sense.PARTLY: "आंशिक रूप से समर्थित, आंशिक, आंशिक रूप से सही, आंशिक रूप से, आंशिक समर्थित",
        Sense.OFF: "लागू नहीं",
    },
    "marks": {
        Sense.YES: "✅, ✔, ✓, √, ☑, 🟢, 👍, 🆗, ◯, 〇, ○",
        Sense.NO: "❌, ✗, ✘, ✖, ×, ✕, ╳, 🔴, 👎, 🚫, ⛔",
        Sense.UNKNOWN: "❓, ❔, 🤷, ➖, ⚪",
        Sense.PARTLY: "🟡, 🟠, △",
    },
}

SENSES: Final[Mapping[str, Mapping[Sense, tuple[str, ...]]]] = {
    language: {sense: tuple(words.split(", ")) for sense, words in pack.items()} for language, pack in _PACKS.items()
}
"""Words by language (and "marks", of none) and sense."""


def merge(languages: Mapping[str, Mapping[Sense, tuple[str, ...]]] = SENSES) -> dict[str, Sense]:
    """Return one table of all words.

    Raises:
        ValueError: If two languages give one word different senses.
    """
    table: dict[str, Sense] = {}
    for language, senses in languages.items():
        for sense, words in senses.items():
            for word in words:
                if table.setdefault(word, sense) is not sense:
                    raise ValueError(f"{word!r} is {table[word].value} and, in {language}, {sense.value}")
    return table
