"""Answers that look like answers to another question of the set: the mark of rows that slipped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graders.metrics.texts.pairs import compared_language
from graders.store.answers.content import StoredSubject, chunks

#: A question is pointed out when its answers are far from it, near another one, and nearer by the
#: margin (cosines).
MARGIN, FAR, NEAR = 0.15, 0.35, 0.35
#: Sets with more answers than this are looked at in part, evenly spread.
MOST_ANSWERS = 4_000


#: Texts between two looks at how far it is.
TEXTS_AT_ONCE = 256


def find_slips(
    subjects: Sequence[StoredSubject],
    encoder: Any,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[dict[str, Any]]:
    """Questions whose answers are nearer (cosine of sentence vectors, mean over the answers) to
    another question than to their own.

    Rows of {question_id, question, nearest_id, nearest, own, other}: similarities to the own and to
    the nearest other question. Only questions whose language a model fits are compared, each with
    those of the same language. `tell` is told how many of how many texts are encoded.
    """
    import numpy as np

    step = max(1, len(subjects) // MOST_ANSWERS)
    by_question: dict[str, list[StoredSubject]] = {}
    for subject in subjects[::step]:
        by_question.setdefault(subject.subject.question.id, []).append(subject)
    by_language: dict[str, dict[str, list[StoredSubject]]] = {}
    for key, group in by_question.items():
        # "Translate into Chinese" is answered in another language: the model has to read both
        language = compared_language(group[0].subject, [group[0].subject.question.text])
        by_language.setdefault(language, {})[key] = group
    found = []
    compared = {
        language: _texts(questions)
        for language, questions in by_language.items()
        if len(questions) >= 3
    }
    total, done = sum(map(len, compared.values())), 0
    for language, questions in by_language.items():
        if len(questions) < 3:
            continue
        vector_of: dict[str, Any] = {}
        for batch in chunks(compared[language], TEXTS_AT_ONCE):
            tell(done, total)
            encoder.prepare(batch, [language] * len(batch), tokens=False)
            vector_of.update({text: encoder.sentence(text, language) for text in batch})
            done += len(batch)
        vectors = [vector_of[group[0].subject.question.text] for group in questions.values()]
        if any(vector is None for vector in vectors):
            continue
        matrix = np.stack(vectors).astype(np.float32)
        keys = list(questions)
        for place, group in enumerate(questions.values()):
            answers = np.stack([vector_of[s.subject.answer.text] for s in group]).astype(np.float32)
            likeness = (answers @ matrix.T).mean(axis=0)
            own = float(likeness[place])
            likeness[place] = -1.0
            best = int(likeness.argmax())
            if own < FAR and float(likeness[best]) >= max(NEAR, own + MARGIN):
                other = questions[keys[best]][0].subject.question
                question = group[0].subject.question
                found.append(
                    {
                        "question_id": question.id,
                        "question": question.text,
                        "nearest_id": other.id,
                        "nearest": other.text,
                        "own": round(own, 3),
                        "other": round(float(likeness[best]), 3),
                    }
                )
    return found


def _texts(questions: Mapping[str, Sequence[StoredSubject]]) -> list[str]:
    """Questions and answers, each text once; the encoder likes texts of one length together."""
    found = {
        text
        for group in questions.values()
        for text in (group[0].subject.question.text, *(s.subject.answer.text for s in group))
    }
    return sorted(found, key=lambda text: (len(text), text))
