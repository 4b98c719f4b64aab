"""Who noticed a seeded fault: copies beside the answers that they were made from, by judge, rule
and person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from graders.core.shapes import as_dict
from graders.core.words import say
from graders.statistics.means import mean_interval, share_interval
from graders.statistics.resampling import Estimate, shown, undefined
from graders.store.desk.seeded import Said
from graders.workflows.agreement.words import share
from graders.workflows.diagnostics._judge_figures import missing

#: Cells of named faults.
FAULT = "faults/"
#: All rules together, as an author.
RULES = "rules together"
EMPTY: Mapping[str, str] = {}

#: (criterion, part) -> number.
Marks = Mapping[tuple[str, str], float | None]
#: The lowest and highest number of each criterion with an order.
Spans = Mapping[str, tuple[float, float]]
#: An author: its kind and its name.
Author = tuple[str, str]


class Kind(StrEnum):
    """Kinds of authors in the order in which they are shown."""

    JUDGE = "judge"
    RULE = "rule"
    PERSON = "person"


#: The place of each kind in that order.
_ORDER = {kind: place for place, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy: its question, its mark, the answer that it is of, its fault and what was done."""

    question: str
    mark: str
    model: str
    version: int
    fault: str
    where: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What an author made of a copy: `noticed` its fault, or gave it more than the answer
    (`raised`)."""

    copy: Copy
    noticed: bool
    raised: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Estimate):
    """The share of `copies` whose fault an author noticed: so many `noticed` and `raised`, None of
    a person before they suffice; `beyond` chance: lower minus higher."""

    copies: int
    noticed: int | None
    raised: int | None
    beyond: Estimate
    sentence: str


@dataclass(frozen=True, slots=True)
class Grader:
    """A judge, a rule, all rules together, or a person: what was noticed of all copies, and by
    fault."""

    kind: Kind
    name: str
    all: Noticed
    faults: Mapping[str, Noticed]


def by_author(
    opinions: Iterable[Said],
) -> dict[Author, dict[tuple[str, str, int], dict[tuple[str, str], float | None]]]:
    """Author -> (question, model, version) -> (criterion, part) -> number."""
    numbers: dict[Author, dict[tuple[str, str, int], dict[tuple[str, str], float | None]]] = {}
    for row in opinions:
        answers = numbers.setdefault((row.kind, row.author), {})
        marks = answers.setdefault((row.question, row.model, row.version), {})
        marks[row.criterion, row.part] = row.number
    return numbers


def noticed(kind: str, copy: Marks, original: Marks, spans: Spans) -> bool | None:
    """Whether an author noticed the fault of a copy; None where it did not grade both.

    A fault is named that the answer had not, or the mean over the values, each on 0..1, is lower
    than the answer's. A rule that is silent on sound answers notices by any value below the best.
    `spans`: lowest and highest number of each criterion with an order.
    """
    if any(
        key.startswith(FAULT) and number and not original.get((key, part))
        for (key, part), number in copy.items()
    ):
        return True
    if kind == "rule":
        values = {
            at: number for at, number in copy.items() if number is not None and at[0] in spans
        }
        return any(
            number < best(original.get(at), spans[at[0]][1]) for at, number in values.items()
        )
    apart = lowered(copy, original, spans)
    return None if apart is None else apart < -1e-9


def best(number: float | None, top: float) -> float:
    """What a rule's value on a copy is held against."""
    return top if number is None else number


def lowered(copy: Marks, original: Marks, spans: Spans) -> float | None:
    """Mean over the cells that have both values of copy minus answer, each on 0..1; None where
    there is none."""
    apart = []
    for at, number in copy.items():
        before = original.get(at)
        if number is not None and before is not None and at[0] in spans:
            low, high = spans[at[0]]
            apart.append((number - before) / (high - low))
    return sum(apart) / len(apart) if apart else None


