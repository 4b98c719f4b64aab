"""What a person chose about an upload, and what that makes of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.web import import_choices
from graders.web.uploads import JobState, Uploads
from graders.workflows.home import overview
from graders.workflows.importing import stage
from tests.store import small

TITLED = (
    "Rain, second round,\n,Ash,Elm\nquestion,answer,answer\nDoes it rain?,It does.,It does not.\n"
)


class Upload:
    """Files of one person, the last one looked at."""

    def __init__(self, folder: Path) -> None:
        self.scope = small.scope_of(small.workspace(folder))
        self.uploads, self.token = Uploads(folder / "uploads"), ""

    def sent(self, name: str, text: str) -> import_choices.Seen:
        self.token, path = self.uploads.begin(self.scope.ws, name)
        path.write_text(text, "utf-8")
        return self.seen()

    def seen(self, **chosen: Any) -> import_choices.Seen:
        return import_choices.seen(self.scope, self.uploads, self.token, chosen)

    def brought(self, **chosen: Any) -> overview.ImportReport:
        """What came in under these choices."""
        import_choices.stage(self.scope, self.uploads, self.token, chosen, {})
        while (job := self.uploads.job(self.token)) and job.state is JobState.STAGING:
            time.sleep(0.01)
        assert job is not None and job.import_ is not None, job
        stage.finish(self.scope, job.import_)
        return overview.import_report(self.scope, job.import_)


def test_where_a_table_begins_is_shown_and_can_be_changed(tmp_path: Path) -> None:
    upload = Upload(tmp_path)
    seen = upload.sent("titled.csv", TITLED).look
    assert (seen.skip, seen.header_rows) == (1, 2)
    assert "1 row above the table was skipped: 'Rain, second round'." in seen.notes
    assert [column.model for column in seen.columns] == ["", "Ash", "Elm"]
    look = import_choices.look_json(seen)
    changed = {**look, "skip": 2, "header_rows": None, "columns": []}
    again = upload.seen(look=changed).look
    assert (again.skip, again.header_rows) == (2, 1)
    assert [column.header for column in again.columns] == ["question", "answer", "answer"]
    with pytest.raises(InputError, match="found none up to row 4"):
        upload.seen(look={**changed, "skip": 9})
    report = upload.brought(look=look, title="Titled").report
    assert (report["questions"], report["answers"]) == (1, 2)


def test_a_column_called_like_a_criterion_is_ratings_once_its_rubric_is_chosen(
    tmp_path: Path,
) -> None:
    upload = Upload(tmp_path)
    text = "question,answer,correctness,rater\nDoes it rain?,It does.,Yes,ann\n"
    look = import_choices.look_json(upload.sent("rated.csv", text).look)

    def roles(given: JSON, **where: Any) -> list[str]:
        nonlocal look
        look = import_choices.look_json(upload.seen(look=given, **where).look)
        return [column["role"] for column in look["columns"]]

    plain = ["question", "answer", "metadata", "metadata"]
    rated = ["question", "answer", "verdict", "annotator"]
    rubric = {"kind": "picked", "name": "correctness"}
    assert roles({**look, "chosen": []}) == plain
    assert roles(look, rubric=rubric) == rated
    assert roles(look, rubric={}) == plain
    assert roles({**look, "chosen": [2]}, rubric=rubric) == plain
    assert roles({**look, "chosen": []}, rubric=rubric) == rated
    found = upload.brought(look=look, title="Rated", rubric=rubric)
    assert found.report["verdicts"] == 1 and found.project is not None
    again = import_choices.look_json(upload.sent("more.csv", text.replace("rain", "snow")).look)
    assert roles({**again, "chosen": []}, project=found.project["name"]) == rated


@pytest.mark.parametrize("number", ["", "x", "²", "9" * 30, True, None, -1])
def test_a_staged_import_is_named_by_a_number(number: object) -> None:
    said = "import: found no number, expected the number of a staged import. Reload the page."
    with pytest.raises(InputError) as caught:
        import_choices.import_number(number)
    assert str(caught.value) == said
