"""Answers on which a judge and people differ: all of them, and in groups by whose fault it was, by
fault, by likeness of their texts."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.core.errors import InputError, NotFound
from graders.core.shapes import as_dict
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Array, undefined
from graders.store.answers import content
from graders.store.figures import reports
from graders.store.opinions import opinions as opinion_store
from graders.store.opinions import verdicts
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.workflows.agreement import sentences
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.cells.policy import measured
from graders.workflows.opinions.pair_figures import interval_json
from graders.workflows.results import answer_row
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.seen import mark_seen

#: How disagreements may be grouped, in words.
GROUPINGS = {"fault_of": "whose fault", "fault": "fault of the answer", "text": "likeness of text"}
#: Whose fault a disagreement was, as the desk asks it; which of them are mended in the rubric or
#: the reference.
FAULT_OF = ("judge wrong", "rubric unclear", "reference wrong", "matter of taste")
MENDED = ("rubric unclear", "reference wrong")
UNSAID, NO_FAULT = "no reason given", "no fault found"
ANSWERS_A_PAGE = 20
#: At most so many texts are compared, evenly spread; so much of a text.
MOST_TEXTS, TEXT_LENGTH = 1_000, 600


@dataclass(frozen=True, slots=True)
class Differing:
    """Verdicts of people that differ: place of the criterion, rows of cell and person, question,
    the judges they differ from."""

    criterion: Array
    cell: Array
    author: Array
    question: Array
    judges: tuple[tuple[int, ...], ...]


@needs("look")
def disagreements(
    scope: Scope,
    project_name: str,
    *,
    criterion_key: str = "",
    judge: str = "",
    grouping: str = "fault_of",
    group: str = "",
    page: int = 1,
    filters: Filters = EVERYTHING,
    allowed: Container[str] | None = None,
) -> dict[str, Any]:
    """Verdicts of people that differ from those of `judge` (or of any judge) on a criterion (or
    all), in groups, a page at a time.

    All verdicts of people count here, blind and assisted: reasons are named where a suggestion is
    corrected. `mended`: the share of the disagreements with a reason that are the rubric's or the
    reference's, by questions. Whoever looks has seen the marks. Where questions (ids) are
    `allowed`, the others are counted, and neither shown nor seen.
    """
    if grouping not in GROUPINGS:
        raise InputError(
            "grouping",
            found=repr(grouping[:40]),
            expected="one of " + ", ".join(GROUPINGS),
            remedy="Choose one of these.",
        )
    found = ground(scope, scope.project(project_name), View(blind_only=False, filters=filters))
    differing = _differing(found, criterion_key, judge)
    said = _reasons(scope, found)
    reasons = [
        said.get((int(c), int(a)), "")
        for c, a in zip(differing.cell, differing.author, strict=True)
    ]
    members = _members(scope, differing, reasons, grouping)
    rows = [
        {"key": key, "count": len(at)}
        for key, at in sorted(members.items(), key=lambda one: (-len(one[1]), one[0]))
    ]
    chosen = members.get(group, []) if group else list(range(len(differing.cell)))
    listed = chosen if allowed is None else _about(scope, found, differing, chosen, allowed)
    page, pages, shown = page_of(listed, page, ANSWERS_A_PAGE)
    return {
        "title": _title(differing, found, criterion_key, judge),
        "counted": "all verdicts of people, blind and assisted" + _only(found),
        "mended": _mended(differing, reasons, found, filters),
        "grouping": grouping,
        "groupings": [{"value": name, "words": words} for name, words in GROUPINGS.items()],
        "groups": rows,
        "compared": min(len(differing.cell), MOST_TEXTS) if grouping == "text" else None,
        "group": group,
        "criteria": _choices(found, criterion_key),
        "judges": [
            {"value": found.circle.ref(i), "words": found.circle.label(i)}
            for i in found.circle.judges
        ],
        "total": len(chosen),
        "all": len(differing.cell),
        "rows": _rows(scope, found, differing, reasons, shown),
        "page": page,
        "pages": pages,
    }


def _choices(found: Ground, chosen: str) -> list[dict[str, str]]:
    """The criteria on which somebody can differ: of those that a rule alone measures, the ones that
    both a judge and people graded."""
    return [
        {"value": row.key, "words": row.criterion.title}
        for row, opinions in zip(found.criteria, found.loaded, strict=True)
        if not measured(row.criterion)
        or row.key == chosen
        or (opinions.judged and len(opinions.author))
    ]


def _differing(found: Ground, criterion_key: str, judge: str) -> Differing:
    if criterion_key:
        found.one(criterion_key)
    wanted = {i for i in found.circle.judges if judge in ("", found.circle.ref(i))}
    if judge and not wanted:
        have = ", ".join(found.circle.ref(i) for i in found.circle.judges) or "none"
        raise NotFound(f"judge {judge[:80]!r}", found="no such judge", expected=f"one of {have}")
    columns: list[list[Array]] = [[], [], [], []]
    judges: list[tuple[int, ...]] = []
    for place, (row, opinions) in enumerate(zip(found.criteria, found.loaded, strict=True)):
        if criterion_key not in ("", row.key):
            continue
        counts = (
            np.array([found.circle.counts(int(i)) for i in opinions.author], bool)
            if len(opinions.author)
            else np.zeros(0, bool)
        )
        asked = [i for i in opinions.judged if i in wanted]
        if not asked or not counts.any():
            continue
        apart = np.stack(
            [
                ~np.isnan(opinions.judged[i][opinions.at])
                & (opinions.judged[i][opinions.at] != opinions.number)
                for i in asked
            ]
        )
        at = np.flatnonzero(apart.any(axis=0) & counts)
        cells = opinions.at[at]
        for column, values in zip(
            columns,
            (
                np.full(len(at), place),
                opinions.cells[cells],
                opinions.author[at],
                opinions.question[cells],
            ),
            strict=True,
        ):
            column.append(values)
        judges += [
            tuple(i for i, differs in zip(asked, apart[:, one], strict=True) if differs)
            for one in at
        ]
    joined = [np.concatenate(parts) if parts else np.zeros(0, int) for parts in columns]
    return Differing(joined[0], joined[1], joined[2], joined[3], tuple(judges))


def _reasons(scope: Scope, found: Ground) -> dict[tuple[int, int], str]:
    people = [i for i in found.circle.people if found.circle.counts(i)]
    return {
        (cell, author): reason
        for row in found.criteria
        for cell, author, reason in opinion_store.reasons(scope.ws.db, row, people)
    }


def _members(
    scope: Scope, differing: Differing, reasons: Sequence[str], grouping: str
) -> dict[str, list[int]]:
    """Group -> positions of its disagreements; an answer with two faults is in two groups."""
    made: dict[str, list[int]] = {}
    if grouping == "fault_of":
        for at, reason in enumerate(reasons):
            made.setdefault(reason or UNSAID, []).append(at)
    elif grouping == "fault":
        faults = opinion_store.faults_of(scope.ws.db, sorted(set(differing.cell.tolist())))
        for at, cell in enumerate(differing.cell.tolist()):
            for fault in faults.get(cell) or [NO_FAULT]:
                made.setdefault(fault.replace("_", " "), []).append(at)
    else:
        kept = list(range(0, len(differing.cell), max(1, -(-len(differing.cell) // MOST_TEXTS))))
        cells = [int(differing.cell[at]) for at in kept]
        texts = opinion_store.texts_of(scope.ws.db, sorted(set(cells)), TEXT_LENGTH)
        for name, places in groups_of_texts(
            ["\n".join(texts.get(cell, ("", ""))) for cell in cells]
        ).items():
            made[name] = [kept[place] for place in places]
    return made


def _about(
    scope: Scope,
    found: Ground,
    differing: Differing,
    chosen: Sequence[int],
    allowed: Container[str],
) -> list[int]:
    """Those of the `chosen` places whose questions (ids) are allowed."""
    rows = [
        int(found.loaded[int(differing.criterion[at])].names[differing.question[at]])
        for at in chosen
    ]
    questions = content.questions_by_row(scope.ws.db, set(rows))
    return [at for at, row in zip(chosen, rows, strict=True) if questions[row].id in allowed]


def _mended(
    differing: Differing, reasons: Sequence[str], found: Ground, filters: Filters
) -> dict[str, Any]:
    """The share of the disagreements with a reason that lie in the rubric or the reference, as
    figure and sentence."""
    named = np.array([bool(reason) for reason in reasons], bool)
    mine = (
        np.array([reason in MENDED for reason in reasons], bool)[named]
        if len(reasons)
        else np.zeros(0, bool)
    )
    # Criteria number their questions each for itself: by row of the store a question is one,
    # whatever was asked about it.
    rows = [
        found.loaded[of].names[at]
        for of, at in zip(differing.criterion.tolist(), differing.question.tolist(), strict=True)
    ]
    g = np.array(rows, int)[named] if rows else np.zeros(0, int)
    figure = interval_json(
        mean_interval(mine.astype(float), g, bounds=(0, 1))
        if len(mine)
        else undefined("no reason was given yet")
    )
    if figure["value"] is None:
        words = (
            "Nobody has said yet whose fault a disagreement was: the desk asks after a "
            "correction (key j)."
        )
    else:
        words = (
            f"{100 * figure['value']:.0f} % of the disagreements are the rubric's or the "
            "reference's."
        )
    sentence = (
        f"Of {several(len(mine), 'disagreement')} for which people named a reason, "
        "the rubric or the reference is at fault in "
        f"{sentences.share(figure)}. Counted: all verdicts of people, "
        f"blind and assisted{_only(found)}."
    )
    return {
        "figure": figure,
        "words": words,
        "sentence": sentence,
        "named": len(mine),
        "of": len(reasons),
    }


def _only(found: Ground) -> str:
    return f"; only {found.only}" if found.only else ""


def _title(differing: Differing, found: Ground, criterion_key: str, judge: str) -> str:
    count = len(differing.cell)
    who = next(
        (found.circle.label(i) for i in found.circle.judges if found.circle.ref(i) == judge),
        "judges",
    )
    where = f" on {found.one(criterion_key)[0].criterion.title}" if criterion_key else ""
    if not count:
        return f"People and {who} differ nowhere{where}."
    return (
        f"{count:,} verdict{'s' * (count != 1)} of people differ{'s' * (count == 1)} from "
        f"{who}{where}."
    )


def _rows(
    scope: Scope, found: Ground, differing: Differing, reasons: Sequence[str], shown: Sequence[int]
) -> list[dict[str, Any]]:
    cells = [int(differing.cell[at]) for at in shown]
    by_cell = {row.cell_id: row for row in reports.cell_answers(scope.ws.db, sorted(set(cells)))}
    said = verdicts.verdicts_of(scope.ws.db, sorted(set(cells)))
    mark_seen(scope, (row.subject_id for row in by_cell.values()))
    made = []
    for at, cell in zip(shown, cells, strict=True):
        if cell not in by_cell:
            continue
        criterion, person = found.criteria[int(differing.criterion[at])], int(differing.author[at])
        who = [
            *(
                ("judge", found.circle.judges[i], found.circle.label(i))
                for i in differing.judges[at]
            )
        ]
        who.append(("person", found.circle.people[person], found.circle.label(person)))
        row = answer_row.answer_row(by_cell[cell], said.get(cell, []), who, criterion)
        made.append(
            {
                **as_dict(row),
                "reason": reasons[at],
                "criterion": {"key": criterion.key, "title": criterion.criterion.title},
            }
        )
    return made


# -- texts in groups by what they are made of: runs of characters, so that every language and script
# is served without a model

#: Texts whose mean cosine is below this are in different groups; smaller groups are put together as
#: "alone".
NEAR, LEAST, MOST_GROUPS = 0.22, 3, 12
ALONE = "like no other"
#: Numbers that runs of characters may have.
SLOTS = 2**18
#: So much of the text that stands for a group names it.
NAME = 70


def groups_of_texts(texts: Sequence[str]) -> dict[str, list[int]]:
    """Name -> positions: agglomerative groups (mean link, cosine of tf-idf of runs of characters),
    the largest first.

    A group is named by the text nearest to its middle. Texts that are like no other, and those of
    groups beyond the twelfth, are one group of their own.
    """
    if len(texts) < LEAST:
        return {ALONE: list(range(len(texts)))} if texts else {}
    near = _cosines(texts)
    label = _clusters(1 - near)
    sizes = np.bincount(label)
    kept = [int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] >= LEAST][:MOST_GROUPS]
    made: dict[str, list[int]] = {}
    for k in kept:
        members = np.flatnonzero(label == k)
        middle = int(members[near[np.ix_(members, members)].sum(axis=1).argmax()])
        name = " ".join(texts[middle].split())
        name = f"like “{name[:NAME]}{'…' if len(name) > NAME else ''}”"
        made.setdefault(name, []).extend(int(i) for i in members)
    rest = [i for i in range(len(texts)) if int(label[i]) not in kept]
    if rest:
        made[ALONE] = rest
    return made


def _cosines(texts: Sequence[str]) -> Array:
    """Cosines float[n, n] of tf-idf over runs of 2 and 3 characters, each run by its number modulo
    SLOTS."""
    from scipy.sparse import csr_array

    rows, slots = [], []
    for row, text in enumerate(texts):
        point = np.frombuffer(
            f" {' '.join(text.casefold().split())} ".encode("utf-32-le"), np.uint32
        ).astype(np.int64)
        runs = (
            np.concatenate(
                [
                    point[:-1] * 31 + point[1:],
                    (point[:-2] * 961 + point[1:-1] * 31 + point[2:]) * 7 + 1,
                ]
            )
            % SLOTS
        )
        rows.append(np.full(len(runs), row))
        slots.append(runs)
    place = (np.concatenate(rows), np.concatenate(slots))
    counts = csr_array((np.ones(len(place[0])), place), shape=(len(texts), SLOTS))
    counts.sum_duplicates()
    seen = np.bincount(counts.indices, minlength=SLOTS)
    counts.data = (1 + np.log(counts.data)) * (np.log((1 + len(texts)) / (1 + seen)) + 1)[
        counts.indices
    ]
    length = np.sqrt(np.asarray((counts * counts).sum(axis=1)).ravel())
    near: Array = np.asarray((counts @ counts.T).todense()) / np.outer(length, length)
    return np.clip(near, 0.0, 1.0)


def _clusters(apart: Array) -> Array:
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    np.fill_diagonal(apart, 0.0)
    return (
        np.asarray(
            fcluster(linkage(squareform(apart, checks=False), "average"), 1 - NEAR, "distance")
        )
        - 1
    )
