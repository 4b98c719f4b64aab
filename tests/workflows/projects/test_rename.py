"""Another title or name for a project; the old one leads to it until another project takes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import Conflict, InputError, NotAllowed
from graders.store import projects
from graders.store.desk import seeded
from graders.workflows.home import frame as page_frame
from graders.workflows.home import overview
from graders.workflows.projects.rename import Renamed, rename
from graders.workflows.review import grading
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.workflows.projects.test_delete import copied


def test_the_old_name_leads_to_the_new_one_until_another_takes_it(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    mira = small.scope_of(ws, "mira")
    (screen,) = grading.next_screens(mira, "study", 1)
    assert rename(scope, "study", "Support bot", "support") == Renamed(
        "support", "Support bot", "study", "study"
    )
    rename(scope, "support", name="desk")
    small.save(mira, screen, "save-mira")  # a desk that was open under the first name
    for name in ("study", "support", "desk"):
        assert scope.project(name).name == "desk"
        assert page_frame.frame(scope, name).project == "desk"
    assert [p.name for p in projects.begun_projects(ws)] == ["desk"]
    assert "study is now called Support bot" in [
        e.text for e in overview.all_projects(scope).lately
    ]
    files = small.folder(
        tmp_path, "new", questions=small.questions(1), answers=small.answers(1, ["Ash"])
    )
    small.bring(scope, files, project="study")
    assert scope.project("study").title == "study" and scope.project("support").name == "desk"
    with pytest.raises(Conflict, match="a project of that name"):
        rename(scope, "desk", name="study")
    assert rename(scope, "desk", title="study").title == "study 2"
    assert ws.check() == []


def test_copies_with_seeded_faults_follow(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    assert copied(tmp_path, scope)
    rename(scope, "study", "Support bot", "support")
    copies = seeded.project_of_copies(ws.db, scope.project("support"))
    assert copies is not None and copies.name == "support-seeded" and "Support bot" in copies.title
    with pytest.raises(InputError, match="Rename 'support': its copies follow"):
        rename(scope, "support-seeded", name="mine")


@pytest.mark.parametrize("name", ["x" * 121, "a\x1b[31mb"])
def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path, name: str) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    with pytest.raises(InputError, match="at most 120 characters"):
        rename(scope, "study", name=name)
    with pytest.raises(NotAllowed):
        rename(Scope(Actor("mira", "annotator"), ws), "study", name="mine")
    assert rename(scope, "study", " ", " ").name == "study", "what is empty stays"
    assert projects.events(ws, scope.project("study"), projects.RENAMED) == []
