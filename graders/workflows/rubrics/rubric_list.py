"""The rubrics of a project with their versions and verdicts, and the gallery to start from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from graders.core.errors import CogradeError
from graders.core.hashing import text_hash
from graders.core.rubric import Rubric, read_rubric
from graders.core.words import say, text_of_part
from graders.store import projects
from graders.store.opinions import rubrics as store
from graders.store.projects import Project
from graders.workflows.cells.state import FAULTS
from graders.workflows.scope.named_rubrics import bundled_rubrics
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """Verdicts by who gave them."""

    people: int
    judges: int
    rules: int

    @classmethod
    def of(cls, counts: Collection[tuple[str, int]]) -> Self:
        """Summed from pairs of the store's word for an author and a number."""
        return cls(
            *(
                sum(n for author, n in counts if author == kind)
                for kind in ("person", "judge", "rule")
            )
        )


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion: verdicts under its present wording (`now`), and the stale ones by author."""

    name: str
    title: str
    now: int
    people: int
    judges: int
    rules: int


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A text that a rubric had: who put it in force and when, and whether it is `active`."""

    id: int
    version: str
    at: str
    active: bool
    by: str


@dataclass(frozen=True, slots=True)
class RubricRow:
    """A rubric in force: its text and the text's hash, its criteria and versions, and how many
    verdicts of judges are `stale`."""

    name: str
    version: str
    about: str
    source: str
    hash: str
    criteria: Sequence[CriterionRow]
    versions: Sequence[VersionRow]
    stale: int


@dataclass(frozen=True, slots=True)
class GalleryRubric:
    """A rubric that comes with Cograde or a plug-in; `here`: the project has one of its name."""

    file: str
    name: str
    about: str
    criteria: Sequence[str]
    source: str
    here: bool


@dataclass(frozen=True, slots=True)
class RubricList:
    """The Rubrics page: the rubrics in force, and the gallery to start from."""

    title: str
    rubrics: Sequence[RubricRow]
    gallery: Sequence[GalleryRubric]


@needs("look")
def rubric_list(scope: Scope, project_name: str) -> RubricList:
    """The rubrics in force with their versions and verdicts per criterion, and the gallery."""
    ws, project = scope.ws, scope.project(project_name)
    present = in_force(scope, project)
    people = names_of(ws)
    changed_by = store.changed_by(ws, project)
    rows = []
    for rubric in present:
        criteria = _criteria(scope, project, rubric)
        versions = [
            VersionRow(v.id, v.version, v.at, v.active, called(people, changed_by.get(v.id, "")))
            for v in store.versions(ws, project, rubric.name)
        ]
        rows.append(
            RubricRow(
                rubric.name,
                rubric.version,
                rubric.about,
                rubric.source,
                text_hash(rubric.source),
                criteria,
                versions,
                sum(row.judges for row in criteria),
            )
        )
    return RubricList(_title(rows), rows, _gallery({rubric.name for rubric in present}))


def in_force(scope: Scope, project: Project) -> list[Rubric]:
    """The rubrics that a project is graded by; the one of named faults is no such."""
    return [rubric for rubric in projects.rubrics(scope.ws, project) if rubric.name != FAULTS.name]


def _criteria(scope: Scope, project: Project, rubric: Rubric) -> list[CriterionRow]:
    by_wording = store.opinions_by_wording(scope.ws.db, project, [c.key for c in rubric.criteria])
    rows = []
    for c in rubric.criteria:
        counts = by_wording.get(c.key, [])
        old = [(who, n) for wording, who, n in counts if wording != c.criterion_hash]
        now = sum(n for _, _, n in counts) - sum(n for _, n in old)
        stale = VerdictCounts.of(old)
        rows.append(CriterionRow(c.name, c.title, now, stale.people, stale.judges, stale.rules))
    return rows


def _gallery(taken: Collection[str]) -> list[GalleryRubric]:
    """The rubrics that come with Cograde or a plug-in; one that cannot be read is left out."""
    gallery = []
    for name, path in bundled_rubrics().items():
        try:
            source = path.read_text("utf-8")
            rubric = read_rubric(source, where=path.name)
        except (CogradeError, OSError, UnicodeDecodeError):
            continue
        titles = [c.title for c in rubric.criteria]
        gallery.append(
            GalleryRubric(
                name,
                rubric.name,
                text_of_part("rubrics", name, "about", rubric.about),
                titles,
                source,
                rubric.name in taken,
            )
        )
    return gallery


def _title(rows: Sequence[RubricRow]) -> str:
    if not rows:
        return say("rubrics.title.none")
    criteria = several(sum(len(row.criteria) for row in rows), "criterion")
    rubrics = several(len(rows), "rubric")
    stale = sum(row.stale for row in rows)
    if stale:
        verdicts = several(stale, "verdict of a judge is")
        return say("rubrics.title.stale", criteria=criteria, rubrics=rubrics, verdicts=verdicts)
    return say("rubrics.title.present", criteria=criteria, rubrics=rubrics)
