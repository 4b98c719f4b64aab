"""Several judges as one."""

import pytest

from graders.core.errors import InputError
from graders.core.records import KnownCell, Mark, SubjectKey
from graders.core.rubric import Criterion
from graders.core.scale import Scale
from graders.judges.panel import Panel

ORDERED = Scale("ordered", labels=("bad", "fair", "good"))
NOMINAL = Scale("nominal", labels=("warm", "dry", "stiff"))
FIVE = Scale.from_spec([1, 5])
SHARE = Scale.from_spec([0.0, 1.0])
AWAY, BROKEN = Mark.unscored("not_applicable"), Mark.unscored("malformed")


def said(scale, *values, members=()):
    """The panel's mark where judges a, b, c ... said these values; marks stand for themselves, None
    for no verdict at all."""
    marks = {
        name: v if isinstance(v, Mark) else Mark(value=v)
        for name, v in zip("abcdef", values, strict=False)
        if v is not None
    }
    cells = [KnownCell(subject=SubjectKey("q", "m"), judges=marks)]
    return (
        Panel(members=members or tuple("abcdef"[: len(values)]))
        .derive(cells, Criterion("r", "c", scale))[0]
        .mark
    )


@pytest.mark.parametrize(
    ("scale", "values", "value", "confidence"),
    [
        (ORDERED, ("good", "good", "bad"), "good", 2 / 3),
        (ORDERED, ("bad", "fair", "good"), "fair", 1 / 3),
        (ORDERED, ("bad", "fair", "fair", "good"), "fair", 2 / 4),
        (FIVE, (1, 4, 5), 4, 1 / 3),
        (FIVE, (3,), 3, 1.0),
        (FIVE, (4, 4, None), 4, 2 / 3),  # one said nothing
        (FIVE, (4, 4, BROKEN, BROKEN), 4, 2 / 4),
        (NOMINAL, ("dry", "warm", "dry"), "dry", 2 / 3),
        (NOMINAL, ("dry", "warm", "stiff", "dry"), "dry", 2 / 4),
        (SHARE, (0.2, 0.25, 0.9), 0.25, 2 / 3),  # alike: at most a tenth of the range apart
        (SHARE, (0.2, 0.8), 0.5, 0.0),
        (FIVE, (4, 4, AWAY), 4, 2 / 3),
    ],
)
def test_the_panel_says(scale, values, value, confidence):
    mark = said(scale, *values)
    assert (mark.value, mark.confidence, mark.confidence_kind) == (
        pytest.approx(value),
        pytest.approx(confidence),
        "agreement",
    )


@pytest.mark.parametrize(
    ("scale", "values", "reason", "rationale"),
    [
        (NOMINAL, ("dry", "warm"), "tie", "a dry, b warm."),
        (
            NOMINAL,
            ("dry", "warm", "dry", "warm", "stiff"),
            "tie",
            "a dry, b warm, c dry, d warm, e stiff.",
        ),
        (ORDERED, ("bad", "fair"), "tie", "a bad, b fair."),
        (FIVE, (1, 5), "tie", "a 1, b 5."),
        (FIVE, (4, AWAY), "tie", "a 4; not applicable: b."),
        (FIVE, (4, AWAY, AWAY), "not_applicable", "2 of 3 judges say so: b, c."),
        (FIVE, (BROKEN, None), "no_verdict", "None of 2 judges gave a value."),
        (
            FIVE,
            (BROKEN, BROKEN),
            "malformed",
            "None of 2 judges gave a value, all for the same reason.",
        ),
    ],
)
def test_the_panel_does_not_say(scale, values, reason, rationale):
    mark = said(scale, *values)
    assert (mark.value, mark.status, mark.reason, mark.rationale) == (
        None,
        "unscored",
        reason,
        rationale,
    )


def test_the_reason_names_who_said_what():
    assert said(SHARE, 0.8, 0.6).rationale == "2 of 2 within 0.1 of it: a 0.8, b 0.6."
    assert said(FIVE, 4, 2, 4, None).rationale == "2 of 4 agree: a 4, b 2, c 4; no value: d."


def test_only_members_count():
    assert said(FIVE, 1, 1, 5, members=("c",)).value == 5
    assert said(FIVE, 1, 1, 5, members=("c", "gone")).confidence == 0.5


def test_without_members_all_that_spoke_anywhere_are_expected():
    both = KnownCell(subject=SubjectKey("q1", "m"), judges={"a": Mark(value=4), "b": Mark(value=4)})
    one = KnownCell(subject=SubjectKey("q2", "m"), part="words", judges={"a": Mark(value=3)})
    own = KnownCell(
        subject=SubjectKey("q3", "m"), judges={"a": Mark(value=2), "panel": Mark(value=5)}
    )
    made = Panel().derive([both, one, own], Criterion("r", "c", FIVE))
    assert [(v.subject.question_id, v.part, v.mark.value, v.mark.confidence) for v in made] == [
        ("q1", "", 4, 1.0),
        ("q2", "words", 3, 0.5),
        ("q3", "", 2, 0.5),
    ]


def test_the_verdict_names_its_author_and_hashes():
    criterion = Criterion("r", "c", FIVE)
    panel = Panel(members=["b", "a"])
    (verdict,) = panel.derive(
        [KnownCell(subject=SubjectKey("q", "m"), judges={"a": Mark(value=4)})], criterion
    )
    assert (verdict.author, verdict.author_kind, verdict.criterion, verdict.grader_version) == (
        "panel(b, a)",
        "judge",
        "r/c",
        "1",
    )
    assert (
        verdict.criterion_hash == criterion.criterion_hash
        and verdict.recipe_hash == panel.recipe_hash()
    )
    assert (
        Panel(members=("a", "b")).recipe_hash()
        == panel.recipe_hash()
        != Panel(members=("a",)).recipe_hash()
    )
    assert Panel(label="jury").author == "jury"


@pytest.mark.parametrize("members", ["gpt-4", ("a", "a")])
def test_members_are_a_list_of_different_names(members):
    with pytest.raises(InputError) as found:
        Panel(members=members)
    assert (
        str(found.value)
        == f"judge panel, members: found {members!r}, expected a list of different judges' names. Name each member once."
    )
