"""An import's rubrics: the project's own, a bundled one that fits, or one made from the scales that
a file states or shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import Conflict
from graders.core.rubric import read_rubric
from graders.core.scale import Scale
from graders.store import projects
from graders.store.transfer import imports as import_store
from graders.store.transfer import staged
from graders.store.workspace import Workspace
from graders.workflows.cells.match_scales import ORDERS, in_order
from graders.workflows.importing import stage as importing_stage
from graders.workflows.projects import settings as projects_settings
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.imported import TABLE, csv, everything, values


@pytest.mark.parametrize(
    ("stated", "given", "scale"),
    [
        (["low", "mid", "high"], ["mid", "high"], Scale("ordered", labels=("low", "mid", "high"))),
        (
            {"labels": ["red", "blue"], "ordered": False},
            ["red"],
            Scale("nominal", labels=("red", "blue")),
        ),
        ([1, 5], [2, 3], Scale("integer", low=1, high=5)),
        ({"from": 0, "to": 10, "whole": False}, [2.5], Scale("numeric", low=0, high=10)),
        (["No", "Yes"], ["Yes"], Scale("ordered", labels=("No", "Yes"))),
        # nothing stated: what the values show
        (None, ["yes", "No", "YES"], Scale("ordered", labels=("No", "Yes"))),
        (None, ["red", "blue", "red"], Scale("nominal", labels=("red", "blue"))),
        (
            None,
            ["relevant", "irelevant", "RELEVANT", "ｒｅｌｅｖａｎｔ"],
            Scale("nominal", labels=("relevant", "irelevant")),
        ),
        (None, [2, 3, 5], Scale("integer", low=1, high=5)),
        (None, [0.2, 0.9], Scale("numeric", low=0, high=1)),
        (None, [0, 10], Scale("integer", low=0, high=10)),
        (None, [1.5, 7.25], Scale("numeric", low=1.5, high=7.25)),
        (None, ["good", "poor", "fair", "Good"], Scale("ordered", labels=("poor", "fair", "good"))),
    ],
)
def test_a_rubric_is_made_from_the_scale_that_a_file_states_or_shows(
    tmp_path: Path, ws: Workspace, scope: Scope, stated: Any, given: Sequence[Any], scale: Scale
) -> None:
    more = {} if stated is None else {"scale": stated}
    said = [
        small.human(f"q{i}", "Ash", "wit", "mira", value, **more)
        for i, value in enumerate(given, 1)
    ]
    count = len(given)
    path = small.folder(
        tmp_path,
        "f",
        questions=small.questions(count),
        answers=small.answers(count, ["Ash"]),
        human=said,
    )
    report = small.bring(scope, path, rubric=None)
    assert (report.verdicts, report.bad, report.rubrics) == (count, 0, ("study-imported",))
    made = next(
        c
        for c in projects.criteria(ws, projects.get_project(ws, "study"))
        if c.criterion.name == "wit"
    )
    assert made.scale == scale
    assert report.notes[-1] == f"A rubric was made for wit ({scale.describe()}): please check it."
    told = "The labels of wit were put in their usual order, lowest first: poor, fair, good. Where low is best, reverse them."
    assert (told in report.notes) == ("poor" in given)


@pytest.mark.parametrize(
    ("shown", "ordered"),
    [
        ("Excellent Poor Very_good", "Poor Very_good Excellent"),
        ("high low medium", "low medium high"),
        ("good bad poor", "bad poor good"),  # the order of listening tests
        ("Agree Disagree Strongly-Agree Neutral", "Disagree Neutral Agree Strongly-Agree"),
        ("хорошо отлично плохо удовлетворительно", "плохо удовлетворительно хорошо отлично"),
        ("优 差 良 中", "差 中 良 优"),
        ("良い 悪い 普通", "悪い 普通 良い"),
        ("good poor blue", None),  # a label that no order has
        ("good fair okay", None),  # two words of one place
        ("poor disagree", None),  # labels of two orders
    ],
)
def test_labels_are_put_in_order_where_all_are_in_one_known_order(
    shown: str, ordered: str | None
) -> None:
    assert in_order(shown.split()) == (tuple(ordered.split()) if ordered else None)


def test_known_orders_do_not_contradict_each_other() -> None:
    pairs = {
        (low, high)
        for order in ORDERS
        for low in order
        for high in order
        if order[low] < order[high]
    }
    assert [pair for pair in pairs if pair[::-1] in pairs] == []


@pytest.mark.parametrize(
    ("given", "scale", "bad"),
    [
        ([*[4, 5, 1, 2, 3] * 2, "9x"], Scale("integer", low=1, high=5), 1),  # 10 of 11 are numbers
        # four are too few to be sure
        (
            [4, 5, 1, 2, "n/a"],
            Scale("nominal", labels=("4", "5", "1", "2", "n/a")),
            0,
        ),
        # 6 of 7 are not nearly all
        (
            [*[4, 5, 1] * 2, "n/a"],
            Scale("nominal", labels=("4", "5", "1", "n/a")),
            0,
        ),
    ],
)
def test_a_slip_among_numbers_is_a_bad_row_and_no_label(
    tmp_path: Path, ws: Workspace, scope: Scope, given: Sequence[Any], scale: Scale, bad: int
) -> None:
    count = len(given)
    said = [small.human(f"q{i}", "Ash", "wit", "mira", value) for i, value in enumerate(given, 1)]
    path = small.folder(
        tmp_path,
        "f",
        questions=small.questions(count),
        answers=small.answers(count, ["Ash"]),
        human=said,
    )
    report = small.bring(scope, path, rubric=None)
    made = next(
        c
        for c in projects.criteria(ws, projects.get_project(ws, "study"))
        if c.criterion.name == "wit"
    )
    assert (made.scale, report.verdicts, report.bad) == (scale, count - bad, bad)
    assert ["9x" in row.found for row in report.bad_rows] == [True] * bad


@pytest.mark.parametrize(
    ("criteria", "given", "rubric"),
    [
        ({"correctness": ["No", "Yes"]}, "Yes", "correctness"),
        ({"correctness": None}, 1, "correctness"),
        ({"correctness": None}, "нет", "correctness"),  # as its Russian translation says No
        ({"correctness": [1, 5]}, 3, "study-imported"),  # the name fits, the scale does not
        ({"coherence": [1, 5], "fluency": [1, 5]}, 4, "summary-quality"),
        # one of two is not in the bundled rubric
        (
            {"coherence": [1, 5], "wit": [1, 5]},
            4,
            "study-imported",
        ),
    ],
)
def test_a_bundled_rubric_is_taken_where_names_and_scales_fit(
    tmp_path: Path, scope: Scope, criteria: Mapping[str, Any], given: Any, rubric: str
) -> None:
    said = [
        small.human("q1", "Ash", name, "mira", given, **({"scale": scale} if scale else {}))
        for name, scale in criteria.items()
    ]
    path = small.folder(
        tmp_path, "f", questions=small.questions(1), answers=small.answers(1, ["Ash"]), human=said
    )
    report = small.bring(scope, path, rubric=None)
    assert (report.rubrics, report.verdicts, report.bad) == ((rubric,), len(criteria), 0)
    assert values(scope.ws, 1) == [
        ("mira", "No" if given == "нет" else "Yes" if rubric == "correctness" else given)
    ] * len(criteria)


def test_a_project_without_verdicts_gets_the_general_rubric(tmp_path: Path, scope: Scope) -> None:
    assert small.bring(scope, csv(tmp_path, TABLE), rubric=None).rubrics == ("answer-quality",)


def test_criteria_of_a_rubric_that_is_not_in_the_file(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    """Keys of two rubrics with the same name in them: each gets its own criterion; a later file
    adds to them, and takes none away."""
    asked, given = small.questions(1), small.answers(1, ["Ash"])
    said = [
        small.human("q1", "Ash", key, "mira", value, scale=[1, 5])
        for key, value in (("old/wit", 2), ("other/wit", 4))
    ]
    first = small.bring(
        scope, small.folder(tmp_path, "a", questions=asked, answers=given, human=said), rubric=None
    )
    assert (first.verdicts, first.bad) == (2, 0)
    more = [small.human("q1", "Ash", "charm", "mira", 5, scale=[1, 5])]
    second = small.bring(
        scope, small.folder(tmp_path, "b", questions=asked, answers=given, human=more), rubric=None
    )
    assert (second.verdicts, second.bad) == (1, 0)
    keys = [
        c.key
        for c in projects.criteria(ws, projects.get_project(ws, "study"))
        if c.criterion.rubric != "faults"
    ]
    assert keys == ["study-imported/wit", "study-imported/wit-2", "study-imported-2/charm"]
    assert values(ws, 1) == [("mira", 2), ("mira", 4), ("mira", 5)]


def test_a_files_rubric_never_replaces_the_projects_own(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    small.bring(
        scope,
        small.folder(
            tmp_path, "a", questions=small.questions(1), answers=small.answers(1, ["Ash"])
        ),
    )
    other = small.folder(tmp_path, "b", questions=small.questions(1))
    (other / "rubrics").mkdir()
    (other / "rubrics/small.yaml").write_text(small.RUBRIC.replace("to: 5", "to: 7"), "utf-8")
    report = importing_stage.stage(scope, "study", other)
    assert "The file's rubric small differs from the project's, which is kept." in report.notes
    importing_stage.drop(scope, report.import_id)
    kept = next(
        c
        for c in projects.criteria(ws, projects.get_project(ws, "study"))
        if c.criterion.name == "completeness"
    )
    assert kept.scale.high == 5


# -- in force when the import is done, not before

WIDER = small.RUBRIC.replace("to: 5", "to: 7")
LATE = "rubric: late\ncriteria:\n  brief: {question: Brief?, scale: [too long, fitting], graders: [length]}\n"


def rubric_rows(ws: Workspace) -> list[tuple[Any, ...]]:
    """All there is of rubrics, criteria and people, also what is not active."""
    queries = (
        "SELECT name, source, active FROM rubric",
        "SELECT key, position, hash, scale, active FROM criterion",
        "SELECT name, grp FROM person",
    )
    return [tuple(row) for sql in queries for row in ws.db.execute(f"{sql} ORDER BY 1, 2")]


def old_and_new(tmp_path: Path, scope: Scope) -> Path:
    """A project with an answer that mira gave 4 of 5, and a file with another question, graded 7 by
    a new annotator."""
    given = [small.human("q1", "Ash", "completeness", "mira", 4)]
    small.bring(
        scope,
        small.folder(
            tmp_path,
            "old",
            questions=small.questions(1),
            answers=small.answers(1, ["Ash"]),
            human=given,
        ),
    )
    more = [small.human("q2", "Ash", "completeness", "jon", 7)]
    return small.folder(
        tmp_path, "new", questions=small.questions(2), answers=small.answers(2, ["Ash"]), human=more
    )


def test_a_rubric_waits_with_its_import_and_goes_with_it(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    path = old_and_new(tmp_path, scope)
    before, all_before = rubric_rows(ws), everything(scope)
    for text in (WIDER, LATE):
        report = importing_stage.stage(scope, "study", path, rubric=read_rubric(text))
        active = [row for row in rubric_rows(ws) if row[-1] == 1]
        assert active == [row for row in before if row[-1] == 1], "nobody works by it yet"
        assert everything(scope) == all_before
        importing_stage.drop(scope, report.import_id)
        assert rubric_rows(ws) == before
    assert ws.check() == []


def test_what_an_import_does_to_rubrics_is_said_before_it_is_done(
    tmp_path: Path, scope: Scope
) -> None:
    path = old_and_new(tmp_path, scope)
    said = [
        [
            change.text
            for change in importing_stage.stage(scope, "study", path, rubric=rubric).rubric_changes
        ]
        for rubric in (read_rubric(WIDER), read_rubric(LATE), read_rubric(small.RUBRIC))
    ]
    assert said == [
        [
            "The project's rubric small is replaced: the scale of completeness changes from a whole number from 1 to 5 to a whole number "
            "from 1 to 7. Verdicts given so far on completeness are kept and count as stale."
        ],
        ["The rubric late is added to the project: brief (one of too long, fitting)."],
        [],  # its text is the project's
    ]


def test_a_rubric_takes_effect_with_the_rows_and_on_older_answers_too(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    path = old_and_new(tmp_path, scope)
    report = importing_stage.stage(scope, "study", path, rubric=read_rubric(WIDER))
    assert (report.verdicts, report.bad) == (1, 0), "7 is on the scale that the file is read with"
    importing_stage.finish(scope, report.import_id)
    sql = (
        "SELECT q.key, c.final, c.final_source FROM cell c JOIN criterion k ON k.id = c.criterion_id JOIN question q ON q.id = c.question_id "
        "WHERE k.key = 'small/completeness' ORDER BY 1"
    )
    assert [tuple(row) for row in ws.db.execute(sql)] == [
        ("q1", None, "pending"),
        ("q2", "7", "people"),
    ], "the 4 was one of 5"
    small.bring(scope, small.folder(tmp_path, "third", questions=small.questions(3)), rubric=LATE)
    count = "SELECT count(*) FROM cell c JOIN criterion k ON k.id = c.criterion_id WHERE k.key = 'late/brief' AND k.active = 1"
    assert ws.db.execute(count).fetchone()[0] == 2, (
        "an answer each to q1 and q2, both older than the rubric"
    )
    assert small.tallied(ws) == small.recount(ws)
    assert ws.db.execute("SELECT count(*) FROM kept").fetchone()[0] == 0


def test_what_a_file_says_again_under_a_new_wording_counts_under_it(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    """A row that names its wording, or has an id, is the verdict that it was."""
    old_and_new(tmp_path, scope)
    named = [small.human("q1", "Ash", "completeness", "lea", 3, id="l1")]
    old = next(
        c
        for c in projects.criteria(ws, projects.get_project(ws, "study"))
        if c.key == "small/completeness"
    ).hash
    stated = [small.human("q1", "Ash", "completeness", "jon", 2, criterion_hash=old)]
    file = small.folder(
        tmp_path,
        "old",
        human=[small.human("q1", "Ash", "completeness", "mira", 4), *named, *stated],
    )
    assert small.bring(scope, file).verdicts == 2, "mira's is there already"
    sql = (
        "SELECT a.name, o.value, o.criterion_hash <> k.hash FROM opinion o JOIN criterion k ON k.id = o.criterion_id "
        "JOIN author a ON a.id = o.author_id WHERE k.key = 'small/completeness' AND k.active ORDER BY 1"
    )
    for wider in (WIDER, WIDER.replace("Is all there?", "Is everything there?"), WIDER):
        projects_settings.change_rubric(scope, "study", "small", wider)
        assert [tuple(row) for row in ws.db.execute(sql)] == [
            ("jon", "2", 1),
            ("lea", "3", 1),
            ("mira", "4", 1),
        ]
        report = small.bring(scope, file, rubric=None)
        assert (report.verdicts, report.unchanged) == (1, 4), (
            "a question, an answer, lea's and jon's"
        )
        assert report.notes[-1] == (
            "1 verdict that the project has under an earlier wording or scale of a criterion: what the file says again counts as given under "
            "the present one."
        )
        assert [tuple(row) for row in ws.db.execute(sql)] == [
            ("jon", "2", 1),
            ("lea", "3", 1),
            ("mira", "4", 0),
        ]
        assert small.bring(scope, file, rubric=None).verdicts == 0
    assert small.tallied(ws) == small.recount(ws)


def test_a_rubric_that_somebody_changed_meanwhile_is_not_replaced(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    report = importing_stage.stage(
        scope, "study", old_and_new(tmp_path, scope), rubric=read_rubric(WIDER)
    )
    theirs = "version: 2\n" + small.RUBRIC.replace("to: 5", "to: 9")
    projects_settings.change_rubric(scope, "study", "small", theirs)
    with pytest.raises(Conflict, match="found another text than when the file was read"):
        importing_stage.finish(scope, report.import_id)
    assert [
        r.source
        for r in projects.rubrics(ws, projects.get_project(ws, "study"))
        if r.name == "small"
    ] == [theirs]
    importing_stage.drop(scope, report.import_id)
    assert small.tallied(ws) == small.recount(ws)


def test_an_interrupted_import_leaves_no_rubric(tmp_path: Path) -> None:
    clock = small.Clock()
    ws = small.workspace(tmp_path, clock=clock)
    scope = small.scope_of(ws)
    old_and_new(tmp_path, scope)
    before = rubric_rows(ws)
    project = projects.get_project(ws, "study")
    cut = import_store.begin_import(ws, project, "cut.csv", "")
    staged.stage_rubric(ws, project, cut, read_rubric(LATE))  # and then its process was killed
    staged.stage_people(ws, cut, [("lee", "lee", "")])
    clock.now += import_store.STALE_SECONDS + 1
    assert importing_stage.sweep_interrupted(ws) == 1
    assert rubric_rows(ws) == before


def test_names_of_annotators_tell_groups_and_experts_decide(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    given = [
        small.human("q1", "Ash", "completeness", name, value)
        for name, value in (("expert0", 2), ("crowd0", 5), ("crowd1", 5))
    ]
    report = small.bring(
        scope,
        small.folder(
            tmp_path,
            "f",
            questions=small.questions(1),
            answers=small.answers(1, ["Ash"]),
            human=given,
        ),
    )
    assert (
        report.notes[-1]
        == "The annotators' names tell groups (crowd, expert); experts decide final values."
    )
    assert {p.name: p.group for p in projects.people(ws).values()} == {
        "crowd0": "crowd",
        "crowd1": "crowd",
        "expert0": "expert",
    }
    sql = "SELECT c.final, c.final_reason FROM cell c JOIN criterion k ON k.id = c.criterion_id WHERE k.key = 'small/completeness'"
    assert tuple(ws.db.execute(sql).fetchone()) == ("2", "one person"), (
        "(2 + 5 + 5) has the median 5; the expert says 2"
    )
