"""Projects at a glance: who decided the cells, what waits, what happened; settings and rubrics that
may be changed."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.commands._next import next_line
from graders.core.errors import InputError, NotAllowed, NotFound, RubricError
from graders.core.shapes import as_dict
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.transfer import imports as import_store
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.home import _words as words
from graders.workflows.home import frame as page_frame
from graders.workflows.home import overview
from graders.workflows.home.cards import Card
from graders.workflows.importing import bad_rows
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.look_choices import with_columns
from graders.workflows.projects import settings as projects_settings
from graders.workflows.results import grid as results_grid
from graders.workflows.routing.route import route
from graders.workflows.runs import runs
from graders.workflows.runs.run_page import run_page
from graders.workflows.scope.permissions import Actor, Scope

TABLE = """question,category,task_type,birch,cedar
What is the capital of France?,geography,factual,Paris,Lyon
How many legs has a spider?,biology,factual,Eight,Six
Write two lines about rain.,poems,creative,Rain on the roof.,Rain is wet.
,geography,factual,Rome,Rome
"""


@pytest.fixture
def scope(tmp_path: Path) -> Iterator[Scope]:
    ws: Workspace = open_workspace(tmp_path / "app.db")
    yield Scope(Actor(), ws)
    ws.close()


def staged(scope: Scope, folder: Path, text: str = TABLE, name: str = "tiny") -> int:
    path = folder / f"{name}.csv"
    path.write_text(text, "utf-8")
    return importing_stage.stage(
        scope, name, path, staging=importing_stage.Staging(title=name.title())
    ).import_id


def card(scope: Scope) -> Card:
    return overview.all_projects(scope).projects[0]


def test_an_empty_workspace_says_how_to_begin(scope: Scope) -> None:
    found = overview.all_projects(scope)
    assert (found.title, found.projects, found.lately) == (
        "There is no project yet.",
        [],
        [],
    )


def test_questions_without_answers_are_asked_next(scope: Scope, tmp_path: Path) -> None:
    importing_stage.finish(
        scope,
        staged(
            scope,
            tmp_path,
            "question,reference\nHow many legs has a spider?,Eight\nAnd an ant?,Six\n",
        ),
    )
    step = card(scope).next
    assert (step.label, step.href) == ("Collect answers from models", "/run?project=tiny")
    said = next_line(scope, "tiny")
    assert said.startswith(
        "Next: Collect answers from models (2 questions have no answer yet): cograde collect --model PROVIDER:MODEL "
    )
    assert run_page(scope, "tiny").title == "No model has answered these 2 questions yet."


def test_the_next_step_follows_the_work(scope: Scope, tmp_path: Path) -> None:
    import_id = staged(scope, tmp_path)
    assert overview.all_projects(scope).projects == []
    importing_stage.finish(scope, import_id)
    assert card(scope).lines == ["3 questions · 2 models · English", "6 criteria, no LLM judge yet"]
    assert card(scope).totals["cells"] == 3 * 2 * 7
    assert card(scope).next.label == "Run the graders"

    screens = route(scope, "tiny").screens
    assert screens > 0
    assert card(scope).next.label == f"Review {screens} screens"
    assert overview.all_projects(scope).title == "Your projects: one has a next step for you."

    run_id = runs.start(scope, "tiny", {"judges": ["openai:some-model"], "needs_key": True}).run
    assert card(scope).next.label == "Watch the run"
    run_store.end(scope.ws, run_id, "waiting_for_key", "", {})
    step = card(scope).next
    assert (step.label, step.waits) == ("Enter the key", True)


def test_a_staged_import_is_no_project_and_in_no_count(scope: Scope, tmp_path: Path) -> None:
    first = staged(scope, tmp_path)
    found = overview.all_projects(scope)
    assert (found.title, found.projects) == ("An import waits for your decision.", [])
    text = "for Tiny; its rows are not used yet"
    assert [as_dict(one) for one in found.imports] == [
        {
            "id": first,
            "state": "staged",
            "title": "Import to finish: tiny.csv, 1 bad row",
            "text": text,
        }
    ]
    assert (page_frame.frame(scope).projects, page_frame.frame(scope).project) == ([], "")
    second = importing_stage.stage(
        scope,
        overview.free_name(scope, "Tiny"),
        tmp_path / "tiny.csv",
        staging=importing_stage.Staging(title="Tiny"),
    ).import_id
    for number in (first, second):
        importing_stage.finish(scope, number)
    found = overview.all_projects(scope)
    assert [project.title for project in found.projects] == ["Tiny 2", "Tiny"]
    assert (found.title, found.imports) == ("Your projects: 2 have a next step for you.", [])
    # into a project that is there already
    third = importing_stage.stage(scope, "tiny", tmp_path / "tiny.csv").import_id
    found = overview.all_projects(scope)
    assert found.title == "Your projects: 2 have a next step for you." and [
        one.id for one in found.imports
    ] == [third]
    assert len(page_frame.frame(scope).projects) == 2
    importing_stage.drop(scope, third)
    assert overview.all_projects(scope).imports == []


def test_a_run_that_stopped_before_routing_is_no_dead_end(scope: Scope, tmp_path: Path) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    run_store.end(scope.ws, runs.start(scope, "tiny", {}).run, "stopped", "", {})
    step = card(scope).next
    assert (step.label, step.why, step.waits) == (
        "Resume the run",
        "it was stopped",
        True,
    )


def test_answers_that_came_after_the_last_run_are_graded_next(scope: Scope, tmp_path: Path) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    run_store.end(scope.ws, runs.start(scope, "tiny", {}).run, "done", "", {})
    route(scope, "tiny")
    assert card(scope).next.kind == "review"
    scope.ws.clock = lambda: time.time() + 5
    importing_stage.finish(scope, staged(scope, tmp_path, TABLE.replace("Lyon", "Nice")))
    step = card(scope).next
    assert (step.label, step.why) == (
        "Run the graders",
        "1 answer came in after the last run",
    )
    run_store.end(scope.ws, runs.start(scope, "tiny", {}).run, "done", "", {})
    assert card(scope).next.kind == "review"


def test_where_only_people_differ_their_cells_are_settled_next(
    scope: Scope, tmp_path: Path
) -> None:
    path = tmp_path / "rated.csv"
    path.write_text(
        "question,model,answer,annotator,polite\n"
        + "".join(
            f"Why {n}?,m,So {n}.,{who},{v}\n"
            for n in range(3)
            for who, v in (("Ann", "No"), ("Bob", "Yes"))
        )
    )
    look = with_columns(importing_look.see(path)[1], ["polite=verdict", "annotator=annotator"])
    importing_stage.finish(
        scope,
        importing_stage.stage(
            scope, "rated", path, look, staging=importing_stage.Staging(title="Rated")
        ).import_id,
    )
    step = card(scope).next
    assert (step.label, step.href, step.why) == (
        "Settle 3 cells",
        "/adjudicate?project=rated",
        "annotators disagree on them",
    )
    assert next_line(scope, "rated").startswith(
        "Next: Settle 3 cells (annotators disagree on them): cograde serve"
    )


def test_what_happened_is_told_in_words(scope: Scope, tmp_path: Path) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    route(scope, "tiny")
    texts = [event.text for event in overview.all_projects(scope).lately]
    assert "3 questions, 6 answers imported, 1 row refused" in texts
    assert any(text.startswith("routed: ") for text in texts)
    # without a stated share at least 120, but at most half
    assert "calibration sample drawn: 3 of 6 answers" in texts


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0.4, "a minute"),
        (3.2, "3 minutes"),
        (52, "50 minutes"),
        (89, "90 minutes"),
        (150, "2 hours"),
    ],
)
def test_times_are_round(minutes: float, said: str) -> None:
    assert words.span(minutes) == said


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("2026-01-02T11:59:30Z", "just now"),
        ("2026-01-02T11:54:00Z", "6 min ago"),
        ("2026-01-02T09:00:00Z", "3 h ago"),
        ("2025-12-31T12:00:00Z", "2 d ago"),
    ],
)
def test_times_past(then: str, said: str) -> None:
    assert words.ago(then, "2026-01-02T12:00:00Z") == said


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Support replies", "support-replies"),
        ("Ответы, весна", "ответы-весна"),
        ("../../etc", "etc"),
        ("日本語", "日本語"),
    ],
)
def test_a_title_makes_a_name(scope: Scope, title: str, name: str) -> None:
    assert overview.free_name(scope, title) == name


def test_a_taken_name_gets_a_number_and_a_title_of_signs_is_refused(
    scope: Scope, tmp_path: Path
) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    assert overview.free_name(scope, "Tiny!") == "tiny-2"
    with pytest.raises(
        InputError,
        match=r"^title of the project: found '!!!', expected a title with a letter or digit\. Type a title\.$",
    ):
        overview.free_name(scope, "!!!")


def again(scope: Scope, folder: Path) -> int:
    """The page's way to another new project of the same title."""
    return importing_stage.stage(
        scope,
        overview.free_name(scope, "Tiny"),
        folder / "tiny.csv",
        staging=importing_stage.Staging(title="Tiny"),
    ).import_id


