"""What an assistant says to be polite: it states nothing about the contexts, so no judge should be asked about it.

Only whole sentences that begin like one of these, are short, and hold no digit; a sentence that goes on with content
("Of course the fee is ...") is longer or does not begin like that.
"""

from __future__ import annotations

import re
from typing import Final

from magistrate.text.fold import fold

_LONGEST: Final = 160
_WORDS: Final = re.compile(r"[^\W_]+")
_DIGIT: Final = re.compile(r"\d")
_MARKS: Final = " \t\n\"'“”„«»*_#>-–—(["


def _folded(text: str) -> str:
    return " ".join(_WORDS.findall(fold(text)))


# The whole sentence.
_WHOLE: Final = frozenset(
    _folded(phrase)
    for phrase in """
    certainly | sure | sure thing | of course | absolutely | great question | good question | hello | hi | hi there |
    hey | thank you | thanks | you're welcome | you are welcome | no problem | my pleasure | goodbye | take care | happy
    to help | glad to help | i'm happy to help | i'm glad i could help | glad i could help | here you go | stay safe |
    good luck | hola | claro | por supuesto | con gusto | gracias | de nada | buena pregunta | saludos | hasta luego |
    hallo | gerne | natürlich | selbstverständlich | gern geschehen | vielen dank | danke | gute frage | viel erfolg |
    viel glück | bonjour | bien sûr | certainement | merci | je vous en prie | avec plaisir | bonne question | bonne
    chance | de rien | ciao | certo | certamente | grazie | prego | buona domanda | volentieri | buona fortuna | olá |
    claro que sim | com certeza | obrigado | obrigada | boa pergunta | com prazer | boa sorte | здравствуйте | привет |
    конечно | разумеется | спасибо | пожалуйста | хороший вопрос | удачи | مرحبا | بالطبع | بالتأكيد | شكرا | عفوا | على
    الرحب والسعة | سؤال جيد | नमस्ते | ज़रूर | बिल्कुल | धन्यवाद | आपका स्वागत है | अच्छा सवाल | 你好 | 您好 | 当然 |
    當然 | 谢谢 | 謝謝 | 不客气 | 不客氣 | 好的 | 当然可以 | 好问题 | こんにちは | もちろん | もちろんです |
    ありがとうございます | どういたしまして | 承知しました | わかりました | 안녕하세요 | 물론입니다 | 물론이죠 |
    감사합니다 | 천만에요 | 좋은 질문입니다
    """.split("|")
)
# How it begins.
_OPENINGS: Final = tuple(
    _folded(phrase)
    for phrase in """
    let me know if | please let me know if | feel free to ask | please feel free to | don't hesitate to | i hope this
    helps | i hope that helps | hope this helps | if you have any other questions | if you have any more questions | if
    you have any further questions | if you have any questions | if you need any | if you need further | if you need
    more | would you like me to | would you like to know | do you want me to | is there anything else | can i help you
    with | do you have any other questions | do you have any more questions | thank you for your question | thanks for
    asking | i'd be happy to help | i would be happy to help | i'm here to help | you're welcome | you are welcome | i'm
    glad i could | i am glad i could | espero que esto ayude | espero que esta información | espero que le sea | si
    tiene alguna otra pregunta | si tienes alguna otra pregunta | si tienes más preguntas | si tiene más preguntas | no
    dude en | no dudes en | hay algo más en lo que | quieres que te | desea que | ich hoffe das hilft | ich hoffe dies
    hilft | ich hoffe das hat | wenn sie weitere fragen haben | wenn du weitere fragen hast | falls sie weitere fragen |
    falls du weitere fragen | bei weiteren fragen | lassen sie mich wissen | lass mich wissen | kann ich ihnen sonst |
    kann ich dir sonst | möchten sie dass ich | möchtest du dass ich | j'espère que cela | j'espère que ça | si vous
    avez d'autres questions | si tu as d'autres questions | n'hésitez pas à | n'hésite pas à | souhaitez vous que je |
    puis je vous aider | spero che questo | spero di esserti | spero che ti sia | se hai altre domande | se ha altre
    domande | non esitare a | non esiti a | posso aiutarti con altro | vuoi che | espero que isso ajude | espero ter
    ajudado | se você tiver mais | se tiver mais perguntas | se tiver outras | fique à vontade | não hesite em | posso
    ajudar em mais | gostaria que eu | надеюсь это поможет | надеюсь эта информация | если у вас есть ещё вопросы | если
    у вас есть вопросы | если у вас остались вопросы | если у вас возникнут | обращайтесь | дайте мне знать | хотите
    чтобы я | آمل أن يكون هذا | آمل أن تساعد | إذا كان لديك أي أسئلة | إذا كانت لديك أي أسئلة | لا تتردد في | هل تريد
    مني | هل ترغب في | मुझे आशा है कि यह | अगर आपके कोई और | यदि आपके कोई और | यदि आपके पास कोई | क्या आप चाहते हैं कि
    मैं | बेझिझक पूछें | 希望这对你有帮助 | 希望这对您有帮助 | 希望这些信息 | 希望對您有幫助 | 如果您还有 | 如果你还有 |
    如果您有任何 | 如果你有任何 | 如有任何问题 | 如果您還有 | 请随时 | 請隨時 | 还有什么我可以 | 您是否需要我 | 需要我 |
    お役に立てれば | お役に立てば | 他にご質問 | ほかにご質問 | ご不明な点が | 何かご不明 | ご質問があれば | お気軽に |
    도움이 되셨기를 | 도움이 되었기를 | 도움이 되길 | 다른 질문이 있으시면 | 추가 질문이 있으시면 | 궁금한 점이 있으시면
    | 언제든지
    """.split("|")
)
_MOST_WORDS: Final = 22
# "Here are the key features:" leads to what states something.
_LEADS: Final = tuple(
    _folded(phrase)
    for phrase in """
    here is | here are | here's | below is | below are | aquí está | aquí están | aquí tienes | a continuación | hier
    ist | hier sind | im folgenden | voici | ci dessous | ecco | di seguito | aqui está | aqui estão | a seguir | вот |
    ниже | إليك | فيما يلي | यहाँ | यहां | नीचे | 以下是 | 以下 | 下面是 | 다음은 | 아래는
    """.split("|")
)
_COLONS: Final = (":", "：")
# Most sentences begin like none of these, which their first characters show at once.
_FIRST: Final = frozenset(phrase[:2] for phrase in (*_WHOLE, *_OPENINGS, *_LEADS))


def is_courtesy(sentence: str) -> bool:
    """Whether a sentence is a greeting, thanks, an offer of help, or only leads to what follows ("Here they are:").

    Args:
        sentence: One sentence, in one of twelve languages.
    """
    if (
        len(sentence) > _LONGEST
        or fold(sentence[:24]).strip(_MARKS).replace("'", " ")[:2] not in _FIRST
        or _DIGIT.search(sentence)
    ):
        return False
    folded = _folded(sentence)
    if folded in _WHOLE:
        return True
    if folded.count(" ") >= _MOST_WORDS:
        return False
    leads = sentence.rstrip(_MARKS).endswith(_COLONS) and folded.startswith(_LEADS)
    return leads or folded.startswith(_OPENINGS)
