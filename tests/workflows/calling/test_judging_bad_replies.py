"""What judges and their providers may do wrong, seen from a whole run: no cell is lost, the others
go on, one sentence says what to do."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.runs import runs
from tests.store import small
from tests.support.stub import StubProvider

ANSWERS = 3


def said(value: Any = 4, relevance: Any = "relevant", tone: Any = "warm") -> str:
    """A reply about the three criteria of the small rubric, argued in Russian."""
    values = {"relevance": relevance, "completeness": value, "tone": tone}
    entries = {
        name: {
            "evidence": "absent",
            "rationale": "Ясно и по делу.",
            "value": given,
            "confidence": 0.9,
        }
        for name, given in values.items()
    }
    return json.dumps(entries, ensure_ascii=False)


@pytest.fixture
def study(tmp_path: Path, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-run")
    small.study(tmp_path, ws, count=1)
    return ws


def ran(ws: Workspace, stub: StubProvider, *judges: str, **more: Any) -> tuple[str, dict[str, Any]]:
    """(state, row) of a run."""
    options = {
        "judges": list(judges) or ["openai:stub"],
        "base_urls": {"openai": stub.base_url},
        **more,
    }
    run = runs.start(small.scope_of(ws), "study", options).run
    state = runs.execute(ws, run)
    return state, run_store.get_run(ws, run)


def marks(ws: Workspace, criterion: str = "small/completeness") -> list[tuple[str, str]]:
    """(value as JSON or "", reason) of the judges' verdicts on a criterion."""
    rows = ws.db.execute(
        "SELECT v.value, v.reason FROM verdict v JOIN author a ON a.id = v.author_id JOIN cell c ON c.id = v.cell_id "
        "JOIN criterion k ON k.id = c.criterion_id WHERE a.kind = 'judge' AND k.key = ?",
        (criterion,),
    )
    return [(row[0] or "", row[1]) for row in rows]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (said(), ("4", "")),  # argued in another language: the value is what counts
        (f"```json\n{said()}\n```", ("4", "")),
        (said("четыре"), ("", "off_scale")),
        (said("four"), ("", "off_scale")),
        (said(float("nan")), ("", "malformed")),
        (said() + "\n" + said(5), ("", "malformed")),
        (said(6), ("", "off_scale")),
        ("Ответ хороший: 4 из 5.", ("", "malformed")),
    ],
    ids=["another language", "fences", "number as Russian word", "number as word", "NaN", "two objects", "off the scale", "prose"],
)  # fmt: skip
def test_a_reply_is_read_or_named_for_its_fault_and_never_guessed(
    study: Workspace, stub: StubProvider, reply: str, expected: tuple[str, str]
) -> None:
    stub.configure(say=reply, faults={}, latency=0.0)
    try:
        state, row = ran(study, stub)
    finally:
        stub.configure(say=None)
    assert state == "done"
    assert marks(study) == [expected] * ANSWERS
    if expected[1] == "off_scale":
        assert {value for value, _ in marks(study, "small/tone")} == {'"warm"'}, (
            "what can be read beside it is kept"
        )
    assert row.progress["judges"][0]["done"] == ANSWERS


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize(
    ("judge", "fault", "sentence"),
    [
        ("ollama:llama3", "", "Then start again: what was answered is not asked twice."),
        ("ollama:llama3", "model_missing", "get it with `ollama pull`"),
        ("anthropic:claude-stub", "wrong_key", "Set the variable ANTHROPIC_API_KEY"),
        ("anthropic:claude-stub", "no_credit", "Top up the account"),
    ],
    ids=["Ollama is not running", "model not pulled", "wrong key", "quota gone"],
)
def test_a_provider_that_fails_leaves_its_cells_open_and_the_others_go_on(
    study: Workspace,
    stub: StubProvider,
    monkeypatch: pytest.MonkeyPatch,
    judge: str,
    fault: str,
    sentence: str,
) -> None:
    """Both judges ask the same stub; a fault meets only the first, whose address has a path of its
    own or nobody behind it."""
    from tests.support.stub import provider_stub

    monkeypatch.setenv("ANTHROPIC_API_KEY", "wrong-key-of-a-test")
    stub.configure(faults={}, latency=0.0, say=None)
    if not fault:
        state, row = ran(
            study,
            stub,
            judge,
            "openai:stub",
            base_urls={"openai": stub.base_url, "ollama": nobody()},
        )
    else:
        with provider_stub(faults={fault: 1.0}) as broken:
            places = {"openai": stub.base_url, judge.partition(":")[0]: broken.root}
            state, row = ran(study, stub, judge, "openai:stub", base_urls=places)
    assert state == "failed" and sentence in row.message, row.message
    assert len(row.progress["problems"]) == 1
    first, second = row.progress["judges"]
    assert (first["done"], first["without_verdict"]) == (0, 0), "pending, not unscored"
    assert (second["done"], second["without_verdict"]) == (ANSWERS, 0)
    authors = study.db.execute(
        "SELECT DISTINCT a.name FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.kind = 'judge'"
    )
    assert [row[0] for row in authors] == ["openai:stub"]


def test_calls_longer_than_the_window_are_told_before_anything_is_sent(
    study: Workspace, stub: StubProvider
) -> None:
    """Ollama's context is what was set: 100 tokens, of which the reply may take 50, hold no
    prompt."""
    from graders.providers.openai_chat import OpenAIChat
    from graders.store import projects
    from graders.workflows.calling import judge_setup, judging
    from graders.workflows.runs import _judge_notes

    setup = judge_setup.make_judge(
        "ollama:llama3",
        secret="s",
        options={"max_output_tokens": 50},
        provider_options={"context": 100},
    )
    requests = [
        task.request for task in judging.tasks(study, projects.get_project(study, "study"), setup)
    ]
    (note,) = _judge_notes.notes(setup, ["Ash"], requests)
    assert (
        note.startswith("3 calls are longer than the window of llama3 (the longest about ")
        and "tokens of 100)" in note
    )
    together = judge_setup.make_judge(
        "ollama:llama3", secret="s", options={"per": "question"}, provider_options={"context": 100}
    )
    (whole,) = _judge_notes.notes(together, ["Ash"], requests)
    assert (
        "refuse or cut. Shorten the" in note
        and "refuse or cut. Ask answer by answer (--per answer), shorten the" in whole
    )
    unknown = judge_setup.make_judge(
        "ollama:llama3", secret="s", options={"max_output_tokens": 4_000}
    )
    (note,) = _judge_notes.notes(
        unknown,
        ["Ash"],
        [
            task.request
            for task in judging.tasks(study, projects.get_project(study, "study"), unknown)
        ],
    )
    assert note.startswith("The window of llama3 is not known") and "--window" in note
    stated = judge_setup.make_judge(
        "ollama:llama3", secret="s", options={"window": 8_192, "max_output_tokens": 4_000}
    )
    assert stated.provider.context == 8_192 and _judge_notes.notes(stated, ["Ash"], requests) == []
    roomy = judge_setup.make_judge(
        "ollama:llama3", secret="s", provider_options={"context": 100_000}
    )
    assert _judge_notes.notes(roomy, ["Ash"], requests) == []
    assert OpenAIChat(base_url="https://api.openai.com/v1").window("gpt-4o-mini") == 128_000
    assert OpenAIChat(base_url=stub.base_url).window("stub") is None
