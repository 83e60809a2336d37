"""Several systems over the same cases: answers given in the dataset, or made by a function while the run goes on."""

import asyncio
import contextlib
import inspect
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from magistrate.case import Problem
from magistrate.datasets import DOMAINS, load_bundled
from magistrate.errors import ConfigurationError
from magistrate.evaluation.cases.building import build_case
from magistrate.evaluation.cases.columns import FieldMap, field_of, listed
from magistrate.evaluation.cases.dataset import Dataset, Record
from magistrate.user_code import USER_FAULTS, load_object, takes

BUNDLED: Final = "bundled:"
"""What the name of a bundled dataset begins with on the command line."""

_ALIASES: Final = {"naive_rag": "naive", "simple_verification": "simple", "vera": "verified"}
_WORKERS = 8
_KEPT = 200
_OWN = ("answer", "contexts", "citations", "statements", "expected_score")

Function = Callable[..., Any]


def open_source(
    source: str,
    *,
    system: str | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
    mapping: FieldMap | Sequence[str] | None = None,
) -> Dataset:
    """Open what a command line names as a dataset."""
    if source.startswith(BUNDLED):
        if format is not None or mapping:
            raise ConfigurationError(f"{source}: a bundled dataset takes no format and no mapping")
        dataset = bundled_system(source.removeprefix(BUNDLED), "verified")
    else:
        dataset = Dataset(source, format=format, mapping=mapping)
    return dataset if system is None else with_answers_of(dataset, system)


def bundled_system(name: str, system: str) -> Dataset:
    """Open the bundled cases with the answers of one system, which is the verified one where nothing else is said."""
    if name not in ("all", *DOMAINS):
        raise ConfigurationError(
            f"no bundled dataset {name[:40]!r}: use bundled:{', bundled:'.join(('all', *DOMAINS))}"
        )
    dataset = Dataset(load_bundled(name, system=_ALIASES.get(_plain(system), _plain(system))))  # type: ignore[arg-type]
    dataset.name = f"bundled-{name}"
    dataset.system = system
    return dataset


def with_answers_of(dataset: Dataset, system: str) -> Dataset:
    """The same cases with the answers of another system."""
    if dataset.name.startswith("bundled-") and ":" not in system:
        return bundled_system(dataset.name.removeprefix("bundled-"), system)
    return AnswersOf(dataset, system)


class AnswersOf(Dataset):
    """The cases of a dataset with the answers of a system: see `with_answers_of`.

    A function "module:function" takes the question, and the case if it has a second parameter; it may be a coroutine
    function. It returns the answer, or (answer, contexts), or an object with `answer`, and contexts, citations.
    """

    def __init__(self, dataset: Dataset, system: str) -> None:
        vars(self).update(vars(dataset))
        self.system = self._name = system
        self._dataset = dataset
        expected = "one that takes a question, or a question and the case, and returns an answer"
        self._function = user_function(system, expected, arguments=(1, 2)) if ":" in system else None

    @property
    def is_pipe(self) -> bool:
        """Whether reading on may block: from a pipe, or on a function."""
        return self._dataset.is_pipe or self._function is not None

    def size_hint(self) -> int | None:
        """How many rows to expect; None where unknown."""
        return self._dataset.size_hint()

    def check_mapping(self) -> None:
        """As for the dataset whose cases these are; and see that a row has an answer of the system."""
        self._dataset.check_mapping()
        if self._function is None and self.files:
            with contextlib.closing(iter(self)) as records:
                any(not record.blocked for record in records)  # their end says so where none has an answer

    def __iter__(self) -> Generator[Record, None, None]:
        """Read the cases with the answers of the system."""
        if self._function is None:
            rows = found = 0
            there: dict[str, None] = {}
            for rows, record in enumerate(self._dataset, 1):  # noqa: B007 - counted
                answer = _answer_of(record.case.metadata, self._name)
                found += answer is not None
                if not found and len(there) < _KEPT:
                    there |= dict.fromkeys(_systems_in(record.case.metadata))
                none = f"the row has no answer of {self._name!r}", "answers.NAME, or a column NAME or answer_NAME"
                given = _blocked(record, *none) if answer is None else _replaced(record, answer, self._name, {})
                yield self._placed(given)
            if rows and not found:
                raise ConfigurationError(
                    f"no row of {self.name} has an answer of the system {self._name[:60]!r}: expected answers.NAME, or "
                    f"a column NAME or answer_NAME. It has answers of {listed(there) or 'none'}. A function is "
                    "module:function; a run or a dataset is a path that is there"
                )
        else:
            yield from map(self._placed, _made(self._dataset, self._function, self._name))

    def _placed(self, record: Record) -> Record:
        placed = (p if p.source else replace(p, source=self.name, line=record.line) for p in record.problems)
        return replace(record, problems=tuple(placed))


