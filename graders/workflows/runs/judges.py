"""The judges of a project: set up and looked at; what they cost and could not say; deleting what
was recorded of their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.errors import InputError, NotAllowed, NotFound
from graders.core.run_state import RunState
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts, say
from graders.providers.http.addresses import check_typed
from graders.store import projects
from graders.store.calls import ledger
from graders.store.figures import overview as names
from graders.store.opinions import judges
from graders.store.projects import Project
from graders.workflows.calling import asked_criteria, judge_setup
from graders.workflows.calling.run_options import Options
from graders.workflows.cells import derived_judges
from graders.workflows.learning import learn
from graders.workflows.runs import runs
from graders.workflows.runs._judge_notes import odd
from graders.workflows.scope.header_lines import header_lines, names_variable
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several

#: A judge's fields that a project may set: name -> kind. "" and None leave a field as the judge has
#: it.
FIELDS: Mapping[str, type] = {
    "temperature": float,
    "top_p": float,
    "max_output_tokens": int,
    "reasoning_effort": str,
    "persona": str,
    "prompt_language": str,
    "slot": str,
    "per": str,
    "order_seed": int,
    "reference": bool,
    "window": int,
    "samples": int,
    "confidence": str,
}
BESIDE: Mapping[str, type] = {
    "base_url": str,
    "headers": str,
    "input_price": float,
    "output_price": float,
}
#: No provider takes more.
MOST: Mapping[str, float] = {"temperature": 2.0, "top_p": 1.0}
YES_NO: Mapping[str, bool] = {"yes": True, "true": True, "no": False, "false": False}
#: Reasons for which a reply could not be read.
UNREADABLE = ("malformed", "off_scale", "length_stop", "empty", "truncated_body")


#: What a field of a judge may hold.
Setting = bool | int | float | str


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A judge as it is set up, or as it spoke without that.

    `judge` is PROVIDER:MODEL; `derived`: it is made from others (learned, panel); `present` says
    that the project's panel is meant, `examples` how many corrections its prompt holds. `options`
    are those of `FIELDS` that are set, the rest is `BESIDE` (prices in US dollars per million
    tokens), None where nothing is set.
    """

    name: str
    judge: str
    set_up: bool
    derived: bool
    present: bool
    options: Mapping[str, Setting]
    examples: int
    base_url: str | None
    headers: str | None
    input_price: float | None
    output_price: float | None


@dataclass(frozen=True, slots=True)
class ListedJudge(JudgeRow):
    """A judge of the list; `only_tried`: it spoke in tries alone."""

    only_tried: bool


@dataclass(frozen=True, slots=True)
class KeptJudge(JudgeRow):
    """A judge that was just set up, with sentences about what is hardly meant so."""

    notes: list[str]


@dataclass(frozen=True, slots=True)
class JudgeList:
    """The judges of a project, with what the page and `cograde judges list` say of them.

    `panel` is the project's as it is stored; `recorded` counts calls and kept replies by model;
    `lost` says what is lost with these; `fields`: the name of each field and of its kind.
    """

    title: str
    subtitle: str
    judges: list[ListedJudge]
    panel: JSON | None
    lessons: list[learn.LessonReport]
    recorded: list[ledger.ModelContent]
    lost: str
    fields: Mapping[str, str]


@needs("look")
def judge_list(scope: Scope, project_name: str) -> JudgeList:
    """The judges that are set up and those that spoke, the panel, the learned judge, and what is
    recorded of their calls."""
    project = scope.project(project_name)
    known: Mapping[str, Any] = project.settings.get("judges") or {}
    recorded = ledger.content_by_model(scope.ws.db, project)
    last = dict.fromkeys([*known, *names.judges(scope.ws.db, project)])
    tried = names.only_tried(scope.ws.db, project)
    rows = [
        ListedJudge(**as_dict(_row(project, name, known.get(name))), only_tried=name in tried)
        for name in last
    ]
    lessons = learn.lesson_list(scope, project_name)
    return JudgeList(
        title=_title(rows, lessons),
        subtitle=say("runs.judges.subtitle"),
        judges=rows,
        panel=project.settings.get("panel") or None,
        lessons=lessons,
        recorded=recorded,
        lost=lost_words(),
        fields={name: kind.__name__ for name, kind in {**FIELDS, **BESIDE}.items()},
    )


def lost_words() -> str:
    """What is lost with the recorded content."""
    return say("runs.judges.lost")


