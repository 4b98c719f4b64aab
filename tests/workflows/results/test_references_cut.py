"""A verdict whose judge saw only the beginning of a reference says so: at the desk, in Results and
in what is taken away."""

from __future__ import annotations

import csv
from pathlib import Path

from graders.workflows.report.export import export
from graders.workflows.results import answer as results_answer
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.scope.missing_reasons import cut_words
from tests.store import small

NOTE = "It saw only the beginning of the reference: 2,345 of 20,012 characters."


def test_a_cut_reference_is_said_beside_the_mark_and_in_exports(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    lead = small.scope_of(ws, "lead")
    cut = {"kept": 2345, "of": 20012}
    files = small.folder(
        tmp_path,
        "study",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
        judge=[
            small.judge("q1", "Ash", "small/completeness", "north", 4, reference_cut=cut),
            small.judge("q1", "Ash", "small/completeness", "south", 2),
            small.judge(
                "q1", "Ash", "small/relevance", "north", "relevant", reference_cut="<b>all</b>"
            ),
        ],
    )
    small.bring(lead, files)
    small.sample(ws, calibration=0.0, audit=0.0, blind=0.0)
    route.route(lead, "study")
    (screen,) = grading.next_screens(small.scope_of(ws, "mira"), "study", 1)
    said = {
        (c.criterion, j.name): j.note for a in screen.answers for c in a.cells for j in c.judges
    }
    wanted = {
        ("small/completeness", "north"): NOTE,
        ("small/completeness", "south"): "",
        ("small/relevance", "north"): "",
    }
    assert said == wanted
    found = results_answer.answer(lead, "study", "q1", "Ash")
    assert {
        (c.criterion, v.author): v.note
        for c in found.cells
        for v in c.verdicts
        if v.kind == "judge"
    } == wanted
    export(lead, "study", "csv", tmp_path / "cells.csv")
    with (tmp_path / "cells.csv").open(encoding="utf-8-sig", newline="") as rows:
        kept = {
            line["criterion"]: line["reference_cut"]
            for line in csv.DictReader(rows)
            if line["reference_cut"]
        }
    assert kept == {"small/completeness": "north: 2,345 of 20,012 characters"}


def test_only_figures_that_can_be_true_are_told() -> None:
    for wrong in (
        {},
        {"kept": 3},
        {"kept": "1", "of": 2},
        {"kept": 5, "of": 5},
        {"kept": -1, "of": 5},
        {"kept": True, "of": 5},
        [1, 2],
    ):
        assert cut_words({"reference_cut": wrong}) == ""
