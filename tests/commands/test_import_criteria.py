"""`cograde import`: which criterion a table's ratings are for, by header, and where the header is
only a word for grades."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.commands.runner import Done, Line

QUESTIONS = 6


def table(folder: Path, head: str, values: str, *, people: tuple[str, ...] = ("Ana",)) -> Path:
    """A row for each question and person, `values` in turn under the last header."""
    path, said = folder / "ratings.csv", values.split(",")
    rows = [
        f"Question {n}?,Answer {n}.,north,{who},{said[(n + place) % len(said)]}"
        for n in range(QUESTIONS)
        for place, who in enumerate(people)
    ]
    path.write_text("\n".join([f"question,answer,model,annotator,{head}", *rows, ""]), "utf-8")
    return path


def came_in(cograde: Line, done: Done, folder: Path) -> Counter[tuple[str, str]]:
    """How many verdicts people gave, by author and criterion."""
    assert done.code == 0, done.err
    target = folder / "out"
    out = cograde("export", "--format", "jsonl", "--output", target)
    assert out.code == 0, out.err
    text = (target / "human.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return Counter((row["annotator"], row["criterion"]) for row in rows)


def test_a_bare_rating_is_for_the_only_criterion_on_whose_scale_it_is(
    cograde: Line, tmp_path: Path
) -> None:
    path = table(tmp_path, "rating", "Yes,No")
    done = cograde("import", path, "--rubric", "correctness", "--column", "rating=verdict", "--yes")
    assert came_in(cograde, done, tmp_path) == {("Ana", "correctness/correctness"): QUESTIONS}
    assert "they count as ratings of it" in done.err
    # the same file again changes nothing
    again = cograde("import", path, "--column", "rating=verdict", "--yes", "--json")
    assert again.json["verdicts"] == 0 and again.json["rubrics"] == ["correctness"]


def test_a_bare_rating_off_the_scale_is_a_criterion_of_its_own_and_the_import_says_so(
    cograde: Line, tmp_path: Path
) -> None:
    path = table(tmp_path, "rating", "2,4,5")
    done = cograde("import", path, "--rubric", "correctness", "--column", "rating=verdict", "--yes")
    assert came_in(cograde, done, tmp_path) == {("Ana", "ratings-imported/rating"): QUESTIONS}
    assert "its header must be the criterion's name: one of correctness." in done.err


def test_another_word_than_one_for_grades_stays_a_criterion_of_its_own(
    cograde: Line, tmp_path: Path
) -> None:
    path = table(tmp_path, "polite", "Yes,No")
    done = cograde("import", path, "--rubric", "correctness", "--column", "polite=verdict", "--yes")
    assert came_in(cograde, done, tmp_path) == {("Ana", "ratings-imported/polite"): QUESTIONS}


def test_a_column_called_like_a_criterion_holds_its_ratings(cograde: Line, tmp_path: Path) -> None:
    path = table(tmp_path, "Correctness", "Yes,No", people=("Ana", "Ben"))
    done = cograde("import", path, "--rubric", "correctness", "--yes")
    assert came_in(cograde, done, tmp_path) == {
        ("Ana", "correctness/correctness"): QUESTIONS,
        ("Ben", "correctness/correctness"): QUESTIONS,
    }


def test_so_it_does_for_the_rubrics_that_the_project_has(cograde: Line, tmp_path: Path) -> None:
    first = tmp_path / "first.csv"
    first.write_text("question,answer,model\nWhy?,Because.,south\n", "utf-8")
    assert cograde("import", first, "--project", "p", "--rubric", "correctness", "--yes").code == 0
    path = table(tmp_path, "correctness", "Yes,No", people=("Ana", "Ben"))
    done = cograde("import", path, "--project", "p", "--yes")
    assert sum(came_in(cograde, done, tmp_path).values()) == 2 * QUESTIONS


def test_a_column_with_other_values_or_a_role_that_was_chosen_stays_what_it_was(
    cograde: Line, tmp_path: Path
) -> None:
    path = table(tmp_path, "correctness", "2,4,5")
    done = cograde("import", path, "--project", "a", "--rubric", "correctness", "--yes", "--json")
    assert done.json["verdicts"] == 0
    path = table(tmp_path, "correctness", "Yes,No")
    words = ("--rubric", "correctness", "--column", "correctness=metadata", "--yes", "--json")
    assert cograde("import", path, "--project", "b", *words).json["verdicts"] == 0
    # without a rubric that has it nothing says that these are people's ratings
    assert cograde("import", path, "--project", "c", "--yes", "--json").json["verdicts"] == 0


def test_verdicts_of_judges_come_in_beside_questions_and_answers(
    cograde: Line, tmp_path: Path
) -> None:
    """The three files that docs/import.md names."""
    files: dict[str, list[dict[str, object]]] = {
        "questions": [{"id": "q1", "text": "Why?"}],
        "answers": [{"question_id": "q1", "model": "north", "text": "Because."}],
        "judge": [
            {
                "question_id": "q1",
                "model": "north",
                "criterion": "correctness",
                "judge": "elsewhere",
                "value": "Yes",
                "confidence": 0.8,
                "rationale": "So it is.",
            }
        ],
    }
    folder = tmp_path / "judged"
    folder.mkdir()
    for name, rows in files.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    done = cograde("import", folder, "--rubric", "correctness", "--yes", "--json")
    assert done.code == 0, done.err
    assert (done.json["verdicts"], done.json["bad"], done.json["rubrics"]) == (
        1,
        0,
        ["correctness"],
    )
    out = tmp_path / "out"
    assert cograde("export", "--format", "jsonl", "--output", out).code == 0
    (row,) = map(json.loads, (out / "judge.jsonl").read_text("utf-8").splitlines())
    assert (row["judge"], row["criterion"]) == ("elsewhere", "correctness/correctness")
    assert (row["value"], row["confidence"], row["rationale"]) == ("Yes", 0.8, "So it is.")
