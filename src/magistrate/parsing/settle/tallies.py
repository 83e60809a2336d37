"""Sentences that count or sum up what a reply said of all statements: passed over where they are right."""

import re
from collections.abc import Sequence
from typing import Final

from magistrate.parsing.layouts.single import predicate
from magistrate.parsing.wording.keys import is_named
from magistrate.parsing.wording.languages import Sense, ranks
from magistrate.parsing.wording.patterns import WordPattern
from magistrate.parsing.wording.scales import Words
from magistrate.verdict import Verdict

_SUMMARY: Final = WordPattern(
    r"\W*{therefore|weighed}\W+(?:(?:the|this)\s+)(?:\w+\s+)?{things}\s+"
    r"{is}\s+(?:(?:only|mostly|largely|generally|fully|highly|very|not)\s+)*"
    r"|\W*{overall}(?:\s+{verdict|answer})?[\s*_]*[:：][\s*_]*",
    things=r"(?:{candidate|judged}|set\s+of\s+{item}s?)",
)
_COUNTS: Final = WordPattern(
    r"(?P<part>\d{1,4}|{NUMBER_WORD})\s*(?:{item}s?\s*)?(?:/|\bout\s+of\b|\bof\b|\bvon\b|\bde\b|\bsur\b|\bsu\b|\bиз\b)\s*(?:the\s+)?(?P<whole>\d{1,4}|{NUMBER_WORD})"
)
_TALLY: Final = WordPattern(
    r"(?:^|[,;:]|\band\b|\bund\b|\bet\b|\by\b|\be\b)[\s*_]*(?P<number>\d{1,4}|{NUMBER_WORD})\s+(?:(?:of\s+)?(?:the\s+|them\s+)?{item}?s?\s*)"
    r"(?:{is}\s+)?(?P<word>[^,;.:()\d]{2,40}?)(?=\s*(?:[,;.:*_(]|$|\band\b))",
)
_TOTAL: Final = re.compile(
    r"[\s*_#>-]*(?P<word>[^\d:：=%/]{2,40}?)[\s*_]*[:：=][\s*_]*(?P<number>\d{1,4}(?:\.\d{1,4})?)\s*"
    r"(?:(?P<percent>%)|(?:/|out of|of)\s*(?P<top>\d{1,4}))?[\s*_.]*"
)
_OF_TOTAL: Final = re.compile(r"\b(?:total|number of|statements?|claims?)\b", re.IGNORECASE)
_ROUNDED: Final = 0.011


def is_tally(sentence: str, words: Words, verdicts: Sequence[Verdict | None]) -> bool:
    """Whether a sentence counts or sums up the verdicts of a reply, and does so right."""
    return (
        _counts_right(sentence, words, verdicts) is True  # "2 of 3 statements are supported"
        or _is_list_of_counts(sentence, words, verdicts)
        or _is_summary(sentence, words, verdicts)
    )


def _is_summary(sentence: str, words: Words, verdicts: Sequence[Verdict | None]) -> bool:
    """Whether a sentence says of the whole what its parts add up to: "Overall, the answer is mostly accurate"."""
    match = _SUMMARY.match(sentence)
    if match is None or any(char.isdigit() for char in sentence):
        return False
    qualified = re.search(r"\b(?:only|mostly|largely|generally)\s*$", match.group().rstrip(), re.IGNORECASE)
    denied = re.search(r"\bnot\b", match.group(), re.IGNORECASE)
    said = predicate(sentence[match.end() :], words)
    plain = {sense for sense in Sense if said is not None and said[0] is words.verdicts[sense]}
    yes = [one is words.verdicts[Sense.YES] for one in verdicts if one is not None]
    if said is None or not yes or (denied and qualified):
        return False
    if qualified or said[0] is words.verdicts[Sense.PARTLY]:
        return any(yes)
    return all(yes) if Sense.YES in plain and not denied else not all(yes)


def miscounts(sentence: str, words: Words, verdicts: Sequence[Verdict | None]) -> bool:
    """Whether a sentence counts the verdicts of all statements, and counts others: which of them hold is open."""
    return _counts_right(sentence, words, verdicts) is False


def _counts_right(sentence: str, words: Words, verdicts: Sequence[Verdict | None]) -> bool | None:
    """Whether a sentence counts right; None where it counts nothing, or something else."""
    match = _COUNTS.search(sentence)
    if match is None:
        return None
    numbers = ranks("numbers")
    part, whole = (
        int(one) if one.isdigit() else numbers.get(one.casefold(), -1) for one in (match["part"], match["whole"])
    )
    sense = next((one.sense for one in words.mentions(sentence)), Sense.YES)
    yes = words.verdicts[Sense.YES]
    agreeing = sum((verdict is yes) is (sense is Sense.YES) for verdict in verdicts)
    return part == agreeing if whole == len(verdicts) else None


def _is_list_of_counts(sentence: str, words: Words, verdicts: Sequence[Verdict | None]) -> bool:
    """Whether a sentence gives the number of each verdict, and gives it right: "1 supported, 2 contradicted"."""
    totals = [_TOTAL.fullmatch(part) for part in re.split(r"\s*[|;,]\s*", sentence.strip())]
    if all(totals):
        return all(_is_total(total, words, verdicts) for total in totals if total is not None)
    numbers = ranks("numbers")
    seen = 0
    for match in _TALLY.finditer(sentence):
        verdict = words.whole(match["word"])
        if not isinstance(verdict, Verdict):
            continue
        number = int(match["number"]) if match["number"].isdigit() else numbers.get(match["number"].casefold(), -1)
        if sum(one is verdict for one in verdicts) != number:
            return False
        seen += 1
    return seen > 0 and seen >= sum(1 for one in words.mentions(sentence) if one.strong)


def _is_total(match: re.Match[str], words: Words, verdicts: Sequence[Verdict | None]) -> bool:
    """Whether "Total supported: 2" counts right, or "Faithfulness: 0.67" is the share of what is supported."""
    verdict = words.whole(_OF_TOTAL.sub(" ", match["word"]))
    count, number = len(verdicts), float(match["number"])
    if isinstance(verdict, Verdict):
        return sum(one is verdict for one in verdicts) == number
    name = re.sub(r"(?i)\b(?:overall|final|factual|score|rate|total)\b", " ", match["word"]).strip()
    if name and not is_named(name, "aspect", "score", "of_all"):
        return False
    top = 100 if match["percent"] else float(match["top"] or 1)
    yes = words.verdicts[Sense.YES]
    return top > 0 and abs(number / top - sum(one is yes for one in verdicts) / count) < _ROUNDED
