"""parse_verdicts: the stages put together."""

from __future__ import annotations

from collections.abc import Sequence

from magistrate.parsing.answers import gather
from magistrate.parsing.clean import NOT_JSON, read_clean, read_mended
from magistrate.parsing.decode.documents import Document
from magistrate.parsing.envelope import Envelope, as_envelope, open_envelope, open_whole
from magistrate.parsing.reading import VerdictReading
from magistrate.parsing.settle import settle
from magistrate.parsing.source import BLOCKED, CUT, as_text, ending
from magistrate.parsing.statement_index import Statements
from magistrate.parsing.vocabulary import KNOWN, Vocabulary, vocabulary_of
from magistrate.parsing.voices import Voice
from magistrate.verdict import IssueCode, Scale, Verdict

__all__ = ["parse_verdicts"]


def _reject(statements: Sequence[str] | None, ids: Sequence[str] | None) -> None:
    if isinstance(statements, str):
        raise TypeError("statements is a list of texts, not one text")
    raise ValueError(f"{len(ids or ())} ids for {len(statements or ())} statements")


def parse_verdicts(
    text: str | bytes | None,
    statements: Sequence[str] | None,
    *,
    scale: str | Scale = "binary",
    contexts: Sequence[str] | None = None,
    finish_reason: str | None = None,
    refusal: str | None = None,
    token: str | None = None,
    ids: Sequence[str] | None = None,
) -> VerdictReading:
    """Read a judge's verdicts on numbered statements.

    Total: any text gives a reading, never an exception, in linear time.

    Args:
        text: The reply as the model gave it.
        statements: The statements asked about, in order; None takes them from the reply.
        scale: "binary", "ternary", "graded" or a `Scale`.
        contexts: What the judge saw beside the statements. What a reply repeats from it is no answer.
        finish_reason: Why the provider says the reply ended.
        refusal: The provider's own refusal text.
        token: The request token that the answer must carry.
        ids: The ids of the statements in the prompt; by default 1 to n ("1", "s1", "Statement 1" name the first).

    Returns:
        One entry per statement, in order, with a verdict or the reason why there is none.

    Raises:
        ValueError: If the scale is unknown, or ids and statements differ in number.
        TypeError: If `statements` is one text, or `text` is neither text nor bytes.
    """
    if isinstance(statements, str) or (ids is not None and statements is not None and len(ids) != len(statements)):
        _reject(statements, ids)
    raw = text if type(text) is str else as_text(text)
    words = KNOWN.get(scale) or vocabulary_of(scale) if type(scale) is str else vocabulary_of(scale)
    end = None if finish_reason is None or finish_reason == "stop" else ending(finish_reason)
    if end is not None or statements is None or refusal is not None:
        return _read_closely(raw, statements, words, scale, contexts, end, refusal, token, ids)
    plain = read_clean(raw, statements, words, token, ids, contexts)
    if type(plain) is VerdictReading:
        return plain
    if plain is NOT_JSON:
        whole = open_whole(raw)
        if whole is not None:
            mended = read_mended(whole, statements, words, token, ids, contexts)
            if mended is not None:
                return mended
            known = as_envelope(whole)
            return _read_closely(raw, statements, words, scale, contexts, end, refusal, token, ids, known)
    envelope = open_envelope(raw, plain if isinstance(plain, Document) else None)
    if envelope.is_one_document:
        mended = read_mended(envelope.documents[0], statements, words, token, ids, contexts)
        if mended is not None:
            return mended
    return _read_closely(raw, statements, words, scale, contexts, end, refusal, token, ids, envelope)


def _read_closely(
    raw: str,
    statements: Sequence[str] | None,
    words: Vocabulary,
    scale: str | Scale,
    contexts: Sequence[str] | None,
    end: str | None,
    refusal: str | None,
    token: str | None,
    ids: Sequence[str] | None,
    envelope: Envelope | None = None,
) -> VerdictReading:
    """Read a reply that needs a second thought."""
    asked = Statements(() if statements is None else statements, None if statements is None else ids)
    own = statements is None

    def read(envelope: Envelope, otherwise: Sequence[Verdict | IssueCode | None] = ()) -> VerdictReading:
        found, about = gather(envelope, words, asked, end=end, contexts=contexts or (), own=own), asked
        if own:
            answers = [answer for answer in found.answers if answer.voice is Voice.JUDGE]
            found.answers = answers if len(answers) == 1 else []
            about = Statements([row.echo or "" for answer in found.answers for row in answer.table.rows])
        return settle(
            envelope,
            found,
            about,
            words,
            end=end,
            refusal=refusal,
            token=token,
            contexts=contexts,
            own=own,
            otherwise=otherwise,
        )

    reading = read(open_envelope(raw) if envelope is None else envelope)
    if end not in {CUT, BLOCKED} or len(reading.missing) == len(reading.found):
        return reading
    # What is not trusted at the cut must leave nothing else to be read in its place.
    whole = parse_verdicts(raw, statements, scale=scale, contexts=contexts, refusal=refusal, token=token, ids=ids)
    torn = {note.index for note in whole.issues if note.code is IssueCode.CONFLICTING_VERDICTS}
    uncut = [
        IssueCode.CONFLICTING_VERDICTS if verdict is None and at in torn else verdict
        for at, verdict in enumerate(whole.found)
    ]
    if len(uncut) != len(reading.found) or all(
        None in pair or pair[0] is pair[1] for pair in zip(reading.found, uncut, strict=True)
    ):
        return reading
    return read(open_envelope(raw), uncut)  # settling has marked the rows of the first
