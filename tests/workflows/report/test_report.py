"""The report: the pages' figures in one document, in three formats that hide nothing and run
nothing."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from graders.core.errors import InputError, NotAllowed, UsageError
from graders.core.shapes import writable
from graders.store import projects
from graders.workflows.agreement.agree import agreement
from graders.workflows.importing import stage as importing_stage
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.opinions.narrowing import filters_of
from graders.workflows.report._formats import html, markdown
from graders.workflows.report._parts import Figure, Report, Section
from graders.workflows.report.export import export
from graders.workflows.report.report import report, write_report
from graders.workflows.report.scope import Wanted
from graders.workflows.results.grid import grid
from graders.workflows.routing.page import routing
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.store import small
from tests.support.agreeing import judged, said, words
from tests.support.agreeing import study as agreeing
from tests.support.routed import grade, routed

EVIL = '<script>alert(1)</script>"\'&=HYPERLINK("http://x")|`'
N = 40


def bits(n: int, every: int) -> list[int]:
    return [int(i % every > 0) for i in range(n)]


def section(found: Report, key: str) -> Section:
    return next(one for one in found.sections if one.key == key)


def rows(found: Report, key: str, title: str) -> list[dict[str, Any]]:
    table = next(t for t in section(found, key).tables if t.title == title)
    return [dict(zip((c.name for c in table.columns), row, strict=True)) for row in table.rows]


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """Two people and a judge on 40 questions; the title is hostile, and so is a second judge's
    name, who spoke on too few cells."""
    place = tmp_path_factory.mktemp("labelled")
    human = [
        row
        for name, every in (("Mira", 4), ("Jonas", 5))
        for row in said(
            name, words(bits(N, every)), arm="blind", probability=1.0, design="calibration"
        )
    ]
    scope = agreeing(
        place,
        human=human,
        judge=judged("north", words(bits(N, 4))) + judged(EVIL, words(bits(3, 2))),
        n=N,
    )
    projects.set_title(scope.ws, scope.project("study"), EVIL, "")
    return scope


def test_its_figures_are_those_of_the_pages(labelled: Scope) -> None:
    found = report(labelled, "study")
    criterion = agreement(labelled, "study").criteria[0]
    shown = {row["Judge"]: row for row in rows(found, "agreement", "Agreement")}
    for judge in criterion.judges:
        row = shown[judge.name]
        for column, interval in (
            ("With people", judge.shown),
            ("People on the same cells", judge.ceiling),
        ):
            enough = interval.status == "OK"
            assert row[column].value == (interval.value if enough else None), (
                judge.name,
                column,
            )
    assert shown["north"]["With people"].value is not None
    board = leaderboard(labelled, "study")
    assert [row["Model"] for row in rows(found, "leaderboard", "Models")] == [
        row.model for row in board.models
    ]
    said = {one.section: one.words for one in found.findings if one.known}
    assert said["agreement"] == agreement(labelled, "study").title
    who = {
        row["Grader"]: (row["Kind"], row["Cells with a value"], row["Of them blind"])
        for row in rows(found, "graded", "Who gave verdicts")
    }
    assert who == {
        "Mira": ("person", N, N),
        "Jonas": ("person", N, N),
        "north": ("judge", N, None),
        EVIL: ("judge", 3, None),
    }
    # Prices of imported verdicts are unknown, and unknown is not zero.
    assert {(row["US dollars"], row["In words"]) for row in rows(found, "costs", "Costs")} == {
        (None, "price unknown")
    }


def test_it_is_narrowed_down_as_the_pages_are_and_says_so(labelled: Scope) -> None:
    filters = filters_of({"annotator": ["Mira"], "task_type": ["unknown"]})
    wanted = Wanted(filters=filters, weights={"small/relevance": 2.0})
    found = report(labelled, "study", wanted=wanted)
    page = agreement(labelled, "study", filters=filters)
    assert section(found, "agreement").words[:2] == [
        page.title,
        "Narrowed down to task type unknown, annotator Mira; sections that do not say so are of everything.",
    ]
    assert (
        section(found, "leaderboard").words[1]
        == "Narrowed down to task type unknown, annotator Mira."
    )
    assert found.made.command.endswith(
        ".html --only task_type=unknown --only annotator=Mira --weight small/relevance=2"
    )
    assert section(found, "progress").words[0].startswith("No screen waits for people; 0 were done")
    with pytest.raises(InputError, match="filter task_type"):
        report(labelled, "study", wanted=Wanted(filters=filters_of({"task_type": ["none"]})))


def test_route_and_risk_print_the_figures_of_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = routed(tmp_path, 40)
    grade(
        scope,
        "ann",
        lambda criterion, question: 4 if criterion.endswith("completeness") else "relevant",
        screens=6,
    )
    line = Line(scope.ws.path, capsys)
    printed, risky, page = (
        line("route", "--json").json["routes"],
        line("risk", "--json").json["rows"],
        routing(scope, "study"),
    )
    cells = sum(row.cells for row in page.rows)
    assert sum(n for reasons in printed.values() for n in reasons.values()) == cells == 2 * 40
    sql = "SELECT route, count(*) FROM cell WHERE tally_id IS NOT NULL GROUP BY 1"
    assert {name: sum(reasons.values()) for name, reasons in printed.items()} == dict(
        scope.ws.db.execute(sql).fetchall()
    )
    automatic = {
        row.title: row.decided.automatic for row in page.rows if row.task_type == "factual"
    }
    ungraded = "SELECT count(*) FROM cell WHERE route = 'automatic' AND final_source = 'automatic' AND tally_id IS NOT NULL"
    assert sum(automatic.values()) == scope.ws.db.execute(ungraded).fetchone()[0]
    shown = json.loads(json.dumps(page.rows, default=writable))
    assert risky == [
        {name: row[name] for name in said} for row, said in zip(shown, risky, strict=True)
    ]
    # Where people differ nobody has decided: Results and Routing count such a cell as pending, also
    # where it is the machine's.
    grade(
        scope,
        "bob",
        lambda criterion, question: 2 if criterion.endswith("completeness") else "irrelevant",
        screens=6,
    )
    for row in ("people", "audit", "automatic", "pending"):
        of_page = sum(getattr(one.decided, row) for one in routing(scope, "study").rows)
        found = grid(scope, "study")
        assert of_page == sum(
            getattr(cell, row) for model in found.models for cell in model.cells.values()
        ), row


def test_what_labels_do_not_suffice_for_is_an_early_estimate(labelled: Scope) -> None:
    found = report(labelled, "study")
    few = next(row for row in rows(found, "agreement", "Agreement") if row["Judge"] == EVIL)
    # no number that stands alone, and none in the chart
    assert few["With people"].value is None, few
    assert re.fullmatch(
        r"early estimate: 0\.40 \[-1\.00, 1\.00\], 3 answers", few["With people"].text
    ), few
    quotes = [quote for quote in section(found, "agreement").quotes if EVIL in quote]
    assert quotes and all("an early estimate: fewer than 30 cells" in quote for quote in quotes)
    assert [row.label for row in section(found, "agreement").charts[0].rows] == ["Relevance, north"]
    # a figure may stand beside INCONCLUSIVE as the finding: the method says both
    assert any(
        "suffice for a figure, it is called an early estimate, or INCONCLUSIVE stands in its place; "
        "where they suffice for a figure and not for a finding, INCONCLUSIVE stands as the finding "
        "beside it." in sentence
        for sentence in section(found, "method").words
    )


class Tags(HTMLParser):
    """Tags and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [
            value or ""
            for name, value in attrs
            if name in ("src", "href", "xlink:href", "action", "srcset")
        ]


