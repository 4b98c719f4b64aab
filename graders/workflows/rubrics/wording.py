"""Sentences for a rubric from disagreements that people put down to it: a judge may draft one, a
person takes it in the rubric editor.

A draft is kept in the log and changes nothing. Cases of questions that are held out are neither
shown nor sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graders.core.errors import InputError, NotAllowed
from graders.core.records import Problem
from graders.judges.asking.sentence import read_sentence, sentence_request
from graders.store import projects
from graders.store.projects import CriterionRow, Project
from graders.workflows.agreement.disagreements import MENDED, disagreements
from graders.workflows.calling.asking import Asker, of_use
from graders.workflows.calling.call import Outcome
from graders.workflows.cells.state import FAULTS
from graders.workflows.collecting.sources import concurrency_of, source_of
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.workshop.held_out import LookedAt

#: The reason that counts, the event of a draft, what a run's row says of one, and the most cases
#: that are sent.
UNCLEAR, EVENT, MESSAGE, MOST_CASES = (
    MENDED[0],
    "sentence",
    "A sentence for the rubric was drafted.",
    8,
)
#: Characters of a case's question and answer that are sent.
SENT = 1_200


@needs("look")
def unclear(scope: Scope, project_name: str) -> list[dict[str, Any]]:
    """Per criterion with disagreements that are the rubric's: {key, title, guide, total, cases,
    drafts}, most first.

    `cases` are at most twenty, of questions that are looked at, with what was said; whoever looks
    has seen their marks. `drafts` are {sentence, by, at, cases, taken}, newest first: taken says
    that the guide has the sentence.
    """
    project = scope.project(project_name)
    logged = projects.events(scope.ws, project, EVENT, limit=1_000)
    found = []
    for row in projects.criteria(scope.ws, project):
        if row.criterion.rubric == FAULTS.name:
            continue
        total, cases = _cases(scope, project, row)
        drafts = [
            {
                **event.body,
                "at": event.at,
                "taken": event.body["sentence"] in (row.criterion.guide or ""),
            }
            for event in logged
            if event.body["criterion"] == row.key
        ]
        if total or drafts:
            base = {"key": row.key, "title": row.criterion.title, "guide": row.criterion.guide}
            found.append({**base, "total": total, "cases": cases, "drafts": drafts})
    return sorted(found, key=lambda one: (-one["total"], one["key"]))


@needs("run")
def draft(
    scope: Scope, project_name: str, criterion: str, judge: str, *, timeout: float = 120.0
) -> dict[str, Any]:
    """Let a model (PROVIDER:MODEL[@ADDRESS]) draft a sentence for the guide of a criterion (its
    key): one call, in the ledger, sent again where its reply cannot be read.

    Returns {criterion, sentence, by, cases, money, why}: `why` says in words why there is no
    sentence. A further draft from the same cases is a purchase of its own. InputError where nobody
    said that the rubric is unclear there.
    """
    if scope.actor.own_key_only:
        raise NotAllowed(
            "draft a sentence",
            found="no key of your own",
            expected="a lead",
            remedy="Ask a lead, or write it yourself.",
        )
    project = scope.project(project_name)
    row = next((one for one in projects.criteria(scope.ws, project) if one.key == criterion), None)
    total, cases = (0, []) if row is None else _cases(scope, project, row)
    where = f"criterion {criterion[:60]!r}"
    if row is None:
        raise InputError(
            where,
            found="no such criterion",
            expected="RUBRIC/CRITERION of this project",
            remedy="Correct the name.",
        )
    if not cases:
        raise InputError(
            where,
            found="no disagreement that people put down to the rubric"
            + (", but on questions that are held out" if total else ""),
            expected=f"a correction with the reason {UNCLEAR!r}"
            + (" on a question that is not" if total else ""),
            remedy="The desk asks for it after a correction (key j).",
        )
    source = source_of(judge, concurrency_of(()))
    source = replace(source, name=judge.partition("@")[0])
    asked = [_sent(case) for case in cases[:MOST_CASES]]
    before = sum(
        event.body["criterion"] == criterion
        for event in projects.events(scope.ws, project, EVENT, limit=1_000)
    )
    request = sentence_request(
        row.criterion,
        asked,
        name=source.name,
        provider=source.provider,
        model=source.model,
        secret=scope.ws.secret(),
        sample=before,
    )
    said: dict[str, Any] = {"sentence": "", "money": None, "why": ""}

    def take(outcome: Outcome) -> None:
        found = (
            Problem(cause=outcome.cause, detail=outcome.detail)
            if outcome.cause
            else read_sentence(outcome.reply.text)
        )
        said["money"] = outcome.money
        if isinstance(found, Problem):
            said["why"] = reason_words(found.cause, found.detail)
        else:
            said["sentence"] = found

    with Asker(
        scope.ws, project, MESSAGE, timeout=timeout, aside=True, read=of_use(read_sentence)
    ) as asker:
        done = asker.ask(source, {criterion: request}, take)
    if said["sentence"]:
        body = {
            "criterion": criterion,
            "sentence": said["sentence"],
            "by": source.name,
            "cases": len(asked),
        }
        projects.log_event(scope.ws, project, scope.actor.person_id, EVENT, body)
    why = (
        said["why"]
        or next((reason_words(one.cause, one.detail) for one in done.failed.values()), "")
        or done.error
    )
    return {
        "criterion": criterion,
        "by": source.name,
        "cases": len(asked),
        **said,
        "why": "" if said["sentence"] else why,
    }


def _cases(scope: Scope, project: Project, row: CriterionRow) -> tuple[int, list[dict[str, Any]]]:
    """How many disagreements on a criterion are the rubric's, and the first of those that are
    looked at."""
    found = disagreements(
        scope, project.name, criterion_key=row.key, group=UNCLEAR, allowed=LookedAt(project)
    )
    cases = [
        {
            "cell": one["cell"],
            "question_id": one["question_id"],
            "question": one["question"],
            "model": one["model"],
            "answer": one["answer"],
            "judges": [
                {"name": said.name, "word": said.word}
                for said in one["said"]
                if said.kind == "judge"
            ],
            "people": [
                {"name": said.name, "word": said.word, "why": said.rationale}
                for said in one["said"]
                if said.kind == "person"
            ],
        }
        for one in found["rows"]
    ]
    return int(found["total"]), cases


def _sent(case: Mapping[str, Any]) -> dict[str, str]:
    return {
        "question": case["question"][:SENT],
        "answer": case["answer"][:SENT],
        "comment": " ".join(one["why"] for one in case["people"] if one["why"])[:SENT],
        "judge": ", ".join(dict.fromkeys(one["word"] for one in case["judges"])),
        "people": ", ".join(dict.fromkeys(one["word"] for one in case["people"])),
    }
