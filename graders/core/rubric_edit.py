"""Changing one field of a rubric's text in place: every other character, comments and layout too,
stays as it was."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Collection
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graders.core._yaml import need_bounds, too_much
from graders.core.errors import RubricError
from graders.core.rubric import CRITERION_KEYS, RUBRIC_KEYS, read_rubric
from graders.core.words import error_parts

#: Fields that are texts; all others are written in YAML.
TEXTS = ("about", "name", "question", "guide")
#: Longer texts are folded over several lines.
LINE = 110


def set_field(source: str, criterion: str, field: str, value: str, where: str = "rubric") -> str:
    """The text of a rubric with one field of one criterion (or of the rubric, where `criterion` is
    "") changed; "" takes it out.

    `value` is a text for the fields of `TEXTS`, else YAML on one line. RubricError where the text
    cannot be read, the field is not known, or what is written below it in several lines would be
    lost.
    """
    if field not in (CRITERION_KEYS if criterion else RUBRIC_KEYS) or field in (
        "criteria",
        "examples",
        "translations",
        "rubric",
    ):
        raise RubricError(**error_parts("core.rubric_edit.no_field", where=where, field=field))
    node = mapping(source, criterion, where)
    pair = next(((key, val) for key, val in node.value if key.value == field), None)
    if field not in TEXTS and pair is not None and not _one_line(pair[1]):
        raise RubricError(
            **error_parts(
                "core.rubric_edit.several_lines",
                where=where,
                criterion=criterion or "rubric",
                field=field,
            )
        )
    if field not in TEXTS and value.strip():
        _check_yaml(value, f"{where}, {criterion or 'rubric'}, {field}")
    if pair is None:
        return source if not value.strip() else inserted(source, node, field, value)
    key, val = pair
    if not value.strip():
        return removed(source, node, key, val)
    start, end = start_of(source, val, key), end_of(source, val)
    column = key.start_mark.column
    return (
        source[:start]
        + _written(field, value, 0 if node.flow_style else column + 2, bool(node.flow_style))
        + source[end:]
    )


def add_criterion(source: str, name: str, where: str = "rubric") -> str:
    """The text with a criterion more at the end of its criteria, to be filled in."""
    criteria = _criteria(_root(source, where))
    if criteria.flow_style or not criteria.value:
        raise RubricError(**error_parts("core.rubric_edit.criteria_on_one_line", where=where))
    if any(key.value == name for key, _ in criteria.value):
        raise RubricError(**error_parts("core.rubric_edit.criterion_twice", where=where, name=name))
    indent = " " * criteria.value[0][0].start_mark.column
    at = line_end(source, end_of(source, criteria.value[-1][1]))
    block = (
        f'\n\n{indent}{name}:\n{indent}  question: What is asked?\n{indent}  scale: ["no", '
        f'"yes"]\n{indent}  graders: [judge]'
    )
    return source[:at] + block + source[at:]


def without_criteria(source: str, names: Collection[str], where: str = "rubric") -> str:
    """The text without these criteria, and without what it says of them in other languages."""
    for name in names:
        root = _root(source, where)
        said = next((val for key, val in root.value if key.value == "translations"), None)
        languages = [val for _, val in said.value] if isinstance(said, MappingNode) else []
        for node in (*reversed(languages), _criteria(root)):  # from the end: places before it stay
            pairs = node.value if isinstance(node, MappingNode) else ()
            pair = next(((key, val) for key, val in pairs if str(key.value) == name), None)
            if pair is not None:
                source = removed(source, node, *pair)
    return source


def _root(source: str, where: str) -> MappingNode:
    need_bounds(source, where)
    try:
        root = YAML(typ="rt", pure=True).compose(source)
    except YAMLError:
        root = None
    if not isinstance(root, MappingNode) or not isinstance(_criteria(root), MappingNode):
        read_rubric(source, where)  # says what is wrong, and where
        raise RubricError(**error_parts("core.rubric_edit.no_map", where=where))
    return root


def _criteria(root: MappingNode) -> Any:
    return next((val for key, val in root.value if key.value == "criteria"), None)


def mapping(source: str, criterion: str, where: str) -> MappingNode:
    """What a criterion says, or the rubric itself where that is ""."""
    root = _root(source, where)
    if not criterion:
        return root
    node = next((val for key, val in _criteria(root).value if str(key.value) == criterion), None)
    if not isinstance(node, MappingNode):
        raise RubricError(
            **error_parts("core.rubric_edit.no_fields", where=where, criterion=criterion)
        )
    return node


def _one_line(node: Node) -> bool:
    return bool(node.start_mark.line == node.end_mark.line)


def start_of(source: str, node: Node, key: Node) -> int:
    """Where a value begins: an anchor or a tag before it belongs to it."""
    return (
        int(node.start_mark.index)
        if node.start_mark.index > key.end_mark.index
        else int(key.end_mark.index) + 1
    )


def end_of(source: str, node: Node) -> int:
    """Where the text of a node ends; what the parser counts to it beyond that is blank or a
    comment."""
    if isinstance(node, ScalarNode):
        end = int(node.end_mark.index)
        return len(source[:end].rstrip()) if node.style in ("|", ">") else end
    if not isinstance(node, MappingNode | SequenceNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return end_of(source, last[1] if isinstance(last, tuple) else last)


def line_end(source: str, at: int) -> int:
    """The end of the line that `at` stands on, with its comment."""
    found = source.find("\n", at)
    return len(source) if found < 0 else found


def inserted(source: str, node: MappingNode, field: str, value: str) -> str:
    """The text with a field more, in front of the others."""
    first = node.value[0][0]
    at = int(first.start_mark.index)
    if node.flow_style:
        return f"{source[:at]}{field}: {_written(field, value, 0, True)}, {source[at:]}"
    column = first.start_mark.column
    return (
        f"{source[:at]}{field}: "
        f"{_written(field, value, column + 2, False)}\n{' ' * column}{source[at:]}"
    )


def removed(source: str, node: MappingNode, key: Node, val: Node) -> str:
    """The text without a pair, and without the lines that it stands on."""
    start, end = int(key.start_mark.index), end_of(source, val)
    if node.flow_style:
        rest = source[end:].lstrip(" ")
        if rest.startswith(","):
            return source[:start] + rest[1:].lstrip(" ")
        return source[:start].rstrip(" ").removesuffix(",") + rest
    line = source.rfind("\n", 0, start) + 1
    stop = line_end(source, end)
    return source[:line] + source[stop + 1 :]


def _check_yaml(value: str, where: str) -> None:
    need_bounds(value, where)
    try:
        if "\n" in value.strip():
            raise YAMLError("several lines")
        YAML(typ="rt", pure=True).compose(value.strip())
    except YAMLError as error:
        raise RubricError(
            **error_parts("core.rubric_edit.not_one_line", where=where, value=repr(value)[:80])
        ) from error


def _written(field: str, value: str, indent: int, flow: bool) -> str:
    """A value as YAML: a plain word where that means the same text, folded where it is long, line
    by line where it has several, else in quotes."""
    value = value.strip()
    if field not in TEXTS:
        return value
    if not flow and len(value) > LINE and "\n" not in value and "  " not in value:
        lines = textwrap.wrap(value, LINE, break_long_words=False, break_on_hyphens=False)
        folded = ">-\n" + "\n".join(" " * indent + line for line in lines)
        if _reads_as(folded, value):
            return folded
    if not flow and "\n" in value:
        lines = [" " * indent + line if line else "" for line in value.split("\n")]
        block = "\n".join(["|-", *lines])
        if _reads_as(block, value):
            return block
    if not flow and "\n" not in value and _reads_as(value, value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _reads_as(text: str, value: str) -> bool:
    """Whether YAML reads `text`, behind a key, as exactly this text."""
    if too_much(text) is not None:
        return False
    try:
        found = YAML(typ="safe", pure=True).load(f"key: {text}\n")
    except YAMLError:
        return False
    return isinstance(found, dict) and found.get("key") == value
