"""A workspace in a notebook: frames, import, grading and export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from graders import CogradeError, open_workspace
from graders.notebook.tables import TABLES, frame
from graders.notebook.workspace import Workspace
from graders.store.workspace import open_workspace as open_store
from graders.workflows.projects.demo import ensure_demo
from tests.support.documents import text
from tests.support.stub import StubProvider, provider_stub

EVERY = ("questions", "answers", "verdicts", "cells", "routes")
HOSTILE = '=HYPERLINK("http://x","y")'


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    path = tmp_path_factory.mktemp("notebook") / "demo.db"
    ws = open_store(path)
    ensure_demo(ws)
    ws.close()
    with open_workspace(path) as workspace:
        yield workspace


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubProvider]:
    with provider_stub() as running:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        monkeypatch.setenv("COGRADE_ENCODER", "")
        monkeypatch.setenv("COGRADE_MULTILINGUAL", "")
        yield running


def answers(count: int = 12) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "question": [f"What is {i} plus {i}?" for i in range(count)],
            "reference": [[str(2 * i), f"it is {2 * i}"] for i in range(count)],
            "Cedar": [f"That makes {2 * i}." for i in range(count)],
            "Rowan": [HOSTILE] + [f"it is {2 * i + i % 2}" for i in range(1, count)],
        }
    )


def test_frames_have_their_columns_and_types_and_the_same_order_each_time(demo: Workspace) -> None:
    project = demo.project("autumn-study")
    made = {name: getattr(project, name) for name in EVERY}
    made |= {name: getattr(project, name)() for name in ("agreement", "leaderboard", "report")}
    made["projects"] = demo.projects
    for name, table in made.items():
        assert len(table) and list(table.columns) == list(TABLES[name]), name
        assert {c: str(t) for c, t in table.dtypes.items()} == {
            c: column.dtype for c, column in TABLES[name].items()
        }, name
        again = getattr(project, name, table)
        pd.testing.assert_frame_equal(again() if callable(again) else again, table)
    verdicts = made["verdicts"]
    assert set(verdicts["author_kind"]) == {"person", "judge", "rule"}
    blind = verdicts[verdicts["arm"] == "blind"]
    assert blind["probability"].between(0, 1, inclusive="right").all()
    assert verdicts["created_at"].dt.year.min() == 2026


def test_figures_are_those_of_the_pages(demo: Workspace) -> None:
    from graders.workflows.agreement.agree import agreement
    from graders.workflows.leaderboard.ranking import leaderboard

    project = demo.project("autumn-study")
    shown = [
        judge.shown.value
        for criterion in agreement(demo.scope, "autumn-study").criteria
        for judge in criterion.judges
    ]
    found = project.agreement()["value"]
    assert [None if np.isnan(one) else one for one in found] == shown
    board, models = project.leaderboard(), leaderboard(demo.scope, "autumn-study").models
    overall = board[board["criterion"] == "overall"]
    assert overall["value"].tolist() == [row.figure.value for row in models]
    assert overall["model"].tolist() == [row.model for row in models]


def test_the_guide_lists_the_columns_as_they_are() -> None:
    parts = re.split(r"^### (\w+)$", text("docs/notebook.md"), flags=re.M)[1:]
    told = {
        name: {
            column: (dtype, about)
            for column, dtype, about in re.findall(
                r"^\| `(\w+)` \| ([\w\[\], ]+) \| (.*) \|$", body, flags=re.M
            )
        }
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }
    assert told == {
        name: {
            column: (found.dtype, found.about + (f" ({found.unit})" if found.unit else ""))
            for column, found in columns.items()
        }
        for name, columns in TABLES.items()
    }


def test_a_frame_without_rows_has_its_types() -> None:
    for name, columns in TABLES.items():
        empty = frame(name, [])
        assert [str(t) for t in empty.dtypes] == [c.dtype for c in columns.values()], name


def test_add_grade_and_export(tmp_path: Path, stub: StubProvider) -> None:
    with open_workspace(tmp_path / "work.db", person="Ann") as workspace:
        project = workspace.create("sums", rubric="correctness")
        added = project.add(answers())
        assert (added.questions, added.answers, len(added.bad_rows)) == (12, 24, 0)
        assert project.questions["reference"][3] == ["6", "it is 6"]
        assert project.answers["text"][1] == HOSTILE, "frames hold texts as they are"
        assert project.add(answers()).unchanged > 0 and len(project.answers) == 24
        assert project.plan("openai:stub").judges[0].calls == 24
        assert stub.stats()["requests"] == 0
        done = project.grade("openai:stub")
        asked = stub.stats()["requests"]
        assert (done.state, done.calls) == ("done", asked) and asked >= 24
        project.grade("openai:stub")
        assert stub.stats()["requests"] == asked, "a stored reply is not bought again"
        cells = project.cells
        assert len(cells) == 24 and cells["suggestion"].notna().all()
        project.export(tmp_path / "out.csv")
        assert f"'{HOSTILE[:10]}" in (tmp_path / "out.csv").read_text("utf-8-sig")
        report = project.report(tmp_path / "report.html")
        assert len(report) and (tmp_path / "report.html").stat().st_size > 1000
        assert workspace.projects["name"].tolist() == ["sums"]


def test_bad_rows_lose_no_good_ones(tmp_path: Path) -> None:
    given = answers(3)
    given.loc[1, "question"] = ""
    with open_workspace(tmp_path / "work.db") as workspace:
        added = workspace.create("sums", rubric="correctness").add(given)
        assert added.questions == 2
        (bad,) = added.bad_rows.to_dict("records")
        assert bad["row"] == 3 and bad["expected"]


def test_errors_say_what_to_do(
    tmp_path: Path, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_workspace(tmp_path / "work.db") as workspace:
        with pytest.raises(CogradeError, match="create"):
            workspace.project()
        with pytest.raises(CogradeError, match="'nowhere'"):
            workspace.project("nowhere")
        project = workspace.create("sums", rubric="correctness")
        with pytest.raises(CogradeError, match="no-such-rubric"):
            workspace.create("other", rubric="no-such-rubric")
        with pytest.raises(CogradeError, match="answers: found str, expected a pandas frame"):
            project.add("answers.csv")  # type: ignore[arg-type]
        with pytest.raises(CogradeError, match="colour"):
            project.add(answers(), columns={"colour": "model"})
        project.add(answers())
        with pytest.raises(CogradeError, match="a project of that name"):
            workspace.create("sums")
        with pytest.raises(CogradeError, match=r"out\.zzz: found an ending of no format"):
            project.export(tmp_path / "out.zzz")
        stub.configure(faults={"wrong_key": 1.0})
        with pytest.raises(CogradeError, match="run 1: found failed"):
            project.grade("openai:stub")
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(CogradeError, match="OPENAI_API_KEY"):
            project.grade("openai:stub")


def test_a_limit_is_kept_and_a_misspelt_one_is_refused(tmp_path: Path, stub: StubProvider) -> None:
    with open_workspace(tmp_path / "work.db") as workspace:
        project = workspace.create("sums", rubric="correctness")
        project.add(answers())
        for wrong in ({"budget_mony": 5}, {"max_call": 3}, {"max_calls": 3, "budget_calls": 3}):
            for ask in (project.plan, project.grade):
                with pytest.raises(CogradeError, match="Nothing was sent"):
                    ask("openai:stub", **wrong)
        with pytest.raises(CogradeError, match="no such option"):
            project.collect("openai:stub", tries=3)
        with pytest.raises(CogradeError, match="expected one of budget, max_calls, tries, "):
            project.plan("openai:stub", max_call=3)
        assert project.plan("openai:stub", budget=5).budget_money == 5
        assert stub.stats()["requests"] == 0
        done = project.grade("openai:stub", max_calls=3, concurrency=1)
        assert (done.state, stub.stats()["requests"]) == ("stopped", 3)
