"""JSON routes of Agreement."""

from __future__ import annotations

from fastapi import APIRouter, Request

from graders.core.shapes import JSON, as_dict
from graders.web.routes._viewing import view_of
from graders.web.session import scope_of
from graders.workflows.agreement import agree, by_wording, matrix, mend, people
from graders.workflows.agreement import details as agreement_details
from graders.workflows.agreement import disagreements as disagreement_list
from graders.workflows.agreement.records import MatrixAnswers, MatrixCell
from graders.workflows.agreement.work_left import progress
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.routing.labels_missing import labels_missing

router = APIRouter()


@router.get("/api/agreement")
def agreement(
    request: Request, project: str, blind: int = 1, population: str = "", intervals: int = 0
) -> JSON:
    """The report without its pairs, which are many: as soon as it can be shown, or with
    `intervals`."""
    scope = scope_of(request)
    found = agree.agreement(
        scope, project, intervals=bool(intervals), **view_of(request, blind, population)
    )
    shown = {name: value for name, value in as_dict(found).items() if name != "pairs"}
    return {**shown, "labels_missing": labels_missing(scope, project)}


@router.get("/api/agreement/pairs")
def pairs(
    request: Request, project: str, criterion: str, blind: int = 1, population: str = ""
) -> JSON:
    """All pairs of one criterion, each with its matrix; with intervals once these are there."""
    found = agree.agreement(
        scope_of(request), project, intervals=False, **view_of(request, blind, population)
    )
    return {"pairs": [pair for pair in found.pairs if pair.criterion == criterion]}


@router.get("/api/agreement/details")
def details(
    request: Request, project: str, criterion: str, judge: str, blind: int = 1, population: str = ""
) -> agreement_details.Details:
    """All figures of one judge on one criterion."""
    return agreement_details.details(
        scope_of(request), project, criterion, judge, **view_of(request, blind, population)
    )


@router.get("/api/agreement/answers")
def answers(
    request: Request,
    project: str,
    criterion: str,
    a: str,
    b: str,
    value_a: str,
    value_b: str,
    page: int = 1,
    blind: int = 1,
    population: str = "",
) -> MatrixAnswers:
    """The answers behind one cell of a matrix."""
    view = view_of(request, blind, population)
    cell = MatrixCell(criterion, a, b, value_a, value_b)
    return matrix.matrix_cell(scope_of(request), project, cell, page, **view)


@router.get("/api/agreement/disagreements")
def disagreements(
    request: Request,
    project: str,
    criterion: str = "",
    judge: str = "",
    grouping: str = "fault_of",
    group: str = "",
    page: int = 1,
) -> disagreement_list.Disagreements:
    """The answers on which judges and people differ, in groups."""
    return disagreement_list.disagreements(
        scope_of(request),
        project,
        disagreement_list.Wanted(criterion, judge, grouping, group, page),
        filters=view_of(request, 1, "")["filters"],
    )


@router.post("/api/agreement/references")
def references(request: Request, body: JSON) -> mend.MendedReferences:
    """Mend the references of a question: {project, question, references}."""
    scope = scope_of(request)
    given = body.get("references")
    texts = [str(text) for text in given] if isinstance(given, list) else []
    encoder = encoder_for(request.app.state.settings.models(), scope.ws)
    return mend.mend_references(
        scope, str(body.get("project") or ""), str(body.get("question") or ""), texts, encoder
    )


@router.post("/api/agreement/opinion")
def another_opinion(request: Request, body: JSON) -> mend.AnotherOpinion:
    """Send an answer to review: {project, question, model, version}."""
    version = body.get("version")
    project, question, model = (
        str(body.get(name) or "") for name in ("project", "question", "model")
    )
    return mend.another_opinion(
        scope_of(request), project, question, model, version if isinstance(version, int) else None
    )


@router.get("/api/agreement/people")
def everybody(request: Request, project: str, blind: int = 1, population: str = "") -> JSON:
    """People side by side, with what those who are set aside move; what is left to do and where
    minutes went."""
    scope = scope_of(request)
    return {
        **as_dict(people.people_report(scope, project, **view_of(request, blind, population))),
        "progress": progress(scope, project),
    }


@router.post("/api/agreement/aside")
def aside(request: Request, body: JSON) -> people.SetAside:
    """Set a person's verdicts aside, or let them in again: {project, person, aside}."""
    return people.set_aside(
        scope_of(request),
        str(body.get("project") or ""),
        str(body.get("person") or ""),
        body.get("aside") is True,
    )


@router.get("/api/agreement/versions")
def versions(
    request: Request, project: str, blind: int = 1, population: str = ""
) -> by_wording.Versions:
    """The figures of each criterion by its wordings."""
    return by_wording.versions(scope_of(request), project, **view_of(request, blind, population))
