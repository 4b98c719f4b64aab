"""Python code as the standard `ast` sees it. It is parsed, never compiled or executed."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple

#: Characters of code that are parsed: half a second for the worst text.
LIMIT = 100_000

_SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: What prose that happens to parse ("Paris", "yes") does not have.
_TELLING = (
    *_NAMED,
    ast.Import,
    ast.ImportFrom,
    ast.Assign,
    ast.AugAssign,
    ast.Call,
    ast.For,
    ast.While,
    ast.If,
    ast.With,
    ast.Return,
)


class Parsed(NamedTuple):
    """A syntax tree, or why there is none: ``syntax_error: line 3: ...``, ``too_long``,
    ``too_deep``."""

    tree: ast.Module | None
    problem: str = ""


def parse(text: str) -> Parsed:
    """The tree of `text`; never raises, whatever the text is."""
    if len(text) > LIMIT:
        return Parsed(None, "too_long")
    try:
        with warnings.catch_warnings():
            # an escape such as "\d" is worth a warning to its author, not to us
            warnings.simplefilter("ignore")
            return Parsed(ast.parse(text))
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        return Parsed(None, f"syntax_error: {place}{error.msg}"[:200])
    except (MemoryError, RecursionError):  # the parser's own limits on nesting
        return Parsed(None, "too_deep")
    except ValueError:
        return Parsed(None, "syntax_error: a character that no source code may have")


def is_telling(parsed: Parsed) -> bool:
    """Whether the text is surely Python: it parses and has more than bare names and values."""
    return parsed.tree is not None and any(
        isinstance(node, _TELLING) for node in ast.walk(parsed.tree)
    )


def names(tree: ast.Module) -> frozenset[str]:
    """Names of all functions, methods and classes that the code defines."""
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, _NAMED))


def shape(tree: ast.Module) -> list[str]:
    """Types of all nodes in the order in which they stand in the code (pre-order), without names
    and values.

    A constant keeps the type of its value. Left out: the module itself, docstrings, and the marks
    for reading and writing (``Load``, ``Store``), which follow from the rest.
    """
    return [_label(node) for node in _walk(tree)][1:]


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    # A stack of our own: code may be nested deeper than Python lets functions call themselves.
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        children = [
            child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)
        ]
        docstring = (
            node.body[0] if isinstance(node, _SCOPES) and _opens_with_text(node.body) else None
        )
        stack += [child for child in reversed(children) if child is not docstring]


def _opens_with_text(body: list[ast.stmt]) -> bool:
    first = body[0] if body else None
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


def _label(node: ast.AST) -> str:
    name = type(node).__name__
    return f"{name}:{type(node.value).__name__}" if isinstance(node, ast.Constant) else name
