"""What a mutant is: one small change inside a function of a module."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import CodeType

__all__ = ["Mutant", "mutants_of"]

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_SETS_OF_SIGNS = frozenset({"strip", "lstrip", "rstrip"})

Path = tuple[str, ...]
"""The name of a function, or of a class and its method."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Undo = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change, and the code that has it.

    Args:
        line: Where the change is (1-based).
        lines: First and last line of the statement, or of the head of the block, that holds it.
        kind: What is changed: "comparison", "and/or", "arithmetic", "not", "flag", "number", "text", "signs",
            "condition", "filter", "return", "call", "assignment", "break" or "continue".
        was: The expression before, on one line.
        path: The outermost function that holds it.
        nth: How many changes of this kind to the same expression in the same function stand before it.
        function: Source of that function without layout.
        code: The function's code after the change.
    """

    line: int
    lines: tuple[int, int]
    kind: str
    was: str
    path: Path
    nth: int
    function: str
    code: CodeType

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What tells the mutant from the others of its module."""
        return (".".join(self.path), self.kind, self.was, self.nth)


def mutants_of(source: str, filename: str) -> Iterator[Mutant]:
    """Every mutant of a module, one at a time.

    Only what runs inside functions is changed. Docstrings, annotations, defaults, messages (f-strings, whatever is
    raised) and assertions (`strict=` of zip is one) are left alone.
    """
    tree = ast.parse(source)
    for path, function, holder in _functions(tree):
        seen: Counter[tuple[str, str]] = Counter()
        text = ast.unparse(function)
        for node, parent, lines in _nodes(function):
            for kind, change in _changes(node, parent):
                was = ast.unparse(node if not isinstance(node, ast.comprehension) else node.ifs[0]).split("\n")[0][:100]
                undo = change()
                yield Mutant(
                    getattr(node, "lineno", lines[0]),
                    lines,
                    kind,
                    was,
                    path,
                    seen[kind, was],
                    text,
                    _compiled(path, function, holder, filename),
                )
                undo()
                seen[kind, was] += 1


def _functions(tree: ast.Module) -> Iterator[tuple[Path, _Function, ast.ClassDef | None]]:
    for node in tree.body:
        if isinstance(node, _Function):
            yield (node.name,), node, None
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, _Function):
                    yield (node.name, member.name), member, node


def _compiled(path: Path, function: _Function, holder: ast.ClassDef | None, filename: str) -> CodeType:
    """The code of a function, compiled alone: as in its class, and with its annotations left unread."""
    decorators, function.decorator_list = function.decorator_list, []
    body: list[ast.stmt] = [ast.parse("from __future__ import annotations").body[0], function]
    if holder is not None:
        body[1] = ast.copy_location(ast.ClassDef(holder.name, [], [], [function], []), holder)
    module = ast.fix_missing_locations(ast.Module(body, []))
    code = compile(module, filename, "exec", dont_inherit=True)
    function.decorator_list = decorators
    for name in path:
        code = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)
    return code


def _nodes(function: _Function) -> Iterator[tuple[ast.AST, ast.AST, tuple[int, int]]]:
    """What may be changed in a function: each node, its parent, the lines of its statement; in text order."""
    body = function.body
    if (
        isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        body = body[1:]
    pending: list[tuple[ast.AST, ast.AST, tuple[int, int]]] = [(one, function, (0, 0)) for one in reversed(body)]
    while pending:
        node, parent, lines = pending.pop()
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
            continue
        if isinstance(node, ast.stmt):
            inner = getattr(node, "body", None)
            last = inner[0].lineno - 1 if isinstance(inner, list) and inner else node.end_lineno or node.lineno
            lines = (node.lineno, max(node.lineno, last))
        yield node, parent, lines
        left_out: list[ast.AST | None] = []
        if isinstance(node, ast.AnnAssign):
            left_out = [node.annotation]
        elif isinstance(node, _Function):
            left_out = [node.args, node.returns, *node.decorator_list]
        elif isinstance(node, ast.Call):
            left_out = [one for one in node.keywords if one.arg == "strict"]
        pending += [(one, node, lines) for one in reversed(list(ast.iter_child_nodes(node))) if one not in left_out]


def _changes(node: ast.AST, parent: ast.AST) -> Iterator[tuple[str, Callable[[], _Undo]]]:  # noqa: C901, PLR0912
    """The changes that a node takes, each with its kind."""
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                if type(operator) in _COMPARISONS:
                    yield "comparison", partial(_put, node.ops, at, _COMPARISONS[type(operator)]())
        case ast.BoolOp():
            yield "and/or", partial(_set, node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.BinOp() if type(node.op) in _OPERATORS:
            yield "arithmetic", partial(_set, node, "op", _OPERATORS[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield "not", partial(_replace, parent, node, node.operand)
        case ast.Constant():
            yield from _constant_changes(node, parent)
        case ast.If() | ast.While() | ast.IfExp():
            yield "condition", partial(_set, node, "test", ast.UnaryOp(ast.Not(), node.test))
        case ast.comprehension() if node.ifs:
            yield "filter", partial(_set, node, "ifs", [])
        case ast.Return() if _says_something(node.value):
            yield "return", partial(_set, node, "value", ast.Constant(None))
        case ast.Expr(value=ast.Call()):
            yield "call", partial(_replace, parent, node, ast.Pass())
        case ast.AugAssign():
            yield "assignment", partial(_replace, parent, node, ast.Pass())
        case ast.Break():
            yield "break", partial(_replace, parent, node, ast.Continue())
        case ast.Continue():
            yield "continue", partial(_replace, parent, node, ast.Break())


def _constant_changes(node: ast.Constant, parent: ast.AST) -> Iterator[tuple[str, Callable[[], _Undo]]]:
    value = node.value
    if isinstance(value, bool):
        yield "flag", partial(_set, node, "value", not value)
    elif isinstance(value, int):
        yield "number", partial(_set, node, "value", value + 1)
    elif isinstance(value, str) and value:
        if _is_set_of_signs(node, parent) and len(value) > 1:
            yield "signs", partial(_set, node, "value", value[:-1])
        else:
            yield "text", partial(_set, node, "value", f"XX{value}XX")


def _is_set_of_signs(node: ast.Constant, parent: ast.AST) -> bool:
    """Whether a text stands for its characters: letters around it would change nothing."""
    if isinstance(parent, ast.Compare):
        return node in parent.comparators and all(isinstance(one, ast.In | ast.NotIn) for one in parent.ops)
    return (
        isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr in _SETS_OF_SIGNS
    )


def _says_something(value: ast.expr | None) -> bool:
    """Whether a returned value differs from None where only its truth is used; False is changed as a flag."""
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def _put(items: list[ast.cmpop], at: int, new: ast.cmpop) -> _Undo:
    old, items[at] = items[at], new
    return lambda: items.__setitem__(at, old)


def _set(node: ast.AST, field: str, new: object) -> _Undo:
    old = getattr(node, field)
    setattr(node, field, new)
    return lambda: setattr(node, field, old)


def _replace(parent: ast.AST, old: ast.AST, new: ast.AST) -> _Undo:
    for field, value in ast.iter_fields(parent):
        if value is old:
            return _set(parent, field, new)
        if isinstance(value, list) and any(one is old for one in value):
            return _set(parent, field, [new if one is old else one for one in value])
    raise LookupError(f"{old!r} is no child of {parent!r}")