def _title(rows: Sequence[ListedJudge], lessons: list[learn.LessonReport]) -> str:
    asked = [row for row in rows if not row.derived and (row.set_up or not row.only_tried)]
    more = sum(row.only_tried and not row.set_up for row in rows)
    head = several(len(asked), "judge") if asked else say("runs.judges.none")
    if more:
        head = say("runs.judges.tried", n=more, judges=head)
    ready, ruled = (
        sum(test(lesson) for lesson in lessons)
        for test in (lambda one: not one.refused, lambda one: one.measured)
    )
    of = len(lessons) - ruled
    if not of:
        return say("runs.judges.title", judges=head)
    learned = say("runs.judges.learned", ready=ready, criteria=several(of, "criterion"))
    if ruled:
        learned = say("runs.judges.ruled", learned=learned, n=ruled)
    return say("runs.judges.title_learned", judges=head, learned=learned)


def _row(project: Project, name: str, card: JSON | None) -> JudgeRow:
    panel = project.settings.get("panel") or {}
    kept: JSON = card or {}
    return JudgeRow(
        name=name,
        judge=str(kept.get("judge") or name),
        set_up=card is not None,
        derived=derived_judges.is_derived(name),
        present=name == panel.get("author"),
        options=dict(kept.get("options") or {}),
        examples=len(kept.get("examples") or ()),
        base_url=kept.get("base_url"),
        headers=kept.get("headers"),
        input_price=kept.get("input_price"),
        output_price=kept.get("output_price"),
    )


@dataclass(frozen=True, slots=True)
class WithoutValue:
    """So many cells got no value for one reason, which `why` says in words."""

    why: str
    reason: str
    cells: int


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """What a judge did on a criterion (its key), as it is worded now.

    `asked` and `given`: cells it was asked about, and those with a value; `money` in US dollars,
    None where nothing has a known price, and `unpriced` verdicts without one; `unreadable` replies
    and their `share` of the cells asked about, from 0 to 1; `reasons` for cells without a value.
    """

    judge: str
    criterion: str
    asked: int
    given: int
    money: float | None
    unpriced: int
    unreadable: int
    share: float | None
    reasons: list[WithoutValue]


@needs("look")
def figures(scope: Scope, project_name: str) -> list[JudgeFigures]:
    """The figures of each judge on each criterion."""
    project = scope.project(project_name)
    why = judges.reasons(scope.ws.db, project)
    found = []
    for row in judges.by_criterion(scope.ws.db, project):
        reasons = why.get((row.judge, row.criterion), {})
        unread = sum(reasons.get(reason, 0) for reason in UNREADABLE)
        told = [
            WithoutValue(reason_words(reason), reason, count) for reason, count in reasons.items()
        ]
        # what is known to cost nothing says nothing of the others
        money = row.money or (None if row.unpriced else row.money)
        found.append(
            JudgeFigures(
                judge=row.judge,
                criterion=row.criterion,
                asked=row.asked,
                given=row.given,
                money=money,
                unpriced=row.unpriced,
                unreadable=unread,
                share=unread / row.asked if row.asked else None,
                reasons=told,
            )
        )
    return found


@needs("run")
def set_up(
    scope: Scope, project_name: str, name: str, judge: str, given: Mapping[str, Any]
) -> KeptJudge:
    """Keep a judge under a name of the project's own, or change it; a run takes it by that name.
    Returns it as it is kept, with `notes` about what is hardly meant so.

    InputError for a field that is off; nothing is sent.
    """
    project = scope.project(project_name)
    name, judge = name.strip(), judge.strip()
    if (
        not name
        or ":" in name
        or "," in name
        or " " in name
        or len(name) > 60
        or derived_judges.is_derived(name)
    ):
        raise InputError(**error_parts("runs.error.judge_name", found=repr(name)[:70]))
    card = card_of(
        scope,
        project,
        name,
        judge,
        given,
        ((project.settings.get("judges") or {}).get(name) or {}).get("examples") or (),
    )
    kept = {**(project.settings.get("judges") or {}), name: card}
    projects.set_settings(scope.ws, project, {"judges": kept})
    projects.log_event(scope.ws, project, scope.actor.person_id, "judge", {"name": name, **card})
    (setup,) = Options.of({"judges": [name], "cards": {name: card}}).setups(scope.ws)
    return KeptJudge(**as_dict(_row(project, name, card)), notes=odd(setup))


