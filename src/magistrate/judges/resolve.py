"""From the name of a judge, as a command line, a pytest option or `evaluate` takes it, to the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.judges.base import Judge

_OWN = "judge:"
OF_SEVERAL = ("rule", "risk", "pairs", "against")
"""Options of panels and cascades themselves; all others are those of their models."""


def _offline(_name: str, options: Mapping[str, Any]) -> Judge:
    _refuse(options, "offline")
    from magistrate.judges.offline import OfflineJudge  # noqa: PLC0415 - needs no provider library

    return OfflineJudge()


def _nli(name: str, options: Mapping[str, Any]) -> Judge:
    from magistrate.judges.nli import nli_judge  # noqa: PLC0415 - needs an extra

    return nli_judge(name, **options)


def _own(name: str, options: Mapping[str, Any]) -> Judge:
    from magistrate.user_code import USER_FAULTS, load_object  # noqa: PLC0415 - seldom needed

    _refuse(options, name)
    made = load_object(name.removeprefix(_OWN), what="judge")
    if isinstance(made, type) or (callable(made) and not hasattr(made, "name")):
        try:
            made = made()
        except USER_FAULTS as error:
            raise ConfigurationError(f"{name}: it cannot be made: {type(error).__name__}: {error}") from None
    return resolve_judge(made)


def _refuse(options: Mapping[str, Any], judge: object) -> None:
    if options:
        named = ", ".join(sorted(options))
        raise ConfigurationError(f"{named}: these are options of a model, and the judge is {judge!r}")


def _model(name: str, options: Mapping[str, Any]) -> Judge:
    from magistrate.judges.llm import LLMJudge  # noqa: PLC0415 - loads a provider library

    return LLMJudge(name, **options)


def _several(name: str, options: Mapping[str, Any]) -> Judge:
    from magistrate.judges.cascade import CascadeJudge  # noqa: PLC0415 - seldom needed
    from magistrate.judges.several import PanelJudge  # noqa: PLC0415

    of_models = {key: value for key, value in options.items() if key not in OF_SEVERAL}
    kind: Any = PanelJudge if name.startswith("panel:") else CascadeJudge
    members = [resolve_judge(one, **(of_models if makes_calls(one) else {})) for one in _names(name)]
    return kind(members, **{key: value for key, value in options.items() if key in OF_SEVERAL})  # type: ignore[no-any-return]


def _names(name: str) -> list[str]:
    kind, _, rest = name.partition(":")
    return [one.strip() for one in rest.split("+" if kind == "panel" else ",")]


def _any_calls(name: str) -> bool:
    return any(map(makes_calls, _names(name)))


_KINDS: tuple[tuple[Callable[[str], bool], Callable[[str], bool], Callable[[str, Mapping[str, Any]], Judge]], ...] = (
    (lambda name: name.casefold() == "offline", lambda _: False, _offline),
    (lambda name: name.startswith("nli:"), lambda _: False, _nli),
    (lambda name: name.startswith(_OWN), lambda _: False, _own),
    (lambda name: name.startswith(("panel:", "cascade:")), _any_calls, _several),
    (lambda _: True, lambda _: True, _model),  # "local:PATH" too
)
"""Kinds of names, the first that fits counts: whether it is one, whether such a judge makes calls, how it is made."""


def resolve_judge(judge: Judge | str | None, **options: Any) -> Judge:
    """The judge that a name stands for, or the one that is given.

    Args:
        judge: "offline" (also None), "nli:FOLDER", "judge:module:Name" (a judge of one's own, or what makes one),
            "local:PATH", the name of a model, "panel:a+b" or "cascade:a,b" of such names, or a judge: an object with a
            name that has `ask`, or the methods it is asked by.
        **options: Options of the judge that the name stands for: api_base, cache, budget, ... or threshold, ...; of a
            panel `rule`, of a cascade `risk`, `pairs` and `against`, and those of its models.

    Raises:
        ConfigurationError: If it is no judge, or has options and they have no effect, or cannot be used.
    """
    if judge is not None and not isinstance(judge, str):
        if isinstance(judge, type) or not hasattr(judge, "name") or not (hasattr(judge, "ask") or _by_method(judge)):
            raise ConfigurationError(
                f"{judge!r} is no judge: expected an object such as LLMJudge(...), or a model's name"
            )
        _refuse(options, judge)
        return judge
    name = "offline" if judge is None else judge.strip()
    return next(make(name, options) for fits, _, make in _KINDS if fits(name))


def _by_method(judge: object) -> bool:
    return hasattr(judge, "verify") or hasattr(judge, "grade")


def makes_calls(name: str) -> bool:
    """Whether the judge of that name calls a model that may cost something, as far as one can tell by its name."""
    name = name.strip()
    return next(calls(name) for fits, calls, _ in _KINDS if fits(name))
