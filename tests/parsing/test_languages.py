"""What judges write in twelve languages: verdict lines, lists, tables, sentences, translated keys, refusals.

Each pack has statements of its own and at least ten replies with the verdicts they give: S supported, P partially
supported, C contradicted, N not enough info, U unsupported, - none that is safe to use.
"""

from __future__ import annotations

import pytest

from magistrate.parsing import parse_verdicts
from magistrate.verdict import ParseStatus, Verdict

LETTERS = {
    "S": Verdict.SUPPORTED,
    "P": Verdict.PARTIALLY_SUPPORTED,
    "C": Verdict.CONTRADICTED,
    "N": Verdict.NOT_ENOUGH_INFO,
    "U": Verdict.UNSUPPORTED,
    "-": None,
}
STATEMENTS = {
    "en": ("The ferry leaves at nine.", "The ferry carries bicycles.", "The ferry has a café."),
    "zh": ("渡轮九点出发。", "渡轮可以载自行车。", "渡轮上有咖啡馆。"),
    "ja": ("フェリーは九時に出発する。", "フェリーには自転車を載せられる。", "フェリーには喫茶店がある。"),
    "ko": ("여객선은 아홉 시에 출발한다.", "여객선에는 자전거를 실을 수 있다.", "여객선에는 카페가 있다."),
    "es": ("El ferri sale a las nueve.", "El ferri lleva bicicletas.", "El ferri tiene cafetería."),
    "de": ("Die Fähre fährt um neun.", "Die Fähre nimmt Fahrräder mit.", "Die Fähre hat ein Café."),
    "fr": ("Le bac part à neuf heures.", "Le bac transporte les vélos.", "Le bac a un café."),
    "it": ("Il traghetto parte alle nove.", "Il traghetto trasporta biciclette.", "Il traghetto ha un bar."),
    "pt": ("A balsa parte às nove.", "A balsa leva bicicletas.", "A balsa tem um café."),
    "ru": ("Паром отходит в девять.", "Паром перевозит велосипеды.", "На пароме есть кафе."),
    "ar": ("تغادر العبّارة في التاسعة.", "تنقل العبّارة الدراجات.", "يوجد مقهى على العبّارة."),
    "hi": ("नौका नौ बजे छूटती है।", "नौका साइकिलें ले जाती है।", "नौका पर एक कैफ़े है।"),
}

