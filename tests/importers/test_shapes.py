"""Headers of several rows, titles above them, nested JSON and chats come in right, or are refused
with what to do; never as something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.contracts import Placed
from graders.core.errors import InputError
from graders.core.records import Answer, BadRow, Question
from graders.workflows.importing.look import importer_of
from tests.importers import more_shapes, nested_shapes
from tests.importers.shapes import SHAPES, STEM

assert more_shapes and nested_shapes  # their files are in the list too


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_comes_in_right_or_is_refused_with_what_to_do(name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    path = tmp_path / f"{STEM}{shape.ending}"
    shape.write(path)
    try:
        importer = importer_of(path)
        look = importer.look(path)
        items = list(importer.read(path, look))
    except InputError as error:
        assert shape.refused, str(error)
        assert shape.refused in str(error)
        assert error.remedy
        return
    bad = [item for item in items if isinstance(item, BadRow)]
    records = [item.record for item in items if isinstance(item, Placed)]
    questions = {r.id: r for r in records if isinstance(r, Question)}
    answers = [r for r in records if isinstance(r, Answer)]
    if shape.refused:
        assert not records
        assert bad
        assert all(row.remedy for row in bad)
        assert shape.refused in f"{bad[0].found} {bad[0].expected} {bad[0].remedy}"
        return
    found = {(questions[a.question_id].text, a.model, a.text) for a in answers}
    assert found == shape.answers
    assert len(answers) == len(shape.answers)
    assert len(bad) == shape.bad
    assert all(row.remedy for row in bad)
    assert look.skip == shape.skip
    for (question, *model), fields in shape.more.items():
        of = {q.id: q for q in questions.values() if q.text == question}
        chosen = (
            [a for a in answers if a.question_id in of and a.model == model[0]]
            if model
            else list(of.values())
        )
        assert chosen
        for field, value in fields.items():
            assert [getattr(one, field) for one in chosen] == [value] * len(chosen)
