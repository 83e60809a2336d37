from importlib.util import find_spec

import pytest

from magistrate.testing import Fault, FaultServer

_NEEDS = {
    "autoevals": ("autoevals",),
    "deepeval": ("deepeval", "onnx", "onnxruntime", "tokenizers"),
    "inspect_ai": ("inspect_ai",),
    "langsmith_itself": ("langsmith", "openevals"),
    "mlflow": ("mlflow",),
    "opik": ("opik",),
    "phoenix": ("phoenix", "pandas"),
    "pydantic_evals": ("pydantic_evals", "pydantic_ai"),
    "pytest_beside": ("xdist", "deepeval", "langsmith"),
    "ragas": ("ragas",),
    "trulens": ("trulens",),
}
# The frameworks are in their lanes of `make interop`, each in an environment of its own.
collect_ignore = [f"test_{name}.py" for name, needed in _NEEDS.items() if not all(map(find_spec, needed))]


class Replies:
    """A server that gives replies in turn, the last one from then on.

    Set `.texts` before asking.
    """

    def __init__(self, server):
        self.server = server
        self.texts = []
        self.finish = None
        server.faults = self._fault

    @property
    def url(self):
        return self.server.openai_url

    @property
    def calls(self):
        return self.server.calls

    def prompt(self, number=1):
        content = self.calls[number - 1].request.raw["messages"][-1]["content"]
        assert isinstance(content, str)
        return content

    def _fault(self, call):
        if not self.texts:
            return None
        text = self.texts[min(call.number, len(self.texts)) - 1]
        return Fault(text=lambda _: text, finish_reason=self.finish)


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "unused")


@pytest.fixture
def replies():
    with FaultServer() as server:
        yield Replies(server)