PACKS: dict[str, list[tuple[str, str, str]]] = {
    "en": [
        ("binary", "SUS", "Final verdict for each statement in order: Yes. No. Yes."),
        ("binary", "SSU", "1. Yes\n2. Yes\n3. No"),
        ("ternary", "SCN", "1. Supported: the timetable says so.\n2. Contradicted.\n3. Not enough information."),
        ("ternary", "NSC", "Statement 1: idk\nStatement 2: supported\nStatement 3: contradicted"),
        ("binary", "USS", "| Statement | Verdict |\n|---|---|\n| 1 | No |\n| 2 | Yes |\n| 3 | Yes |"),
        ("ternary", "SCN", '["entailment", "contradiction", "neutral"]'),
        ("binary", "SUU", "- **Statement 1:** Yes\n- **Statement 2:** No\n- **Statement 3:** No"),
        ("graded", "SPN", '{"1": "fully supported", "2": "partially supported", "3": "not mentioned"}'),
        ("binary", "SUS", "Final verdicts: １. Yes ２. No ３. Yes"),
        ("binary", "SSS", "1) ✅ Yes\n2) ✅ Yes\n3) ✅ Yes"),
        ("ternary", "NNN", "1: cannot be determined\n2: cannot be determined\n3: cannot be determined"),
        ("binary", "UUS", "Statement 1 is not supported.\nStatement 2 is not supported.\nStatement 3 is supported."),
    ],
    "zh": [
        ("binary", "SUS", "每个陈述的最终判断：是。否。是。"),
        ("binary", "SSU", "1. 是\n2. 是\n3. 否"),
        ("ternary", "SCN", "1. 支持：时刻表如此写明。\n2. 矛盾\n3. 信息不足"),
        ("ternary", "NSC", "陈述1：无法判断\n陈述2：支持\n陈述3：矛盾"),
        ("binary", "USS", "| 陈述 | 判断 |\n|---|---|\n| 1 | 不支持 |\n| 2 | 支持 |\n| 3 | 支持 |"),
        ("binary", "SUU", '[{"编号": 1, "判断": "是"}, {"编号": 2, "判断": "否"}, {"编号": 3, "判断": "否"}]'),
        ("binary", "SUS", "１．是\n２．否\n３．是"),
        ("ternary", "SNC", '{"1": "得到支持", "2": "未提及", "3": "相矛盾"}'),
        ("graded", "SPN", '["支持", "部分支持", "信息不足"]'),
        ("binary", "UUS", "1、不支持\n2、不支持\n3、支持"),
        ("binary", "SSU", "（1）正确\n（2）正确\n（3）错误"),
        ("binary", "SUS", "【1】是\n【2】否\n【3】是"),
    ],
    "ja": [
        ("binary", "SUS", "各文の最終判定：はい。いいえ。はい。"),
        ("binary", "SSU", "1. はい\n2. はい\n3. いいえ"),
        ("ternary", "SCN", "1. 支持される：時刻表にある。\n2. 矛盾する\n3. 情報不足"),
        ("ternary", "NSC", "文1：判断できない\n文2：支持されている\n文3：矛盾している"),
        ("binary", "USS", "| 文 | 判定 |\n|---|---|\n| 1 | いいえ |\n| 2 | はい |\n| 3 | はい |"),
        (
            "binary",
            "SUU",
            '[{"番号": 1, "判定": "はい"}, {"番号": 2, "判定": "いいえ"}, {"番号": 3, "判定": "いいえ"}]',
        ),
        ("binary", "SUS", "１．はい\n２．いいえ\n３．はい"),
        ("ternary", "SNC", '{"1": "支持されている", "2": "不明", "3": "矛盾"}'),
        ("graded", "SPN", '["支持される", "部分的に支持", "不明"]'),
        ("binary", "UUS", "1：支持されていません\n2：支持されていません\n3：支持されています"),
        ("binary", "SSU", "① 正しい\n② 正しい\n③ 誤り"),
        ("binary", "SUS", "（1）はい\n（2）いいえ\n（3）はい"),
    ],
    "ko": [
        ("binary", "SUS", "각 문장에 대한 최종 판정: 예. 아니요. 예."),
        ("binary", "SSU", "1. 예\n2. 예\n3. 아니요"),
        ("ternary", "SCN", "1. 지지됨: 시간표에 있다.\n2. 모순\n3. 정보 부족"),
        ("ternary", "NSC", "문장 1: 알 수 없음\n문장 2: 지지됨\n문장 3: 모순됨"),
        ("binary", "USS", "| 문장 | 판정 |\n|---|---|\n| 1 | 아니요 |\n| 2 | 예 |\n| 3 | 예 |"),
        ("binary", "SUU", '[{"번호": 1, "판정": "예"}, {"번호": 2, "판정": "아니요"}, {"번호": 3, "판정": "아니요"}]'),
        ("binary", "SUS", "１. 네\n２. 아니오\n３. 네"),
        ("ternary", "SNC", '{"1": "지지됨", "2": "언급 없음", "3": "모순"}'),
        ("graded", "SPN", '["지지됨", "부분적으로 지지됨", "정보 부족"]'),
        ("binary", "UUS", "1) 지지되지 않음\n2) 지지되지 않음\n3) 지지됨"),
        ("binary", "SSU", "1: 사실\n2: 사실\n3: 거짓"),
        ("binary", "SUS", "- 문장 1: 예\n- 문장 2: 아니요\n- 문장 3: 예"),
    ],
    "es": [
        ("binary", "SUS", "Veredicto final para cada afirmación en orden: Sí. No. Sí."),
        ("binary", "SSU", "1. Sí\n2. Sí\n3. No"),
        ("ternary", "SCN", "1. Respaldado: lo dice el horario.\n2. Contradicho\n3. Información insuficiente"),
        ("ternary", "NSC", "Afirmación 1: desconocido\nAfirmación 2: respaldada\nAfirmación 3: contradicha"),
        ("binary", "USS", "| Afirmación | Veredicto |\n|---|---|\n| 1 | No |\n| 2 | Sí |\n| 3 | Sí |"),
        (
            "binary",
            "SUU",
            '[{"id": 1, "veredicto": "sí"}, {"id": 2, "veredicto": "no"}, {"id": 3, "veredicto": "no respaldado"}]',
        ),
        ("binary", "SUS", "1) verdadero\n2) falso\n3) verdadero"),
        ("ternary", "SNC", '{"1": "respaldado", "2": "no mencionado", "3": "refutado"}'),
        ("graded", "SPN", '["respaldado", "parcialmente respaldado", "información insuficiente"]'),
        ("binary", "UUS", "- Afirmación 1: no respaldada\n- Afirmación 2: no respaldada\n- Afirmación 3: respaldada"),
        ("binary", "SSU", "Veredictos: sí, sí, no"),
        ("binary", "SUS", "**1.** Sí\n**2.** No\n**3.** Sí"),
    ],
    "de": [
        ("binary", "SUS", "Endgültiges Urteil für jede Aussage der Reihe nach: Ja. Nein. Ja."),
        ("binary", "SSU", "1. Ja\n2. Ja\n3. Nein"),
        ("ternary", "SCN", "1. Belegt: Der Fahrplan sagt es.\n2. Widerlegt\n3. Nicht genug Informationen"),
        ("ternary", "NSC", "Aussage 1: unklar\nAussage 2: belegt\nAussage 3: widersprochen"),
        ("binary", "USS", "| Aussage | Urteil |\n|---|---|\n| 1 | Nein |\n| 2 | Ja |\n| 3 | Ja |"),
        (
            "binary",
            "SUU",
            '[{"id": 1, "urteil": "ja"}, {"id": 2, "urteil": "nein"}, {"id": 3, "urteil": "nicht belegt"}]',
        ),
        ("binary", "SUS", "1) wahr\n2) falsch\n3) wahr"),
        ("ternary", "SNC", '{"1": "gestützt", "2": "nicht erwähnt", "3": "widerlegt"}'),
        ("graded", "SPN", '["belegt", "teilweise belegt", "unklar"]'),
        ("binary", "UUS", "- Aussage 1: nicht gestützt\n- Aussage 2: nicht gestützt\n- Aussage 3: gestützt"),
        ("binary", "SSU", "Urteile: ja, ja, nein"),
        ("binary", "SUS", "**1.** Ja\n**2.** Nein\n**3.** Ja"),
    ],
    "fr": [
        ("binary", "SUS", "Verdict final pour chaque affirmation dans l'ordre : Oui. Non. Oui."),
        ("binary", "SSU", "1. Oui\n2. Oui\n3. Non"),
        ("ternary", "SCN", "1. Étayé : l'horaire le dit.\n2. Contredit\n3. Informations insuffisantes"),
        ("ternary", "NSC", "Affirmation 1 : inconnu\nAffirmation 2 : étayée\nAffirmation 3 : contredite"),
        ("binary", "USS", "| Affirmation | Verdict |\n|---|---|\n| 1 | Non |\n| 2 | Oui |\n| 3 | Oui |"),
        (
            "binary",
            "SUU",
            '[{"id": 1, "verdict": "oui"}, {"id": 2, "verdict": "non"}, {"id": 3, "verdict": "non étayé"}]',
        ),
        ("binary", "SUS", "1) vrai\n2) faux\n3) vrai"),
        ("ternary", "SNC", '{"1": "étayé", "2": "non mentionné", "3": "réfuté"}'),
        ("graded", "SPN", '["étayé", "partiellement étayé", "inconnu"]'),
        ("binary", "UUS", "- Affirmation 1 : non étayée\n- Affirmation 2 : non étayée\n- Affirmation 3 : étayée"),
        ("binary", "SSU", "Verdicts : oui, oui, non"),
        ("binary", "SUS", "**1.** Oui\n**2.** Non\n**3.** Oui"),
    ],
    "it": [
        ("binary", "SUS", "Verdetto finale per ogni affermazione in ordine: Sì. No. Sì."),
        ("binary", "SSU", "1. Sì\n2. Sì\n3. No"),
        ("ternary", "SCN", "1. Supportato: lo dice l'orario.\n2. Contraddetto\n3. Informazioni insufficienti"),
        ("ternary", "NSC", "Affermazione 1: sconosciuto\nAffermazione 2: supportata\nAffermazione 3: contraddetta"),
        ("binary", "USS", "| Affermazione | Verdetto |\n|---|---|\n| 1 | No |\n| 2 | Sì |\n| 3 | Sì |"),
        (
            "binary",
            "SUU",
            '[{"id": 1, "verdetto": "sì"}, {"id": 2, "verdetto": "no"}, {"id": 3, "verdetto": "non supportato"}]',
        ),
        ("binary", "SUS", "1) vero\n2) falso\n3) vero"),
        ("ternary", "SNC", '{"1": "supportato", "2": "non menzionato", "3": "smentito"}'),
        ("graded", "SPN", '["supportato", "parzialmente supportato", "sconosciuto"]'),
        (
            "binary",
            "UUS",
            "- Affermazione 1: non supportata\n- Affermazione 2: non supportata\n- Affermazione 3: supportata",
        ),
        ("binary", "SSU", "Verdetti: sì, sì, no"),
        ("binary", "SUS", "**1.** Sì\n**2.** No\n**3.** Sì"),
    ],
    "pt": [
        ("binary", "SUS", "Veredito final para cada afirmação em ordem: Sim. Não. Sim."),
        ("binary", "SSU", "1. Sim\n2. Sim\n3. Não"),
        ("ternary", "SCN", "1. Suportado: o horário diz isso.\n2. Contradito\n3. Informação insuficiente"),
        ("ternary", "NSC", "Afirmação 1: desconhecido\nAfirmação 2: suportada\nAfirmação 3: contradita"),
        ("binary", "USS", "| Afirmação | Veredito |\n|---|---|\n| 1 | Não |\n| 2 | Sim |\n| 3 | Sim |"),
        (
            "binary",
            "SUU",
            '[{"id": 1, "veredito": "sim"}, {"id": 2, "veredito": "não"}, {"id": 3, "veredito": "não suportado"}]',
        ),
        ("binary", "SUS", "1) verdadeiro\n2) falso\n3) verdadeiro"),
        ("ternary", "SNC", '{"1": "suportado", "2": "não mencionado", "3": "desmentido"}'),
        ("graded", "SPN", '["suportado", "parcialmente suportado", "desconhecido"]'),
        ("binary", "UUS", "- Afirmação 1: não suportada\n- Afirmação 2: não suportada\n- Afirmação 3: suportada"),
        ("binary", "SSU", "Vereditos: sim, sim, não"),
        ("binary", "SUS", "**1.** Sim\n**2.** Não\n**3.** Sim"),
    ],
    "ru": [
        ("binary", "SUS", "Итоговый вердикт для каждого утверждения по порядку: Да. Нет. Да."),
        ("binary", "SSU", "1. Да\n2. Да\n3. Нет"),
        ("ternary", "SCN", "1. Подтверждено: так в расписании.\n2. Противоречит\n3. Недостаточно информации"),
        ("ternary", "NSC", "Утверждение 1: неизвестно\nУтверждение 2: подтверждено\nУтверждение 3: опровергнуто"),
        ("binary", "USS", "| Утверждение | Вердикт |\n|---|---|\n| 1 | Нет |\n| 2 | Да |\n| 3 | Да |"),
        (
            "binary",
            "SUU",
            '[{"id": 1, "вердикт": "да"}, {"id": 2, "вердикт": "нет"}, {"id": 3, "вердикт": "не подтверждено"}]',
        ),
        ("binary", "SUS", "1) верно\n2) неверно\n3) верно"),
        ("ternary", "SNC", '{"1": "подтверждено", "2": "не упоминается", "3": "опровергнуто"}'),
        ("graded", "SPN", '["подтверждено", "частично подтверждено", "неизвестно"]'),
        (
            "binary",
            "UUS",
            "- Утверждение 1: не подтверждено\n- Утверждение 2: не подтверждено\n- Утверждение 3: подтверждено",
        ),
        ("binary", "SSU", "Вердикты: да, да, нет"),
        ("binary", "SUS", "**1.** Да\n**2.** Нет\n**3.** Да"),
    ],
    "ar": [
        ("binary", "SUS", "الحكم النهائي لكل عبارة بالترتيب: نعم. لا. نعم."),
        ("binary", "SSU", "1. نعم\n2. نعم\n3. لا"),
        ("ternary", "SCN", "1. مدعوم: هذا في الجدول.\n2. متناقض\n3. معلومات غير كافية"),
        ("ternary", "NSC", "العبارة 1: غير معروف\nالعبارة 2: مدعومة\nالعبارة 3: متناقضة"),
        ("binary", "USS", "| العبارة | الحكم |\n|---|---|\n| 1 | لا |\n| 2 | نعم |\n| 3 | نعم |"),
        ("binary", "SUU", '[{"id": 1, "الحكم": "نعم"}, {"id": 2, "الحكم": "لا"}, {"id": 3, "الحكم": "غير مدعوم"}]'),
        ("binary", "SUS", "١. نعم\n٢. لا\n٣. نعم"),
        ("ternary", "SNC", '{"1": "مدعوم", "2": "غير مذكور", "3": "متناقض"}'),
        ("graded", "SPN", '["مدعوم", "مدعوم جزئيًا", "غير معروف"]'),
        ("binary", "UUS", "- العبارة 1: غير مدعومة\n- العبارة 2: غير مدعومة\n- العبارة 3: مدعومة"),
        ("binary", "SSU", "1) صحيح\n2) صحيح\n3) خطأ"),
        ("binary", "SUS", "**1.** نعم\n**2.** لا\n**3.** نعم"),
    ],
    "hi": [
        ("binary", "SUS", "क्रम में प्रत्येक कथन का अंतिम निर्णय: हाँ। नहीं। हाँ।"),
        ("binary", "SSU", "1. हाँ\n2. हाँ\n3. नहीं"),
        ("ternary", "SCN", "1. समर्थित: समय सारणी में लिखा है।\n2. खंडित\n3. अपर्याप्त जानकारी"),
        ("ternary", "NSC", "कथन 1: अज्ञात\nकथन 2: समर्थित\nकथन 3: विरोधाभास"),
        ("binary", "USS", "| कथन | निर्णय |\n|---|---|\n| 1 | नहीं |\n| 2 | हाँ |\n| 3 | हाँ |"),
        ("binary", "SUU", '[{"id": 1, "निर्णय": "हाँ"}, {"id": 2, "निर्णय": "नहीं"}, {"id": 3, "निर्णय": "असमर्थित"}]'),
        ("binary", "SUS", "१. हाँ\n२. नहीं\n३. हाँ"),
        ("ternary", "SNC", '{"1": "समर्थित", "2": "उल्लेख नहीं", "3": "खंडित"}'),
        ("graded", "SPN", '["समर्थित", "आंशिक रूप से समर्थित", "अज्ञात"]'),
        ("binary", "UUS", "- कथन 1: असमर्थित\n- कथन 2: असमर्थित\n- कथन 3: समर्थित"),
        ("binary", "SSU", "1) सही\n2) सही\n3) गलत"),
        ("binary", "SUS", "**1.** हाँ\n**2.** नहीं\n**3.** हाँ"),
    ],
}

