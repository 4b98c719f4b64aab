"""The sentences of the page of projects, from the numbers that they tell."""

from __future__ import annotations

import pytest

from graders.workflows.home import _words as words


@pytest.mark.parametrize(
    "questions, answers, verdicts, bad, said",
    [
        (5, 10, 0, 2, "Imported 5 questions and 10 answers; 2 rows were left out"),
        (
            100,
            1200,
            86_199,
            201,
            "Imported 100 questions, 1,200 answers and 86,199 verdicts; 201 rows were left out",
        ),
        (1, 0, 0, 1, "Imported 1 question; 1 row was left out"),
        (0, 0, 1, 0, "Imported 1 verdict"),
        (0, 0, 0, 0, "Nothing new to import"),
    ],
)
def test_what_an_import_brought(
    questions: int, answers: int, verdicts: int, bad: int, said: str
) -> None:
    assert (
        words.brought(
            {"questions": questions, "answers": answers, "verdicts": verdicts, "bad": bad}
        )
        == said
    )
