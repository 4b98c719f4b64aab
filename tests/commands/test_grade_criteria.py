"""`cograde grade` with a judge per criterion: named on the command line, and by the rubric."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import RubricError
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.workspace import open_workspace
from graders.workflows.rubrics import edit as rubrics_edit
from graders.workflows.runs import runs
from graders.workflows.runs.run_page import run_page
from graders.workflows.scope.rubric_check import check_rubric
from tests.commands.runner import Line
from tests.store import small
from tests.support.documents import blocks
from tests.support.stub import StubProvider, provider_stub

STUDY = ("--project", "study")
OWN = small.RUBRIC.replace(
    "stiff], ordered: false}, graders: [judge]",
    "stiff], ordered: false}, graders: [{judge: {model: openai:own}}]",
)


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch):
    """A provider that takes any key, at the address of OpenAI's."""
    with provider_stub() as running:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        yield running


@pytest.fixture
def study(cograde: Line, tmp_path: Path) -> Line:
    """Two questions, two models; relevance, completeness and tone are for judges."""
    small.study(tmp_path, open_workspace(cograde.workspace), count=2, models=("Ash", "Oak"))
    return cograde


def own(study: Line, text: str = OWN) -> None:
    """Put a rubric in force that names a model for tone."""
    ws = open_workspace(study.workspace)
    projects.save_rubric(ws, projects.get_project(ws, "study"), read_rubric(text))


def judges(*words: str) -> list[str]:
    """The options that name these judges."""
    return [part for word in words for part in ("--judge", word)]


def planned(study: Line, *words: str) -> dict[str, tuple[int, list[str]]]:
    """Judge -> (calls that are to be bought, its criteria) of a plan."""
    done = study("grade", *STUDY, *judges(*words), "--plan", "--json")
    assert done.code == 0, done.err
    return {
        j["name"]: (j["calls"] - j["known"], [key.removeprefix("small/") for key in j["criteria"]])
        for j in done.json["judges"]
    }


def graded(study: Line) -> set[tuple[str, str, int]]:
    """(judge, criterion, cells with a verdict)."""
    sql = (
        "SELECT w.name, k.key, count(*) FROM opinion o JOIN author w ON w.id = o.author_id "
        "JOIN cell c ON c.id = o.cell_id JOIN criterion k ON k.id = c.criterion_id "
        "WHERE w.kind = 'judge' GROUP BY 1, 2"
    )
    rows = open_workspace(study.workspace).db.execute(sql)
    return {(row[0], row[1].removeprefix("small/"), row[2]) for row in rows}


def run(study: Line, *words: str) -> None:
    """A run to its end."""
    done = study("grade", *STUDY, *judges(*words), "--yes")
    assert done.code == 0, done.err


def test_each_judge_grades_what_it_is_named_for_and_nothing_is_bought_twice(
    study: Line, stub: StubProvider
) -> None:
    words = ("relevance=openai:a", "small/completeness=openai:a", "openai:b")
    assert planned(study, *words) == {
        "openai:a": (4, ["relevance", "completeness"]),
        "openai:b": (4, ["tone"]),
    }
    text = study("grade", *STUDY, *judges(*words), "--plan").out
    assert "Grades relevance and completeness." in text and "Grades tone." in text
    run(study, *words)
    assert stub.stats()["requests"] == 8, "one call per answer and judge"
    both = {("openai:a", c, 4) for c in ("relevance", "completeness")}
    assert graded(study) == both | {("openai:b", "tone", 4)}
    page = run_page(small.scope_of(open_workspace(study.workspace)), "study")
    assert page.run.judges == list(words), "so that the form asks the same again"
    run(study, *words)
    assert stub.stats()["requests"] == 8
    assert planned(study, "openai:a") == {"openai:a": (4, [])}, "tone alone"
    run(study, "tone=openai:a")
    assert stub.stats()["requests"] == 12
    assert planned(study, "openai:a") == {"openai:a": (0, [])}
    run(study, "tone=openai:a", "tone=openai:b")
    assert stub.stats()["requests"] == 12


def test_calls_are_the_same_with_and_without_names(study: Line, stub: StubProvider) -> None:
    """A judge that is named for all its criteria asks, byte for byte, what it asks without."""
    run(study, "openai:a")
    db = open_workspace(study.workspace).db
    keys = {row[0] for row in db.execute("SELECT key FROM call")}
    ws, names = open_workspace(study.workspace), ("relevance", "completeness", "tone")
    db.execute("DELETE FROM opinion WHERE author_id IN (SELECT id FROM author WHERE kind='judge')")
    db.execute("DELETE FROM verdict WHERE author_id IN (SELECT id FROM author WHERE kind='judge')")
    db.commit()
    run(study, *(f"{name}=openai:a" for name in names))
    assert {row[0] for row in ws.db.execute("SELECT key FROM call")} == keys
    assert stub.stats()["requests"] == 4, "the replies were known"


