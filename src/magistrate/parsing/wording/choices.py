"""The declared labels: how they are compared, with all their signs, and how one is found in a text."""

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.wording.fold import DECORATION, fold
from magistrate.parsing.wording.hedges import hedges, is_question
from magistrate.parsing.wording.languages import Sense, senses
from magistrate.parsing.wording.patterns import WordPattern, prose
from magistrate.parsing.wording.scales import words_of
from magistrate.verdict import Verdict

_RELATIONS: Final = frozenset("<>=+≥≤≈~")
"""Signs that are a part of a label wherever one label has them: "A<B" is not "A>B"."""
_DIRECT: Final = 80
DENSE: Final = "\u2e80-\u9fff\uac00-\ud7a3"
"""Scripts whose words join a label of Latin letters without a blank: "回答B更好"."""
_DENYING: Final = ("un", "in", "ir", "im", "il", "dis", "non", "non ", "not ")
_APART: Final = re.compile(r"[*_`\"')\]]{0,3}\s+(?:for|in|on)\b", re.IGNORECASE)
_PART_OF_MORE: Final = re.compile(r"(?<![\w\s*_-])[-\u2212+]\d|^\W*[-\u2212]\d|\d[.,]\d|\w[-+#%](?![\w-])")
"""A sign that makes a letter or a digit a part of something else: "0.5", "-1", "A-", "C#"."""
_IN_BRACKETS: Final = re.compile(r"^\W*[(\[](?:[iu][nmrl]|non|not|dis)[)\]]", re.IGNORECASE)
"""Half a word in brackets: "(un)faithful"."""
_NAMED: Final = WordPattern(r"^\W*{candidate|winner}\s+")
_SEVERAL: Final = 4
_PAIR: Final = re.compile(r"(?P<one>\w)\s*(?P<sign>[<>=~]+)\s*(?P<other>\w)")
_BETTER: Final = WordPattern(
    r"(?:\b{candidate}\s+(?P<letter>[A-Z]|\d)|^\W*(?:(?:{therefore}|and)\W+)?(?-i:(?P<lone>[A-Z])))\s+"
    r"(?:(?:is|was|gives|has|wrote)\s+(?:\w+\s+){0,3}(?:better|superior)|wins)\b",
    near=("better", "superior", "wins"),
)
_LEVEL: Final = re.compile(
    r"^\W*(?:(?:final |my |the )*(?:verdict|answer)\W+)?(?:it(?:'s| is) )?(?:a )?tie\b(?!-)"
    r"|\bboth [^.]{0,40}\bequally\b",
    re.IGNORECASE,
)
"""What says that neither of two is better."""
_OPTION: Final = re.compile(r"[\s.)*_:]*((?:[A-Z\d]|the |an? )[\w'\u2019-]*(?: [\w'\u2019-]+){0,3})[\s.*_]*")
_CANDIDATE: Final = WordPattern(
    r"(?:\b|(?<=[{DENSE}]))(?:{candidate}s?|than|and|between|while|whereas|because|both|of)\s*[(\[*_`\"']{0,3}$",
)
_ADJECTIVE: Final = WordPattern(
    r"(?<!\w)(?<!\bis )(?<!\bas )(?<!\bare )(?<!\bwas )(?<!'s )(?:the|an?|no|any|only|one|some|every|each)\s+"
    r"(?:(?:only|more|most|truly)\s+)?$",
)
"""What stands before a label that is a word of prose: "an excellent letter would"."""
_PRAISE: Final = WordPattern(r"[*_`\"')\]]{0,3}\s+(?:\w+ly\s+)?{wins}(?!\w)")
_BLAME: Final = WordPattern(
    r"[*_`\"')\]]{0,3}\s+(?:(?:does|did|is|was|has|do)\s+)?(?:{negation}|lacks|omits"
    r"|(?:contains|has|makes|gives)\s+(?:an?\s+|some\s+|several\s+)?(?:\w+\s+)?(?:errors?|mistakes?|gaps?|flaws?|problems?|inaccuracies)"
    r"|misses|fails|ignores|hallucinates|invents|lacked|omitted|missed|failed|ignored|hallucinated"
    r"|invented)\b(?!\s+(?:worse|lose|fail))",
)
"""What is said of a label that is not the answer: "A does not", "B omits the units"."""


