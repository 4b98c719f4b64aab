"""Labels that came with a file, stated at import to be blind, over HTTP."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from graders.store.workspace import open_workspace
from graders.workflows.home import overview
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.server import serve
from tests.web import bringing
from tests.web.client import Client


def test_the_page_states_at_import_that_ratings_are_blind(tmp_path: Path) -> None:
    rows = "".join(f"What is {i}?,It is {i}.,Yes,mira\n" for i in range(60))
    with serve(tmp_path) as running:
        http = Client(running.url).http
        at = bringing.looked_at(http, "rated.csv", "question,answer,correctness,rater\n" + rows)
        for said in (
            {"do": "rubric", "kind": "picked", "name": "correctness"},
            {"field": "chosen", "value": "random"},
            {"field": "labels_blind", "value": True},
        ):
            assert bringing.does(http, at, **said) == ("", "")
        report, refused = bringing.staged(http, at, "Rated")
        assert not refused, refused
        number, _ = bringing.finished(http, report)
        with closing(open_workspace(tmp_path / "app.db")) as ws:
            found = overview.import_report(Scope(Actor(), ws), number).report
        assert found["labels_blind"] and 10 < found["labels_kept"] < 50
        assert "are kept for a test" in found["labels_note"]
