"""A change in the form of a rubric, written into its text: only what is changed is written."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from graders.core import discovery
from graders.core.errors import InputError, RubricError
from graders.core.rubric import ELEMENTS, LISTS, REFERENCE, REVIEW, TASKS, read_rubric
from graders.core.rubric_edit import add_criterion, set_field, without_criteria
from graders.core.rubric_set import set_value, values_by_criterion
from graders.core.scale import Kind, Scale
from graders.core.words import error_parts, say
from graders.workflows.rubrics.form import JUDGE, NAMED, known_graders, option_types

SCALES: Sequence[Kind] = get_args(Kind)
#: Fields that are texts, of a criterion and of the rubric.
TEXTS = ("name", "question", "guide")
#: Where a scale of whole numbers begins that is chosen anew.
FIRST: Mapping[str, Any] = {"from": 1, "to": 5}


@dataclass(frozen=True, slots=True)
class FormChange:
    """What was changed: a `field` of a `criterion`, or `what` of it, such as the ``from`` of a
    scale or an option of the grader at a place (`at`, from 0).

    Fields besides those of a criterion: ``about`` of the rubric, ``add`` and ``remove`` for
    criteria.
    """

    criterion: str
    field: str
    value: str
    what: str = ""
    at: int = -1


def changed(source: str, change: FormChange, where: str) -> str:
    """The text with a change in it. RubricError or InputError, where the rubric could not be read
    any more with it."""
    made = _changed(source, change, where)
    read_rubric(made, where=where)
    return made


def _changed(source: str, change: FormChange, where: str) -> str:
    name, value = change.criterion, change.value
    if change.field == "add":
        return add_criterion(source, name.strip(), where)
    if change.field == "remove":
        return _removed(source, name, where)
    said = values_by_criterion(source)
    if change.field in TEXTS or (change.field == "about" and not name):
        value = value.replace("\r\n", "\n").strip()
        same = name in said and value == str(said[name].get(change.field) or "").strip()
        return source if same else set_field(source, name, change.field, value, where)
    present = read_rubric(source, where=where)  # says what is wrong with a text, and where
    told = f"{where}, criterion {name}, {change.field}"
    old = said.get(name, {}).get(change.field)
    match change.field:
        case "scale":
            new: Any = _scale(present.criterion(name).scale, old, change, told)
        case "graders":
            new = _graders(list(old or []), change, told)
        case "review":
            new = _by_task(old, change, REVIEW, told)
        case "reference":
            new = _by_task(old, change, REFERENCE, told)
        case "parts":
            new = _parts(old, change, told)
        case "unless":
            new = _one_of(value, LISTS, told) if value else None
        case _:
            raise _no_choice(told, change.field, TEXTS)
    return source if new == old else set_value(source, name, change.field, new, where)


def _removed(source: str, name: str, where: str) -> str:
    said = values_by_criterion(source)
    if len(said) < 2:
        raise RubricError(**error_parts("rubrics.form.last", where=where, name=name))
    return without_criteria(source, [name], where)


def _scale(scale: Scale, old: Any, change: FormChange, told: str) -> Any:
    """The spec of a scale with one of its properties changed; what else it says stays."""
    spec = scale.to_spec() if old is None else old
    value = change.value
    match change.what:
        case "kind":
            kind = cast(Kind, _one_of(value, SCALES, told))
            return old if kind == scale.kind else _of_kind(kind, scale)
        case "labels" if scale.labels:
            labels = _lines(value)
            return {**spec, "labels": labels} if isinstance(spec, Mapping) else labels
        case "from" | "to" if not scale.labels:
            number = _number(value, "int" if scale.kind == "integer" else "float", told)
            if not isinstance(spec, Mapping):
                return [number, spec[1]] if change.what == "from" else [spec[0], number]
            return {**spec, change.what: number}
        case "anchors" if scale.kind == "integer":
            spec = dict(spec) if isinstance(spec, Mapping) else dict(zip(FIRST, spec, strict=True))
            anchors = dict(_pair(line, told) for line in _lines(value))
            spec.pop("anchors", None)
            return {**spec, "anchors": anchors} if anchors else spec
    raise _no_choice(told, change.what, ("kind", "labels", "from", "to", "anchors"))


def _of_kind(kind: Kind, scale: Scale) -> Any:
    """A scale of another kind, with the labels or the ends of the present one."""
    if kind in ("ordered", "nominal"):
        labels = list(scale.labels or ("no", "yes"))
        return labels if kind == "ordered" else {"labels": labels, "ordered": False}
    if kind == "numeric":
        ends = (0.0, 1.0) if scale.labels else (scale.low, scale.high)
        return {"from": ends[0], "to": ends[1], "whole": False}
    whole = not scale.labels and scale.high - scale.low > 1
    ends = (math.floor(scale.low), math.ceil(scale.high))
    return dict(zip(FIRST, ends, strict=True)) if whole else dict(FIRST)


def _graders(old: list[Any], change: FormChange, told: str) -> list[Any]:
    if change.what == "add":
        known = known_graders()
        return [*old, _one_of(change.value, (JUDGE, *known.rules, *known.metrics), told)]
    if not 0 <= change.at < len(old):
        raise _no_choice(told, str(change.at), [str(at) for at in range(len(old))])
    if change.what == "remove":
        return [*old[: change.at], *old[change.at + 1 :]]
    entry = old[change.at]
    name, options = next(iter(entry.items())) if isinstance(entry, Mapping) else (entry, {})
    options = dict(options or {})
    if value := change.value.strip():
        options[change.what] = _option(name, change.what, value, told)
    else:
        options.pop(change.what, None)
    return [*old[: change.at], {name: options} if options else name, *old[change.at + 1 :]]


def _option(grader: str, option: str, value: str, told: str) -> Any:
    """The value of an option, by its type."""
    known = known_graders()
    folder = "rules" if grader in known.rules else "metrics" if grader in known.metrics else ""
    types = option_types(discovery.find(folder, grader)) if folder else {}
    kind = types.get(option, ("str", ""))[0]
    where = f"{told}, {grader}, {option}"
    if kind == "bool":
        return _one_of(value, ("true", "false"), where) == "true"
    if kind in ("int", "float"):
        return _number(value, kind, where)
    return value


def _by_task(old: Any, change: FormChange, words: Sequence[str], told: str) -> Any:
    """Who decides, or which reference: one word for all questions, or one by task type."""
    task = _one_of(change.what, TASKS, told)
    said = dict(old) if isinstance(old, Mapping) else {"default": old} if old is not None else {}
    if change.value:
        said[task] = _one_of(change.value, words, told)
    else:
        said.pop(task, None)
    return said["default"] if list(said) == ["default"] else said or None


def _parts(old: Any, change: FormChange, told: str) -> Any:
    if change.what == "mode":
        mode = _one_of(change.value, ("", NAMED, *ELEMENTS), told)
        if mode != NAMED:
            return mode or None
        return [say("rubrics.form.part.first"), say("rubrics.form.part.second")]
    pairs = [line.partition(":") for line in _lines(change.value)]
    names = [name.strip() for name, _, _ in pairs]
    if not names:
        return None
    if isinstance(old, list) and not any(guide.strip() for _, _, guide in pairs):
        return names
    return {name: guide.strip() or None for name, (_, _, guide) in zip(names, pairs, strict=True)}


def _lines(value: str) -> list[str]:
    return [line.strip() for line in value.splitlines() if line.strip()]


def _pair(line: str, told: str) -> tuple[str, str]:
    """``5: everything`` as a number and its text."""
    number, colon, text = line.partition(":")
    if not colon or not re.fullmatch(r"-?\d{1,9}", number.strip()) or not text.strip():
        raise InputError(**error_parts("rubrics.form.anchor", where=told, value=repr(line)[:60]))
    return str(int(number)), text.strip()


def _number(value: str, kind: str, told: str) -> int | float:
    """A number as it was typed, decimal commas too."""
    try:
        number = float(value.strip().replace(",", "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or abs(number) > 1e9 or (kind == "int" and number % 1):
        key = "whole" if kind == "int" else "number"
        raise InputError(**error_parts(f"rubrics.form.{key}", where=told, value=repr(value)[:60]))
    return int(number) if kind == "int" else number


def _one_of(value: str, words: Sequence[str], told: str) -> str:
    if value not in words:
        raise _no_choice(told, value, words)
    return value


def _no_choice(told: str, value: str, words: Sequence[str]) -> InputError:
    names = ", ".join(word for word in words if word) or say("rubrics.no_version.none")
    return InputError(
        **error_parts("rubrics.form.choice", where=told, value=repr(value)[:60], words=names)
    )
