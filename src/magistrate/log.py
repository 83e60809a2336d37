"""Log events by structlog, loaded with the first of them: fixed names and fields, no secrets, no texts of cases."""

import logging
import sys
from collections import Counter
from collections.abc import Mapping, MutableMapping
from contextvars import ContextVar
from functools import cache
from typing import Any

from magistrate.redact import HIDDEN, names_secret, redact_text

LEVELS = ("debug", "info", "warning", "error")
ROOT = "magistrate"

current_case: ContextVar[str | None] = ContextVar("magistrate_case", default=None)
"""Id of the case that is being judged; events carry it as `case`."""
current_metric: ContextVar[str | None] = ContextVar("magistrate_metric", default=None)
"""Name of the metric that is being evaluated; the calls of several metrics take turns by it."""

_TEXT_FIELDS = frozenset(
    {"answer", "context", "contexts", "messages", "prompt", "question", "quote", "raw"}
    | {"reason", "reply", "statement", "statements", "text", "truths"}
)
warned: Counter[str] = Counter()
"""Event -> how many warnings of this process."""
_MAX_DEPTH = 8


class Logger:
    """Emits events. Cheap to make and to keep in a module."""

    __slots__ = ("_logger",)

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, event: str, **fields: Any) -> None:
        """Log what helps to find a fault in this package."""
        self._emit(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: Any) -> None:
        """Log what went as planned."""
        self._emit(logging.INFO, event, fields)

    def warning(self, event: str, **fields: Any) -> None:
        """Log what went differently and was handled; `warned` counts it, shown or not."""
        warned[event] += 1
        self._emit(logging.WARNING, event, fields)

    def _emit(self, level: int, event: str, fields: dict[str, Any]) -> None:
        if self._logger.isEnabledFor(level):
            case = current_case.get()
            _bound(self._logger.name).log(level, event, **({} if case is None else {"case": case}) | fields)


def get_logger(name: str = ROOT) -> Logger:
    """A logger whose events go to the standard logger of that name, for the application to handle."""
    return Logger(name)


def configure(level: str = "warning", *, json: bool = False) -> None:
    """Send events to stderr; for programs, not for libraries."""
    if level not in LEVELS:
        raise ValueError(f"unknown log level {level!r}: use {', '.join(LEVELS)}")
    root = logging.getLogger(ROOT)
    for handler in [h for h in root.handlers if isinstance(h, _StderrHandler)]:
        root.removeHandler(handler)
    root.addHandler(_StderrHandler(json))
    root.setLevel(level.upper())
    root.propagate = False
    _bound.cache_clear()


class _StderrHandler(logging.Handler):
    """Writes to whatever stderr is at that moment, as progress bars and tests replace it."""

    def __init__(self, json: bool) -> None:
        super().__init__()
        self.json = json

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
        except (OSError, ValueError):  # stderr is closed: there is nowhere left to say it
            self.handleError(record)


@cache
def _bound(name: str) -> Any:
    import structlog  # noqa: PLC0415 - it takes longer to load than a small run takes

    root = logging.getLogger(ROOT)
    as_json = any(isinstance(handler, _StderrHandler) and handler.json for handler in root.handlers)
    order = ["timestamp", "level", "event"]
    render: Any = structlog.processors.LogfmtRenderer(key_order=order, bool_as_flag=False, drop_missing=True)
    if as_json:
        render = structlog.processors.JSONRenderer(sort_keys=False, default=str)
    return structlog.wrap_logger(
        logging.getLogger(name),
        processors=[
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _redacted,
            render,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _redacted(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take out secrets, texts of cases, line breaks and control characters."""
    cleaned = {name: _clean(name, value, 0) for name, value in event.items()}
    return {
        name: "".join(c if c.isprintable() else repr(c)[1:-1] for c in value) if isinstance(value, str) else value
        for name, value in cleaned.items()
    }


def _clean(name: str, value: Any, depth: int) -> Any:  # noqa: PLR0911 - one return a type
    if names_secret(name) and value is not None and not isinstance(value, bool | int):
        return HIDDEN
    if name in _TEXT_FIELDS and isinstance(value, str | list | tuple):
        unit = "characters" if isinstance(value, str) else "items"
        return f"[{len(value)} {unit}]"
    if depth >= _MAX_DEPTH:
        return "[...]"
    match value:
        case str():
            return redact_text(value)
        case bytes():
            return f"[{len(value)} bytes]"
        case Mapping():
            return {str(key): _clean(str(key), item, depth + 1) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_clean(name, item, depth + 1) for item in value]
        case None | bool() | int() | float():
            return value
        case _:
            return redact_text(str(value))
