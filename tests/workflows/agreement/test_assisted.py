"""Early estimates from assisted verdicts: shown while blind labels do not suffice, marked as
optimistic, and deciding nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.workflows.agreement import agree
from graders.workflows.diagnostics.anchoring import anchoring
from graders.workflows.report.report import report
from tests.support.agreeing import judged, said, study, words
from tests.workflows.report.test_report import rows


def test_assisted_verdicts_alone_make_an_early_estimate_that_says_it_is_optimistic(
    tmp_path: Path,
) -> None:
    bits = [0, 1] * 20
    human = said("mira", words([1 - bit if i < 4 else bit for i, bit in enumerate(bits)]))
    human = [{**row, "arm": "assisted", "design": "ordinary"} for row in human]
    scope = study(tmp_path, human=human, judge=judged("north", words(bits)))
    found = agree.agreement(scope, "study")
    [judge] = found.criteria[0].judges
    assert (judge.shown.status, judge.cells, judge.verdict.word) == ("UNDEFINED", 0, "INCONCLUSIVE")
    assert judge.verdict.reason == "needs two people: 60 blind labels, both on each of 30 cells"
    assisted = judge.assisted
    assert (assisted.measure, assisted.figure.status, assisted.figure.n_cells) == (
        "kappa",
        "EARLY",
        40,
    )
    assert assisted.figure.value == pytest.approx(0.8)  # 36 of 40 alike: (.9 - .5) / .5
    assert assisted.words.startswith("optimistic, since people saw suggestions; by how much")
    assert found.title.startswith(
        "Early estimate from assisted ratings, which is optimistic: north agrees with people on "
        "Relevance with kappa 0.80 ["
    )
    assert agree.gate(found) == agree.INCONCLUSIVE
    # where all verdicts count they are in the figure, and no estimate beside it
    whole = agree.agreement(scope, "study", blind_only=False).criteria[0].judges[0]
    assert (whole.shown.value, whole.assisted) == (pytest.approx(0.8), None)
    [row] = rows(report(scope, "study"), "agreement", "Agreement")
    assert "early estimate from assisted ratings: kappa 0.80 [" in row["Finding"]


def test_the_anchoring_effect_is_named_once_it_is_known(tmp_path: Path) -> None:
    n = 320
    truth = [i % 2 for i in range(n)]
    judge = [bit if i % 5 else 1 - bit for i, bit in enumerate(truth)]
    # blind: as it is; assisted: as the judge says, also where it errs
    drawn = {"probability": 0.5}
    human = said("mira", words(truth[:10]), design="calibration", probability=0.1)
    human += said(
        "mira", words([None] * 10 + truth[10:160]), design="blind_arm", arm="blind", **drawn
    )
    human += said(
        "mira", words([None] * 160 + judge[160:]), design="ordinary", arm="assisted", **drawn
    )
    scope = study(tmp_path, human=human, judge=judged("north", words(judge)), n=n)
    with scope.ws.write() as db:  # the judge spoke before people did
        db.execute(
            "UPDATE verdict SET created_at = '2020-01-01T00:00:00Z' WHERE author_id IN "
            "(SELECT id FROM author WHERE kind = 'judge')"
        )
    assisted = agree.agreement(scope, "study", population="all").criteria[0].judges[0].assisted
    [pull] = anchoring(scope, "study").rows
    assert pull.pull.status == "OK" and assisted.anchoring.status == "OK"
    assert assisted.anchoring.value == pytest.approx(pull.pull.value)
    assert assisted.figure.value == 1.0
    assert "which pull them by 20 points of 100 [" in assisted.words
    # with enough blind labels the estimate is gone
    blind = agree.agreement(scope, "study", population="people").criteria[0].judges[0]
    assert (blind.shown.status, blind.assisted) == ("OK", None)
