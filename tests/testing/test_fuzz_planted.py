"""Bugs planted in copies of a small parser: `fuzz` finds them, and shows each with a short reply.

The parser reads little and is right about it. A bug is a change of its source as people make them.
"""

import statistics
from collections.abc import Callable
from typing import Any

import pytest

from magistrate.testing.corpus import load_corpus
from magistrate.testing.fuzz import fuzz

SOURCE = """
import json, re

BINARY = {"yes": "supported", "supported": "supported", "no": "unsupported", "unsupported": "unsupported",
          "not supported": "unsupported"}
TERNARY = {"supported": "supported", "contradicted": "contradicted", "not_enough_info": "not_enough_info"}
FINAL = "final verdict for each statement in order:"
LINE = re.compile(r"(\\d{1,3})[.)] ([a-zA-Z_ ]+)")

def words_of(scale):
    return {"binary": BINARY, "ternary": TERNARY}.get(scale, {})

def word(value, words):
    if not isinstance(value, str):
        return None
    return words.get(value.strip().casefold())

def members(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key is repeated")
    return dict(pairs)

def decode(reply):
    return json.loads(reply, object_pairs_hook=members)

def placed(found, count):
    if sorted(number for number, _ in found) != list(range(1, count + 1)):
        return [None] * count
    return [verdict for _, verdict in sorted(found)]

def rows(data, words, count):
    if all(isinstance(row, str) for row in data):
        found = [word(row, words) for row in data]
        return found if len(found) == count and None not in found else [None] * count
    found = []
    for row in data:
        if not isinstance(row, dict) or not {"id", "verdict"} <= set(row) <= {"id", "verdict", "reason"}:
            return [None] * count
        if "verdict" in str(row.get("reason")).casefold():
            return [None] * count
        if not isinstance(row["id"], int) or isinstance(row["id"], bool):
            return [None] * count
        verdict = word(row["verdict"], words)
        if verdict is None:
            return [None] * count
        found.append((row["id"], verdict))
    return placed(found, count)

def lines(reply, words, count):
    found = []
    for line in reply.splitlines():
        match = LINE.fullmatch(line)
        verdict = word(match[2], words) if match else None
        if verdict is None:
            return [None] * count
        found.append((int(match[1]), verdict))
    return placed(found, count)

def final(reply, words, count):
    text = reply.casefold()
    if not text.startswith(FINAL):
        return [None] * count
    parts = text[len(FINAL):].split(".")
    if parts.pop().strip():
        return [None] * count
    found = [word(part, words) for part in parts]
    return found if len(found) == count and None not in found else [None] * count

def parse(reply, statements, scale):
    words, count = words_of(scale), len(statements)
    reply = reply.strip()
    if not reply:
        return [None] * count
    try:
        data = decode(reply)
    except (ValueError, RecursionError):
        read = lines(reply, words, count)
        return read if any(read) else final(reply, words, count)
    if isinstance(data, dict) and set(data) == {"verdicts"}:
        data = data["verdicts"]
    if isinstance(data, list):
        return rows(data, words, count)
    if isinstance(data, dict) and all(key.isdecimal() and len(key) < 4 for key in data):
        found = [(int(key), word(value, words)) for key, value in data.items()]
        return placed(found, count) if all(v for _, v in found) else [None] * count
    return [None] * count
"""

WORD = "    return words.get(value.strip().casefold())\n"
ROW_WORDS = (
    "        return found if len(found) == count and None not in found else [None] * count\n    found = []\n    for row"
)
EXACT = "    if sorted(number for number, _ in found) != list(range(1, count + 1)):\n        return [None] * count\n"
UNREAD = "        if verdict is None:\n            return [None] * count\n        found.append((row"
FALLBACK = (
    "        read = lines(reply, words, count)\n        return read if any(read) else final(reply, words, count)\n"
)
IN_ORDER = "    return [verdict for _, verdict in sorted(found)]\n"
REPEATED = '    if len({key for key, _ in pairs}) != len(pairs):\n        raise ValueError("a key is repeated")\n'
BLANK = "    if not reply:\n        return [None] * count\n"
FINAL_START = "    if not text.startswith(FINAL):\n        return [None] * count\n"
FINAL_PARTS = """    parts = text[len(FINAL):].split(".")
    if parts.pop().strip():
        return [None] * count
"""
LINE_WORD = """        match = LINE.fullmatch(line)
        verdict = word(match[2], words) if match else None
"""
FINAL_WORDS = "    found = [word(part, words) for part in parts]\n"

