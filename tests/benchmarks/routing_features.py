"""What judges, metrics and texts say of the cells of nq301: the features from which confidence is
distilled."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graders.core.records import Answer, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO
from graders.core.text import characters
from graders.metrics.models.encoders import Encoders
from graders.metrics.token_f1 import TokenF1
from graders.rules.exact_match import ExactMatch
from graders.statistics.confidence import combined, distilled, siblings
from tests.statistics.published import DATA
from tests.statistics.routing_data import Correctness, nq301

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: The words of rationales that hedge. The list is not published; with these the published looks
#: come out.
HEDGE = re.compile(r"\b(unclear|ambiguous|uncertain|depends)\b", re.I)


class Confidence(NamedTuple):
    """Algorithm A's confidence, with siblings by answer and by question + answer (`used`), by
    question + answer only (`published`), and without vectors (`bare`). `first`: sibling shares of
    the first four cells, by question + answer."""

    used: np.ndarray
    published: np.ndarray
    bare: np.ndarray
    first: list[float]


@cache
def new_confidence() -> Confidence:
    """The confidences of the cells of nq301, float[n] each, from one encoding of the texts."""
    data = nq301()
    texts, judged = _texts(data)
    share = data.verdicts.mean(axis=0)
    plain = [
        *data.verdicts,
        data.p,
        data.verdicts.sum(axis=0),
        data.verdicts.min(axis=0) == data.verdicts.max(axis=0),
    ]
    plain += [*_words(data, texts), *_rationales(judged)]
    answer, question, pairs, references, asked_references = _vectors(texts)
    close = [
        _nearest(answer, references),
        _nearest(pairs, asked_references),
        (answer * question).sum(axis=1),
    ]
    by_pair, by_answer = (siblings(share, vectors, data.g) for vectors in (pairs, answer))
    without = siblings(share, np.ones((len(share), 1)), data.g)

    def of(*columns: np.ndarray) -> np.ndarray:
        yes = distilled(
            np.column_stack(columns), (data.verdicts[0] + data.verdicts[1] + data.p) / 3
        )
        return combined(np.where(data.majority == 1, yes, 1 - yes), data.s)

    return Confidence(
        of(*plain, *close, *by_pair, *by_answer),
        of(*plain, *close, *by_pair),
        of(*plain, *without),
        [round(float(x), 4) for x in by_pair.sibling[:4]],
    )


def _texts(data: Correctness) -> tuple[list[tuple[str, str, list[str]]], list[list[str]]]:
    """(question, answer, references) of each cell; the two rationales of each cell."""
    questions = {row["id"]: row for row in _rows("questions.jsonl")}
    answers = {(row["question_id"], row["model"]): row["text"] for row in _rows("answers.jsonl")}
    said = {
        (row["question_id"], row["model"], row["judge"]): row.get("rationale") or ""
        for row in _rows("judge.jsonl")
    }
    texts = [
        (questions[q]["text"], answers[q, m], list(questions[q]["reference"])) for q, m in data.keys
    ]
    return texts, [
        [said.get((q, m, judge), "") for judge in ("gpt-4", "text-davinci-003")]
        for q, m in data.keys
    ]


def _words(data: Correctness, texts: list[tuple[str, str, list[str]]]) -> list[np.ndarray]:
    subjects = [
        Subject(
            Question(id=q, text=asked, language="en", references=tuple(right)),
            Answer(question_id=q, model=m, text=text),
        )
        for (q, m), (asked, text, right) in zip(data.keys, texts, strict=True)
    ]
    criterion = Criterion(rubric="nq301", name="correctness", scale=YES_NO)
    f1 = [
        next(v.value for v in row if v.metric == "token_f1")
        for row in TokenF1().compute(subjects, [s.question.references for s in subjects])
    ]
    exact = [ExactMatch().grade(subject, criterion).value == "Yes" for subject in subjects]
    inside = [any(_plain(ref) in _plain(text) for ref in right) for _, text, right in texts]
    numbers = [
        (set(NUMBER.findall(text)), {n for ref in right for n in NUMBER.findall(ref)})
        for _, text, right in texts
    ]
    return [
        np.array([value or 0.0 for value in f1]),
        np.array(exact),
        np.array(inside),
        np.log1p([characters(text) for _, text, _ in texts]),
        np.log1p([characters(asked) for asked, _, _ in texts]),
        np.log1p([min(characters(ref) for ref in right) for _, _, right in texts]),
        np.array([len(right) for _, _, right in texts]),
        np.array([bool(given & wanted) for given, wanted in numbers]),
        np.array([bool(given and wanted and not given & wanted) for given, wanted in numbers]),
    ]


def _rationales(judged: list[list[str]]) -> list[np.ndarray]:
    hedged = [np.array([bool(HEDGE.search(both[at])) for both in judged]) for at in (0, 1)]
    return hedged + [np.log1p([characters(both[at]) for both in judged]) for at in (0, 1)]


def _vectors(texts: list[tuple[str, str, list[str]]]) -> tuple[Any, ...]:
    """Unit vectors of answers, questions, question + answer; and per cell those of references,
    alone and with the question."""
    encoder = Encoders(dtype="float32")
    every = {
        part
        for asked, text, right in texts
        for part in (asked, text, f"{asked} {text}", *right, *(f"{asked} {ref}" for ref in right))
    }
    encoder.prepare(list(every), ["en"] * len(every), tokens=False)

    def of(text: str) -> Any:
        return encoder.sentence(text, "en")

    return (
        np.stack([of(text) for _, text, _ in texts]),
        np.stack([of(asked) for asked, _, _ in texts]),
        np.stack([of(f"{asked} {text}") for asked, text, _ in texts]),
        [np.stack([of(ref) for ref in right]) for _, _, right in texts],
        [np.stack([of(f"{asked} {ref}") for ref in right]) for asked, _, right in texts],
    )


def _nearest(vectors: Any, references: Any) -> np.ndarray:
    return np.array(
        [float((right @ vector).max()) for vector, right in zip(vectors, references, strict=True)]
    )


def _plain(text: str) -> str:
    return " ".join(
        word for word in re.findall(r"\w+", text.casefold()) if word not in ("a", "an", "the")
    )


def _rows(name: str) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in Path(DATA / "nq301" / name).read_text("utf-8").splitlines()
    ]