def graders(
    copies: Sequence[Copy],
    there: Iterable[Said],
    before: Iterable[Said],
    spans: Spans,
    faults: Sequence[str],
    people: Mapping[str, str] = EMPTY,
) -> list[Grader]:
    """Per judge, all rules together, each rule that noticed a fault, and each person: share of the
    copies noticed, by fault and over all.

    `there`: opinions of the copies; `before`: of the answers that they are of. `people`: what pages
    call a person, by id.
    """
    shown_graders = [
        _grader(Kind(kind), people.get(name, name) if kind == Kind.PERSON else name, seen, faults)
        for (kind, name), seen in _seen(copies, by_author(there), by_author(before), spans).items()
        if kind != Kind.RULE or name == RULES or any(one.noticed for one in seen)
    ]
    return sorted(
        shown_graders,
        key=lambda grader: (_ORDER[grader.kind], grader.name != RULES, grader.name),
    )


def _seen(
    copies: Sequence[Copy],
    there: Mapping[Author, Mapping[tuple[str, str, int], Marks]],
    before: Mapping[Author, Mapping[tuple[str, str, int], Marks]],
    spans: Spans,
) -> dict[Author, list[Seen]]:
    """What each author made of the copies that it graded, beside the answers."""
    seen: dict[Author, list[Seen]] = {}
    for copy in copies:
        at = (copy.question, copy.mark, copy.version)
        source = (copy.question, copy.model, copy.version)
        any_rule = False
        for author, answers in there.items():
            is_rule = author[0] == Kind.RULE
            # some rules speak only where they find a fault: all have looked at every copy
            if at not in answers and not is_rule:
                continue
            graded, sound = answers.get(at, {}), before.get(author, {}).get(source, {})
            is_noticed = noticed(author[0], graded, sound, spans)
            if is_noticed is not None:
                raised = not is_noticed and (lowered(graded, sound, spans) or 0.0) > 1e-9
                seen.setdefault(author, []).append(Seen(copy, is_noticed, raised))
                any_rule |= is_rule and is_noticed
        seen.setdefault((Kind.RULE, RULES), []).append(Seen(copy, any_rule, False))
    return seen


def _grader(kind: Kind, name: str, seen: Sequence[Seen], faults: Sequence[str]) -> Grader:
    by_fault = {fault: [one for one in seen if one.copy.fault == fault] for fault in faults}
    return Grader(
        kind=kind,
        name=name,
        all=_figure(name, "", seen, kind),
        faults={
            fault: _figure(name, fault, some, kind) for fault, some in by_fault.items() if some
        },
    )


def _figure(name: str, fault: str, seen: Sequence[Seen], kind: Kind) -> Noticed:
    """For a person with too few copies only their number is shown: a few prove nothing, and would
    be held against the person."""
    hits, higher = sum(one.noticed for one in seen), sum(one.raised for one in seen)
    questions = [one.copy.question for one in seen]
    found = undefined(say("diagnostics.reason.no_copy"))
    if seen:
        found = missing(share_interval([float(one.noticed) for one in seen], questions))
    # Values given at random lower a copy as often as they raise it: what counts is how much more
    # often they lower it.
    beyond = missing(
        mean_interval([float(one.noticed) - float(one.raised) for one in seen], questions)
    )
    if kind == Kind.PERSON and found.status != "OK":
        few = replace(shown(found), value=None, low=None, high=None)
        return Noticed(
            **as_dict(few),
            copies=len(seen),
            noticed=None,
            raised=None,
            beyond=few,
            sentence=say("diagnostics.seeded.few", n=len(seen), name=name, reason=found.reason),
        )
    what = say("diagnostics.seeded.a_fault")
    if fault:
        what = say("diagnostics.seeded.the_fault", fault=fault)
    sentence = say(
        "diagnostics.seeded.sentence",
        n=len(seen),
        name=name,
        hits=hits,
        fault=what,
        share=share(shown(found)),
        higher=higher,
        beyond=share(shown(beyond)),
    )
    return Noticed(
        **as_dict(shown(found)),
        copies=len(seen),
        noticed=hits,
        raised=higher,
        beyond=shown(beyond),
        sentence=sentence,
    )
