"""Where judges and people differ: which verdicts, in which groups, whose fault it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import InputError, NotFound
from graders.statistics.text_groups import groups_of_texts
from graders.workflows.agreement.disagreements import Wanted, disagreements
from graders.workflows.opinions.narrowing import filters_of
from graders.workflows.scope.permissions import Scope
from tests.support.agreeing import NORTH, judged, said, study, words
from tests.support.studies import RUBRIC


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """Mira differs from north on the first 16 of 40 answers; on 12 of these she says why: 3 rubric,
    3 reference, 6 judge."""
    north, mira = words([0, 1] * 20), words([1, 0] * 8 + [0, 1] * 12)
    causes = ["rubric unclear"] * 3 + ["reference wrong"] * 3 + ["judge wrong"] * 6 + [""] * 28
    human = [
        {**row, "fault_of": cause}
        for row, cause in zip(
            said("mira", mira, arm="assisted", action="edited"), causes, strict=True
        )
    ]
    human += said("jonas", north)
    more = judged("north", north) + judged("south", words([1] * 40))
    return study(tmp_path_factory.mktemp("differ"), human=human, judge=more, person="lead")


def test_disagreements_stand_in_groups_by_whose_fault_they_were(scope: Scope) -> None:
    found = disagreements(scope, "study", Wanted(judge=NORTH))
    assert found.title == "16 verdicts of people differ from north."
    groups = {row.key: row.count for row in found.groups}
    assert groups == {
        "judge wrong": 6,
        "no reason given": 4,
        "reference wrong": 3,
        "rubric unclear": 3,
    }
    # 6 of 12
    assert found.mended.words == "50 % of the disagreements are the rubric's or the reference's."
    assert (found.mended.named, found.mended.of) == (12, 16)
    assert "Of 12 disagreements for which people named a reason" in found.mended.sentence


def test_a_question_is_one_whatever_was_asked_about_it(tmp_path: Path) -> None:
    same = {"arm": "assisted", "action": "edited", "fault_of": "rubric unclear"}
    human = said("mira", words([0] * 12), **same) + said("mira", [1] * 12, "completeness", **same)
    rubric = (
        RUBRIC
        + "  brevity: {question: Is it short?, scale: [long, short], graders: [length], review: automatic}\n"
    )
    judge = judged("north", words([1] * 12)) + judged("north", [5] * 12, "completeness")
    found = disagreements(study(tmp_path, human=human, judge=judge, n=12, rubric=rubric), "study")
    assert [one.words for one in found.criteria] == ["Relevance", "Completeness", "Tone"], (
        "a rule alone has nobody to differ from"
    )
    assert (found.mended.figure.n_cells, found.mended.figure.n_questions) == (
        24,
        12,
    )


def test_a_group_leads_to_its_answers_with_all_that_was_said(scope: Scope) -> None:
    found = disagreements(scope, "study", Wanted(judge=NORTH, group="reference wrong"))
    assert [row.question_id for row in found.rows] == ["q3", "q4", "q5"]
    first = found.rows[0]
    assert first.reason == "reference wrong" and first.criterion.key == "small/relevance"
    assert [(s.name, s.value, s.arm) for s in first.said] == [
        ("north", "relevant", ""),
        ("mira", "irrelevant", "assisted"),
    ]
    seen = scope.ws.db.execute("SELECT count(*) FROM seen WHERE person_id = 'lead'").fetchone()[0]
    assert seen >= 3


def test_without_a_judge_a_verdict_counts_once_however_many_judges_it_differs_from(
    scope: Scope,
) -> None:
    everybody = disagreements(scope, "study", Wanted(grouping="fault"))
    # mira: 16 from north; south says 1 always: 8 of those 16, and 12 zeros behind; jonas: 20 zeros
    # from south
    assert everybody.all == 16 + 12 + 20
    assert [row.key for row in everybody.groups] == ["no fault found"]
    only = disagreements(
        scope, "study", Wanted(judge=NORTH), filters=filters_of({"annotator": ["jonas"]})
    )
    assert (only.all, only.title, only.counted) == (
        0,
        "People and north differ nowhere.",
        "all verdicts of people, blind and assisted; only annotator jonas",
    )


def test_like_texts_stand_together_in_any_script(scope: Scope) -> None:
    texts = [
        "When was the bridge over the river built?",
        "When was the old bridge over the river built?",
        "When was this bridge over the river built?",
    ]
    texts += [
        "谁写了这本小说？作者是谁？",
        "谁写了那本小说？作者是谁？",
        "谁写了这本长篇小说？作者是谁？",
        "zebra",
    ]
    found = groups_of_texts(texts)
    assert sorted(list(group.members) for group in found) == [[0, 1, 2], [3, 4, 5], [6]]
    assert [list(group.members) for group in found if group.middle is None] == [[6]]
    assert groups_of_texts([]) == []
    grouped = disagreements(scope, "study", Wanted(judge=NORTH, grouping="text"))
    assert sum(row.count for row in grouped.groups) == 16


def test_what_there_is_not_is_named(scope: Scope) -> None:
    with pytest.raises(
        InputError, match="grouping: found 'colour', expected one of fault_of, fault, text"
    ):
        disagreements(scope, "study", Wanted(grouping="colour"))
    with pytest.raises(NotFound, match="judge 'judge:east'"):
        disagreements(scope, "study", Wanted(judge="judge:east"))
    with pytest.raises(NotFound, match="criterion 'small/humour'"):
        disagreements(scope, "study", Wanted(criterion="small/humour"))


def test_a_judge_is_named_where_none_graded(tmp_path: Path) -> None:
    only_people = study(tmp_path, human=said("mira", words([0] * 4)), judge=[], n=4)
    with pytest.raises(
        NotFound, match="found no judge that graded what people graded, expected one"
    ):
        disagreements(only_people, "study", Wanted(judge=NORTH))
