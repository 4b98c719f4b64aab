"""nq301 as the product takes it: imported and routed, its cells in the order that was fixed with
the draw."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from graders.store import projects
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import measure
from graders.workflows.promise.risk import kinds_of
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.statistics.published import DATA
from tests.support.studies import scope_at


class Fixed(NamedTuple):
    """Cells that the machine has a value for: how `sure` the order is of each, the confidence that
    is `stated`, whether people differ."""

    sure: np.ndarray
    stated: np.ndarray
    error: np.ndarray


def product_order() -> Fixed:
    """All judges of the set, as it is imported; routed with vectors."""
    return product_orders([()])[0]


def product_orders(by: Sequence[Sequence[str]]) -> list[Fixed]:
    """An order each by these judges and the rules and metrics of the rubric, which run as in the
    product; an empty entry stands for the set as it is, unmeasured. One workspace, so that texts
    are encoded once."""
    with tempfile.TemporaryDirectory() as folder:
        scope = scope_at(Path(folder))
        encoder = measure.encoder_for({}, scope.ws)
        made = []
        for number, judges in enumerate(by):
            name, source = f"nq301-{number}", DATA / "nq301"
            if judges:
                source = _by_judges(Path(folder) / name, judges)
            importing_stage.finish(scope, importing_stage.stage(scope, name, source).import_id)
            if judges:
                measure.measure(scope.ws, scope.project(name), encoder)
            route(scope, name, encoder)
            made.append(_fixed(scope, name))
        scope.ws.close()
    return made


def _by_judges(folder: Path, judges: Sequence[str]) -> Path:
    """The set with the verdicts of some judges, and of no person."""
    folder.mkdir()
    for table in ("questions", "answers", "judge"):
        lines = (DATA / "nq301" / f"{table}.jsonl").read_text("utf-8").splitlines()
        kept = [line for line in lines if table != "judge" or json.loads(line)["judge"] in judges]
        (folder / f"{table}.jsonl").write_text("\n".join(kept) + "\n", "utf-8")
    return folder


def _fixed(scope: Scope, name: str) -> Fixed:
    """The order that was fixed, and where people differ."""
    (kind,) = kinds_of(scope, scope.project(name))
    assert kind.order is not None and kind.order.made_from["vectors"]
    sql = (
        "SELECT c.id, c.suggestion, c.suggestion_confidence, q.key, a.model FROM cell c JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = s.question_id WHERE c.criterion_id = ? AND c.suggestion IS NOT NULL"
    )
    cells = scope.ws.db.execute(sql, (kind.criterion.id,)).fetchall()
    (logged, *_) = projects.events(scope.ws, scope.project(name), "confidence_order")
    assert logged.body["digest"] == kind.order.digest
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
