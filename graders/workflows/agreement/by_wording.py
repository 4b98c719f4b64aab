"""Agreement split by the wording of each criterion: the present one beside earlier ones, each with
its own verdicts, never mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.core.words import say
from graders.statistics.resampling import Estimate
from graders.store import projects
from graders.store.opinions import filters as filter_store
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import Project
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.records import CriterionReport, JudgeRow, Verdict
from graders.workflows.cells.state import FAULTS
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed

#: Earlier wordings of a criterion that are shown, the latest ones.
EARLIER = 5


@dataclass(frozen=True, slots=True)
class Worded:
    """A wording of a criterion: the rubric (row) that first had it with version and day, whether it
    is the `present` one, and what it asks."""

    id: int
    version: str
    since: str
    present: bool
    title: str
    question: str
    guide: str


@dataclass(frozen=True, slots=True)
class WordedJudge:
    """A judge's figure under a wording, `shown` as on Agreement, its verdict, and a `sentence` that
    names the wording."""

    ref: str
    name: str
    shown: Estimate
    verdict: Verdict
    cells: int
    sentence: str


@dataclass(frozen=True, slots=True)
class WordingRow:
    """A wording with its cells, questions, the name of the `figure` (empty where there is none),
    the ceiling (`people`) and judges; `words` says what there is no figure of, empty where nothing
    lacks."""

    id: int
    version: str
    since: str
    present: bool
    question: str
    guide: str
    cells: int
    questions: int
    figure: str
    people: Estimate | None
    judges: Sequence[WordedJudge]
    words: str


@dataclass(frozen=True, slots=True)
class WordedCriterion:
    """A criterion that was worded otherwise before: its wordings, the present one first, and how
    many older ones are not shown."""

    key: str
    title: str
    wordings: Sequence[WordingRow]
    left_out: int


@dataclass(frozen=True, slots=True)
class Versions:
    """The criteria that were worded otherwise before, with the finding."""

    title: str
    subtitle: str
    criteria: Sequence[WordedCriterion]


@needs("look")
def versions(
    scope: Scope,
    project_name: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
) -> Versions:
    """Per criterion that was worded otherwise before: its wordings, the present one first, with
    figures as `agreement` has them.

    Verdicts count under the wording that they were given under; what was said again since is under
    both. A change of other things than the wording (graders, review) makes no new one.
    """
    project = scope.project(project_name)
    rows: list[WordedCriterion] = []
    for key, wordings in _wordings(scope, project).items():
        if len(wordings) < 2:
            continue
        worded = []
        for place, wording in enumerate(wordings[: EARLIER + 1]):
            view = replace(filters, wording=0 if wording.present else wording.id)
            report = agreement(
                scope, project_name, blind_only=blind_only, population=population, filters=view
            )
            criterion = next((row for row in report.criteria if row.key == key), None)
            worded.append(_row(wording, criterion, earlier=place > 0))
        left_out = max(0, len(wordings) - EARLIER - 1)
        rows.append(WordedCriterion(key, wordings[0].title, worded, left_out))
    return Versions(_title(rows), say("agreement.versions.subtitle"), rows)


def _wordings(scope: Scope, project: Project) -> dict[str, list[Worded]]:
    """Criterion in force -> its wordings, newest first, each under the first version of the rubric
    that had it."""
    rows = [row for row in filter_store.wordings(scope.ws.db, project) if row.name != FAULTS.name]
    present = {row.key: row.hash for row in projects.criteria(scope.ws, project)}
    by_key: dict[str, dict[str, Worded]] = {}
    for row in rows:  # newest first: the first version that had a wording comes last, and stays
        for criterion in projects.known_rubric(row.source, row.name).criteria:
            if criterion.key in present:
                by_key.setdefault(criterion.key, {})[criterion.criterion_hash] = Worded(
                    id=row.id,
                    version=str(row.version),
                    since=row.at[:10],
                    present=criterion.criterion_hash == present[criterion.key],
                    title=criterion.title,
                    question=criterion.question,
                    guide=criterion.guide or "",
                )
    return {
        key: sorted(of.values(), key=lambda wording: (not wording.present, -wording.id))
        for key, of in by_key.items()
    }


def _row(wording: Worded, report: CriterionReport | None, *, earlier: bool) -> WordingRow:
    row = WordingRow(
        id=wording.id,
        version=wording.version,
        since=wording.since,
        present=wording.present,
        question=wording.question,
        guide=wording.guide,
        cells=0,
        questions=0,
        figure="",
        people=None,
        judges=[],
        words=say("agreement.versions.nothing"),
    )
    if report is None:
        return row
    alone = say(f"agreement.versions.{'no_judge' if earlier else 'only_people'}")
    return replace(
        row,
        cells=report.cells,
        questions=report.questions,
        figure=report.figure,
        people=report.people.ceiling,
        judges=[_judge(judge, wording) for judge in report.judges],
        words="" if report.judges else alone,
    )


def _judge(judge: JudgeRow, wording: Worded) -> WordedJudge:
    force = "in_force" if wording.present else "earlier"
    named = say(f"agreement.versions.{force}", version=wording.version, since=wording.since)
    return WordedJudge(
        judge.ref,
        judge.name,
        judge.shown,
        judge.verdict,
        judge.cells,
        f"{judge.sentence} {named}",
    )


def _title(rows: Sequence[WordedCriterion]) -> str:
    if not rows:
        return say("agreement.versions.none")
    return say(
        "agreement.versions.title",
        n=len(rows),
        names=listed([row.title for row in rows]),
        count=sum(len(row.wordings) for row in rows),
    )