def test_a_first_import_that_nobody_finishes_takes_no_name_and_shows_nothing(
    scope: Scope, tmp_path: Path
) -> None:
    left = staged(scope, tmp_path)
    assert overview.all_projects(scope).projects == []
    for look in (lambda: results_grid.grid(scope, "tiny"), lambda: scope.project("other")):
        with pytest.raises(
            NotFound, match=r"found no such project, expected a project, and there is none yet\."
        ):
            look()
    assert importing_stage.finish(scope, again(scope, tmp_path)).project == "tiny"
    assert [
        (card.name, card.title, card.answers) for card in overview.all_projects(scope).projects
    ] == [("tiny", "Tiny", 6)]
    assert [importing_stage.finish(scope, left).project for _ in range(2)] == ["tiny-2"] * 2, (
        "it only waited"
    )
    assert [(p.name, p.title) for p in projects.list_projects(scope.ws)] == [
        ("tiny-2", "Tiny 2"),
        ("tiny", "Tiny"),
    ]
    assert scope.ws.check() == []


def test_of_two_first_imports_the_one_that_is_finished_first_gets_the_name(
    scope: Scope, tmp_path: Path
) -> None:
    first, second = staged(scope, tmp_path), again(scope, tmp_path)
    assert [importing_stage.finish(scope, one).project for one in (first, second)] == [
        "tiny",
        "tiny-2",
    ]
    assert [(p.name, p.title) for p in projects.list_projects(scope.ws)] == [
        ("tiny", "Tiny"),
        ("tiny-2", "Tiny 2"),
    ]


