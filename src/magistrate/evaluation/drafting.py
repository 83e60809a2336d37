"""Draft cases from a user's documents with a model. What it drafts is checked against the documents, and is a draft."""

import hashlib
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, Field

from magistrate.case import Case, Citation
from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.files import read_text
from magistrate.judges import as_judge
from magistrate.prompts import Block, prompt_for, render
from magistrate.records import Usage
from magistrate.text import locate_quote

SUFFIXES: Final = (".md", ".markdown", ".txt", ".rst", ".adoc")
"""Endings of the files that are read as documents."""

_LONGEST = 400_000
_PASSAGE = 1500
_REVIEW: Final = "drafted by a model: check question, reference and quotes, then set draft to false"


class _Draft(BaseModel):
    """One question of a document."""

    question: str = Field(min_length=1)
    answer: str
    quotes: list[str] = Field(default_factory=list)
    category: Literal["fact_single", "fact_multiple", "reasoning", "summary", "unanswerable"]


class _Drafts(BaseModel):
    cases: list[_Draft]


class Document(NamedTuple):
    """A document to ask about: its name (a relative path) and its text."""

    name: str
    text: str


class Drafted(NamedTuple):
    """What came of one document."""

    document: str
    cases: tuple[Case, ...] = ()
    dropped: tuple[str, ...] = ()
    usage: Usage = Usage()


def read_documents(folder: str | Path) -> list[Document]:
    """Read the documents below a folder, or one file, by name."""
    root = Path(folder)
    if not root.exists():
        raise DatasetError(f"{root}: no such file or folder", path=str(root))
    paths = [root] if root.is_file() else sorted(p for p in root.rglob("*") if p.suffix.lower() in SUFFIXES)
    documents = []
    for path in paths:
        text = read_text(path)
        if len(text) > _LONGEST:
            raise DatasetError(f"{path}: {len(text):,} characters, more than {_LONGEST:,}: split it", path=str(path))
        if text.strip():
            documents.append(Document(path.name if root.is_file() else path.relative_to(root).as_posix(), text))
    if not documents:
        raise DatasetError(f"{root}: no document; expected files ending in {', '.join(SUFFIXES)}", path=str(root))
    return documents


def passages_of(text: str, *, size: int = _PASSAGE) -> list[str]:
    """Cut a text into passages of about `size` characters, between paragraphs and before headings."""
    passages: list[str] = []
    for paragraph in filter(None, (part.strip("\n") for part in re.split(r"\n[ \t]*\n", text))):
        heading = paragraph.startswith("#")
        if passages and not heading and len(passages[-1]) + len(paragraph) <= size:
            passages[-1] += "\n\n" + paragraph
        else:
            passages.append(paragraph)
    return passages


async def draft_cases(documents: Sequence[Document], judge: Any, *, count: int = 5, contexts: int = 4) -> list[Drafted]:
    """Have a model draft questions about each document, and keep those that hold up.

    A draft holds up if every quote stands in the document word by word, an answerable question has an answer and a
    quote, and an unanswerable one has neither. Each case has the passages that its quotes stand in as contexts, filled
    up from the document; the answer is left empty, because it is the system under test that gives it. `metadata.draft`
    is true until somebody has looked at it.
    """
    if count < 1 or contexts < 1:
        raise ConfigurationError("count and contexts are 1 or more")
    structured = as_judge(judge).structured
    found = []
    prompt = prompt_for(judge, "draft-cases")
    for document in documents:
        messages = render(prompt, {"count": str(count), "document": [Block("document", document.text)]})
        reply = await structured(messages[-1].content, _Drafts, max_tokens=400 * count)
        if reply.value is None:
            why = next((issue.message for issue in reply.issues if issue.message), reply.status.value)
            unused = (f"the model's reply could not be used: {why}",)
            found.append(Drafted(document.name, dropped=unused, usage=reply.usage))
            continue
        passages = passages_of(document.text)
        drafts = [(draft, _fault(draft, document)) for draft in reply.value.cases]
        good = enumerate((draft for draft, fault in drafts if fault is None), 1)
        kept = tuple(_case(draft, document, passages, number, contexts) for number, draft in good)
        dropped = [
            f"{' '.join(draft.question.split())[:80]!r}: {fault}" for draft, fault in drafts if fault is not None
        ]
        dropped += [] if drafts else ["the model drafted no question"]
        found.append(Drafted(document.name, kept, tuple(dropped), reply.usage))
    return found


def _fault(draft: _Draft, document: Document) -> str | None:
    """What is wrong with a draft; None for one that holds up."""
    answered = bool(draft.answer.strip())
    if draft.category == "unanswerable":
        return "it is called unanswerable and has an answer" if answered or draft.quotes else None
    if not answered or not draft.quotes:
        return "no quote bears its answer out" if answered else "it has no answer"
    strange = (" ".join(quote.split())[:80] for quote in draft.quotes if not _verbatim(quote, document.text))
    return next((f"this quote does not stand in the document: {quote!r}" for quote in strange), None)


def _verbatim(quote: str, text: str) -> bool:
    found = locate_quote(quote, [text])
    return found.found and found.similarity == 1.0


def _case(draft: _Draft, document: Document, passages: Sequence[str], number: int, most: int) -> Case:
    # The passage that each quote stands in; None where it runs over the end of one.
    homes = {
        quote: next((at for at, one in enumerate(passages) if _verbatim(quote, one)), None) for quote in draft.quotes
    }
    needed = sorted({home for home in homes.values() if home is not None})
    others = (index for index in range(len(passages)) if index not in needed)
    chosen = sorted([*needed, *islice(others, max(0, most - len(needed)))])
    places = {quote: None if home is None else chosen.index(home) for quote, home in homes.items()}
    gold = [{"document": document.name, "quote": quote, "context": place} for quote, place in places.items()]
    digest = hashlib.sha256(f"{document.name}\n{draft.question}".encode()).hexdigest()[:6]
    stem = re.sub(r"[^a-z0-9]+", "-", Path(document.name).stem.casefold()).strip("-") or "document"
    return Case(
        id=f"{stem}-{number}-{digest}",
        question=draft.question.strip(),
        contexts=tuple(passages[index] for index in chosen),
        category=draft.category,
        reference=draft.answer.strip() or None,
        citations=tuple(Citation(document=document.name, quote=quote) for quote in draft.quotes),
        metadata={
            "draft": True,
            "review": _REVIEW,
            "answerable": draft.category != "unanswerable",
            "documents": [document.name] * len(chosen),
            "gold_citations": gold,
        },
    )
