"""One answer with all that is known of it, also of an earlier version."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import NotFound
from graders.core.records import MetricValue
from graders.store import projects
from graders.store.answers import content, metric_values
from graders.workflows.results import answer as results_answer
from graders.workflows.results import grid as results_grid
from graders.workflows.results.answer import Quoted
from tests.support.studies import bring
from tests.workflows.results.test_grid import cell, study


def test_one_answer_shows_every_verdict_metric_and_fact(tmp_path: Path) -> None:
    scope = study(tmp_path)
    project = projects.get_project(scope.ws, "study")
    subject = next(
        s
        for s in content.subjects(scope.ws.db, content.subject_ids(scope.ws.db, project))
        if s.subject.answer.model == "Ash"
    )
    with scope.ws.write() as db:
        rows = [
            MetricValue(metric="embedding", value=0.75),
            MetricValue(metric="token_f1", status="unscored", reason="no_reference"),
        ]
        metric_values.put_metrics(db, project, [(subject.id, row, "") for row in rows])
    found = results_answer.answer(scope, "study", "q1", "Ash")
    completeness = next(c for c in found.cells if c.criterion == "small/completeness")
    by = {v.kind: v for v in completeness.verdicts}
    assert (
        by["person"].value,
        by["person"].arm,
        by["person"].seconds,
        by["person"].comment,
    ) == (
        5,
        "blind",
        12.0,
        "looked it up",
    )
    assert (by["judge"].value, by["judge"].confidence, by["judge"].rationale) == (
        4,
        0.7,
        "Nearly all.",
    )
    assert by["judge"].evidence == [Quoted("The Ash reply", absent=False, found=True)]
    assert [(m.name, m.value, m.reason) for m in found.metrics] == [
        ("embedding", 0.75, ""),
        ("token_f1", None, "no_reference"),
    ]
    facts = {fact.name: fact.value for fact in found.facts}
    # "The Ash reply to 1."
    assert (facts["characters"], facts["first token"], facts["price"]) == (
        "19",
        "unknown",
        "unknown",
    )
    assert [row.text for row in completeness.history] == [
        "mira: 5 everything, blind, 12 s",
        "north: 4",
    ]


def test_an_earlier_version_keeps_its_own_verdicts(tmp_path: Path) -> None:
    scope = study(tmp_path)
    bring(
        scope, tmp_path, answers=[{"question_id": "q1", "model": "Ash", "text": "Another reply."}]
    )
    now = results_answer.answer(scope, "study", "q1", "Ash")
    assert (now.version, now.text, now.shows_marks) == (2, "Another reply.", False)
    assert [(one.version, one.current) for one in now.versions] == [(2, True), (1, False)]
    before = results_answer.answer(scope, "study", "q1", "Ash", version=1)
    assert (before.text, len(before.cells[1].verdicts)) == ("The Ash reply to 1.", 2)
    # (4 + 3) / 2: the 5 was on the old text
    assert cell(results_grid.grid(scope, "study"), "Ash", "completeness").value == 3.5
    with pytest.raises(NotFound, match="no version 7"):
        results_answer.answer(scope, "study", "q1", "Ash", version=7)
