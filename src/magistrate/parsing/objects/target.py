"""What a caller asks for: a Pydantic model or a JSON schema, behind one face."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import AliasChoices, AliasPath, BaseModel, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError

from magistrate.parsing.objects.leaves import kind_of
from magistrate.parsing.objects.schema import LONGEST_KEY, MOST_STRANGE, Flaw, Schema
from magistrate.parsing.wording.fold import compact

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_RANGE: Final = frozenset(
    {"greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of", "finite_number"}
)
_LABEL: Final = frozenset({"literal_error", "enum"})


class Target:
    """What a caller asks for.

    Args:
        schema: Its JSON schema.
        model: The model; None where the caller has a schema only.

    Attributes:
        names: The properties that its outermost object may have, in all its forms.
        kinds: The types that its outermost value may have; empty where it may be anything.
    """

    def __init__(self, schema: dict[str, Any], model: type[BaseModel] | None = None) -> None:
        self.schema = Schema(schema, strict=model is None)
        self.model = model
        self.names: dict[str, Any] = {}
        self.kinds: set[str] = set()
        self.required: list[str] = []
        for form in self.schema.forms([schema]):
            kind = form.get("type")
            self.kinds.update([kind] if isinstance(kind, str) else kind or ())
            if kind is None:
                self.kinds.update(map(kind_of, [form["const"]] if "const" in form else form.get("enum") or ()))
            if isinstance(form.get("properties"), dict):
                self.names.update(form["properties"])
                self.kinds.add("object")
            self.required += form.get("required") or ()
        if model is not None:
            self._add_aliases(model)
        self.forms = {compact(name) for name in self.names}

    def _add_aliases(self, model: type[BaseModel]) -> None:
        for name, field in model.model_fields.items():
            alias = field.validation_alias
            choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
            for choice in choices:
                first = choice.path[0] if isinstance(choice, AliasPath) else choice
                if isinstance(first, str):
                    self.names.setdefault(first, True)
            if model.model_config.get("populate_by_name") or model.model_config.get("validate_by_name"):
                self.names.setdefault(name, True)

    def knows(self, value: Mapping[str, Any]) -> int:
        """How many keys of an object are properties of this one, in whatever spelling."""
        if len(value) > MOST_STRANGE:
            return len(self.names.keys() & value.keys())
        return sum(key in self.names or (len(key) <= LONGEST_KEY and compact(key) in self.forms) for key in value)

    def build(self, value: Any) -> tuple[Any, list[Flaw]]:
        """The caller's object of a value that fits the schema, or what its own validators say against it."""
        if self.model is None:
            return value, []
        text = json.dumps(value, ensure_ascii=False)
        try:
            return self.model.model_validate_json(_SURROGATE.sub("\ufffd", text), strict=True), []
        except ValidationError as error:
            return None, [
                Flaw(
                    tuple(one["loc"]),
                    "range" if one["type"] in _RANGE else "label" if one["type"] in _LABEL else "other",
                    one["msg"],
                )
                for one in error.errors(include_url=False, include_context=False, include_input=False)[:20]
            ]
        except Exception as error:  # noqa: BLE001 - whatever a caller's validator raises, the reply is not what it wants
            return None, [Flaw((), "other", f"the model raised {type(error).__name__}")]


def target_of(schema: type[BaseModel] | Mapping[str, Any]) -> Target:
    """What a caller asks for.

    Raises:
        TypeError: If it is neither a Pydantic model nor a JSON schema.
        ValueError: If it is an object that cannot be a JSON schema.
    """
    if isinstance(schema, Mapping):
        try:
            text = json.dumps(schema, default=lambda value: dict(value.items()))
        except (TypeError, ValueError, AttributeError, RecursionError) as error:
            raise ValueError(f"this is no JSON schema: {error!s:.200}") from None
        return _of_text(text)
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return _of_model(schema)
    raise TypeError(f"a schema is a Pydantic model or a JSON schema, not {schema!r:.80}")


@lru_cache(maxsize=256)
def _of_text(text: str) -> Target:
    return Target(json.loads(text))


@lru_cache(maxsize=256)
def _of_model(model: type[BaseModel]) -> Target:
    try:
        schema = model.model_json_schema()
    except (PydanticInvalidForJsonSchema, PydanticUserError):  # a type that has no JSON schema: the model alone decides
        schema = {"type": "object", "properties": dict.fromkeys(model.model_fields, True)}
    return Target(schema, model)
