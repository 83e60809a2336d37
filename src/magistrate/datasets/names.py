"""Find words that look like names in the bundled dataset and were not declared as invented.

The check is closed: a capital letter is explained by a declared name, by a word of `WORDS`, or by the start of a
sentence or heading; anything else is reported, so a real company or person cannot slip in unseen. That the declared
names belong to nobody was looked up by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from magistrate.datasets.schema import BundledDocument, BundledQuery

# The calendar, languages, units and abbreviations; then terms that the contracts define, and titles of agreements.
_WORDS = """
January February March April May June July September October November December Monday Friday Fridays Sunday Sundays
English EUR KiB MiB GiB API CSV HMAC HTTP JSON POST PW SHA SQL TLS URL Linux Authorization Bearer
Agreement Employee Employment Lease Services Subscription Supply Unit
"""

_STARTERS = """
Afterwards Averaged Catalogue Codes Conference Configuring Creating Ending Finally Flammable Forklift Going Holidays
Inventions Judging Mats Mount Normal Normally Onboarding Options Patient Per Quantities Reloading Repairs Rotating
Sampling Searching Signing Sites Sleep Stop Storing Subletting Suspension Teaching Thanks Troubleshooting Unpaid Using
Verifying Very Warranty
"""

WORDS = frozenset(_WORDS.split())
"""Words written with a capital that name no company, place or person."""

STARTERS = frozenset(_STARTERS.split())
"""Ordinary words that the documents use only at the start of a sentence or heading."""

_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_CAPITALISED = re.compile(r"\b[A-Z][A-Za-z]*\b")
_INSIDE = re.compile(r"(?<=[a-z0-9,;:)\"'] )[\"']?([A-Z][A-Za-z]*)\b")


def strange_names(documents: Iterable[BundledDocument], queries: Iterable[BundledQuery]) -> Iterator[tuple[str, str]]:
    """Yield place and complaint for each capitalised word that is neither declared nor ordinary.

    In documents every capitalised word is looked at, in queries and answers those inside a sentence.
    """
    documents = tuple(documents)
    lower = {word for document in documents for word in re.findall(r"\b[a-z]+\b", document.text)}
    declared: set[str] = set()
    for document in documents:
        names = {part for name in document.names for part in name.split()}
        declared |= names
        text = _CODE.sub("x", document.text)
        prose = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
        inside = {word for word in _INSIDE.findall(prose) if word not in WORDS | names}
        anywhere = {
            word
            for word in _CAPITALISED.findall(text)
            if word not in WORDS | STARTERS | names and word.lower() not in lower
        }
        for word in sorted(inside | anywhere):
            yield document.id, f"{word!r} looks like a name and is not declared as an invented one"
    for query in queries:
        texts = [query.query, *(answer.answer for answer in query.answers.values())]
        found = {word for text in texts for word in _INSIDE.findall(text)}
        for word in sorted(found - WORDS - declared):
            yield query.id, f"{word!r} looks like a name and occurs in no document's list of invented names"
