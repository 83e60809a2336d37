"""The names judges give to the parts of a row, in several languages: which part a key names.

Keys are compared in a compact form ("Statement_ID " is "statementid"); a key of six letters or more may be one letter
off. What no table holds has no role.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final

from magistrate.parsing.languages import Sense
from magistrate.parsing.vocabulary import fold

__all__ = ["OF_ALL", "POLARITY", "Role", "asks_support", "compact", "role_of"]

OF_ALL: Final = frozenset(("total", "count", "summary", "overall", "overallverdict", "gesamt", "resumen", "résumé"))
"""Compact keys beside the ids of a map whose value is about no single statement."""
SHORTEST_NEAR: Final = 5
LONGEST_NEAR: Final = 24
"""Letters of a key that may be one letter off. A digit never is: "statement1" is no misspelt "statements"."""
LONGEST_KEY: Final = 64
"""No key of any table is longer; a reply may hold a megabyte of key."""


class Role(StrEnum):
    """The part of a row that a key names."""

    ID = "id"
    ECHO = "echo"
    VERDICT = "verdict"
    WEAK_VERDICT = "weak"
    """May hold a verdict where nothing better does: "answer", "score", "status"."""
    REASON = "reason"
    QUOTE = "quote"
    PROBABILITY = "probability"
    TOKEN = "token"  # noqa: S105 - a part of a reply, not a password
    ASIDE = "aside"
    """Never holds the answer: drafts, examples, schemas, what was put in."""
    REFUSAL = "refusal"


_KEYS: Final = {
    Role.ID: (
        "id n no nr num number index idx i # item itemid itemnumber statementid statementno statementnumber "
        "statementnum "
        "ids numbers statementids claimids statementindex statementidx claimid claimno claimnumber claimindex "
        "sentenceid sentenceindex sentencenumber "
        "factid verdictid questionid key ref reference position order seq order nummer aussagenummer 编号 序号 番号 "
        "번호 "
        "número numero numéro номер رقم क्रमांक ключ índice stmt stmtid sid cid"
    ),
    Role.ECHO: (
        "statement statements claim claims sentence text fact assertion proposition hypothesis content statementtext "
        "claimtext atomicfact atomicclaim atomicfacts atomicclaims facts truth truths propositions assertions "
        "sentences originalstatement quotedstatement simplerstatement aussage behauptung satz "
        "afirmación afirmacion declaración declaracion enunciado affirmation énoncé enonce déclaration affermazione "
        "dichiarazione enunciato afirmação afirmacao declaração declaracao утверждение высказывание 陈述 陳述 声明 "
        "聲明 "
        "语句 命题 主張 文 記述 진술 주장 문장 عبارة بيان ادعاء कथन दावा वाक्य"
    ),
    Role.VERDICT: (
        "verdict verdicts finalverdict judgment judgement finaljudgment finaljudgement label finallabel supported "
        "issupported supportedbycontext issupportedbycontext faithful isfaithful faithfulness grounded isgrounded "
        "groundedness entailed isentailed entailment attributed isattributed attributable isattributable "
        "canbeattributed attribution correct iscorrect factual isfactual consistent isconsistent verified isverified "
        "met ismet pass passed ruling decision classification nli nlilabel supportstatus supportlabel support "
        "veracity truthvalue istrue valid isvalid verdictlabel verdictvalue determination "
        "supportlevel levelofsupport relation stance "
        "urteil bewertung einschätzung ergebnis entscheidung gestützt belegt veredicto veredito juicio dictamen "
        "etiqueta decisión respaldado verdetto giudizio esito etichetta jugement étiquette décision soutenu "
        "julgamento rótulo rotulo decisão suportado вердикт оценка метка решение подтверждено 判定 判断 裁定 结论 結論 "
        "标签 標籤 判斷 評決 ラベル 판정 판결 평결 라벨 결론 حكم الحكم القرار निर्णय फैसला फ़ैसला"
    ),
    Role.WEAK_VERDICT: (
        "binaryscore binaryverdict "
        "answer result finalanswer finalresult status score value rating grade conclusion assessment evaluation output "
        "response outcome category class check fact_check factcheck verification prediction predicted prediccion "
        "antwort resultado respuesta réponse reponse résultat risposta risultato resposta ответ результат 答案 结果 "
        "結果 答え 回答 답변 결과 الجواب النتيجة उत्तर परिणाम bool final decisionvalue symbol mark choice"
    ),
    Role.REASON: (
        "reason reasons reasoning explanation rationale justification comment comments note notes analysis thought "
        "thoughts why basis remark because thinking chainofthought cot stepbystep begründung begruendung grund "
        "erklärung erklaerung razón razon razonamiento explicación explicacion justificación justificacion motivo "
        "motivazione spiegazione ragione raison explication justificatif razão razao explicação explicacao "
        "justificativa причина объяснение обоснование 理由 原因 解释 解釋 说明 說明 説明 根拠 이유 설명 근거 السبب سبب "
        "التفسير التعليل कारण स्पष्टीकरण व्याख्या"
    ),
    Role.QUOTE: (
        "evidence quote quotes citation citations source sources span spans excerpt excerpts passage passages "
        "supportingquote supportingevidence supportingtext contextquote quotation zitat beleg evidencia cita citación "
        "evidenza citazione preuve citação evidência цитата доказательство 证据 證據 引用 証拠 인용 증거 دليل اقتباس "
        "साक्ष्य उद्धरण"
    ),
    Role.PROBABILITY: "probability prob p psupported probabilitysupported supportprobability psupport",
    Role.TOKEN: "token requesttoken replytoken echotoken",
    Role.ASIDE: (
        "example examples draft drafts scratch scratchpad previous previousverdicts prior template format schema "
        "$defs definitions default enum expected gold groundtruth history initial initialverdicts firstpass "
        "metadata meta usage candidateanswer quotedanswer"
    ),
    Role.REFUSAL: "error refusal refused refusalreason decline declined warning apology",
}

_ROLES: Final = {key.replace("_", ""): role for role, keys in _KEYS.items() for key in keys.split()}
_CLOSE: Final[dict[int, list[tuple[str, Role]]]] = {}
for _key, _of in _ROLES.items():
    if len(_key) > SHORTEST_NEAR and _key.isascii():
        _CLOSE.setdefault(len(_key), []).append((_key, _of))

POLARITY: Final = {
    "contradicted": Sense.CONTRA, "iscontradicted": Sense.CONTRA, "contradiction": Sense.CONTRA,
    "contradicts": Sense.CONTRA, "refuted": Sense.CONTRA,
    "unsupported": Sense.LACK, "notsupported": Sense.LACK, "isunsupported": Sense.LACK, "hallucinated": Sense.LACK,
    "hallucination": Sense.LACK, "ishallucination": Sense.LACK, "ishallucinated": Sense.LACK,
    "unfaithful": Sense.LACK, "hashallucination": Sense.LACK, "hashallucinations": Sense.LACK,
    "hallucinationdetected": Sense.LACK, "containshallucination": Sense.LACK, "containshallucinations": Sense.LACK,
    "notenoughinfo": Sense.UNKNOWN, "notenoughinformation": Sense.UNKNOWN, "neutral": Sense.UNKNOWN,
    "partiallysupported": Sense.PARTLY,
}  # fmt: skip
"""Keys that name a verdict other than "supported": true under them is that verdict, false says only what it is not."""


def compact(key: str) -> str:
    """Bring a key to its compact form: letters, digits and "#", "$" of any script, in lower case."""
    return "".join(char for char in fold(key) if char.isalnum() or char in "#$" or "\u0900" <= char <= "\u097f")


_ASKS_SUPPORT: Final = frozenset(
    "supported issupported supportedbycontext issupportedbycontext faithful isfaithful grounded isgrounded entailed "
    "isentailed attributed isattributed attributable isattributable canbeattributed factual isfactual consistent "
    "isconsistent verified isverified met ismet pass passed supportstatus support valid isvalid gestützt belegt "
    "respaldado soutenu suportado подтверждено".split()
)


@lru_cache(maxsize=1024)
def asks_support(key: str) -> bool:
    """Whether a key asks whether the statement is supported, so that a no is only "not supported"."""
    return len(key) <= LONGEST_KEY and compact(key) in _ASKS_SUPPORT


def role_of(key: str, *, near: bool = True) -> Role | None:
    """Which part of a row a key names; None where no table holds it.

    A key of five letters or more counts with one letter missing, added, changed or swapped, if that leaves one role.

    Args:
        key: The key.
        near: Whether such a key counts.
    """
    if len(key) > LONGEST_KEY:
        return None
    return _role(key) if near else _ROLES.get(compact(key))


@lru_cache(maxsize=4096)
def _role(key: str) -> Role | None:
    name = compact(key)
    role = _ROLES.get(name)
    if role is not None or not SHORTEST_NEAR <= len(name) <= LONGEST_NEAR or not name.isalpha() or not name.isascii():
        return role
    close = (pair for length in (len(name) - 1, len(name), len(name) + 1) for pair in _CLOSE.get(length, ()))
    found = {role for other, role in close if _one_off(name, other)}
    return found.pop() if len(found) == 1 else None


def _one_off(left: str, right: str) -> bool:
    """Whether two words differ by one letter missing, added or changed, or two neighbours swapped."""
    if len(left) > len(right):
        left, right = right, left
    start = 0
    while start < len(left) and left[start] == right[start]:
        start += 1
    if len(left) < len(right):
        return left[start:] == right[start + 1 :]
    if left[start + 1 :] == right[start + 1 :]:
        return True
    return left[start : start + 2] == right[start : start + 2][::-1] and left[start + 2 :] == right[start + 2 :]