CORPUS = len(load_corpus("verdicts"))

BUGS: dict[str, tuple[str, str]] = {
    "words are found within others": (
        WORD,
        "    text = value.casefold()\n    return next((v for k, v in words.items() if k in text), None)\n",
    ),
    "words are found at the beginning": (
        WORD,
        "    text = value.casefold()\n    return next((v for k, v in words.items() if text.startswith(k)), None)\n",
    ),
    "an unknown word is a no": (WORD, '    return words.get(value.strip().casefold(), "unsupported")\n'),
    "an unknown word is a yes": (WORD, '    return words.get(value.strip().casefold(), "supported")\n'),
    "a not is left out": (WORD, '    return words.get(value.casefold().replace("not ", "").strip())\n'),
    "whatever is not empty is a yes": (
        "    if not isinstance(value, str):\n        return None\n" + WORD,
        '    return "supported" if value else "unsupported"\n',
    ),
    "what is no text counts by its truth": (
        "    if not isinstance(value, str):\n        return None\n",
        '    if not isinstance(value, str):\n        return "supported" if value else "unsupported"\n',
    ),
    "numbers are clamped": (
        "    if not isinstance(value, str):\n        return None\n",
        (
            "    if isinstance(value, (int, float)) and not isinstance(value, bool):\n"
            '        return "supported" if max(0, min(1, value)) >= 0.5 else "unsupported"\n'
            "    if not isinstance(value, str):\n        return None\n"
        ),
    ),
    "the first of repeated keys wins": (REPEATED, "    pairs = pairs[::-1]\n"),
    "the last of repeated keys wins": (REPEATED, ""),
    "ids count from zero": (
        EXACT + IN_ORDER,
        "    read = dict(found)\n    return [read.get(n) for n in range(count)]\n",
    ),
    "rows are one off": (
        IN_ORDER,
        "    read = [verdict for _, verdict in sorted(found)]\n    return read[1:] + read[:1]\n",
    ),
    "ids are not looked at": (
        EXACT + IN_ORDER,
        "    return [verdict for _, verdict in found][:count] + [None] * (count - len(found))\n",
    ),
    "gaps are closed": (EXACT, "    if len({n for n, _ in found}) != len(found):\n        return [None] * count\n"),
    "the last of repeated ids wins": (
        EXACT + IN_ORDER,
        "    read = dict(found)\n    return [read.get(n) for n in range(1, count + 1)]\n",
    ),
    "the first of repeated ids wins": (
        EXACT + IN_ORDER,
        "    read = dict(found[::-1])\n    return [read.get(n) for n in range(1, count + 1)]\n",
    ),
    "ids beyond the end are taken for the last": (
        EXACT,
        "    found = [(min(n, count), v) for n, v in found]\n" + EXACT,
    ),
    "unreadable elements are dropped": (
        ROW_WORDS,
        (
            "        found = [v for v in found if v][:count]\n        return found + [None] * (count - len(found))\n"
            "    found = []\n    for row"
        ),
    ),
    "a short list is filled with noes": (
        ROW_WORDS,
        '        return (found + ["unsupported"] * count)[:count]\n    found = []\n    for row',
    ),
    "a short list is taken from the front": (
        ROW_WORDS,
        "        return (found + [None] * count)[:count]\n    found = []\n    for row",
    ),
    "a short list is taken from the back": (
        ROW_WORDS,
        "        return ([None] * count + found)[-count:]\n    found = []\n    for row",
    ),
    "a row without a verdict is a no": (
        UNREAD,
        '        verdict = verdict or "unsupported"\n        found.append((row',
    ),
    "a row without a verdict breaks it": (
        'not {"id", "verdict"} <= set(row) <= {"id", "verdict", "reason"}',
        '"id" not in row',
    ),
    "the first list in the text is the answer": (
        FALLBACK,
        (
            '        match = re.search(r"\\[[^\\]]*\\]", reply)\n        try:\n'
            "            return rows(json.loads(match[0]), words, count) if match else [None] * count\n"
            "        except ValueError:\n            return [None] * count\n"
        ),
    ),
    "the words of the whole text are counted": (
        FALLBACK,
        (
            '        found = [words[w] for w in re.findall(r"[a-z_]+", reply.casefold()) if w in words]\n'
            "        return (found + [None] * count)[:count]\n"
        ),
    ),
    "a cut list is closed": (
        FALLBACK,
        (
            "        for end in (']', '\"]', '}]', '\"}]', '\"}]}', '}]}'):\n            try:\n"
            "                data = json.loads(reply + end)\n"
            "                data = data['verdicts'] if isinstance(data, dict) and 'verdicts' in data else data\n"
            "                data = [r.get('verdict') if isinstance(r, dict) else r for r in data]\n"
            "                read = [word(r, words) or 'unsupported' for r in data]\n"
            "                return (read + ['unsupported'] * count)[:count]\n"
            "            except (ValueError, TypeError, AttributeError):\n                pass\n"
            "        return [None] * count\n"
        ),
    ),
    "a blank reply is all noes": (BLANK, '    if not reply:\n        return ["unsupported"] * count\n'),
    "what cannot be read is all noes": (FALLBACK, '        return ["unsupported"] * count\n'),
    "the first word of a line that is a verdict counts": (
        LINE_WORD,
        (
            '        match = re.match(r"(\\d{1,3})[.)]", line)\n'
            "        said = [words[w] for w in re.findall(r'[a-z_]+', line.casefold()) if w in words]\n"
            "        verdict = said[0] if match and said else None\n"
        ),
    ),
    "a final line counts a yes anywhere": (
        FINAL_WORDS,
        '    found = ["supported" if "yes" in part else "unsupported" for part in parts]\n',
    ),
    "a final line may be quoted": (
        FINAL_START + FINAL_PARTS,
        (
            "    if FINAL not in text:\n        return [None] * count\n"
            '    parts = text[text.index(FINAL) + len(FINAL) :].split(".")[:count]\n'
        ),
    ),
}


def parser(bug=None):
    source = SOURCE
    if bug is not None:
        old, new = BUGS[bug]
        assert source.count(old) == 1, bug
        source = source.replace(old, new)
    space: dict[str, Any] = {}
    exec(source, space)  # noqa: S102 - our own text
    made: Callable[..., Any] = space["parse"]
    return made


def look(bug):
    """Look as far as it takes to find something; the corpus comes first."""
    report = fuzz(parser(bug), seconds=60, count=CORPUS, seed=11)
    return report if report.examples else fuzz(parser(bug), seconds=20, seed=11, most_kinds=1)


@pytest.mark.slow
class TestPlantedBugs:
    def test_the_parser_without_them_is_right_and_reads_something(self):
        report = fuzz(parser(), seconds=60, count=900, seed=11)
        assert report.failures() == [], report.text()
        assert report.total("right") > 30

    def test_at_least_28_of_30_are_found_and_shown_with_a_short_reply(self):
        found = {bug: look(bug).examples for bug in BUGS}
        missed = [bug for bug, examples in found.items() if not examples]
        assert len(BUGS) >= 30
        assert len(missed) <= 2, missed
        assert statistics.median(min(len(e.reply) for e in examples) for examples in found.values() if examples) <= 200
