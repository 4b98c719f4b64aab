"""The same sheet at Google, through gspread over HTTP: written, worked in, brought up to date, and
what can go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gspread", reason="the extra google is not installed")

from graders.core.errors import CogradeError, Conflict
from graders.exporters.sheets import google as sheets_google
from graders.exporters.sheets.google import open_google
from graders.exporters.sheets.update import MEMORY
from graders.workflows.report.export import take_snapshot
from graders.workflows.scope.permissions import Scope
from graders.workflows.sheet import sheet
from tests.support.sheets import RUBRIC, study
from tests.support.sheets_api import ADDRESS, Google, google, key_file
from tests.support.studies import bring


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Google, Path]]:
    with google() as server:
        yield server, key_file(tmp_path_factory.mktemp("key") / "key.json", server)


@pytest.fixture
def server(running: tuple[Google, Path]) -> Google:
    running[0].reset()
    return running[0]


@pytest.fixture
def key(running: tuple[Google, Path]) -> Path:
    return running[1]


@pytest.fixture
def lead(tmp_path: Path) -> Scope:
    return study(tmp_path)


def write(scope: Scope, server: Google, key: Path) -> sheet.Written:
    return sheet.write(scope, "study", open_google(ADDRESS, key, server.url, (0, 0)))


def cell(server: Google, question: str, criterion: str, model: str) -> tuple[int, int]:
    """Where a value stands in the sheet that was written first."""
    head, *lines = server.rows("Sheet1")
    return next(
        i for i, row in enumerate(lines, 1) if row[0] == question and row[2] == criterion
    ), head.index(model)


def test_a_study_is_written_into_the_empty_sheet_of_a_new_spreadsheet(
    lead: Scope, server: Google, key: Path
) -> None:
    written = write(lead, server, key)
    assert (written.name, written.page, written.rows_added) == ("Team study", "Sheet1", 10)
    assert server.rows("Sheet1")[:4] == [
        ["Question id", "Question", "Criterion", "Ash", "Oak"],
        ["q1", "Why is the sky blue?", "relevance", "relevant", "relevant"],
        ["q1", "", "depth", 3.5, 7],
        ["q1", "", "clarity", 0.75, 0.75],
    ]
    # and no costs where no judge was asked
    assert {title: bool(s.properties.get("hidden")) for title, s in server.sheets.items()} == {
        "Sheet1": False,
        MEMORY: True,
    }
    assert server.seen.count("POST /values:batchUpdate") == 1  # all values at once, or none


def test_what_people_change_comes_back_and_the_sheet_is_brought_up_to_date(
    lead: Scope, server: Google, key: Path, tmp_path: Path
) -> None:
    write(lead, server, key)
    cells = server.sheets["Sheet1"].cells
    cells[cell(server, "q1", "depth", "Ash")] = "4,5"
    cells[cell(server, "q2", "depth", "Oak")] = ("=2*4", 8)
    cells[cell(server, "q2", "relevance", "Oak")] = "great"
    cells[3, 7] = "a note beside"
    brought = sheet.read(lead, "study", open_google(ADDRESS, key, server.url), "Ann")
    assert brought.verdicts == 2
    assert [(b.file, b.row, b.column, b.found) for b in brought.bad_rows] == [
        ("Team study, sheet Sheet1", 7, "E (Oak)", "'great'")
    ]
    bring(
        lead,
        tmp_path,
        RUBRIC,
        questions=[{"id": "q3", "text": "=1+1"}],
        answers=[{"question_id": "q3", "model": "=Elm()", "text": "Well."}],
    )
    written = write(lead, server, key)
    assert [line.partition(": ")[0] for line in written.kept] == [
        "Team study, sheet Sheet1, E7 (Oak)",  # not brought back yet
        "Team study, sheet Sheet1, E8 (Oak)",  # a formula is never replaced
    ]
    found = server.rows("Sheet1")
    # right of the note
    assert found[0] == [
        "Question id",
        "Question",
        "Criterion",
        "Ash",
        "Oak",
        "",
        "",
        "",
        "=Elm()",
    ]
    assert found[2][3] == 4 and found[3][7] == "a note beside"  # the median of 3.5 and 4.5
    assert found[11] == ["q3", "=1+1", "relevance", "", "", "", "", "", "pending"]
    # no text of ours became a formula
    assert not any(isinstance(v, tuple) for at, v in cells.items() if at != (7, 4))


def test_a_sheet_that_somebody_changes_meanwhile_is_not_written(
    lead: Scope, server: Google, key: Path
) -> None:
    write(lead, server, key)
    book = open_google(ADDRESS, key, server.url)
    save = book.save

    def late() -> None:
        server.sheets["Sheet1"].cells[2, 3] = 9
        save()

    book.save = late  # type: ignore[method-assign]
    before = len(server.seen)
    with pytest.raises(Conflict, match="found a sheet 'Sheet1' that was changed meanwhile"):
        sheet.write(lead, "study", book)
    assert not any(request.startswith("POST") for request in server.seen[before:])


def test_a_refusal_for_now_is_waited_out(lead: Scope, server: Google, key: Path) -> None:
    server.refuse = [429, 503]
    assert write(lead, server, key).rows_added == 10


def test_costs_have_a_sheet_of_their_own(
    lead: Scope, server: Google, key: Path, tmp_path: Path
) -> None:
    judged = [
        {
            "question_id": "q1",
            "model": m,
            "criterion": "study/depth",
            "judge": "gpt",
            "value": 3,
            "cost": 0.25,
        }
        for m in ("Ash", "Oak")
    ]
    bring(
        lead,
        tmp_path,
        RUBRIC,
        questions=[{"id": "q1", "text": "Why is the sky blue?"}],
        judge=judged,
    )
    write(lead, server, key)
    assert server.rows("Costs")[1:] == [
        ["gpt", "study/depth", 2, 0, 0.5, 0],
        ["gpt", "all criteria", 2, 0, 0.5, 0],
        ["all judges", "all criteria", 2, 0, 0.5, 0],
    ]
    assert take_snapshot(lead, "study").tables["judge"][0]["cost"] == 0.25


def without_key(server: Google, key: Path) -> Any:
    return open_google(ADDRESS, None, server.url)


def other_key(server: Google, key: Path) -> Any:
    (key.parent / "bad.json").write_text("{}", "utf-8")
    return open_google(ADDRESS, key.parent / "bad.json", server.url)


def no_key_file(server: Google, key: Path) -> Any:
    return open_google(ADDRESS, key.parent / "none.json", server.url)


def not_shared(server: Google, key: Path) -> Any:
    server.shared = False
    return open_google(ADDRESS, key, server.url)


def no_sheet(server: Google, key: Path) -> Any:
    return open_google("https://docs.google.com/spreadsheets/d/", key, server.url)


def quota(server: Google, key: Path) -> Any:
    server.refuse = [429, 429, 429]
    return open_google(ADDRESS, key, server.url, (0, 0))


def no_network(server: Google, key: Path) -> Any:
    return open_google(ADDRESS, key, "http://127.0.0.1:9")


def in_the_open(server: Google, key: Path) -> Any:
    return open_google(ADDRESS, key, "http://sheets.example")


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (without_key, "Google Sheets: found no key file, expected the JSON key of a service account. Make one in the Google Cloud console, share the sheet with its e-mail address, and name the file with --credentials."),
        (other_key, "key file {folder}/bad.json: found MalformedError, expected the JSON key of a service account that Google knows. Name another file, or make a new key."),
        (no_key_file, "key file {folder}/none.json: found No such file or directory, expected the JSON key of a service account that Google knows. Name another file, or make a new key."),
        (not_shared, f"Google sheet {ADDRESS}: found no sheet that may be opened, expected an address as the browser shows it, of a sheet that is shared. Share it with cograde@study.example as editor."),
        (no_sheet, "Google sheet https://docs.google.com/spreadsheets/d/: found no sheet that may be opened, expected an address as the browser shows it, of a sheet that is shared. Share it with cograde@study.example as editor."),
        (quota, f"Google sheet {ADDRESS}: found 429: not now, expected a reply of the Sheets API. Nothing was written. Try again later."),
        (no_network, f"Google sheet {ADDRESS}: found no connection, expected a network that reaches Google. Try again later."),
        (in_the_open, "address 'http://sheets.example': found an address that is not encrypted, expected https://..., or this machine."),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_said_in_a_sentence(
    server: Google, key: Path, do: Callable[[Google, Path], Any], sentence: str
) -> None:
    with pytest.raises(CogradeError) as error:
        do(server, key)
    assert str(error.value) == sentence.replace("{folder}", str(key.parent))


def test_neighbours_are_written_as_blocks() -> None:
    cells: dict[tuple[int, int], Any] = {
        (0, 0): "a",
        (0, 1): "b",
        (1, 0): "c",
        (1, 1): "d",
        (2, 1): "e",
        (4, 3): "f",
    }
    blocks = list(sheets_google._blocks(cells))
    assert blocks == [(0, 0, [["a", "b"], ["c", "d"]]), (2, 1, [["e"]]), (4, 3, [["f"]])]
    assert [sheets_google._range("it's", block) for block in blocks] == [
        "'it''s'!A1:B2",
        "'it''s'!B3:B3",
        "'it''s'!D5:D5",
    ]
