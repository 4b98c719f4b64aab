"""Verdicts as a file states them, read onto the project's criteria; and what annotators' names
tell."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Any, get_args

from graders.core.contracts import ImportedVerdict
from graders.core.hashing import digest
from graders.core.records import Design, Evidence, Mark, Provenance, SubjectKey, Verdict
from graders.core.times import before, in_utc
from graders.store.answers.anchors import ANCHOR
from graders.store.desk.repeats import REPEAT
from graders.store.projects import CriterionRow

#: What a file may state of a verdict and a field of ours holds; everything else is kept as
#: metadata.
_FIELDS = (
    "id",
    "question_id",
    "model",
    "answer_version",
    "criterion",
    "part",
    "annotator",
    "judge",
    "rule",
    "value",
    "status",
    "reason",
    "kind",
    "amends",
    "scale",
    "rationale",
    "fault_of",
    "arm",
    "design",
    "probability",
    "action",
    "seconds",
    "judges_seen",
    "shown_beside",
    "order",
    "criterion_hash",
    "recipe_hash",
    "inputs",
    "grader_version",
    "confidence",
    "confidence_kind",
    "evidence",
    "cost",
    "created_at",
    "comment",
    "after_reveal",
)


#: What the ids begin with that rows without one are given.
MADE = "i-"
#: What stands before the name of a file's own field that has the name of one of ours and cannot be
#: it.
OWN = "file_"
#: Where the file's own time stands, if it is no time, or later than the file came in.
OWN_TIME = OWN + "created_at"


def verdict_of(v: ImportedVerdict, criterion: CriterionRow, *, blind: bool, came: str) -> Verdict:
    """The verdict that a row states. `blind`: the arm of people's verdicts that state none; `came`:
    when the file came in.

    ScaleError for a value that is not on the criterion's scale; ValueError or TypeError, with what
    was expected, for any other field that cannot be read.
    """
    f = v.fields
    opines = v.author_kind == "person" and f.get("kind") != "retracts"
    stated = str(f.get("created_at") or "")
    told = in_utc(stated)
    at = before(told, came)
    own = _own_fields(v) | ({"created_at"} if at != told or (stated and not told) else set())
    return Verdict(
        subject=SubjectKey(v.question_id, v.model),
        criterion=criterion.key,
        part=str(f.get("part") or ""),
        author=v.author,
        author_kind=v.author_kind,
        mark=_mark(v, criterion),
        kind=f.get("kind") or "given",
        amends=str(f.get("amends") or ""),
        criterion_hash=str(f.get("criterion_hash") or ""),
        recipe_hash=str(f.get("recipe_hash") or ""),
        inputs=str(f.get("inputs") or ""),
        grader_version=str(f.get("grader_version") or ""),
        cost=_float(f.get("cost")),
        provenance=_provenance(v, blind, own) if opines else None,
        id=str(f.get("id") or _uid(v)),
        created_at=at,
        metadata={
            OWN + k if k in own else k: x
            for k, x in f.items()
            if (k not in _FIELDS or k in own) and x is not None
        },
    )


def _own_fields(v: ImportedVerdict) -> set[str]:
    """Fields that are the file's own though named like ours: a verdict that they would make a
    second look is somebody's only word.

    Where Cograde wrote the file a judge's repeat names its recipe, a person's second look its arm.
    """
    f = v.fields
    repeat = v.author_kind == "judge" and f.get(ANCHOR) is True and f.get("recipe_hash")
    design, order = f.get("design") or "", f.get("order")
    stands = design in ("", *get_args(Design)) and (design != REPEAT or f.get("arm") == "blind")
    return {
        name
        for name, ours in (
            (ANCHOR, repeat),
            ("design", stands),
            ("order", order is None or type(order) is int),
        )
        if not ours and (name == ANCHOR or v.author_kind == "person")
    }


def group_of(name: str) -> str:
    """The group that an annotator's name tells: ``expert0`` -> ``expert``; empty where it tells
    none."""
    found = re.fullmatch(r"([^\W\d]+)[ _-]?\d+", name)
    return found.group(1) if found else ""


def _mark(v: ImportedVerdict, criterion: CriterionRow) -> Mark:
    f = v.fields
    evidence = tuple(_evidence(item) for item in f.get("evidence") or ())
    common: dict[str, Any] = {
        "reason": str(f.get("reason") or ""),
        "confidence": _float(f.get("confidence")),
        "confidence_kind": str(f.get("confidence_kind") or ""),
        "rationale": str(f.get("rationale") or ""),
        "evidence": evidence,
    }
    if v.value is None or v.value == "":
        status = f.get("status") if f.get("status") in ("unscored", "error") else "unscored"
        common["reason"] = common["reason"] or "no_verdict"
        return Mark(status=status, **common)  # type: ignore[arg-type]
    return Mark(value=criterion.rubric.value_of(criterion.criterion, v.value), **common)


def _evidence(item: Any) -> Evidence:
    if isinstance(item, str):
        return Evidence(quote=item)
    return Evidence(
        **{k: x for k, x in dict(item).items() if k in ("quote", "absent", "found", "start", "end")}
    )


def _float(value: Any) -> float | None:
    return None if value is None or value == "" else float(value)


def _provenance(v: ImportedVerdict, blind: bool, own: Set[str]) -> Provenance:
    f = v.fields
    arm = f.get("arm") or ("blind" if blind else "assisted")
    if arm not in ("blind", "assisted"):
        raise ValueError("the arm blind or assisted")
    return Provenance(
        arm="blind" if arm == "blind" else "assisted",
        design="imported" if "design" in own else f.get("design") or "imported",
        probability=float(f.get("probability") or 1.0),
        action=str(f.get("action") or "typed"),
        seconds=_float(f.get("seconds")),
        judges_seen=tuple(map(str, f.get("judges_seen") or ())),
        shown_beside=tuple(map(str, f.get("shown_beside") or ())),
        order=None if "order" in own else f.get("order"),
        fault_of=str(f.get("fault_of") or ""),
        comment=str(f.get("comment") or ""),
        after_reveal=bool(f.get("after_reveal")),
    )


def _uid(v: ImportedVerdict) -> str:
    """A name for a verdict without id: the same row gives the same name, so importing it twice
    changes nothing."""
    return MADE + digest(
        v.author_kind,
        v.author,
        v.question_id,
        v.model,
        v.criterion,
        v.value,
        {
            k: str(x)
            for k, x in v.fields.items()
            if k in ("part", "answer_version", "rationale", "kind", "amends", "order")
        },
        length=20,
    )
