"""Diagnostics of judges: every figure on made-up verdicts whose leans are known, what is missing
where there are too few, and the how-to."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import NotFound
from graders.statistics import bias
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.ground import View
from graders.workflows.diagnostics import diagnose
from graders.workflows.diagnostics.diagnose import diagnostics, diagnostics_so_far
from graders.workflows.diagnostics.judge_report import Diagnostics
from graders.workflows.opinions.narrowing import choices
from graders.workflows.projects.settings import change_rubric
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.project_head import Reading, Waiting
from tests.commands.runner import Line
from tests.support.studies import RUBRIC, bring, given, scope_at

TEXT = (Path(__file__).parents[3] / "docs" / "diagnostics.md").read_text("utf-8")
N = 40
LONG, SHORT = "gpt-4o", "Ash"


def verdict(judge: str, i: int, model: str, value: int | None, **more: Any) -> dict[str, Any]:
    return {
        "question_id": f"q{i}",
        "model": model,
        "criterion": "small/completeness",
        "judge": judge,
        "value": value,
        **more,
    }


def study(tmp_path: Path, n: int = N) -> Scope:
    """Two answers to each question, gpt-4o's twice as long as Ash's; Mira gives both 2, 3 or 4,
    Jonas the same.

    North gives a point more on every second question, is sure to 90 %, and makes up every fourth
    quote. South says what people say, but its samples differ on every second question, and ten of
    its replies cannot be read. openai:gpt-mini gives gpt-4o, which stands last in its calls, a
    point more on three of four questions.
    """
    scope = scope_at(tmp_path)
    human, judge = [], []
    for i in range(n):
        true = 2 + i % 3
        for model in (SHORT, LONG):
            human += [
                given(f"q{i}", model, "completeness", name, true) for name in ("mira", "jonas")
            ]
            quote = {"evidence": [{"quote": "never said" if i % 4 == 3 else "aaaa"}]}
            judge.append(
                verdict(
                    "north",
                    i,
                    model,
                    true + (i % 2 == 0),
                    confidence=0.9,
                    confidence_kind="stated",
                    **quote,
                )
            )
            judge.append(verdict("south", i, model, true, samples=[true, true, true - (i % 2)]))
            up = int(model == LONG and i % 4 > 0)
            judge.append(
                verdict(
                    "openai:gpt-mini", i, model, true + up, position=1 + (model == LONG), answers=2
                )
            )
    for row in [row for row in judge if row["judge"] == "south"][:10]:
        row |= {"value": None, "status": "error", "reason": "malformed"}
    questions = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(n)]
    answers = [
        {"question_id": f"q{i}", "model": model, "text": "a" * (10 + i) * times}
        for i in range(n)
        for model, times in ((SHORT, 1), (LONG, 2))
    ]
    bring(scope, tmp_path, questions=questions, answers=answers, human=human, judge=judge)
    return scope


def figures(report: Diagnostics, judge: str) -> dict[str, Any]:
    (row,) = next(one for one in report.judges if one.name == judge).criteria
    return dict(
        row.figures,
        use=row.use,
        confidence=row.confidence,
        findings=[one.name for one in row.findings],
    )


def told(scope: Scope, **asked: Any) -> Reading:
    """How far reading is said to be."""
    found = diagnostics_so_far(scope, "study", **asked)
    assert isinstance(found, Waiting)
    return found.progress


def test_known_leans_are_found_and_the_how_to_shows_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = study(tmp_path)
    # much to read is told before it is read, and by criterion meanwhile
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diagnose, "MANY_CELLS", 10)
        assert told(scope, patience=1.0, begun=False) == Reading(0, 3)
        assert [told(scope, patience=0.0).done for _ in range(2)] == [1, 2]
    report = diagnostics_so_far(scope, "study", patience=0.0)
    assert isinstance(report, Diagnostics)
    assert [judge.name for judge in report.judges] == ["north", "south", "openai:gpt-mini"]
    north = figures(report, "north")
    assert north["leniency"].value == pytest.approx(0.5) and north["leniency"].real
    # 40 questions, 2 answers, 2 people
    assert (north["leniency"].n_cells, north["leniency"].n_questions) == (
        160,
        40,
    )
    assert north["confidence"].stated == pytest.approx(0.9) and north[
        "confidence"
    ].met == pytest.approx(0.5)
    assert north["over"].value == pytest.approx(0.4) and "States" not in north["over"].words
    assert north["brier"].value == pytest.approx(0.5 * 0.81 + 0.5 * 0.01) and north[
        "confidence"
    ].floor == pytest.approx(0.09)
    # knows no more than the share
    assert north["confidence"].better.brier.value == pytest.approx(0.25, abs=0.01)
    assert north["quotes"].value == pytest.approx(0.25) and north["quotes"].n_cells == 80
    assert north["family"].reason == "the judge's name does not tell its family"
    assert north["use"].judge != north["use"].people and sum(north["use"].people) == 160
    assert (
        "It gives 0.50 points more than people." in north["leniency"].sentence
        and "Holm's correction" in north["leniency"].sentence
    )

    south = figures(report, "south")
    # samples of odd questions agree in one pair of three
    assert south["consistency"].value == pytest.approx((1 + 1 / 3) / 2)
    assert south["unread"].value == pytest.approx(10 / 80) and south["findings"] == []
    assert south["leniency"].status == "INCONCLUSIVE"  # all alike is not certainty

    mini = figures(report, "openai:gpt-mini")
    assert mini["family"].value == pytest.approx(0.75) and mini[
        "family"
    ].contrast.value == pytest.approx(0.0)
    assert mini["position"].value == pytest.approx(0.75) and mini["length"].value == pytest.approx(
        0.75 / 0.693147
    )
    assert (
        "An answer twice as long gets 0.75 points more beyond what people give."
        in mini["length"].words
    )
    assert mini["findings"] == ["leniency", "length", "family", "position"]

    cograde = Line(scope.ws.path, capsys)
    steps = re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", TEXT, flags=re.M)
    for line, printed in steps:
        done = cograde(*shlex.split(line)[1:])
        assert done.code == 0 and done.out.startswith(printed), done.out
    gates = re.findall(r"^\| `cograde ([^`]+)` \| (\d)", TEXT, flags=re.M)
    assert {line: cograde(*shlex.split(line)).code for line, _ in gates} == {
        line: int(code) for line, code in gates
    }
    assert cograde("diagnose", "--judge", "nobody").code == 1
    assert (
        cograde("diagnose", "--json").json["judges"][0]["criteria"][0]["figures"]["leniency"][
            "adjusted"
        ]
        < 0.05
    )


def test_an_interval_without_0_that_holm_corrects_away_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_is_left(figures: Any, own: Any) -> list[bias.Significance]:
        return [
            tested if tested.p is None else bias.Significance(tested.p, 0.2, False)
            for tested in bias.tested_together(figures, own)
        ]

    scope = study(tmp_path)
    monkeypatch.setattr(diagnose, "tested_together", none_is_left)
    report = diagnostics(scope, "study")
    leniency = figures(report, "north")["leniency"]
    assert leniency.low > 0 and leniency.p < 0.05 and not leniency.real
    assert leniency.words == "Not significant after Holm's correction."
    assert "p 0.200 after Holm's correction over" in leniency.sentence


def test_an_earlier_wording_is_told_of_by_what_was_said_under_it(tmp_path: Path) -> None:
    def told(filters: Filters = EVERYTHING) -> list[tuple[Any, ...]]:
        rows = [
            (judge.name, judge.criteria[0])
            for judge in diagnostics(scope, "study", View(filters=filters)).judges
        ]
        return [
            (
                n,
                r.asked,
                r.verdicts,
                {key: found.words for key, found in r.figures.items()},
                r.use,
            )
            for n, r in rows
        ]

    scope = study(tmp_path, 12)
    before = told()
    (tmp_path / "next").mkdir()
    change_rubric(scope, "study", "small", RUBRIC.replace("Is all there?", "Is really all there?"))
    (then,) = [
        int(row.value)
        for row in choices(scope, scope.project("study"))["wording"]
        if not row.active
    ]
    anew = [verdict("north", i, model, 1) for i in range(12) for model in (SHORT, LONG)]
    bring(
        scope,
        tmp_path / "next",
        RUBRIC.replace("Is all there?", "Is really all there?"),
        questions=[{"id": "q0", "text": "Question 0?"}],
        judge=anew,
    )
    assert [row[:3] for row in told()] == [("north", 24, 0)], "nobody but north has spoken since"
    assert len(before) == 3 and told(Filters(wording=then)) == before


def test_few_questions_say_how_many_are_missing_and_hostile_samples_do_no_harm(
    tmp_path: Path,
) -> None:
    scope = study(tmp_path, 12)
    bad = [
        verdict("south", i, SHORT, 3, id=f"bad{i}", samples=junk, position="1; drop", answers={})
        for i, junk in enumerate(("x", [9, {}], {"a": 1}))
    ]
    bring(scope, tmp_path, judge=bad, questions=[{"id": "q0", "text": "Question 0?"}])
    report = diagnostics(scope, "study")
    north = figures(report, "north")
    assert north["leniency"].status == "INCONCLUSIVE"
    assert north["leniency"].words == "INCONCLUSIVE: 8 more questions with verdicts: 12 of 20."
    assert report.title == "Not enough labels yet to say whether judges are biased."
    assert report.subtitle.startswith(
        "Nearest to a figure: 8 more questions with verdicts: 12 of 20."
    )
    assert figures(report, "south")["consistency"].status in ("OK", "INCONCLUSIVE")
    # filters hold for the labels, and for what a judge was asked
    few = figures(diagnostics(scope, "study", View(filters=Filters(model=(SHORT,)))), "north")
    assert few["leniency"].n_cells == 24 and few["quotes"].n_cells == 12
    assert few["length"].reason == "all answers of a question are equally long"
    with pytest.raises(NotFound):
        diagnostics(scope, "study", View(filters=Filters(annotator=("nobody",))))


def test_preferences_show_how_often_the_place_decides(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    rubric = "rubric: small\ncriteria:\n  better: {question: Better?, scale: {labels: [A, B, tie], ordered: false}, review: people}\n"
    pairs = [(i, *order) for i in range(N) for order in (("Ash", "Beech"), ("Beech", "Ash"))]

    def vote(i: int, a: str, b: str, value: str, **who: str) -> dict[str, Any]:
        return {
            "question_id": f"q{i}",
            "model": f"{a} vs {b}",
            "model_a": a,
            "model_b": b,
            "criterion": "small/better",
            "value": value,
            **who,
        }

    # north takes the first answer on every fourth question whatever stands there, else Ash; south
    # has one order, and always the first
    judge = [
        vote(i, a, b, "A" if i % 4 == 0 or a == "Ash" else "B", judge="north") for i, a, b in pairs
    ]
    judge += [vote(i, a, b, "A", judge="south") for i, a, b in pairs if a == "Ash"]
    human = [
        vote(i, a, b, "AB"[i % 4 == 1] if a == "Ash" else "tie", annotator="mira")
        for i, a, b in pairs
    ]
    questions = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(N)]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}."}
        for i in range(N)
        for m in ("Ash", "Beech")
    ]
    bring(scope, tmp_path, rubric, questions=questions, answers=answers, human=human, judge=judge)
    report = diagnostics(scope, "study")
    north, south = figures(report, "north"), figures(report, "south")
    assert north["changed"].value == pytest.approx(0.25) and north["changed"].n_cells == N
    # in these the first gets 1 - 0 = 1 more: 10 of 40 pairs
    assert north["first"].value == pytest.approx(0.25) and north["findings"] == ["first"]
    # people give it 1 on 30 of 40, south on all
    assert south["first"].value == pytest.approx(0.25) and south["changed"].value is None
    assert report.title == "north prefers the answer shown first on Better."

    other = rubric.replace("Better?", "Which is better?")
    change_rubric(scope, "study", "small", other)
    none = diagnostics(scope, "study")
    assert none.title == "No judge has graded answers under the present wording yet."
    assert none.subtitle.endswith(
        " 80 verdicts of people and 120 verdicts of judges given under another wording are left out."
    )
    # 2 x 40 of mira
    assert (
        " 80 verdicts of people given under another wording are left out."
        in agreement(scope, "study").subtitle
    )
    (then,) = [
        int(row.value)
        for row in choices(scope, scope.project("study"))["wording"]
        if not row.active
    ]
    bring(
        scope,
        tmp_path,
        other,
        questions=questions[:1],
        judge=[{**row, "value": "tie"} for row in judge],
    )
    earlier = diagnostics(scope, "study", View(filters=Filters(wording=then)))
    for name, before in (("north", north), ("south", south)):
        assert [figures(earlier, name)[key].words for key in ("first", "changed")] == [
            before[key].words for key in ("first", "changed")
        ]


def test_a_judge_that_changed_is_told_from_one_that_is_only_unsteady(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    questions = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(N)]
    answers = [{"question_id": f"q{i}", "model": SHORT, "text": f"Reply {i}."} for i in range(N)]
    rounds = [
        [
            verdict(
                judge,
                i,
                SHORT,
                value,
                id=f"{judge}{recipe}{i}",
                recipe_hash=recipe,
                samples=[value, value + (i % 4 == 0)],
            )
            for i in range(N)
            for judge, value in (
                ("firm", 3 + (i % 2 == 0 if recipe == "b" else 0)),
                ("loose", 3 + (i % 4 == (1 if recipe == "b" else 3))),
            )
        ]
        for recipe in "ab"
    ]
    bring(scope, tmp_path, questions=questions, answers=answers, judge=rounds[0])
    bring(scope, tmp_path, questions=questions[:1], judge=rounds[1])
    report = diagnostics(scope, "study")
    firm, loose = figures(report, "firm"), figures(report, "loose")
    # 20 of 40 got a point more: exact McNemar, 2 / 2^20
    assert (
        firm["drift"].value == pytest.approx(0.5)
        and firm["drift"].p == pytest.approx(2 * 0.5**20)
        and firm["drift"].real
    )
    assert firm["drift"].words.endswith(
        "50 % of the cells moved; between two samples of one call, 25 %."
    )
    # as many went up as down
    assert (
        loose["drift"].value == pytest.approx(0.0)
        and loose["drift"].moved == 0.5
        and loose["findings"] == []
    )
    assert report.title == "firm gives more than before it changed on Completeness."


def test_a_judge_whose_replies_cannot_be_read_is_not_short_of_labels(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    questions, answers = (
        [{"id": "q0", "text": "Why?"}],
        [{"question_id": "q0", "model": "Ash", "text": "So."}],
    )
    unread = [verdict("north", 0, "Ash", None, status="unscored", reason="malformed")]
    bring(
        scope,
        tmp_path,
        questions=questions,
        answers=answers,
        human=[given("q0", "Ash", "completeness", "mira", 3)],
        judge=unread,
    )
    found = diagnostics(scope, "study")
    assert found.title == "No reply of north could be read."
    assert found.subtitle.startswith("Without values there is nothing to compare with people's")
