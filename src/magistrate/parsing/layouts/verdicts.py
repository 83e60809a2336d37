"""The table of layouts of verdicts, in the order in which they are read."""

import re
from typing import Final

from magistrate.parsing.layouts.items import read_items
from magistrate.parsing.layouts.sentences import read_all_sentences, read_groups, read_quantified, read_sentences
from magistrate.parsing.layouts.single import read_marked, read_single_line, read_single_sentence
from magistrate.parsing.layouts.table import read_tables
from magistrate.parsing.layouts.view import Layout, View, read_layouts
from magistrate.parsing.layouts.words import read_final_lines, read_one_line, read_words
from magistrate.parsing.rows.candidate import Answer
from magistrate.parsing.switches import kept
from magistrate.parsing.wording.languages import group, special
from magistrate.parsing.wording.patterns import Phrases, is_dense
from magistrate.parsing.wording.scales import Words
from magistrate.verdict import Verdict

LAYOUTS: Final = (
    Layout("one-line", read_one_line),
    Layout("all-sentences", read_all_sentences),
    Layout("table", read_tables),
    Layout("final-line", read_final_lines),
    Layout("groups", read_groups),
    Layout("items", read_items),
    Layout("words", read_words, alone=True),
    Layout("sentences", read_sentences, alone=True),
    Layout("quantified", read_quantified),
    Layout("marked", read_marked),
    Layout("single-line", read_single_line),
    Layout("single-sentence", read_single_sentence),
)
_LEGEND: Final = re.compile(r"(?<![\w])(?P<sign>[A-Za-z]{1,3})\s*=\s*(?P<word>[^,;=()\n]{2,40})")
_MEANS: Final = re.compile(
    r"(?<![\w.])(?<!\bby )(?P<sign>[01]|yes|no|true|false|[yntf]|[^\w\s.,;:=*()\"'|>#-])\ufe0f?[\"'\u201d]?\s*"
    r"(?:=|means?\b|marks?\b|denotes?\b|stands? for\b|is for\b)"
    r"\s*(?:that\s+|an?\s+)?(?P<word>[^,;=()\n.]{2,40})",
    re.IGNORECASE,
)
_SIGNS_OF_MEANING: Final = ("=", "mean", "mark", "denote", "stand", "is for")
LONGEST_HEAD: Final = 200
"""Characters of what stands above an answer up to which it is its heading, and no reasoning."""
_STEM: Final = 7
_opposites: Final = kept(
    lambda: Phrases(
        f"{one[:-2]}*" if len(one) > _STEM and " " not in one and not is_dense(one) else one
        for one in (*group("fault", "contradicted"), *special("polarity", "contradicted"), *special("polarity", "lack"))
    )
)
"""What a yes affirms that finds something wrong: errors, hallucinations, contradictions."""


def legend_of(text: str, words: Words) -> dict[str, Verdict]:
    """The letters that a reply explains as verdicts: "(E = entailment, C = contradiction)"."""
    found = {
        match["sign"].casefold(): said
        for match in _LEGEND.finditer(text)
        if isinstance(said := words.whole(match["word"]), Verdict)
    }
    return found if len(found) > 1 and len(set(found.values())) == len(found) else {}


def turns_scale(text: str, words: Words) -> bool:
    """Whether a reply explains a number, a sign or a plain word as something else than it is: "0 = supported"."""
    lowered = text.lower()
    for match in _MEANS.finditer(text) if any(map(lowered.__contains__, _SIGNS_OF_MEANING)) else ():
        sign, said = words.whole(match["sign"]), words.whole(match["word"])
        if sign is not None and (said is None or said is not sign) and not re.fullmatch(r"\W*\d.*", match["word"]):
            return True
    return False


def asks_opposite(lead: str) -> bool:
    """Whether a heading asks for what is wrong: "Hallucination check", above rows of yes and no."""
    return _opposites().search(lead)


def without_legend(text: str, words: Words) -> str:
    """A text without the explanation of its letters."""
    return _LEGEND.sub(" ", text) if "=" in text and legend_of(text, words) else text


def read_verdicts(view: View) -> list[Answer]:
    """All answers that a text gives; on one statement, only those of one row."""
    legend = legend_of(view.text, view.words) if "=" in view.text else {}
    if legend:
        view.words = Words(view.words.scale, legend)
    found = read_layouts(view, LAYOUTS)
    return [one for one in found if view.count > 1 or len(one.rows) == 1]
