"""The application: its commands as `options.json` lists them, and how they take options: groups of them, and texts."""

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, get_type_hints

import typer

import magistrate
from magistrate.cli import late


def with_groups(name: str, command: Callable[..., Any]) -> Callable[..., Any]:
    """Give typer the parameters of a command as options, and the fields of the option groups that it takes.

    What is said of each stands in `options.json`, under the name of the command or of the group.
    """
    hints = get_type_hints(command)
    groups: dict[str, Any] = {one: hint for one, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for given in inspect.signature(command).parameters.values():
        taken, sections, kinds = [given], [name], hints
        if group := groups.get(given.name):
            taken = [inspect.Parameter(one.name, given.kind, default=one.default) for one in fields(group)]
            sections, kinds = [cls.__name__ for cls in group.__mro__], get_type_hints(group)
        for one in taken:
            option = _option(one.name, kinds[one.name], sections)
            parameters.append(one.replace(annotation=option, kind=one.KEYWORD_ONLY))

    def run(**given: Any) -> Any:
        made = {at: group(**{one.name: given.pop(one.name) for one in fields(group)}) for at, group in groups.items()}
        return command(**given, **made)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


@cache
def declared() -> dict[str, dict[str, Any]]:
    """What `options.json` says; read as the module is, as `importlib.resources` would load much else."""
    written = __spec__.loader.get_data(str(Path(__file__).with_name("options.json")))  # type: ignore[union-attr]
    return dict(json.loads(written))


def _option(name: str, kind: Any, sections: Sequence[str]) -> Any:
    """A parameter's type with what `options.json` says of it; what a callback reads is checked early, or changed."""
    found = next(declared()[one][name] for one in (*sections, "shared") if name in declared().get(one, ()))
    said = {"help": found} if isinstance(found, str) else dict(found)
    make: Any = typer.Argument if said.pop("argument", False) else typer.Option
    if "check" in said:
        check = globals()[said.pop("check")]
        said["callback"] = lambda value: (check(value), value)[1]
    elif "callback" in said:
        said["callback"] = globals()[said["callback"]]
    return Annotated[kind, make(*said.pop("names", ()), **said)]


def wrong(hint: str, message: str) -> NoReturn:
    """End with a usage error about an option or argument."""
    raise typer.BadParameter(message, param_hint=hint)


def say(message: str) -> None:
    """Print a line of ours to the standard error."""
    typer.echo(f"magistrate: {message}", err=True)


def echo_json(value: Any) -> None:
    """Print a value as JSON of which nothing can mislead a terminal."""
    typer.echo(late.printable_json(json.dumps(value, indent=2, ensure_ascii=False)))


def unit_interval(value: float | None) -> None:
    """Refuse what is no number from 0 to 1."""
    if value is not None and not 0.0 <= value <= 1.0:
        raise typer.BadParameter(f"{value} is not in the range 0 to 1.")


_BETWEEN = "\x1f"
_PAIRED = ("--same",)


def joined_pairs(arguments: Sequence[str]) -> list[str]:
    """The two values of each option that takes a pair as one: typer knows no option that takes several pairs."""
    joined: list[str] = []
    left = list(arguments)
    while left:
        joined.append(left.pop(0))
        if joined[-1] in _PAIRED and len(left) > 1:
            joined.append(_BETWEEN.join((left.pop(0), left.pop(0))))
    return joined


def pairs_of(values: Sequence[str] | None) -> dict[str, str]:
    """The pairs that `joined_pairs` joined."""
    pairs = [value.split(_BETWEEN) for value in values or ()]
    if any(len(pair) != 2 for pair in pairs):  # noqa: PLR2004 - a pair
        raise typer.BadParameter("takes two values, such as 'A>>B' 'A>B'")
    return dict(pairs)


def share_of(value: str | None) -> str | None:
    """A share such as 20% or 0.2, as a number in a text."""
    if value is None:
        return None
    try:
        number = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        number = -1.0
    if not 0.0 < number <= 1.0:
        raise typer.BadParameter(f"{value!r} is no share such as 20% or 0.2.")
    return str(number)


def model_arguments(pairs: Sequence[str] | None) -> dict[str, Any]:
    """Read `key=value` pairs: the value is JSON if it is JSON, else a text."""
    found: dict[str, Any] = {}
    for pair in pairs or ():
        key, equals, text = pair.partition("=")
        key = key.strip()
        if not equals or not key:
            wrong("--model-arg", f"{pair!r}: expected key=value, such as seed=7")
        if key in found:
            wrong("--model-arg", f"{key!r} is given twice")
        try:
            found[key] = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            found[key] = text
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def model_prices(text: str | None) -> tuple[float, float] | None:
    """Read the prices of a model."""
    if text is None:
        return None
    try:
        prompt, completion = (float(part) for part in text.split(","))
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < float("inf") and 0 <= completion < float("inf")):
        wrong("--prices", f"{text!r}: expected two numbers, such as 2.5,10")
    return prompt, completion


_SETTINGS: Final[Mapping[str, Any]] = {
    "rich_markup_mode": None,
    "no_args_is_help": True,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"magistrate {magistrate.__version__}")
        raise typer.Exit


_VERSION: Final = typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")


def _shared(version: Annotated[bool, _VERSION] = False) -> None:
    del version


@cache
def command(first: str = "") -> Any:
    """The application as a click command, with all its commands or those of one name: to make all takes 60 ms.

    A list of commands says nothing of their options, so for one they are made without.
    """
    listed = first in _SETTINGS["context_settings"]["help_option_names"]
    app = typer.Typer(
        name="magistrate",
        help="Turns what an LLM judge said into verdicts that can be trusted.",
        pretty_exceptions_enable=False,
        **_SETTINGS,
    )
    app.callback()(_shared)
    groups = {name: typer.Typer(help=text, **_SETTINGS) for name, text in declared()["groups"].items()}
    commands = declared()["commands"]
    for name in [one for one in commands if one.split()[0] == first] or commands:
        module, _, function_name = commands[name].partition(":")
        function = getattr(import_module(f"magistrate.cli.{module}"), function_name)
        group, _, member = name.rpartition(" ")
        # What a list of commands says of one are its first words, as a list has no room for a sentence.
        short = re.split(r"[:,.](?=\s|$)", str(function.__doc__), maxsplit=1)[0] + "."
        codes = declared()["exit codes"].get(name)
        add = groups.get(group, app).command(member, epilog=codes, short_help=short)
        add((lambda: None) if listed else with_groups(name, function))
    for name, one in groups.items():
        if one.registered_commands:
            app.add_typer(one, name=name)
    return typer.main.get_command(app)
