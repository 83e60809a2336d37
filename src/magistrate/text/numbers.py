"""Numbers by value, however they are written.

"1,234.5" and "1.234,5", "1.2 million" and "1,200,000", "3億5000万" and "350000000", "two" and "2" are the same number
here. Where a form can be read in two ways ("1.234" is one and a bit, or more than a thousand) it keeps both readings,
and two numbers agree if they share one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from magistrate.text.fold import fold

Number = frozenset[float | str]
"""The readings of one number: its values; a text where the number has no value ("1.2.3", very long digits)."""

_SEPARATOR: Final = re.compile("[.,' ]")
_LONGEST: Final = 15  # digits; a float holds these exactly

_SCALES: Final[dict[str, tuple[float, ...]]] = {}
for _readings, _names in {
    (1e2,): "hundred hundreds cien ciento cientos hundert सौ",
    (
        1e3,
    ): """thousand thousands k mil tausend mille mila тысяча тысячи тысяч тыс الف الاف الفا हज़ार हजार duizend tysiąc
    tysiące
        tysięcy bin ribu nghìn ngàn""",
    (1e5,): "lakh lakhs lac lacs लाख",
    (1e6,): """million millions mn mln mio millón millones milhão milhões millionen milione milioni миллион миллиона
    миллионов млн
        مليون ملايين مليونا miljoen milion miliony milionów milyon juta triệu""",
    (1e7,): "crore crores करोड़ करोड",
    (
        1e9,
    ): """bn milliard milliards mrd milliarde milliarden miliardo miliardi bilhão bilhões миллиард миллиарда миллиардов
    млрд
        مليار مليارات अरब miljard miliard miliardy milyar miliar tỷ""",
    (1e9, 1e12): "billion billions",
    (
        1e12,
    ): """tn trillion trillions billón billones billionen billion bilione bilioni bilião biliões триллион триллиона
        триллионов трлн تريليون trilhão trilhões""",
    (1.0, 1e2): "cent cents cento",
    (1.0, 1e6): "m",
    (1.0, 1e9): "b",
}.items():
    for _name in fold(_names).split():
        _SCALES[_name] = (*_SCALES.get(_name, ()), *_readings)

_SMALL: Final = {
    word: float(value)
    for value, words in {
        1: "один одна одно واحد واحده एक eins",
        2: "two dos zwei deux due dois duas два две двух اثنان اثنين दो twee",
        3: "three tres drei trois tre três три трех ثلاثه ثلاث तीन drie",
        4: "four cuatro vier quatre quattro quatro четыре четырех اربعه اربع चार",
        5: "five cinco fünf cinq cinque пять пяти خمسه خمس पांच पाँच vijf",
        6: "six seis sechs sei шесть шести سته ست छह छः zes",
        7: "seven siete sieben sept sette sete семь семи سبعه سبع सात zeven",
        8: "eight ocho acht huit otto oito восемь восьми ثمانيه ثماني आठ",
        9: "nine nueve neun neuf nove девять девяти تسعه تسع नौ negen",
        10: "ten diez zehn dix dieci dez десять десяти عشره عشر दस tien",
        11: "eleven once elf onze undici одиннадцать",
        12: "twelve doce zwölf douze dodici doze двенадцать बारह",
        13: "thirteen trece dreizehn treize tredici treze тринадцать",
        14: "fourteen catorce vierzehn quatorze quattordici четырнадцать",
        15: "fifteen quince fünfzehn quinze quindici пятнадцать",
        16: "sixteen dieciséis sechzehn seize sedici dezesseis шестнадцать",
        17: "seventeen diecisiete siebzehn diciassette dezessete семнадцать",
        18: "eighteen dieciocho achtzehn diciotto dezoito восемнадцать",
        19: "nineteen diecinueve neunzehn diciannove dezenove девятнадцать",
        20: "twenty veinte zwanzig vingt venti vinte двадцать عشرون عشرين बीस twintig",
        30: "thirty treinta dreißig trente trenta trinta тридцать ثلاثون ثلاثين तीस dertig",
        40: "forty cuarenta vierzig quarante quaranta quarenta сорок اربعون اربعين चालीस veertig",
        50: "fifty cincuenta fünfzig cinquante cinquanta cinquenta пятьдесят خمسون خمسين पचास vijftig",
        60: "sixty sesenta sechzig soixante sessanta sessenta шестьдесят ستون ستين साठ zestig",
        70: "seventy setenta siebzig settanta семьдесят سبعون سبعين सत्तर zeventig",
        80: "eighty ochenta achtzig ottanta oitenta восемьдесят ثمانون ثمانين अस्सी tachtig",
        90: "ninety noventa neunzig novanta девяносто تسعون تسعين नब्बे negentig",
    }.items()
    for word in fold(words).split()
}
# Words that are numbers in one language and something else in another are only ever offered, never asked for: "once" is
# Spanish for eleven, "sei" Italian for six and German for "be".
_DOUBTFUL: Final = frozenset(
    fold("once sei sept due elf dix tien acht nove один одна одно एक عشر ست واحد واحده eins cent mil").split()
)


_HAN_DIGITS: Final = {
    character: value
    for value, characters in enumerate(
        ("〇零", "一壹", "二两兩", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
    )
    for character in characters
}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "십": 10, "백": 100, "천": 1000}
_MYRIADS: Final = {c: 10**power for c, power in zip("万萬만億亿억兆조", (4, 4, 4, 8, 8, 8, 12, 12), strict=True)}
# Possessive throughout: what has been read is never read again.
_EAST_ASIAN: Final = re.compile(
    r"(?:\d++(?:[.,]\d++)*+ ?[十百千십백천]?+ ?[万萬만億亿억兆조]?+ ?+)++"
    "|[〇零一二三四五六七八九两兩十][〇零一二三四五六七八九十百千万萬億亿兆]++"
    "|[二三四五六七八九两兩十](?=[年月日人个個名次位倍岁歳歲件天周週時时秒元円票台部章節节])"
)
_ONE_OR_TWO: Final = 2
_EAST_ASIAN_PART: Final = re.compile(r"\d++(?:[.,]\d++)*+|.")
_UNITS: Final = frozenset("十百千십백천万萬만億亿억兆조")
_UNIT: Final = re.compile("[十百千십백천万萬만億亿억兆조〇零一二三四五六七八九两兩]")


def plain_digits(folded: str) -> str:
    """Write in digits what is written in Chinese, Japanese or Korean: "3億5000万" becomes "350000000", "三十年" "30年".

    Args:
        folded: What `fold` returned.

    Returns:
        The text with those numbers rewritten and nothing else changed.
    """
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
        return written if len(kept) == _ONE_OR_TWO else "".join(str(_HAN_DIGITS[c]) for c in kept)
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
    """The numbers of a text, in its order.

    Args:
        runs: The runs of a folded text (`token_runs`), best after `plain_digits`.
        offered: Whether to read words too that are not always numbers ("una", "once"). Right for the text that numbers
            are looked up in, not for the one whose numbers have to be found.

    Returns:
        A number each; the separate numbers of a date.
    """
    numbers: list[Number] = []
    end = len(runs)
    after = 0
    # Folded digits are ASCII; comparing with "9" lets a few signs through and is quick.
    for index in [i for i, run in enumerate(runs) if run[0] <= "9" or run in _SMALL]:
        if index < after:
            continue
        run = runs[index]
        after = index + 1
        if run[0].isdecimal():
            found = _read_digits(run, offered=offered)
        elif run in _SMALL and (offered or run not in _DOUBTFUL):
            value = _SMALL[run]
            if value >= 20 and after < end and 0 < _SMALL.get(runs[after], 0) < 10:  # noqa: PLR2004 - tens and units
                value += _SMALL[runs[after]]
                after += 1
            found = [frozenset({value})]
        else:
            continue
        while len(found) == 1 and after < end and runs[after] in _SCALES:
            found = [_scaled(found[0], _SCALES[runs[after]])]
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


def _scaled(number: Number, scales: tuple[float, ...]) -> Number:
    return frozenset(
        round(value * scale, 6) if isinstance(value, float) else value for value in number for scale in scales
    )