def card_of(
    scope: Scope,
    project: Project,
    name: str,
    judge: str,
    given: Mapping[str, Any],
    examples: Sequence[Mapping[str, Any]] = (),
) -> JSON:
    """A judge as a project keeps it, from its fields and its examples; InputError for a field that
    is off. Nothing is kept."""
    unknown = sorted(set(given) - set(FIELDS) - set(BESIDE))
    if unknown:
        raise InputError(
            **error_parts(
                "runs.error.judge_field",
                name=name,
                field=unknown[0][:40],
                names=", ".join([*FIELDS, *BESIDE]),
            )
        )
    read = {
        field: _read(name, field, kind, given[field])
        for field, kind in {**FIELDS, **BESIDE}.items()
        if given.get(field) not in (None, "")
    }
    card = {
        "judge": judge,
        "options": {f: v for f, v in read.items() if f in FIELDS},
        **{f: v for f, v in read.items() if f in BESIDE},
    }
    if examples:
        card["examples"] = [*examples]
    if _strange(scope, (project.settings.get("judges") or {}).get(name) or {}, card):
        card["from_page"] = True
    _check_language(scope, project, name, str(read.get("prompt_language") or ""))
    header_lines(f"judge {name}", str(card.get("headers") or ""), fill=False)
    if scope.actor.own_key_only and names_variable(str(card.get("headers") or "")):
        raise NotAllowed(**error_parts("runs.error.own_variable"))
    check_typed(str(card.get("base_url") or ""))
    Options.of({"judges": [name], "cards": {name: card}}).setups(
        scope.ws, criteria=asked_criteria.judged_criteria(scope.ws, project)
    )
    return card


def _strange(scope: Scope, before: Mapping[str, Any], card: Mapping[str, Any]) -> bool:
    """Whether a judge's address came in a request of a page; one that was set on the machine before
    stays the owner's."""
    there, then = (
        str(one.get("base_url") or judge_setup.split_address(str(one.get("judge") or ""))[1])
        for one in (card, before)
    )
    return (
        scope.actor.through_page
        and bool(there)
        and (there != then or bool(before.get("from_page")))
    )


def _check_language(scope: Scope, project: Project, name: str, language: str) -> None:
    """InputError for a language that no rubric of the project has: the rubric's own words would be
    shown without a notice."""
    there = sorted(
        {code for rubric in projects.rubrics(scope.ws, project) for code in rubric.translations}
    )
    if language and language not in there:
        raise InputError(
            **error_parts(
                "runs.error.prompt_language",
                name=name,
                found=repr(language)[:60],
                expected=say("runs.languages", names=", ".join(there))
                if there
                else say("runs.no_language"),
            )
        )


def _read(name: str, field: str, kind: type, value: Any) -> Any:
    try:
        if kind is bool and str(value).lower() in YES_NO:
            return YES_NO[str(value).lower()]
        if isinstance(value, bool) or kind is bool:
            raise ValueError
        made = kind(value.strip() if isinstance(value, str) else value)
        if kind is not str and not 0 <= made < 1e9:
            raise ValueError
        if kind is float and made > MOST.get(field, made):
            raise ValueError
    except (TypeError, ValueError):
        expected = say(f"runs.kind.{kind.__name__}")
        if field in MOST:
            expected = say("runs.kind.at_most", kind=expected, most=MOST[field])
        raise InputError(
            **error_parts(
                "runs.error.field",
                name=name,
                field=field,
                expected=expected,
                found=repr(value)[:60],
            )
        ) from None
    if isinstance(made, str) and len(made) > 2_000:
        raise InputError(
            **error_parts("runs.error.field_long", name=name, field=field, count=len(made))
        )
    return made


@needs("run")
def take_down(scope: Scope, project_name: str, name: str) -> None:
    """Forget how a judge was set up; what it said stays."""
    project = scope.project(project_name)
    kept = dict(project.settings.get("judges") or {})
    if kept.pop(name, None) is None:
        raise NotFound(
            **error_parts(
                "runs.error.no_kept_judge",
                name=name[:60],
                names=", ".join(kept) or say("runs.none_yet"),
            )
        )
    projects.set_settings(scope.ws, project, {"judges": kept})
    projects.log_event(
        scope.ws, project, scope.actor.person_id, "judge", {"name": name, "removed": True}
    )


@needs("run")
def may_learn(scope: Scope, project_name: str) -> None:
    """Raise where the actor may not have the learned judge learn, or there is no such project."""
    scope.project(project_name)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The number of calls whose content was deleted, and a sentence about it."""

    calls: int
    message: str


@needs("run")
def forget(scope: Scope, project_name: str, model: str = "") -> Forgotten:
    """Delete the recorded requests and replies of one model, or of all; says what is lost. Not
    while a run is at work."""
    project = scope.project(project_name)
    running = runs.status(scope, project_name)
    if running is not None and running.state in (RunState.QUEUED, RunState.RUNNING):
        raise InputError(**error_parts("runs.error.at_work", run=running.id, project=project.name))
    if model and model not in {row.model for row in ledger.content_by_model(scope.ws.db, project)}:
        raise NotFound(**error_parts("runs.error.no_model", model=model[:60]))
    calls = ledger.forget_content(scope.ws, project, model)
    projects.log_event(
        scope.ws, project, scope.actor.person_id, "forget", {"model": model, "calls": calls}
    )
    return Forgotten(
        calls,
        say("runs.judges.forgotten", calls=several(calls, "call"), lost=lost_words()),
    )