REFUSALS = {
    "en": ["I'm sorry, but I can't help with that.", "As an AI, I am not able to judge these statements."],
    "zh": ["抱歉，我无法协助完成这个请求。", "对不起，我不能评估这些陈述。"],
    "ja": ["申し訳ありませんが、お手伝いできません。", "申し訳ございません。この評価はできません。"],
    "ko": ["죄송합니다. 도와드릴 수 없습니다.", "죄송하지만 이 문장들을 평가할 수 없습니다."],
    "es": ["Lo siento, no puedo ayudar con eso.", "No puedo evaluar estas afirmaciones."],
    "de": ["Es tut mir leid, dabei kann ich nicht helfen.", "Ich kann diese Aussagen leider nicht bewerten."],
    "fr": ["Je suis désolé, je ne peux pas vous aider.", "Je ne peux pas évaluer ces affirmations."],
    "it": ["Mi dispiace, non posso aiutarti.", "Non posso valutare queste affermazioni."],
    "pt": ["Desculpe, não posso ajudar com isso.", "Não posso avaliar estas afirmações."],
    "ru": ["Извините, я не могу помочь с этим.", "К сожалению, я не могу оценить эти утверждения."],
    "ar": ["عذرًا، لا أستطيع المساعدة في ذلك.", "آسف، لا يمكنني تقييم هذه العبارات."],
    "hi": ["क्षमा करें, मैं इसमें मदद नहीं कर सकता।", "माफ़ कीजिए, मैं इन कथनों का मूल्यांकन नहीं कर सकती।"],
}

