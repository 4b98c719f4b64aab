"""What came back from a few answers that a judge was tried on, before all are asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.errors import NotFound
from graders.core.money import dollars
from graders.store import projects
from graders.store.answers import content
from graders.store.answers.content import StoredSubject
from graders.store.calls import ledger
from graders.store.calls import runs as run_store
from graders.store.calls.ledger import SqlLedger
from graders.store.opinions import cells as cell_store
from graders.store.opinions import verdicts
from graders.store.projects import CriterionRow
from graders.store.workspace import Workspace
from graders.workflows.calling import judging
from graders.workflows.calling.call import call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.run_options import Options
from graders.workflows.cells.state import FAULTS
from graders.workflows.cells.told import whose
from graders.workflows.scope.missing_reasons import note_words, reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.seen import mark_seen

#: Characters of a question that stand for it.
SHOWN = 160


@needs("look")
def tried(scope: Scope, project_name: str, run_id: int | None = None) -> dict[str, Any]:
    """The answers of a try (the latest run, or one by its number) with what each judge said of
    them.

    Per answer and judge: whether it is `asked` at all (a rule may close what it would be asked),
    seconds and US dollars of its calls (None where nothing usable came or no price is known), and
    per cell value, status, reason, the reason in words, rationale and evidence. `measured` says
    that plans go by these calls from now on.
    """
    ws, project = scope.ws, scope.project(project_name)
    run = run_store.latest_run(ws, project) if run_id is None else run_store.get_run(ws, run_id)
    if (
        run is None
        or run["project_id"] != project.id
        or not run["settings"].get("tries")
        or run["settings"].get("workshop")
    ):
        raise NotFound(
            f"project {project.name!r}",
            found="no try of a judge",
            expected="a run on a few answers",
        )
    options = Options.of(run["settings"])
    setups = options.setups(ws, criteria=judging.judged_criteria(ws, project, options.faults))
    subjects = content.subjects(ws.db, options.only)
    criteria = {
        c.id: c
        for c in projects.criteria(ws, project)
        if c.criterion.grader("judge") is not None
        or (options.faults and c.criterion.rubric == FAULTS.name)
    }
    said = _said(ws, subjects, criteria)
    tasks = {
        s.name: list(
            judging.tasks(ws, project, s, options.only, afresh=True, faults=options.faults)
        )
        for s in setups
    }
    asked = {name: {row for task in found for row in task.rows} for name, found in tasks.items()}
    calls = {setup.name: _calls(ws, project, setup, tasks[setup.name]) for setup in setups}
    answers = [
        {
            "question_id": s.subject.question.id,
            "question": s.subject.question.text[:SHOWN],
            "category": s.subject.question.category,
            "model": whose(s.subject),
            "judges": [
                {
                    "name": setup.name,
                    "asked": s.id in asked[setup.name],
                    **calls[setup.name].of.get(s.id, _NOTHING),
                    "cells": said.get((s.id, setup.author), []),
                }
                for setup in setups
            ],
        }
        for s in subjects
    ]
    mark_seen(scope, [s.id for s in subjects])
    measured = bool(setups) and all(
        ledger.past_calls(ws.db, project, setup.judge.model) is not None for setup in setups
    )
    return {
        "run": run["id"],
        "title": _title(list(calls.values())),
        "measured": measured,
        "answers": answers,
    }


_NOTHING: dict[str, Any] = {"seconds": None, "money": None, "tokens": None}


@dataclass(frozen=True)
class _Calls:
    """What a judge was asked in a try: `asked` calls, the `replies` to them that can be used, by
    key, and the share `of` each answer."""

    asked: int
    replies: Mapping[str, dict[str, Any]]
    of: Mapping[int, dict[str, Any]]


def _calls(
    ws: Workspace, project: projects.Project, setup: JudgeSetup, tasks: Sequence[judging.Task]
) -> _Calls:
    """The calls of a try with seconds, money and tokens of the stored replies."""
    store = SqlLedger(ws, project, 0)
    keys: set[str] = set()
    replies: dict[str, dict[str, Any]] = {}
    found: dict[int, dict[str, Any]] = {}
    for task in tasks:
        keys.add(key := call_key(task.request, setup.provider.address))
        reply = store.known(key)
        if reply is None:
            continue
        tokens = (reply.input_tokens, reply.output_tokens)
        money = None
        if reply.input_tokens is not None and reply.output_tokens is not None:
            money = setup.provider.price(
                setup.judge.model, reply.input_tokens, reply.cached_tokens or 0, reply.output_tokens
            )
        one = {
            "seconds": reply.seconds,
            "money": money,
            "tokens": None if None in tokens else sum(t or 0 for t in tokens),
        }
        replies[key] = one
        share = {
            "seconds": one["seconds"],
            **{name: _part(one[name], len(task.rows)) for name in ("money", "tokens")},
        }
        for row in task.rows:
            before = found.get(row)
            found[row] = (
                share
                if before is None
                else {name: _sum(before[name], share[name]) for name in share}
            )
    return _Calls(len(keys), replies, found)


def _part(amount: Any, of: int) -> Any:
    """An answer's share of what a call about `of` answers took."""
    return amount if amount is None or of == 1 else amount / of


