"""The computing stage of a run: rules and metrics in batches, texts encoded once."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core import discovery
from graders.core.contracts import Metric, Rule
from graders.core.errors import CogradeError, InputError
from graders.core.hashing import digest, text_hash
from graders.core.records import Mark, MetricValue, Verdict
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO
from graders.core.text_languages import compared_language
from graders.core.words import error_parts
from graders.metrics.models.encoders import Encoders
from graders.metrics.texts.pairs import texts_to_encode, value_version
from graders.store import projects
from graders.store.answers import content, elections, metric_values
from graders.store.answers.content import StoredSubject
from graders.store.answers.elections import Election
from graders.store.opinions import cells as cell_store
from graders.store.opinions import made_cells, stored_verdicts, verdicts
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.rule_values import grade_safely, parts_spoken, rule_verdict
from graders.workflows.cells.state import FAULTS, read_frame, refresh
from graders.workflows.measuring import text_scores
from graders.workflows.measuring._references import best_texts, references_of, why_none
from graders.workflows.measuring.elect import holds_against_best

#: Subjects measured in one go: token vectors of that many answers fit into memory; at first few.
AT_ONCE, FIRST = 120, 2

#: A metric, the subjects that lack it, their references, and per subject the hash of what it is
#: made from and why there is no reference.
_Work = tuple[str, Metric, list[StoredSubject], list[tuple[str, ...]], list[tuple[str, str]]]
#: How a version names the number format in which a model computed.
_DTYPE = re.compile(r"/(?:float32|bfloat16)")


def encoder_for(models: Mapping[str, str], ws: Workspace | None = None) -> Encoders:
    """The encoder that the settings name; with a workspace its vectors are kept there. No model is
    loaded yet."""
    return Encoders(
        cache=None if ws is None else StoredVectors(ws),
        **{name: value for name, value in models.items() if value},
    )


class StoredVectors:
    """Vectors kept in the workspace, by the hash of text, model and dtype."""

    def __init__(self, ws: Workspace) -> None:
        self.ws = ws

    def get_many(self, keys: list[str]) -> dict[str, bytes]:
        """Stored vectors of `keys`."""
        return metric_values.get_vectors(self.ws.db, keys)

    def put_many(self, items: dict[str, bytes]) -> None:
        """Keep vectors, in short commits."""
        self.ws.background(
            list(items.items()), lambda db, rows: metric_values.put_vectors(db, dict(rows))
        )


def measure(
    ws: Workspace,
    project: Project,
    encoder: Any,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
    only: Sequence[int] | None = None,
    with_rules: bool = True,
) -> list[CogradeError]:
    """Run all rules and metrics of a project's criteria on what is not known yet; returns why some
    could not be run.

    Without an `encoder` only the rules run: they need no model. `only` names the subjects to
    measure; None stands for all. `with_rules` False is for a reference that changed: no rule looks
    at it.
    """
    criteria = projects.criteria(ws, project)
    rules, metrics, problems = graders_of(criteria)
    # a rubric's own options go before the defaults
    metrics = {
        **text_scores.added(project),
        **metrics,
    }
    ids = content.subject_ids(ws.db, project) if only is None else only
    known = {
        name: metric_values.known_metrics(ws.db, project, name)
        for metric in metrics.values()
        for name in metric.outputs
    }
    if encoder is None:
        metrics = {}
    elected = elections.elections(ws.db, project)
    done = 0
    progress(done, len(ids))  # from here on it takes time
    for batch in growing(ids):
        if should_stop():
            break
        subjects = content.subjects(ws.db, batch)
        if with_rules:
            _rules(ws, project, subjects, rules, criteria)
        _metrics(ws, project, subjects, metrics, criteria, encoder, known, elected)
        done += len(batch)
        progress(done, len(ids))
    return problems


def growing(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Batches that begin small, so that what is done is told from the first second, and grow to
    `AT_ONCE`, which takes the least time for each."""
    start, size = 0, FIRST
    while start < len(ids):
        yield ids[start : start + size]
        start, size = start + size, min(AT_ONCE, 2 * size)


