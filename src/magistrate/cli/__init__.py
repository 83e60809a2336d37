"""The command line. Commands are thin: they read options, call the library, print, and answer with an exit code."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["INTERNAL_ERROR", "hush", "main", "recatch_signals", "run", "say_if_interrupted"]

COLLECT_AFTER = 50_000
INTERNAL_ERROR = 70
"""A fault of this package (sysexits' EX_SOFTWARE), never to be mistaken for a gate's answer."""


def main() -> None:
    """Entry point of `magistrate`. Ctrl-C and SIGTERM end it in a line, while it is being loaded and while it ends."""
    gc.set_threshold(COLLECT_AFTER)  # cases come and go, and hardly any of their objects stand in circles
    try:
        _catch_signals()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a terminal that cannot show a character shows a stand-in
                stream.reconfigure(errors="replace")
        from magistrate.report.text import CommandGuard, in_actions  # noqa: PLC0415 - a module of a few lines

        if in_actions():  # nothing that a judge or a dataset says may be taken for a command to the runner
            sys.stdout, sys.stderr = CommandGuard(sys.stdout), CommandGuard(sys.stderr)
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write(f"magistrate: {_said[0]}\n")
        code = _INTERRUPTED
    _on_signals(lambda *_: os._exit(code))  # the interpreter would end a Ctrl-C in its last steps as a signal
    sys.exit(code)


def _catch_signals() -> None:
    """Let Ctrl-C and SIGTERM raise KeyboardInterrupt, once; from the second on they end the process where it is."""
    _caught.append(True)
    _on_signals(_interrupted)


def recatch_signals() -> None:
    """Catch signals again after an event loop had them, which puts back what Python begins with."""
    if _caught:
        _catch_signals()


_caught: list[bool] = []
_said = ["interrupted"]


def say_if_interrupted(text: str = "interrupted") -> None:
    """What is to be said if the command is interrupted from now on."""
    _said[:] = [text]


def _interrupted(_: int, frame: Any) -> None:
    _on_signals(lambda *_: os._exit(_INTERRUPTED))
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    if frame is not None:  # a library that is being loaded may swallow an exception, and nothing has begun
        os.write(2, f"magistrate: {_said[0]}\n".encode())
        os._exit(_INTERRUPTED)
    raise KeyboardInterrupt


def _on_signals(handler: Callable[..., object]) -> None:
    with suppress(ValueError):  # not the main thread, which signals go to
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, handler)


_DOWN, _INTERRUPTED = 3, 4
_NOBODY_READS = 141
"""What a shell reports of a program that writes into a closed pipe: 128 + SIGPIPE."""
_CTRL_C = 130
"""What some releases of typer make of a Ctrl-C, without a word."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
"""What a file system says that takes no more."""


def run(arguments: Sequence[str]) -> int:  # noqa: PLR0911 - one return a way to end
    """Run a command and return its exit code. Errors are one line on stderr, never a traceback."""
    import typer  # noqa: PLC0415 - `import magistrate.cli` stays free of it

    from magistrate.cli.app import command, joined_pairs  # noqa: PLC0415
    from magistrate.errors import BudgetExceededError, JudgeDownError, MagistrateError, RunInterrupted  # noqa: PLC0415

    # ClickException: typer brings its own click, under names that differ between its releases.
    click_error: type[Exception] = typer.BadParameter.__mro__[2]
    say_if_interrupted()
    try:
        with _plain_warnings():
            code = command(*arguments[:1]).main(joined_pairs(arguments), prog_name="magistrate", standalone_mode=False)
    except click_error as error:
        return _usage(error)
    except (typer.Abort, KeyboardInterrupt):
        code = _CTRL_C
    except MagistrateError as error:
        stopped = isinstance(error, BudgetExceededError | RunInterrupted)
        down = isinstance(error, JudgeDownError) or getattr(error, "retryable", False)
        return _fail(error.message, _INTERRUPTED if stopped else _DOWN if down else 2)
    except (BrokenPipeError, SystemExit) as error:  # click makes the one of the other: nobody reads our output
        if isinstance(error, SystemExit) and not error.code:  # what completes words for a shell ends so
            return 0
        hush()
        return _NOBODY_READS  # what would have been decided is not known: a gate must not pass by that
    except OSError as error:
        if error.filename is not None or error.errno not in _FULL:
            return _internal(error)
        hush()
        return _fail(f"the output cannot be written: {error.strerror}", 2)
    except Exception as error:  # noqa: BLE001 - the last line of defence
        return _internal(error)
    if code == _CTRL_C:
        return _fail(_said[0], _INTERRUPTED)
    return code if isinstance(code, int) else 0


def _internal(error: Exception) -> int:
    from magistrate.log import get_logger  # noqa: PLC0415
    from magistrate.redact import redact_text  # noqa: PLC0415

    get_logger("magistrate.cli").debug("internal.error", exc_info=error)
    text = redact_text(f"{type(error).__name__}: {error}")
    return _fail(f"internal error: {text} (a fault of magistrate; --log-level debug shows where)", INTERNAL_ERROR)


def hush() -> None:
    """Send what is still to be printed nowhere, once nobody reads it."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - open until the interpreter's last flush


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Show our own warnings as lines like our errors, each once; a user's as they come, and none of a library's."""
    from magistrate.report.text import printable  # noqa: PLC0415

    shown: set[str] = set()
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **options: Any) -> None:
            if not category.__module__.startswith("magistrate."):
                if "site-packages" not in str(where[0]):
                    usual(message, category, *where, **options)
            elif str(message) not in shown:
                shown.add(str(message))
                sys.stderr.write(f"magistrate: warning: {printable(str(message))}\n")

        warnings.showwarning = show
        yield


def _usage(error: Exception) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{error}\n")
        return 2
    message = " ".join(error.format_message().split()) if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "magistrate"
    end = "" if message.endswith((".", "?")) else "."
    return _fail(f"{message}{end} Try: {path} --help", 2)


def _fail(message: str, code: int) -> int:
    from magistrate.report.text import printable  # noqa: PLC0415

    sys.stdout.flush()
    sys.stderr.write(f"magistrate: {printable(message)}\n")
    return code
