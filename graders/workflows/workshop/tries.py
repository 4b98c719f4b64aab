"""The tries of a judge as the workshop shows them: the labelled answers that they are asked about,
what they change, their figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.words import say
from graders.statistics.arrays import distinct, flags
from graders.statistics.opinions import Opinions
from graders.statistics.paired_change import Outcome
from graders.statistics.resampling import Array
from graders.store.answers import content
from graders.store.opinions import uncounted
from graders.store.projects import Project
from graders.workflows.agreement import words as agreement_words
from graders.workflows.agreement.ground import Ground
from graders.workflows.calling import asked_criteria
from graders.workflows.runs import judges
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import listed, several
from graders.workflows.workshop import _where, held_out
from graders.workflows.workshop.figures import (
    CriterionFigures,
    Said,
    criterion_figures,
    said,
)
from graders.workflows.workshop.held_out import is_held_out
from graders.workflows.workshop.kept import Try, TryState

#: Answers that a try asks about unless another number is named.
ANSWERS = 100


@dataclass(frozen=True, slots=True)
class PartCounts:
    """How many answers people graded blind (`labelled`), how many of them with how many questions a
    try asks about, how many of those are held out, and how many questions are `left_out` because
    they gave an example."""

    labelled: int = 0
    answers: int = 0
    questions: int = 0
    held_out_questions: int = 0
    held_out_answers: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """The calls that a side of a try makes, and how many of them are answered."""

    calls: int
    known: int


@dataclass(frozen=True, slots=True)
class TriedChange:
    """A try with what it came to: which one of how many (`of`), what it `changed` in words, its
    calls (the judge as it was first), the address where it was asked, empty for the usual one, and
    the figures by criterion.

    `lost` says that no reply is kept, empty where some are; `left_out` counts questions.
    """

    number: int
    state: TryState
    note: str
    at: str
    answers: int
    address: str
    of: int
    changed: list[str]
    asked: list[Asked]
    left_out: int
    lost: str
    criteria: list[CriterionFigures]


@dataclass(frozen=True, slots=True)
class Card:
    """A judge as it is set up: PROVIDER:MODEL, its fields by name, how many examples it has."""

    judge: str
    fields: Mapping[str, judges.Setting]
    examples: int


@dataclass(frozen=True, slots=True)
class Part:
    """The answers (subject rows) that a try asks about, and counts of them: those that people
    graded blind, at most so many, by whole questions in the order that the seed draws. Questions
    that gave an example are `left_out`: the prompt knows what people said there."""

    only: list[int]
    counts: PartCounts

    @classmethod
    def none(cls) -> Part:
        """No answer."""
        return cls([], PartCounts())

    @classmethod
    def of(
        cls, scope: Scope, project: Project, found: Ground, size: int, gave: Collection[str]
    ) -> Part:
        """The part of about `size` answers without the questions (ids) that `gave` an example; one
        other is always in it."""
        asked = {criterion.key for criterion in asked_criteria.judged_criteria(scope.ws, project)}
        cells = {
            int(cell)
            for row, opinions in zip(found.criteria, found.loaded, strict=True)
            if row.key in asked
            for cell in opinions.cells[distinct(opinions.at[found.used(opinions)])]
        }
        graded = uncounted.subjects_behind(scope.ws.db, sorted(cells))
        names = {
            row: question.id
            for row, question in content.questions_by_row(scope.ws.db, set(graded.values())).items()
        }
        by_question: dict[str, list[int]] = {}
        for subject, question in graded.items():
            by_question.setdefault(names[question], []).append(subject)
        only: list[int] = []
        chosen: list[str] = []
        left_out = passed = 0
        for key in held_out.in_turn(project, by_question):
            passed += len(by_question[key])
            if only and passed > size:
                break
            # nothing takes its place: tries of one size ask about the same answers otherwise
            if key in gave:
                left_out += 1
                continue
            only += by_question[key]
            chosen.append(key)
        held = [key for key in chosen if is_held_out(project, key)]
        counts = PartCounts(
            labelled=len(graded),
            answers=len(only),
            questions=len(chosen),
            held_out_questions=len(held),
            held_out_answers=sum(len(by_question[key]) for key in held),
            left_out=left_out,
        )
        return cls(sorted(only), counts)


def gave_examples(*cards: Mapping[str, Any]) -> frozenset[str]:
    """The questions (ids) of the corrections that judges have as examples."""
    return frozenset(
        str(example["question_id"]) for card in cards for example in card.get("examples") or ()
    )


def rows(
    scope: Scope, project: Project, found: Ground, name: str, tries: Sequence[Try]
) -> list[TriedChange]:
    """Each try of a judge with its figures, oldest first."""
    criteria = asked_criteria.judged_criteria(scope.ws, project)
    keys = {criterion.key for criterion in criteria}
    compared = [
        (row, o, _masks(scope, project, o))
        for row, o in zip(found.criteria, found.loaded, strict=True)
        if row.key in keys
    ]
    parts: dict[tuple[int, frozenset[str]], Part] = {}
    read: dict[str, Said] = {}
    made = []
    for one in tries:
        wanted = one.answers, gave_examples(one.before, one.card)
        if wanted not in parts:
            parts[wanted] = Part.of(scope, project, found, *wanted)
        sides = []
        for place, (called, card) in enumerate(
            ((name, one.before), (label(name, one.number), one.card))
        ):
            setup = _where.reader(scope.ws, one, place, called, card, criteria)
            mark = repr((card, setup.provider.address, wanted))
            if mark not in read:
                read[mark] = said(
                    scope.ws, project, setup, parts[wanted].only, [row for row, _, _ in compared]
                )
            sides.append(read[mark])
        figures = [
            criterion_figures(found, row, o, sides[0], sides[1], masks, len(tries))
            for row, o, masks in compared
        ]
        kept = _where.settled(scope.ws, one, name)
        made.append(
            TriedChange(
                number=one.number,
                state=one.state,
                note=one.note,
                at=one.at,
                answers=one.answers,
                address="" if kept == one.card else kept["base_url"],
                of=len(tries),
                changed=changes(one.before, one.card),
                asked=[Asked(side.calls, side.known) for side in sides],
                left_out=parts[wanted].counts.left_out,
                lost="" if all(side.known for side in sides) else say("workshop.lost"),
                criteria=[
                    _told(figure, name, one.number, len(tries))
                    for figure in figures
                    if figure is not None
                ],
            )
        )
    return made


def _told(figure: CriterionFigures, name: str, number: int, of: int) -> CriterionFigures:
    """The figures of a criterion, each part's as a sentence that can stand alone."""
    count = len(figure.people)
    people = (
        ", ".join(sorted(figure.people))
        if 0 < count <= 3
        else say("workshop.figure.people", n=count)
    )
    parts = {}
    for part, found in figure.parts.items():
        sentence = ""
        if found.difference.value is not None:
            sentence = say(
                f"workshop.figure.{part}",
                number=number,
                of=of,
                name=name,
                title=figure.title,
                figure=figure.figure,
                before=found.before.value,
                after=found.after.value,
                difference=agreement_words.figure(found.difference),
                word=found.word,
                people=people,
                cells=several(found.cells, "cell"),
            )
        parts[part] = replace(found, sentence=sentence)
    return replace(figure, parts=parts)


