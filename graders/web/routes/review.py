"""JSON routes of the review desk."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from fastapi import APIRouter, BackgroundTasks, Request
from fastapi.responses import JSONResponse

from graders.core.shapes import JSON, as_dict
from graders.core.words import file_of, language, languages
from graders.web.languages import CHOSEN
from graders.web.markdown import render
from graders.web.session import keep_code, scope_of
from graders.web.worker import supervisor
from graders.workflows.cells import fault_list
from graders.workflows.review import desk, grading
from graders.workflows.review import my_work as use
from graders.workflows.review.screen_records import AnswerShown, Screen
from graders.workflows.routing import place_labels, route
from graders.workflows.scope import identity

router = APIRouter()
_ID = re.compile(r"[0-9]{1,18}")


@router.get("/api/desk")
def open_desk(request: Request, project: str = "") -> JSON:
    """All that the desk needs before its first screen."""
    info = desk.open_desk(scope_of(request), project)
    return {**as_dict(info), "words": _words()}


def _words() -> JSON:
    """The desk's words in the language that is spoken, in English what it lacks."""
    files = (file_of("desk"), file_of("desk", language()))
    return {
        key: text
        for file in files
        if file.is_file()
        for key, text in json.loads(file.read_text("utf-8")).items()
    }


@router.get("/api/fault")
def fault(name: str = "") -> fault_list.ExplainedFault:
    """What is said of a named fault, with examples."""
    return fault_list.explained(name)


@router.get("/api/next")
def next_screens(
    request: Request,
    project: str,
    have: str = "",
    sent: str = "",
    n: int = 3,
    question: str = "",
    order: str = "",
) -> JSON:
    """The next screens of a person who `have`s some, the saves of those in `sent` being on their
    way.

    `held`: screens of the wanted question that are with colleagues.
    """
    scope = scope_of(request)
    ids, travelling = _screens(have.split(",")), _screens(sent.split(","))
    screens = grading.next_screens(
        scope, project, max(1, min(n, 5)), ids, question, order, sent=travelling
    )
    held = grading.held_of(scope, project, question) if question and not screens else 0
    return {
        "screens": [rendered(screen) for screen in screens],
        "counts": grading.counts(scope, project),
        "held": held,
    }


@router.get("/api/screen")
def one_screen(request: Request, project: str, id: int) -> JSON:
    """A screen that the person has or had."""
    scope = scope_of(request)
    return {
        "screen": rendered(grading.one_screen(scope, project, id)),
        "counts": grading.counts(scope, project),
    }


@router.post("/api/save")
def save(request: Request, later: BackgroundTasks, body: JSON) -> JSON:
    """Take in one screen."""
    scope = scope_of(request)
    project = str(body.get("project") or "")
    reply = as_dict(grading.save(scope, project, body))
    counts = grading.counts(scope, project)
    supervisor(request.app).learn(scope.ws, project)
    supervisor(request.app).order(scope.ws, project)
    for screen in _screens([body.get("screen")]):
        later.add_task(route.after_audit, scope, project, screen)
        later.add_task(place_labels.after_label, scope, project, screen)
    return {**reply, "counts": counts}


@router.post("/api/undo")
def undo(request: Request, body: JSON) -> JSON:
    """Take a save back."""
    scope = scope_of(request)
    project = str(body.get("project") or "")
    screen = grading.undo(
        scope, project, str(body.get("undo_id") or ""), str(body.get("save_id") or "")
    )
    return {"ok": True, "screen": rendered(screen), "counts": grading.counts(scope, project)}


@router.post("/api/release")
def release(request: Request, body: JSON) -> JSON:
    """Give back screens that were not opened."""
    given = body.get("screens")
    ids = _screens(given if isinstance(given, list) else [])
    grading.release(scope_of(request), str(body.get("project") or ""), ids)
    return {"ok": True}


@router.get("/api/my-work")
def my_work(request: Request, project: str, q: str = "") -> use.MyWork:
    """What the person did."""
    return use.my_work(scope_of(request), project, q)


@router.post("/api/me")
def me(request: Request, body: JSON) -> JSONResponse:
    """Say who one is, with the `code` where the name is in use, and in which `language` one reads;
    the cookie keeps it, the person as a random id. `told`: the code, where it was made just now."""
    entered = identity.enter(
        scope_of(request), str(body.get("name") or ""), str(body.get("code") or "")
    )
    if body.get("language") in languages():
        request.session[CHOSEN] = body["language"]
    return _entered(request, entered, str(body.get("code") or ""))


@router.post("/api/me/code")
def my_code(request: Request) -> JSONResponse:
    """A new code for who asks."""
    return _entered(request, identity.own_code(scope_of(request)))


def _entered(request: Request, entered: identity.Entered, typed: str = "") -> JSONResponse:
    person = entered.person
    if person.id != request.session.get("person") or entered.code:
        keep_code(request.session, entered.code or typed, entered.seal)
    request.session["person"] = person.id
    told = identity.told(person.name, entered.code) if entered.code else ""
    return JSONResponse({"person": {"id": person.id, "name": person.name}, "told": told})


def _screens(given: Iterable[object]) -> list[int]:
    """The ids among what was given; more digits than an id of the database has are none."""
    return [int(text) for text in map(str, given) if _ID.fullmatch(text)]


def rendered(screen: Screen) -> JSON:
    """The screen with its answers' texts as sanitised HTML; `pair`: two answers are compared."""
    answers = []
    for answer in screen.answers:
        fields = as_dict(answer)
        del fields["text"], fields["other"]
        answers.append({**fields, "pair": answer.other is not None, "html": _html(answer)})
    return {**as_dict(screen), "answers": answers}


def _html(answer: AnswerShown) -> str:
    """An answer's text, or both texts of a pair under the letters that a preference names them
    by."""
    if answer.other is None:
        return render(answer.text)
    sides = "".join(
        f'<section><b class="cg-which">{name}</b>{render(text)}</section>'
        for name, text in (("A", answer.text), ("B", answer.other))
    )
    return f'<div class="cg-pair">{sides}</div>'