def test_hostile_names_stay_texts_in_every_format(labelled: Scope, tmp_path: Path) -> None:
    found = report(labelled, "study")
    page, tags = html(found), Tags()
    tags.feed(page)
    assert (
        not tags.tags & {"script", "link", "img", "iframe", "object", "form"} and "svg" in tags.tags
    )
    assert all(address.startswith("#") for address in tags.addresses), tags.addresses
    assert "<script" not in page and "url(" not in page and "@import" not in page
    plain = re.sub(r"\\.", "", markdown(found))
    assert "<script" not in plain and "`" not in plain
    write_report(labelled, "study", tmp_path / "r.xlsx", "xlsx")
    book = CalamineWorkbook.from_path(tmp_path / "r.xlsx")
    assert book.sheet_names[:3] == ["Findings", "Who gave verdicts", "Who decided"]
    graders = [row[0] for row in book.get_sheet_by_name("Who gave verdicts").to_python()]
    assert EVIL in graders
    import zipfile

    with zipfile.ZipFile(tmp_path / "r.xlsx") as parts:
        sheets = [
            parts.read(name) for name in parts.namelist() if name.startswith("xl/worksheets/")
        ]
    assert sheets and not any(b"<f>" in sheet or b"<hyperlink" in sheet for sheet in sheets)