EACH = [
    pytest.param(language, scale, letters, text, id=f"{language}-{number}")
    for language, pack in PACKS.items()
    for number, (scale, letters, text) in enumerate(pack, 1)
]


class TestPacks:
    def test_every_language_has_ten_replies_of_its_own(self) -> None:
        assert set(PACKS) == set(STATEMENTS) == set(REFUSALS)
        assert all(len({text for _, _, text in pack}) >= 10 for pack in PACKS.values())

    @pytest.mark.parametrize(("language", "scale", "letters", "text"), EACH)
    def test_a_reply_is_read_as_it_is_meant(self, language: str, scale: str, letters: str, text: str) -> None:
        reading = parse_verdicts(text, STATEMENTS[language], scale=scale)
        assert "".join(letter for one in reading.found for letter, said in LETTERS.items() if said is one) == letters
        assert reading.status is ParseStatus.OK

    @pytest.mark.parametrize(("language", "scale", "letters", "text"), EACH)
    def test_thinking_and_courtesies_around_it_change_nothing(
        self, language: str, scale: str, letters: str, text: str
    ) -> None:
        wrapped = f"<think>\n{STATEMENTS[language][0]} Hm. Yes? No?\n</think>\n\n{text}"
        reading = parse_verdicts(wrapped, STATEMENTS[language], scale=scale)
        assert list(reading.found) == [LETTERS[letter] for letter in letters]


