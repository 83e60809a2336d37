"""What stands before a sentence that gives a verdict, and whether the judge affirms the sentence with it.

"I conclude that the statement is supported" gives a verdict; "I cannot confirm that the statement is supported" gives
none, nor does what somebody else asserts. There is no end to what may be denied in words, so that the openings that
affirm are listed here, and whatever else leads into a sentence makes it none.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["affirmed"]

_WINDOW: Final = 200
_ENDS: Final = re.compile(
    r"[.!?](?=[\s\"'”’)]|$)|[;:\n。！？；：।؛؟]|\s[-\u2013\u2014]\s|[\u2014\ue000-\ue002*_()\[\]>|]"
)
"""Where a sentence, or what stands for one, ends."""
_ADVERBS: Final = (
    r"(?:(?:also|therefore|thus|hence|then|clearly|directly|indeed|actually|only|still|overall|now|further|explicitly|reasonably"
    r"|safely|confidently|strongly|firmly|fully|again|here|both|simply|just)[ ,]+){0,6}"
)
_WITNESS: Final = (
    r"(?:(?:the|this|that|these|those|our|my|its|provided|given|retrieved|cited|above|first|second|last|whole|same)\s+){1,6}"
    r"(?!(?:response|answer|author|candidate|assistant|model|user|student|writer|claim|statement|summary|speaker|witness"
    r"|reply|output|opponent|critic|reviewer|question|prompt)s?\b)[\w'’-]+(?:\s+\d{1,3})?"
)
"""What may show that a statement holds; what was judged, and who wrote it, are no witnesses."""
_SHOWS: Final = (
    r"(?:means?|shows?|confirms?|indicates?|implies|imply|demonstrates?|proves?|establish(?:es)?|makes? (?:it )?clear"
    r"|tells? us|states?|says?|notes?|mentions?|reveals?|verif(?:y|ies)|specif(?:y|ies)|explains?|reports?)"
)
_CONCLUDES: Final = (
    r"(?:conclude|find|found|believe|think|judge|determine|determined|see|say|confirm|verify|agree|consider|assess|decide"
    r"|decided|hold|infer|concluded|am (?:confident|sure|certain)|are (?:confident|sure|certain)|would say"
    r"|can(?: only)? (?:conclude|say|see|confirm|verify|infer|determine|agree|deduce))"
)
_OPENING: Final = re.compile(
    r"(?:^|[,]\s*|\b(?:so|and|therefore|thus|hence|but|because|since|as|yes|which|consequently|accordingly)[\s,]+)"
    rf"(?:{_ADVERBS}(?:"
    rf"(?:i|we)\s+{_ADVERBS}{_CONCLUDES}(?:\s+that)?"
    rf"|(?:this|that|it|which|these|{_WITNESS})(?:\s+(?:in|of|from)\s+the\s+[\w'’-]+)?\s+{_ADVERBS}{_SHOWS}\s+that"
    r"|(?:this|that|it|which)\s+means"
    r"|(?:confirming|showing|indicating|meaning|demonstrating|proving|implying|establishing)\s+that|meaning"
    rf"|it\s+is\s+{_ADVERBS}(?:clear|evident|obvious|true|correct|apparent|certain|plain|safe\s+to\s+(?:say|conclude)"
    r"|fair\s+to\s+(?:say|conclude)|reasonable\s+to\s+(?:say|conclude))\s+that"
    r"|it\s+(?:follows|can\s+be\s+(?:\w+ly\s+)?(?:concluded|said|seen|inferred|confirmed|verified|determined|deduced))\s+that"
    r"|there\s+is\s+(?:(?:clear|direct|explicit|strong|sufficient|enough|ample|good)\s+){0,6}(?:evidence|proof|support)\s+that"
    r"|(?:the|my|our)\s+(?:final\s+)?(?:conclusion|verdict|answer|judge?ment|finding|assessment|result)\s+is\s+that"
    r"))\s*$",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r"(?:,|\b(?:so|therefore|thus|hence|and|then|because|since|as|consequently|accordingly|yes|yeah|but|here|also"
    r"|overall|indeed|clearly|correct|right|true|false|ok|okay|well|now|actually|again|likewise|similarly|conclusion"
    r"|finally|ultimately|however|yet|nevertheless|nonetheless|moreover|furthermore|additionally|besides|meanwhile"
    r"|in fact|of course|certainly|surely|wait|step|answer|verdict|still|both|is|instead|i\.e\.))\s*$",
    re.IGNORECASE,
)
"""What a sentence may follow without depending on it."""
_FRAME: Final = re.compile(
    r"(?:^|,\s*|\b(?:so|and|therefore|thus|hence|but|yes|no)[\s,]+)(?:based\s+(?:solely\s+|only\s+)?(?:up)?on|according\s+to"
    r"|given|in|from|per|by|on|after|with|under|for|within|considering|upon)\s+(?!no\b|neither\b|none\b)(?:[\w'’\"-]+\s+){1,8}$",
    re.IGNORECASE,
)
"""A frame for what follows: "Based on the given notice the statement is supported"."""
_FRAME_FAILS: Final = re.compile(
    r"\b(?:no|not|nothing|none|never|neither|nor|without|hardly|barely|doubt\w*|cannot|deny|denies|claims?|asserts?|argues?"
    r"|believes?|say|says|think|thinks|suppose\w*|that|whether|if|unlikely|opinion|view|response|author\w*|candidate\w*|user\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_IN_IT: Final = re.compile(
    r"(?:^|,\s*|\b(?:so|and|therefore|thus|hence|but|because|since|as|yes|that)[\s,]+)(?:all(?:\s+of)?(?:\s+the)?|everything|the(?:\s+(?:whole|entire|full|given))?|every|each)"
    r"(?:\s+(?:information|statements?|contents?|details?|facts?|claims?|points?|parts?|evidence|data|line|lines|elements?|aspects?"
    r"|events?|whole))?\s+(?:(?:given|provided|made|stated|contained|mentioned|presented|described)\s+)?(?:in|of|about|from|by|within)\s*$",
    re.IGNORECASE,
)
"""The whole of what is named: "all the information in" the statement."""
_KIND: Final = re.compile(
    r"(?:^|[,]\s*|\b(?:so|and|therefore|thus|hence|but|because|since|as|yes|no|that|of|in)[\s,]+)(?:the|this|that|my|your|our|their|its)\s+(?:(?:following|whole|entire"
    r"|full|original|provided|above|given|present|current|final|exact|complete|resulting|candidate|generated|quoted|specific"
    r"|particular|said|first|second|third|last|new|retrieved|cited|source|news|only|single|short|user|author|model|ai|bot)(?:['’]s)?\s+){0,6}$",
    re.IGNORECASE,
)
"""Words between "the" and the noun that leave it the statement which was asked about."""


def affirmed(before: str) -> bool:
    """Whether the judge affirms the sentence that follows.

    Args:
        before: What stands before its subject; no more than its end is looked at.

    Returns:
        True where the sentence stands by itself, is joined to another one, or follows an opening that affirms.
    """
    ahead = before[-_WINDOW:]
    end = 0
    for stop in _ENDS.finditer(ahead):
        end = stop.end()
    ahead = ahead[end:].lstrip(" \t\"'“”‘’,-\u2013#`0123456789)")
    if not ahead.strip() or _JOINED.search(ahead) or _OPENING.search(ahead):
        return True
    kind = _KIND.search(ahead)
    if kind is not None:
        return _affirmed_rest(ahead[: kind.start()])
    if _IN_IT.search(ahead):
        return True
    frame = _FRAME.search(ahead)
    return frame is not None and _FRAME_FAILS.search(frame.group()) is None


def _affirmed_rest(ahead: str) -> bool:
    """The same of what stands before the words around the noun."""
    return not ahead.strip() or _JOINED.search(ahead) is not None or _OPENING.search(ahead) is not None
