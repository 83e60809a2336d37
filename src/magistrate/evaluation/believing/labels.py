"""What the judge said in a run and what people say of it: statements, labels and their files, what to label next."""

import hashlib
import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from magistrate.errors import ConfigurationError, DatasetError
from magistrate.evaluation.cases.columns import is_blank
from magistrate.evaluation.cases.dataset import Dataset
from magistrate.evaluation.files import append_rows
from magistrate.evaluation.readers.base import RawRow, checked_data, printed_list
from magistrate.evaluation.runs.run import Run
from magistrate.trust import Judgement, Key, Label, consensus, draw
from magistrate.verdict import StatementVerdict, Verdict

_NO_IDENTITY = ("policy", "threshold", "include_reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The statements of one metric of a run; of the cases `without` none is known, so they are in no figure."""

    metric: str
    policy: str
    rows: tuple[Judgement, ...]
    said: dict[Key, StatementVerdict]
    scores: dict[str, float | None]
    without: int
    fingerprint: str
    models: tuple[str, ...] = ()


def as_yes(verdict: Verdict | None) -> bool | None:
    """Whether a verdict counts as a yes; None where there is none."""
    return None if verdict is None else verdict is Verdict.SUPPORTED


def judged(run: Run, metric: str | None = None, *, group: str | None = None) -> Judged:
    """Collect what the judge said of each statement."""
    name = metric_with_verdicts(run, metric)
    rows: list[Judgement] = []
    said: dict[Key, StatementVerdict] = {}
    scores: dict[str, float | None] = {}
    models: set[str] = set()
    policy, without = "", 0
    for result in run.results:
        if (found := result.metrics.get(name)) is None:
            continue
        if result.id in scores:
            raise ConfigurationError(
                f"two cases have the id {result.id!r}: make a run of each file, to tell them apart"
            )
        scores[result.id], policy = found.score, found.policy
        models |= {call.completion.model or call.requested_model for call in found.calls if call.completion}
        without += not found.verdicts
        part = result.case.category if group == "category" else result.case.metadata.get(group or "")
        for verdict in found.verdicts:
            row = Judgement(
                case_id=result.id,
                statement_id=verdict.id,
                verdict=verdict.verdict,
                positive=as_yes(verdict.verdict),
                confidence=None if verdict.verdict is None else verdict.sureness,
                group=None if part is None else str(part),
            )
            rows.append(row)
            said[row.key] = verdict
    return Judged(
        metric=name,
        policy=policy,
        rows=tuple(rows),
        said=said,
        scores=scores,
        without=without,
        fingerprint=_fingerprint(run, name, models),
        models=tuple(sorted(models)),
    )


def metric_with_verdicts(run: Run, name: str | None = None) -> str:
    """The metric of a run whose statements people can label."""
    names = list(dict.fromkeys(metric for result in run.results for metric, m in result.metrics.items() if m.verdicts))
    listed = ", ".join(names) or "none"
    if name is not None and name not in names:
        raise ConfigurationError(f"the run has no verdicts of a metric {name!r}: those with verdicts are {listed}")
    if not names:
        raise ConfigurationError("no metric of the run gives verdicts on statements: there is nothing to label")
    if name is None and len(names) > 1:
        raise ConfigurationError(
            f"the run has verdicts of {listed}: name one with --metric, in Python metric={names[0]!r}"
        )
    return name or names[0]


def _fingerprint(run: Run, metric: str, models: set[str]) -> str:
    """First 16 hex digits of SHA-256 over what made the verdicts."""
    settings = [
        {key: value for key, value in each.items() if key not in _NO_IDENTITY}
        for each in run.header.config.get("metrics", ())
        if each.get("name") == metric
    ]
    identity = {"judge": run.header.config.get("judge"), "metric": settings, "models": sorted(models)}
    return hashlib.sha256(json.dumps(identity, sort_keys=True, default=str).encode()).hexdigest()[:16]


LABELS = "labels.jsonl"
PASSED_OVER = 0.1
"""Share of the drawn cases without all their labels from which on those labelled are taken for chosen."""
_YES = frozenset(("true", "yes", "y", "1", "1.0", "supported"))
_NO = frozenset(
    ("false", "no", "n", "0", "0.0", "unsupported", "contradicted", "not_enough_info", "partially_supported")
)
_UNSURE = frozenset(("", "?", "null", "none", "nan", "unsure"))
_ONE_STATEMENT = "for one label a case, judge its whole answer as one statement: a column statements = [answer]"


def labels_path(run: Run) -> Path:
    """The file of a run's labels."""
    if run.path is None:
        raise ConfigurationError("the run is a report without its folder: name the file of labels with --labels")
    return run.path / LABELS


def read_labels(path: str | Path) -> list[Label]:
    """Read labels: JSON Lines, or a table with the columns case_id, statement_id and label.

    A label is true or false, yes or no, 1 or 0, or a verdict's name; empty or "?" where the person could not tell.
    """
    labels = []
    nameless: dict[tuple[Key, str | None], bool | None] = {}
    for row in Dataset(path).rows():
        labels.append(one := _label(row, where := f"{path}:{row.line}"))
        if not (one.by or one.at) and nameless.setdefault((one.key, one.statement), one.label) != one.label:
            raise DatasetError(f"{where}: the statement has another label above: a column `by` tells people apart")
    return labels


def _label(read: RawRow, where: str) -> Label:
    row = checked_data(read, where)
    if "label" not in row:
        raise DatasetError(f"{where}: no label: a row has case_id, statement_id and label, not {', '.join(row)}")
    case = row.get("case_id")
    if not isinstance(case, str | int) or isinstance(case, bool) or case == "":
        raise DatasetError(f"{where}: case_id: a case's id is expected, not {case!r:.80}")
    texts = ("statement", "by", "at", "stratum", "fingerprint", "note")
    statement, place = row.get("statement_id"), row.get("place")
    return Label(
        case_id=str(case),
        statement_id=None if statement in (None, "") else str(statement),
        label=answer(row["label"], where),
        example=row.get("example") in (True, "true", "True", "1"),
        place=int(str(place)) if str(place).isdecimal() else None,
        **{name: str(row[name]) for name in texts if row.get(name)},
    )


def answer(value: Any, where: str) -> bool | None:
    """What a person's answer means; None where the person could not tell."""
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().casefold()
    if word in _YES | _NO:
        return word in _YES
    if word in _UNSURE:
        return None
    raise DatasetError(f"{where}: label: true or false, yes or no, or a verdict is expected, not {value!r:.80}")


def labels_of(run: Run, *, path: str | None = None, truth: str | None = None, metric: str | None = None) -> list[Label]:
    """The labels of a run: from a file, from a key of the cases' metadata, else those in its folder."""
    if path and truth:
        raise ConfigurationError("labels come from --labels or from --truth, not from both")
    if truth:
        return truth_labels(run, judged(run, metric), truth)
    file = Path(path) if path else labels_path(run)
    if not path and not file.exists():
        asked = f"`magistrate label {run.path}` asks for some, --labels FILE names those that you have"
        raise ConfigurationError(f"{run.path} has no labels yet: {asked}")
    return read_labels(file)


def append_labels(path: Path, labels: Iterable[Label]) -> None:
    """Add labels to a file, which only its owner can read; nothing that stands there is touched."""
    always = ("case_id", "statement_id", "label")
    rows = (asdict(label).items() for label in labels)
    append_rows(path, [{k: v for k, v in row if k in always or v not in (None, "", False)} for row in rows])


def _listed(value: Any) -> Any:
    """The list in a cell of a table, as JSON or as Python prints it; else the value."""
    if not isinstance(value, str) or not value.strip().startswith("["):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return printed_list(value.strip()) or value


def truth_labels(run: Run, found: Judged, field: str) -> list[Label]:
    """Labels that stand in the dataset: in a key of the cases' metadata; a case with none there has no labels."""
    labels: list[Label] = []
    for result in run.results:
        judged_here = result.metrics[found.metric].verdicts if found.metric in result.metrics else ()
        where, value = f"case {result.id!r}: {field}", _listed(result.case.metadata.get(field))
        if is_blank(value) or not judged_here:
            continue
        said = [answer(one, where) for one in (value if isinstance(value, list) else [value])]
        if len(said) != len(judged_here):
            raise DatasetError(
                f"{where}: {len(said)} values for {len(judged_here)} statements: one for each, as [true, false]; "
                + _ONE_STATEMENT
            )
        given = result.case.statements is not None  # a person who saw the row saw these texts
        labels += [
            Label(case_id=result.id, statement_id=v.id, statement=v.statement if given else None, label=s, by=field)
            for v, s in zip(judged_here, said, strict=True)
        ]
    if not labels:
        known = sorted({key for result in run.results for key in result.case.metadata})
        raise DatasetError(f"no case has labels in {field!r} of its metadata: there are {', '.join(known) or 'none'}")
    return labels


def examples_of(
    run: Run, labels: Sequence[Label], *, metric: str | None = None
) -> tuple[list[dict[str, Any]], list[Label]]:
    """Labelled statements as examples for a judge's prompt, and their labels marked as such: those correct nothing.

    They are the statements of a tenth of the labelled cases, two at least, chosen by a hash and so without regard to
    what anybody said: what is left is still a random choice. Where people say no and the judge too, the judge's verdict
    is the example's, else `unsupported`.
    """
    found, said = people_on(run, labels, metric)
    cases = sorted({case for case, _ in said}, key=lambda case: hashlib.sha256(case.encode()).digest())
    if not cases:
        raise ConfigurationError("no statement of the run is labelled: there is nothing to take examples from")
    chosen = set(cases[: max(2, len(cases) // 10)])
    contexts = {result.id: list(result.case.contexts) for result in run.results if result.id in chosen}
    no = {row.key: row.verdict for row in found.rows if row.positive is False}
    examples = [
        {
            "statement": found.said[key].statement,
            "verdict": "supported" if yes else str(no.get(key, "unsupported")),
            "contexts": contexts[key[0]],
        }
        for key, yes in said.items()
        if key[0] in chosen
    ]
    return examples, [replace(one, example=True) for one in matching(labels, found)[0] if one.case_id in chosen]


def matching(labels: Sequence[Label], found: Judged) -> tuple[list[Label], int]:
    """The labels of the run's own statements, and how many are of others.

    Raises:
        ConfigurationError: If a label names no statement and its case has several.
    """
    by_text = {(key[0], verdict.statement): [key] for key, verdict in found.said.items()}
    by_case: dict[str, list[Key]] = {}
    for key in found.said:
        by_case.setdefault(key[0], []).append(key)
    fitting: list[Label] = []
    for label in labels:
        same = found.said.get(label.key)
        keys = [label.key] if same else []
        if label.statement is not None and (same is None or same.statement != label.statement):
            keys = by_text.get((label.case_id, label.statement), [])
        elif label.statement_id is None:
            keys = by_case.get(label.case_id, [])
            if len(keys) > 1:
                raise ConfigurationError(
                    f"case {label.case_id!r}: it has {len(keys)} statements, and its label has no statement_id that "
                    f"tells which is meant: a row for each, {keys[0][1]}, {keys[1][1]}, ...; {_ONE_STATEMENT}"
                )
        fitting += [replace(label, statement_id=key[1]) for key in keys if len(keys) == 1]
    return fitting, len(labels) - len(fitting)


def refuse_chosen(labels: Sequence[Label], found: Judged, *, assume_random: bool = False) -> list[str]:
    """Refuse labels of cases that somebody chose, such as a pile of hard ones; return what is to be known of others.

    The first cases of a draw are a draw themselves; those that somebody chose among them are none. The last one may be
    begun only. Where every case is labelled, nothing was chosen.

    Raises:
        ConfigurationError: If neither the labels show that their cases were drawn, nor somebody says so.
    """
    size = Counter(case for case, _ in found.said)
    answers: dict[tuple[int, str], set[tuple[str | None, str | None]]] = {}
    for label in labels:
        if label.place is not None:
            answers.setdefault((label.place, label.case_id), set()).add((label.statement_id, label.statement))
    last = max((place for place, _ in answers), default=0)
    whole = {place for (place, case), said in answers.items() if place == last or len(said) >= size[case]}
    fitting, left_out = matching(labels, found)[0], last - len(whole)
    if {label.case_id for label in fitting if label.label is not None} == {row.case_id for row in found.rows}:
        return []
    drawn = all(label.stratum is not None for label in fitting)
    note = f"of the first {last} cases drawn without all their labels: {left_out}; a choice is no draw"
    if not (assume_random or (drawn and left_out <= PASSED_OVER * last)):
        raise ConfigurationError(
            f"{note if drawn else 'the labels were not drawn by `magistrate label`'}: if their cases are a random "
            "choice of the run's, and no pile of hard or doubtful ones, say so with --assume-random, in Python "
            "assume_random=True"
        )
    return [note] if left_out else []


def people_on(run: Run, labels: Sequence[Label], metric: str | None) -> tuple[Judged, Mapping[Key, bool]]:
    """The statements of a run, and what people said of some of them."""
    found = judged(run, metric)
    return found, consensus(matching(labels, found)[0]).labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One case to label, its statements as (id, text); without a stratum where it was not drawn by us."""

    case_id: str
    question: str | None
    contexts: tuple[str, ...]
    statements: tuple[tuple[str | None, str], ...]
    stratum: str | None
    fingerprint: str
    place: int | None = None

    def label(self, statement: int, answer: bool | None, by: str) -> Label:
        """The label of a statement, given now."""
        name, text = self.statements[statement]
        return Label(
            case_id=self.case_id,
            statement_id=name,
            label=answer,
            statement=text,
            by=by,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            stratum=self.stratum,
            place=self.place,
            fingerprint=self.fingerprint,
        )


def label_tasks(
    run: Run,
    labels: Sequence[Label],
    *,
    n: int = 50,
    by: str = "",
    second: float | None = None,
    metric: str | None = None,
    seed: int | None = None,
) -> list[Task]:
    """The cases that a person has still to label.

    Args:
        run: The run.
        labels: What has been labelled so far, by anybody.
        n: Cases wanted in all; a later call with a larger number goes on with the same draw.
        by: The person.
        second: Instead, this share of the cases that others have labelled, for the agreement of people.
        metric: The metric; None where only one gives verdicts.
        seed: Of the draw; None: made of the run.

    Raises:
        ConfigurationError: If the run has no such metric.
    """
    found = judged(run, metric)
    seed = zlib.crc32((run.header.id or run.header.config_hash).encode()) if seed is None else seed
    if second is None:
        drawn: dict[str, tuple[str | None, int | None]] = {
            one.case_id: (one.stratum, place) for place, one in enumerate(draw(found.rows, n, seed=seed), 1)
        }
    else:
        drawn = {label.case_id: (label.stratum, label.place) for label in labels if label.by != by}
        drawn = dict(islice(drawn.items(), math.ceil(second * len(drawn))))
    answered = {(label.case_id, label.statement) for label in labels if label.by == by}
    made = {}
    for result in run.results:
        verdicts = result.metrics[found.metric].verdicts if result.id in drawn else ()
        left = tuple((v.id, v.statement) for v in verdicts if (result.id, v.statement) not in answered)
        if left:
            made[result.id] = Task(
                case_id=result.id,
                question=result.case.question,
                contexts=result.case.contexts,
                statements=left,
                stratum=drawn[result.id][0],
                place=drawn[result.id][1],
                fingerprint=found.fingerprint,
            )
    return [made[case] for case in drawn if case in made]
