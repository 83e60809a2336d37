"""The shapes of JSON that is almost JSON, as patterns. All are linear: no part can match the same text twice over."""

import re
from typing import Any, Final

from magistrate.parsing.decode.nodes import Gap

LONGEST_KEY: Final = 80
OPENERS: Final = {
    '"': '"',
    "'": "'",
    "\u201c": '\u201d\u201c"',
    "\u201d": '\u201d"',
    "\u201e": '\u201c\u201d"',
    "\u2018": "\u2019'",
    "\u2019": "\u2019'",
    "`": "`'\u00b4",
    "\uff02": "\uff02",
    "\u00ab": "\u00bb",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}
"""Marks that open a string, and those that may close it."""
STRUCTURE: Final = {
    "\uff5b": "{",
    "\uff5d": "}",
    "\uff3b": "[",
    "\uff3d": "]",
    "\uff1a": ":",
    "\uff0c": ",",
    "\u3001": ",",
    "\uff1b": ",",
    ";": ",",
    "\u3010": "[",
    "\u3011": "]",
}
"""Full-width forms, and semicolons, that stand for structure."""
PYTHON: Final[dict[str, Any]] = {
    **dict.fromkeys(("True", "TRUE"), True),
    **dict.fromkeys(("False", "FALSE"), False),
    **dict.fromkeys(("None", "NULL", "Null", "nil")),
    "undefined": Gap.MISSING,
}
LITERALS: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    "null": None,
    **PYTHON,
    **{word: float(word) for word in ("NaN", "nan", "Infinity", "-Infinity", "inf")},
}
ANY_QUOTE: Final = "\"'`\u2018\u2019\u201c\u201d\u201e\uff02\u00ab\u300c\u300e"
_Q: Final = f"[{ANY_QUOTE}]"
_COLON: Final = "[:\uff1a]"
_COMMA: Final = "[,;\uff0c\u3001\uff1b]"
_CLOSE: Final = "[}\\]\uff5d\uff3d\u3011]"
_VALUE_START: Final = rf"(?:{_Q}|[\d\[{{-]|true\b|false\b|null\b|True\b|False\b|None\b)"
_CLOSING: Final = "[\"'`\u2018\u2019\u201c\u201d\u201e\uff02\u00bb\u300d\u300f]"
_IS: Final = rf"(?:{_COLON}|=>?)"
_QUOTED_KEY: Final = (
    rf"{_Q}[^\"'`\u201c\u201d\uff02\u300c-\u300f\u00ab\u00bb\uff1a\uff5b\uff5d\\\n{{}}\[\]:=]"
    rf"{{1,{LONGEST_KEY}}}{_CLOSING}\s*{_IS}"
)
_HALF_QUOTED_KEY: Final = rf"(?:{_Q}\w[\w ]{{0,39}}|(?:[^\W\d]\w{{0,39}}|\d{{1,9}}){_Q}?\s*){_COLON}\s*{_VALUE_START}"
_KEY: Final = rf"(?:{_QUOTED_KEY}|{_HALF_QUOTED_KEY})"
SPACE: Final = re.compile(r"[\s\ufeff\u200b\x00]*")
_TEXT: Final = r"(?:[^\"\\\x00-\x1f]++|\\[^\x00-\x1f]|(?<=[ (])\"[^\"\\:{}\[\],\x00-\x1f]{1,80}\"(?=[ .,;!?)]))*+"
"""A string; words in it may be set in marks of their own."""
_WORDS: Final = "true|false|null|True|False|None"
MEMBER: Final = re.compile(
    r"\s*(?:([\"'])([^\"'\\\n]{1,80})\1|([^\W\d]\w{0,39}))\s*:\s*"
    rf"(?:\"({_TEXT})\"|'([^'\\\x00-\x1f]*+)'|(-?(?:0|[1-9][0-9]{{0,17}})(?![\w.+-]|,\d)|(?:{_WORDS})(?!\w)))\s*"
    r"(?:(,)\s*(?=[\"'\w}])|(?=\}))"
)
"""A member with nothing wrong but its marks: mark of its key, key, bare key; text, text in single marks, word, end."""
ARROW: Final = re.compile(r"=>?")
AFTER_MEMBER: Final = re.compile(
    rf"\s*+(?:{_CLOSE}|\Z|{_COMMA}\s*(?:{_CLOSE}|\Z|{_COMMA}|{_KEY}|\{{\s*{_Q}|//|/\*)|{_QUOTED_KEY}|//|/\*)"
    r"|[ \t]++#[^\n]*+\n\s*+[,}\"]"
)
AFTER_ELEMENT: Final = re.compile(
    rf"\s*+(?:{_CLOSE}|\Z|{_COMMA}\s*(?:{_CLOSE}|\Z|{_COMMA}|{_Q}|[{{\[\uff5b\uff3b\d-]|true|false|null|\.\.\.|\u2026"
    rf"|//|/\*)|(?<=\s){_Q}(?=\w))"
)
VALUE_IS_KEY: Final = re.compile(_QUOTED_KEY)
RUNAWAY_KEY: Final = re.compile(rf"{_Q}(\w[\w ]{{0,39}}){_COLON}\s*(?={_Q}|[\d\[{{tfnTFN-])")
BARE_KEY: Final = re.compile(rf"([^\W\d][\w$ -]{{0,59}}|\d{{1,9}}){_Q}?\s*{_COLON}")
NUMBER: Final = re.compile(r"-?(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
GROUPED: Final = re.compile(r"-?\d++(?:,\d[\d.]*+)++(?!\s*[:\uff1a])")
NUMBERS: Final = re.compile(r"-?\d[\d.]*+(?:\s++-?\d[\d.]*+)++")
JOINED: Final = re.compile(r"[\"']\s{0,20}\+\s{0,20}[\"']")
WORD: Final = re.compile(r"-?[^\W\d_]\w*")
# The patterns below are searched for. Each begins with a set of characters: that is what makes the search fast.
_MEMBER_ENDS_AT: Final = (
    rf"(?:(?<={_COMMA})\s*+(?:{_KEY}|{_CLOSE}|[A-Za-z_]\w{{0,39}}+:\s)|(?<={_CLOSE})|(?<=\n)[^\S\n]*+{_KEY})"
)
BARE_MEMBER_END: Final = re.compile(
    rf"[,\uff0c\u3001}}\]\uff5d\uff3d\u3011\n/\s{ANY_QUOTE}]"
    rf"(?:{_MEMBER_ENDS_AT}|(?<={_Q})[^\S\n]*+(?:[,\uff0c\u3001}}\]\uff5d\uff3d\u3011\n]{_MEMBER_ENDS_AT})"
    rf"|(?<=\s/)/\s|(?<=[ \t])(?={_QUOTED_KEY}))"
)
BARE_ELEMENT_END: Final = re.compile(r"[,\uff0c\u3001}\]\uff5d\uff3d\u3011\n]")
RESTART: Final = re.compile(
    rf"[,\uff0c\u3001}}\uff5d\]\uff3d](?:(?<={_COMMA})\s*+{_KEY}"
    rf"|(?<=[}}\uff5d])\s*+(?:(?:{_COMMA}\s*+)?[{{\uff5b]|[\]\uff3d])|(?<=[\]\uff3d])\s*+{_COMMA}\s*+{_KEY})"
)
"""Where, in what was taken for one string, the structure goes on after all."""
_STRICT_KEY: Final = (
    rf"(?:\"[^\"\\\n]{{1,{LONGEST_KEY}}}\"|'[^'\\\n]{{1,{LONGEST_KEY}}}'"
    rf"|[\"']?[^\W\d]\w{{0,39}}+[\"']?|\d{{1,9}})\s*+{_COLON}\s*+"
)
_STRICT_VALUE: Final = (
    r"(?:\"(?:[^\"\\]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+'|-?[\d.]++(?:[eE][+-]?\d++)?(?!\w)|[^\W\d_]\w{0,39}+)"
)
_STRICT_START: Final = rf"\s*+(?:{_COMMA}\s*+|(?=[\"']))"
MEMBERS_FOLLOW: Final = re.compile(
    rf"(?:{_STRICT_START}{_STRICT_KEY}{_STRICT_VALUE}(?=\s*+(?:{_COMMA}\s*+(?:[\"'\w\]}}{{\[]|\Z)|[}}\]\"']|\Z)))*+",
    re.DOTALL,
)
"""Members with nothing wrong in them."""
CLOSES: Final = re.compile(
    rf"\s*+(?:{_COMMA}\s*+\{{\s*+[\"']|(?:{_COMMA}\s*+)?+(?:\Z"
    rf"|{_CLOSE}(?:[\s}}\]]++|{_COMMA}(?=\s*[}}\]]))*+(?:\Z|{_COMMA}\s*+(?:[\"'{{\[\w\u2026]|\.\.\.)|```"
    rf"|;|//|/\*|\{{|(?<=\n))))"
)
"""The end of a container, and no sentence right behind it."""
CONTAINER_FOLLOWS: Final = re.compile(rf"{_STRICT_START}{_STRICT_KEY}[\[{{\uff5b\uff3b]|\s*+,?+\s*+(?://|/\*|#)")
STRING_FOLLOWS: Final = re.compile(rf"{_STRICT_START}{_STRICT_KEY}(?=[\"'])")
ROW_BEGINS: Final = re.compile(r"[^\"{}\[\]]{0,40}+\}[^\w\"]*?\{\s*+\Z")
MEMBER_INSIDE: Final = re.compile(r"[\"']\s*:|[\"']\s*,\s*[\[{]")
VALUE_FOLLOWS: Final = re.compile(rf"\s*{_VALUE_START}")
ELEMENT_FOLLOWS: Final = re.compile(r"\s*(?:\]|,\s*[{\[])")
OBJECT_FOLLOWS: Final = re.compile(r"\s*,\s*\{")
MEMBER_FOLLOWS: Final = re.compile(rf"\s*,\s*{_QUOTED_KEY}")
COMMENTS: Final = (("//", "\n"), ("/*", "*/"), ("#", "\n"), ("<!--", "-->"))
STRAY: Final = re.compile(rf"[^\n,}}\]{{\[{ANY_QUOTE}]{{1,80}}(?={_COMMA}|{_CLOSE})")
DOTS: Final = re.compile(r"(?:\.{3,}|\u2026+)(?:[^\n,\]{}\[\"']{0,60}(?=[,\]\n]))?")
ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.)|$)", re.DOTALL)
SIMPLE_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
