"""The page Report: what is known first, the document as it is saved, files of what the address
asks for."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.store import projects
from graders.web.app import make_app
from graders.web.serve import resolver_of
from graders.workflows.report.report import report, summary
from tests.store import small
from tests.support.opened import texts_in

EVIL = '"></iframe><script>alert(1)</script>'


def test_it_shows_the_file_in_a_frame_where_nothing_runs(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    scope = small.study(tmp_path, ws)
    projects.set_title(ws, scope.project("study"), EVIL, "")
    settings = Settings(workspace=ws.path)
    with TestClient(
        make_app(resolver_of(ws, settings), settings), base_url="http://localhost"
    ) as b:
        page = b.get("/report?project=study&model=Ash").text
    texts = list(texts_in(page))
    first = next(text for text in texts if 'class="rp"' in text)
    for _, sentences in summary(report(scope, "study")):
        assert all(words in first for _, words in sentences)
    for format in ("html", "md", "xlsx"):
        assert f"/api/report?project=study&format={format}&model=Ash" in first
    assert "/api/export?project=study&format=csv" in first
    document = next(text for text in texts if "rp-document" in text)
    assert " sandbox title=" in document
    assert EVIL not in page and EVIL not in document.partition("srcdoc=")[0]


def test_without_a_project_it_says_where_to_begin(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    settings = Settings(workspace=ws.path)
    with TestClient(
        make_app(resolver_of(ws, settings), settings), base_url="http://localhost"
    ) as b:
        assert "Nothing is here to report yet" in b.get("/report").text
