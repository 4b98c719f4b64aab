"""Review order: hard-looking screens come first, drawn ones keep their places, and no estimate
takes the one for the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.store import projects
from graders.store.opinions import lessons
from graders.workflows.agreement.agree import agreement, gate
from graders.workflows.diagnostics.anchoring import anchoring
from graders.workflows.projects.settings import change_settings, settings
from graders.workflows.routing import review_order
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.support.routed import grade, routed

WAITING = (
    "SELECT s.id, s.design, q.priority, z.key, z.task_type FROM queue u JOIN screen s ON s.id = u.screen_id JOIN question z ON z.id = s.question_id "
    "JOIN queue q ON q.screen_id = s.id WHERE u.free > 0 ORDER BY q.priority, s.id"
)


def queue_of(scope: Scope) -> list[tuple[str, str, str]]:
    """(design, question, task type) in the order of the queue."""
    return [(row["design"], row["key"], row["task_type"]) for row in scope.ws.db.execute(WAITING)]


def ordinary(scope: Scope) -> list[int]:
    """Numbers of the questions of ordinary screens, in the order of the queue."""
    return [int(key[1:]) for design, key, _ in queue_of(scope) if design == "ordinary"]


def drawn(scope: Scope) -> list[tuple[int, str]]:
    """Place in the queue and question of drawn screens."""
    return [
        (place, key)
        for place, (design, key, _) in enumerate(queue_of(scope))
        if design != "ordinary"
    ]


def test_hard_screens_first_then_what_reviewers_find_and_nothing_of_it_is_a_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # north states .98 for q0, falling to .55 for q119; 12 answers are drawn; half of the screens
    # are blind
    scope = routed(tmp_path, calibration=0.1, blind=0.5)
    with_draws = drawn(scope)
    first = ordinary(scope)
    assert len(with_draws) == 12 and max(first[-10:]) < min(first[:25]), "the least sure ones first"
    assert first[:25] != sorted(first[:25], reverse=True), "by chance within a batch"
    cograde = Line(scope.ws.path, capsys)
    assert cograde("order").out.startswith(
        "adaptive: Screens that look hard come first: those on which machines differ or are least sure."
    )

    # the machine is right where it doubts, and wrong where it is sure
    def truth(criterion: str, question: str) -> object:
        wrong = int(question[1:]) < 70
        return (
            ("irrelevant" if wrong else "relevant")
            if criterion == "small/relevance"
            else (1 if wrong else 4)
        )

    project = scope.project("study")
    assert not review_order.is_due(scope.ws, project)
    grade(scope, "mira", truth, screens=30)
    left, kept = ordinary(scope), drawn(scope)
    assert sum(left[:10]) > sum(left[-10:])
    assert review_order.follow(scope.ws, project) and not review_order.follow(scope.ws, project)
    after = ordinary(scope)
    assert (
        sorted(after) == sorted(left)
        and sum(after[:10]) < sum(after[-10:])
        and drawn(scope) == kept
    )
    assert "likeliest to err, learned from " in cograde("order").out

    said = scope.ws.db.execute(
        "SELECT DISTINCT design, blind FROM opinion o JOIN author a ON a.id = o.author_id AND a.kind = 'person'"
    )
    assert {tuple(row) for row in said} == {("adaptive", 0), ("adaptive", 1), ("calibration", 1)}
    taught = lessons.labels(
        scope.ws.db,
        project,
        next(c for c in projects.criteria(scope.ws, project) if c.key == "small/relevance"),
    )
    assert {label.design for label in taught} == {"calibration"}
    found = agreement(scope, "study")
    assert found.population.name == "all" and "looked hard: no sample" in found.subtitle
    assert {choice.name for choice in found.population.choices} == {"all", "adaptive"}
    apart = agreement(scope, "study", population="adaptive")
    assert apart.population.words.endswith(
        "representative of cells that were reviewed early because they looked hard, and no others"
    )
    judges = [judge.verdict for criterion in apart.criteria for judge in criterion.judges]
    assert judges and {one.word for one in judges} == {"INCONCLUSIVE"} and gate(apart) == 5
    assert (
        "are on cells that were reviewed because they looked hard"
        in agreement(scope, "study", blind_only=False).population.words
    )
    assert "because they looked hard" in anchoring(scope, "study").subtitle

    # what looks easy was left over: it is no sample either
    change_settings(scope, "study", {"review_order": "question"})
    assert ordinary(scope) == sorted(left)
    grade(scope, "mira", truth)
    said = scope.ws.db.execute(
        "SELECT DISTINCT design FROM opinion o JOIN author a ON a.id = o.author_id AND a.kind = 'person'"
    )
    assert {row[0] for row in said} == {"adaptive", "calibration"}


def test_a_lead_may_have_screens_as_they_came_or_by_question(tmp_path: Path) -> None:
    scope = routed(tmp_path, 30, calibration=0.0)
    before = sorted(ordinary(scope))
    for order, words in (
        ("came", "as their answers came in"),
        ("question", "question after question."),
    ):
        change_settings(scope, "study", {"review_order": order})
        assert (
            ordinary(scope) == before and words in review_order.order_in_force(scope, "study").words
        )
    assert settings(scope, "study").settings["review_order"] == "question"
    grade(
        scope,
        "mira",
        lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
        screens=2,
    )
    (provenance,) = scope.ws.db.execute(
        "SELECT DISTINCT json_extract(provenance, '$.design') FROM verdict WHERE screen_id > 0"
    ).fetchall()
    assert json.dumps(tuple(provenance)) == '["ordinary"]' and not review_order.is_due(
        scope.ws, scope.project("study")
    )
    with pytest.raises(InputError, match="expected one of adaptive, came, question"):
        change_settings(scope, "study", {"review_order": "hardest"})


def test_one_setting_has_one_sentence_where_no_screen_waits(tmp_path: Path) -> None:
    scope = routed(tmp_path, 4, calibration=0.0)
    scope.ws.db.execute("UPDATE queue SET free = 0")
    said = []
    for before in ("came", "question"):
        for order in (before, "adaptive"):
            change_settings(scope, "study", {"review_order": order})
        said.append(review_order.order_in_force(scope, "study").words)
    (words,) = set(said)
    assert words.endswith("No waiting screen is left to hand out, so nothing is put in order.")


def test_where_machines_state_no_confidence_the_order_says_so(tmp_path: Path) -> None:
    scope = routed(tmp_path, 4, calibration=0.0)
    scope.ws.db.execute("UPDATE cell SET suggestion = NULL, suggestion_reason = ''")
    for order in ("came", "adaptive"):
        change_settings(scope, "study", {"review_order": order})
    assert "no machine has said how sure it is" in review_order.order_in_force(scope, "study").words
