"""What changes from one text of a rubric to another, in words and as lines."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from graders.core.rubric import Criterion, GraderRef, Rubric


def changes(old: Rubric | None, new: Rubric) -> list[dict[str, Any]]:
    """Per criterion that is not the same: {criterion, kind, stale, what: [{field, before, after}]}.

    `kind`: added, gone, changed. `stale`: what people and judges are asked is another, so that
    verdicts so far no longer count.
    """
    before = {c.name: c for c in (old.criteria if old else ())}
    after = {c.name: c for c in new.criteria}
    found: list[dict[str, Any]] = []
    for name, one in after.items():
        was = before.get(name)
        if was is None:
            found.append({"criterion": name, "kind": "added", "stale": False, "what": []})
        elif what := _fields(was, one):
            found.append(
                {
                    "criterion": name,
                    "kind": "changed",
                    "stale": was.criterion_hash != one.criterion_hash,
                    "what": what,
                }
            )
    found += [
        {"criterion": name, "kind": "gone", "stale": True, "what": []}
        for name in before
        if name not in after
    ]
    if old is not None and old.about != new.about:
        found.append(
            {
                "criterion": "",
                "kind": "changed",
                "stale": False,
                "what": [_row("about", old.about, new.about)],
            }
        )
    if old is not None and old.examples != new.examples:
        counts = (f"{len(rubric.examples)} examples" for rubric in (old, new))
        found.append(
            {
                "criterion": "",
                "kind": "changed",
                "stale": False,
                "what": [_row("examples", *counts)],
            }
        )
    return found


def lines(old: str, new: str) -> list[dict[str, str]]:
    """The lines that differ, with two around them: {sign: "+", "-", " " or "@", text}."""
    found = []
    for line in list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))[
        2:
    ]:
        sign = line[:1]
        found.append(
            {"sign": "@", "text": line.split("@@")[1].strip()}
            if sign == "@"
            else {"sign": sign, "text": line[1:]}
        )
    return found


def words(found: list[dict[str, Any]]) -> list[str]:
    """The changes as sentences."""
    said = []
    for one in found:
        name = one["criterion"] or "the rubric"
        if one["kind"] != "changed":
            said.append(
                f"{name} is "
                f"{'new' if one['kind'] == 'added' else 'taken out; its verdicts are kept'}."
            )
            continue
        for field in one["what"]:
            said.append(
                f"{name}, {field['field']}: {_quoted(field['before'])} becomes "
                f"{_quoted(field['after'])}."
            )
    return said


def _quoted(text: str) -> str:
    return f"“{text}”" if text else "nothing"


def _row(field: str, before: str, after: str) -> dict[str, str]:
    return {"field": field, "before": before, "after": after}


def _fields(old: Criterion, new: Criterion) -> list[dict[str, str]]:
    pairs = {
        "name": (old.title, new.title),
        "question": (old.question, new.question),
        "guide": (old.guide, new.guide),
        "scale": (old.scale.describe(), new.scale.describe()),
        "parts": (_parts(old), _parts(new)),
        "graders": (_graders(old.graders), _graders(new.graders)),
        "review": (_by_task(old.review), _by_task(new.review)),
        "reference": (_by_task(old.reference), _by_task(new.reference)),
        "template": (old.template, new.template),
        "scores": (_by_task(old.scores), _by_task(new.scores)),
        "unless": (old.unless, new.unless),
        "ceiling": (old.ceiling, new.ceiling),
    }
    return [_row(field, *pair) for field, pair in pairs.items() if pair[0] != pair[1]]


def _parts(criterion: Criterion) -> str:
    if criterion.elements:
        return criterion.elements
    return "; ".join(
        f"{part} ({guide})" if (guide := criterion.part_guides.get(part)) else part
        for part in criterion.parts
    )


def _graders(refs: tuple[GraderRef, ...]) -> str:
    return ", ".join(
        ref.name + (f" ({_by_task(ref.options)})" if ref.options else "") for ref in refs
    )


def _by_task(found: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in found.items())