def test_a_title_that_another_project_took_meanwhile_gets_a_number_when_the_import_is_done(
    scope: Scope, tmp_path: Path
) -> None:
    waits = staged(scope, tmp_path)
    projects.add_project(scope.ws, "small", "Tiny")
    importing_stage.finish(scope, waits)
    assert [(p.name, p.title) for p in projects.list_projects(scope.ws)] == [
        ("tiny", "Tiny 2"),
        ("small", "Tiny"),
    ]


def test_an_interrupted_first_import_leaves_its_name_too(scope: Scope, tmp_path: Path) -> None:
    project = projects.add_project(scope.ws, "tiny", "Tiny")
    import_store.begin_import(scope.ws, project, "cut.csv", "")
    assert overview.free_name(scope, "Tiny") == "tiny-2", "somebody is writing into it"
    scope.ws.clock = lambda: time.time() + 60
    assert overview.free_name(scope, "Tiny") == "tiny"
    assert (
        importing_stage.sweep_interrupted(scope.ws) == 1 and projects.list_projects(scope.ws) == []
    )


def test_bad_rows_do_not_run_in_a_spreadsheet(scope: Scope, tmp_path: Path) -> None:
    import_id = staged(scope, tmp_path, name="=1+1")
    rows = list(csv.DictReader(io.StringIO(bad_rows.bad_rows_csv(scope, import_id))))
    # 1 header, 3 good rows, then the bad one
    assert [(row["cograde_file"], row["cograde_row"], row["cograde_column"]) for row in rows] == [
        ("'=1+1.csv", "5", "question")
    ]
    assert rows[0]["cograde_found"] and rows[0]["cograde_expected"]


def test_a_report_survives_and_knows_its_categories(scope: Scope, tmp_path: Path) -> None:
    import_id = staged(scope, tmp_path, TABLE.replace("task_type", "remark"))
    assert overview.import_report(scope, import_id).state == "staged"
    importing_stage.finish(scope, import_id)
    found = overview.import_report(scope, import_id)
    assert found.state == "done" and found.project == {"name": "tiny", "title": "Tiny"}
    assert (found.next.label, found.next) == ("Run the graders", card(scope).next)
    assert {(row.category, row.chosen, row.stated) for row in found.categories} == {
        ("geography", "unknown", 0),
        ("biology", "unknown", 0),
        ("poems", "unknown", 0),
    }
    with pytest.raises(NotFound, match="no such import"):
        overview.import_report(scope, 999)


