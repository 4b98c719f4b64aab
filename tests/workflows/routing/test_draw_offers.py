"""What labels are expected to bring, placed and at random: said on the page, the terminal and in
the plan, and placing is offered only where it gains something."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.statistics.expected_share import Draws, Expected
from graders.workflows.promise.promise_tests import NewTerms
from graders.workflows.promise.risk import kinds_of
from graders.workflows.routing import draw_offers
from graders.workflows.routing.draw_offers import Way, offers
from graders.workflows.routing.place_labels import place
from graders.workflows.routing.plan import plan
from tests.commands.runner import Line
from tests.workflows.routing.test_place_labels import Easy
from tests.workflows.routing.test_sorting import Study, drawn, label, routed, wrong


def test_an_offer_is_simulated_on_the_cells_that_are_left(tmp_path: Path) -> None:
    scope = routed(tmp_path, Easy(), calibration=0.0)
    (offer,) = offers(scope, "study", 60).rows
    assert (offer.criterion, offer.task_type, offer.labels, offer.cells) == (
        "small/relevance",
        "factual",
        60,
        240,
    )
    assert offer.placed is not None and offer.random is not None
    assert 0 <= offer.placed.low <= offer.placed.mean <= 1
    assert offer.words.startswith(
        "Relevance, factual: 60 labels are expected to leave to the machine, of the other cells, "
    )
    assert "300 runs with 240 cells, errors at most 10%, 90% confidence." in offer.words
    assert offer.words.endswith(
        "No test has shown yet how often the machine errs, so the range is wide."
    )
    assert offers(scope, "study", 60).rows[0] == offer  # the same each time
    (few,) = offers(scope, "study", 10).rows
    assert (few.recommended, few.placed) == (Way.NEITHER, None)
    assert few.words == (
        "Relevance, factual: 10 labels prove nothing; sampling actively begins with 38."
    )
    # labels that are being placed are not offered again
    begun = place(scope, "study", "relevance", 60)
    assert offer.words in begun.trade
    assert begun.trade.endswith("which need answers drawn at random.")
    assert offers(scope, "study", 60).rows == []
    with pytest.raises(InputError, match=r"labels to place: found 0, expected a whole number"):
        offers(scope, "study", 0)


def test_a_test_that_was_made_says_how_often_the_machine_errs(tmp_path: Path) -> None:
    study = Study()
    scope = routed(tmp_path, study, calibration=0.4)
    before = offers(scope, "study", 100).rows[0]
    label(scope, tmp_path, study, drawn(scope))
    after = offers(scope, "study", 100).rows[0]
    (kind,) = [k for k in kinds_of(scope, scope.project("study")) if k.selection is not None]
    assert after.words.endswith(f"taken from the {int(kind.known.sum())} labels of its last test.")
    assert after.random is not None and before.random is not None
    # few of its values are wrong: more is expected than before anything was known
    assert wrong(study.values, scope, kind.cells.cell).mean() < 0.15
    assert after.random.mean > before.random.mean


@pytest.mark.parametrize(
    ("placed", "random", "way", "words"),
    [
        (0.4, 0.2, Way.PLACED, "Recommended: sample actively, because more of these labels"),
        (0.4, 0.39, Way.RANDOM, "Recommended: draw at random, because sampling actively"),
        (0.3, 0.6, Way.RANDOM, "Recommended: draw at random, because sampling actively"),
        (0.01, 0.0, Way.NEITHER, "Neither is worth it: at this error limit"),
    ],
)
def test_placing_is_offered_only_where_it_gains(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    placed: float,
    random: float,
    way: Way,
    words: str,
) -> None:
    def simulated(stated: float, cells: int, labels: int, *_: object) -> Draws:
        return Draws(labels, cells, *(Expected(mean, mean, mean) for mean in (placed, random)))

    monkeypatch.setattr(draw_offers, "expected_shares", simulated)
    scope = routed(tmp_path, Easy(), calibration=0.0)
    (offer,) = offers(scope, "study", 100).rows
    assert offer.recommended == way and words in offer.words
    planned = plan(scope, "study", 1, 1)
    assert [one.recommended for one in planned.offers] == [way]
    assert planned.labels == (100 if way is Way.PLACED else None)
    cograde = Line(scope.ws.path, capsys)
    said = cograde("promise", "plan", "--people", "1", "--hours", "1", "--project", "study").out
    assert words in said
    assert ("of one criterion, sampled actively (cograde promise place)" in said) == (
        way is Way.PLACED
    )
    terms = NewTerms(alpha=0.2)
    assert "errors at most 20%" in place(scope, "study", "relevance", 60, new=terms).trade
