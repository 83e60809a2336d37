"""Words before a full stop that does not end a sentence.

Three kinds, because what follows decides: a title is never the end of a sentence, "No." is an abbreviation before a
number only, and "etc." may end a sentence or not.
"""

from __future__ import annotations

from typing import Final

from magistrate.text.fold import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


INSIDE: Final = _words("""
    dr drs mr mrs ms mx messrs prof rev hon gen col maj capt lt sgt cpl adm cmdr gov sen rep pres supt fr
    ee sra srta sres dra dña lic ud uds mme mlle mgr mm sig sigra dott avv rag on hr frl dipl mag
    approx vs cf viz incl excl esp resp e.g i.e eg ie a.k.a
    bzw ca vgl evtl ggf inkl exkl zzgl abzgl bspw sog insb bes gem lt betr bez z.b d.h u.a o.ä i.d.r m.a.w s.o s.u z.t
    aprox máx mín av avda ej p.ej env p.ex c.-à-d c.à.d càd ecc.es v.gr
    см ср напр им ул просп акад проф доц т.е т.к т.н т.о
    tel fax attn
""")
"""Never the last word of a sentence."""

BEFORE_NUMBER: Final = _words("""
    no nos nr núm num fig figs abb tab eq eqs sec sect ch chap kap cap vol vols bd pp p pág págs pag art arts abs par op
    ser ver vers v ref refs ep app ex jan feb mar apr jun jul aug sep sept oct nov dec mär okt dez janv févr avr juil
    déc ene abr ago set dic genn lug ott fev mai out dez рис табл стр гл ст п пп № янв февр апр авг сент окт нояб дек
""")
"""Abbreviations where a number follows; the end of a sentence elsewhere ("No.", "Mar.")."""

MAY_END: Final = _words("""
    etc usw ff inc ltd co corp llc plc bros jr sr esq al cie gmbh st ave blvd rd dept univ est min max avg hrs sq ft lb
    lbs oz mio mrd tsd mill ecc др пр гг тыс млн млрд руб коп обл ред изд ph.d m.d b.a m.a ph.d.s u.s u.k u.n e.u d.c
    a.m p.m b.c a.d v.chr n.chr uu ee.uu т.д т.п н.э
""")
"""Abbreviations that may end a sentence: they do where a word follows that begins one."""

ORDINAL_NOUNS: Final = _words("""
    januar jänner februar märz april mai juni juli august september oktober november dezember
    jahrhundert jahrhunderts jh quartal halbjahr kapitel klasse platz auflage stock etage tag monat woche jahr
    lebensjahr mal weltkrieg weltkriegs bundesliga spieltag runde liga grad absatz artikel abschnitt jahrestag
    geburtstag minute
""")
"""German nouns that a number with a full stop counts: "3. Quartal"."""

ORDINAL_OPENERS: Final = _words("""
    am im der die das den dem des zum zur vom beim bis ab seit ins jede jeder jeden jedes ihr sein sein ein eine dieser
    diese
""")
"""German words after which a number with a full stop is an ordinal: "am 3."."""
