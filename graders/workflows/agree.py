"""Agreement: how far judges and people agree on each criterion, beside how far people agree among themselves."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graders.core.errors import InputError, NotFound
from graders.store import controls as control_store
from graders.store import projects, reports, verdicts
from graders.store.projects import CriterionRow, Project
from graders.store.reports import Side
from graders.workflows import _agreement, _agreement_words, _figures, _opinions, controls
from graders.workflows._circle import circle_of, watermark
from graders.workflows.permissions import Scope, needs
from graders.workflows.results import criteria_of, criterion_named, mark_seen, page_of

#: Answers on one page behind a cell of a matrix.
ANSWERS_A_PAGE = 20
#: Computed reports that are kept in memory.
KEPT_REPORTS = 32
#: With fewer opinions of people than this, intervals are there as soon as counts.
FEW_OPINIONS = 10_000

_kept: dict[tuple[Any, ...], tuple[tuple[Any, ...], dict[str, Any]]] = {}
_guard = threading.Lock()


@needs("look")
def agreement(scope: Scope, project_name: str, *, blind_only: bool = True, population: str = "", intervals: bool = True) -> dict[str, Any]:
    """Per criterion: each judge against people and against `adjudicated`, people among themselves, and every pair with its matrix.

    Figures are kappa (quadratic weights on ordered scales; rank correlation on plain ranges) with the jackknife interval by
    questions, raw agreement and Gwet's AC. Only present opinions under the present wording on current answers count.
    `blind_only` False adds verdicts that were given with suggestions in view. `population` is all, people or audit: which
    draw's blind verdicts count, the widest there is unless named; each verdict weighs 1/probability. `intervals` False asks for
    the figures soon, if need be without intervals and what hangs on them; `intervals` of the report says whether it has them.
    """
    if population not in ("", *_opinions.POPULATIONS):
        raise InputError(
            "population", found=repr(population), expected="one of " + ", ".join(_opinions.POPULATIONS), remedy="Choose one of these."
        )
    project = scope.project(project_name)
    key = (str(scope.ws.path.resolve()), project.id, blind_only, population)
    mark = watermark(scope, project)
    with _guard:
        known = _kept.get(key)
    if known is not None and known[0] == mark and (known[1]["intervals"] or not intervals):
        return known[1]
    report = _compute(scope, project, blind_only, population, intervals)
    with _guard:
        later = _kept.pop(key, None)
        if later is not None and later[0] == mark and later[1]["intervals"]:
            report = later[1]  # another request was computing the intervals meanwhile
        _kept[key] = (mark, report)
        while len(_kept) > KEPT_REPORTS:
            _kept.pop(next(iter(_kept)))
    return report


def forget() -> None:
    """Drop the reports that are kept in memory."""
    with _guard:
        _kept.clear()


@needs("look")
def matrix_cell(
    scope: Scope,
    project_name: str,
    criterion_key: str,
    a: str,
    b: str,
    value_a: str,
    value_b: str,
    page: int = 1,
    *,
    blind_only: bool = True,
    population: str = "",
) -> dict[str, Any]:
    """The answers behind one cell of a confusion matrix: those where author `a` gave `value_a` and `b` gave `value_b`.

    Authors are ``judge:NAME`` or ``person:ID``, values the words of the matrix's rows. Whoever looks has seen their marks.
    """
    project = scope.project(project_name)
    criterion = criterion_named(scope, project, criterion_key)
    chosen = population or agreement(scope, project_name, blind_only=blind_only, intervals=False)["population"]["name"]
    designs = _opinions.POPULATIONS[chosen].designs if blind_only and chosen in _opinions.POPULATIONS else ()
    known = {f"{kind}:{name}": (row_id, kind, name) for row_id, (kind, name) in verdicts.authors(scope.ws.db, project).items()}
    sides = [_side(known, criterion, who, value, blind_only, designs) for who, value in ((a, value_a), (b, value_b))]
    # People give fewer verdicts than judges: their rows are walked.
    walked = sides if known[a][1] == "person" else sides[::-1]
    size = ANSWERS_A_PAGE
    total, _ = reports.shared_cells(scope.ws.db, criterion, walked[0], walked[1], limit=0, offset=0)
    page, pages, _ = page_of(range(total), page, size)
    _, cells = reports.shared_cells(scope.ws.db, criterion, walked[0], walked[1], limit=size, offset=(page - 1) * size)
    rows = reports.cell_answers(scope.ws.db, cells)
    mark_seen(scope, (row["subject_id"] for row in rows))
    said = verdicts.verdicts_of(scope.ws.db, cells)
    people = projects.people(scope.ws)
    names = [people[known[who][2]].name if known[who][1] == "person" and known[who][2] in people else known[who][2] for who in (a, b)]
    return {
        "criterion": {"key": criterion.key, "title": criterion.criterion.title},
        "a": {"ref": a, "name": names[0], "value": value_a},
        "b": {"ref": b, "name": names[1], "value": value_b},
        "total": total,
        "rows": [_answer_row(row, said.get(row["cell_id"], []), [known[a], known[b]], names, criterion) for row in rows],
        "page": page,
        "pages": pages,
    }


def _compute(scope: Scope, project: Project, blind_only: bool, population: str, intervals: bool) -> dict[str, Any]:
    circle = circle_of(scope, project)
    criteria = criteria_of(scope, project)
    loaded = _load(scope, project, criteria, circle)
    intervals = intervals or sum(len(opinions.author) for opinions in loaded) < FEW_OPINIONS
    chosen = population or _opinions.widest(loaded) if blind_only else ""
    made = [
        _agreement.criterion_report(criterion, opinions, circle, blind_only, chosen, intervals=intervals)
        for criterion, opinions in zip(criteria, loaded, strict=True)
    ]
    pairs = [pair for report, found in made for pair in ({"criterion": report["key"], **p} for p in found)]
    shown = [report for report, found in made if found]
    for criterion, (report, _) in zip(criteria, made, strict=True):
        report["control"] = controls.opinions(scope.ws, project, criterion)
    left_out = {
        "assisted": sum(r["left_out"]["assisted"] for r, _ in made) if blind_only else 0,
        "other_draws": sum(r["left_out"]["other_draws"] for r, _ in made),
    }
    title, subtitle = _agreement_words.title(shown, len(circle.judges), left_out, blind_only, intervals=intervals)
    return {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "title": title,
        "subtitle": subtitle,
        "blind_only": blind_only,
        "intervals": intervals,
        "population": _agreement_words.population_json(chosen, loaded, blind_only),
        "reference_group": circle.reference,
        "left_out": left_out,
        "criteria": shown,
        "without": [report["title"] for report, found in made if not found],
        "pairs": pairs,
    }


def _load(scope: Scope, project: Project, criteria: Sequence[CriterionRow], circle: _opinions.Circle) -> list[_opinions.Opinions]:
    """The opinions on each criterion, of current answers."""
    everyone = [*circle.people, *([circle.adjudicated] if circle.adjudicated is not None else [])]
    # Neither superseded answers nor authors' own texts are answers of the models that the figures are about.
    superseded = np.array([*reports.superseded(scope.ws.db, project), *control_store.control_cells(scope.ws.db, project)], int)
    return [
        _opinions.Opinions.of(
            reports.people_opinions(scope.ws.db, criterion, everyone),
            reports.judge_opinions(scope.ws.db, criterion, list(circle.judges), everyone),
            superseded,
        )
        for criterion in criteria
    ]


def _side(
    known: Mapping[str, tuple[int, str, str]], criterion: CriterionRow, who: str, value: str, blind_only: bool, designs: tuple[str, ...]
) -> Side:
    if who not in known:
        raise NotFound(f"author {who!r}", found="nobody of that name", expected="one of " + ", ".join(sorted(known))[:400])
    ranges = {words: (low, high) for words, low, high in _figures.ranges(criterion.scale)}
    if value not in ranges:
        raise InputError(f"value of {who}", found=repr(value), expected="one of " + ", ".join(ranges), remedy="Choose one of these.")
    row_id, kind, _ = known[who]
    person = kind == "person"
    return Side(row_id, *ranges[value], blind=blind_only and person, designs=designs if person else ())


def _answer_row(
    row: Mapping[str, Any], said: list[dict[str, Any]], who: list[tuple[int, str, str]], names: list[str], criterion: CriterionRow
) -> dict[str, Any]:
    """One answer with what the two authors said of it."""
    sides = []
    for (_, kind, name), shown in zip(who, names, strict=True):
        found = next((v for v in said if v["author_kind"] == kind and v["author"] == name), None)
        if found is None:
            continue
        origin, mark = found["provenance"] or {}, found["mark"]
        word = "" if mark.value is None else criterion.scale.word(mark.value)
        said_why = mark.rationale or origin.get("comment", "")
        sides.append({"name": shown, "value": mark.value, "word": word, "rationale": said_why, "arm": origin.get("arm", "")})
    return {
        "question_id": row["question_id"],
        "question": row["question"][:400],
        "references": json.loads(row["refs"]),
        "model": row["model"],
        "version": row["version"],
        "part": row["part"],
        "answer": row["answer"],
        "said": sides,
    }
