"""Import: unseen until it is done, then visible at once; good rows beside bad ones; old verdicts stay with the old text."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError, Conflict, NotFound
from graders.core.rubric import read_rubric
from graders.core.scale import Scale
from graders.store import content, projects
from graders.store import imports as import_store
from graders.store.workspace import Workspace, open_workspace
from graders.workflows import imports, measure, results, review
from graders.workflows.agree import agreement
from graders.workflows.export import export, take_snapshot
from graders.workflows.imports import Report
from graders.workflows.permissions import Scope
from graders.workflows.route import route
from tests.store import small

DATA = Path(__file__).parents[2] / "../shared/data"
TABLE = "question,category,type,reference,Ash,Oak\nCapital of France?,geography,factual,Paris,Paris.,Lyon.\nA poem on rain?,verse,creative,,Drip.,Drop.\n"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return small.workspace(tmp_path)


@pytest.fixture
def scope(ws: Workspace) -> Scope:
    return small.scope_of(ws)


def need(name: str) -> Path:
    """The optional data folder of that name."""
    if not (DATA / name).is_dir():
        pytest.skip(f"the optional data folder {name} is not there")
    return DATA / name


def csv(place: Path, text: str, name: str = "answers.csv") -> Path:
    path = place / name
    path.write_text(text, "utf-8")
    return path


def everything(scope: Scope, project: str = "study") -> dict[str, Any]:
    """All of a project as an export has it, times of rows left out."""
    found = take_snapshot(scope, project)
    return {"project": found.project, "rubrics": found.rubrics, **found.tables}


def texts(ws: Workspace) -> list[tuple[Any, ...]]:
    """(question, model, version, text, current) of all answers."""
    sql = "SELECT q.text, a.model, a.version, a.text, a.current FROM answer a JOIN question q ON q.id = a.question_id ORDER BY q.id, a.model, a.version"
    return [tuple(row) for row in ws.db.execute(sql)]


def values(ws: Workspace, version: int) -> list[tuple[str, Any]]:
    """(author, value) of the opinions on answers of a version."""
    sql = (
        "SELECT au.name, o.value FROM opinion o JOIN author au ON au.id = o.author_id JOIN cell c ON c.id = o.cell_id JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id WHERE a.version = ? ORDER BY 1, 2"
    )
    return [(row[0], json.loads(row[1])) for row in ws.db.execute(sql, (version,))]


# -- again, and changed


def test_the_same_table_again_changes_nothing(tmp_path: Path, scope: Scope) -> None:
    path = csv(tmp_path, TABLE)
    first = small.bring(scope, path, rubric=None)
    assert (first.questions, first.answers, first.new_versions, first.bad) == (2, 4, 0, 0)
    before = everything(scope)
    again = small.bring(scope, path, rubric=None)
    assert (again.questions, again.changed_questions, again.answers, again.new_versions, again.verdicts) == (0, 0, 0, 0, 0)
    assert again.unchanged == 2 + 4
    assert everything(scope) == before


def test_the_same_verdicts_again_change_nothing(tmp_path: Path, scope: Scope) -> None:
    given = [small.human("q1", "Ash", "completeness", "mira", 4), small.human("q1", "Ash", "completeness", "jon", 4)]
    said = [small.judge("q1", "Ash", "completeness", "north", 5, confidence=0.9)]
    path = small.folder(tmp_path, "f", questions=small.questions(2), answers=small.answers(2, ["Ash"]), human=given, judge=said)
    assert small.bring(scope, path).verdicts == 3
    route(scope, "study")
    before = everything(scope)
    assert small.bring(scope, path).verdicts == 0
    assert everything(scope) == before


def test_a_changed_answer_is_a_new_version_and_old_verdicts_stay_with_the_old_text(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    old = small.folder(
        tmp_path,
        "old",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
        human=[small.human("q1", "Ash", "completeness", "mira", 2)],
    )
    small.bring(scope, old)
    new = small.folder(
        tmp_path,
        "new",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"], "Better."),
        human=[small.human("q1", "Ash", "completeness", "jon", 5)],
    )
    report = small.bring(scope, new)
    assert (report.answers, report.new_versions) == (1, 1)
    assert texts(ws) == [("Question 1?", "Ash", 1, "Ash says 1.", 0), ("Question 1?", "Ash", 2, "Better.", 1)]
    assert (values(ws, 1), values(ws, 2)) == ([("mira", 2)], [("jon", 5)])
    grid = results.grid(scope, "study")
    assert grid["counts"]["cells"] == 4, "four criteria of the present text; the earlier one counts no more"
    assert small.tallied(ws) == small.recount(ws)


def test_verdicts_alone_are_about_the_text_that_is_shown_now(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    for number, text in enumerate(("First.", "Second.")):
        small.bring(scope, small.folder(tmp_path, f"f{number}", questions=small.questions(1), answers=small.answers(1, ["Ash"], text)))
    given = [small.human("q1", "Ash", "completeness", "mira", 5), small.human("q1", "Ash", "tone", "mira", "dry", answer_version=1)]
    small.bring(scope, small.folder(tmp_path, "verdicts", questions=small.questions(1), human=given))
    assert (values(ws, 1), values(ws, 2)) == ([("mira", "dry")], [("mira", 5)])
    assert small.tallied(ws) == small.recount(ws)


def test_a_changed_question_keeps_its_answers_and_what_the_file_leaves_out(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    asked = {"id": "q1", "text": "Why?", "category": "depth", "task_type": "factual", "reference": ["Because."]}
    small.bring(scope, small.folder(tmp_path, "a", questions=[asked], answers=small.answers(1, ["Ash"])))
    report = small.bring(scope, small.folder(tmp_path, "b", questions=[{"id": "q1", "text": "Why, then?", "category": "depths"}]))
    assert (report.questions, report.changed_questions) == (0, 1)
    (question,) = content.questions(ws.db, projects.get_project(ws, "study")).values()
    assert (question.text, question.category, question.task_type, question.references) == ("Why, then?", "depths", "factual", ("Because.",))
    assert small.tallied(ws) == small.recount(ws), "its cells are counted under the new category"


# -- bad rows


def test_bad_rows_are_listed_and_the_good_ones_beside_them_come_in(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    path = small.folder(
        tmp_path,
        "mixed",
        questions=small.questions(1),
        answers=[*small.answers(1, ["Ash"]), {"question_id": "q9", "model": "Ash", "text": "To what?"}],
        human=[
            small.human("q1", "Ash", "completeness", "mira", 4),
            small.human("q1", "Ash", "completeness", "jon", 9),
            small.human("q1", "Ash", "small/tone", "mira", "loud"),
            small.human("q1", "Yew", "completeness", "mira", 3),
            small.human("q1", "Ash", "relevance", "mira", "RELEVANT"),
            small.human("q1", "Ash", "completeness", "lee", 4, arm="half"),
        ],
    )
    report = small.bring(scope, path)
    assert (report.answers, report.verdicts, report.bad) == (1, 2, 5)
    assert [(row.file, row.row, row.column, row.found, row.expected) for row in report.bad_rows] == [
        ("answers.jsonl", 2, "question_id", "'q9'", "the id of a question in this file or project"),
        ("human.jsonl", 2, "value", "9", "a whole number from 1 to 5"),
        ("human.jsonl", 3, "value", "'loud'", "one of warm, dry, stiff"),
        ("human.jsonl", 4, "model", "'q1 / Yew'", "a question and model with an answer"),
        ("human.jsonl", 6, "value", "4", "the arm blind or assisted"),
    ]
    assert values(ws, 1) == [("mira", "relevant"), ("mira", 4)] or values(ws, 1) == [("mira", 4), ("mira", "relevant")]


def test_two_texts_of_one_model_for_one_question(tmp_path: Path, scope: Scope) -> None:
    """A wide table cannot say it twice, a folder with one file of answers neither; two files of one project can."""
    path = csv(tmp_path, "question,model,answer\nWhy?,Ash,Because.\nWhy?,Ash,Why not.\nHow?,Ash,So.\n")
    report = small.bring(scope, path, rubric=None)
    assert (report.answers, report.bad) == (2, 1)
    assert (report.bad_rows[0].row, report.bad_rows[0].file) == (3, "answers.csv")


def test_a_criterion_that_nobody_knows_is_a_bad_row_where_the_rubrics_are_given(tmp_path: Path, scope: Scope) -> None:
    path = small.folder(
        tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"]), judge=[small.judge("q1", "Ash", "wit", "north", 3)]
    )
    report = small.bring(scope, path)
    assert (report.verdicts, report.bad) == (1, 0), "a rubric is made for it"
    assert report.rubrics == ("small", "study-imported")


# -- scales and rubrics


@pytest.mark.parametrize(
    ("stated", "given", "scale"),
    [
        (["low", "mid", "high"], ["mid", "high"], Scale("ordered", labels=("low", "mid", "high"))),
        ({"labels": ["red", "blue"], "ordered": False}, ["red"], Scale("nominal", labels=("red", "blue"))),
        ([1, 5], [2, 3], Scale("integer", low=1, high=5)),
        ({"from": 0, "to": 10, "whole": False}, [2.5], Scale("numeric", low=0, high=10)),
        (["No", "Yes"], ["Yes"], Scale("ordered", labels=("No", "Yes"))),
        # nothing stated: what the values show
        (None, ["yes", "No", "YES"], Scale("ordered", labels=("No", "Yes"))),
        (None, ["red", "blue", "red"], Scale("nominal", labels=("red", "blue"))),
        (None, [2, 3, 5], Scale("integer", low=1, high=5)),
        (None, [0.2, 0.9], Scale("numeric", low=0, high=1)),
        (None, [0, 10], Scale("integer", low=0, high=10)),
        (None, [1.5, 7.25], Scale("numeric", low=1.5, high=7.25)),
    ],
)
def test_a_rubric_is_made_from_the_scale_that_a_file_states_or_shows(
    tmp_path: Path, ws: Workspace, scope: Scope, stated: Any, given: Sequence[Any], scale: Scale
) -> None:
    more = {} if stated is None else {"scale": stated}
    said = [small.human(f"q{i}", "Ash", "wit", "mira", value, **more) for i, value in enumerate(given, 1)]
    count = len(given)
    path = small.folder(tmp_path, "f", questions=small.questions(count), answers=small.answers(count, ["Ash"]), human=said)
    report = small.bring(scope, path, rubric=None)
    assert (report.verdicts, report.bad, report.rubrics) == (count, 0, ("study-imported",))
    made = next(c for c in projects.criteria(ws, projects.get_project(ws, "study")) if c.criterion.name == "wit")
    assert made.scale == scale
    assert report.notes[-1] == f"A rubric was made for wit ({scale.describe()}): please look at it."


@pytest.mark.parametrize(
    ("criteria", "given", "rubric"),
    [
        ({"correctness": ["No", "Yes"]}, "Yes", "correctness"),
        ({"correctness": None}, 1, "correctness"),
        ({"correctness": [1, 5]}, 3, "study-imported"),  # the name fits, the scale does not
        ({"coherence": [1, 5], "fluency": [1, 5]}, 4, "summary-quality"),
        ({"coherence": [1, 5], "wit": [1, 5]}, 4, "study-imported"),  # one of two is not in the bundled rubric
    ],
)
def test_a_bundled_rubric_is_taken_where_names_and_scales_fit(
    tmp_path: Path, scope: Scope, criteria: Mapping[str, Any], given: Any, rubric: str
) -> None:
    said = [small.human("q1", "Ash", name, "mira", given, **({"scale": scale} if scale else {})) for name, scale in criteria.items()]
    path = small.folder(tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"]), human=said)
    report = small.bring(scope, path, rubric=None)
    assert (report.rubrics, report.verdicts, report.bad) == ((rubric,), len(criteria), 0)


def test_a_project_without_verdicts_gets_the_general_rubric(tmp_path: Path, scope: Scope) -> None:
    assert small.bring(scope, csv(tmp_path, TABLE), rubric=None).rubrics == ("answer-quality",)


def test_criteria_of_a_rubric_that_is_not_in_the_file(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    """Keys of two rubrics with the same name in them: each gets its own criterion; a later file adds to them, and takes none away."""
    asked, given = small.questions(1), small.answers(1, ["Ash"])
    said = [small.human("q1", "Ash", key, "mira", value, scale=[1, 5]) for key, value in (("old/wit", 2), ("other/wit", 4))]
    first = small.bring(scope, small.folder(tmp_path, "a", questions=asked, answers=given, human=said), rubric=None)
    assert (first.verdicts, first.bad) == (2, 0)
    more = [small.human("q1", "Ash", "charm", "mira", 5, scale=[1, 5])]
    second = small.bring(scope, small.folder(tmp_path, "b", questions=asked, answers=given, human=more), rubric=None)
    assert (second.verdicts, second.bad) == (1, 0)
    keys = [c.key for c in projects.criteria(ws, projects.get_project(ws, "study")) if c.criterion.rubric != "faults"]
    assert keys == ["study-imported/wit", "study-imported/wit-2", "study-imported-2/charm"]
    assert values(ws, 1) == [("mira", 2), ("mira", 4), ("mira", 5)]


def test_a_files_rubric_never_replaces_the_projects_own(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    small.bring(scope, small.folder(tmp_path, "a", questions=small.questions(1), answers=small.answers(1, ["Ash"])))
    other = small.folder(tmp_path, "b", questions=small.questions(1))
    (other / "rubrics").mkdir()
    (other / "rubrics/small.yaml").write_text(small.RUBRIC.replace("to: 5", "to: 7"), "utf-8")
    report = imports.stage(scope, "study", other)
    assert "The file's rubric small differs from the project's, which is kept." in report.notes
    imports.drop(scope, report.import_id)
    kept = next(c for c in projects.criteria(ws, projects.get_project(ws, "study")) if c.criterion.name == "completeness")
    assert kept.scale.high == 5


def test_names_of_annotators_tell_groups_and_experts_decide(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    given = [small.human("q1", "Ash", "completeness", name, value) for name, value in (("expert0", 2), ("crowd0", 5), ("crowd1", 5))]
    report = small.bring(scope, small.folder(tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"]), human=given))
    assert report.notes[-1] == "The annotators' names tell groups (crowd, expert); experts decide final values."
    assert {p.name: p.group for p in projects.people(ws).values()} == {"crowd0": "crowd", "crowd1": "crowd", "expert0": "expert"}
    sql = "SELECT c.final, c.final_reason FROM cell c JOIN criterion k ON k.id = c.criterion_id WHERE k.key = 'small/completeness'"
    assert tuple(ws.db.execute(sql).fetchone()) == ("2", "one person"), "(2 + 5 + 5) has the median 5; the expert says 2"


# -- unseen until it is done


def seen(path: Path) -> tuple[int, ...]:
    """What a reader of the pages sees: questions, answers, cells, opinions, tallied cells."""
    done = "import_id IN (SELECT id FROM import WHERE state = 'done')"
    sql = ", ".join(f"(SELECT count(*) FROM {table} WHERE {done})" for table in ("question", "answer", "cell", "opinion"))
    with sqlite3.connect(path, isolation_level=None) as db:
        return tuple(db.execute(f"SELECT {sql}, (SELECT coalesce(sum(cells), 0) FROM tally)").fetchone())


def test_nothing_is_seen_before_the_end_and_then_all_at_once(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    small.study(tmp_path, ws, count=2, models=["Ash"])
    before = seen(ws.path)
    count, models = 40, ["Ash", "Oak"]
    given = [small.human(f"q{i}", m, "completeness", "mira", 4) for i in range(1, count + 1) for m in models]
    path = small.folder(tmp_path, "more", questions=small.questions(count), answers=small.answers(count, models), human=given)
    looks: list[tuple[int, ...]] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            looks.append(seen(ws.path))

    watcher = threading.Thread(target=watch)
    watcher.start()
    grid = results.grid(scope, "study")
    report = imports.stage(scope, "study", path)
    assert (report.questions, report.answers, report.verdicts) == (38, 78, 80)
    assert (seen(ws.path), results.grid(scope, "study")) == (before, grid)
    assert review.next_screens(small.scope_of(ws, "mira"), "study", 9)[-1]["question"]["id"] in ("q1", "q2")
    imports.finish(scope, report.import_id)
    over.set()
    watcher.join()
    after = seen(ws.path)
    # 40 questions; 40 x 2 answers; cells and tallied cells: four criteria each; 80 verdicts
    assert after == (40, 80, 320, 80, 320)
    assert set(looks) <= {before, after}, "no look saw a part of it"


def test_a_dropped_import_leaves_nothing(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    small.study(tmp_path, ws, count=2)
    before = everything(scope)
    report = imports.stage(
        scope, "study", small.folder(tmp_path, "x", questions=small.questions(9), answers=small.answers(9, ["New"], "Changed."))
    )
    imports.drop(scope, report.import_id)
    assert everything(scope) == before
    assert ws.db.execute("SELECT count(*) FROM answer").fetchone()[0] == 6
    assert ws.check() == []
    with pytest.raises(NotFound, match="found state swept, expected a staged import"):
        imports.finish(scope, report.import_id)


def test_an_import_that_fails_on_its_way_is_swept(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    path = small.folder(tmp_path, "x", questions=small.questions(700), answers=small.answers(700, ["Ash"]))

    def breaks(rows: int) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        imports.stage(scope, "study", path, progress=breaks)
    assert ws.db.execute("SELECT (SELECT count(*) FROM question) + (SELECT count(*) FROM answer)").fetchone()[0] == 0
    assert small.bring(scope, path).answers == 700


def test_an_interrupted_import_is_swept_when_its_writer_is_silent(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    scope = small.scope_of(ws)
    project = projects.add_project(ws, "study")
    import_id = import_store.begin_import(ws, project, "cut.csv", "")
    with ws.write() as db:
        content.insert_questions(db, project, import_id, [])
    path = small.folder(tmp_path, "x", questions=small.questions(2), answers=small.answers(2, ["Ash"]))
    with pytest.raises(Conflict, match="another import being written"):
        imports.stage(scope, "study", path)
    clock.now += import_store.STALE_SECONDS + 1
    assert small.bring(scope, path).answers == 2
    assert import_store.get_import(ws, import_id)["state"] == "swept"


def test_a_long_step_is_no_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_store, "STALE_SECONDS", 0.5)
    ws = open_workspace(tmp_path / "work.db")

    def slow(rows: int) -> None:
        time.sleep(0.9)
        assert imports.sweep_interrupted(ws) == 0, "the writer says that it lives while it computes"

    path = small.folder(tmp_path, "x", questions=small.questions(2), answers=small.answers(2, ["Ash"]))
    scope = small.scope_of(ws)
    imports.finish(scope, imports.stage(scope, "study", path, progress=slow).import_id)
    assert ws.db.execute("SELECT count(*) FROM answer").fetchone()[0] == 2


def test_a_finish_twice_is_a_finish_once(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    report = imports.stage(scope, "study", csv(tmp_path, TABLE))
    assert imports.finish(scope, report.import_id) == imports.finish(scope, report.import_id)
    assert small.tallied(ws) == small.recount(ws)


# -- task types


def test_a_category_gets_a_task_type_and_its_cells_their_route(tmp_path: Path, ws: Workspace, scope: Scope) -> None:
    said = [small.judge(f"q{i}", "Ash", "completeness", "north", 4, confidence=0.9) for i in (1, 2)]
    asked = [{"id": f"q{i}", "text": f"Q{i}?", "category": c} for i, c in ((1, "sums"), (2, "verse"))]
    small.bring(scope, small.folder(tmp_path, "f", questions=asked, answers=small.answers(2, ["Ash"]), judge=said))
    route(scope, "study")
    sql = (
        "SELECT q.task_type, c.route, c.route_reason, c.final FROM cell c JOIN question q ON q.id = c.question_id JOIN criterion k ON k.id = c.criterion_id "
        "WHERE k.key = 'small/completeness' ORDER BY q.id"
    )
    assert [row[0] for row in ws.db.execute(sql)] == ["unknown", "unknown"]
    assert imports.map_categories(scope, "study", {"sums": "factual", "verse": "creative"}) == 2
    assert [tuple(row) for row in ws.db.execute(sql)] == [
        ("factual", "automatic", "judge north", "4"),
        ("creative", "people", "task type creative", None),
    ]
    assert imports.map_categories(scope, "study", {"sums": "factual"}) == 0
    assert small.tallied(ws) == small.recount(ws)
    with pytest.raises(CogradeError, match="expected one of factual, creative, unknown"):
        imports.map_categories(scope, "study", {"sums": "funny"})


# -- pairs


def test_pairs_are_graded_as_pairs(ws: Workspace, scope: Scope) -> None:
    report = small.bring(scope, need("alttest_mtbench"), rubric=None)
    assert (report.questions, report.answers, report.verdicts, report.bad) == (84, 204, 246 + 720, 0)
    kinds = "SELECT s.other_id IS NOT NULL, count(*) FROM cell c JOIN subject s ON s.id = c.subject_id GROUP BY 1"
    assert [tuple(row) for row in ws.db.execute(kinds)] == [(1, 120)], "120 pairs; nobody is asked for the preference of one answer"
    route(scope, "study")
    assert small.tallied(ws) == small.recount(ws)


# -- slipped rows

FACTS = {
    "What is the capital of France?": "Paris is the capital of France and lies on the Seine.",
    "How many legs does a spider have?": "A spider has eight legs, unlike an insect, which has six.",
    "At which temperature does water boil?": "Water boils at one hundred degrees Celsius at sea level.",
    "Who wrote Romeo and Juliet?": "Romeo and Juliet was written by William Shakespeare.",
    "What do bees make honey from?": "Bees make honey from the nectar of flowers.",
    "Which planet is the largest?": "Jupiter is the largest planet of the solar system.",
}


@pytest.mark.parametrize(("turn", "found"), [(0, 0), (1, 6)])
def test_answers_that_slipped_by_a_row_are_pointed_out(tmp_path: Path, scope: Scope, turn: int, found: int) -> None:
    asked, said = list(FACTS), list(FACTS.values())
    said = said[turn:] + said[:turn]
    table = "question,Ash,Oak\n" + "".join(f'"{q}","{a}","Well: {a.lower()}"\n' for q, a in zip(asked, said, strict=True))
    report = imports.stage(scope, "study", csv(tmp_path, table), encoder=measure.encoder_for({}))
    assert len(report.slipped) == found
    if found:
        first = report.slipped[0]
        assert (first["question"], first["nearest"]) == ("What is the capital of France?", "How many legs does a spider have?")
        assert first["own"] < 0.35 < first["other"]


# -- there and back


def round_trip(place: Path, scope: Scope) -> Report:
    """Export, import into an empty workspace, export again: all files equal, byte for byte."""
    there = export(scope, "study", "jsonl", place / "there")
    other = small.scope_of(small.workspace(place, "other"))
    report = imports.stage(other, "study", there)
    assert report.bad_rows == ()
    imports.finish(other, report.import_id)
    back = export(other, "study", "jsonl", place / "back")
    names = sorted(str(p.relative_to(there)) for p in there.rglob("*") if p.is_file())
    assert names == sorted(str(p.relative_to(back)) for p in back.rglob("*") if p.is_file())
    for name in names:
        assert (back / name).read_bytes() == (there / name).read_bytes(), name
    assert results.grid(other, "study") == results.grid(scope, "study")
    assert small.recount(other.ws) == small.tallied(other.ws)
    assert other.ws.check() == []
    return report


@pytest.mark.parametrize("name", ["nq301", "alttest_mtbench", "summeval"])
def test_public_data_go_there_and_back(tmp_path: Path, ws: Workspace, scope: Scope, name: str) -> None:
    small.bring(scope, need(name), rubric=None)
    route(scope, "study")
    round_trip(tmp_path, scope)
    if name != "summeval":  # 86,199 verdicts: their files are compared, the figures of the smaller sets too
        other = small.scope_of(open_workspace(tmp_path / "other.db"))
        assert agreement(other, "study") == agreement(scope, "study")


SECOND = (
    "rubric: second\ncriteria:\n  wit: {question: Is it witty?, scale: {from: 0, to: 1, whole: false}, graders: [judge], review: people}\n"
)


def test_work_of_people_goes_there_and_back(tmp_path: Path) -> None:
    """Saves, amended and undone ones, skips, flags, faults, not applicable, overlap, draws, two rubrics, metrics, a new version."""
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    lead = small.scope_of(ws)
    said = [
        small.judge(f"q{i}", m, c, j, v, confidence=0.8, rationale="So it is.", evidence=[{"quote": "says", "found": True, "start": 0, "end": 4}])
        for i in range(1, 7) for m in ("Ash", "Oak") for j in ("north", "south") for c, v in (("completeness", 4), ("wit", 0.25))
    ]  # fmt: skip
    path = small.folder(tmp_path, "f", questions=small.questions(6), answers=small.answers(6, ["Ash", "Oak"]), judge=said)
    projects.add_project(ws, "study", "A study", notice="Mind the step.", seed=7)
    projects.save_rubric(ws, projects.get_project(ws, "study"), read_rubric(SECOND))
    small.bring(lead, path)
    small.sample(ws, overlap=2, blind=0.5, calibration=0.2, audit=0.2)
    measure.measure(ws, projects.get_project(ws, "study"), None, progress=lambda done, total: None, should_stop=lambda: False)
    route(lead, "study")
    for person in ("mira", "jon"):
        scope = small.scope_of(ws, person)
        screens = review.next_screens(scope, "study", 5)
        for number, screen in enumerate(screens[:4]):
            fault = {"answer": screen["answers"][0]["id"], "name": "rude", "value": "present", "quote": "says"}
            value = {"relevance": "relevant", "completeness": None if number == 1 else 2 + number, "tone": "dry", "wit": 0.5}
            small.save(
                scope, screen, f"save-{person}-{number}", value, faults=[fault] if number == 2 else [], flagged=number == 3, comment="Hm."
            )
        small.save(scope, screens[0], f"again-{person}", {"completeness": 5})
        review.undo(scope, "study", f"undo-{person}-1", f"save-{person}-1")
        small.save(scope, screens[1], f"redo-{person}-1", {"tone": "stiff"})
        review.undo(scope, "study", f"undo-{person}-2", f"again-{person}")
        small.save(scope, screens[4], f"skip-{person}", skipped="not my field")
    changed = small.folder(tmp_path, "g", questions=small.questions(1), answers=small.answers(1, ["Ash"], "Quite another text."))
    small.bring(lead, changed)
    route(lead, "study")
    kinds = {row[0] for row in ws.db.execute("SELECT kind FROM verdict")}
    assert kinds == {"given", "amends", "retracts"}
    round_trip(tmp_path, lead)
    other = open_workspace(tmp_path / "other.db")
    flags, shown = "SELECT person_id, count(*) FROM flag GROUP BY 1 ORDER BY 1", "SELECT DISTINCT person_id FROM seen ORDER BY 1"
    for sql in (flags, shown):  # whoever saw marks on finished screens gives no blind verdict on them elsewhere
        assert [tuple(row) for row in other.db.execute(sql)] == [tuple(row) for row in ws.db.execute(sql)] != []
    assert set(small.standing(ws).values()) == set(small.opinions(other).values()), "the same verdicts stand"
    again = route(small.scope_of(other), "study")
    assert again["routes"] == route(lead, "study")["routes"]
    drawn = [len(projects.events(w, projects.get_project(w, "study"), "draw")) for w in (ws, other)]
    assert drawn[0] == drawn[1], "what was drawn is not drawn again"


def test_an_old_export_does_not_undo_newer_work(tmp_path: Path, ws: Workspace) -> None:
    lead = small.study(tmp_path, ws, count=2, models=["Ash"])
    old = export(lead, "study", "jsonl", tmp_path / "old")
    scope = small.scope_of(ws, "mira")
    (screen,) = review.next_screens(scope, "study", 1)
    small.save(scope, screen, "save-mira")
    before = everything(lead)
    report = small.bring(lead, old, rubric=None)
    assert (report.answers, report.verdicts, report.bad) == (0, 0, 0)
    assert everything(lead) == before


def test_a_dropped_first_import_leaves_no_empty_project(scope: Scope, tmp_path: Path) -> None:
    kept = imports.stage(scope, "study", csv(tmp_path, TABLE))
    imports.finish(scope, kept.import_id)
    first = imports.stage(scope, "new", csv(tmp_path, TABLE))
    second = imports.stage(scope, "study", csv(tmp_path, TABLE.replace("Paris.", "Paris!")))
    imports.drop(scope, first.import_id)
    imports.drop(scope, second.import_id)
    assert [p.name for p in projects.list_projects(scope.ws)] == ["study"]
    assert scope.ws.check() == []