def _masks(scope: Scope, project: Project, opinions: Opinions) -> dict[str, Array]:
    """Which cells lie in either part, bool[n]."""
    keys = {
        row: question.id
        for row, question in content.questions_by_row(scope.ws.db, opinions.names.tolist()).items()
    }
    held = flags(is_held_out(project, keys[row]) for row in opinions.names.tolist())
    cells = held[opinions.question]
    return {"looked_at": ~cells, "held_out": cells}


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What a try changes, in words."""
    one, two = shown(before), shown(after)
    words = (
        [say("workshop.change.model", was=one.judge, now=two.judge)]
        if one.judge != two.judge
        else []
    )
    for field in (*judges.FIELDS, *judges.BESIDE):
        was, now = one.fields.get(field), two.fields.get(field)
        if was != now:
            named = field.replace("_", " ")
            words.append(say("workshop.change.field", field=named, was=_word(was), now=_word(now)))
    if before.get("examples") != after.get("examples"):
        words.append(say("workshop.change.examples", was=one.examples, now=two.examples))
    return words


def _word(value: Any) -> str:
    return (
        say("workshop.value.none")
        if value in (None, "")
        else say("workshop.value.yes")
        if value is True
        else say("workshop.value.no")
        if value is False
        else str(value)
    )


def shown(card: Mapping[str, Any]) -> Card:
    """A judge's fields and how many examples it has."""
    fields = {
        **card.get("options", {}),
        **{field: card[field] for field in judges.BESIDE if field in card},
    }
    return Card(card["judge"], fields, len(card.get("examples") or ()))


def title(name: str, made: Sequence[TriedChange], labelled: bool) -> str:
    """The finding: what the latest try came to on the questions that were held out, of how many
    tries."""
    if not name:
        return say("workshop.title.no_judge")
    if not labelled:
        return say("workshop.title.no_labels")
    if not made:
        return say("workshop.title.not_tried", name=name)
    latest = made[-1]
    words: dict[Outcome, list[str]] = {}
    for figure in latest.criteria:
        words.setdefault(figure.parts["held_out"].word, []).append(figure.title)
    better, worse = (
        listed(words[word]) if word in words else "" for word in (Outcome.BETTER, Outcome.WORSE)
    )
    if better or worse:
        found = "mixed" if better and worse else "better" if better else "worse"
    elif not words:
        found = "no_figures"
    else:
        found = "inconclusive" if set(words) == {Outcome.INCONCLUSIVE} else "no_difference"
    return say(
        f"workshop.title.{found}",
        number=latest.number,
        of=latest.of,
        name=name,
        better=better,
        worse=worse,
    )


def label(name: str, number: int) -> str:
    """What a try is called in a run; a judge's own name has no space, so that none can be taken for
    it."""
    return f"{name} try {number}"
