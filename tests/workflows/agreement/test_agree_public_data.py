"""Agreement on public data: the published figures, the answers behind them, and the first view of
large projects."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graders.statistics.resampling import Estimate
from graders.workflows.agreement import agree
from graders.workflows.agreement.matrix import matrix_cell
from graders.workflows.agreement.records import MatrixCell
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.agreeing import pair
from tests.support.studies import scope_at


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, public: Path) -> Scope:
    folder = tmp_path_factory.mktemp("real")
    shutil.copy(public, folder / "work.db")
    return scope_at(folder)


def rounded(found: Estimate, digits: int = 4) -> float:
    return round(float(found.value), digits)


def test_nq301_gives_the_published_kappa_against_adjudicated(real: Scope) -> None:
    found = agree.agreement(real, "nq301")
    best = pair(found, "gpt-4", "adjudicated", "correctness/correctness")
    assert (
        rounded(best.lead),
        round(best.lead.low, 3),
        round(best.lead.high, 3),
    ) == (0.6951, 0.643, 0.740)
    assert (rounded(best.raw), round(best.ac, 4), best.cells) == (0.8480, 0.6973, 1487)
    assert best.counts == [[582, 137], [89, 679]]
    people = found.criteria[0].people
    assert (rounded(people.mean), round(people.raw, 4), people.called_in) == (
        0.7347,
        0.8685,
        ["annotator3"],
    )
    judges = {j.name: (rounded(j.people, 2), j.verdict.word) for j in found.criteria[0].judges}
    assert judges["gpt-4"] == (0.63, "worse")
    assert (
        found.title
        == "Judges agree with people less than people do with each other on the one criterion."
    )


def test_nq301_every_number_of_the_matrix_has_its_answers(real: Scope) -> None:
    key = "correctness/correctness"
    for i, row in enumerate(
        pair(agree.agreement(real, "nq301"), "gpt-4", "adjudicated", key).counts
    ):
        for j, count in enumerate(row):
            opened = matrix_cell(
                real,
                "nq301",
                MatrixCell(
                    key, "judge:gpt-4", "person:adjudicated", ("No", "Yes")[i], ("No", "Yes")[j]
                ),
                page=2,
            )
            assert (opened.total, len(opened.rows)) == (count, 20)


def test_summeval_gives_the_quadratic_kappas_of_the_first_two_experts(real: Scope) -> None:
    found = agree.agreement(real, "summeval")
    names = ("coherence", "consistency", "fluency", "relevance")
    experts = [
        rounded(pair(found, "expert0", "expert1", f"summary-quality/{name}").lead) for name in names
    ]
    assert experts == [0.6868, 0.8778, 0.7218, 0.6099]
    first = found.criteria[0]
    assert (first.figure, first.people.names) == (
        "quadratic kappa",
        ["expert0", "expert1", "expert2"],
    )
    assert [(g.group, g.people) for g in first.groups] == [("crowd", 5)]
    # criteria x judges x people
    assert sum(p.kind == "judge-person" for p in found.pairs) == 4 * 10 * 8


def test_visitors_see_agreement_too(real: Scope) -> None:
    visitor = Scope(Actor(role="visitor"), real.ws)
    assert agree.agreement(visitor, "nq301").criteria[0].cells == 1490


# -- the first view


@pytest.mark.parametrize("name", ["nq301", "summeval"])
def test_the_first_view_has_the_same_figures_without_intervals(
    real: Scope, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(agree, "FEW_OPINIONS", 0)  # small projects get their intervals at once
    agree.forget()
    first = agree.agreement(real, name, intervals=False)
    whole = agree.agreement(real, name)
    assert (first.intervals, whole.intervals) == (False, True)
    assert (
        first.title
        == "How far judges agree with people, beside how far people agree among themselves."
    )
    same = ("a", "b", "kind", "cells", "questions", "counts")
    assert [[getattr(p, k) for k in same] for p in first.pairs] == [
        [getattr(p, k) for k in same] for p in whole.pairs
    ]
    for one, other in zip(first.pairs, whole.pairs, strict=True):
        assert (one.lead.low, one.raw.low) == (None, None)
        for figure in ("lead", "raw"):
            assert getattr(one, figure).value == pytest.approx(getattr(other, figure).value)
        assert one.ac == pytest.approx(other.ac)
    for early, late in zip(first.criteria, whole.criteria, strict=True):
        assert early.people.mean.value == pytest.approx(late.people.mean.value)
        assert (early.people.names, early.people.called_in) == (
            late.people.names,
            late.people.called_in,
        )
        assert {j.name: pytest.approx(j.people.value) for j in early.judges} == {
            j.name: j.people.value for j in late.judges
        }
        assert {j.verdict.word for j in early.judges} <= {"…", "INCONCLUSIVE"}
    assert agree.agreement(real, name, intervals=False) is whole  # what is known is shown at once