def test_the_rubrics_model_holds_where_the_command_names_none(
    study: Line, stub: StubProvider
) -> None:
    own(study)
    assert planned(study) == {"openai:own": (4, ["tone"])}
    assert planned(study, "openai:b") == {
        "openai:b": (4, ["relevance", "completeness"]),
        "openai:own": (4, ["tone"]),
    }
    assert planned(study, "tone=openai:b") == {"openai:b": (4, ["tone"])}
    assert planned(study, "openai:own") == {
        "openai:own": (4, ["relevance", "completeness", "tone"])
    }
    assert "Grades tone, as the rubric says." in study("grade", *STUDY, "--plan").out
    run(study, "openai:b")
    assert ("openai:own", "tone", 4) in graded(study) and stub.stats()["requests"] == 8
    assert not any(name == "openai:b" and c == "tone" for name, c, _ in graded(study))
    scope = small.scope_of(open_workspace(study.workspace))
    page = run_page(scope, "study")
    assert page.run.judges == ["openai:b"]
    assert [j["criteria"] for j in page.run.plan["judges"]][1] == ["small/tone"]
    tried = study("grade", *STUDY, *judges("openai:c"), "--try", "1", "--yes", "--json")
    assert tried.code == 0, tried.err
    alone = runs.start(scope, "study", {"judges": ["openai:d"], "tries": 1, "beside": True})
    assert [j.name for j in alone.plan.judges] == ["openai:d"], "a look at one judge"


def test_a_rubrics_judge_needs_its_key(
    study: Line, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    own(study, OWN.replace("openai:own", "anthropic:claude-stub"))
    plan = study("grade", *STUDY, *judges("openai:b"), "--plan")
    assert "ANTHROPIC_API_KEY is not set" in plan.out
    some = study("grade", *STUDY, *judges("openai:b"), "--yes")
    assert some.code == 3 and "anthropic:claude-stub" in some.out
    assert {name for name, _, _ in graded(study)} == {"openai:b"}
    monkeypatch.setenv("ANTHROPIC_API_KEY", "nobody")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", stub.root)
    assert study("grade", *STUDY, "--resume").code == 0
    assert ("anthropic:claude-stub", "tone", 4) in graded(study)


def test_an_address_that_was_given_for_the_one_provider_is_not_the_rubrics(
    study: Line, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "nobody")
    own(study, OWN.replace("openai:own", "anthropic:claude-stub"))
    scope = small.scope_of(open_workspace(study.workspace))
    options = {"judges": ["openai:b"], "base_url": "http://127.0.0.1:9/v1"}
    first, second = runs.plan(scope, "study", options).judges
    assert "127.0.0.1:9" in first.key and "127.0.0.1:9" not in second.key


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("brevity=openai:a", "found the criterion 'brevity'"),
        ("relevence=openai:a", "small/relevance"),
        ("relevance=", "no judge after the equals sign"),
        ("relevance=nowhere:a", "the provider 'nowhere'"),
        ("relevance=strict", "no judge that is set up under that name"),
    ],
)
def test_what_is_not_known_is_refused(study: Line, word: str, said: str) -> None:
    done = study("grade", *STUDY, *judges(word), "--plan")
    assert done.code == 2 and said in " ".join(done.err.split()), done.err


@pytest.mark.parametrize(
    ("judge", "found"),
    [
        ("{model: nowhere:a}", "the judge model 'nowhere:a'"),
        ("{modell: openai:a}", "the judge with modell: 'openai:a'"),
        ("{model: 'openai:a@http://127.0.0.1:1/v1'}", "the judge model 'openai:a@http"),
    ],
)
def test_a_model_that_a_rubric_cannot_name(judge: str, found: str) -> None:
    rubric = read_rubric(OWN.replace("{model: openai:own}", judge))
    with pytest.raises(RubricError) as refused:
        check_rubric(rubric)
    assert refused.value.where == "rubric small, criterion tone, graders"
    assert refused.value.found.startswith(found) and refused.value.remedy


def test_a_set_up_judge_may_be_named_by_the_rubric(study: Line, stub: StubProvider) -> None:
    own(study, OWN.replace("openai:own", "strict"))
    refused = study("grade", *STUDY, "--plan")
    assert refused.code == 2 and "the judge model 'strict'" in refused.err
    ws = open_workspace(study.workspace)
    card: dict[str, Any] = {"judge": "openai:own", "options": {"temperature": 0.2}}
    projects.set_settings(ws, projects.get_project(ws, "study"), {"judges": {"strict": card}})
    assert planned(study) == {"strict": (4, ["tone"])}


def test_the_example_of_the_documents(study: Line, stub: StubProvider) -> None:
    (example,) = blocks("docs/rubrics.md", "yaml")
    check_rubric(read_rubric(example))
    own(study, example)
    plan = study("grade", *STUDY, "--plan", "--json").json
    assert [(j["name"], j["criteria"]) for j in plan["judges"]] == [
        ("openai:gpt-4o", ["answers/relevance"])
    ]
    said = study("grade", *STUDY, *judges("answers/tone=openai:gpt-4o"), "--plan").out
    assert "Grades relevance and tone." in said
    assert planned(study, "tone=openai:b")["openai:b"][1] == ["tone", "answers/tone"], "of both"


def test_a_new_wording_is_graded_again_by_the_same_judges(study: Line, stub: StubProvider) -> None:
    own(study)
    run(study)
    assert graded(study) == {("openai:own", "tone", 4)}
    scope = small.scope_of(open_workspace(study.workspace))
    rubrics_edit.put(scope, "study", OWN.replace("Which tone?", "Which tone is it?"), "small")
    plan = rubrics_edit.regrade_plan(scope, "study", "small")
    assert (plan.answers, plan.judges, plan.plan.judges[0].calls) == (4, ["openai:own"], 4)
    assert plan.plan.judges[0].criteria == ["small/tone"], "and not the others"
    rubrics_edit.regrade(scope, "study", "small")
