"""How imported labels were chosen: stated at import, kept per import, changed with a trace, carried
by exports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.core.contracts import Chosen
from graders.core.errors import InputError, NotFound
from graders.store import projects
from graders.store.transfer.labels import with_labels
from graders.workflows.home.overview import all_projects
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.labels_chosen import label_imports, state_chosen
from graders.workflows.leaderboard import ranking as use
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.report.export import export
from tests.support.ranked import MODELS, WORDS, study, values
from tests.support.studies import bring, given


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    use.forget()
    yield
    use.forget()


def test_the_statement_decides_what_labels_speak_for_and_may_be_changed_with_a_trace(
    tmp_path: Path,
) -> None:
    right, judged = values()
    scope = study(tmp_path, right, judged, 60, chosen="unknown")
    (found,) = label_imports(scope, "study")
    assert (found.chosen, found.labels, found.blind, found.cells) == ("unknown", 180, 180, 180)
    assert leaderboard(scope, "study").counts.within == 180
    (changed,) = state_chosen(scope, "study", "random", found.id)
    assert changed.chosen == "random"
    assert leaderboard(scope, "study").counts.within == 0  # nothing that was kept stays
    state_chosen(scope, "study", "random")  # no change, no trace
    project = scope.project("study")
    logged = [
        e.body for e in projects.events(scope.ws, project, limit=9) if e.kind == "labels_chosen"
    ]
    assert [(body["before"], body["after"]) for body in logged] == [("unknown", "random")]
    said = [event.text for event in all_projects(scope).lately]
    assert f"labelled answers of {found.source}: chosen unknown → random" in said


def test_what_is_no_statement_is_refused(tmp_path: Path) -> None:
    right, judged = values(12)
    scope = study(tmp_path, right, judged, 6)
    with pytest.raises(InputError, match="one of all, random, unknown"):
        state_chosen(scope, "study", "<b>some</b>")
    with pytest.raises(NotFound, match="no labels of people that count"):
        state_chosen(scope, "study", "all", 99)
    (tmp_path / "bare").mkdir()
    bare = study(tmp_path / "bare", right, judged, 0)
    with pytest.raises(NotFound, match="no import with labels of people"):
        state_chosen(bare, "study", "all")


def test_labels_of_answers_that_were_there_belong_to_the_import_that_brought_them(
    tmp_path: Path,
) -> None:
    right, judged = values(40)
    scope = study(tmp_path, right, judged, 0)
    for first, chosen in ((0, "unknown"), (12, "random")):
        human = [
            given(f"q{i}", m, "relevance", "mira", WORDS[int(right[i, k])])
            for i in range(first, first + 12)
            for k, m in enumerate(MODELS)
        ]
        bring(scope, tmp_path, chosen=chosen, questions=[], human=human)
    found = label_imports(scope, "study")
    assert [(one.chosen, one.labels) for one in found] == [("unknown", 36), ("random", 36)]
    # those that were drawn suffice, and the others are left out
    board = leaderboard(scope, "study")
    assert (board.counts.within, board.counts.labels, board.counts.unknown) == (0, 36, 36)
    assert "36 imported labels of answers chosen in a way that is not stated" in board.rests_on
    state_chosen(scope, "study", "unknown")
    assert leaderboard(scope, "study").counts.within == 72


def test_an_export_carries_what_was_stated(tmp_path: Path) -> None:
    right, judged = values(20)
    scope = study(tmp_path, right, judged, 12)
    target = export(scope, "study", "jsonl", tmp_path / "out.zip")
    report = importing_stage.stage(scope, "again", target)
    importing_stage.finish(scope, report.import_id)
    (found,) = label_imports(scope, "again")
    assert (found.chosen, report.labels_note) == (Chosen.RANDOM, "")
    state_chosen(scope, "study", "unknown")
    other = export(scope, "study", "jsonl", tmp_path / "other.zip")
    report = importing_stage.stage(scope, "third", other)
    assert report.labels_note.startswith("36 labels of people: how their answers were chosen")


def test_what_is_said_again_with_suggestions_in_sight_stays_the_imports_label(
    tmp_path: Path,
) -> None:
    """What was said blind keeps counting with its draw; so does which file it came with."""
    right, judged = values(20)
    scope = study(tmp_path, right, judged, 12)
    again = given("q0", "Ash", "relevance", "mira", WORDS[1 - int(right[0, 0])], arm="assisted")
    bring(scope, tmp_path, chosen="unknown", questions=[], human=[again])
    (found,) = [one for one in with_labels(scope.ws.db, scope.project("study")) if one.blind]
    assert (found.chosen, found.blind) == ("random", 36)
