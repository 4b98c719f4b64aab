"""The table of answers on Results, and the file that it is saved as."""

from __future__ import annotations

import csv
from pathlib import Path

from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.serve import resolver_of
from tests.support.opened import texts_in
from tests.workflows.results.test_answer_list import N, study


def test_the_file_holds_what_the_page_lists_and_runs_nothing(tmp_path: Path) -> None:
    ws = study(tmp_path).ws
    settings = Settings(workspace=ws.path)
    with TestClient(
        make_app(resolver_of(ws, settings), settings), base_url="http://localhost"
    ) as b:
        page = b.get("/results?project=study&view=answers&having=judges_differ&of_model=Ash").text
        table = next(
            text for text in texts_in(page) if "Judges differ" in text and "<tbody>" in text
        )
        address = "/api/answers?project=study&having=judges_differ&of_model=Ash"
        assert f"{N // 3} answers: Judges differ" in table
        assert f'href="{address}"' in table
        saved = b.get(address)
        refused = b.get("/api/answers?project=study&having=odd")
    assert saved.headers["content-disposition"] == 'attachment; filename="study-judges_differ.csv"'
    rows = list(csv.DictReader(saved.content.decode("utf-8-sig").splitlines()))
    assert [row["question_id"] for row in rows] == [f"q{i}" for i in range(0, N, 3)]
    # a text that a spreadsheet would run stays a text
    assert {row["answer"][:2] for row in rows} == {"'="}
    assert refused.status_code == 422 and "one of any, judges_differ" in refused.text
