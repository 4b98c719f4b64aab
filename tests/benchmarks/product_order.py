"""nq301 as the product takes it: imported and routed, its cells in the order that was fixed with
the draw."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from graders.store import projects
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import measure
from graders.workflows.promise.risk import kinds_of
from graders.workflows.routing.route import route
from tests.statistics.published import DATA
from tests.support.studies import scope_at


class Fixed(NamedTuple):
    """Cells that the machine has a value for: how `sure` the order is of each, the confidence that
    is `stated`, whether people differ."""

    sure: np.ndarray
    stated: np.ndarray
    error: np.ndarray


def product_order() -> Fixed:
    """Import, route with vectors, and read the order back."""
    with tempfile.TemporaryDirectory() as folder:
        scope = scope_at(Path(folder))
        importing_stage.finish(
            scope, importing_stage.stage(scope, "nq301", DATA / "nq301").import_id
        )
        route(scope, "nq301", measure.encoder_for({}, scope.ws))
        (kind,) = kinds_of(scope, scope.project("nq301"))
        assert kind.order is not None and kind.order.made_from["vectors"]
        sql = (
            "SELECT c.id, c.suggestion, c.suggestion_confidence, q.key, a.model FROM cell c JOIN subject s ON s.id = c.subject_id "
            "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = s.question_id WHERE c.criterion_id = ? AND c.suggestion IS NOT NULL"
        )
        cells = scope.ws.db.execute(sql, (kind.criterion.id,)).fetchall()
        assert (
            projects.events(scope.ws, scope.project("nq301"), "confidence_order")[0].body["digest"]
            == kind.order.digest
        )
        scope.ws.close()
    lines = (DATA / "nq301/human.jsonl").read_text("utf-8").splitlines()
    truth = {
        (r["question_id"], r["model"]): r["value"]
        for r in map(json.loads, lines)
        if r["annotator"] == "adjudicated"
    }
    sure = kind.order.of([cell[0] for cell in cells])[0]
    stated = [-1.0 if cell[2] is None else cell[2] for cell in cells]
    return Fixed(
        sure,
        np.array(stated),
        np.array([json.loads(cell[1]) != truth[cell[3], cell[4]] for cell in cells]),
    )
