"""How verdicts, evidence, metric values and faults are told to a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core.control import author_of, mask_author
from graders.core.quotes import misquotes, quotes_words, stands_in
from graders.core.records import Answer, Evidence, Mark, MetricValue, Subject
from graders.core.text import mask_names
from graders.store.opinions.cells import Cell
from graders.store.opinions.verdicts import StoredVerdict
from graders.workflows.cells.faults import fault_title, named_faults
from graders.workflows.scope.missing_reasons import note_words, reason_words


def machine(found: StoredVerdict, texts: Sequence[str]) -> dict[str, Any]:
    """A rule's or judge's verdict as pages show it; its quotes may stand in `texts`. `misquotes`:
    they do not, and a judge gave them."""
    mark = sought(found.mark, texts)
    return {
        "kind": found.author_kind,
        "name": found.author,
        "value": mark.value,
        "status": mark.status,
        "reason": mark.reason,
        "why": reason_words(mark.reason, mark.rationale),
        "confidence": mark.confidence,
        "confidence_kind": mark.confidence_kind,
        "rationale": mark.rationale,
        "note": note_words(found.metadata),
        "misquotes": found.author_kind == "judge" and misquotes(mark),
        "evidence": [evidence(e) for e in mark.evidence],
    }


def sought(mark: Mark, texts: Sequence[str]) -> Mark:
    """The mark with its quotes looked up in `texts`: those of files nobody has looked for, and some
    were looked for more strictly once."""
    if all(one.found or not quotes_words(one.quote) for one in mark.evidence):
        return mark
    return replace(
        mark,
        evidence=tuple(
            one if one.found else replace(one, found=_stands(one, texts)) for one in mark.evidence
        ),
    )


def _stands(item: Evidence, texts: Sequence[str]) -> bool | None:
    return stands_in(item.quote, texts) if quotes_words(item.quote) else item.found


def evidence(item: Evidence) -> dict[str, Any]:
    """A quote as pages show it."""
    return {"quote": item.quote, "absent": item.absent, "found": item.found}


def whose(subject: Subject) -> str:
    """Whose answer it is, or whose two."""
    return (
        subject.answer.model
        if subject.other is None
        else f"{subject.answer.model} / {subject.other.model}"
    )


def masked(text: str, show: bool, names: Sequence[str], authors: Sequence[str]) -> str:
    """An answer's text without the names of models (`names`, longest first; unless they are shown)
    and of the question's authors."""
    text = text if show else mask_names(text, names)
    for author in authors:
        text = mask_author(text, author_of(author))
    return text


def metric(value: MetricValue, peers: Sequence[float], subject: Subject) -> dict[str, Any]:
    """A metric value with its rank among this question's answers."""
    rank = None if value.value is None else 1 + sum(p > value.value for p in peers)
    return {
        "name": value.metric,
        "value": value.value,
        "status": value.status,
        "reason": value.reason,
        "why": reason_words(value.reason, metric=value.metric, subject=subject),
        "rank": rank,
        "of": len(peers),
        "reference": value.reference,
    }


def fault(
    cell: Cell, machines: Sequence[Mapping[str, Any]], said: Sequence[StoredVerdict]
) -> list[dict[str, Any]]:
    """A fault for the list: found by a machine or by a person."""
    found = [m for m in machines if m["value"] == "present"]
    people = [v for v in said if v.author_kind == "person" and v.mark.value == "present"]
    if not found and not people:
        return []
    # a rule's name is that of a file; what it found is the fault's own title
    by = ("a rule" if found[0]["kind"] == "rule" else found[0]["name"]) if found else "a person"
    known = named_faults().get(cell.part)
    quotes = [e for m in found for e in m["evidence"]] + [
        evidence(e) for v in people for e in v.mark.evidence
    ]
    return [
        {
            "id": cell.id,
            "name": cell.part,
            "title": fault_title(cell.part),
            "severity": known.severity if known else "",
            "why": known.why if known else "",
            "by": by,
            "evidence": quotes,
            "rationale": found[0]["rationale"] if found else "",
        }
    ]


def chips(answer: Answer, criteria: Any) -> list[dict[str, str]]:
    """Facts under an answer that help to judge it: seconds to the first token where a criterion
    asks for speed."""
    asked = any(ref.name == "time_to_first_token" for c in criteria for ref in c.criterion.graders)
    if asked and answer.time_to_first_token is not None:
        return [{"label": "to first token", "value": f"{answer.time_to_first_token:.1f} s"}]
    return []
