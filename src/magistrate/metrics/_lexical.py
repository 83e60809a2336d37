"""Measures that compare texts by their terms, without a judge; blind to denials and swapped subjects. Pure."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final

from magistrate.text import content_terms, detect_language, main_script, text_runs

_SAMPLE: Final = 60
_ROUNDING: Final = 1e-12
_SAME_WRITING: Final = ({"han", "kana"},)


@lru_cache(maxsize=1024)
def terms_of(text: str) -> tuple[str, ...]:
    """The terms of a text that carry content, in its order, with repeats; () for a text without words."""
    runs = text_runs(text)
    if not runs:
        return ()
    return tuple(content_terms(runs, detect_language(main_script(text), runs[:_SAMPLE])))


def comparable(text: str, others: Iterable[str]) -> bool:
    """Whether a text is written in a script that one of the others is written in: else no term can be shared."""
    script = main_script(text)
    scripts = {main_script(other) for other in others}
    if script is None or None in scripts or script in scripts or not scripts:
        return True
    return any(script in same and not same.isdisjoint(scripts) for same in _SAME_WRITING)


def among(terms: Iterable[str], others: AbstractSet[str]) -> float | None:
    """The share of the different terms that are among others, in [0, 1]; None where there is no term."""
    wanted = set(terms)
    return len(wanted & others) / len(wanted) if wanted else None


def all_terms(texts: Sequence[str]) -> frozenset[str]:
    """The terms of several texts together."""
    return frozenset().union(*map(terms_of, texts))


def redundancy(texts: Sequence[str]) -> float:
    """How alike texts are: the mean cosine similarity of all pairs of their TF-IDF vectors, in [0, 1].

    A term weighs its count in the text times ln((1 + n) / (1 + d)) + 1, with d of the n texts holding it (the smoothed
    idf of Salton and Buckley, 1988, as scikit-learn has it), so that a term which all texts hold still counts.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a pair
        return 0.0
    counts = [Counter(terms_of(text)) for text in texts]
    texts_with = Counter(term for count in counts for term in count)
    weight = [0.0, *(math.log((1 + len(texts)) / (1 + d)) + 1.0 for d in range(1, len(texts) + 1))]
    idf = {term: weight[d] for term, d in texts_with.items()}
    # Of unit vectors, the sum of all pairs' products is half of |sum|^2 less their own: no pair is looked at.
    total: dict[str, float] = dict.fromkeys(idf, 0.0)
    units = 0
    for count in counts:
        length = math.sqrt(math.fsum((n * idf[term]) ** 2 for term, n in count.items()))
        units += bool(length)
        for term, n in count.items():
            total[term] += n * idf[term] / length
    pairs = len(texts) * (len(texts) - 1)
    mean = (math.fsum(value * value for value in total.values()) - units) / pairs
    return min(1.0, mean) if mean > _ROUNDING else 0.0