def _sum(first: Any, second: Any) -> Any:
    return None if first is None or second is None else first + second


def _said(
    ws: Workspace, subjects: Sequence[StoredSubject], criteria: Mapping[int, CriterionRow]
) -> dict[tuple[int, str], list[dict[str, Any]]]:
    """(subject row, author) -> what a judge said, in the order of the rubric."""
    place = {criterion: at for at, criterion in enumerate(criteria)}
    cells = [
        c
        for c in cell_store.cells_of(ws.db, [s.id for s in subjects])
        if c.criterion_id in criteria
    ]
    given = verdicts.verdicts_of(ws.db, [c.id for c in cells])
    found: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for cell in sorted(cells, key=lambda c: (place[c.criterion_id], c.id)):
        row = criteria[cell.criterion_id]
        for verdict in given.get(cell.id, []):
            if verdict["author_kind"] != "judge" or verdict["criterion_hash"] != row.hash:
                continue
            mark = verdict["mark"]
            if row.criterion.rubric == FAULTS.name and mark.value == row.scale.values[0]:
                continue  # a fault that was not found
            found.setdefault((cell.subject_id, verdict["author"]), []).append(
                {
                    "criterion": row.key,
                    "title": row.criterion.title,
                    "part": cell.part,
                    "value": mark.value,
                    "word": "" if mark.value is None else row.scale.word(mark.value),
                    "status": mark.status,
                    "reason": mark.reason,
                    "why": reason_words(mark.reason, mark.rationale),
                    "confidence": mark.confidence,
                    "rationale": mark.rationale,
                    "note": note_words(verdict["metadata"]),
                    "evidence": [
                        {"quote": e.quote, "absent": e.absent, "found": e.found}
                        for e in mark.evidence
                    ],
                }
            )
    return found


def _title(calls: Sequence[_Calls]) -> str:
    """``5 replies came back, each after 1.4 s and for $0.0003.``"""
    asked, there = (
        sum(one.asked for one in calls),
        [reply for one in calls for reply in one.replies.values()],
    )
    if calls and not asked:
        return (
            "Nothing was asked: rules decide these answers, or the judge has nothing to say on "
            "them."
        )
    if not there:
        return "Nothing usable came back."
    some = (
        several(len(there), "reply") + " came back"
        if len(there) == asked
        else f"{len(there)} of {asked} replies can be used"
    )
    prices = [reply["money"] for reply in there if reply["money"] is not None]
    price = (
        dollars(sum(prices) / len(prices), each=True)
        if len(prices) == len(there)
        else "an unknown price"
    )
    each = "each " if len(there) > 1 else ""
    return (
        f"{some}, {each}after {sum(reply['seconds'] for reply in there) / len(there):.1f} s and "
        f"for {price}."
    )