def test_settings_change_and_the_log_says_how(scope: Scope, tmp_path: Path) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    found = projects_settings.change_settings(
        scope, "tiny", {"audit": 0.1, "show_models": True, "overlap": 1}
    )
    assert (found.settings["audit"], found.settings["show_models"]) == (0.1, True)
    assert "settings changed: audit 0.05 → 0.1, show_models False → True" in [
        e.text for e in overview.all_projects(scope).lately
    ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"audit": 1.5},
            "setting audit (answers drawn for audit): found 1.5, expected a share from 0 to 1.",
        ),
        (
            {"overlap": 0},
            "setting overlap (annotators per item (overlap)): found 0, expected a whole number from 1 to 20.",
        ),
        (
            {"overlap": 1.5},
            "setting overlap (annotators per item (overlap)): found 1.5, expected a whole number from 1 to 20.",
        ),
        (
            {"blind": "a lot"},
            "setting blind (screens that are blind): found 'a lot', expected a share from 0 to 1.",
        ),
        (
            {"blind": float("nan")},
            "setting blind (screens that are blind): found nan, expected a share from 0 to 1.",
        ),
        ({"show_models": 1}, "setting show_models: found 1, expected true or false."),
    ],
)
def test_a_wrong_setting_is_a_sentence_and_changes_nothing(
    scope: Scope, tmp_path: Path, changes: dict[str, object], sentence: str
) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    before = projects_settings.settings(scope, "tiny").settings
    with pytest.raises(InputError) as error:
        projects_settings.change_settings(scope, "tiny", {"calibration": 0.5, **changes})
    assert str(error.value).startswith(sentence + " ") and error.value.remedy
    assert projects_settings.settings(scope, "tiny").settings == before


def test_an_unknown_setting_names_the_known_ones(scope: Scope, tmp_path: Path) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    with pytest.raises(
        InputError, match=r"^settings: found the name 'seed', expected one of calibration, "
    ):
        projects_settings.change_settings(scope, "tiny", {"seed": 1})


def test_a_rubric_is_looked_at_and_changed(scope: Scope, tmp_path: Path) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    rubric = projects_settings.settings(scope, "tiny").rubrics[0]
    assert rubric.name == "answer-quality"
    assert rubric.criteria[0].scale == "one of irrelevant, relevant"
    source = rubric.source.replace("[irrelevant, relevant]", "[off topic, in part, relevant]")
    changed = projects_settings.change_rubric(scope, "tiny", "answer-quality", source)
    assert changed.rubrics[0].criteria[0].scale == "one of off topic, in part, relevant"
    assert card(scope).totals["cells"] == 3 * 2 * 7
    with pytest.raises(RubricError, match="rubric answer-quality"):
        projects_settings.change_rubric(scope, "tiny", "answer-quality", "rubric: [")
    with pytest.raises(
        InputError, match="found the name 'other', expected the same name, 'answer-quality'"
    ):
        projects_settings.change_rubric(
            scope,
            "tiny",
            "answer-quality",
            source.replace("rubric: answer-quality", "rubric: other"),
        )
    with pytest.raises(InputError, match="no such rubric in this project"):
        projects_settings.change_rubric(scope, "tiny", "faults", source)
    assert projects_settings.settings(scope, "tiny") == changed


@pytest.mark.parametrize(
    ("state", "phase", "title"),
    [
        ("queued", "waiting", "The run is about to begin."),
        # nobody works on it
        (
            "running",
            "gone",
            "The run was interrupted: 2 replies read, for $0.50.",
        ),
        ("paused", "paused", "Paused: 2 replies read, for $0.50."),
        ("waiting_for_key", "key", "The run waits for your key."),
        (
            "stopped",
            "over",
            "The run was stopped: 2 replies read, for $0.50; 1 cell got no verdict of a judge.",
        ),
        (
            "done",
            "over",
            "The run is done: 2 replies read, for $0.50; 1 cell got no verdict of a judge.",
        ),
    ],
)
def test_a_run_says_how_it_stands(
    scope: Scope, tmp_path: Path, state: str, phase: str, title: str
) -> None:
    importing_stage.finish(scope, staged(scope, tmp_path))
    assert run_page(scope, "tiny").title == "No grader has looked at these 6 answers yet."
    run_id = runs.start(scope, "tiny", {"judges": ["openai:some-model"], "needs_key": True}).run
    progress = {"judges": [{"done": 2}], "money": 0.5, "calls": 2, "without_verdict": 1}
    if state != "queued":
        run_store.end(scope.ws, run_id, state, "", progress)
    scope.ws.clock = lambda: time.time() + 60  # a worker that was silent for a minute is gone
    found = run_page(scope, "tiny")
    assert (found.phase, found.title) == (phase, title)
    assert found.known_judges == ["openai:some-model"]


def test_an_annotator_may_look_but_not_change(scope: Scope, tmp_path: Path) -> None:
    import_id = staged(scope, tmp_path)
    annotator = Scope(Actor("p", role="annotator"), scope.ws)
    assert overview.all_projects(annotator).imports
    for act in (
        lambda: projects_settings.change_settings(annotator, "tiny", {"audit": 0.1}),
        lambda: projects_settings.change_rubric(annotator, "tiny", "answer-quality", ""),
        lambda: bad_rows.bad_rows_csv(annotator, import_id),
        lambda: overview.import_report(annotator, import_id),
    ):
        with pytest.raises(NotAllowed):
            act()
