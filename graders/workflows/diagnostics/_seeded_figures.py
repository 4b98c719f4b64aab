"""Who noticed a seeded fault: copies beside the answers that they were made from, by judge, rule
and person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.statistics.means import mean_interval
from graders.statistics.resampling import Interval, undefined
from graders.store.desk.seeded import Said
from graders.workflows.agreement.sentences import share
from graders.workflows.diagnostics._judge_figures import missing, share_of
from graders.workflows.opinions.pair_figures import interval_json

#: Cells of named faults.
FAULT = "faults/"
#: All rules together, as an author.
RULES = "rules together"
#: Kinds of authors in the order in which they are shown.
KINDS = ("judge", "rule", "person")
EMPTY: Mapping[str, str] = {}

Marks = Mapping[tuple[str, str], float | None]
Spans = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy: its question, its mark, the answer that it is of, its fault and what was done."""

    question: str
    mark: str
    model: str
    version: int
    fault: str
    where: str


def by_author(
    found: Iterable[Said],
) -> dict[tuple[str, str], dict[tuple[str, str, int], dict[tuple[str, str], float | None]]]:
    """(kind, author) -> (question, model, version) -> (criterion, part) -> number."""
    made: dict[
        tuple[str, str], dict[tuple[str, str, int], dict[tuple[str, str], float | None]]
    ] = {}
    for one in found:
        answers = made.setdefault((one.kind, one.author), {})
        answers.setdefault((one.question, one.model, one.version), {})[one.criterion, one.part] = (
            one.number
        )
    return made


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
) -> list[dict[str, Any]]:
    """Per judge, all rules together, each rule that noticed a fault, and each person: share of the
    copies noticed, by fault and over all.

    `people`: what pages call a person, by id.
    """
    made, original = by_author(there), by_author(before)
    rules = [author for author in made if author[0] == "rule"]
    results: dict[tuple[str, str], list[tuple[Copy, bool, bool]]] = {}
    for copy in copies:
        at, source = (
            (copy.question, copy.mark, copy.version),
            (copy.question, copy.model, copy.version),
        )
        by_rule: list[bool] = []
        for author, answers in made.items():
            # some rules speak only where they find a fault: all have looked at every copy
            if at not in answers and author not in rules:
                continue
            graded, sound = answers.get(at, {}), original.get(author, {}).get(source, {})
            seen = noticed(author[0], graded, sound, spans)
            if seen is not None:
                results.setdefault(author, []).append(
                    (copy, seen, not seen and (lowered(graded, sound, spans) or 0.0) > 1e-9)
                )
                by_rule += [seen] if author in rules else []
        results.setdefault(("rule", RULES), []).append((copy, any(by_rule), False))
    shown = [
        _grader(
            (author[0], people.get(author[1], author[1]) if author[0] == "person" else author[1]),
            rows,
            faults,
        )
        for author, rows in results.items()
        if author[0] != "rule" or author[1] == RULES or any(seen for _, seen, _ in rows)
    ]
    return sorted(
        shown, key=lambda one: (KINDS.index(one["kind"]), one["name"] != RULES, one["name"])
    )


def _grader(
    author: tuple[str, str], rows: Sequence[tuple[Copy, bool, bool]], faults: Sequence[str]
) -> dict[str, Any]:
    kind, name = author
    by_fault = {fault: [row for row in rows if row[0].fault == fault] for fault in faults}
    return {
        "kind": kind,
        "name": name,
        "all": _figure(name, "", rows, kind),
        "faults": {
            fault: _figure(name, fault, some, kind) for fault, some in by_fault.items() if some
        },
    }


def _figure(
    name: str, fault: str, rows: Sequence[tuple[Copy, bool, bool]], kind: str
) -> dict[str, Any]:
    """Of a person it says nothing but how many copies were graded before they suffice: a few say
    nothing, and would be talked of."""
    hits = sum(seen for _, seen, _ in rows)
    found: Interval = undefined("no copy was graded")
    if rows:
        found = missing(
            share_of([float(seen) for _, seen, _ in rows], [copy.question for copy, _, _ in rows])
        )
    higher = sum(up for _, _, up in rows)
    # Whoever gives values at random lowers as often as he raises: what counts is how much oftener
    # he lowers.
    beyond = missing(
        mean_interval(
            [float(seen) - float(up) for _, seen, up in rows],
            [copy.question for copy, _, _ in rows],
        )
    )
    if kind == "person" and found.status != "OK":
        few = {**interval_json(found), "value": None, "low": None, "high": None}
        sentence = (
            f"{name} graded {len(rows)} {'copy' if len(rows) == 1 else 'copies'} with a seeded "
            f"fault: INCONCLUSIVE, {found.reason}."
        )
        return {
            **few,
            "copies": len(rows),
            "noticed": None,
            "raised": None,
            "beyond": few,
            "sentence": sentence,
        }
    what = f" with the fault {fault}" if fault else " with a seeded fault"
    sentence = (
        f"{name} noticed {hits} of {len(rows)} copies{what}: {share(interval_json(found))}; "
        f"it gave {higher} more than the untouched "
        f"answer. Beyond chance, lower minus higher: {share(interval_json(beyond))}. "
        "No label was used."
    )
    return {
        **interval_json(found),
        "copies": len(rows),
        "noticed": hits,
        "raised": higher,
        "beyond": interval_json(beyond),
        "sentence": sentence,
    }
