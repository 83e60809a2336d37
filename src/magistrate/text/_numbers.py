"""Numbers by value, however they are written.

"1,234.5" and "1.234,5", "1.2 million" and "1,200,000", "3億5000万" and "350000000", "two" and "2" are the same number
here. Where a form can be read in two ways ("1.234" is one and a bit, or more than a thousand) it keeps both readings,
and two numbers agree if they share one.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from magistrate.text._fold import TABLES, fold, lines

Number = frozenset[float | str]
"""The readings of one number: its values; a text where the number has no value ("1.2.3", very long digits)."""

_SEPARATOR: Final = re.compile("[.,' ]")
_LONGEST: Final = 15  # digits; a float holds these exactly


@cache
def _scales() -> dict[str, tuple[float, ...]]:
    """Word -> what it multiplies by, in one reading or several."""
    found: dict[str, tuple[float, ...]] = {}
    for line in lines("numbers.scales"):
        readings, *names = fold(line).split()
        for name in names:
            found[name] = (*found.get(name, ()), *map(float, readings.split("|")))
    return found


@cache
def _small() -> dict[str, float]:
    """Word -> the number it stands for, up to 90."""
    return {
        word: float(value)
        for value, *names in (fold(line).split() for line in lines("numbers.words"))
        for word in names
    }


_TABLE: Final = TABLES["numbers"]
_DOUBTFUL: Final = frozenset(fold(_TABLE["doubtful"]).split())
_HAN_DIGITS: Final = {character: value for value, same in enumerate(_TABLE["digits"]) for character in same}
_HAN_SCALES: Final[dict[str, int]] = _TABLE["scales"]
_MYRIADS: Final = {character: 10**power for same, power in _TABLE["myriads"].items() for character in same}
# Possessive throughout: what has been read is never read again.
_EAST_ASIAN: Final = re.compile(
    r"(?:\d++(?:[.,]\d++)*+ ?[十百千십백천]?+ ?[万萬만億亿억兆조]?+ ?+)++"
    "|[〇零一二三四五六七八九两兩十][〇零一二三四五六七八九十百千万萬億亿兆]++"
    "|[二三四五六七八九两兩十](?=[年月日人个個名次位倍岁歳歲件天周週時时秒元円票台部章節节])"
)
_EAST_ASIAN_PART: Final = re.compile(r"\d++(?:[.,]\d++)*+|.")
_UNITS: Final = {*_HAN_SCALES, *_MYRIADS}
_UNIT: Final = re.compile("[十百千십백천万萬만億亿억兆조〇零一二三四五六七八九两兩]")


def plain_digits(folded: str) -> str:
    """Write numbers of Chinese, Japanese and Korean in digits: "3億5000万" becomes "350000000", "三十年" "30年"."""
    if folded.isascii() or _UNIT.search(folded) is None:
        return folded
    return _EAST_ASIAN.sub(_in_digits, folded)


def _in_digits(match: re.Match[str]) -> str:
    written = match.group()
    kept = written.rstrip()
    if kept[0].isdigit() and _UNITS.isdisjoint(kept):
        return written  # "12" or "3 4": nothing of ours
    if kept[0] in _HAN_DIGITS and _UNITS.isdisjoint(kept):
        # One digit stands before what it counts; more are a year or a number read out. Two may be anything: "一二" is
        # "one or two".
        return written if len(kept) == 2 else "".join(str(_HAN_DIGITS[c]) for c in kept)  # noqa: PLR2004 - one or two
    if len(kept) > _LONGEST + 4:
        return written  # longer than any number with a value; and nothing that follows can overflow
    total = section = number = 0.0
    for part in _EAST_ASIAN_PART.findall(kept):
        if part[0].isdecimal():
            number = float(part.replace(",", "")) if part.count(".") <= 1 else 0.0
        elif part in _HAN_DIGITS:
            number = float(_HAN_DIGITS[part])
        elif part in _HAN_SCALES:
            section += (number or 1.0) * _HAN_SCALES[part]
            number = 0.0
        elif part in _MYRIADS:
            total += (section + number or 1.0) * _MYRIADS[part]
            section = number = 0.0
    total += section + number
    return f"{total:.0f}" + written[len(kept) :] if total == int(total) else f"{total:.4f}".rstrip("0")


def read_numbers(runs: Sequence[str], *, offered: bool = False) -> list[Number]:
    """The numbers of a text, in its order; `offered`: also words that are not always numbers ("una", "once")."""
    numbers: list[Number] = []
    end = len(runs)
    after = 0
    small, scales = _small(), _scales()
    # Folded digits are ASCII; comparing with "9" lets a few signs through and is quick.
    for index in [i for i, run in enumerate(runs) if run[0] <= "9" or run in small]:
        if index < after:
            continue
        run = runs[index]
        after = index + 1
        if run[0].isdecimal():
            found = _read_digits(run, offered=offered)
        elif run in small and (offered or run not in _DOUBTFUL):
            value = small[run]
            if value >= 20 and after < end and 0 < small.get(runs[after], 0) < 10:  # noqa: PLR2004 - tens and units
                value += small[runs[after]]
                after += 1
            found = [frozenset({value})]
        else:
            continue
        while len(found) == 1 and after < end and runs[after] in scales:
            by = scales[runs[after]]
            found = [frozenset(round(n * one, 6) if isinstance(n, float) else n for n in found[0] for one in by)]
            after += 1
        numbers += found
    return numbers


def _read_digits(run: str, *, offered: bool) -> list[Number]:
    digits = _SEPARATOR.split(run)
    if len(digits) == 1:
        return [frozenset({_value(run)})]
    if len(run) > 2 * _LONGEST:
        return [frozenset({run})]
    marks = _SEPARATOR.findall(run)
    if len(set(marks)) == 1:
        return _one_kind(run, digits, marks[0], offered=offered)
    if marks[-1] not in marks[:-1] and len(set(marks)) == 2 and _is_grouped(digits[:-1]):  # noqa: PLR2004 - "1,234.5"
        return [frozenset({float(f"{''.join(digits[:-1])}.{digits[-1]}")})]
    return [frozenset({run})]


def _one_kind(run: str, digits: list[str], mark: str, *, offered: bool) -> list[Number]:
    grouped = _is_grouped(digits)
    if mark in "' ":
        parts = [frozenset({_value(d)}) for d in digits]
        if not grouped:
            return parts
        # A column of numbers looks like thousands set apart by spaces, so a text offers both.
        return [frozenset({_value("".join(digits))}), *(parts if offered else ())]
    if len(digits) == 2:  # noqa: PLR2004 - one separator
        decimal = float(f"{digits[0]}.{digits[1]}")
        return [frozenset({decimal, _value("".join(digits))} if grouped else {decimal})]
    if grouped:
        return [frozenset({_value("".join(digits))})]
    if mark == "." and len(digits) == 3 and _is_date(*digits):  # noqa: PLR2004 - 12.05.2024
        return [frozenset({_value(d)}) for d in digits]
    return [frozenset({run})]


def _is_date(day: str, month: str, year: str) -> bool:
    return len(day) <= 2 and len(month) <= 2 and len(year) in (2, 4) and int(day) <= 31 and int(month) <= 12  # noqa: PLR2004


def _is_grouped(digits: list[str]) -> bool:
    """Whether these are groups of thousands: 3 digits each, or as in India 2 digits each before the last 3."""
    first, *others = digits
    if not others:
        return True
    if first[0] == "0" or len(first) > 3 or len(others[-1]) != 3:  # noqa: PLR2004 - thousands
        return False
    return all(len(d) == 3 for d in others[:-1]) or all(len(d) == 2 for d in others[:-1])  # noqa: PLR2004


def _value(digits: str) -> float | str:
    return float(digits) if len(digits) <= _LONGEST else digits.lstrip("0")
