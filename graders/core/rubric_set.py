"""Changing a value of a rubric's text that has a shape (a scale, graders, who decides) in place.

Only what differs is written: a label, an anchor, one grader of a list. Every other character stays,
comments too; where a comment would be lost the change is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graders.core import rubric_edit as text
from graders.core._rubric_fields import plain
from graders.core._yaml import need_bounds
from graders.core.errors import RubricError
from graders.core.words import error_parts

#: The most places that one change may write to.
MOST = 200


def set_value(source: str, criterion: str, field: str, value: Any, where: str = "rubric") -> str:
    """The text of a rubric with `field` of `criterion` saying `value`; None takes it out.

    RubricError where the text cannot be read, or a comment within what is replaced would be lost.
    """
    if value is None:
        return text.set_field(source, criterion, field, "", where)
    before = _others(source, criterion, field)
    for _ in range(MOST):
        changed = _step(source, criterion, field, value, where)
        if changed == source:
            break
        source = changed
    if _value(source, criterion, field) != plain(value) or _others(source, criterion, field) != (
        before
    ):
        raise _lost(criterion, field, where)
    return source


def values_by_criterion(source: str) -> dict[str, dict[str, Any]]:
    """Criterion -> field -> what the text says there, as plain lists and maps."""
    tree = _tree(source)
    found = tree.get("criteria") if isinstance(tree, dict) else None
    some = found.items() if isinstance(found, dict) else ()
    return {name: said if isinstance(said, dict) else {} for name, said in some}


def _tree(source: str) -> Any:
    need_bounds(source, "rubric")
    try:
        return plain(YAML(typ="rt", pure=True).load(source))
    except (YAMLError, ValueError):
        return None


def _value(source: str, criterion: str, field: str) -> Any:
    return values_by_criterion(source).get(criterion, {}).get(field)


def _others(source: str, criterion: str, field: str) -> Any:
    """All that the text says but for one field."""
    tree = _tree(source)
    if isinstance(tree, dict):
        (tree.get("criteria", {}).get(criterion) or {}).pop(field, None)
    return tree


def _step(source: str, criterion: str, field: str, value: Any, where: str) -> str:
    """The text with one difference less."""
    node = text.mapping(source, criterion, where)
    pair = next(((key, val) for key, val in node.value if key.value == field), None)
    if pair is None:
        return text.inserted(source, node, field, flow(value))
    key, val = pair
    wanted = plain(value)
    old = _value(source, criterion, field)
    # a node that an anchor names is written in its place as a whole: others stand for it
    whole = "&" in source[key.end_mark.index : text.start_of(source, val, key) + 1]
    done = None if whole else _difference(source, val, old, wanted, criterion, field, where)
    return source if done is None and not whole else done or source


def _difference(
    source: str, node: Node, old: Any, new: Any, *place: str
) -> str | None:  # place: criterion, field, where
    """The text with the first difference within a node mended; None where there is none."""
    if old == new:
        return None
    if isinstance(node, MappingNode) and isinstance(new, Mapping) and node.value:
        return _in_mapping(source, node, old, new, *place)
    if isinstance(node, SequenceNode) and isinstance(new, list) and node.value:
        return _in_sequence(source, node, old, new, *place)
    return _replaced(source, node, new, *place)


def _in_mapping(
    source: str, node: MappingNode, old: Any, new: Mapping[str, Any], *place: str
) -> str | None:
    kept = [str(key.value) for key, _ in node.value if str(key.value) in new]
    if not kept:  # another kind of value, such as labels where a range stood
        return _replaced(source, node, new, *place)
    for key, val in node.value:
        name = str(key.value)
        if name not in new:
            return text.removed(source, node, key, val)
        if done := _difference(source, val, old.get(name), new[name], *place):
            return done
    name = next(name for name in new if name not in kept)
    at = text.end_of(source, node.value[-1][1])
    pair = f"{flow(_number(name))}: {flow(new[name])}"
    if node.flow_style:
        return f"{source[:at]}, {pair}{source[at:]}"
    at = text.line_end(source, at)
    return f"{source[:at]}\n{' ' * node.value[0][0].start_mark.column}{pair}{source[at:]}"


def _in_sequence(
    source: str, node: SequenceNode, old: list[Any], new: list[Any], *place: str
) -> str | None:
    count = len(old)
    if len(new) == count:
        pairs = zip(node.value, old, new, strict=True)
        found = (_difference(source, item, was, now, *place) for item, was, now in pairs)
        return next((one for one in found if one), None)
    came = next((at for at in range(len(new)) if [*new[:at], *new[at + 1 :]] == old), None)
    if came is not None:
        return _with(source, node, came, flow(new[came]))
    gone = next((at for at in range(count) if [*old[:at], *old[at + 1 :]] == new), None)
    if gone is None or count == 1:
        return _replaced(source, node, new, *place)
    return _without(source, node, gone)


def _with(source: str, node: SequenceNode, at: int, entry: str) -> str:
    """The text with an entry more in a list that has others, in front of the one at `at`."""
    if at < len(node.value):
        start = int(node.value[at].start_mark.index)
        if node.flow_style:
            return f"{source[:start]}{entry}, {source[start:]}"
        start = source.rfind("\n", 0, start) + 1
        return f"{source[:start]}{' ' * node.start_mark.column}- {entry}\n{source[start:]}"
    end = text.end_of(source, node.value[-1])
    if node.flow_style:
        return f"{source[:end]}, {entry}{source[end:]}"
    end = text.line_end(source, end)
    return f"{source[:end]}\n{' ' * node.start_mark.column}- {entry}{source[end:]}"


def _without(source: str, node: SequenceNode, at: int) -> str:
    """The text without one entry of a list that has others."""
    item = node.value[at]
    start, end = int(item.start_mark.index), text.end_of(source, item)
    if not node.flow_style:
        return source[: source.rfind("\n", 0, start) + 1] + source[text.line_end(source, end) + 1 :]
    if at + 1 < len(node.value):
        return source[:start] + source[int(node.value[at + 1].start_mark.index) :]
    return source[: text.end_of(source, node.value[at - 1])] + source[end:]


def _replaced(source: str, node: Node, new: Any, *place: str) -> str:
    start, end = int(node.start_mark.index), text.end_of(source, node)
    old = source[start:end]
    folded = isinstance(node, ScalarNode)
    if not folded and any(re.search(r"(^|\s)#", line) for line in old.splitlines()):
        criterion, field, where = place
        raise _lost(criterion, field, where)
    before = source[:start].rstrip()
    if before.endswith(":") and "#" not in before.rpartition("\n")[2]:
        # what stood on lines of its own stands behind its key
        return f"{before} {flow(new)}{source[end:]}"
    return source[:start] + flow(new) + source[end:]


def _lost(criterion: str, field: str, where: str) -> RubricError:
    parts = error_parts("core.rubric_set.comment", where=where, criterion=criterion, field=field)
    return RubricError(**parts)


def _number(name: str) -> str | int:
    """A key as YAML writes it: anchors are texts of whole numbers."""
    return int(name) if re.fullmatch(r"-?(0|[1-9][0-9]{0,8})", name) else name


def flow(value: Any) -> str:
    """A value as YAML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        pairs = (f"{flow(_number(str(name)))}: {flow(one)}" for name, one in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(flow, value)) + "]"
    if not isinstance(value, str):
        return json.dumps(value)
    return value if _plain_word(value) else json.dumps(value, ensure_ascii=False)


def _plain_word(value: str) -> bool:
    """Whether YAML, also an older one, reads these characters within brackets as just this text."""
    if not re.fullmatch(r"[^\W\d_][\w -]*[\w]|[^\W\d_]", value):
        return False
    return value.casefold() not in ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
