"""Whoever routes the same project with the same seed draws the same answers for calibration and
audit, with another seed others."""

from __future__ import annotations

from pathlib import Path

from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.support.routed import routed


def drawn(scope: Scope) -> dict[str, set[tuple[str, str, float]]]:
    """By design: question and model of the answers that were drawn, with their probability."""
    sql = (
        "SELECT sc.design, q.key, a.model, sc.probability FROM screen sc JOIN screen_subject ss ON ss.screen_id = sc.id "
        "JOIN subject s ON s.id = ss.subject_id JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = a.question_id "
        "WHERE sc.design IN ('calibration', 'audit')"
    )
    found: dict[str, set[tuple[str, str, float]]] = {}
    for design, question, model, probability in scope.ws.db.execute(sql):
        found.setdefault(design, set()).add((question, model, probability))
    return found


def test_the_seed_decides_every_draw(tmp_path: Path) -> None:
    made = []
    for place, seed in enumerate((7, 7, 8)):
        (tmp_path / str(place)).mkdir()
        scope = routed(tmp_path / str(place), 40, seed=seed, audit=0.3)
        made.append(drawn(scope))
        route(scope, "study")
        assert drawn(scope) == made[-1], "routing again draws nothing anew"
        scope.ws.close()
    one, same, other = made
    # 30 % of 40 answers; the audit then draws 30 % of those with an automatic cell that are left
    assert len(one["calibration"]) == 12 and len(one["audit"]) >= 2
    assert one == same
    assert other.keys() == one.keys() and all(other[design] != one[design] for design in one)
    assert len(other["calibration"]) == 12
