"""A checklist takes its parts from the question: what the pages count is the entries that there are, answers stay the unit of chance."""

from __future__ import annotations

from pathlib import Path

from graders.workflows import results, runs
from tests.support.studies import bring, given, scope_at

RUBRIC = """
rubric: small
criteria:
  facts: {question: Is the fact in the answer?, scale: ["no", "yes"], parts: facts, review: people}
  tone: {question: Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, review: people}
"""


def test_cells_are_the_entries_of_the_lists_and_questions_what_varies(tmp_path: Path) -> None:
    scope = scope_at(tmp_path, "mira")
    lists = {"q1": ["a", "b", "c"], "q2": ["d"], "q3": ["e", "f"], "q4": []}
    questions = [{"id": key, "text": f"{key}?", "task_type": "factual", "facts": facts} for key, facts in lists.items()]
    answers = [{"question_id": key, "model": model, "text": f"{model} says {key}."} for key in lists for model in ("Ash", "Oak")]
    human = [
        given(key, "Ash", "facts", "mira", "yes" if fact != "d" else "no", part=fact) for key, facts in lists.items() for fact in facts
    ]
    bring(scope, tmp_path, rubric=RUBRIC, questions=questions, answers=answers, human=human)
    assert runs.plan(scope, "study", {})["cells"] == 2 * (3 + 1 + 2 + 0) + 8 * 1  # the lists' entries, and tone once an answer
    found = results.grid(scope, "study")
    ash = next(row for row in found["models"] if row["model"] == "Ash")["cells"]["small/facts"]
    assert (ash["cells"], ash["pending"], ash["shown"]) == (6, 0, "83 %")  # five facts of six
    # Clopper and Pearson for 2.5 of 3 questions, not for 5 of 6 cells, which would begin at 35.9 %.
    assert ash["low"] < 30
