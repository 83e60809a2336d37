"""A missing framework, and the error that a framework's module raises for a failed judge."""

from __future__ import annotations

import importlib
import pickle
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

from magistrate.errors import MagistrateError, MissingExtraError
from magistrate.integrations._common.failures import UnusableReplyError, needs
from magistrate.judges import StructuredReply
from magistrate.verdict import Status

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]
FRAMEWORKS = {
    "ragas": "ragas",
    "deepeval": "deepeval",
    "autoevals": "autoevals",
    "inspect_ai": "inspect_ai",
    "mlflow": "mlflow",
    "pydantic_evals": "pydantic_ai",
    "trulens": "trulens",
    "phoenix": "phoenix",
    "opik": "opik",
}


@pytest.mark.parametrize(("module", "library"), FRAMEWORKS.items())
def test_a_missing_framework_is_one_line_with_the_command(
    module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == library.split(".", maxsplit=1)[0]]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library.split(".", maxsplit=1)[0], None)
    for name in list(sys.modules):
        if name.startswith(f"magistrate.integrations.{module}"):
            monkeypatch.delitem(sys.modules, name)
    with pytest.raises(MissingExtraError) as caught:
        importlib.import_module(f"magistrate.integrations.{module}")
    message = str(caught.value)
    extra = caught.value.extra
    assert "\n" not in message
    assert f'pip install "magistrate-core[{extra}]"' in message
    assert extra in EXTRAS


def test_other_errors_pass() -> None:
    with pytest.raises(ZeroDivisionError), needs("ragas"):
        _ = 1 / 0


class FrameworkError(RuntimeError):
    """An error as a framework defines it, with a way of pickling that knows nothing of ours."""

    def __init__(self, message: str, body: str | None = None) -> None:
        super().__init__(message)
        self.body = body

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (str(self), self.body)


class JoinedError(UnusableReplyError, FrameworkError):
    """As a framework's module joins them."""


class TestUnusableReplyError:
    def test_it_is_caught_as_ours_and_as_the_frameworks(self) -> None:
        error = JoinedError("refused: no", Status.REFUSED)
        assert isinstance(error, MagistrateError)
        assert isinstance(error, FrameworkError)
        assert (str(error), error.message, error.body) == ("refused: no", "refused: no", None)

    def test_it_pickles_with_its_status(self) -> None:
        error = pickle.loads(pickle.dumps(JoinedError("refused: no", Status.REFUSED)))
        assert isinstance(error, JoinedError)
        assert (str(error), error.status, error.body) == ("refused: no", Status.REFUSED, None)


class Rating(BaseModel):
    score: int
    why: str = "é"


def reply(status: Status = Status.SCORED, value: object = None, text: str | None = None) -> StructuredReply[object]:
    return StructuredReply(value=value, status=status, text=text)


class TestWhatAReplyHolds:
    def test_a_value_is_handed_on(self) -> None:
        assert JoinedError.value_of(reply(value={"score": 0})) == {"score": 0}

    @pytest.mark.parametrize("value", [Rating(score=2), {"score": 2, "why": "é"}])
    def test_as_json_it_keeps_its_letters(self, value: object) -> None:
        assert JoinedError.json_of(reply(value=value)) == '{"score": 2, "why": "é"}'

    @pytest.mark.parametrize("take", [JoinedError.value_of, JoinedError.json_of])
    def test_without_a_value_it_is_the_frameworks_error_with_the_status(self, take: Callable[..., object]) -> None:
        with pytest.raises(JoinedError, match=r"^refused: the judge was asked for Rating, and refused$") as caught:
            take(reply(Status.REFUSED, text="I will not."), "Rating")
        assert caught.value.status is Status.REFUSED

    def test_a_text_is_handed_on(self) -> None:
        assert JoinedError.text_of(reply(text="It grinds.")) == "It grinds."

    @pytest.mark.parametrize(
        ("status", "text"), [(Status.TRUNCATED, "It gri"), (Status.REFUSED, "I will not."), (Status.SCORED, "")]
    )
    def test_a_text_that_was_cut_off_refused_or_is_empty_is_none(self, status: Status, text: str) -> None:
        with pytest.raises(JoinedError, match="for a text") as caught:
            JoinedError.text_of(reply(status, text=text))
        assert caught.value.status is status
