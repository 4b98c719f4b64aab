"""Answers that look like answers to another question of the set: the mark of rows that slipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.errors import CogradeError
from graders.core.text_languages import compared_language
from graders.core.words import say
from graders.store.answers import content
from graders.store.answers.content import ImportedGroup, StoredSubject, chunks
from graders.store.workspace import Workspace

#: What is encoded of one import at most, in characters: about a second of the English model.
MOST_CHARACTERS = 40_000
#: The beginning of a text tells which question it belongs to.
BEGINNING = 240
#: Of larger sets as many questions in a row are looked at, at places that are evenly spread: an
#: answer that slipped is compared with the neighbours of its question.
RUN = 8
#: Texts between two looks at how far it is.
TEXTS_AT_ONCE = 256
#: Fewer questions of a language are not compared.
FEWEST_QUESTIONS = 3


@dataclass(frozen=True, slots=True)
class Slip:
    """A question whose answers look like answers to the `nearest` one: mean cosines to its `own`
    text and to the `other`; `model` names the one whose answer alone does so, "" for all."""

    question_id: str
    question: str
    nearest_id: str
    nearest: str
    own: float
    other: float
    model: str = ""


def slips_of_import(
    ws: Workspace, import_id: int, encoder: Any, tell: Callable[[int, int], None]
) -> tuple[Sequence[Slip], str]:
    """The slips of an import, and "" or a note: that a part was looked at, or why it could
    not be checked. A model that the settings name may fail in any way, and the rows do not depend
    on it."""
    try:
        groups = content.import_groups(ws.db, import_id, BEGINNING)
        sample = _sample(groups)
        chosen = [subject for group in sample for subject in group.subjects]
        subjects = content.subjects(ws.db, chosen)
        slips = find_slips(subjects, encoder, tell)
        part = say("importing.note.slips_sample", n=len(sample), total=len(groups))
        return slips, part if len(sample) < len(groups) else ""
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


def _sample(groups: Sequence[ImportedGroup]) -> Sequence[ImportedGroup]:
    """Those of as many questions as may be encoded, in runs that are evenly spread."""
    characters = sum(group.characters for group in groups)
    if characters <= MOST_CHARACTERS:
        return groups
    runs = max(1, int(len(groups) * MOST_CHARACTERS / characters) // RUN)
    step = max(0, len(groups) - RUN) / max(1, runs - 1)
    places = sorted({round(run * step) + i for run in range(runs) for i in range(RUN)})
    return [groups[place] for place in places if place < len(groups)]


def _by_language(
    subjects: Sequence[StoredSubject],
) -> dict[str, dict[str, list[StoredSubject]]]:
    """Language -> question id -> answers."""
    by_question: dict[str, list[StoredSubject]] = {}
    for subject in subjects:
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
    vectors = [vector_of[_beginning(question.text)] for question in asked]
    if any(vector is None for vector in vectors):
        return []
    keys = [
        {(s.subject.answer.model, _words(s.subject.answer.text)) for s in group}
        for group in questions
    ]
    given = Counter(key for group in keys for key in group)
    telling = {key for key, count in given.items() if count == 1 and key[1]}
    answers = [
        {
            s.subject.answer.model: vector_of[_beginning(s.subject.answer.text)]
            for s in group
            if (s.subject.answer.model, _words(s.subject.answer.text)) in telling
        }
        for group in questions
    ]
    return [
        Slip(
            asked[row.place].id,
            asked[row.place].text,
            asked[row.nearest].id,
            asked[row.nearest].text,
            round(row.own, 3),
            round(row.other, 3),
            row.model,
        )
        for row in misplaced(vectors, answers)
    ]


def _words(text: str) -> str:
    """The letters of a text: "4", "42" and answers of a model that differ in a number alone, or
    that it gives to several questions, do not tell which question they belong to."""
    return "".join(filter(str.isalpha, text.casefold()))


def _beginning(text: str) -> str:
    return text[:BEGINNING]


def _texts(questions: Mapping[str, Sequence[StoredSubject]]) -> list[str]:
    """Questions and answers, the beginning of each text once; the encoder likes texts of one length
    together."""
    texts = {
        _beginning(text)
        for group in questions.values()
        for text in (group[0].subject.question.text, *(s.subject.answer.text for s in group))
    }
    return sorted(texts, key=lambda text: (len(text), text))
