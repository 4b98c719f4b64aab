"""`cograde grade` with several judges: of two providers in one run, each with its address and key;
as a panel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError, UsageError
from graders.store import projects
from graders.store.workspace import open_workspace
from graders.workflows.calling.run_options import Options
from graders.workflows.cells import derived_judges
from graders.workflows.runs.run_page import run_page
from graders.workflows.scope.named_rubrics import read_named_rubric
from tests.commands.runner import Line
from tests.store import small
from tests.support.stub import provider_stub

BOTH = ("--judge", "openai:stub", "--judge", "anthropic:claude-stub", "--project", "study", "--yes")
PANEL = "panel(openai:stub, anthropic:claude-stub)"


@pytest.fixture
def study(cograde: Line, tmp_path: Path) -> Line:
    """Four questions, three models, three criteria for judges."""
    small.study(tmp_path, open_workspace(cograde.workspace))
    return cograde


def said(study: Line, author: str) -> list[tuple[Any, ...]]:
    """(question, model, criterion, value, confidence) of an author's present verdicts."""
    sql = (
        "SELECT q.key, a.model, k.key, o.value, v.confidence FROM opinion o JOIN author w ON w.id = o.author_id JOIN verdict v ON v.id = o.verdict_id "
        "JOIN cell c ON c.id = o.cell_id JOIN criterion k ON k.id = c.criterion_id JOIN question q ON q.id = c.question_id "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id WHERE w.name = ? ORDER BY 1, 2, 3"
    )
    return [tuple(row) for row in open_workspace(study.workspace).db.execute(sql, (author,))]


def reasons(study: Line) -> set[str]:
    """The reasons of the suggestions that judges make."""
    sql = "SELECT DISTINCT c.suggestion_reason FROM cell c JOIN criterion k ON k.id = c.criterion_id WHERE k.key <> 'small/brevity'"
    return {row[0] for row in open_workspace(study.workspace).db.execute(sql)}


def test_two_providers_in_one_run_and_their_panel(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("KEY_ONE", "first-of-two-keys")
    monkeypatch.setenv("KEY_TWO", "second-of-two-keys")
    with provider_stub() as stub:
        ways = ("--base-url", f"openai={stub.base_url}", "--base-url", f"anthropic={stub.root}")
        lacking = study("grade", *BOTH, *ways)
        assert lacking.code == 1 and "OPENAI_API_KEY is not set" in lacking.err
        some = study("grade", *BOTH, *ways, "--key-variable", "openai=KEY_ONE")
        assert (
            some.code,
            len(said(study, "openai:stub")),
            len(said(study, "anthropic:claude-stub")),
        ) == (3, 36, 0)
        assert (
            "anthropic:claude-stub (the variable ANTHROPIC_API_KEY is not set, and none was typed) waits for its key; the other judges have "
            "been asked. Set or type it, and go on with the run." in " ".join(some.out.split())
        )
        page = run_page(small.scope_of(open_workspace(study.workspace)), "study")
        assert (
            page.phase,
            page.run.waits,
            page.run.progress["stages"][1]["state"],
        ) == ("key", ["anthropic"], "waiting")
        assert page.title.startswith("One judge waits for its key: "), page.title
        monkeypatch.setenv("ANTHROPIC_API_KEY", "second-of-two-keys")
        resumed = study("grade", "--resume")
        assert (resumed.code, len(said(study, "anthropic:claude-stub"))) == (0, 36), resumed.err
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        keys = ("--key-variable", "openai=KEY_ONE", "--key-variable", "anthropic=KEY_TWO")
        done = study("grade", *BOTH, *ways, *keys, "--panel", "median")
        assert done.code == 0, done.err
        assert sorted(stub.stats()["keys"]) == ["first-of-two-keys", "second-of-two-keys"]
    assert "the median of these judges makes one verdict" in done.err
    # 30 answers, 3 criteria; of two judges the panel says what both say, and nothing where they
    # differ
    first, second, together = (
        said(study, name) for name in ("openai:stub", "anthropic:claude-stub", PANEL)
    )
    assert len(first) == len(together) == 36
    alike = [
        row[:4] if row[:4] == other[:4] else (*row[:3], None)
        for row, other in zip(first, second, strict=True)
    ]
    assert [row[:4] for row in together if row[2] == "small/tone"] == [
        row for row in alike if row[2] == "small/tone"
    ]
    assert {row[4] for row in together if row[3] is not None} <= {1.0} and any(
        row[3] is None for row in together
    )
    assert reasons(study) <= {f"judge {PANEL}", "no usable verdict"}
    cost = {
        row["judge"]: row["money"]
        for row in study("judges", "list", "--project", "study", "--json").json["figures"]
    }
    assert cost == {"openai:stub": None, "anthropic:claude-stub": None, PANEL: 0.0}, (
        "a panel costs nothing beside its judges"
    )
    study("grade", "--project", "study", "--yes", "--panel", "none")
    assert reasons(study) <= {"2 of 2 judges", "judges differ"}


def test_a_panel_by_majority_and_its_next_run(study: Line) -> None:
    """Three imported judges on one cell of five values; the panel takes what two of them say."""
    ws = open_workspace(study.workspace)
    rows = [
        small.judge("q1", "Ash", "small/completeness", f"panel-{name}", value)
        for name, value in zip("abc", (5, 5, 1), strict=True)
    ]
    small.bring(
        small.scope_of(ws),
        small.folder(
            study.workspace.parent,
            "said",
            questions=small.questions(1),
            answers=small.answers(1, ["Ash"]),
            judge=rows,
        ),
        rubric=None,
    )
    project = projects.get_project(ws, "study")
    members = [f"panel-{name}" for name in "abc"]
    project = derived_judges.judge_together(ws, project, "majority", members)
    author = "panel by majority(panel-a, panel-b, panel-c)"
    assert said(study, author) == [("q1", "Ash", "small/completeness", "5", 2 / 3)]
    before = ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0]
    assert derived_judges.judge_together(ws, project, "", []) == project, "kept"
    assert ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0] == before, (
        "what is the same is not said again"
    )
    cell = ws.db.execute(
        "SELECT suggestion, suggestion_confidence FROM cell WHERE suggestion_reason = ?",
        (f"judge {author}",),
    ).fetchone()
    assert (json.loads(cell[0]), cell[1]) == (5, pytest.approx(2 / 3))


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"judges": ["openai:a"], "panel": "median"}, "one judge"),
        ({"judges": ["openai:a", "openai:b"], "panel": "mean"}, "'mean'"),
        (
            {"judges": ["openai:a"], "base_urls": {"anthropic": "http://x"}},
            "'anthropic', which no judge of this run is",
        ),
        ({"judges": ["openai:a"], "base_urls": ["x"]}, "['x']"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], found: str) -> None:
    with pytest.raises(UsageError) as refused:
        Options.of(options)
    assert refused.value.found == found