def graders_of(
    criteria: Sequence[CriterionRow],
) -> tuple[dict[int, list[tuple[str, Rule]]], dict[str, Metric], list[CogradeError]]:
    """Rules by criterion row, metrics by name, and what no part of that name could be found for."""
    rules: dict[int, list[tuple[str, Rule]]] = {}
    metrics: dict[str, Metric] = {}
    problems: list[CogradeError] = []
    known_rules, known_metrics = set(discovery.names("rules")), set(discovery.names("metrics"))
    for row in criteria:
        for ref in row.criterion.graders:
            try:
                if ref.name in known_rules:
                    rules.setdefault(row.id, []).append(
                        (ref.name, discovery.make("rules", ref.name, ref.options))
                    )
                elif ref.name in known_metrics:
                    metrics[ref.name] = discovery.make("metrics", ref.name, ref.options)
                elif ref.name != "judge":
                    problems.append(
                        InputError(
                            **error_parts(
                                "measuring.no_grader",
                                criterion=row.key,
                                name=ref.name,
                                graders=", ".join(sorted(known_rules | known_metrics)),
                            )
                        )
                    )
            except CogradeError as error:
                problems.append(error)
    return rules, metrics, problems


def _rules(
    ws: Workspace,
    project: Project,
    subjects: Sequence[StoredSubject],
    rules: Mapping[int, list[tuple[str, Rule]]],
    criteria: Sequence[CriterionRow],
) -> None:
    by_id = {c.id: c for c in criteria}
    faults = next((c for c in criteria if c.criterion.rubric == FAULTS.name), None)
    finders = (
        fault_finders(rules)
        if faults is not None and project.settings.get("fault_rules", True)
        else {}
    )
    cells = {
        (c.subject_id, c.criterion_id, c.part): c
        for c in cell_store.cells_of(ws.db, [s.id for s in subjects])
    }
    opinions = stored_verdicts.verdicts_of(ws.db, [c.id for c in cells.values()])
    made: list[tuple[StoredSubject, CriterionRow, str, Verdict]] = []
    for subject in subjects:
        if subject.subject.other is not None:
            continue
        told: set[str] = set()
        for criterion_id, pairs in rules.items():
            row = by_id[criterion_id]
            for name, rule in pairs:
                one, mark = subject.subject, grade_safely(rule, subject.subject, row.criterion)
                spoken = parts_spoken(rule, mark, row.criterion, one.question)
                made += [
                    (subject, row, part, rule_verdict(one, row.criterion, part, name, rule, mark))
                    for part in spoken
                ]
                if faults is not None and rule.fault and name not in told:
                    told.add(name)
                    made += _fault(subject, faults, name, rule, mark, row.criterion, cells)
        for name, rule in finders.items():
            if faults is not None:
                made += _fault(
                    subject,
                    faults,
                    name,
                    rule,
                    grade_safely(rule, subject.subject, _CLEAN),
                    _CLEAN,
                    cells,
                )
    fresh = [item for item in made if not _known(item, cells, opinions)]
    frame = read_frame(ws, project)

    def work(
        db: sqlite3.Connection, batch: Sequence[tuple[StoredSubject, CriterionRow, str, Verdict]]
    ) -> None:
        rows = [
            CellVerdict(made_cells.add_cell(db, project, s.id, c, part), c, s.question_id, v)
            for s, c, part, v in batch
        ]
        refresh(db, frame, verdicts.append(db, project, rows, now=ws.now()))

    ws.background(fresh, work)


#: What rules are asked for a fault that no criterion of the rubric names: is the answer clean?
_CLEAN = Criterion(rubric=FAULTS.name, name="clean", scale=YES_NO)


def fault_finders(used: Mapping[int, Sequence[tuple[str, Rule]]]) -> dict[str, Rule]:
    """All rules that find a named fault and that no criterion uses already, by name."""
    named = {name for pairs in used.values() for name, _ in pairs}
    parts, _ = discovery.load_all("rules")
    return {name: part() for name, part in parts.items() if part.fault and name not in named}


def _fault(
    subject: StoredSubject,
    faults: CriterionRow,
    name: str,
    rule: Rule,
    mark: Mark,
    criterion: Criterion,
    cells: Mapping[tuple[int, int, str], Any],
) -> list[tuple[StoredSubject, CriterionRow, str, Verdict]]:
    """The verdict on the fault's own cell: where the rule finds it, and where it found it once."""
    fault = rule.fault
    scale = criterion.scale
    best = scale.values[-1] if scale.is_discrete else scale.high
    found = (mark.status == "ok" and mark.value != best) or mark.reason == fault
    if not found and (subject.id, faults.id, fault) not in cells:
        return []
    return [
        (
            subject,
            faults,
            fault,
            rule_verdict(
                subject.subject, faults.criterion, fault, name, rule, _fault_mark(mark, found)
            ),
        )
    ]


def _fault_mark(mark: Mark, found: bool) -> Mark:
    return Mark(
        value="present" if found else "absent",
        rationale=mark.rationale,
        evidence=mark.evidence,
        confidence=mark.confidence if found else None,
        confidence_kind=mark.confidence_kind if found else "",
    )


