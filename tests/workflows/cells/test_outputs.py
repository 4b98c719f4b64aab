"""Which values belong to a criterion: those that its metrics declare, not those whose names look
alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.records import MetricValue
from graders.core.rubric import read_rubric
from graders.store.answers import content, metric_values
from graders.workflows.cells.outputs import outputs_of
from graders.workflows.cells.state import read_frame, refresh_all
from graders.workflows.results import cell_answers
from tests.store import small

RUBRIC = """
rubric: small
criteria:
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge, GRADER], review: automatic}
"""


@pytest.mark.parametrize(
    ("grader", "first"),
    [
        ("embedding", "embedding_cosine"),
        ("bertscore", "bertscore_f1"),  # its lead comes before precision and recall
        ("code_similarity", "code_syntax"),  # a name that is no beginning of its values' names
        ("rouge", "rouge_1"),
        ("moonshine", None),  # no such metric
    ],
)
def test_a_criterion_has_the_values_that_its_metrics_declare(
    grader: str, first: str | None
) -> None:
    criterion = read_rubric(RUBRIC.replace("GRADER", grader), "test").criterion("completeness")
    assert next(iter(outputs_of(criterion)), None) == first


@pytest.mark.parametrize(
    ("grader", "shown", "route"),
    [("embedding", "embedding_cosine", "people"), ("code_similarity", "", "automatic")],
)
def test_only_the_metrics_of_a_criterion_are_shown_and_weigh_on_routes(
    tmp_path: Path, grader: str, shown: str, route: str
) -> None:
    scope = small.scope_of(small.workspace(tmp_path))
    said = [small.judge(f"q{i}", "Ash", "small/completeness", "north", 5) for i in range(1, 22)]
    tables = {
        "questions": small.questions(21, task_type="factual"),
        "answers": small.answers(21, ["Ash"]),
        "judge": said,
    }
    small.bring(
        scope, small.folder(tmp_path, "study", **tables), rubric=RUBRIC.replace("GRADER", grader)
    )
    project = scope.project("study")
    ids = content.subject_ids(scope.ws.db, project)
    with scope.ws.write() as db:
        rows = [
            (s, MetricValue(metric="embedding_cosine", value=0.1 + place / 30), "")
            for place, s in enumerate(ids)
        ]
        metric_values.put_metrics(db, project, rows)
    cells = [row[0] for row in scope.ws.db.execute("SELECT id FROM cell ORDER BY subject_id")]
    refresh_all(
        scope.ws, project, cells, route=True, frame=read_frame(scope.ws, project, route=True)
    )
    [lowest, *_] = scope.ws.db.execute("SELECT route FROM cell ORDER BY subject_id").fetchone()
    assert lowest == route
    row = cell_answers.answers(scope, "study", "Ash", "small/completeness").rows[0]
    assert (row.metric.name if row.metric else "") == shown
