"""The policy as a table: what rules, judges and people say on the left, what follows on the
right."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graders.core.scale import Scale, Value
from graders.workflows.cells.policy import (
    NOT_APPLICABLE,
    NOT_MEASURED,
    Final,
    Suggestion,
    Voice,
    final_value,
    heard,
    suggest,
)
from graders.workflows.cells.routes import (
    Route,
    RouteSettings,
    RouteSigns,
    Ruling,
    route_cell,
)
from tests.workflows.cells.test_routes import (
    GRADES,
    NONE,
    SHARE,
    STEPS,
    TONES,
    UNKNOWN,
    YES,
    criterion,
)

Said = tuple[Value | None, float | None]
UNMEASURED = object()
NOT_ASKED = object()
#: Why a rule that has no value leaves a cell without one.
SILENT: dict[object, str] = {UNMEASURED: NOT_MEASURED, NOT_ASKED: NOT_APPLICABLE}


def voices(
    said: Sequence[Said | Value | None], kind: str, *, measured: bool = False
) -> list[Voice]:
    """A voice for each value, or (value, confidence); None is somebody who was asked and gave
    none."""
    pairs = [item if isinstance(item, tuple) else (item, None) for item in said]
    return [
        Voice(f"{kind}{place}", None, reason=SILENT[value], measured=measured)
        if value in SILENT
        else Voice(f"{kind}{place}", value, confidence, measured=measured)
        for place, (value, confidence) in enumerate(pairs, 1)
    ]


SUGGESTIONS = [
    # scale | rules | judges | value | confidence | reason
    # a rule decides what it measures
    (YES, ["Yes"], [], "Yes", 1.0, "rule r1"),
    (YES, ["Yes"], [("No", 0.9), ("No", 0.9)], "Yes", 1.0, "rule r1"),
    (YES, ["No", "No"], [], "No", 1.0, "rule r1"),
    # a rule that is not decisive leaves it to the judge
    (
        YES,
        [None],
        [("Yes", 0.7)],
        "Yes",
        0.7,
        "judge j1",
    ),
    (YES, [None, "No"], [("Yes", 0.7)], "No", 1.0, "rule r2"),
    (YES, ["Yes", "No"], [("Yes", 0.9)], None, None, "rules differ: r1 says Yes, r2 says No"),
    # each found a fault, a minor one in the middle: the worst tells, and one that finds none is a
    # contradiction
    (SHARE, [0.5, 0.0], [(1.0, 0.9)], 0.0, 1.0, "rule r2"),
    (SHARE, [0.5, 1.0], [], None, None, "rules differ: r1 says 0.5, r2 says 1.0"),
    (TONES, ["warm", "dry"], [], None, None, "rules differ: r1 says warm, r2 says dry"),
    # a minor fault is the most that there can be; a judge may find more of them
    (SHARE, [0.5], [(0.9, 0.8)], 0.5, 1.0, "rule r1"),
    (SHARE, [0.5], [(0.2, 0.8)], 0.2, 0.8, "judge j1"),
    (GRADES, [3], [(2, 0.7)], 2, 0.7, "judge j1"),
    (SHARE, [1.0], [(0.2, 0.8)], 1.0, 1.0, "rule r1"),
    # nobody said anything
    (YES, [], [], None, None, "no verdict"),
    (YES, [None], [], None, None, "no verdict"),
    (YES, [], [None], None, None, "no usable verdict"),
    # nothing was measured, and nobody else was asked: reading the answer would not tell
    (YES, [UNMEASURED], [], None, None, "not measured"),
    # the question does not ask for what the criterion grades, whatever a judge says
    (GRADES, [NOT_ASKED], [(4, 0.9)], None, None, "not asked for"),
    (YES, [UNMEASURED, UNMEASURED], [], None, None, "not measured"),
    # the other rule looks at the text: a person can too
    (
        YES,
        [UNMEASURED, None],
        [],
        None,
        None,
        "no verdict",
    ),
    (YES, [UNMEASURED, "No"], [], "No", 1.0, "rule r2"),
    (YES, [UNMEASURED], [("Yes", 0.7)], "Yes", 0.7, "judge j1"),
    (YES, [UNMEASURED], [None], None, None, "no usable verdict"),
    (GRADES, [], [None, None, None], None, None, "no usable verdict"),
    # one judge
    (YES, [], [("Yes", 0.8)], "Yes", 0.8, "judge j1"),
    (YES, [], ["Yes"], "Yes", None, "judge j1"),  # no confidence stated: none is made up
    (SHARE, [], [(0.25, 0.9)], 0.25, 0.9, "judge j1"),
    (GRADES, [], [(4, 0.8), None], 4, 0.4, "1 of 2 judges"),  # .8 x 1/2
    (GRADES, [], [4, None], 4, 0.5, "1 of 2 judges"),
    # two judges
    (YES, [], [("Yes", 0.9), ("Yes", 0.7)], "Yes", 0.8, "2 of 2 judges"),  # (.9 + .7) / 2
    (YES, [], ["Yes", "Yes"], "Yes", 1.0, "2 of 2 judges"),
    (
        YES,
        [],
        [("Yes", 0.9), ("Yes", 0.7), None],
        "Yes",
        pytest.approx(0.8 * 2 / 3),
        "2 of 3 judges",
    ),
    (YES, [], [("Yes", 0.9), ("No", 0.1)], None, None, "judges differ"),
    (GRADES, [], [4, 5], None, None, "judges differ"),
    (TONES, [], ["warm", "dry"], None, None, "judges differ"),
    (SHARE, [], [0.2, 0.4], None, None, "judges differ"),
    # three judges
    (TONES, [], ["warm", "warm", "dry"], "warm", pytest.approx(2 / 3), "2 of 3 judges"),
    (TONES, [], ["warm", "dry", "stiff"], None, None, "judges differ"),
    (GRADES, [], [1, 4, 5], 4, pytest.approx(1 / 3), "1 of 3 judges"),
    # (.9 + .5)/2 x 2/3
    (
        GRADES,
        [],
        [(2, 0.9), (2, 0.5), (5, 1.0)],
        2,
        pytest.approx(0.7 * 2 / 3),
        "2 of 3 judges",
    ),
    # the middle by rank, not by name
    (
        STEPS,
        [],
        ["poor", "good", "fair"],
        "fair",
        pytest.approx(1 / 3),
        "1 of 3 judges",
    ),
    (SHARE, [], [0.1, 0.4, 0.9], 0.4, 1.0, "3 of 3 judges"),
    (GRADES, [], [2, 4, None], None, None, "judges differ"),  # two spoke, and differ
    # four judges
    (GRADES, [], [1, 4, 4, 5], 4, 0.5, "2 of 4 judges"),
    (GRADES, [], [1, 2, 4, 5], None, None, "judges differ"),  # between 2 and 4
    # half is not more than half
    (
        TONES,
        [],
        ["warm", "warm", "dry", "dry"],
        None,
        None,
        "judges differ",
    ),
    (TONES, [], ["warm", "warm", "warm", "dry"], "warm", 0.75, "3 of 4 judges"),
    (SHARE, [], [0.1, 0.4, 0.6, 0.9], 0.5, 1.0, "4 of 4 judges"),  # (.4 + .6) / 2
    (SHARE, [], [0.1, 0.4, 0.9, None], 0.4, 0.75, "3 of 4 judges"),
]


@pytest.mark.parametrize(("scale", "rules", "judges", "value", "confidence", "reason"), SUGGESTIONS)
def test_suggestion(
    scale: Scale, rules: Sequence[Value | None], judges: Sequence[Said | Value | None], value: Value | None, confidence: float | None, reason: str
) -> None:  # fmt: skip
    assert suggest(scale, voices(rules, "r", measured=True), voices(judges, "j")) == Suggestion(
        value, confidence, reason
    )


@pytest.mark.parametrize(("scale", "rules", "judges", "value", "confidence", "reason"), SUGGESTIONS)
def test_a_suggestion_is_always_on_the_scale_and_never_depends_on_the_order(
    scale: Scale, rules: Sequence[Value | None], judges: Sequence[Said | Value | None], value: Value | None, confidence: float | None, reason: str
) -> None:  # fmt: skip
    if value is not None:
        assert scale.parse(value) == value
    back = suggest(scale, voices(rules, "r", measured=True), voices(judges, "j")[::-1])
    assert (back.value, back.confidence) == (
        value,
        pytest.approx(confidence) if confidence is not None else None,
    )


AGAINST, ALONE = "rule and judge differ", "rule without a judge"
DETECTED = [
    # scale | rules that detect | judges | value | confidence | reason | why people decide
    # nobody else says anything: the rule's value is suggested, by its precision, and people decide
    (YES, [("No", 0.94)], [], "No", 0.94, "rule r1", ALONE),
    (YES, [("No", 0.94)], [None], "No", 0.94, "rule r1", ALONE),
    (YES, ["No"], [], "No", None, "rule r1", ALONE),  # its precision is not known
    # a rule that claims to be sure is not
    (YES, [("No", 1.0)], [], "No", None, "rule r1", ALONE),
    # a judge says otherwise: the lower value is suggested, and people decide
    (YES, [("No", 0.94)], [("Yes", 0.9)], "No", 0.94, "rule r1", AGAINST),
    (GRADES, [(1, 0.94)], [(5, 0.9), (5, 0.8)], 1, 0.94, "rule r1", AGAINST),
    (GRADES, [(1, 0.94)], [5, 3], 1, 0.94, "rule r1", AGAINST),  # judges differ besides
    (YES, ["Yes"], [("No", 0.9)], "No", 0.9, "judge j1", AGAINST),  # nothing is raised
    (TONES, ["stiff"], [("warm", 0.9)], "warm", 0.9, "judge j1", AGAINST),
    # a judge says the same: it is the judge's suggestion, as sure as the judge
    (YES, [("No", 0.94)], [("No", 0.7)], "No", 0.7, "judge j1", ""),
    # a minor fault in the middle: a judge may find more, and may not find less
    (SHARE, [(0.5, 0.9)], [(0.2, 0.8)], 0.2, 0.8, "judge j1", ""),
    (SHARE, [(0.5, 0.9)], [(0.9, 0.8)], 0.5, 0.9, "rule r1", AGAINST),
    # each found another fault: the worst tells
    (SHARE, [(0.5, 0.9), (0.0, 0.8)], [], 0.0, 0.8, "rule r2", ALONE),
    (
        YES,
        ["Yes", "No"],
        [("Yes", 0.9)],
        None,
        None,
        "rules differ: r1 says Yes, r2 says No",
        "rules differ",
    ),
    # a pattern says that there is nothing to grade: it closes nothing
    (GRADES, [NOT_ASKED], [(4, 0.9)], None, None, "rule r1", AGAINST),
    (GRADES, [NOT_ASKED], [], None, None, "rule r1", ALONE),
    (YES, [None], [("Yes", 0.7)], "Yes", 0.7, "judge j1", ""),  # it found nothing
]


@pytest.mark.parametrize(
    ("scale", "rules", "judges", "value", "confidence", "reason", "doubt"), DETECTED
)
def test_a_rule_that_detects_points_out_and_never_decides(
    scale: Scale,
    rules: Sequence[Said | Value | None],
    judges: Sequence[Said | Value | None],
    value: Value | None,
    confidence: float | None,
    reason: str,
    doubt: str,
) -> None:
    found = suggest(scale, voices(rules, "r"), voices(judges, "j"))
    assert found == Suggestion(value, confidence, reason, doubt=doubt)
    assert found.confidence is None or found.confidence < 1
    for state in (None, Ruling("proven", "proven", threshold=0.0, upto=9)):
        signs = RouteSigns(judged=len(judges), ruling=state)
        decided = route_cell(criterion("automatic"), "factual", found, signs, RouteSettings())
        if doubt:
            assert decided == Route("people", doubt), "whatever was proven"


def test_what_is_measured_decides_beside_a_rule_that_detects() -> None:
    rules = [*voices(["Yes"], "m", measured=True), *voices([("No", 0.94)], "d")]
    assert suggest(YES, rules, voices([("No", 0.9)], "j")) == Suggestion("Yes", 1.0, "rule m1")


NA = "not applicable"
FOUR = Suggestion(4, 0.9, "judge j1")
PENDING = Final(None, "pending", "people differ")
FINALS = [
    # scale | adjudicated | people | suggestion | route | final
    # adjudicated before all
    (GRADES, 2, [4, 4, 4], FOUR, "automatic", Final(2, "adjudicated", "adjudicated")),
    (GRADES, NA, [4], FOUR, "people", Final(None, "closed", "not applicable (adjudicated)")),
    # people before machines, whatever the route
    (GRADES, None, [2], FOUR, "automatic", Final(2, "people", "one person")),
    (GRADES, None, [2], NONE, "people", Final(2, "people", "one person")),
    # several people: the median on ordered scales
    (GRADES, None, [2, 2], FOUR, "people", Final(2, "people", "2 people")),
    (GRADES, None, [1, 2, 5], FOUR, "people", Final(2, "people", "3 people")),
    (GRADES, None, [2, 4], FOUR, "people", PENDING),
    (GRADES, None, [1, 3, 3, 5], FOUR, "people", Final(3, "people", "4 people")),
    (GRADES, None, [1, 2, 4, 5], FOUR, "people", PENDING),
    (STEPS, None, ["good", "poor", "fair"], NONE, "people", Final("fair", "people", "3 people")),
    (YES, None, ["Yes", "No"], NONE, "people", PENDING),
    (YES, None, ["Yes", "No", "No"], NONE, "people", Final("No", "people", "3 people")),
    # the most frequent on nominal ones
    (TONES, None, ["warm", "warm", "dry"], NONE, "people", Final("warm", "people", "3 people")),
    (TONES, None, ["warm", "dry"], NONE, "people", PENDING),
    (TONES, None, ["warm", "warm", "dry", "dry", "stiff"], NONE, "people", PENDING),
    (
        TONES,
        None,
        ["warm", "warm", "dry", "stiff"],
        NONE,
        "people",
        Final("warm", "people", "4 people"),
    ),
    # the median on plain numbers, also between two
    (SHARE, None, [0.2, 0.4], NONE, "people", Final(pytest.approx(0.3), "people", "2 people")),
    # not applicable closes where more than half say so
    (GRADES, None, [NA], FOUR, "people", Final(None, "closed", "not applicable (people)")),
    (GRADES, None, [NA, NA, 4], FOUR, "people", Final(None, "closed", "not applicable (people)")),
    (GRADES, None, [NA, 4], FOUR, "people", PENDING),
    (GRADES, None, [NA, 4, 4], FOUR, "people", Final(4, "people", "3 people")),
    (TONES, None, [NA, "warm", "dry"], NONE, "people", PENDING),
    # machines only where the route says so
    (GRADES, None, [], FOUR, "automatic", Final(4, "automatic", "judge j1")),
    (GRADES, None, [], FOUR, "people", Final(None, "pending", "")),
    (GRADES, None, [], FOUR, "", Final(None, "pending", "not routed yet")),
    (GRADES, None, [], NONE, "automatic", Final(None, "pending", "")),
    # what was not measured is closed at once, routed or not; people who know better still have the
    # last word
    (GRADES, None, [], UNKNOWN, "", Final(None, "closed", "not applicable (not measured)")),
    (
        GRADES,
        None,
        [],
        UNKNOWN,
        "automatic",
        Final(None, "closed", "not applicable (not measured)"),
    ),
    (GRADES, None, [2], UNKNOWN, "automatic", Final(2, "people", "one person")),
    (GRADES, 3, [2], UNKNOWN, "automatic", Final(3, "adjudicated", "adjudicated")),
    # somebody whose verdict is neither a value nor "not applicable" does not count
    (GRADES, None, [None], FOUR, "automatic", Final(4, "automatic", "judge j1")),
]


def person(value: Value | None) -> Voice:
    return Voice("p", None, reason="not_applicable") if value == NA else Voice("p", value)


@pytest.mark.parametrize(("scale", "adjudicated", "people", "suggestion", "route", "final"), FINALS)
def test_final_value(
    scale: Scale,
    adjudicated: Value | None,
    people: Sequence[Value | None],
    suggestion: Suggestion,
    route: str,
    final: Final,
) -> None:
    found = final_value(
        scale,
        None if adjudicated is None else person(adjudicated),
        [person(v) for v in people],
        suggestion,
        route,
    )
    assert found == final


A, B, C = Voice("a", 1), Voice("b", 2), Voice("c", 3)
TOGETHER = Voice("panel(a, b)", 2)
LOCAL = Voice("learned", 4)


@pytest.mark.parametrize(
    ("judges", "who"),
    [
        ([A, B], "ab"),
        ([A, B, TOGETHER], "P"),  # the panel stands for its members
        ([A, B, C, TOGETHER], "cP"),
        ([A, B, C, Voice("panel(b, c)", 2)], "abc"),  # an earlier panel
        # members that differ are not asked one by one again
        (
            [A, B, Voice("panel(a, b)", None, reason="tie")],
            "P",
        ),
        ([A, LOCAL], "a"),
        ([Voice("a", None), LOCAL], "L"),  # no other judge gives a value
        ([LOCAL], "L"),
        ([Voice("learned", None)], ""),
    ],
)
def test_who_is_heard(judges: list[Voice], who: str) -> None:
    names = {"panel(a, b)": "P", "learned": "L"}
    assert (
        "".join(
            sorted(
                (names.get(v.author, v.author) for v in heard(judges, "panel(a, b)", ["a", "b"])),
                key="abcPL".index,
            )
        )
        == who
    )