def user_function(name: str, expected: str, *, arguments: Sequence[int] = (1,)) -> Function:
    """Import a function of the user's own, "module:function", from the working directory too."""
    found = load_object(name)
    if not callable(found):
        raise ConfigurationError(f"{name} is no function: expected {expected}")
    if not takes(found, *arguments):
        counts = " or ".join("one argument" if count == 1 else f"{count} arguments" for count in arguments)
        raise ConfigurationError(f"{name} cannot be called with {counts}: expected {expected}")
    function: Function = found
    return function


def _made(records: Iterable[Record], function: Function, name: str) -> Generator[Record, None, None]:
    """Records with the answers of a function, in order, some of them made ahead."""
    pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="magistrate-system")
    asked = (pool.submit(_answered, record, function, name) for record in records)
    try:
        waiting = deque(islice(asked, _WORKERS))
        while waiting:
            done = waiting.popleft().result()
            waiting += islice(asked, 1)
            yield done
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _answered(record: Record, function: Function, name: str) -> Record:
    started = time.perf_counter()
    try:
        wants_case = len(inspect.signature(function).parameters) > 1
        found = function(record.case.question, record.case) if wants_case else function(record.case.question)
        found = asyncio.run(_awaited(found)) if inspect.isawaitable(found) else found
    except USER_FAULTS as error:  # the system under test is foreign code: its failure costs one row
        # Its text may hold a request with headers, so only its type is kept.
        return _blocked(record, f"{name} failed: {type(error).__name__}")
    elapsed = (time.perf_counter() - started) * 1000.0
    if isinstance(found, tuple | list) and len(found) == 2 and isinstance(found[0], str):  # noqa: PLR2004 - a pair
        found = {"answer": found[0], "contexts": list(found[1])}
    return _replaced(record, found, name, {"latency_ms": elapsed})


async def _awaited(found: Any) -> Any:
    return await found


def _answer_of(metadata: Mapping[str, Any], system: str) -> str | Mapping[str, Any] | None:
    wanted = {_plain(system), _ALIASES.get(_plain(system), _plain(system))}
    for row, patterns in ((metadata.get("answers"), ("{}",)), (metadata, ("answer_{}", "{}_answer", "{}"))):
        if not isinstance(row, Mapping):
            continue
        names = {pattern.replace("{}", name) for pattern in patterns for name in wanted}
        for key, value in row.items():
            if _plain(str(key)) in names and isinstance(value, str | Mapping):
                return value
    return None


def _systems_in(metadata: Mapping[str, Any]) -> Iterator[str]:
    answers = metadata.get("answers")
    yield from map(str, answers if isinstance(answers, Mapping) else ())
    columns = {column: column.removeprefix("answer_").removesuffix("_answer") for column in map(str, metadata)}
    yield from (name for column, name in columns.items() if name != column)


def _replaced(record: Record, value: Any, system: str, further: Mapping[str, Any]) -> Record:
    row = {"answer": value} if isinstance(value, str) else value if isinstance(value, Mapping) else {}
    given = {field: item for key, item in row.items() if (field := field_of(str(key))) in _OWN}
    if "answer" not in given:
        return _blocked(record, f"{system} gave {type(value).__name__}", "a text, (text, contexts) or {'answer': ...}")
    own, found = build_case(given, record.index + 1, {})
    case = record.case
    metadata = {key: item for key, item in case.metadata.items() if key != "latency_ms"}
    if "contexts" in given:  # what is said of contexts by their places is not said of these
        metadata = {key: item for key, item in metadata.items() if key not in ("documents", "context_ids", "gold")}
        if isinstance(gold := metadata.get("gold_citations"), list | tuple):
            metadata["gold_citations"] = [
                {key: item for key, item in one.items() if key != "context"} if isinstance(one, Mapping) else one
                for one in gold
            ]
    latency = row.get("latency_ms", further.get("latency_ms"))
    if isinstance(latency, int | float) and not isinstance(latency, bool):
        metadata["latency_ms"] = float(latency)
    new = case.model_copy(
        update={
            **{name: getattr(own, name) for name in _OWN if name != "contexts" or "contexts" in given},
            "metadata": {**metadata, "system": system},
        }
    )
    kept = tuple(p for p in record.problems if (p.field or "").partition("[")[0] not in ("answer", *given))
    added = tuple(replace(p, row=record.index + 1) for p in found if p.field != "contexts" or "contexts" in given)
    return replace(record, case=new, problems=(*kept, *added))


def _blocked(record: Record, message: str, expected: str | None = None) -> Record:
    problem = Problem(
        field="answer", message=message, expected=expected, row=record.index + 1, line=record.line, blocking=True
    )
    case = record.case.model_copy(update={"answer": None, "statements": None, "citations": ()})
    return replace(record, case=case, problems=(*record.problems, problem))


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")
