"""The NLI judge, and how it goes over statements and windows. See `NLIJudge`."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from magistrate.errors import ConfigurationError, JudgeError, MissingExtraError
from magistrate.judges._questions import Verify
from magistrate.judges._replies import VerdictsReply, unjudged
from magistrate.judges._sentences import SentenceJudge, reply_of
from magistrate.judges.nli._folder import read_folder
from magistrate.judges.nli._verdicts import Reading, Tally, claim_of, is_strange, judged
from magistrate.judges.nli._windows import pieces_of, windows
from magistrate.verdict import IssueCode, StatementVerdict, Verdict

if TYPE_CHECKING:
    from magistrate.judges.nli._model import Text

_NEEDS: Final = frozenset({"numpy", "onnxruntime", "tokenizers"})
_Passages = dict[int, list[tuple[int, int]]]
"""Contexts that are not blank, by their index, with the sentences of each."""


class NLIJudge(SentenceJudge):
    """A judge that is a natural-language-inference model, run here from a local folder: no key, no call.

    The folder holds an ONNX sequence-pair classifier (model.onnx or onnx/model.onnx, or the only other .onnx file),
    tokenizer.json, and config.json, whose `id2label` says which output is entailment. Weights are neither shipped nor
    downloaded.

    A statement is read beside windows of the contexts: whole sentences, as many as fit (`window_sentences`,
    `window_tokens`), overlapping by one. `probability` is the highest entailment of all windows. The verdict is
    `supported` where it reaches `threshold`; else `contradicted` where the highest contradiction does, which only a
    model with three labels can say; else `not_enough_info` (`unsupported` on a binary scale). The evidence is the
    window that decided. Verdicts within 0.10 of the threshold are flagged `low-confidence`. Some models call a window
    about something else a contradiction, and the more windows there are, the likelier one does: read `contradicted` as
    not supported where it matters why.

    There is no verdict, and the reason why, for a statement that claims nothing, is longer than the model reads beside
    a premise, says what the source lacks, or is in words that the model does not know.

    What a statement gets depends on it and the contexts alone, never on the statements beside it; further contexts
    never lower its entailment. Each run of the model is on one thread, so results are the same every time.

    Args:
        path: The folder, or the ONNX file in it.
        threshold: The least probability that counts, in (0, 1].
        window_sentences: Most sentences of a window; None for as many as fit. Three are about as long as the premises
            that models of this kind are trained on (MNLI, FEVER, ANLI); a model trained on passages reads more.
        window_tokens: Most tokens of a window; None for what the model reads, at most 512 with the statement.
        batch_size: Most windows of one statement in a run of the model. More than one is no faster on most processors;
            it is lowered to one where the model's results turn out to depend on the rest of the batch.
        threads: How many runs of the model may go on at a time, each on one processor.
        labels: The meaning of the model's outputs in their order, where config.json does not say it.
        check_labels: Whether to refuse a model whose answers to sentences of known outcome show its labels to be in
            another order than stated.

    Raises:
        MissingExtraError: If onnxruntime, tokenizers or numpy is not installed.
        ConfigurationError: If an argument is out of range, or the folder does not hold what it should; the message
            names the file and the field.
    """

    _no_grade = "an NLI model tells what follows from a text and cannot grade by a rubric; choose another model"

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        threshold: float = 0.70,
        window_sentences: int | None = 3,
        window_tokens: int | None = None,
        batch_size: int = 1,
        threads: int = 1,
        labels: Sequence[str] | None = None,
        check_labels: bool = True,
    ) -> None:
        if not 0 < threshold <= 1:
            raise ConfigurationError(f"threshold is {threshold!r}: it is a probability above 0 and at most 1")
        counts = {
            "window_sentences": window_sentences,
            "window_tokens": window_tokens,
            "batch_size": batch_size,
            "threads": threads,
        }
        for what, number in counts.items():
            if number is not None and number < 1:
                raise ConfigurationError(f"{what} is {number!r}: it has to be at least 1")
        self.path = os.fspath(path)
        self.name = f"nli:{self.path}"
        self.threshold = threshold
        self.window_sentences = window_sentences
        self.window_tokens = window_tokens
        self.threads = threads
        self._arguments: dict[str, Any] = {
            **counts,
            "threshold": threshold,
            "labels": None if labels is None else tuple(labels),
            "check_labels": check_labels,
        }
        folder = read_folder(path)
        try:
            from magistrate.judges.nli import _probes  # noqa: PLC0415 - optional dependencies
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in _NEEDS:
                raise
            raise MissingExtraError.needed(f"an NLI judge needs {error.name}", "nli") from None
        self._model = _probes.tried(folder, labels=labels, batch_size=batch_size, check=check_labels)
        self._pool: ThreadPoolExecutor | None = None
        self._process = os.getpid()
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """A session does not pickle: another process loads the model again."""
        return (partial(type(self), **self._arguments), (self.path,))

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the model's outputs, in their order."""
        return self._model.labels.names

    @property
    def never_says(self) -> frozenset[Verdict]:
        """The verdicts it never gives: contradiction among them, where the model has two labels."""
        partly = frozenset({Verdict.PARTIALLY_SUPPORTED})
        return partly if self._model.labels.contradiction is not None else partly | {Verdict.CONTRADICTED}

    @property
    def batch_size(self) -> int:
        """Most windows of a run: 1 where the model's results depend on the rest of a batch, whatever was asked for."""
        return self._model.batch_size

    @cached_property
    def _fingerprint(self) -> str:
        return self._model.fingerprint()

    def describe(self) -> dict[str, Any]:
        """What identifies this judge: equal descriptions give equal verdicts.

        Reads the model file once for its fingerprint. How many threads it uses is no part of it.
        """
        kind = type(self)
        return {
            "name": self.name,
            # Ours is called what it was when the first runs were stored.
            "class": "magistrate.judges.nli.judge.NLIJudge"
            if kind is NLIJudge
            else f"{kind.__module__}.{kind.__qualname__}",
            "model": self._model.folder.model.name,
            "fingerprint": self._fingerprint,
            "labels": list(self.labels),
            "threshold": self.threshold,
            "window_sentences": self.window_sentences,
            "window_tokens": self.window_tokens,
            "longest_pair": self._model.length,
            "batch_size": self.batch_size,
        }

    async def _verify(self, asked: Verify) -> VerdictsReply:
        """Judge in threads of its own; cancelled, it stops before the next run of the model."""
        loop, pool = asyncio.get_running_loop(), self._threads()
        stop = threading.Event()
        try:
            passages = await loop.run_in_executor(pool, _passages, asked.contexts)
            entries = [
                loop.run_in_executor(pool, self._judge, index, text, asked, passages, stop)
                for index, text in enumerate(asked.statements)
            ]
            return reply_of(await asyncio.gather(*entries), without_context=not passages)
        finally:
            stop.set()

    def _judge_all(self, asked: Verify) -> VerdictsReply:
        passages, stop = _passages(asked.contexts), threading.Event()
        entries = [self._judge(index, text, asked, passages, stop) for index, text in enumerate(asked.statements)]
        return reply_of(entries, without_context=not passages)

    def _threads(self) -> ThreadPoolExecutor:
        # Threads of its own: the loop's would be taken up for as long as the model runs, and others wait for them.
        with self._lock:
            if self._pool is None or self._process != os.getpid():  # a forked process has none of its parent's threads
                self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="magistrate-nli")
                self._process = os.getpid()
            return self._pool

    def _judge(
        self, index: int, statement: str, asked: Verify, passages: _Passages, stop: threading.Event
    ) -> StatementVerdict:
        """The entry of one statement; it depends on the others in nothing."""
        none = partial(unjudged, index, statement)
        claim = claim_of(statement)
        if not isinstance(claim, str):
            return none(*claim)
        read, longest = self._model.read(claim), self._model.longest_statement
        if is_strange(read.size, read.unknown) or not read.size:
            message = f"the model does not know {read.unknown} of the statement's {read.size} tokens"
            return none(IssueCode.LANGUAGE_MISMATCH, message)
        if read.size > longest:
            message = f"the statement has {read.size} tokens, and the model reads {longest} beside a premise: split it"
            return none(IssueCode.MISSING_VERDICT, message)
        tally = Tally(self._model.labels)
        for context, pieces in passages.items():
            self._weigh(read, context, asked.contexts[context], pieces, tally, stop)
        if not tally.windows:
            return none(IssueCode.MISSING_VERDICT, "there is no context to judge the statement by")
        words = [
            word for word in dict.fromkeys(claim.split() if read.unknown else ()) if self._model.read(word).unknown
        ]
        unknown = [*words[:6], *(["..."] if len(words) > len(words[:6]) else [])]
        return judged(asked, index, tally, self.threshold, unknown)

    def _weigh(  # noqa: PLR0917 - what a context is read with
        self,
        statement: Text,
        context: int,
        text: str,
        pieces: Sequence[tuple[int, int]],
        tally: Tally,
        stop: threading.Event,
    ) -> None:
        room = self._model.room(statement)
        tokens = min(room, self.window_tokens or room)
        spans = windows(text, pieces, self._model.count, tokens=tokens, sentences=self.window_sentences)
        for batch in iter(lambda: [*islice(spans, self.batch_size)], []):
            if stop.is_set():
                tally.fail(IssueCode.JUDGE_ERROR, "stopped before every window was read")
                return
            read = [(Reading((), context, *span), self._model.read(text[slice(*span)])) for span in batch]
            fitting = [(place, premise) for place, premise in read if 0 < premise.size <= room]
            if any(premise.size > room for _, premise in read):
                message = f"a character of context {context + 1} has more tokens than the model reads"
                tally.fail(IssueCode.CONTEXT_TRUNCATED, message)
            if not fitting:
                continue
            try:
                rows = self._model.weigh([premise for _, premise in fitting], statement)
            except JudgeError as error:
                tally.fail(IssueCode.JUDGE_ERROR, error.message)
                continue
            for (place, premise), row in zip(fitting, rows, strict=True):
                if row is None:
                    tally.fail(IssueCode.OUT_OF_RANGE, f"the model gave no finite number for {place}")
                else:
                    tally.add(place._replace(probabilities=row), strange=is_strange(premise.size, premise.unknown))


def _passages(contexts: Sequence[str]) -> _Passages:
    return {index: pieces_of(text) for index, text in enumerate(contexts) if text.strip()}
