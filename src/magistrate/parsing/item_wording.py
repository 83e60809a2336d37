"""The names that judges write before an item, a verdict or a reason in plain text, in several languages."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["ITEM_HEAD", "ITEM_NAMES", "REASON_NAMES", "VERDICT_NAMES", "Names", "either"]

ITEM_NAMES: Final = (
    "statement sentence, atomic fact, atomic claim, "
    "statement, claim, case, criterion, sentence, fact, item, point, assertion, proposition, verdict, "
    "answer, id, n, no, nr, number, "
    "index, aussage, behauptung, satz, urteil, "
    "afirmación, afirmacion, declaración, declaracion, enunciado, veredicto, affirmation, énoncé, enonce, déclaration, "
    "declaration, affermazione, dichiarazione, enunciato, afirmação, afirmacao, declaração, declaracao, утверждение, "
    "высказывание, вердикт, 陈述, 陳述, 声明, 聲明, 语句, 命题, 主張, 文, 記述, 진술, 주장, 문장, العبارة, عبارة, "
    "البيان, الادعاء, بيان, "
    "ادعاء, कथन, दावा, वाक्य"
)
VERDICT_NAMES: Final = (
    "verdict, judgment, judgement, label, ruling, decision, determination, classification, conclusion, answer, result, "
    "status, rating, grade, assessment, evaluation, supported, support, faithful, grounded, entailed, attributable, "
    "correct, factual, "
    "consistent, urteil, verdetti, giudizi, bewertung, ergebnis, entscheidung, fazit, antwort, veredicto, juicio, "
    "dictamen, decisión, "
    "resultado, "
    "respuesta, conclusión, verdetto, giudizio, esito, risposta, conclusione, risultato, jugement, réponse, reponse, "
    "décision, "
    "résultat, veredito, julgamento, decisão, resposta, conclusão, вердикт, оценка, решение, ответ, вывод, результат, "
    "判定, 判断, 判斷, 裁定, 裁决, 结论, 結論, 答案, 结果, 結果, 評決, 答え, 回答, 판정, 판단, 평결, 결론, 답변, 답, "
    "결과, الحكم, "
    "النتيجة, الجواب, الإجابة, القرار, निर्णय, फैसला, फ़ैसला, उत्तर, परिणाम, निष्कर्ष"
)
REASON_NAMES: Final = (
    "reason, reasoning, explanation, rationale, justification, comment, note, analysis, evidence, because, begründung, "
    "erklärung, grund, razón, razon, explicación, explicacion, justificación, motivo, raison, explication, "
    "justification, "
    "motivazione, spiegazione, ragione, razão, explicação, justificativa, причина, объяснение, обоснование, 理由, "
    "原因, "
    "解释, "
    "解釋, 说明, 說明, 説明, 根拠, 이유, 설명, 근거, السبب, التفسير, التعليل, कारण, स्पष्टीकरण, व्याख्या"
)


def either(names: str) -> str:
    """A pattern that matches any of the names, longest first."""
    return "|".join(sorted((name.replace(" ", r"\s+") for name in names.split(", ")), key=len, reverse=True))


ITEM_HEAD: Final = (
    rf"[(\[#（【]?(?:(?:{either(ITEM_NAMES)})\s*+|[scq](?=\d))?#?\d{{1,4}}[*_`]{{0,3}}"
    r"(?:[)\].:）】]|\s?(?:[-–—=](?=\s)|->|=>|→))"
)
"""A pattern of the number of an item with the mark behind it: "1.", "[2]", "Claim 3 -", "s4:"."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_PLURALS: Final = ("", "s", "e", "en", "es", "i", "os", "as", "ы", "и")


class Names:
    """A quick test whether a text holds one of some names.

    Names are whole words, with plural endings; signs of dense scripts as they stand.

    Args:
        names: The names, separated by ", ".
    """

    def __init__(self, names: str) -> None:
        every = names.split(", ")
        self._words = frozenset(name + ending for name in every if name[0] < "\u0900" for ending in _PLURALS)
        self._signs = tuple(name for name in every if name[0] >= "\u0900")

    def within(self, text: str) -> bool:
        """Whether one of the names stands in the text."""
        if not self._words.isdisjoint(_WORD.findall(text.casefold())):
            return True
        return not text.isascii() and any(name in text for name in self._signs)