class TestRefusals:
    @pytest.mark.parametrize("text", [text for refusals in REFUSALS.values() for text in refusals])
    def test_nothing_answered_and_sorry_is_a_refusal(self, text: str) -> None:
        reading = parse_verdicts(text, STATEMENTS["en"])
        assert reading.status is ParseStatus.REFUSAL
        assert list(reading.found) == [None, None, None]

    @pytest.mark.parametrize("language", PACKS)
    def test_words_of_a_refusal_beside_an_answer_are_none(self, language: str) -> None:
        scale, letters, answer = PACKS[language][1]
        text = f"{REFUSALS[language][0]}\n\n{answer}"
        reading = parse_verdicts(text, STATEMENTS[language], scale=scale)
        assert reading.status is not ParseStatus.REFUSAL
        assert list(reading.found) == [LETTERS[letter] for letter in letters]


class TestNoWordOfAnotherMeaning:
    """A word that says yes in one language and something else in another is no verdict in either by itself."""

    @pytest.mark.parametrize(
        "word", ["si no", "ja aber", "non lo so se", "да или", "是否", "はいか", "예를 들어", "لأن"]
    )
    def test_a_word_within_a_phrase_is_not_the_phrase(self, word: str) -> None:
        reading = parse_verdicts(f'[{{"id": 1, "verdict": "{word}"}}]', ["The ferry has a café."], scale="ternary")
        assert list(reading.found) == [None]
