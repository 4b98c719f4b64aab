"""A study of 18 models on 30 questions: rules, metrics, named faults and elections of a run without
a judge, and the bare encoder.

The study is made from the demo: its questions in turn, its answers with a sentence of another one
added, so that no two are equal, and one judge's verdicts, by which references are elected. The bare
loop only encodes the distinct English texts.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graders.core.settings import read_settings
from graders.metrics.models._encoder_files import best_dtype
from graders.store.workspace import open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.results import references
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Actor, Scope
from tests.benchmarks.bench_encoder import Bare, timed

DEMO = Path(__file__).parents[2] / "data/demo"
QUESTIONS, MODELS, JUDGE = 30, 18, "judge-north"
LIMIT = 60.0


def rows(name: str) -> list[dict[str, Any]]:
    """A file of the demo."""
    return [json.loads(line) for line in (DEMO / name).open(encoding="utf-8")]


def study() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Files of the study by name."""
    questions = rows("questions.jsonl")
    asked = {f"s{n:02d}": questions[n % len(questions)] for n in range(QUESTIONS)}
    answers: dict[str, list[dict[str, Any]]] = {}
    for row in rows("answers.jsonl"):
        answers.setdefault(row["question_id"], []).append(row)
    said = [row for row in rows("judge.jsonl") if row["judge"] == JUDGE]
    made, judged = [], []
    for key, question in asked.items():
        mine = answers[question["id"]]
        for number in range(MODELS):
            source = mine[number % len(mine)]
            tail = mine[(number + 1) % len(mine)]["text"].split("\n")[0][: 40 + 3 * number]
            model = f"model {number:02d}"
            made.append(
                {
                    **source,
                    "question_id": key,
                    "model": model,
                    "text": f"{source['text']}\n\n{tail} ({key})",
                }
            )
            for row in said:
                if (row["question_id"], row["model"]) == (source["question_id"], source["model"]):
                    judged.append(
                        {
                            **row,
                            "id": f"{key}-{number}-{row['id']}",
                            "question_id": key,
                            "model": model,
                            "evidence": [],
                        }
                    )
    yield "questions.jsonl", [{**question, "id": key} for key, question in asked.items()]
    yield "answers.jsonl", made
    yield "judge.jsonl", judged


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "study"
        folder.mkdir()
        for file, content in study():
            (folder / file).write_text(
                "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), "utf-8"
            )
        described = json.loads((DEMO / "project.json").read_text("utf-8")) | {
            "name": "study",
            "title": "Study",
        }
        (folder / "project.json").write_text(json.dumps(described), "utf-8")
        ws = open_workspace(Path(name) / "study.db")
        scope = Scope(Actor(), ws)
        report = importing_stage.stage(scope, "study", folder)
        importing_stage.finish(scope, report.import_id)
        assert (report.answers, report.bad) == (QUESTIONS * MODELS, 0), report.bad_rows[:3]
        run = runs.start(scope, "study", {}).run
        began = time.perf_counter()
        state = runs.execute(ws, run, models=read_settings({}, Path(name)).models())
        seconds = time.perf_counter() - began
        elected = [row for row in references.shown(scope, "study") if row.kind == "elected"]
        texts = sorted(
            {
                row["text"]
                for file, content in study()
                if file == "answers.jsonl"
                for row in content
                if row["text"].isascii()
            }
        )
        bare = Bare(best_dtype())
        alone = timed(lambda: bare.encode(texts))
        print(
            f"study: run {state}, {len(elected)} elected; {len(texts)} English texts alone are encoded in {alone:.1f} s ({seconds / alone:.1f} times)"
        )
        ws.close()
    return [
        {
            "name": "study of 18 x 30 answers without a judge, seconds",
            "figure": round(seconds, 2),
            "bar": LIMIT,
            "ratio": round(seconds / LIMIT, 3),
            "met": state == "done" and seconds <= LIMIT,
        }
    ]
