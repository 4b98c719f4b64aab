"""The page Leaderboard: as it is opened, what is done on it, and where its drawings stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from fastapi.testclient import TestClient

from graders.core.errors import InputError, NotFound
from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.kit import Asked, Frame, View
from graders.web.kit.gradio import unserved
from graders.web.kit.site import Site
from graders.web.pages.leaderboard import Leaderboard
from graders.web.pages.leaderboard.plot import plot_of, short
from graders.web.pages.leaderboard.ranks import ranks_of
from graders.web.pages.leaderboard.versus import versus_of
from graders.web.serve import resolver_of
from graders.workflows.importing.labels_chosen import label_imports
from graders.workflows.leaderboard import ranking
from graders.workflows.leaderboard.compare import compare
from graders.workflows.projects.settings import change_rubric
from graders.workflows.scope.permissions import Scope
from tests.support.opened import texts_in
from tests.support.ranked import MODELS, study, values
from tests.support.studies import RUBRIC, scope_at
from tests.workflows.leaderboard.test_preferences import compared

EVIL = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    ranking.forget()
    yield
    ranking.forget()


@pytest.fixture
def ranked(tmp_path: Path) -> Scope:
    right, judged = values(30)
    return study(tmp_path, right, judged, 15, chosen="unknown")


@pytest.fixture(scope="module")
def page() -> Leaderboard:
    with unserved(), Frame("/leaderboard", "Leaderboard", Site(*cast(Any, [None] * 6))) as frame:
        return Leaderboard(frame)


def opened(scope: Scope, address: str) -> str:
    """All texts of the page as somebody opens it."""
    settings = Settings(workspace=scope.ws.path)
    with TestClient(
        make_app(resolver_of(scope.ws, settings), settings), base_url="http://localhost"
    ) as browser:
        found = browser.get(f"/leaderboard?project=study{address}").text
    assert EVIL not in found
    return "\n".join(texts_in(found))


def done(page: Leaderboard, scope: Scope, address: str = "", *values: Any, **event: Any) -> Any:
    """The address that something that is done leads to, and all that it changes."""
    asked = Asked(scope, View.of(f"?project=study{address}"), None, event)
    parts = page.act(asked, *values)
    return parts.get(page.frame.acting), parts


def test_it_is_opened_with_the_finding_ranks_intervals_and_sentences(ranked: Scope) -> None:
    board = ranking.leaderboard(ranked, "study")
    texts = opened(ranked, "")
    assert board.title in texts and all(row.sentence in texts for row in board.models)
    assert board.pair and board.pair.sentence in texts
    first = board.models[0].figure
    assert first and f"between {first.low:.1f} and {first.high:.1f}" in texts
    narrowed = opened(ranked, "&category=even")
    assert "Only category even." in narrowed and "Filters: 1 set" in narrowed
    two = opened(ranked, "&compare=1&a=Cedar&b=Ash")
    assert compare(ranked, "study", "Cedar", "Ash").title in two
    assert "Cedar says " in two and 'aria-label="Open Cedar"' in two


@pytest.mark.parametrize("path", ["leaderboard", "anchoring"])
def test_without_a_project_it_says_where_to_begin(tmp_path: Path, path: str) -> None:
    scope = scope_at(tmp_path)
    settings = Settings(workspace=scope.ws.path)
    with TestClient(
        make_app(resolver_of(scope.ws, settings), settings), base_url="http://localhost"
    ) as browser:
        texts = "".join(texts_in(browser.get(f"/{path}").text))
    assert "There is nothing to " in texts and '<a class="btn p" href="/">Choose a file' in texts


def test_what_there_is_not_is_refused_with_a_way_back(ranked: Scope) -> None:
    for wrong in ("&show=loud", "&judge=nobody", "&model=Ash", "&weights=a", "&view=none/such"):
        texts = opened(ranked, wrong)
        assert 'role="alert"' in texts and "Show the page without filters" in texts, wrong
        assert 'href="?project=study"' in texts
    assert "alert(1)" in opened(ranked, f"&judge={EVIL}")


def test_an_earlier_version_of_a_rubric_is_shown_without_what_it_has_not(ranked: Scope) -> None:
    more = f"{RUBRIC}  grace: {{question: Is it graceful?, scale: [clumsy, graceful]}}\n"
    change_rubric(ranked, "study", "small", more.replace("what was asked?", "all of it?"))
    found = ranking.leaderboard(ranked, "study").filter_choices["wording"]
    old = next(one for one in found if not one.active)
    texts = opened(ranked, f"&wording={old.value}&view=small/grace&weights=small/grace:2")
    assert 'role="alert"' not in texts and f"version of the rubric {old.words}" in texts


def test_a_statement_changes_the_figures_at_once(page: Leaderboard, ranked: Scope) -> None:
    (one,) = label_imports(ranked, "study")
    assert ranking.leaderboard(ranked, "study").counts.within == 45
    stated = {"do": "chosen", "import": one.id}
    to, _ = done(page, ranked, "&show=people", **stated, value="all")
    assert to == "=?project=study&show=people"
    assert ranking.leaderboard(ranked, "study").counts.within == 0
    wrong = [
        {"value": "some"},
        {"import": True},
        {"import": "1; DROP"},
        {"import": 99},
        {"import": None},
    ]
    for change in wrong:
        with pytest.raises((InputError, NotFound)):
            done(page, ranked, **stated | {"value": "all"} | change)
    assert [row.chosen for row in label_imports(ranked, "study")] == ["all"]


def test_weights_and_the_pair_stand_in_the_address(page: Leaderboard, ranked: Scope) -> None:
    weight = {"do": "weight", "key": "r/clarity"}
    assert (
        done(page, ranked, **weight, value="2.5")[0] == "?project=study&weights=r%2Fclarity%3A2.5"
    )
    assert done(page, ranked, "&weights=r/clarity:3;r/x:0", **weight, value="1")[0] == (
        "?project=study&weights=r%2Fx%3A0"
    )
    assert done(page, ranked, "&weights=r/clarity:3", **weight, value="")[0] == "?project=study"
    with pytest.raises(InputError, match="many"):
        done(page, ranked, **weight, value="many")
    pair = {"of_a": "Ash", "of_b": "Beech"}
    assert done(page, ranked, **pair, do="b", value="Cedar")[0] == "?project=study&a=Ash&b=Cedar"
    # who is chosen on both sides changes places
    assert done(page, ranked, "&cpage=2", **pair, do="a", value="Beech")[0] == (
        "?project=study&a=Beech&b=Ash"
    )


def test_pairs_are_drawn_as_the_fields_say(page: Leaderboard, tmp_path: Path) -> None:
    scope = compared(tmp_path)
    texts = opened(scope, "")  # no answer has a grade of its own
    assert "Ash leads; the next two cannot be told apart." in texts and "Draw pairs" in texts
    _, parts = done(page, scope, "&preferences=1", "all", 1, "", do="draw")
    assert "0 pairs drawn, 90 were there." in parts[page.pairs.said]
    for fields in (
        ("balanced", None, ""),
        ("balanced", 0, ""),
        ("baseline", 1, "Nobody"),
        (7, 1, ""),
    ):
        with pytest.raises(InputError):
            done(page, scope, "&preferences=1", *fields, do="draw")
    _, parts = done(page, scope, field="design", value="baseline")
    assert [parts[one]["visible"] for one in (page.pairs.per, page.pairs.baseline)] == [False, True]


def test_while_much_is_read_the_page_says_how_far_and_asks_again(
    page: Leaderboard, ranked: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graders.workflows.leaderboard.ground.MANY_CELLS", 10)
    asked = Asked(ranked, View.of("?project=study"))
    parts, (told, timer) = page.draw(asked), page.reading.outputs
    assert "Reading ratings: 0 of " in parts[told] and parts[timer]["active"]
    assert "<h1>" in parts[page.frame.top] and page.main not in parts
    page._found(asked, begun=True)  # as the clock does
    parts = page.draw(asked)
    assert parts[told] == "" and not parts[timer]["active"] and "<h1>" in parts[page.frame.top]


def test_brackets_of_overlapping_ties_stand_beside_each_other(ranked: Scope) -> None:
    board = ranking.leaderboard(ranked, "study")
    object.__setattr__(board, "ties", [(0, 1), (1, 2), (2, 2), (5, 9)])
    ranks = ranks_of(board, True)
    assert ranks and [tuple(one) for one in ranks.brackets] == [(0, 1, 0), (1, 2, 1), (2, 2, 0)]
    assert [line.row.model for line in ranks.lines] == [row.model for row in board.models]
    assert ranks.low <= min(line.row.figure.low or 0 for line in ranks.lines if line.row.figure)


def test_the_line_goes_through_who_is_beaten_by_nobody_and_no_name_covers_another(
    tmp_path: Path,
) -> None:
    right = np.zeros((60, 3))  # dearer and better; the third is dearer than the second, not better
    right[:20, 0], right[:50, 1], right[:40, 2] = 1, 1, 1
    scope = study(tmp_path, right, right, 60)
    plot = plot_of(ranking.leaderboard(scope, "study"), "tokens")
    assert plot and plot.against == "cost"  # nobody knows tokens
    best = {p.row.model for p in plot.points if p.best}
    assert best == {MODELS[0], MODELS[1]}
    assert len(plot.line) == 3 and plot.line[-1].x + plot.line[-1].wide == pytest.approx(100)
    assert len({one.text for one in plot.names}) == 3
    for one, other in combinations(plot.names, 2):
        assert one.at != other.at
    assert [short(x) for x in (1234.5, 0.0312, 2, 99.4)] == ["1,234", "0.031", "2", "99"]


def test_differences_stand_on_an_axis_that_holds_them_all(ranked: Scope) -> None:
    versus = versus_of(compare(ranked, "study", "Cedar", "Ash"))
    ends = [abs(end) for line in versus.lines for end in line.share if end is not None]
    assert versus.lines and versus.reach % 10 == 0 and versus.reach >= min(100, max(ends))
    assert versus.lines[0].apart[0] in "+−" and versus.lines[0].label.startswith("Relevance: ")