def _known(
    item: tuple[StoredSubject, CriterionRow, str, Verdict],
    cells: Mapping[tuple[int, int, str], Any],
    opinions: Mapping[int, list[StoredVerdict]],
) -> bool:
    """Whether the same rule, in the same version, already said the same."""
    subject, row, part, verdict = item
    cell = cells.get((subject.id, row.id, part))
    said = opinions.get(cell.id, []) if cell is not None else []
    return any(
        v.author_kind == "rule"
        and v.author == verdict.author
        and v.grader_version == verdict.grader_version
        and v.criterion_hash == row.hash
        and v.mark == verdict.mark
        for v in said
    )


# -- metrics


def _metrics(
    ws: Workspace,
    project: Project,
    subjects: Sequence[StoredSubject],
    metrics: Mapping[str, Metric],
    criteria: Sequence[CriterionRow],
    encoder: Any,
    known: Mapping[str, Mapping[int, tuple[str, str]]],
    elected: Mapping[int, Election],
) -> None:
    work: list[_Work] = []
    best = (
        best_texts(ws, subjects, elected)
        if any(metric.against == "best" for metric in metrics.values())
        else {}
    )
    against_best = holds_against_best(criteria)
    for name, metric in metrics.items():
        wanted, references, names = [], [], []
        for subject in subjects:
            if metric.against == "best":
                factual = subject.subject.question.task_type == "factual"
                texts = best.get(subject.question_id, ()) if against_best and factual else ()
            else:
                texts = references_of(subject, criteria, name, elected)
            task = [subject.subject.question.task_type] if metric.against == "best" else []
            why = (
                ""
                if texts or metric.against == "best"
                else why_none(subject, criteria, name, elected)
            )
            beside = [*task, *([why] if why else [])]
            inputs = digest(
                text_hash(subject.subject.answer.text),
                [text_hash(t) for t in texts],
                metric.options(),
                metric.version,
                *beside,
            )
            there = [known[output].get(subject.id, ("", "")) for output in metric.outputs]
            if all(made_from == inputs for _, made_from in there) and all(
                _by_the_same_model(version, metric, subject, texts, encoder) for version, _ in there
            ):
                continue
            wanted.append(subject)
            references.append(texts)
            names.append((inputs, why))
        if wanted:
            work.append((name, metric, wanted, references, names))
    _prepare(encoder, work)
    rows: list[tuple[int, MetricValue, str]] = []
    for name, metric, wanted, references, names in work:
        for subject, values, (inputs, why) in zip(
            wanted, _compute(name, metric, wanted, references, encoder), names, strict=True
        ):
            named = [
                replace(value, reason=why) if why and value.reason == "no_reference" else value
                for value in values
            ]
            rows += [(subject.id, value, inputs) for value in named]
    ws.background(rows, lambda db, batch: metric_values.put_metrics(db, project, batch))


def _by_the_same_model(
    version: str, metric: Metric, subject: StoredSubject, texts: Sequence[str], encoder: Any
) -> bool:
    """Whether a value of this version was made with the model that the settings name now; another
    number format changes little.

    A version that names no model (`value_version`) says nothing of it; one that failed has none,
    and is tried again.
    """
    if not metric.encodes or (version and ";" not in version):
        return True
    return _DTYPE.sub("", version) == _DTYPE.sub(
        "", value_version(metric, encoder, compared_language(subject.subject, texts))
    )


def _prepare(encoder: Any, work: Sequence[_Work]) -> None:
    """Encode all texts that any metric of this batch compares, in one pass."""
    subjects = [s.subject for _, metric, wanted, _, _ in work if metric.encodes for s in wanted]
    references = [r for _, metric, _, given, _ in work if metric.encodes for r in given]
    texts, languages = texts_to_encode(subjects, references)
    if texts:
        encoder.prepare(texts, languages)


def _compute(
    name: str,
    metric: Metric,
    wanted: Sequence[StoredSubject],
    references: Sequence[tuple[str, ...]],
    encoder: Any,
) -> list[list[MetricValue]]:
    try:
        return metric.compute([s.subject for s in wanted], references, encoder)
    except (
        Exception
    ) as error:  # a metric may come from a plug-in and fail in any way; the others go on
        reason = f"metric_failed: {type(error).__name__}: {error}"[:300]
        return [
            [MetricValue(metric=output, status="error", reason=reason) for output in metric.outputs]
            for _ in wanted
        ]
