"""From the name of a judge, as a command line, a pytest option or `evaluate` takes it, to the judge."""

from collections.abc import Mapping
from typing import Any

from magistrate.errors import ConfigurationError
from magistrate.judges.base import Judge

OF_SEVERAL = ("rule", "risk", "pairs", "against")
"""Options of panels and cascades themselves; all others are those of their models."""


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
        asked_by = any(hasattr(judge, method) for method in ("ask", "verify", "grade"))
        if isinstance(judge, type) or not hasattr(judge, "name") or not asked_by:
            raise ConfigurationError(
                f"{judge!r} is no judge: expected an object such as LLMJudge(...), or a model's name"
            )
        _refuse(options, judge)
        return judge
    name = "offline" if judge is None else judge.strip()
    match _kind(name):
        case "offline":
            _refuse(options, "offline")
            from magistrate.judges.offline import OfflineJudge  # noqa: PLC0415 - each loads what it needs

            return OfflineJudge()
        case "nli":
            from magistrate.judges.nli import NLIJudge  # noqa: PLC0415

            if not (path := name.removeprefix("nli:")).strip():
                raise ConfigurationError(f"{name!r} names no folder: nli:PATH takes the path of a model's folder")
            return NLIJudge(path, **options)
        case "judge":
            return _own(name, options)
        case "panel" | "cascade" as kind:
            from magistrate.judges.cascade import CascadeJudge  # noqa: PLC0415
            from magistrate.judges.several import PanelJudge  # noqa: PLC0415

            of_models = {key: value for key, value in options.items() if key not in OF_SEVERAL}
            members = [resolve_judge(one, **(of_models if makes_calls(one) else {})) for one in _names(name)]
            made: Any = PanelJudge if kind == "panel" else CascadeJudge
            return made(members, **{key: value for key, value in options.items() if key in OF_SEVERAL})  # type: ignore[no-any-return]
        case _:  # "local:PATH" too
            from magistrate.judges.llm import LLMJudge  # noqa: PLC0415

            return LLMJudge(name, **options)


def makes_calls(name: str) -> bool:
    """Whether the judge of that name calls a model that may cost something, as far as one can tell by its name."""
    kind = _kind(name.strip())
    return any(map(makes_calls, _names(name.strip()))) if kind in {"panel", "cascade"} else kind == "model"


def _kind(name: str) -> str:
    kind, colon, _ = name.partition(":")
    if name.casefold() == "offline":
        return "offline"
    return kind if colon and kind in {"nli", "judge", "panel", "cascade"} else "model"


def _names(name: str) -> list[str]:
    kind, _, rest = name.partition(":")
    return [one.strip() for one in rest.split("+" if kind == "panel" else ",")]


def _own(name: str, options: Mapping[str, Any]) -> Judge:
    from magistrate.user_code import USER_FAULTS, load_object  # noqa: PLC0415 - seldom needed

    _refuse(options, name)
    made = load_object(name.removeprefix("judge:"), what="judge")
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