def test_a_promise_stands_only_where_it_is_proven(tmp_path: Path) -> None:
    scope = routed(tmp_path, 120, calibration=0.5, audit=0.0)
    before = rows(report(scope, "study"), "routing", "Routing")
    assert {row["State"] for row in before} == {"· BY YOUR RULE"} and {
        row["Covered by the promise"] for row in before
    } == {None}
    grade(
        scope,
        "ann",
        lambda criterion, question: "relevant" if criterion == "small/relevance" else 4,
    )
    route(scope, "study")
    found, page = report(scope, "study"), routing(scope, "study")
    for row, kind in zip(rows(found, "routing", "Routing"), page.rows, strict=True):
        assert row["State"].endswith(kind.state) and row["Cells"] == kind.cells
        assert row["Covered by the promise"] == (kind.automatic if kind.state == "PROVEN" else None)
        assert row["Promise, or what is missing"].startswith(kind.words)
    assert any(row["State"] == "✓ PROVEN" for row in rows(found, "routing", "Routing"))
    said_of_rule = " ".join(
        one
        for one in section(report(scope, "study"), "routing").words
        if one.startswith("BY YOUR RULE")
    )
    assert "trust" not in said_of_rule


def test_the_same_data_make_the_same_report_elsewhere(labelled: Scope, tmp_path: Path) -> None:
    here = report(labelled, "study")
    there = export(labelled, "study", "jsonl", tmp_path / "there")
    other = small.scope_of(small.workspace(tmp_path, "other"))
    importing_stage.finish(other, importing_stage.stage(other, "study", there).import_id)
    again = report(other, "study")
    assert (again.made, again.sections) == (here.made, here.sections)
    assert html(again) == html(here)
    projects.set_settings(other.ws, other.project("study"), {"sampling": {"calibration": 0.3}})
    assert report(other, "study").made.data != here.made.data


def test_a_project_without_verdicts_has_a_report_without_figures(tmp_path: Path) -> None:
    scope = agreeing(tmp_path, human=[], judge=[], n=2)
    found = report(scope, "study")
    assert [
        chart for key in ("agreement", "leaderboard") for chart in section(found, key).charts
    ] == []
    assert section(found, "costs").words == ["No judge was asked."] and found.exit == 5
    assert all(
        cell is None or cell.value is None
        for row in rows(found, "leaderboard", "Models")
        for cell in row.values()
        if isinstance(cell, Figure)
    )
    assert html(found).startswith("<!doctype html>") and markdown(found)


def test_what_cannot_be_written_is_a_sentence(labelled: Scope, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"format 'pdf': found no such format, expected one of html, md, xlsx"
    ):
        write_report(labelled, "study", tmp_path / "r.pdf", "pdf")
    with pytest.raises(InputError, match=r"found the ending \.pdf, expected \.html or \.htm"):
        write_report(labelled, "study", tmp_path / "r.pdf")
    assert not (tmp_path / "r.pdf").exists()
    (tmp_path / "r.html").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="found a file of that name"):
        write_report(labelled, "study", tmp_path / "r.html")
    with pytest.raises(InputError, match="found a folder"):
        write_report(labelled, "study", tmp_path, force=True)
    assert (tmp_path / "r.html").read_text("utf-8") == "mine"
    with pytest.raises(NotAllowed):
        report(Scope(Actor("ann", "annotator"), labelled.ws), "study")
