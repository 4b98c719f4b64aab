"""Answers that look like answers to another question of the set: the mark of rows that slipped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.errors import CogradeError
from graders.core.text_languages import compared_language
from graders.core.words import say
from graders.store.answers import content
from graders.store.answers.content import StoredSubject, chunks
from graders.store.workspace import Workspace

#: Sets with more answers than this are looked at in part, evenly spread.
MOST_ANSWERS = 4_000
#: Texts between two looks at how far it is.
TEXTS_AT_ONCE = 256
#: Fewer questions of a language are not compared.
FEWEST_QUESTIONS = 3


@dataclass(frozen=True, slots=True)
class Slip:
    """A question whose answers look like answers to the `nearest` one: mean cosines to its `own`
    text and to the `other`."""

    question_id: str
    question: str
    nearest_id: str
    nearest: str
    own: float
    other: float


def slips_of_import(
    ws: Workspace, import_id: int, encoder: Any, tell: Callable[[int, int], None]
) -> tuple[Sequence[Slip], str]:
    """The slips of an import, and "" or a note why it could not be checked: a model that the
    settings name may fail in any way, and the rows do not depend on it."""
    try:
        subjects = content.subjects(ws.db, content.import_subjects(ws.db, import_id))
        return find_slips(subjects, encoder, tell), ""
    except Exception as error:
        why = (
            str(error).rstrip(".")
            if isinstance(error, CogradeError)
            else f"{type(error).__name__}: {error}"
        )
        return (), say("importing.note.slips_unchecked", why=why)


def find_slips(
    subjects: Sequence[StoredSubject],
    encoder: Any,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Slip]:
    """Questions whose answers are nearer (cosine of sentence vectors, mean over the answers) to
    another question than to their own.

    Only questions whose language a model fits are compared, each with those of the same language.
    `tell` is told how many of how many texts are encoded.
    """
    by_language = {
        language: questions
        for language, questions in _by_language(subjects).items()
        if len(questions) >= FEWEST_QUESTIONS
    }
    texts = {language: _texts(questions) for language, questions in by_language.items()}
    total, done = sum(map(len, texts.values())), 0
    slips = []
    for language, questions in by_language.items():
        vector_of: dict[str, Any] = {}
        for batch in chunks(texts[language], TEXTS_AT_ONCE):
            tell(done, total)
            encoder.prepare(batch, [language] * len(batch), tokens=False)
            vector_of.update({text: encoder.sentence(text, language) for text in batch})
            done += len(batch)
        slips += _slips(list(questions.values()), vector_of)
    return slips


def _by_language(
    subjects: Sequence[StoredSubject],
) -> dict[str, dict[str, list[StoredSubject]]]:
    """Language -> question id -> answers, of at most MOST_ANSWERS."""
    step = max(1, len(subjects) // MOST_ANSWERS)
    by_question: dict[str, list[StoredSubject]] = {}
    for subject in subjects[::step]:
        by_question.setdefault(subject.subject.question.id, []).append(subject)
    by_language: dict[str, dict[str, list[StoredSubject]]] = {}
    for key, group in by_question.items():
        # "Translate into Chinese" is answered in another language: the model has to read both
        language = compared_language(group[0].subject, [group[0].subject.question.text])
        by_language.setdefault(language, {})[key] = group
    return by_language


def _slips(
    questions: Sequence[Sequence[StoredSubject]], vector_of: Mapping[str, Any]
) -> list[Slip]:
    """The slips among questions (their answers) of one language; none where no model reads it."""
    from graders.statistics.slips import misplaced  # numpy is loaded where it is needed

    asked = [group[0].subject.question for group in questions]
    vectors = [vector_of[question.text] for question in asked]
    if any(vector is None for vector in vectors):
        return []
    answers = [[vector_of[s.subject.answer.text] for s in group] for group in questions]
    return [
        Slip(
            asked[found.place].id,
            asked[found.place].text,
            asked[found.nearest].id,
            asked[found.nearest].text,
            round(found.own, 3),
            round(found.other, 3),
        )
        for found in misplaced(vectors, answers)
    ]


def _texts(questions: Mapping[str, Sequence[StoredSubject]]) -> list[str]:
    """Questions and answers, each text once; the encoder likes texts of one length together."""
    texts = {
        text
        for group in questions.values()
        for text in (group[0].subject.question.text, *(s.subject.answer.text for s in group))
    }
    return sorted(texts, key=lambda text: (len(text), text))
