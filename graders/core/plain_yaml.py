"""YAML that only carries texts: lists and mappings as people write them into a file beside their
data.

Every value stays the text it is (``01`` is no number, ``no`` no boolean), as in a CSV. References
and tags are refused: a few lines of them could stand for gigabytes.
"""

from __future__ import annotations

from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graders.core._yaml import too_much, yaml_problem
from graders.core.errors import InputError
from graders.core.words import error_parts, say

#: The longest text, in characters, and the deepest nesting of brackets: beyond it reading takes
#: ever longer.
LONGEST = 1_000_000
_NULLS = ("", "~", "null", "Null", "NULL")


class Mapped(dict[str, Any]):
    """A mapping, and the line in which it begins (from 1)."""

    line: int = 1


def read_plain_yaml(text: str, where: str) -> Any:
    """What `text` holds: texts, lists and `Mapped`; None for an empty one. InputError names `where`
    and the line."""
    if len(text) > LONGEST:
        raise InputError(
            **error_parts("core.plain_yaml.too_long", where=where, length=len(text), most=LONGEST)
        )
    if too_much(text) is not None:
        raise InputError(**error_parts("core.plain_yaml.too_deep", where=where))
    try:
        node = YAML(typ="rt", pure=True).compose(text)
        return None if node is None else _value(node, where, set())
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(
            **error_parts(
                "core.plain_yaml.invalid",
                where=where,
                line=line,
                problem=yaml_problem(str(error.problem or "")),
            )
        ) from error
    except YAMLError as error:
        raise InputError(
            **error_parts(
                "core.plain_yaml.unreadable", where=where, error=" ".join(str(error).split())
            )
        ) from error
    except RecursionError as error:
        raise InputError(**error_parts("core.plain_yaml.too_deep", where=where)) from error


def _value(node: Node, where: str, seen: set[int]) -> Any:
    place = f"{where}, line {node.start_mark.line + 1}"
    if id(node) in seen:
        raise InputError(**error_parts("core.plain_yaml.reference", place=place))
    seen.add(id(node))
    if isinstance(node, ScalarNode):
        return "" if node.style is None and node.value in _NULLS else str(node.value)
    if isinstance(node, SequenceNode):
        return [_value(item, where, seen) for item in node.value]
    if isinstance(node, MappingNode):
        found = Mapped()
        found.line = node.start_mark.line + 1
        for key, inner in node.value:
            name = _value(key, where, seen)
            if not isinstance(name, str) or name in found:
                what = (
                    say("core.plain_yaml.key_twice", name=name)
                    if isinstance(name, str)
                    else say("core.plain_yaml.key_no_text")
                )
                raise InputError(**error_parts("core.plain_yaml.keys", place=place, what=what))
            found[name] = _value(inner, where, seen)
        return found
    raise InputError(
        **error_parts("core.plain_yaml.no_list", place=place, node=type(node).__name__)
    )