class Choices:
    """The declared labels, and where a text gives one.

    Raises:
        ValueError: If there are none, one is blank, or two are the same but for outer marks.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        if isinstance(labels, str):
            raise ValueError("choices is a list of labels, not one text")  # noqa: TRY004
        every = set("".join(labels))
        self._marks = "".join(sorted(every & _RELATIONS))
        self._cased = False
        self.forms = self._forms(labels)
        if len(self.forms) != len(labels) or "" in self.forms:  # they differ in their marks, or in case
            self._marks = "".join(sorted((every & set(DECORATION) - set(" \t\r\n")) | set(self._marks)))
            self.forms = self._forms(labels)
        if len(self.forms) != len(labels):
            self._cased = True
            self.forms = self._forms(labels)
        if not self.forms or "" in self.forms or len(self.forms) != len(labels):
            twice = [label for label in labels if self.forms.get(self.key(label)) != label]
            raise ValueError(f"choices are one or more labels that differ in more than outer marks; see {twice[:2]}")
        parts = {
            part for label in labels for part in (label.strip(), fold(label) if not self._cased else label.strip())
        }
        self.source = "|".join(
            re.escape(part).replace(r"\ ", r"[\s_-]+") for part in sorted(parts, key=len, reverse=True)
        )
        self.lone = any(len(label.strip()) == 1 for label in labels)
        self._longest = 2 * max(map(len, labels)) + 300  # with all marks around it
        signs = re.escape(self._marks + "".join(_RELATIONS))
        self.flags = re.NOFLAG if self._cased else re.IGNORECASE
        edge = rf"[^\W{DENSE}]" if "".join(labels).isascii() else r"\w"
        self._before = rf"(?<!{edge})(?<![{signs}])(?<!\w[-'’.)\]])(?<!\b[iu][nmrl]-\s)(?<!\b[iu][nmrl]\n)"
        more = r"|(?<=\w)[-+#%](?![\w-])|(?<=\d)[.,]\d" if self.lone and not self._marks else ""
        self._behind = rf"(?!{edge}|[{signs}]|[-'’]\w{more})"
        self.label = rf"{self._before}(?P<label>{self.source}){self._behind}"
        self.words = re.compile(self.label, self.flags)
        self.lead = WordPattern(
            r"[\s*_`\"'“(\[<{]*(?:(?P<sign>[✅✔❌✗✘🟢🔴👍👎])\ufe0f?[\s*_]*)?(?i:{noun}){label}[*_`\"'”)\]}]{0,6}\s*"
            r"(?P<next>[.,;:!\n—–)\]→]|\((?!\s?\d+\s?\))|(?<=\s)-(?=\s)|$|번|(?i:\b{because}\b))",
            int(self.flags),
            label=self.label,
            noun=r"(?:{candidate}\s+)?" if self.lone else "",
        )  # a label at the head of a text, before a mark
        self._whole = self.lone and not any(_PART_OF_MORE.search(label) for label in labels)

    def _forms(self, labels: Sequence[str]) -> dict[str, str]:
        self._blanks = {ord(sign): " " for sign in DECORATION if sign not in self._marks} | {ord("⋯"): None}
        return {self.key(label): label for label in labels}

    def key(self, text: str) -> str:
        """The form in which labels are compared: case, width and marks aside, but for those that tell labels apart."""
        folded = " ".join(text.split()) if self._cased else fold(text)
        kept = folded.translate(self._blanks)
        return "".join(kept.split()) if self._marks else " ".join(kept.split())

    def find(self, text: str) -> str | None:
        """The label that a text is; None where it is none, or is only asked about."""
        if len(text) > self._longest or "\n" in text.strip():
            return None
        if not self._marks and any(char in _RELATIONS and char not in "~=" for char in text.strip(DECORATION)):
            return None
        if (self._whole and _PART_OF_MORE.search(text)) or _IN_BRACKETS.search(text):
            return None
        bare = re.sub(r"^\s*(?:it(?:['’]s|\s+is)\s+)?(?:an?|the)\s+(?=\S{2})", "", text, flags=re.IGNORECASE)
        label = self.forms.get(self.key(text)) or self.forms.get(self.key(bare))
        denied = self.forms.get(self.key(text[4:])) if label is None and text[:4].lower() == "not " else None
        other = self.opposite(denied) if denied is not None else None
        label = other if other and self.key(other).endswith(self.key(denied or "")) else label
        if label is None and self.lone:
            inner = _NAMED.sub("", text)
            label = self.forms.get(self.key(inner))
        if label is None and not self._marks:
            joined = self.key(text).replace(" ", "")
            same = [form for form in self.forms if form.replace(" ", "") == joined]
            label = self.forms[same[0]] if len(same) == 1 and len(joined) > 2 else None  # noqa: PLR2004
        if label is None and not text.isascii() and len(text.strip()) > 2:  # noqa: PLR2004
            stripped = re.sub(r"[^\w\s'<>=\u0300-\u036f-]", "", text)  # a check mark beside it
            label = self.forms.get(self.key(stripped)) if stripped != text else None
            said = {senses()[char] for char in text if not char.isalnum() and char in senses()}
            named = senses().get(fold(label)) if label is not None else None
            if named is not None and said and (Sense.YES in said) is not (named is Sense.YES):
                label = None  # a check mark beside "fail"
        return label if label is None or "?" in label or not is_question(text) else None

    def truth(self, holds: bool) -> str | None:
        """The label that says yes, or the one that says no, of two; None where the labels say something else."""
        yes = [one for one in self.forms.values() if senses().get(fold(one)) is Sense.YES]
        no = self.opposite(yes[0]) if len(yes) == 1 else None
        return None if no is None else yes[0] if holds else no

    def ends(self, reason: str) -> str | None:
        """The label in capitals with which a reason ends: "therefore it must FAIL"; None where it ends otherwise."""
        last = (reason.split() or [""])[-1].strip(".!*_\"'()")
        return last if len(last) > 1 and last.isupper() and last in self.forms.values() else None

    def opposite(self, label: str) -> str | None:
        """The label that says that another does not hold; None where none does, or that is not sure."""
        others = [one for one in self.forms.values() if one != label]
        if len(others) != 1:
            return None
        ours, other = self.key(label), self.key(others[0]).replace("-", " ")
        sides = senses().get(ours), senses().get(other)
        opposed = sides[0] is Sense.YES and sides[1] in {Sense.NO, Sense.LACK, Sense.CONTRA}
        return others[0] if opposed or other in {f"{sign}{ours}" for sign in _DENYING} else None

    def rivals(self, text: str, label: str | None, *, named: bool = False) -> bool:
        """Whether a text names another label; a small letter alone is an article."""
        for match in self.words.finditer(text):
            if named and self._is_named(text, match):
                continue
            lone = len(match["label"]) == 1 and match["label"].islower() and not self._cased
            bracketed = text[max(0, match.start() - 1) : match.start()] in {"(", "["}
            if (not lone or bracketed) and self.find(match["label"]) not in {None, label}:
                return True
        return False

    def fits(self, lead: str, label: str) -> bool:
        """Whether the clause before a label prefers what the label does: no "B is better: [[A>B]]", "a tie [[A]]"."""
        pair = _PAIR.fullmatch(label.strip())
        best = label.strip() if pair is None else pair["one"] if ">" in pair["sign"] else pair["other"]
        best = "" if pair is not None and not {"<", ">"} & set(pair["sign"]) else best
        clause = re.split(r"[,;]|\b(?:but|yet|so)\b", lead)[-1]
        told = _BETTER.search(clause) if len(best) <= 1 else None
        if told is not None and not prose("negation").search(told.group()):
            letter = told["letter"] or told["lone"]
            return letter == best or letter not in "".join(self.forms.values())
        level = _LEVEL.search(clause) if len(best) == 1 and len(self.forms) > 2 else None  # noqa: PLR2004
        return level is None or best not in {"A", "B", "1", "2"}

    def faults(self, sentence: str) -> bool:
        """Whether a sentence says what is wrong with one of the choices: "A does not cite it"."""
        match = self.words.match(sentence.lstrip(" *_-"))
        return self.lone and match is not None and _BLAME.match(sentence.lstrip(" *_-"), match.end()) is not None

    def is_option_text(self, sentence: str) -> bool:
        """Whether a few words behind a letter are what it stands for: "C. Paris", of four or more letters."""
        few = _OPTION.fullmatch(sentence) if self.lone and len(self.forms) >= _SEVERAL else None
        said = few[1].casefold() if few else ""
        return few is not None and senses().get(said) is None and not prose("doubt", "negation", "hedge").search(said)

    def _is_named(self, text: str, match: re.Match[str]) -> bool:
        """Whether a label stands there as the name of what was judged, or as a word of prose."""
        before = text[max(0, match.start() - 40) : match.start()]
        if _CANDIDATE.search(before):
            apart = before[-4:].casefold() == "and " and _APART.match(text, match.end())  # "B for its content"
            return not apart and _PRAISE.match(text, match.end()) is None
        heads = not before.strip() or before.rstrip()[-1:] in ".,;:!?"
        if self.lone:
            return heads and _BLAME.match(text, match.end()) is not None
        if _ADJECTIVE.search(before) and re.match(r"\s+[a-z]{3,}", text[match.end() : match.end() + 6]):
            return True  # "the only relevant word"
        subject = heads and re.match(r"[)\]]?\s+[a-z]", text[match.end() : match.end() + 4]) is not None
        return subject or match["label"] not in self.forms.values()

    def read(self, text: str) -> str | None:
        """The label that a text is or begins with, standing alone, with no other label or hedge behind it."""
        whole = self.find(text)
        match = self.lead.match(text) if whole is None else None
        if match is None:
            return whole
        label = self.find(match["label"])
        said, sign = (words_of("binary").whole(one or "") for one in (label, match["sign"]))
        if match["sign"] and isinstance(said, Verdict) and said is not sign:
            return None  # "❌ PASS"
        rest = text[match.end("label") :].lstrip("*_`\"')]")
        if hedges(rest):
            return None
        others = {self.find(part) for part in re.split(r"[.,;:/|]|\bor\b|\band\b", rest[:_DIRECT])}
        return label if others <= {label, None} else None