def test_one_key_goes_to_one_provider_only(study: Line) -> None:
    ws, both = open_workspace(study.workspace), Options.of({"judges": ["openai:a", "anthropic:b"]})
    with pytest.raises(InputError, match="one key for anthropic and openai"):
        both.setups(ws, "a-key-for-whom")
    one, two = both.setups(ws, {"openai": "first-key", "anthropic": "second-key"})
    assert (one.provider.api_key, two.provider.api_key) == ("first-key", "second-key")


def test_an_address_in_a_judges_name_gets_nobody_elses_key(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the-real-key")
    mine, theirs = Options.of({"judges": ["openai:qwen@http://127.0.0.1:9/v1", "openai:b"]}).setups(
        open_workspace(study.workspace)
    )
    assert (mine.provider.address, mine.provider.api_key, mine.author) == (
        "http://127.0.0.1:9/v1",
        "none",
        "openai:qwen",
    )
    assert theirs.provider.api_key == ""  # the provider looks it up itself
    assert mine.name == "openai:qwen@http://127.0.0.1:9/v1"


def test_a_model_splits_answers_before_they_are_judged(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = {
        "id": "q1",
        "text": "When can I swim?",
        "context": ["The pool opens at 8 on weekdays and is closed in August."],
    }
    answers = [
        {"question_id": "q1", "model": m, "text": f"{m}: it opens at 8. In August it is closed."}
        for m in ("Ash", "Oak")
    ]
    files = small.folder(tmp_path, "files", questions=[question], answers=answers)
    small.bring(
        small.scope_of(open_workspace(cograde.workspace)),
        files,
        rubric=read_named_rubric("grounded").source,
    )
    words = ("--judge", "openai:stub", "--split", "openai:stub", "--project", "study", "--yes")
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        planned = cograde("grade", *words, "--plan")
        assert (
            "openai:stub, splitting answers: 2 calls" in planned.out
            and "openai:stub: 2 calls" in planned.out
        )
        stopped = cograde("grade", *words, "--max-calls", "1")
        assert stopped.code == 3 and stub.stats()["requests"] == 1, stopped.err
        done = cograde("grade", "--resume", "--project", "study", "--max-calls", "9", "--json")
        assert done.code == 0, done.err
        assert {judge["name"]: judge["calls"] for judge in done.json["judges"]} == {
            "openai:stub, splitting answers": 2,
            "openai:stub": 2,
        }
        assert stub.stats()["requests"] == 4
        refused = cograde(
            "grade", "--split", "ollama:bespoke-minicheck", "--project", "study", "--yes"
        )
        assert refused.code == 2 and "a model that only checks claims" in refused.err


@pytest.mark.parametrize(
    ("typed", "keys", "wait"),
    [
        ({"keyed": ["anthropic"]}, {}, ["anthropic:b"]),
        ({"keyed": ["anthropic"]}, {"anthropic": "k"}, []),
        ({"keyed": ["openai:a", "anthropic"]}, {"anthropic": "k"}, ["openai:a"]),
        ({"keyed": ["header:openai:X-Gate"]}, {}, ["openai:a"]),
        ({"keyed": ["header::X-Gate"]}, {}, ["anthropic:b", "openai:a"]),
        ({"needs_key": True}, {}, ["anthropic:b", "openai:a"]),
        ({"needs_key": True}, {"": "k"}, []),
    ],
)
def test_only_those_wait_whose_key_was_typed_and_is_gone(
    typed: dict[str, Any], keys: dict[str, str], wait: list[str]
) -> None:
    assert (
        sorted(Options.of({"judges": ["openai:a", "anthropic:b"], **typed}).untyped(keys)) == wait
    )
