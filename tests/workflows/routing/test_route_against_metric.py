"""A judge's top label beside a similarity in the project's lowest tenth goes to people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graders.core.records import MetricValue
from graders.store.answers import metric_values
from graders.workflows.projects.settings import change_settings
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, scope_at

RUBRIC = """
rubric: small
criteria:
  right: {question: Is it right?, scale: ["No", "Yes"], graders: [judge, token_f1], review: automatic}
  plain: {question: Is it plain?, scale: ["No", "Yes"], graders: [judge], review: automatic}
"""
ANSWERS = 40


def routed(scope: Scope, values: Sequence[float]) -> set[int]:
    """Numbers of the answers that people decide for their similarity, once they have these
    values."""
    project = scope.project("study")
    subjects = [
        row[0]
        for row in scope.ws.db.execute(
            "SELECT s.id FROM subject s JOIN answer a ON a.id = s.answer_id ORDER BY a.id"
        )
    ]
    with scope.ws.write() as db:
        rows = [
            (s, MetricValue(metric="token_f1", value=value), "")
            for s, value in zip(subjects, values, strict=True)
        ]
        metric_values.put_metrics(db, project, rows)
    route(scope, "study")
    found = scope.ws.db.execute("SELECT subject_id, route, route_reason FROM cell").fetchall()
    people = [subjects.index(row["subject_id"]) for row in found if row["route"] == "people"]
    assert {row["route_reason"] for row in found if row["route"] == "people"} <= {
        "judge against metric (token_f1 in the lowest tenth)"
    }
    assert len(set(people)) == len(people), "one criterion alone is held against the similarity"
    return set(people)


def test_a_top_label_in_the_lowest_tenth_goes_to_people(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    bring(
        scope,
        tmp_path,
        RUBRIC,
        questions=[
            {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"}
            for i in range(ANSWERS)
        ],
        answers=[
            {"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(ANSWERS)
        ],
        judge=[
            {
                "question_id": f"q{i}",
                "model": "Ash",
                "judge": "north",
                "criterion": f"small/{c}",
                "value": "No" if i == 2 else "Yes",
            }
            for i in range(ANSWERS)
            for c in ("right", "plain")
        ],
    )
    rising = [0.3 + i / 100 for i in range(ANSWERS)]
    # 4 of 40 are the lowest tenth; of these the judge says No to the third
    assert routed(scope, rising) == {0, 1, 3}
    # six share the lowest value: none of them is better than the others
    assert routed(scope, [0.0] * 6 + rising[6:]) == {0, 1, 3, 4, 5}
    # a value that most answers have is no sign of a bad one
    assert routed(scope, [0.5] * 30 + [0.9] * 10) == set()
    change_settings(scope, "study", {"judge_against_metric": False})
    assert routed(scope, rising) == set()
