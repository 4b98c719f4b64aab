"""Agreement: how far judges and people agree on each criterion, beside how far people agree among
themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.errors import InputError, NotFound
from graders.statistics.resampling import MIN_QUESTIONS
from graders.store.calls import runs
from graders.store.figures import leaderboard as stored
from graders.store.figures import reports
from graders.store.figures.reports import Side
from graders.store.opinions import opinions as opinion_store
from graders.store.opinions import opinions as store
from graders.store.opinions import tallies, verdicts
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.agreement import _repeats, criterion_report, sentences
from graders.workflows.agreement import ground as agreement_ground
from graders.workflows.agreement import words as agreement_words
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.cells.policy import LEARNED
from graders.workflows.opinions import author_ceilings, pair_figures
from graders.workflows.opinions import frame as opinions_frame
from graders.workflows.opinions.narrowing import choices, filters_of
from graders.workflows.opinions.pair_figures import MIN_CELLS
from graders.workflows.opinions.participants import aside_words, watermark
from graders.workflows.results import answer_row
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.missing_reasons import cause_counts, reason_words
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed, several
from graders.workflows.scope.seen import mark_seen

#: Answers on one page behind a cell of a matrix.
ANSWERS_A_PAGE = 20
#: Computed reports that are kept in memory.
KEPT_REPORTS = 32
#: Words of judges that may stand in for a person; exit codes of those that may not, or not yet.
GOOD, NOT_TRUSTED, INCONCLUSIVE = frozenset({"as good", "better"}), 4, 5
#: With fewer opinions of people than this, intervals are there as soon as counts.
FEW_OPINIONS = 10_000

__all__ = ["agreement", "filters_of", "forget", "gate", "matrix_cell"]

_kept = Memory(KEPT_REPORTS)


@needs("look")
def agreement(
    scope: Scope,
    project_name: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
    intervals: bool = True,
    everyone: bool = False,
) -> dict[str, Any]:
    """Per criterion: each judge beside the ceiling and against `adjudicated`, people among
    themselves, and every pair with its matrix.

    Figures are kappa (quadratic weights on ordered scales; rank correlation on plain ranges) with
    the jackknife interval by questions, raw agreement and Gwet's AC. Only present opinions under
    the present wording on current answers count. `blind_only` False adds verdicts that were given
    with suggestions in view. `population` is all, people or audit: which draw's blind verdicts
    count, the widest there is unless named; each verdict weighs 1/probability. `filters` narrow the
    verdicts of people down. `intervals` False asks for the figures soon, if need be without
    intervals and what hangs on them; `intervals` of the report says whether it has them. `everyone`
    counts also people who are set aside.
    """
    view = View(blind_only, population, filters, everyone)
    project = scope.project(project_name)
    key = (str(scope.ws.path.resolve()), project.id, view)
    idle = judges_without_figures(scope, project)
    mark = (*watermark(scope, project), idle)
    known: dict[str, Any] | None = _kept.peek((*key, True), mark) or (
        None if intervals else _kept.peek((*key, False), mark)
    )
    if known is not None:
        return known
    report = {**_compute(scope, ground(scope, project, view), intervals), "idle": idle}
    _kept.keep((*key, report["intervals"]), mark, report)
    # another request may have computed the intervals meanwhile
    full: dict[str, Any] | None = _kept.peek((*key, True), mark)
    return full or report


def gate(report: Mapping[str, Any], criterion_key: str = "") -> int:
    """The exit code of a report for scripts: 0 where on each criterion (or the one named) a judge
    is as good as a person, 4 where on one of them every judge is worse, 5 where labels do not
    suffice to say."""
    rows = [row for row in report["criteria"] if criterion_key in ("", row["key"])]
    if criterion_key and not rows:
        have = ", ".join(row["key"] for row in report["criteria"]) or "none that two have graded"
        raise NotFound(
            f"criterion {criterion_key!r}", found="no figures on it", expected=f"one of {have}"
        )
    words = [{judge["verdict"]["word"] for judge in row["judges"]} for row in rows]
    if not words or any(
        not found or ("INCONCLUSIVE" in found and not found & GOOD) for found in words
    ):
        return INCONCLUSIVE if not any(found == {"worse"} for found in words) else NOT_TRUSTED
    return 0 if all(found & GOOD for found in words) else NOT_TRUSTED


def forget() -> None:
    """Drop the reports that are kept in memory."""
    _kept.forget()
    agreement_ground.forget()


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
    filters: Filters = EVERYTHING,
) -> dict[str, Any]:
    """The answers behind one cell of a confusion matrix: those where author `a` gave `value_a` and
    `b` gave `value_b`.

    Authors are ``judge:NAME`` or ``person:ID``, values the words of the matrix's rows. Whoever
    looks has seen their marks.
    """
    project = scope.project(project_name)
    found = ground(scope, project, View(blind_only, population, filters))
    criterion, _ = found.one(criterion_key)
    designs = opinions_frame.POPULATIONS[found.population].designs if blind_only else ()
    known = {
        f"{kind}:{name}": (row_id, kind, name)
        for row_id, (kind, name) in verdicts.authors(scope.ws.db, project).items()
    }
    sides = [
        _side(known, criterion, who, value, blind_only, designs)
        for who, value in ((a, value_a), (b, value_b))
    ]
    # People give fewer verdicts than judges: their rows are walked.
    walked = sides if known[a][1] == "person" else sides[::-1]
    size = ANSWERS_A_PAGE
    total, _ = reports.shared_cells(
        scope.ws.db, criterion, walked[0], walked[1], limit=0, offset=0, filters=filters
    )
    page, pages, _ = page_of(range(total), page, size)
    _, cells = reports.shared_cells(
        scope.ws.db,
        criterion,
        walked[0],
        walked[1],
        limit=size,
        offset=(page - 1) * size,
        filters=filters,
    )
    rows = reports.cell_answers(scope.ws.db, cells)
    mark_seen(scope, (row.subject_id for row in rows))
    said = verdicts.verdicts_of(scope.ws.db, cells)
    names = [
        found.circle.names.get(known[who][2], known[who][2])
        if known[who][1] == "person"
        else known[who][2]
        for who in (a, b)
    ]
    who = [
        (kind, name, shown)
        for (_, kind, name), shown in zip((known[a], known[b]), names, strict=True)
    ]
    return {
        "criterion": {"key": criterion.key, "title": criterion.criterion.title},
        "a": {"ref": a, "name": names[0], "value": value_a},
        "b": {"ref": b, "name": names[1], "value": value_b},
        "total": total,
        "rows": [
            answer_row.answer_row(row, said.get(row.cell_id, []), who, criterion) for row in rows
        ],
        "page": page,
        "pages": pages,
    }


def _compute(scope: Scope, found: Ground, intervals: bool) -> dict[str, Any]:
    project, circle, blind_only = found.project, found.circle, found.view.blind_only
    intervals = intervals or sum(len(opinions.author) for opinions in found.loaded) < FEW_OPINIONS
    made = [
        criterion_report.criterion_report(
            criterion, opinions, circle, blind_only, found.population, intervals=intervals
        )
        for criterion, opinions in zip(found.criteria, found.loaded, strict=True)
    ]
    shown = [report for report, of in made if of]
    for place, (criterion, opinions, (report, _)) in enumerate(
        zip(found.criteria, found.loaded, made, strict=True)
    ):
        report["people"]["self"] = pair_figures.interval_json(
            _repeats.ceiling(scope.ws.db, found, place)
        )
        report["control"] = author_ceilings.opinions(scope.ws, project, criterion)
        report["left_out"]["earlier_wording"] = opinion_store.other_wordings(
            scope.ws.db, criterion, found.of_people(), found.view.filters
        )
        say(scope, found, criterion, report)
        words = sentences.counted(found, opinions, report.pop("planned"))
        report["counted"] = words
        for judge in report["judges"]:
            judge["sentence"] = sentences.headline(report, judge, words)
        report["people"]["sentence"] = sentences.ceiling(report, words)
        for two in made[place][1]:
            two["sentence"] = sentences.pair(report, two, words)
        report["silent"] = silent(scope, found, criterion, report)
    pairs = [{"criterion": report["key"], **two} for report, of in made for two in of]
    chosen = sum(r["left_out"].pop("adjudicated") for r, _ in made)
    left_out = {
        "assisted": sum(r["left_out"]["assisted"] for r, _ in made) if blind_only else 0,
        "other_draws": sum(r["left_out"]["other_draws"] for r, _ in made),
        **{name: sum(r["left_out"][name] for r, _ in made) for name in opinions_frame.NO_SAMPLE},
        "earlier_wording": sum(r["left_out"]["earlier_wording"] for r, _ in made),
    }
    title, subtitle = agreement_words.title(
        shown, len(circle.judges), left_out, blind_only, chosen=chosen, intervals=intervals
    )
    return {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "title": title,
        "subtitle": f"{subtitle}{aside_words(circle)}".strip(),
        "blind_only": blind_only,
        "intervals": intervals,
        "population": agreement_words.population_json(
            found.population, found.loaded, blind_only, found.only
        ),
        "filters": found.view.filters.chosen,
        "choices": choices(scope, project),
        "reference_group": circle.reference,
        "left_out": left_out,
        "criteria": shown,
        "without": [report["title"] for report, of in made if not of],
        "pairs": pairs,
    }


def _side(
    known: Mapping[str, tuple[int, str, str]],
    criterion: CriterionRow,
    who: str,
    value: str,
    blind_only: bool,
    designs: tuple[str, ...],
) -> Side:
    if who not in known:
        raise NotFound(
            f"author {who!r}",
            found="nobody of that name",
            expected="one of " + ", ".join(sorted(known))[:400],
        )
    ranges = {words: (low, high) for words, low, high in pair_figures.ranges(criterion.scale)}
    if value not in ranges:
        raise InputError(
            f"value of {who}",
            found=repr(value),
            expected="one of " + ", ".join(ranges),
            remedy="Choose one of these.",
        )
    row_id, kind, _ = known[who]
    person = kind == "person"
    return Side(
        row_id,
        *ranges[value],
        blind=blind_only and person,
        designs=designs if person else (),
        person=person,
    )


# -- where Agreement asks for more labels, cells or questions than there are, it says so: nobody
# should set out to collect them

NOT_THERE = "further people or questions are needed"


def say(scope: Scope, found: Ground, criterion: CriterionRow, report: dict[str, Any]) -> None:
    """Add to the reasons of a criterion's verdicts how many there are, where more are asked for;
    the people counted are its `planned`."""
    wanting = [
        judge["verdict"]
        for judge in report["judges"]
        if judge["verdict"].get("short") or judge["verdict"]["missing"]
    ]
    if not wanting:
        return
    filters = found.view.filters
    cells = tallies.cells_with(scope.ws.db, criterion.id, filters)
    questions = MIN_QUESTIONS
    if any(verdict.get("short") == "questions" for verdict in wanting):
        rows = stored.questions_with(scope.ws.db, found.project, filters)
        questions = rows.count(",") + 1 if rows else 0
    for verdict in wanting:
        short = verdict.get("short")
        if short == "cells" and cells < MIN_CELLS:
            verdict["reason"] += (
                f"; there {'is' if cells == 1 else 'are'} only {several(cells, 'cell')}"
            )
        elif short == "questions" and questions < MIN_QUESTIONS:
            verdict["reason"] += (
                f"; there {'is' if questions == 1 else 'are'} only {several(questions, 'question')}"
            )
        elif not short:
            verdict["reason"] += _left(verdict["missing"], cells, report)


def _left(missing: int, cells: int, report: dict[str, Any]) -> str:
    """How many labels the people who are counted could still give, where that is fewer than are
    missing."""
    people = len(report["planned"])
    left = max(0, people * cells - report["labels"])
    if missing <= left:
        return ""
    if not left:
        return f"; but every cell has one of each person already: {NOT_THERE}"
    bare = max(0, cells - report["cells"])
    none_yet = (
        f" ({several(bare, 'cell')} {'has' if bare == 1 else 'have'} none yet)" if bare else ""
    )
    who = "this person" if people == 1 else f"these {people} people"
    return f"; but {who} can give only {left:,} more{none_yet}: {NOT_THERE}"


# -- judges that Agreement has no figure of, each with the reason: no value, other answers or
# criteria only, failed calls, no run yet

#: So many judges of one reason are named.
NAMED = 3


def silent(
    scope: Scope, found: Ground, criterion: CriterionRow, report: dict[str, Any]
) -> list[dict[str, Any]]:
    """{name, cells, words} of judges without a row on a criterion: `cells` that they graded, and
    why there is no figure."""
    circle, shown = found.circle, {judge["ref"] for judge in report["judges"]}
    without = [
        i for i, name in circle.judges.items() if circle.ref(i) not in shown and name != LEARNED
    ]
    if not without:
        return []
    said = store.said_by(scope.ws.db, criterion, without)
    rows: list[dict[str, Any]] = []
    elsewhere: list[str] = []
    reworded: list[str] = []
    for judge in without:
        graded, valued, anew = said.get(judge, (0, 0, 0))
        name = circle.label(judge)
        if valued:
            words = f"{name} graded {several(graded, 'cell')}, and none of those that count here"
        elif graded:
            words = (
                f"{name} gave no value on any of {several(graded, 'cell')}: "
                f"{_reasons(scope, criterion, judge)}"
            )
        else:
            (reworded if anew else elsewhere).append(name)
            continue
        rows.append({"name": name, "cells": graded, "words": words})
    for names, why in (
        (reworded, "under another wording only"),
        (elsewhere, "other criteria only"),
    ):
        if names:
            who = listed(sorted(names)) if len(names) <= NAMED else f"{len(names)} more judges"
            rows.append({"name": who, "cells": 0, "words": f"{who} graded {why}"})
    return rows


def judges_without_figures(scope: Scope, project: Project) -> str:
    """The judges that are set up, or were asked in the latest run, and have not one verdict, with
    the reason; empty where there is none."""
    last = runs.latest_run(scope.ws, project)
    asked = (
        {str(judge["name"]): judge for judge in (last.progress.get("judges") or [])} if last else {}
    )
    known = {
        name for kind, name in verdicts.authors(scope.ws.db, project).values() if kind == "judge"
    }
    told = []
    for name in dict.fromkeys([*(project.settings.get("judges") or {}), *asked]):
        if name in known or name == LEARNED:
            continue
        failed = asked.get(name, {}).get("reasons") or {}
        told.append(
            f"{name} ({f'all failed: {cause_counts(failed)}' if failed else 'nothing run yet'})"
        )
    return f"Without a verdict: {', '.join(told)}." if told else ""


def _reasons(scope: Scope, criterion: CriterionRow, judge: int) -> str:
    """Why a judge gave no value; with counts where there are several reasons."""
    counts = store.reasons_without(scope.ws.db, criterion, judge)
    told = [reason_words(reason) or "no reason is known" for reason, _ in counts]
    if len(told) == 1:
        return told[0].rstrip(".")
    return " ".join(
        f"{count:,} times: {words}" for (_, count), words in zip(counts, told, strict=True)
    ).rstrip(".")
