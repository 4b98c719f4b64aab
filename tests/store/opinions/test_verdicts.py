"""Verdicts are appended and never changed; beside them stands what each author thinks now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from graders.core.records import (
    Design,
    Evidence,
    Mark,
    Provenance,
    SubjectKey,
    Verdict,
    VerdictKind,
)
from graders.core.scale import Value
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import cells, made_cells, stored_verdicts, verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import Project
from graders.store.workspace import Workspace
from tests.store import small


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    made = small.workspace(tmp_path)
    small.bring(
        small.scope_of(made),
        small.folder(
            tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"])
        ),
    )
    return made


def project_of(ws: Workspace) -> Project:
    return projects.get_project(ws, "study")


def give(
    ws: Workspace, uid: str, value: Value | None, *, kind: VerdictKind = "given", amends: str = "", author: str = "mira", save: str = "",
    mark: Mark | None = None, design: Design = "imported",
) -> int:  # fmt: skip
    """One verdict on completeness of the only answer; returns its cell."""
    project = project_of(ws)
    criterion = next(c for c in projects.criteria(ws, project) if c.key == "small/completeness")
    with ws.write() as db:
        subject = content.subject_ids(db, project)[0]
        cell = made_cells.add_cell(db, project, subject, criterion, "")
        question = cells.load_cells(db, [cell])[cell].question_id
        verdict = Verdict(
            subject=SubjectKey("q1", "Ash"), criterion=criterion.key, author=author, author_kind="person", id=uid, kind=kind, amends=amends,
            mark=mark or (Mark.unscored("not_applicable") if value is None else Mark(value=value)), provenance=Provenance(arm="blind", seconds=2.5, design=design),
        )  # fmt: skip
        verdicts.append(
            db,
            project,
            [CellVerdict(cell, criterion, question, verdict, save_id=save)],
            now=ws.now(),
        )
    return cell


def thinks(ws: Workspace, cell: int, author: str = "mira") -> list[Value | None]:
    return [
        o.value for o in verdicts.opinions_of(ws.db, [cell]).get(cell, []) if o.author == author
    ]


Step = tuple[str, Value | None, VerdictKind, str]


@pytest.mark.parametrize(
    ("steps", "now"),
    [
        ([("a", 2, "given", "")], [2]),
        ([("a", 2, "given", ""), ("b", 3, "amends", "a")], [3]),
        ([("a", 2, "given", ""), ("b", 2, "retracts", "a")], []),
        # the earlier one comes back
        (
            [("a", 2, "given", ""), ("b", 3, "amends", "a"), ("c", 3, "retracts", "b")],
            [2],
        ),
        # what was amended already changes nothing
        (
            [("a", 2, "given", ""), ("b", 3, "amends", "a"), ("c", 2, "retracts", "a")],
            [3],
        ),
        ([("a", 2, "given", ""), ("b", 2, "retracts", "a"), ("c", 4, "given", "")], [4]),
        (
            [
                ("a", 2, "given", ""),
                ("b", 3, "amends", "a"),
                ("c", 3, "retracts", "b"),
                ("d", 2, "retracts", "a"),
            ],
            [],
        ),
        ([("a", None, "given", "")], [None]),  # not applicable is an opinion, without a value
    ],
)
def test_the_present_opinion(ws: Workspace, steps: Sequence[Step], now: list[Value | None]) -> None:
    for uid, value, kind, amends in steps:
        cell = give(ws, uid, value, kind=kind, amends=amends)
    assert thinks(ws, cell) == now
    kept = [
        (row["uid"], row["kind"])
        for row in ws.db.execute("SELECT uid, kind FROM verdict ORDER BY id")
    ]
    assert kept == [(uid, kind) for uid, _, kind, _ in steps], "every row is still there, in order"


def test_one_persons_retraction_leaves_the_others_alone(ws: Workspace) -> None:
    give(ws, "a", 2, author="mira")
    give(ws, "b", 4, author="jon")
    cell = give(ws, "c", 2, kind="retracts", amends="a", author="mira")
    assert (thinks(ws, cell, "mira"), thinks(ws, cell, "jon")) == ([], [4])


def test_a_restored_opinion_has_its_own_row_and_provenance(ws: Workspace) -> None:
    give(ws, "a", 2)
    give(ws, "b", 3, kind="amends", amends="a")
    cell = give(ws, "c", 3, kind="retracts", amends="b")
    (opinion,) = verdicts.opinions_of(ws.db, [cell])[cell]
    assert (stored_verdicts.uid_of(ws.db, opinion.verdict_id), opinion.blind, opinion.design) == (
        "a",
        True,
        "imported",
    )


@pytest.mark.parametrize(
    ("first", "again", "kept"),
    [
        ("calibration", "placed", "calibration"),
        ("placed", "calibration", "calibration"),
        ("audit", "blind_arm", "audit"),
        ("blind_arm", "audit", "audit"),
    ],
)
def test_a_drawn_opinion_stays_in_its_draw_when_it_is_said_again_on_another_screen(
    ws: Workspace, first: Design, again: Design, kept: str
) -> None:
    give(ws, "a", 2, design=first)
    cell = give(ws, "b", 3, kind="amends", amends="a", design=again)
    (opinion,) = verdicts.opinions_of(ws.db, [cell])[cell]
    assert (opinion.value, opinion.design) == (3, kept)


def test_taking_back_a_save_twice_takes_it_back_once(ws: Workspace) -> None:
    give(ws, "a", 2)
    cell = give(ws, "b", 5, kind="amends", amends="a", save="save-0001")
    criteria = {c.id: c for c in projects.criteria(ws, project_of(ws))}
    with ws.write() as db:
        assert verdicts.retract_save(
            db, project_of(ws), "save-0001", criteria, now=ws.now(), undo_id="undo-0001"
        ) == [cell]
    assert thinks(ws, cell) == [2]
    said = stored_verdicts.verdicts_of(ws.db, [cell], latest=False)[cell]
    assert [(v.kind, v.mark.value) for v in said] == [
        ("given", 2),
        ("amends", 5),
        ("retracts", 5),
    ]


def test_everything_of_a_mark_comes_back(ws: Workspace) -> None:
    mark = Mark(
        value=4, confidence=0.7, confidence_kind="stated", rationale="Nearly all is there.",
        evidence=(Evidence(quote="Ash says 1.", found=True, start=0, end=11), Evidence(absent=True), Evidence(quote="made up", found=False)),
    )  # fmt: skip
    cell = give(ws, "a", 4, mark=mark)
    (found,) = stored_verdicts.verdicts_of(ws.db, [cell])[cell]
    assert found.mark == mark
    assert found.provenance["seconds"] == 2.5


def test_the_same_name_twice_is_refused(ws: Workspace) -> None:
    give(ws, "a", 2)
    with pytest.raises(Exception, match=r"UNIQUE constraint failed: verdict\.uid"):
        give(ws, "a", 3)
    cell = give(ws, "b", 3)
    assert thinks(ws, cell) == [3]
